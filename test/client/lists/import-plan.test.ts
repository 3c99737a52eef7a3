import { expect } from '@open-wc/testing';
import { toImportTarget, applyImport } from '../../../src/client/lists/apply-import.js';
import { exportRows } from '../../../src/client/lists/export-list.js';
import { type ImportOptions, planImport } from '../../../src/client/lists/import-plan.js';
import { ItemDraft } from '../../../src/client/editor/draft.js';
import { ItemList } from '../../../src/client/editor/item-list.js';
import type { ItemId } from '../../../src/domain/item.js';
import { afterThisTest } from '../support/clean-up.js';
import { NO_HOST } from '../support/no-host.js';
import { FakeScheduler } from '../support/fake-scheduler.js';
import { FakeStore } from '../support/fake-store.js';

const GERMAN = { language: 'de', yes: ['ja', 'wahr'], no: ['nein', 'falsch'] };
const ENGLISH = { language: 'en', yes: [], no: [] };
const HEADS = { id: [], available: [] };

/** A table in which the kayak is available, the cabin is unavailable and the boat has no value. */
function open(mode: 'manual' | 'auto' = 'manual', confirmChange = NO_HOST.confirmChange) {
  const store = new FakeStore();
  const pace = new FakeScheduler();
  const entries = [
    { id: 'kayak', available: true, label: '=Kayak', group: 'Tours' },
    { id: 'cabin', available: false },
    { id: 'boat' },
  ];
  const table = new ItemList(store, entries, () => undefined, pace);
  const draft = new ItemDraft(table, store, { ...NO_HOST, mode, confirmChange });
  afterThisTest(() => {
    draft.close();
    table.close();
  });
  pace.runAll();
  const plan = (text: string, options: Partial<ImportOptions> = {}) =>
    planImport(text, toImportTarget(table), { ...ENGLISH, heads: HEADS, ...options });
  const values = (): Record<string, boolean | undefined> => {
    const shown: Record<string, boolean | undefined> = {};
    for (let itemIndex = 0; itemIndex < table.size; itemIndex += 1) {
      const row = table.row(itemIndex);
      if (row !== undefined) shown[row.view.id] = row.draft ?? row.view.available;
    }
    return shown;
  };
  return { store, table, draft, plan, values };
}

async function verdicts(text: string, options?: Partial<ImportOptions>): Promise<unknown[]> {
  const { lines } = await open().plan(text, options);
  return lines.map(({ line, id, verdict, fault }) =>
    fault === undefined ? [line, id, verdict] : [line, id, fault.reason, fault.column],
  );
}

