/** A defence that can be disabled. The named test has to fail without it. */
export interface Control {
  readonly defence: string;
  /** The path of the source file, relative to the repository. */
  readonly file: string;
  /** The source text of the defence, which occurs exactly once in the file. */
  readonly text: string;
  /** The source text without the defence. */
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
