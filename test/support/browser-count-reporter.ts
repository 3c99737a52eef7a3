import { relative } from 'node:path';
import type { Reporter, TestResult, TestResultError, TestSuiteResult } from '@web/test-runner';
import { writeCounts } from './test-counts.js';
import type { FileTime, TestCounts } from './test-counts.js';

/** Counts the tests of Web Test Runner. A page counts as a failure if it had an error outside of its tests, or no test. */
export function browserCountReporter(countsFile: string): Reporter {
  return {
    stop({ sessions }) {
      const files: FileTime[] = [];
      const counts: TestCounts = { passed: 0, failures: [], files };
      for (const { testFile, passed, testResults, errors } of sessions) {
        const place = testFile === undefined ? 'A page' : relative('', testFile);
        const results = testResults === undefined ? [] : leaves(testResults);
        const ran = results.filter((test) => !test.skipped);
        files.push({ file: place, seconds: ran.reduce((sum, { duration = 0 }) => sum + duration, 0) / 1000 });
        const failed = ran.filter((test) => !test.passed);
        counts.passed += ran.length - failed.length;
        counts.failures.push(...failed.map(({ name, error }) => `${place}: ${name}\n${reasonOf(error)}`));
        if (failed.length > 0) continue;
        if (ran.length === 0) counts.failures.push(`${place} declared no test`);
        else if (!passed)
          counts.failures.push(`${place} broke outside of its tests\n${errors.map(reasonOf).join('\n')}`);
      }
      writeCounts(countsFile, counts);
    },
  };
}

function leaves({ tests, suites }: TestSuiteResult): TestResult[] {
  return [...tests, ...suites.flatMap(leaves)];
}

function reasonOf(error: TestResultError | undefined): string {
  return [error?.message, error?.stack].filter((text) => text !== undefined).join('\n');
}
