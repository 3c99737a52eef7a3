/** The few words of IndexedDB that the queue speaks, as promises. */

/** @throws {DOMException} what the request failed with */
export function answerOf<T>(request: IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => {
      resolve(request.result as T);
    };
    request.onerror = () => {
      reject(request.error as Error);
    };
  });
}

/** @throws {DOMException} what it was aborted for */
export function endOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => {
      resolve();
    };
    transaction.onabort = () => {
      reject(transaction.error ?? new DOMException('the transaction was aborted', 'AbortError'));
    };
  });
}

/** Calls back for each row that the cursor finds. */
export function visitAll<T>(
  request: IDBRequest<IDBCursorWithValue | null>,
  visit: (value: T, cursor: IDBCursorWithValue) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    request.onerror = () => {
      reject(request.error as Error);
    };
    request.onsuccess = () => {
      const cursor = request.result;
      if (cursor === null) {
        resolve();
        return;
      }
      visit(cursor.value as T, cursor);
      cursor.continue();
    };
  });
}

/** @throws {DOMException} `TimeoutError` where the work takes longer; it may end all the same */
export function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const patience = AbortSignal.timeout(milliseconds);
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      reject(patience.reason as Error);
    };
    patience.addEventListener('abort', giveUp);
    const isOver = (): void => {
      patience.removeEventListener('abort', giveUp);
    };
    work.then(resolve, reject).then(isOver, isOver);
  });
}
