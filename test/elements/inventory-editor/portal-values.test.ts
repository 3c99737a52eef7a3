import { expect, fixture, html } from '@open-wc/testing';
import '../../../src/index.js';
import type { InventoryEditor } from '../../../src/index.js';
import type { Timestamp } from '../../../src/domain/item.js';
import { KAYAK } from '../../client/support/items.js';
import { pretendProxy } from '../../client/support/pretend-proxy.js';
import { row, untilStatus } from '../support/editor-page.js';

const AT = '2026-11-21T08:30:00.000Z' as Timestamp;

describe("a value of the portal's own list", () => {
  it('is live on the portal, and said to be, though nobody has changed it here', async () => {
    const proxy = pretendProxy();
    proxy.lists({ id: KAYAK, available: true, updated_at: AT, on_portal: 'listed' });
    const items = [{ id: KAYAK, label: 'Kayak tour', available: false }];

    const editor = await fixture<InventoryEditor>(
      html`<inventory-editor proxy=${proxy.url} .items=${items}></inventory-editor>`,
    );

    await untilStatus(editor, KAYAK, 'Live on the portal');
    expect(row(editor, KAYAK).shown).to.include({ value: 'on' });
  });

  it('says that it was changed there after it was delivered', async () => {
    const proxy = pretendProxy();
    proxy.lists({ id: KAYAK, available: false, updated_at: AT, on_portal: 'changed' });

    const editor = await fixture<InventoryEditor>(html`<inventory-editor proxy=${proxy.url}></inventory-editor>`);

    await untilStatus(editor, KAYAK, 'Changed on the portal');
    expect(row(editor, KAYAK).shown).to.include({ value: 'off' });
  });
});
