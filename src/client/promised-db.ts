import type { DBSchema, IDBPDatabase, OpenDBCallbacks } from 'idb';

/**
 * IndexedDB with promises for requests: of the interface of `idb`, whose types it keeps, what is used here and no more, in a
 * third of its bytes. A promise of a request resolves in the request's own event, so a transaction lives on while what
 * awaits it asks for more.
 *
 * @throws {DOMException} as IndexedDB does
 */
export async function openDb<Schema extends DBSchema>(
  name: string,
  version: number,
  on: Required<Pick<OpenDBCallbacks<Schema>, 'upgrade'>> & {
    /** Another tab wants to upgrade or delete the database. */
    readonly blocking: () => void;
    /** The browser has closed it. */
    readonly terminated: () => void;
  },
): Promise<IDBPDatabase<Schema>> {
  const request = indexedDB.open(name, version);
  request.addEventListener('upgradeneeded', (event) => {
    const [database, transaction] = [promised(request.result), promised(request.transaction)];
    // The types say of these what `promised` makes of them.
    on.upgrade(database as never, event.oldVersion, event.newVersion, transaction as never, event);
  });
  const database = await answerTo(request);
  request.result.addEventListener('versionchange', on.blocking);
  request.result.addEventListener('close', on.terminated);
  return database as IDBPDatabase<Schema>;
}

function answerTo(request: IDBRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const once = { once: true };
    request.addEventListener('success', () => resolve(promised(request.result)), once);
    request.addEventListener('error', () => reject(request.error as DOMException), once);
  });
}

function endOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (): void => reject(transaction.error ?? new DOMException('', 'AbortError'));
    transaction.addEventListener('complete', () => resolve());
    transaction.addEventListener('error', fail);
    transaction.addEventListener('abort', fail);
  });
}

/** What has requests answers with promises; everything else is as it is. */
function promised(value: unknown): unknown {
  if (value instanceof IDBRequest) return answerTo(value);
  const kinds = [IDBDatabase, IDBTransaction, IDBObjectStore, IDBIndex, IDBCursor];
  return kinds.some((kind) => value instanceof kind) ? new Proxy(value as object, WITH_PROMISES) : value;
}

const WITH_PROMISES: ProxyHandler<object> = {
  get(target, name) {
    if (name === 'done') return endOf(target as IDBTransaction);
    const value: unknown = Reflect.get(target, name);
    if (typeof value !== 'function') return promised(value);
    return (...words: unknown[]) => {
      const made: unknown = Reflect.apply(value, target, words);
      // It answers by the request that opened the cursor.
      return promised(name === 'continue' ? (target as IDBCursor).request : made);
    };
  },
};
