import { afterThisTest } from './clean-up.js';
import { openDatabase } from './database.js';

/** Makes adding rows fail as it does when the storage quota is exceeded. @returns a function that ends it */
export function fillStorage(): () => void {
  return replace(IDBObjectStore.prototype, 'add', () => {
    throw new DOMException('no space left', 'QuotaExceededError');
  });
}

/** Makes changing a row fail as a full storage does. Adding and deleting rows still work. */
export function refuseChanges(): void {
  replace(IDBObjectStore.prototype, 'put', () => {
    throw new DOMException('no space left', 'QuotaExceededError');
  });
}

/** Makes deleting rows fail. @returns a function that ends it */
export function keepEverything(): () => void {
  return replace(IDBObjectStore.prototype, 'delete', () => {
    throw new DOMException('the disk is broken', 'UnknownError');
  });
}

/** Makes opening a database fail, as some browsers do in a private window. */
export function forbidStorage(): void {
  replace(IDBFactory.prototype, 'open', () => {
    throw new DOMException('storage is forbidden', 'SecurityError');
  });
}

/** @returns a function that closes all connections of the page without an event, as a browser does that loses its database */
export function loseConnections(): () => void {
  const connections = new Set<IDBDatabase>();
  const { transaction } = IDBDatabase.prototype;
  replace(IDBDatabase.prototype, 'transaction', function (this: IDBDatabase, ...words: Parameters<typeof transaction>) {
    connections.add(this);
    return transaction.apply(this, words);
  });
  return () => {
    for (const connection of connections) connection.close();
  };
}

/**
 * Writes as another page of the same origin would: every write transaction for edits waits until the returned function is
 * called, or until the test ends.
 */
export async function keepDiskBusy(): Promise<() => void> {
  const database = await openDatabase('vendor-inventory');
  const edits = database.transaction('edits', 'readwrite').objectStore('edits');
  let isOver = false;
  // A transaction stays active as long as it has a pending request.
  const ask = (): void => {
    if (!isOver) edits.count().onsuccess = ask;
  };
  ask();
  const release = (): void => {
    isOver = true;
    database.close();
  };
  afterThisTest(release);
  return release;
}

/** Makes every opening of a database hang: no event is ever dispatched. */
export function hangStorage(): void {
  const { open } = IDBFactory.prototype;
  replace(IDBFactory.prototype, 'open', function (this: IDBFactory, name) {
    const request = open.call(this, `${name} ${crypto.randomUUID()}`);
    for (const type of ['upgradeneeded', 'success', 'error']) {
      request.addEventListener(type, (event) => {
        event.stopImmediatePropagation();
      });
    }
    return request;
  });
}

/**
 * Blocks every opening of a database: an upgrade waits for the connection of another page.
 *
 * @returns a function that ends it
 */
export async function blockOpening(name: string): Promise<() => void> {
  const blocking = await openDatabase(name);
  const upgrade = indexedDB.open(name, blocking.version + 1);
  upgrade.onupgradeneeded = () => upgrade.transaction?.abort();
  upgrade.onerror = (event) => {
    event.preventDefault();
  };
  const release = (): void => {
    blocking.close();
  };
  afterThisTest(release);
  return release;
}

/** @returns a function that restores the property; the end of the test does so too */
function replace<T extends object, K extends keyof T>(target: T, name: K, value: T[K]): () => void {
  const before = target[name];
  target[name] = value;
  const putBack = (): void => {
    target[name] = before;
  };
  afterThisTest(putBack);
  return putBack;
}
