import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * How many tests of a suite passed, and which did not: for each where it stands, its name and why, to be read at the end
 * of a long run. It travels in a file, because the suites are processes and their output is for people.
 */
export interface TestCounts {
  passed: number;
  failures: string[];
  /** How long each test file took. A check has none. */
  files?: FileTime[];
}

export interface FileTime {
  file: string;
  seconds: number;
}

/** The file's path reaches the browser's test runner by this variable; node:test hands it to its reporter itself. */
export const COUNTS_FILE = 'TEST_COUNTS_FILE';

export function writeCounts(file: string, counts: TestCounts): void {
  writeFileSync(file, JSON.stringify(counts));
}

/** @returns undefined when the suite ended before it could write them */
export function readCounts(file: string): TestCounts | undefined {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text === '' ? undefined : (JSON.parse(text) as TestCounts);
}
