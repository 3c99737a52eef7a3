import { expect } from '@open-wc/testing';
import '../../../src/index.js';
import type { AvailabilityToggle } from '../../../src/elements/availability-toggle/availability-toggle.js';
import type { InventoryEditor } from '../../../src/elements/inventory-editor/inventory-editor.js';
import { afterThisTest } from '../../client/support/clean-up.js';
import { BOAT, CABIN, KAYAK } from '../../client/support/items.js';
import { fakeProxy, type FakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { row, workingEditor } from '../support/editor-page.js';
import { readyToggle, shown } from '../support/on-page.js';
import { TOURS } from '../support/tours.js';

/** An editor that hears of changes as they happen. */
async function listeningEditor(proxy: FakeProxy): Promise<InventoryEditor> {
  const editor = await workingEditor(proxy, TOURS, { saveMode: 'auto' });
  await until(() => proxy.streams === 1, 'it listens');
  return editor;
}

/** All that is said from now on, to who cannot see. */
function record(element: InventoryEditor | AvailabilityToggle): string[] {
  const region = element.renderRoot.querySelector('.live-region');
  if (region === null) throw new Error('nothing can be said');
  const heard: string[] = [];
  const observer = new MutationObserver(() => {
    const said = region.textContent.trim().replace(/[\u2068\u2069]/g, '');
    if (said !== '') heard.push(said);
  });
  observer.observe(region, { childList: true, characterData: true, subtree: true });
  afterThisTest(() => {
    observer.disconnect();
  });
  return heard;
}

/**
 * A hand stays on the page for ten frames: an answer of the fake network is drawn in the next one. Another finger comes down in
 * each, because updates wait for a hand only so long since it came down, and a frame may take long.
 */
async function restForTenFrames(): Promise<void> {
  for (let frame = 0; frame < 10; frame += 1) {
    press(document.body, 'pointerdown');
    await new Promise(requestAnimationFrame);
  }
}

function press(target: Element, name: string): void {
  target.dispatchEvent(new PointerEvent(name, { bubbles: true, composed: true }));
}

describe('a change by another person while the list is open', () => {
  it('is announced once, with the person, the item and the value', async () => {
    const proxy = fakeProxy();
    const editor = await listeningEditor(proxy);
    const heard = record(editor);

    proxy.takeFromElsewhere(KAYAK, false, 'received', 'Ben');
    await until(() => heard.length === 1, 'it is announced');
    // The same word, one step further, and then another word.
    proxy.knows({ id: KAYAK, available: false, state: 'delivered', by: 'Ben' });
    proxy.takeFromElsewhere(BOAT, false, 'delivered', 'Carla');
    await until(() => heard.length === 2, 'the next one is announced');

    expect(heard).to.deep.equal(['Ben set Kayak tour to “Not available”.', 'Carla set Boat tour to “Not available”.']);
    expect(row(editor, KAYAK).value).to.equal('off');
  });

  it('is announced in one sentence with other changes that arrive at the same time', async () => {
    const proxy = fakeProxy();
    const editor = await listeningEditor(proxy);
    const heard = record(editor);

    for (const id of [KAYAK, BOAT, CABIN]) proxy.takeFromElsewhere(id, false, 'delivered', 'Ben');

    await until(() => heard.length === 1, 'it is announced');
    expect(heard).to.deep.equal(['Others changed 3 items.']);
  });

  it('is announced by a toggle, and by only one element of a page', async () => {
    const proxy = fakeProxy();
    const kayak = await readyToggle(proxy, KAYAK);
    const boat = await readyToggle(proxy, BOAT);
    const editor = await listeningEditor(proxy);
    const heard = [kayak, boat, editor].map(record);

    proxy.takeFromElsewhere(BOAT, false, 'delivered', 'Carla');
    await until(() => heard.flat().length === 1, 'it is announced');
    expect(heard).to.deep.equal([[], ['Carla set Kayak tour to “Not available”.'], []]);

    for (const id of [BOAT, KAYAK]) proxy.takeFromElsewhere(id, true, 'delivered', 'Carla');
    await until(() => heard.flat().length > 1, 'both are said');
    expect(heard.flat().slice(1)).to.deep.equal(['Others changed 2 items.']);
    expect(shown(boat).value).to.equal('on');
  });

  it('is announced by a visible toggle, and by no hidden one', async () => {
    const proxy = fakeProxy();
    const [hidden, seen, covered] = [
      await readyToggle(proxy),
      await readyToggle(proxy),
      await readyToggle(proxy, BOAT),
    ];
    hidden.hidden = true;
    (covered.parentElement as HTMLElement).hidden = true;
    await until(() => proxy.streams === 1, 'it listens');
    const heard = [hidden, seen, covered].map(record);

    for (const id of [BOAT, KAYAK]) proxy.takeFromElsewhere(id, false, 'delivered', 'Carla');

    await until(() => heard.flat().length > 0, 'it is announced');
    expect(heard).to.deep.equal([[], ['Carla set Kayak tour to “Not available”.'], []]);
  });

  it('is announced again by a toggle if the other person repeats it', async () => {
    const proxy = fakeProxy();
    const kayak = await readyToggle(proxy, KAYAK);
    await until(() => proxy.streams === 1, 'it listens');
    const heard = record(kayak);
    proxy.takeFromElsewhere(KAYAK, false, 'delivered', 'Carla');
    await until(() => heard.length === 1, 'it is announced');
    kayak.click();
    await until(() => shown(kayak).status.startsWith('Sent, '), 'this person sets it back');
    proxy.settle(KAYAK, 'delivered');
    await until(() => shown(kayak).status === 'Live on the portal', 'it is on the portal');

    proxy.takeFromElsewhere(KAYAK, false, 'delivered', 'Carla');
    await until(() => shown(kayak).value === 'off', 'it is shown');

    await until(() => heard.length === 2, 'it is announced again');
    expect(heard[1]).to.equal(heard[0]);
  });

  it('is announced apart from the status of the toggle, and cleared when the person at this page reverts it', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const kayak = await readyToggle(proxy, KAYAK);
    await until(() => proxy.streams === 1, 'it listens');
    kayak.click();
    await until(() => shown(kayak).status.startsWith('Sent, '), 'this person sets it');
    proxy.settle(KAYAK, 'delivered');
    await until(() => shown(kayak).status === 'Live on the portal', 'it is on the portal');
    const status = kayak.renderRoot.querySelector('#status');
    const own = status?.getAttribute('aria-live');
    const heard = record(kayak);

    proxy.takeFromElsewhere(KAYAK, true, 'received', 'Ben');
    await until(() => heard.length === 1, 'it is announced');
    const live = status?.getAttribute('aria-live');
    kayak.click();
    await until(() => shown(kayak).status.startsWith('Sent, '), 'this person sets it back');

    expect([own, live, status?.getAttribute('aria-live')]).to.deep.equal(['polite', 'off', 'polite']);
    expect(kayak.renderRoot.querySelector('.live-region')?.textContent).to.equal('');
  });

  it('is not announced if the person at this page has changed the item since', async () => {
    const proxy = fakeProxy();
    const kayak = await readyToggle(proxy, KAYAK);
    const boat = await readyToggle(proxy, BOAT);
    await until(() => proxy.streams === 1, 'they listen');
    const heard = [kayak, boat].map(record);

    proxy.takeFromElsewhere(KAYAK, false, 'delivered', 'Ben');
    await until(() => shown(kayak).value === 'off', 'it is shown');
    kayak.click();
    await until(() => shown(kayak).value === 'on', 'this person sets it back');
    proxy.takeFromElsewhere(BOAT, false, 'delivered', 'Carla');
    await until(() => heard.flat().length > 0, 'a change is announced');

    expect(heard.flat()).to.deep.equal(['Carla set Kayak tour to “Not available”.']);
  });

  it('is not announced again when it reaches the portal, if it was open at load', async () => {
    const proxy = fakeProxy();
    proxy.takeFromElsewhere(KAYAK, true, 'received', 'Ben');
    const kayak = await readyToggle(proxy, KAYAK);
    const boat = await readyToggle(proxy, BOAT);
    await until(() => proxy.streams === 1, 'they listen');
    const heard = [kayak, boat].map(record);

    proxy.deliverFromElsewhere(KAYAK);
    await until(() => shown(kayak).status === 'Live on the portal', 'it is on the portal');
    proxy.takeFromElsewhere(BOAT, false, 'delivered', 'Carla');
    await until(() => heard.flat().length > 0, 'a change is announced');

    expect(heard.flat()).to.deep.equal(['Carla set Kayak tour to “Not available”.']);
  });

  it('is not announced if only the label of an item changes', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true, by: 'Ben', label: 'Kayak' });
    const kayak = await readyToggle(proxy, KAYAK);
    const boat = await readyToggle(proxy, BOAT);
    await until(() => proxy.streams === 1, 'they listen');
    const heard = [kayak, boat].map(record);

    proxy.knows({ id: KAYAK, available: true, by: 'Ben', label: 'Kayak for two' });
    proxy.deliverFromElsewhere(KAYAK);
    proxy.takeFromElsewhere(BOAT, false, 'delivered', 'Carla');
    await until(() => heard.flat().length > 0, 'a change is announced');

    expect(heard.flat()).to.deep.equal(['Carla set Kayak tour to “Not available”.']);
  });

  it('is not announced by an element that was removed', async () => {
    const proxy = fakeProxy();
    const kayak = await readyToggle(proxy, KAYAK);
    const editor = await listeningEditor(proxy);
    const heard = record(editor);

    kayak.remove();
    proxy.takeFromElsewhere(KAYAK, false, 'delivered', 'Ben');

    await until(() => heard.length === 1, 'the editor says it');
  });

  it('is announced, whereas values at load and the person’s own changes are not', async () => {
    const proxy = fakeProxy();
    proxy.portal = 'swift';
    proxy.knows({ id: BOAT, available: false, by: 'Ben' });
    const editor = await listeningEditor(proxy);
    const heard = record(editor);

    row(editor, CABIN).control.click();
    await until(() => row(editor, CABIN).status.includes('Live on the portal'), 'it is on the portal');
    proxy.takeFromElsewhere(KAYAK, false, 'delivered', 'Carla');
    await until(() => heard.some((text) => text.includes('Carla')), 'the change is announced');

    expect(heard.filter((text) => /Ben|Others/.test(text))).to.deep.equal([]);
  });

  /** A hand comes down on what has just changed elsewhere, and off again. @param meanwhile the change reaches the page */
  async function pressOnChanged(meanwhile: (proxy: FakeProxy, asked: number) => Promise<void>) {
    const proxy = fakeProxy();
    const editor = await listeningEditor(proxy);
    const { control } = row(editor, KAYAK);
    const asked = proxy.heardOn('GET v1/inventory').length;
    press(control, 'pointerdown');
    proxy.takeFromElsewhere(KAYAK, false, 'delivered', 'Ben');
    await meanwhile(proxy, asked);
    const before = row(editor, KAYAK).value;
    press(control, 'pointerup');
    control.click();
    await until(() => proxy.sent.length === 1, 'the edit is sent');
    expect(before).to.equal('on');
    expect(proxy.sent.map(({ id, available }) => [id, available])).to.deep.equal([[KAYAK, false]]);
    return editor;
  }

  it('is not shown while a pointer is down, so that a press has the effect that the person saw', async () => {
    const editor = await pressOnChanged(async (proxy, asked) => {
      const release = proxy.holdAnswers('GET v1/inventory');
      await until(() => proxy.heardOn('GET v1/inventory').length > asked, 'the change is asked for');
      release();
      await restForTenFrames();
      proxy.takeFromElsewhere(BOAT, false, 'delivered', 'Ben');
    });

    await until(() => row(editor, BOAT).value === 'off', 'what others changed is shown');
  });

  it('is not shown while a pointer is down if the page requests it on becoming visible', async () => {
    await pressOnChanged(async (proxy, asked) => {
      document.dispatchEvent(new Event('visibilitychange'));
      await until(() => proxy.heardOn('GET v1/inventory').length > asked + 1, 'both have asked what has changed');
      await restForTenFrames();
    });
  });

  it('is shown after a while even if a pointer stays down', async () => {
    const proxy = fakeProxy();
    const editor = await listeningEditor(proxy);

    press(row(editor, KAYAK).control, 'pointerdown');
    proxy.takeFromElsewhere(KAYAK, false, 'delivered', 'Ben');

    await until(() => row(editor, KAYAK).value === 'off', 'it is shown');
  });
});
