const pending: (() => void)[] = [];

/** Puts something back when the test that is running has ended, the newest first. */
export function afterThisTest(work: () => void): void {
  pending.push(work);
}

afterEach(() => {
  for (const work of pending.splice(0).reverse()) work();
});
