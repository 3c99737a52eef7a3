import { MAX_SCHEDULE_ITEMS, schedules, type Schedule, type ScheduleDefinition } from '../../contract/schedules.js';
import type { ItemId } from '../../domain/item.js';
import { ApiError } from '../api/api-error.js';
import { accepts } from '../schema.js';
import { newEditId } from '../storage/edit-id.js';
import type { InventoryStore } from '../store/inventory-store.js';

type Store = Pick<InventoryStore, 'call' | 'readChanges'>;

/**
 * What the page asks the proxy about schedules. It goes out at once or fails: a closing that waits on the device would come
 * after its time.
 *
 * Each call may throw {@link ApiError}.
 */
export class ScheduleCalls {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Schedules that still do something with any of these items. */
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

  /** Makes the items unavailable as the definition says, in as many schedules as it takes. */
  async make(ids: readonly ItemId[], definition: ScheduleDefinition): Promise<void> {
    for (let at = 0; at < ids.length; at += MAX_SCHEDULE_ITEMS) {
      const json = { items: ids.slice(at, at + MAX_SCHEDULE_ITEMS), ...definition };
      await this.#store.call(`v1/schedules/${newEditId()}`, { method: 'PUT', json });
    }
    await this.#store.readChanges();
  }

  /** Takes items out of a schedule, which is removed where nothing is left of it. What it has closed stays unavailable. */
  async leave({ id, items, from, until, repeat, time_zone }: Schedule, ids: ReadonlySet<ItemId>): Promise<void> {
    // An item that a person has changed since would be closed once more.
    const left = items.filter((item) => !ids.has(item.id) && item.state !== 'changed').map((item) => item.id);
    if (left.length === 0) await this.#store.call(`v1/schedules/${id}`, { method: 'DELETE', json: {} });
    else {
      const json = { items: left, from, until, repeat, time_zone };
      await this.#store.call(`v1/schedules/${id}`, { method: 'PUT', json });
    }
    await this.#store.readChanges();
  }
}
