import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let root: string | undefined;

/** A new empty folder. It goes when the process of the test file goes, so nothing has to be closed before. */
export function scratchFolder(): string {
  root ??= makeRoot();
  return mkdtempSync(join(root, 'case-'));
}

function makeRoot(): string {
  const folder = mkdtempSync(join(tmpdir(), 'inventory-test-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
