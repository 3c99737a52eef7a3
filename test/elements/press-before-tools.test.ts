import { expect } from '@open-wc/testing';
import '../../src/index.js';
import { BOAT, KAYAK } from '../client/items.js';
import { BEN, pretendProxy } from '../client/pretend-proxy.js';
import { until } from '../client/until.js';
import { part, readyEditor, row, untilStatus } from './editor-page.js';

// Alone in its file: the part that takes presses must not be there yet.
describe('a press before the tools of the editor are there', () => {
  it('is nothing that the next person at this page has done', async () => {
    const proxy = pretendProxy();
    const items = [KAYAK, BOAT].map((id) => ({ id, available: true }));
    const editor = await readyEditor(proxy, items, { saveMode: 'auto' });
    row(editor, KAYAK).control.click();
    proxy.person = BEN;
    await editor.refresh();
    const wasEarly = part(editor, 'tools') === null;

    await until(() => part(editor, 'tools'), 'the tools are there');
    row(editor, BOAT).control.click();
    await untilStatus(editor, BOAT, 'Received');

    expect(wasEarly, 'pressed before').to.equal(true);
    expect(proxy.accepted.map(({ id }) => id)).to.deep.equal([BOAT]);
  });
});
