/**
 * What happens to the page as a whole: the network or the person is back, or the person is about to leave.
 *
 * @param mayLeave whether nothing would be lost @param onGone phones tell of nothing later than this
 * @returns stops it
 */
export function watchPage(onReturn: () => void, mayLeave: () => boolean, onGone: () => void): () => void {
  const end = new AbortController();
  const options = { signal: end.signal };
  const onBack = (): void => {
    if (document.visibilityState === 'visible') onReturn();
  };
  addEventListener('online', onBack, options);
  document.addEventListener('visibilitychange', onBack, options);
  addEventListener(
    'pageshow',
    ({ persisted }) => {
      // Out of the browser's cache of pages: whatever was in flight is gone.
      if (persisted) onReturn();
    },
    options,
  );
  const ask = (event: Event): void => {
    if (!mayLeave()) event.preventDefault();
  };
  addEventListener('beforeunload', ask, options);
  addEventListener('pagehide', onGone, options);
  return () => {
    end.abort();
    // Nobody looks any more at what would be lost.
    if (!mayLeave()) addEventListener('beforeunload', ask);
  };
}
