/**
 * The browser's own `Promise`, even if a script of the page has replaced the global one. A transaction of IndexedDB
 * commits as soon as a microtask makes no request of it, and some replacements call back in a later task.
 */
export const NativePromise = (async () => Promise.resolve())().constructor as PromiseConstructor;

/** @returns the result of a request, or the end of a transaction */
export function promisifyRequest<T = undefined>(request: IDBRequest<T> | IDBTransaction): Promise<T> {
  return new NativePromise((resolve, reject) => {
    const onDone = (): void => {
      resolve((request as IDBRequest<T>).result);
    };
    const onFailure = (): void => {
      reject(request.error ?? new DOMException('the transaction was aborted', 'AbortError'));
    };
    if ('oncomplete' in request) {
      request.oncomplete = onDone;
      request.onabort = onFailure;
    } else request.onsuccess = onDone;
    request.onerror = onFailure;
  });
}
