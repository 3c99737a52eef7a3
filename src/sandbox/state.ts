import type { CallLimits } from './call-limits.js';
import type { Faults } from './faults.js';
import type { Variants } from './variants.js';
import type { StoredItems, IdempotencyKeys } from './portal-items.js';
import type { Journal } from './journal.js';
import type { Tokens } from './tokens.js';

/** All that one sandbox portal remembers, in memory. Each part has one owner; only faults and habits are ever replaced. */
export interface SandboxState {
  readonly journal: Journal;
  readonly items: StoredItems;
  readonly tokens: Tokens;
  readonly namedUpdates: IdempotencyKeys;
  readonly limits: CallLimits;
  faults: Faults;
  habits: Variants;
}