describe('the check of an imported list', () => {
  it('returns for each line whether it is new, changed or the same', async () => {
    expect(await verdicts('id,available\nkayak,yes\ncabin,yes\nboat,no\ncanoe,no')).to.deep.equal([
      [2, 'kayak', 'same'],
      [3, 'cabin', 'changed'],
      [4, 'boat', 'changed'],
      [5, 'canoe', 'new'],
    ]);
  });

  it('refuses a bad line and names its bad cell', async () => {
    const long = 'x'.repeat(201);

    expect(await verdicts(`kayak,perhaps\n${long},yes\n,yes\ncabin,yes\ncabin,no\nboat,"no`)).to.deep.equal([
      [1, 'kayak', 'value', 2],
      [2, long, 'id', 1],
      [3, '', 'id', 1],
      [4, 'cabin', 'changed'],
      [5, 'cabin', 'repeated', 1],
      [6, 'boat', 'malformed', 2],
    ]);
  });

  it('refuses items that the person may not change', async () => {
    const { store, plan } = open();
    store.locked.add('cabin' as ItemId);

    const { lines } = await plan('cabin,yes');

    expect(lines[0]?.fault).to.deep.equal({ reason: 'locked', column: 1 });
  });

  it('finds the columns by their headers, in any order and in the language of the person', async () => {
    const text = 'Name;Verfügbarkeit;Kennung\nKajak;NEIN;kayak\nHütte;wahr;cabin';

    const found = await verdicts(text, { ...GERMAN, heads: { id: ['Kennung'], available: ['Verfügbarkeit'] } });

    expect(found).to.deep.equal([
      [2, 'kayak', 'changed'],
      [3, 'cabin', 'changed'],
    ]);
  });

  it('treats an item with the id “id” as an item', async () => {
    expect(await verdicts('id,yes\nkayak,yes')).to.deep.equal([
      [1, 'id', 'new'],
      [2, 'kayak', 'same'],
    ]);
  });

  it('reads English headers and values in a Turkish locale', async () => {
    expect(await verdicts('ID,AVAILABLE\ncabin,AVAILABLE', { language: 'tr' })).to.deep.equal([
      [2, 'cabin', 'changed'],
    ]);
  });

  it('only adds items without a value, or gives them the value that the person chose', async () => {
    expect(await verdicts('kayak\ncanoe')).to.deep.equal([
      [1, 'kayak', 'same'],
      [2, 'canoe', 'new'],
    ]);
    expect(await verdicts('kayak\ncanoe', { otherwise: false })).to.deep.equal([
      [1, 'kayak', 'changed'],
      [2, 'canoe', 'new'],
    ]);
  });

  it('reads 100,000 lines in slices, and reports its progress', async () => {
    const text = Array.from({ length: 100_000 }, (_, at) => `item-${String(at)},yes\n`).join('');
    const shares: number[] = [];
    let tasks = 0;
    const timer = setInterval(() => (tasks += 1), 1);
    afterThisTest(() => {
      clearInterval(timer);
    });

    const { counts } = await open().plan(text, { onProgress: (share) => shares.push(share) });

    expect(counts.new).to.equal(100_000);
    expect(shares).to.have.length(100);
    expect(shares).to.deep.equal([...shares].sort((a, b) => a - b));
    expect(tasks).to.be.greaterThan(3);
  });

  it('ends when the person cancels', async () => {
    const cancel = new AbortController();
    const text = Array.from({ length: 50_000 }, (_, at) => `item-${String(at)},yes\n`).join('');
    let last = 0;

    const plan = open().plan(text, {
      signal: cancel.signal,
      onProgress: (share) => {
        last = share;
        cancel.abort();
      },
    });

    expect(await plan.catch((error: unknown) => error)).to.equal(cancel.signal.reason);
    expect(last).to.be.lessThan(0.1);
  });
});

describe('an import', () => {
  it('is one step, which undo reverts', async () => {
    const { table, draft, plan, values } = open();

    const outcome = await applyImport(await plan('kayak,no\ncabin,yes\ncanoe,yes'), table, draft, () => true);

    expect(outcome).to.deep.equal({ added: 1, changed: 2, left: 0 });
    expect(values()).to.deep.equal({ kayak: false, cabin: true, boat: undefined, canoe: true });
    expect(await draft.undo()).to.deep.equal({ changed: 3, skipped: 0 });
    expect(values()).to.deep.equal({ kayak: true, cabin: false, boat: undefined, canoe: undefined });
    expect(draft.canUndo).to.equal(false);
  });

  it('is sent with the first save, new items too', async () => {
    const { store, table, draft, plan } = open();
    await applyImport(await plan('kayak,no\ncanoe,yes'), table, draft, () => true);

    await draft.save();

    expect(store.sent.map(({ id, available }) => [id, available])).to.deep.equal([
      ['kayak', false],
      ['canoe', true],
    ]);
  });

  it('asks the host once for each value, and skips what the host refuses', async () => {
    const { store, table, draft, plan } = open('auto');
    const asked: unknown[] = [];

    const outcome = await applyImport(
      await plan('kayak,no\ncabin,yes\nboat,yes'),
      table,
      draft,
      (ids, first, value) => {
        asked.push([[...ids], first, value]);
        return value;
      },
    );

    expect(asked).to.deep.equal([
      [['cabin', 'boat'], 'cabin', true],
      [['kayak'], 'kayak', false],
    ]);
    expect(outcome).to.deep.equal({ added: 0, changed: 2, left: 1 });
    expect(store.sent.map(({ id }) => id)).to.deep.equal(['cabin', 'boat']);
  });
});

describe('an export', () => {
  it('has the values that the person sees, and changes nothing when it is imported', async () => {
    const { table, draft, plan } = open();
    await draft.set(1, true);

    const text = exportRows(table, table.order);

    expect(text).to.equal(`\uFEFFid,available,label,group\r\nkayak,yes,"'=Kayak",Tours\r\ncabin,yes,,\r\nboat,,,\r\n`);
    expect((await plan(text)).counts).to.deep.equal({ new: 0, changed: 0, same: 3, refused: 0 });
  });
});
