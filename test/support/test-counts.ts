import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * How many tests of a suite passed, and the failed ones with their place, name and reason, which are printed at the end of
 * a long run. The counts are passed in a file, because the suites are processes and their output is for people.
 */
export interface TestCounts {
  passed: number;
  failures: string[];
  /** The time of each test file. A check has none. */
  files?: FileTime[];
}

export interface FileTime {
  file: string;
  seconds: number;
}

/** The variable that passes the file's path to the browser's test runner. node:test passes it to its reporter itself. */
export const COUNTS_FILE = 'TEST_COUNTS_FILE';

export function writeCounts(file: string, counts: TestCounts): void {
  writeFileSync(file, JSON.stringify(counts));
}

/** @returns `undefined` if the suite ended before it could write the counts */
export function readCounts(file: string): TestCounts | undefined {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text === '' ? undefined : (JSON.parse(text) as TestCounts);
}
