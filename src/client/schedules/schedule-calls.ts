import { MAX_SCHEDULE_ITEMS, schedules, type Schedule, type ScheduleDefinition } from '../../contract/schedules.js';
import type { ItemId } from '../../domain/item.js';
import { ApiError } from '../api/api-error.js';
import { accepts } from '../schema.js';
import { newEditId } from '../storage/edit-id.js';
import type { InventoryStore } from '../store/inventory-store.js';
import { toJson } from '../to-json.js';

type Store = Pick<InventoryStore, 'call' | 'readChanges'>;

/** The items of one schedule. */
interface Part {
  readonly id: string;
  readonly items: readonly ItemId[];
}

/**
 * The calls about schedules. A call is sent at once or fails: a closing that waited on the device would come too late.
 *
 * Each call may throw {@link ApiError}.
 */
export class ScheduleCalls {
  readonly #store: Store;
  #unfinished: { readonly key: string; readonly parts: Part[] } | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The schedules that still apply to any of these items. */
  async of(ids: ReadonlySet<ItemId>): Promise<Schedule[]> {
    const found: Schedule[] = [];
    let cursor: string | undefined;
    do {
      const query: Record<string, string> = cursor === undefined ? {} : { cursor };
      const response = await this.#store.call('v1/schedules', { query });
      const body: unknown = await response.json();
      if (!accepts(schedules, body)) throw new ApiError('unreadable', 'the schedules have another shape');
      found.push(
        ...body.schedules.filter(({ state, items }) => state !== 'done' && items.some(({ id }) => ids.has(id))),
      );
      cursor = body.next;
    } while (cursor !== undefined);
    return found;
  }

  /**
   * Makes the items unavailable by a definition, with as many schedules as the maximum number of items in one requires.
   * After a failure, a call with the same arguments continues where the failed one stopped, with the same ids, so no
   * schedule is created twice.
   */
  async make(ids: readonly ItemId[], definition: ScheduleDefinition): Promise<void> {
    const key = toJson([ids, definition]);
    if (this.#unfinished?.key !== key) this.#unfinished = { key, parts: splitItems(ids) };
    const { parts } = this.#unfinished;
    try {
      for (let part = parts[0]; part !== undefined; part = parts[0]) {
        const json = { items: part.items, ...definition };
        await this.#store.call(`v1/schedules/${part.id}`, { method: 'PUT', json });
        parts.shift();
      }
      this.#unfinished = undefined;
    } finally {
      // The rows are read again even after a failure, because some schedules may have been created.
      await this.#store.readChanges();
    }
  }

  /** Items that the last call of `make` did not reach. */
  get leftCount(): number {
    return this.#unfinished?.parts.reduce((sum, { items }) => sum + items.length, 0) ?? 0;
  }

  /** Removes items from a schedule, and deletes it if no item remains. Items that it has closed stay unavailable. */
  async leave({ id, items, from, until, repeat, time_zone }: Schedule, ids: ReadonlySet<ItemId>): Promise<void> {
    // Items that a person has changed since are removed too: the new schedule would close them again.
    const left = items.filter((item) => !ids.has(item.id) && item.state !== 'changed').map((item) => item.id);
    if (left.length === 0) await this.#store.call(`v1/schedules/${id}`, { method: 'DELETE', json: {} });
    else {
      const json = { items: left, from, until, repeat, time_zone };
      await this.#store.call(`v1/schedules/${id}`, { method: 'PUT', json });
    }
    await this.#store.readChanges();
  }
}

function splitItems(ids: readonly ItemId[]): Part[] {
  return Array.from({ length: Math.ceil(ids.length / MAX_SCHEDULE_ITEMS) }, (_, at) => ({
    id: newEditId(),
    items: ids.slice(at * MAX_SCHEDULE_ITEMS, (at + 1) * MAX_SCHEDULE_ITEMS),
  }));
}
