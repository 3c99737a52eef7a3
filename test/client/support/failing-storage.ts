import { afterThisTest } from './clean-up.js';
import { openDatabase } from './database.js';

/** The browser's storage is full, for writes: IndexedDB answers as it does over its quota. @returns makes room */
export function fillStorage(): () => void {
  return replace(IDBObjectStore.prototype, 'add', () => {
    throw new DOMException('no space left', 'QuotaExceededError');
  });
}

/** Full for what changes a row; what is new or deleted is taken. */
export function refuseChanges(): void {
  replace(IDBObjectStore.prototype, 'put', () => {
    throw new DOMException('no space left', 'QuotaExceededError');
  });
}

/** The disk deletes nothing. @returns mends it */
export function keepEverything(): () => void {
  return replace(IDBObjectStore.prototype, 'delete', () => {
    throw new DOMException('the disk is broken', 'UnknownError');
  });
}

/** The browser forbids storage, as some do in a private window. */
export function forbidStorage(): void {
  replace(IDBFactory.prototype, 'open', () => {
    throw new DOMException('storage is forbidden', 'SecurityError');
  });
}

/** IndexedDB goes away under a live page and tells nobody. */
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

/** Another page of the same origin writes for as long as the test takes: whoever wants to write an edit waits. */
export async function keepDiskBusy(): Promise<() => void> {
  const database = await openDatabase('vendor-inventory');
  const edits = database.transaction('edits', 'readwrite').objectStore('edits');
  let isOver = false;
  // A transaction lives as long as it is asked for something.
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

/** The browser's storage takes requests and answers none. */
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

/** An upgrade that waits for another page's connection keeps all later openings waiting. @returns lets them through */
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

/** @returns puts it back, as the end of the test does */
function replace<T extends object, K extends keyof T>(target: T, name: K, value: T[K]): () => void {
  const before = target[name];
  target[name] = value;
  const putBack = (): void => {
    target[name] = before;
  };
  afterThisTest(putBack);
  return putBack;
}
