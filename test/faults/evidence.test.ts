import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { scratchFolder } from '../support/scratch-folder.js';
import { Evidence } from './evidence.js';

const SECRET = 'canary-0123456789-which-nobody-may-say';

/** Ways in which a secret can leak. */
const LEAKS: readonly (readonly [where: string, file: string, leak: (path: string) => void])[] = [
  ['a log', 'proxy.log', (path) => appendFileSync(path, `{"level":30,"authorization":"Bearer ${SECRET}"}\n`)],
  ['a folder below', 'widget/bundle.js', (path) => writeFileSync(path, `const t="${SECRET}";`)],
  ...['', 'i', 'id'].map(
    (user) =>
      [
        `a basic header after ${String(user.length)} letters`,
        'proxy.log',
        (path: string) => writeFileSync(path, `Basic ${Buffer.from(`${user}:${SECRET}:`).toString('base64')}`),
      ] as const,
  ),
  [
    'a database that is still in its write-ahead log',
    'inventory.sqlite-wal',
    (path) => {
      const database = new Database(path.replace(/-wal$/, ''));
      database.pragma('journal_mode = WAL');
      database.exec(`CREATE TABLE note (text TEXT); INSERT INTO note VALUES ('${SECRET}')`);
    },
  ],
];

describe('the search for secrets', () => {
  for (const [where, file, leak] of LEAKS) {
    it(`finds a secret in ${where}`, () => {
      const evidence = new Evidence(scratchFolder());
      evidence.mustNotAppear('the client secret', SECRET);
      const path = evidence.path(file);
      mkdirSync(dirname(path), { recursive: true });

      leak(path);

      assert.deepEqual(evidence.findSecrets(), [`the client secret is in ${file}`]);
    });
  }

  it('ignores the setting files, and texts that are no secret', () => {
    const evidence = new Evidence(scratchFolder());
    evidence.mustNotAppear('the client secret', SECRET);
    writeFileSync(evidence.secretPath('proxy-client-secret'), SECRET);
    writeFileSync(join(evidence.folder, 'proxy.log'), SECRET.slice(1));

    assert.deepEqual(evidence.findSecrets(), []);
  });
});
