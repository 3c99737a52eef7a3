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
