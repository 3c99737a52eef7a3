import type { EditState } from '../../../../domain/edit-state.js';
import type { Transaction } from './database.js';

type Counted = 'received' | 'delivered' | 'parked' | 'superseded' | 'discarded';

interface VendorRow {
  readonly name: string;
  readonly last_number: number;
  readonly last_revision: number;
}

type Change = Record<'numbers' | 'revisions' | 'pruned' | Counted, number>;

const NO_CHANGE: Change = {
  numbers: 0,
  revisions: 0,
  pruned: 0,
  received: 0,
  delivered: 0,
  parked: 0,
  superseded: 0,
  discarded: 0,
};

const COLUMNS = {
  name: 'text',
  numbers: 'integer',
  revisions: 'integer',
  pruned: 'integer',
  received: 'integer',
  delivered: 'integer',
  parked: 'integer',
  superseded: 'integer',
  discarded: 'integer',
} as const;

/**
 * The changes that one transaction makes to its vendors: numbers for their edits, revisions for their items, and how
 * many of their edits are in which state.
 */
export class Vendors {
  readonly #transaction: Transaction;
  readonly #known: ReadonlyMap<string, VendorRow>;
  readonly #changes = new Map<string, Change>();

  constructor(transaction: Transaction, rows: readonly VendorRow[]) {
    this.#transaction = transaction;
    this.#known = new Map(rows.map((row) => [row.name, row]));
  }

  static async of(transaction: Transaction, names: Iterable<string>): Promise<Vendors> {
    const wanted = transaction.dialect.rows(1, 'wanted', { name: 'text' });
    const rows = await transaction.query<VendorRow>(
      `SELECT vendor.name, last_number, last_revision FROM ${wanted} CROSS JOIN vendor WHERE vendor.name = wanted.name`,
      JSON.stringify(Array.from(new Set(names), (name) => ({ name }))),
    );
    return new Vendors(transaction, rows);
  }

  nextNumber(vendor: string): number {
    const change = this.#changeOf(vendor);
    change.numbers += 1;
    return (this.#known.get(vendor)?.last_number ?? 0) + change.numbers;
  }

  nextRevision(vendor: string): number {
    const change = this.#changeOf(vendor);
    change.revisions += 1;
    return (this.#known.get(vendor)?.last_revision ?? 0) + change.revisions;
  }

  /**
   * Counts an edit that changes its state.
   *
   * @param from `undefined` for a new edit
   * @param to `undefined` for a pruned edit
   */
  move(vendor: string, from: EditState | undefined, to: EditState | undefined): void {
    const change = this.#changeOf(vendor);
    if (from !== undefined) change[countedAs(from)] -= 1;
    if (to !== undefined) change[countedAs(to)] += 1;
    else change.pruned += 1;
  }

  async write(): Promise<void> {
    if (this.#changes.size === 0) return;
    await this.#transaction.query(
      `INSERT INTO vendor (name, last_number, last_revision, pruned, received, delivered, parked, superseded, discarded)
       SELECT name, numbers, revisions, pruned, received, delivered, parked, superseded, discarded
       FROM ${this.#transaction.dialect.rows(1, 'change', COLUMNS)} WHERE true ORDER BY name
       ON CONFLICT (name) DO UPDATE SET
         last_number = vendor.last_number + excluded.last_number,
         last_revision = vendor.last_revision + excluded.last_revision,
         pruned = vendor.pruned + excluded.pruned,
         received = vendor.received + excluded.received,
         delivered = vendor.delivered + excluded.delivered,
         parked = vendor.parked + excluded.parked,
         superseded = vendor.superseded + excluded.superseded,
         discarded = vendor.discarded + excluded.discarded`,
      JSON.stringify(Array.from(this.#changes, ([name, change]) => ({ name, ...change }))),
    );
  }

  #changeOf(vendor: string): Change {
    const change = this.#changes.get(vendor) ?? { ...NO_CHANGE };
    this.#changes.set(vendor, change);
    return change;
  }
}

function countedAs(state: EditState): Counted {
  return state === 'refused' || state === 'conflict' ? 'parked' : state;
}
