import { NativePromise, promisifyRequest } from './native-promise.js';
import * as z from 'zod/mini';
import { itemId } from '../../contract/fields.js';
import { TimeoutDatabase } from './database.js';
import { readStored } from './stored-rows.js';

/** Items that one step changed from the same value to the same new value. */
const group = z.object({
  /** The value before the step; absent if there was none. */
  shown: z.optional(z.boolean()),
  wanted: z.boolean(),
  ids: z.readonly(z.array(itemId)),
});

const storedStep = z.readonly(z.array(group));

/** A saved step of one person, grouped by value: a bulk edit of 100,000 items is one list of ids. */
export type StoredStep = z.output<typeof storedStep>;

/** The time comes first, so that keys sort by age; the number of rows bounds the table without reading a step. */
const stepKey = z.tuple([z.string(), z.number(), z.number(), z.string()]);
export type StepKey = Readonly<z.output<typeof stepKey>>;

const MAX_STEPS = 20;
const MAX_ROWS = 100_000;
/** After a day a person no longer remembers what the newest step was, and an undo would surprise them. */
const MAX_AGE_MS = 24 * 3_600_000;

/**
 * The newest saved steps of each person in IndexedDB. They have a database of their own, so that losing it never endangers
 * an edit.
 *
 * Every function may reject: storage can be missing, full or forbidden.
 */
export class UndoStepTable {
  readonly #db = new TimeoutDatabase('vendor-inventory-undo', { version: 1, tables: ['steps'] });

  /** @returns the steps of an owner, the oldest first */
  async read(owner: string): Promise<(readonly [StepKey, StoredStep])[]> {
    const [keys, steps] = await this.#db.transact('readonly', (table) =>
      NativePromise.all([
        promisifyRequest(table.getAllKeys(rangeOf(owner))),
        promisifyRequest<unknown[]>(table.getAll(rangeOf(owner))),
      ]),
    );
    return keys.flatMap((stored, at) => {
      const key = readStored(stepKey, stored, 'steps');
      const step = key && !isOld(key) ? readStored(storedStep, steps[at], 'steps') : undefined;
      return key && step ? [[key, step] as const] : [];
    });
  }

  /** Writes and deletes steps in one transaction, and deletes the oldest steps of the owner beyond the limits. */
  async write(
    owner: string,
    added: readonly (readonly [StepKey, StoredStep])[],
    gone: readonly StepKey[],
  ): Promise<void> {
    await this.#db.transact('readwrite', async (table) => {
      for (const key of gone) table.delete([...key]);
      for (const [key, step] of added) table.put(step, [...key]);
      const keys = await promisifyRequest(table.getAllKeys(rangeOf(owner)));
      let rows = 0;
      keys.reverse().forEach((stored, at) => {
        const { data: key } = stepKey.safeParse(stored);
        rows += key?.[2] ?? 0;
        if (key === undefined || at >= MAX_STEPS || rows > MAX_ROWS || isOld(key)) table.delete(stored);
      });
    });
  }

  /** Moves the steps from before the person was known to that person. */
  async move(from: string, to: string): Promise<void> {
    const steps = await this.read(from);
    await this.write(
      to,
      steps.map(([[, ...rest], step]) => [[to, ...rest], step]),
      [],
    );
    await this.remove(from);
  }

  async remove(owner: string): Promise<void> {
    await this.#db.transact('readwrite', (table) => promisifyRequest(table.delete(rangeOf(owner)) as IDBRequest));
  }

  close(): void {
    this.#db.close();
  }
}

function isOld([, at]: StepKey): boolean {
  return at < Date.now() - MAX_AGE_MS;
}

/** The range of all keys of an owner: an array sorts after every number (Indexed Database API, 2.4). */
function rangeOf(owner: string): IDBKeyRange {
  return IDBKeyRange.bound([owner], [owner, []]);
}
