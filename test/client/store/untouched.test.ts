import { expect } from '@open-wc/testing';
import { setMany } from '../../../src/client/editor/bulk-edit.js';
import fc from 'fast-check';
import type { ItemId } from '../../../src/domain/item.js';
import { BOAT, CABIN, itemId, KAYAK } from '../support/items.js';
import { openReadyStore, untilStatus } from '../support/open-store.js';
import { fakeProxy } from '../support/fake-proxy.js';
import { tryInBrowser } from '../support/try-in-browser.js';
import { until } from '../support/until.js';

const ITEMS = [KAYAK, BOAT, CABIN, itemId('sauna'), itemId('pottery')];
/** The values that the proxy has at the start. Other items have none. */
const KNOWN = new Map<ItemId, boolean>([
  [KAYAK, true],
  [BOAT, false],
  [CABIN, true],
]);

type Step =
  | { readonly kind: 'set' | 'flip there and back' | 'discard'; readonly item: ItemId; readonly to: boolean }
  | { readonly kind: 'set many'; readonly items: readonly ItemId[]; readonly to: boolean }
  | { readonly kind: 'refresh' | 'go offline' | 'come back' };

const item = fc.constantFrom(...ITEMS);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('set' as const, 'flip there and back' as const, 'discard' as const),
    item,
    to: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('set many' as const), items: fc.uniqueArray(item), to: fc.boolean() }),
  fc.record({ kind: fc.constantFrom('refresh' as const, 'go offline' as const, 'come back' as const) }),
);

/** Resending untouched items would undo sales that were made elsewhere. */
describe('any sequence of actions of a person', () => {
  it('sends no item that the person did not touch, and leaves the proxy with their newest values', async () => {
    await tryInBrowser(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const proxy = fakeProxy();
        for (const [id, available] of KNOWN) proxy.knows({ id, available });
        proxy.portal = 'swift';
        const { store, close } = await openReadyStore(proxy);
        const touched = new Set<ItemId>();

        for (const next of steps) {
          switch (next.kind) {
            case 'set':
              touched.add(next.item);
              await store.set(next.item, next.to);
              break;
            case 'flip there and back':
              touched.add(next.item);
              await Promise.all([store.set(next.item, next.to), store.set(next.item, !next.to)]);
              break;
            case 'discard':
              await store.discard(next.item);
              break;
            case 'set many':
              for (const id of next.items) touched.add(id);
              await setMany(
                store,
                next.items.map((id) => ({ id, available: next.to })),
              );
              break;
            case 'refresh':
              await store.refresh();
              break;
            case 'go offline':
            case 'come back':
              proxy.down = next.kind === 'go offline';
          }
        }
        proxy.down = false;
        await store.refresh();
        await untilStatus(store, 'ready');
        await until(() => store.snapshot.openCount === 0, 'all is on the portal');
        const wanted = new Map(ITEMS.map((id) => [id, store.view(id).available]));
        close();

        const sent = new Set(proxy.sent.map(({ id }) => id));
        expect([...sent].filter((id) => !touched.has(id))).to.deep.equal([]);
        for (const id of ITEMS) {
          const last = proxy.accepted.filter((edit) => edit.id === id).at(-1);
          expect(last?.available ?? KNOWN.get(id), id).to.equal(wanted.get(id));
        }
      }),
      20,
    );
  }).timeout(60_000);
});
