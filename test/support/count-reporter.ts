import { relative, resolve } from 'node:path';
import type { TestEvent } from 'node:test/reporters';
import type { FileTime, TestCounts } from './test-counts.js';

/**
 * Counts the tests of node:test that have no tests below them. The summary of node:test counts parents too, and counts a
 * file as passed if it declared no test or left early by process.exit(). Here such a file has failed.
 *
 * Node loads a reporter before any loader, so this file imports only types from this project.
 */
export default async function* countReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files: FileTime[] = [];
  const counts: TestCounts = { passed: 0, failures: [], files };
  // A parent is reported after its children. A test has children if the next depth was reported since the last report of
  // its own.
  const reported: boolean[] = [];

  for await (const event of events) {
    if (event.type === 'test:summary' && event.data.file !== undefined) {
      files.push({ file: relative('', event.data.file), seconds: event.data.duration_ms / 1000 });
    }
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { nesting, details, name, file, line, skip, todo } = event.data;
    const isParent = details.type === 'suite' || reported[nesting + 1] === true;
    reported.length = nesting;
    reported[nesting] = true;

    if (skip || todo) continue;
    if (event.type === 'test:fail') {
      const { error } = event.data.details;
      const place = file === undefined ? '' : `${relative('', file)}:${line ?? 1}: `;
      if (!isParent || !failedByChildren(error)) counts.failures.push(`${place}${name}\n${reasonOf(error)}`);
    } else if (file !== undefined && resolve(name) === file) {
      counts.failures.push(`${name} declared no test, or left before its tests had ended`);
    } else counts.passed += isParent ? 0 : 1;
  }
  yield JSON.stringify(counts);
}

function failedByChildren(error: Error): boolean {
  return 'failureType' in error && error.failureType === 'subtestsFailed';
}

/** The error that the test threw: node:test wraps it in an error of its own, as the cause. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error ? (error.cause.stack ?? error.cause.message) : error.message;
}
