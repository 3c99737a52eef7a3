import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { mayRepeat, namesOf } from '../../../src/proxy/names.js';
import { NameTable } from '../../../src/proxy/node/sqlite-parcel-names.js';

const step = fc.oneof(
  fc.record({ do: fc.constant('add' as const), names: fc.uniqueArray(fc.nat(5000), { minLength: 1, maxLength: 400 }) }),
  fc.record({ do: fc.constant('take' as const), nth: fc.nat(20) }),
  fc.record({ do: fc.constant('clear' as const) }),
);

describe('the names of parcels', () => {
  it('lead to the parcel that has them, whatever was added, taken out and cleared before', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const parcels = new Map<number, readonly number[]>();
        const table = new NameTable((parcel) => parcels.has(parcel));
        let last = 0;
        for (const taken of steps) {
          if (taken.do === 'clear') {
            parcels.clear();
            table.clear();
          } else if (taken.do === 'take') parcels.delete([...parcels.keys()][taken.nth] ?? 0);
          else {
            const names = taken.names.map((name) => `item-${String(name)}`);
            for (const parcel of table.find(namesOf({ items: names }))) parcels.delete(parcel);
            last += 1;
            parcels.set(last, taken.names);
            table.add(namesOf({ items: names }), last);
          }
        }

        for (const [parcel, names] of parcels) {
          for (const name of names) {
            assert.deepEqual([...table.find(namesOf({ items: [`item-${String(name)}`] }))], [parcel]);
          }
        }
        assert.deepEqual([...table.find(namesOf({ items: ['nobody'], edits: ['item-1'] }))], []);
      }),
      { numRuns: 60 },
    );
  });

  it('lead to each of the parcels that have one of them, until it is taken out', () => {
    const parcels = new Set([1, 2, 3]);
    const table = new NameTable((parcel) => parcels.has(parcel));
    const names = namesOf({ items: ['boat-1'] });
    for (const parcel of [1, 2, 2, 3]) table.add(names, parcel);
    const all = [...table.find(names)];

    parcels.delete(2);

    assert.deepEqual(
      [all, [...table.find(names)]],
      [
        [1, 2, 3],
        [1, 3],
      ],
    );
  });

  it('lead to the few that are left of very many', () => {
    const namesFor = (parcel: number): ReturnType<typeof namesOf> =>
      namesOf({ items: Array.from({ length: 1000 }, (_, at) => `tour-${String(parcel)}-${String(at)}`) });
    const stays = (parcel: number): boolean => parcel % 50 === 0;
    const parcels = new Set<number>();
    const table = new NameTable((parcel) => parcels.has(parcel));
    for (let parcel = 1; parcel <= 3000; parcel += 1) {
      parcels.add(parcel);
      table.add(namesFor(parcel), parcel);
      if (!stays(parcel - 1)) parcels.delete(parcel - 1);
    }

    for (const parcel of [1, 50, 1000, 2950, 2999, 3000]) {
      assert.deepEqual([...table.find(namesFor(parcel))], stays(parcel) ? [parcel] : []);
    }
  });

  it('have other hashes in another process, and the same in each copy of the module', async () => {
    const items = ['boat-1', 'boat-2'];
    const copy = (await import(`${import.meta.resolve('../../../src/proxy/names.js')}?copy`)) as {
      namesOf: typeof namesOf;
    };
    const source = `import { namesOf } from ${JSON.stringify(import.meta.resolve('../../../src/proxy/names.js'))};
      console.log(JSON.stringify([...namesOf({ items: ${JSON.stringify(items)} })]));`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--import',
      'tsx',
      '--input-type=module',
      '-e',
      source,
    ]);

    const elsewhere = JSON.parse(stdout) as number[];

    assert.deepEqual(copy.namesOf({ items }), namesOf({ items }));
    namesOf({ items }).forEach((hash, at) => {
      assert.notEqual(hash, elsewhere[at]);
    });
  });

  it('tell items, edits and keys of the same words apart', () => {
    const table = new NameTable(() => true);
    table.add(namesOf({ items: ['x'] }), 1);
    table.add(namesOf({ edits: ['x'] }), 2);
    table.add(namesOf({ key: { vendor: 'x', subject: 'x', key: 'x' } }), 3);

    const found = [
      table.find(namesOf({ items: ['x'] })),
      table.find(namesOf({ edits: ['x'] })),
      table.find(namesOf({ key: { vendor: 'x', subject: 'x', key: 'x' } })),
      table.find(namesOf({ key: { vendor: 'x', subject: 'y', key: 'x' } })),
    ];

    assert.deepEqual(
      found.map((parcels) => [...parcels]),
      [[1], [2], [3], []],
    );
  });

  it('may repeat wherever one is there twice, and else hardly ever', () => {
    let wrong = 0;
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 3 }), { maxLength: 200 }), (items) => {
        const repeats = new Set(items).size < items.length;
        const may = mayRepeat(namesOf({ items, edits: items.slice(0, 0) }));
        if (repeats) assert.ok(may, JSON.stringify(items));
        else if (may) wrong += 1;
      }),
      { numRuns: 1000 },
    );

    assert.ok(wrong < 5, String(wrong));
  });

  it('are as good as never the same', () => {
    const names = namesOf({ items: Array.from({ length: 200_000 }, (_, at) => `tour-${String(at)}`) });

    const pairs = new Set<string>();
    for (let at = 0; at < names.length; at += 2) pairs.add(`${String(names[at])} ${String(names[at + 1])}`);

    assert.equal(pairs.size, 200_000);
  });
});
