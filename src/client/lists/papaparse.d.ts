/**
 * The part of papaparse that this project uses. The published types include those of Node.js, with which code of the
 * page could use a Node.js module unnoticed.
 */
declare module 'papaparse' {
  interface ParseConfig {
    readonly delimiter?: string;
    readonly newline?: string;
    readonly fastMode?: boolean;
    /** The maximum number of rows to parse. */
    readonly preview?: number;
    readonly skipEmptyLines?: boolean;
    readonly delimitersToGuess?: readonly string[];
    step?(result: ParseStep): void;
  }

  interface ParseStep {
    readonly data: unknown;
    readonly errors: readonly unknown[];
    /** `cursor` counts UTF-16 code units from the start of the input. */
    readonly meta: { readonly cursor: number };
  }

  interface Parser {
    parse(input: string, baseIndex: number, ignoreLastRow: boolean): void;
    abort(): void;
  }

  const Papa: {
    readonly Parser: new (config: ParseConfig) => Parser;
    parse(
      input: string,
      config: ParseConfig,
    ): { readonly meta: { readonly delimiter: string; readonly linebreak: string } };
    unparse(
      rows: readonly (readonly string[])[],
      config: { readonly newline: string; readonly escapeFormulae: RegExp },
    ): string;
  };
  // eslint-disable-next-line no-restricted-syntax -- The package exports this object and nothing by name.
  export default Papa;
}
