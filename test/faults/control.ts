/** A promise, taken back: the test that is named has to notice. */
export interface Control {
  readonly defence: string;
  /** Below the tree. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly text: string;
  /** What stands there without the defence. */
  readonly broken: string;
  readonly test: { readonly file: string; readonly name: string; readonly isInBrowser?: boolean };
}

export function inProxy(file: string, name: string): Control['test'] {
  return { file: `test/proxy/${file}.test.ts`, name };
}

export function inNode(file: string, name: string): Control['test'] {
  return inProxy(`node/${file}`, name);
}

export function inBrowser(file: string, name: string): Control['test'] {
  return { file: `test/client/${file}.test.ts`, name, isInBrowser: true };
}
