import type { Reporter, TestResult, TestSuiteResult } from '@web/test-runner';
import { writeCounts } from './test-counts.js';
import type { TestCounts } from './test-counts.js';

/** Counts the tests of Web Test Runner. A page that broke outside of its tests, or that had none, is one that failed. */
export function browserCountReporter(countsFile: string): Reporter {
  return {
    stop({ sessions }) {
      const counts: TestCounts = { passed: 0, failed: 0 };
      for (const { testFile, passed, testResults } of sessions) {
        const ran = (testResults === undefined ? [] : leaves(testResults)).filter((test) => !test.skipped);
        const failed = ran.filter((test) => !test.passed).length;
        counts.passed += ran.length - failed;
        counts.failed += failed === 0 && (!passed || ran.length === 0) ? 1 : failed;
        if (passed && ran.length === 0) process.stderr.write(`${testFile ?? 'A page'} declared no test\n`);
      }
      writeCounts(countsFile, counts);
    },
  };
}

function leaves({ tests, suites }: TestSuiteResult): TestResult[] {
  return [...tests, ...suites.flatMap(leaves)];
}
