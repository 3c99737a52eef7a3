import assert from 'node:assert/strict';
import { renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { InvalidCatalog, readCatalog } from '../../../../src/proxy/node/item-catalog-reader.js';
import { Secret } from '../../../../src/proxy/runtime/secret.js';
import { settingFile } from '../../../support/minimal-settings.js';
import {
  body,
  cutShort,
  DEAD_ADDRESS,
  endless,
  servePortal,
  status,
  type Answer,
} from '../../../support/portal-server.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const JSON_TYPE = 'application/json';
const at = (url: string) => ({ kind: 'url', location: url, byVendor: url.includes('{vendor}') }) as const;

describe('an item catalog at a URL', () => {
  it('is read with its known fields and no other field', async (t) => {
    const row = { id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00Z', label: 'Kayak', group: null, x: 1 };
    const server = await servePortal(t, body(JSON.stringify({ inventory: [row, { id: 'sauna' }] }), JSON_TYPE));

    const list = await readCatalog(at(server.url), '', undefined);

    const kayak = { id: 'kayak', available: true, updated_at: '2026-11-21T08:30:00Z', label: 'Kayak' };
    assert.deepEqual(list?.items, [kayak, { id: 'sauna' }]);
  });

  it('is requested with the header of the operator on each page, and no redirect is followed', async (t) => {
    const page = body('{"inventory":[{"id":"a"}],"next":"b"}', JSON_TYPE);
    const server = await servePortal(t, page, status(302, { Location: '/elsewhere' }));
    const header = { name: 'X-Api-Key', value: new Secret('key of the host') };

    await assert.rejects(readCatalog({ ...at(server.url), header }, '', undefined), /answered 302/);

    assert.deepEqual(
      server.seen.map(({ headers }) => headers['X-Api-Key']),
      ['key of the host', 'key of the host'],
    );
  });

  it('is unchanged if the server answers 304 to its ETag', async (t) => {
    const server = await servePortal(t, body('[{"id":"kayak"}]', JSON_TYPE, { ETag: '"one"' }), (response) =>
      response.writeHead(304).end(),
    );
    const first = await readCatalog(at(server.url), '', undefined);

    const second = await readCatalog(at(server.url), '', first?.version);

    assert.equal(second, undefined);
    assert.equal(server.seen[0]?.headers['If-None-Match'], undefined);
    assert.equal(server.seen[1]?.headers['If-None-Match'], '"one"');
  });

  it('is read page by page to the last one', async (t) => {
    const page = (id: string, next?: string): Answer => body(JSON.stringify({ inventory: [{ id }], next }), JSON_TYPE);
    const server = await servePortal(t, page('a', 'to b&c'), page('b', 'last'), page('c'));

    const list = await readCatalog(at(`${server.url}/items`), '', undefined);

    assert.deepEqual(list, { items: [{ id: 'a' }, { id: 'b' }, { id: 'c' }], version: undefined });
    assert.deepEqual(
      server.seen.map(({ path }) => path),
      ['/items', '/items?cursor=to+b%26c', '/items?cursor=last'],
    );
  });

  it('of a vendor is requested with the name as one path segment', async (t) => {
    const server = await servePortal(t, body('[]', JSON_TYPE));

    await readCatalog(at(`${server.url}/items/{vendor}/list`), 'a/../b?c', undefined);

    assert.equal(server.seen[0]?.path, '/items/a%2F..%2Fb%3Fc/list');
    for (const vendor of ['.', '..']) {
      await assert.rejects(readCatalog(at(`${server.url}/{vendor}/list`), vendor, undefined), InvalidCatalog);
    }
  });

  const bad: readonly (readonly [what: string, answer: Answer, error: RegExp])[] = [
    ['an HTML page', body('<h1>Welcome</h1>', 'text/html'), /not JSON/],
    ['another shape', body('{"items":[]}', JSON_TYPE), /another shape/],
    ['an invalid id', body('[{"id":"kayak"},{"id":""}]', JSON_TYPE), /another shape, at .*1 to 200/],
    [
      'a label that is too long',
      body(JSON.stringify([{ id: 'a', label: 'x'.repeat(501) }]), JSON_TYPE),
      /another shape/,
    ],
    ['nothing but brackets', body('['.repeat(16 * 1024 * 1024 - 1), JSON_TYPE), /nested too deep/],
    ['numbers in place of items', body(`[${'0,'.repeat(4_000_000)}0]`, JSON_TYPE), /more than 50000 items/],
    ['too many items', body(JSON.stringify(Array(50_001).fill({ id: 'a' })), JSON_TYPE), /more than 50000 items/],
    ['bytes that are no UTF-8', body(Buffer.from([0x22, 0xff, 0x22]), JSON_TYPE), /not valid/],
    ['a page that names itself as the next', body('{"inventory":[],"next":"x"}', JSON_TYPE), /itself/],
    ['a truncated response', cutShort, /connection was cut/],
    ['an error', status(500), /answered 500/],
    ['a redirect', status(302, { Location: 'http://127.0.0.1:1/' }), /answered 302/],
    ['a 304 without an ETag in the request', (response) => response.writeHead(304).end(), /answered 304/],
  ];
  for (const [what, answer, error] of bad) {
    it(`is rejected with ${what}`, async (t) => {
      const server = await servePortal(t, answer);

      await assert.rejects(readCatalog(at(server.url), '', undefined), error);
    });
  }

  it('that cannot be reached is rejected with the cause', async () => {
    const address = DEAD_ADDRESS;

    await assert.rejects(readCatalog(at(address), '', undefined), {
      message: 'ECONNREFUSED: nothing listens at this address',
    });
  });

  it('without an end is read up to the size limit', async (t) => {
    let stop: () => void = () => undefined;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    const server = await servePortal(t, endless(stop));

    await assert.rejects(readCatalog(at(server.url), '', undefined), /more than 16777216 bytes/);
    await stopped;
  });
});

describe('an item catalog in a file', () => {
  it('is read, and read again only after a change', async () => {
    const location = settingFile('[{"id":"kayak"}]');
    const file = { kind: 'file', location, byVendor: false } as const;
    const first = await readCatalog(file, '', undefined);
    const second = await readCatalog(file, '', first?.version);
    writeFileSync(location, '[{"id":"kayak"},{"id":"sauna"}]');

    const third = await readCatalog(file, '', first?.version);

    assert.deepEqual([first?.items.length, second, third?.items.length], [1, undefined, 2]);
  });

  it('is read again if it was replaced by a file of the same size and time', async () => {
    const location = settingFile('[{"id":"kayak"}]');
    const other = settingFile('[{"id":"sauna"}]');
    for (const path of [location, other]) utimesSync(path, 1, 1);
    const file = { kind: 'file', location, byVendor: false } as const;
    const first = await readCatalog(file, '', undefined);
    renameSync(other, location);

    const second = await readCatalog(file, '', first?.version);

    assert.deepEqual(second?.items, [{ id: 'sauna' }]);
  });

  it('of a vendor cannot be outside the folder, whatever the name of the vendor', async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'secret.json'), '[{"id":"secret"}]');
    const location = join(folder, 'lists', '{vendor}.json');

    await assert.rejects(readCatalog({ kind: 'file', location, byVendor: true }, '../secret', undefined), /ENOENT/);
  });

  it('has no next page', async () => {
    const location = settingFile('{"inventory":[],"next":"x"}');

    await assert.rejects(readCatalog({ kind: 'file', location, byVendor: false }, '', undefined), /no next page/);
  });
});
