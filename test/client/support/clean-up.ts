const pending: (() => void)[] = [];

/** Runs a clean-up at the end of the current test. The newest one runs first. */
export function afterThisTest(work: () => void): void {
  pending.push(work);
}

afterEach(() => {
  for (const work of pending.splice(0).reverse()) work();
});
