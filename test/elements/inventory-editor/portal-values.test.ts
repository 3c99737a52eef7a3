import { expect, fixture, html } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import type { Timestamp } from '../../../src/domain/item.js';
import { afterThisTest } from '../../client/support/clean-up.js';
import { BOAT, KAYAK } from '../../client/support/items.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { dialog, row, untilStatus, workingEditor } from '../support/editor-page.js';

const ITEMS = [
  { id: KAYAK, label: 'Kayak tour' },
  { id: BOAT, label: 'Boat tour' },
];
const AT = '2026-11-21T08:30:00.000Z' as Timestamp;

describe("a value of the portal's own list", () => {
  it('is shown as live on the portal without an edit', async () => {
    const proxy = fakeProxy();
    proxy.lists({ id: KAYAK, available: true, updated_at: AT, on_portal: 'listed' });
    const items = [{ id: KAYAK, label: 'Kayak tour', available: false }];

    const editor = await fixture<InventoryEditor>(
      html`<inventory-editor proxy=${proxy.url} .items=${items}></inventory-editor>`,
    );

    await untilStatus(editor, KAYAK, 'Live on the portal');
    expect(row(editor, KAYAK).shown).to.include({ value: 'on' });
  });

  it('is shown as changed on the portal if it differs from the delivered value', async () => {
    const proxy = fakeProxy();
    proxy.lists({ id: KAYAK, available: false, updated_at: AT, on_portal: 'changed' });

    const editor = await fixture<InventoryEditor>(html`<inventory-editor proxy=${proxy.url}></inventory-editor>`);

    await untilStatus(editor, KAYAK, 'Changed on the portal');
    expect(row(editor, KAYAK).shown).to.include({ value: 'off' });
  });
});

describe('the value that guests see', () => {
  it('is shown beside a refused edit', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const editor = await workingEditor(proxy, ITEMS, { saveMode: 'auto' });
    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Sent, the portal confirms soon. Guests see now: “Available”.');

    proxy.settle(KAYAK, 'refused', { reason: 'item_refused', portal_available: true });

    await untilStatus(editor, KAYAK, 'send it again. Guests see now: “Available”.');
    expect(row(editor, KAYAK).value).to.equal('off');
  });

  for (const { what, told } of [
    { what: 'refused', told: { state: 'refused', reason: 'item_refused' } },
    { what: 'held up', told: { state: 'received', reason: 'portal_unreachable', delayed: true } },
    { what: 'in conflict', told: { state: 'conflict' } },
  ] as const) {
    it(`is shown in the row and in the details of an edit that was ${what} before the page was opened`, async () => {
      const proxy = fakeProxy();
      proxy.knows({ id: KAYAK, available: false, portal_available: true, ...told });
      const editor = await workingEditor(proxy, ITEMS);

      await untilStatus(editor, KAYAK, 'Guests see now: “Available”.');
      row(editor, KAYAK).part('.name').click();
      const inside = await dialog(editor);

      expect(inside.textContent.replace(/\s+/g, ' ')).to.include('Guests see now: “Available”.');
    });
  }

  it('is not shown if it is the chosen one, or is uncertain', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: false, state: 'refused', reason: 'item_refused', portal_available: false });
    proxy.knows({ id: BOAT, available: false, state: 'refused', reason: 'item_refused' });
    const editor = await workingEditor(proxy, ITEMS);

    await untilStatus(editor, KAYAK, 'send it again.');

    expect([KAYAK, BOAT].map((id) => row(editor, id).status.includes('Guests'))).to.deep.equal([false, false]);
  });

  it('is shown for an edit that waits on this device', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const editor = await workingEditor(proxy, ITEMS, { saveMode: 'auto' });
    await untilStatus(editor, KAYAK, 'Live on the portal');
    proxy.down = true;

    row(editor, KAYAK).control.click();

    await untilStatus(editor, KAYAK, 'Guests see now: “Available”.');
    expect(proxy.accepted).to.have.length(0);
  });

  for (const language of ['de', 'hi', 'ar']) {
    it(`is shown completely on a phone (${language})`, async () => {
      await setViewport({ width: 375, height: 700 });
      afterThisTest(() => setViewport({ width: 800, height: 600 }));
      const proxy = fakeProxy();
      proxy.knows({ id: KAYAK, available: false, state: 'refused', reason: 'item_refused', portal_available: true });
      const editor = await workingEditor(proxy, ITEMS, { lang: language, dir: language === 'ar' ? 'rtl' : 'ltr' });
      const guests = { de: 'Gäste', hi: 'मेहमानों', ar: 'الضيوف' }[language] ?? '';
      await untilStatus(editor, KAYAK, guests);

      const { node } = row(editor, KAYAK);
      const text = node.querySelector('.truth span')!.getBoundingClientRect();
      const inside = (): boolean => {
        const box = node.getBoundingClientRect();
        return text.bottom <= box.bottom + 1 && text.left >= box.left && text.right <= box.right;
      };

      await until(inside, 'the text is inside of its row');
      expect(node.scrollHeight).to.be.at.most(node.clientHeight + 1);
    });
  }
});
