import type { Engine } from './find-engine.js';

/** One thing that `npm test` does. A check passes or fails as one test; a suite says how many of its tests did. */
export type Step = Check | Suite;

interface Named {
  readonly name: string;
  readonly title: string;
  /** Without these it could only fail for the same reason again, so it does not run. */
  readonly needs?: readonly string[];
}

export interface Check extends Named {
  readonly kind: 'check';
  /** A program of node_modules, or `npm`, and its words. */
  readonly command: readonly [program: string, ...words: string[]];
}

export interface Suite extends Named {
  readonly kind: 'node' | 'browser';
  /** Below test/. A room may have no tests yet, a suite may not. */
  readonly folders: readonly string[];
  readonly opensBrowser?: boolean;
  /** How many of its files run at once. Default: Node's, which is one on two cores. More where they mostly wait for processes. */
  readonly filesAtOnce?: number;
  /** Another than Chromium. Where it can be neither found nor installed, the suite is not run, and that is said. */
  readonly engine?: Engine;
  /** Of its folders; absent: all. */
  readonly files?: RegExp;
}

/**
 * What a toggle does with clicks, keys, forms, languages and the network, and how it looks; the list and the keys of the
 * editor, whose layout, scrolling and focus are the browser's; and what it makes of each answer, whose errors are, too. What
 * axe checks goes by the same rules in every engine.
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
    // The package is weighed as it is built.
    needs: ['build'],
  },
  {
    kind: 'node',
    name: 'server',
    title: 'rooms without a browser',
    folders: ['domain', 'contract', 'locales', 'proxy', 'sandbox', 'demo'],
    filesAtOnce: 2,
    // The command is tested as it is built.
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
