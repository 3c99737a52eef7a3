/**
 * Lets whatever else there is to do go first: SQLite and memory answer at once, so that who asks them again and again
 * would keep everybody else waiting. A message, and no timer: it waits for nothing but its turn.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}
