import type { CallLimits } from './call-limits.js';
import type { Faults } from './faults.js';
import type { Variants } from './variants.js';
import type { StoredItems, IdempotencyKeys } from './portal-items.js';
import type { Journal } from './journal.js';
import type { Tokens } from './tokens.js';

/** The state of one sandbox portal, in memory. Only the faults and variants are ever replaced. */
export interface SandboxState {
  readonly journal: Journal;
  readonly items: StoredItems;
  readonly tokens: Tokens;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly limits: CallLimits;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  faults: Faults;
  variants: Variants;
}
