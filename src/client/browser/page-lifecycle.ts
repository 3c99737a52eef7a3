/**
 * Watches the page as a whole.
 *
 * @param onReturn the network is back, or the person returns to the page
 * @param canLeave whether nothing would be lost if the page closed now; otherwise the browser asks before it closes
 * @param onGone `pagehide`, the last event that phones send
 * @returns a function that stops watching
 */
export function watchPage(onReturn: () => void, canLeave: () => boolean, onGone: () => void): () => void {
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
      // The page comes from the back/forward cache, and the requests that were in flight are lost.
      if (persisted) onReturn();
    },
    options,
  );
  const onBeforeUnload = (event: Event): void => {
    if (!canLeave()) event.preventDefault();
  };
  addEventListener('beforeunload', onBeforeUnload, options);
  addEventListener('pagehide', onGone, options);
  return () => {
    end.abort();
    // This listener stays after the watching ends, because closing the page would still lose edits.
    if (!canLeave()) addEventListener('beforeunload', onBeforeUnload);
  };
}
