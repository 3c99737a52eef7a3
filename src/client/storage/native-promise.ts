/**
 * The browser's own `Promise`, whatever a script of the page has put in its place. A transaction of IndexedDB commits as soon
 * as nothing is requested of it in a microtask, and many a replacement calls back in a later task.
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
