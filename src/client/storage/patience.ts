/** What does not settle in time rejects with the `TimeoutError` of the signal; the work may end all the same. */
export function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const patience = AbortSignal.timeout(milliseconds);
  const isOver = new Promise<never>((_, reject) => {
    patience.addEventListener('abort', () => {
      reject(patience.reason as Error);
    });
  });
  return Promise.race([work, isOver]);
}
