import { expect } from '@open-wc/testing';
import { promisifyRequest } from 'idb-keyval';
import { ClosureTable } from '../../../src/client/storage/closure-table.js';
import { ViewTable } from '../../../src/client/storage/view-table.js';
import { DraftTable } from '../../../src/client/storage/draft-table.js';
import { newEditId } from '../../../src/client/storage/edit-id.js';
import { EditTable } from '../../../src/client/storage/edit-table.js';
import { isOrphaned, isProvisional, toOwner } from '../../../src/client/storage/queue-owner.js';
import { hearWarnings } from '../support/console-warnings.js';
import { openDatabase } from '../support/database.js';
import { BOAT, KAYAK } from '../support/items.js';
import { openReadyStore, untilTruth } from '../support/open-store.js';
import { ownersAtNewProxy } from '../support/owners.js';
import { ANNA, fakeProxy } from '../support/fake-proxy.js';

const WRITTEN = new Date(0).toISOString();
const ROWS: Readonly<Record<string, object>> = {
  'is of nobody’s edit': { id: 'x', available: true, updated_at: WRITTEN, stage: 'stored' },
  'has nothing but an owner': {},
  'is of no item': { edit_id: 'e1', available: true, updated_at: WRITTEN, stage: 'stored' },
  'has no value': { edit_id: 'e1', id: 'x', updated_at: WRITTEN, stage: 'stored' },
  'is in a stage that there is not': { edit_id: 'e1', id: 'x', available: true, updated_at: WRITTEN, stage: 'odd' },
};

/** Writes as any script of the page's origin can. */
async function writeForeign(name: string, table: string, value: unknown, key?: IDBValidKey): Promise<void> {
  const database = await openDatabase(name);
  await promisifyRequest(database.transaction(table, 'readwrite').objectStore(table).put(value, key));
  database.close();
}

describe('a row that another script has written into the queue', () => {
  for (const [what, row] of Object.entries(ROWS)) {
    it(`keeps no edit of the person back, though it ${what}`, async () => {
      const proxy = fakeProxy();
      const owner = toOwner(proxy.url, ANNA);
      await new EditTable().all(owner);
      const warnings = hearWarnings();
      await writeForeign('vendor-inventory', 'edits', { owner, ...row });

      const { store, queue } = await openReadyStore(proxy);
      await store.set(KAYAK, false);

      await untilTruth(store, KAYAK, 'received');
      expect(store.snapshot.status).to.equal('ready');
      expect(queue.known.map(({ id }) => id)).not.to.include('x');
      expect(warnings.filter((warning) => warning.includes('left out what was stored in edits')).length).to.be.below(2);
    });
  }

  it('is not deleted or changed by a change of all rows', async () => {
    const { anna } = ownersAtNewProxy();
    const db = new EditTable();
    await db.all(anna);
    await writeForeign('vendor-inventory', 'edits', { owner: anna, id: 'x' });

    const changed = await db.change(anna, undefined, () => undefined);

    const database = await openDatabase('vendor-inventory');
    const rows = await promisifyRequest(database.transaction('edits').objectStore('edits').index('owner').getAll(anna));
    database.close();
    expect([changed, rows.length]).to.deep.equal([[], 1]);
  });

  for (const [what, more] of [
    ['a BigInt', { more: 1n }],
    ['a circle', circle()],
  ] as const) {
    it(`is sent without ${what} beside its own fields`, async () => {
      const proxy = fakeProxy();
      const owner = toOwner(proxy.url, ANNA);
      await new EditTable().all(owner);
      const row = { id: BOAT, available: true, updated_at: WRITTEN, stage: 'stored', edit_id: newEditId(), owner };
      await writeForeign('vendor-inventory', 'edits', { ...row, ...more });

      const { store } = await openReadyStore(proxy);

      await untilTruth(store, BOAT, 'received');
    });
  }
});

describe('a row that another script has written beside drafts', () => {
  it('hides none of the offered drafts, and is reported', async () => {
    const { anna } = ownersAtNewProxy();
    const db = new DraftTable();
    const draft = { id: KAYAK, available: true, base: false, stamp: 1 };
    await db.write(anna, 'page', 7, [draft], []);
    const warnings = hearWarnings();
    for (const [value, key] of [
      [{ id: 'bad' }, [anna, 'page', 'a-bad-one']],
      [1n, [anna, 'page', 'zzz']],
    ] as const)
      await writeForeign('vendor-inventory-drafts', 'drafts', value, [...key]);
    for (const [value, key] of [
      ['soon', [anna, 'other-page']],
      [3, [anna, 'page', 'more']],
      [3, 'a word'],
    ] as const)
      await writeForeign('vendor-inventory-drafts', 'pages', value, typeof key === 'string' ? key : [...key]);

    const [page, ...others] = await db.pages(anna);
    const found = [];
    for await (const chunk of db.drafts(anna, 'page')) found.push(...chunk);

    expect([page?.page, page?.at, others]).to.deep.equal(['page', 7, []]);
    expect(found).to.deep.equal([draft]);
    expect((await db.owners()).has(anna)).to.equal(true);
    expect(warnings.join()).to.include('left out what was stored in drafts/available: expected boolean');
  });

  it('belongs to no person, if the name of its owner is not valid', () => {
    const { anna } = ownersAtNewProxy();

    for (const name of ['a word', '7', 'null', '["x"]', '[1, "tab"]'])
      expect([isProvisional(name), isOrphaned(name, anna)]).to.deep.equal([false, false]);
  });
});

describe('a value that another script has written in place of a saved closure', () => {
  it('is ignored, and is replaced by a saved closure', async () => {
    const { anna } = ownersAtNewProxy();
    const db = new ClosureTable();
    await db.read(anna);
    await writeForeign('vendor-inventory-closings', 'closings', { at: 'noon', ids: [7] }, anna);

    const before = await db.read(anna);
    await db.change(anna, (there) => there ?? { at: 7, ids: [KAYAK] });

    expect(before).to.equal(undefined);
    expect(await db.read(anna)).to.deep.equal({ at: 7, ids: [KAYAK] });
  });
});

describe('a value that another script has written in place of a saved view', () => {
  it('is ignored, and is replaced by a saved view', async () => {
    const { anna, ben } = ownersAtNewProxy();
    const view = { sort: 'group', isReversed: false, group: 'Tours', collapsed: ['Rooms'] } as const;
    const db = new ViewTable();
    await db.read(anna, '/admin#');
    await writeForeign('vendor-inventory-views', 'views', { ...view, sort: 'price' }, [anna, '/admin#']);

    const before = await db.read(anna, '/admin#');
    await db.write(anna, '/admin#', view);
    await db.write(ben, '/admin#', view);
    const after = await db.read(anna, '/admin#');
    await db.remove(anna);

    expect([before, after]).to.deep.equal([undefined, view]);
    expect(await db.read(anna, '/admin#')).to.equal(undefined);
    expect(await db.read(ben, '/admin#')).to.deep.equal(view);
  });
});

function circle(): object {
  const round: { self?: unknown } = {};
  round.self = round;
  return round;
}
