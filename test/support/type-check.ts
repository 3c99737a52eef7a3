import { dirname, resolve } from 'node:path';
import ts from 'typescript';

export interface TypeFault {
  readonly file: string;
  readonly message: string;
}

interface WrittenFile {
  readonly text: string;
  readonly time: Date;
}

type Layer = Map<string, WrittenFile>;

/**
 * Runs `tsc -b` for a room, with additional files that exist in memory only. It is the same builder, but its output stays
 * in memory too, so a check leaves no files behind, and a second check finds the rooms below already built.
 *
 * @returns a function that checks one room. The seeds are texts by path, each directly in the folder of a room
 */
export function createTypeCheck(root: string): (room: string, seeds: Readonly<Record<string, string>>) => TypeFault[] {
  const built: Layer = new Map();
  build(root, '.', [built]);

  return (room, seeds) => {
    const time = new Date();
    const planted = Object.entries(seeds).map(([path, text]) => [resolve(root, path), { text, time }] as const);
    return build(root, room, [new Map(planted), built], new Map(planted));
  };
}

function build(
  root: string,
  room: string,
  layers: readonly [Layer, ...Layer[]],
  seeds: Layer = new Map(),
): TypeFault[] {
  const faults: TypeFault[] = [];
  const report = ({ file, messageText }: ts.Diagnostic) =>
    faults.push({ file: file?.fileName ?? room, message: ts.flattenDiagnosticMessageText(messageText, ' ') });
  const host = ts.createSolutionBuilderHost(layered(root, layers, seeds), undefined, report, () => undefined);

  ts.createSolutionBuilder(host, [resolve(root, room)], {}).build();
  return faults;
}

function layered(root: string, layers: readonly [Layer, ...Layer[]], seeds: Layer): ts.System {
  const find = (path: string) => layers.find((layer) => layer.has(path))?.get(path);
  return {
    ...ts.sys,
    getCurrentDirectory: () => root,
    fileExists: (path) => find(path) !== undefined || ts.sys.fileExists(path),
    readFile: (path, encoding) => find(path)?.text ?? ts.sys.readFile(path, encoding),
    getModifiedTime: (path) => find(path)?.time ?? ts.sys.getModifiedTime?.(path),
    readDirectory: (folder, ...filters) => [
      ...ts.sys.readDirectory(folder, ...filters),
      ...[...seeds.keys()].filter((file) => dirname(file) === resolve(folder)),
    ],
    writeFile: (path, text) => void layers[0].set(path, { text, time: new Date() }),
    setModifiedTime: () => undefined,
    createDirectory: () => undefined,
    deleteFile: () => undefined,
  };
}
