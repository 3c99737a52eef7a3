import { resolve } from 'node:path';
import ts from 'typescript';

/** The strictest options of a host. `dist` has the files that a host would have installed. */
const OPTIONS: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitReturns: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: ['node'],
  skipLibCheck: true,
  noEmit: true,
};

/**
 * Compiles examples that exist in memory only, each as a module of its own in a host's project.
 *
 * @param examples texts by name
 * @returns a line for each compiler error
 */
export function checkExamples(examples: Readonly<Record<string, string>>): string[] {
  const texts = new Map(Object.entries(examples).map(([name, text]) => [resolve('test', `${name}.ts`), text]));
  const host = ts.createCompilerHost(OPTIONS);
  const { fileExists, readFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  const { getSourceFile } = host;
  host.getSourceFile = (path, version, ...rest) => {
    const text = texts.get(path);
    return text === undefined ? getSourceFile(path, version, ...rest) : ts.createSourceFile(path, text, version);
  };

  const program = ts.createProgram([...texts.keys()], OPTIONS, host);
  return [...texts.keys()].flatMap((path) => {
    const file = program.getSourceFile(path);
    const faults = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return faults.map(({ start = 0, messageText }) => {
      const line = file?.text.slice(0, start).split('\n').length ?? 0;
      return `${path}:${String(line)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
  });
}
