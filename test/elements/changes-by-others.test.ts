import { expect } from '@open-wc/testing';
import '../../src/index.js';
import type { InventoryEditor } from '../../src/elements/inventory-editor/inventory-editor.js';
import { afterThisTest } from '../client/clean-up.js';
import { BOAT, CABIN, KAYAK } from '../client/items.js';
import { pretendProxy, type PretendProxy } from '../client/pretend-proxy.js';
import { until } from '../client/until.js';
import { row, said, workingEditor } from './editor-page.js';

const ITEMS = [
  { id: KAYAK, label: 'Kayak tour', available: true },
  { id: BOAT, label: 'Boat tour', available: true },
  { id: CABIN, label: 'Cabin', available: true },
];

/** An editor that hears of changes as they happen. */
async function listeningEditor(proxy: PretendProxy): Promise<InventoryEditor> {
  const editor = await workingEditor(proxy, ITEMS, { saveMode: 'auto' });
  await until(() => proxy.streams === 1, 'it listens');
  return editor;
}

/** All that is said from now on, to who cannot see. */
function record(editor: InventoryEditor): string[] {
  const heard: string[] = [];
  const observer = new MutationObserver(() => {
    if (said(editor) !== '') heard.push(said(editor));
  });
  const region = editor.renderRoot.querySelector('.said');
  if (region === null) throw new Error('nothing can be said');
  observer.observe(region, { childList: true, characterData: true, subtree: true });
  afterThisTest(() => {
    observer.disconnect();
  });
  return heard;
}

/** An answer of the pretended network is drawn in the next one. */
async function frames(count: number): Promise<void> {
  for (let frame = 0; frame < count; frame += 1) await new Promise(requestAnimationFrame);
}

function press(target: Element, name: string): void {
  target.dispatchEvent(new PointerEvent(name, { bubbles: true, composed: true }));
}

describe('what somebody else changes while the list is open', () => {
  it('is said once, with who, what and to which value', async () => {
    const proxy = pretendProxy();
    const editor = await listeningEditor(proxy);
    const heard = record(editor);

    proxy.takeFromElsewhere(KAYAK, false, 'received', 'Ben');
    await until(() => heard.length === 1, 'it is said');
    // The same word, one step further, and then another word.
    proxy.knows({ id: KAYAK, available: false, state: 'delivered', by: 'Ben' });
    proxy.takeFromElsewhere(BOAT, false, 'delivered', 'Carla');
    await until(() => heard.length === 2, 'the next one is said');

    expect(heard.map((text) => text.replace(/[\u2068\u2069]/g, ''))).to.deep.equal([
      'Ben set Kayak tour unavailable.',
      'Carla set Boat tour unavailable.',
    ]);
    expect(row(editor, KAYAK).value).to.equal('off');
  });

  it('is said in one sentence where much comes at once', async () => {
    const proxy = pretendProxy();
    const editor = await listeningEditor(proxy);
    const heard = record(editor);

    for (const id of [KAYAK, BOAT, CABIN]) proxy.takeFromElsewhere(id, false, 'delivered', 'Ben');

    await until(() => heard.length === 1, 'it is said');
    expect(heard).to.deep.equal(['Others changed 3 items.']);
  });

  it('is not said of what was so when the page came, nor of what the person does', async () => {
    const proxy = pretendProxy();
    proxy.portal = 'swift';
    proxy.knows({ id: BOAT, available: false, by: 'Ben' });
    const editor = await listeningEditor(proxy);
    const heard = record(editor);

    row(editor, CABIN).control.click();
    await until(() => row(editor, CABIN).status.includes('On the portal'), 'it is on the portal');
    proxy.takeFromElsewhere(KAYAK, false, 'delivered', 'Carla');
    await until(() => heard.some((text) => text.includes('Carla')), 'the change is said');

    expect(heard.filter((text) => /Ben|Others/.test(text))).to.deep.equal([]);
  });

  it('waits until a hand is off the page, so that the press means what the person saw', async () => {
    const proxy = pretendProxy();
    const editor = await listeningEditor(proxy);
    const { control } = row(editor, KAYAK);
    const asked = proxy.heardOn('GET v1/inventory').length;

    press(control, 'pointerdown');
    proxy.takeFromElsewhere(KAYAK, false, 'delivered', 'Ben');
    const release = proxy.holdAnswers('GET v1/inventory');
    await until(() => proxy.heardOn('GET v1/inventory').length > asked, 'the change is asked for');
    release();
    await frames(10);
    proxy.takeFromElsewhere(BOAT, false, 'delivered', 'Ben');
    const before = row(editor, KAYAK).value;
    press(control, 'pointerup');
    control.click();
    await until(() => proxy.sent.length === 1, 'the edit is sent');
    await until(() => row(editor, BOAT).value === 'off', 'what others changed is shown');

    expect(before).to.equal('on');
    expect(proxy.sent.map(({ id, available }) => [id, available])).to.deep.equal([[KAYAK, false]]);
  });

  it('is shown in the end though a hand rests on the page', async () => {
    const proxy = pretendProxy();
    const editor = await listeningEditor(proxy);

    press(row(editor, KAYAK).control, 'pointerdown');
    proxy.takeFromElsewhere(KAYAK, false, 'delivered', 'Ben');

    await until(() => row(editor, KAYAK).value === 'off', 'it is shown');
  });
});
