import type { Engine } from './find-engine.js';

/** A step of `npm test`. A check passes or fails as one test; a suite reports how many of its tests did. */
export type Step = Check | Suite;

interface Named {
  readonly name: string;
  readonly title: string;
  /** Steps without which this one could only fail for the same reason, so it is skipped if one of them has failed. */
  readonly needs?: readonly string[];
}

export interface Check extends Named {
  readonly kind: 'check';
  /** A program of node_modules, or `npm`, and its arguments. */
  readonly command: readonly [program: string, ...words: string[]];
}

export interface Suite extends Named {
  readonly kind: 'node' | 'browser';
  /** Folders below test/. A suite must have tests. */
  readonly folders: readonly string[];
  readonly opensBrowser?: boolean;
  /**
   * How many files run at once. Default: that of Node, which is one on two cores. Suites whose files mostly wait for
   * processes run more.
   */
  readonly filesAtOnce?: number;
  /**
   * Another engine than Chromium. If it can be neither found nor installed, the suite does not run, and the output says so.
   */
  readonly engine?: Engine;
  /** The files of the folders that belong to the suite; absent: all. */
  readonly files?: RegExp;
}

/**
 * The tests that run in every engine: how a toggle handles clicks, keys, forms, languages and the network, and its layout;
 * the list and keys of the editor, whose layout, scrolling and focus depend on the browser; and the handling of responses,
 * whose errors depend on it too. Checks by axe give the same result in every engine.
 */
const IN_EACH_ENGINE =
  /\/(?:availability-toggle|life-cycle|native-checkbox|secret-attribute|toggle-\w+|proxy-client|editor-(?:editing|focus|grid|keyboard))\.test\.ts$/;

export const STEPS: readonly Step[] = [
  { kind: 'check', name: 'types', title: 'types of all rooms', command: ['typescript/bin/tsc', '-b'] },
  { kind: 'check', name: 'lint', title: 'lint', command: ['eslint/bin/eslint.js', '.', '--max-warnings=0'] },
  { kind: 'check', name: 'build', title: 'build', command: ['npm', 'run', 'build'], needs: ['types'] },
  { kind: 'check', name: 'format', title: 'format', command: ['prettier/bin/prettier.cjs', '--check', '.'] },
  {
    kind: 'node',
    name: 'architecture',
    title: 'layers, types and lint of the rooms',
    folders: ['architecture'],
    filesAtOnce: 2,
    // The size of the built package is checked.
    needs: ['build'],
  },
  {
    kind: 'node',
    name: 'server',
    title: 'rooms without a browser',
    folders: ['domain', 'contract', 'locales', 'proxy', 'sandbox', 'demo'],
    filesAtOnce: 2,
    // The built command is tested.
    needs: ['build'],
  },
  {
    kind: 'browser',
    name: 'browser',
    title: 'rooms in a browser',
    folders: ['client', 'elements'],
    opensBrowser: true,
  },
  {
    kind: 'browser',
    name: 'firefox',
    title: 'the toggle and the list in Firefox',
    folders: ['client', 'elements'],
    files: IN_EACH_ENGINE,
    engine: 'firefox',
  },
  {
    kind: 'browser',
    name: 'webkit',
    title: 'the toggle and the list in WebKitGTK',
    folders: ['client', 'elements'],
    files: IN_EACH_ENGINE,
    engine: 'webkit',
  },
  {
    kind: 'node',
    name: 'journeys',
    title: 'journeys through real processes',
    folders: ['journeys'],
    opensBrowser: true,
    needs: ['build'],
  },
  {
    kind: 'node',
    name: 'visual',
    title: 'what the elements look like, beside stored pictures',
    folders: ['visual'],
    opensBrowser: true,
    needs: ['build'],
  },
  {
    kind: 'node',
    name: 'security',
    title: 'what attackers try, in a real browser',
    folders: ['security'],
    opensBrowser: true,
    needs: ['build'],
  },
  {
    kind: 'node',
    name: 'faults',
    title: 'the quick part of the fault campaign',
    folders: ['faults'],
    needs: ['build'],
  },
];
