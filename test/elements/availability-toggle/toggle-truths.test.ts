import { expect } from '@open-wc/testing';
import '../../../src/index.js';
import { InventoryReceiptEvent, type AvailabilityToggle } from '../../../src/index.js';
import { hearWarnings } from '../../client/support/console-warnings.js';
import { fillStorage } from '../../client/support/failing-storage.js';
import { KAYAK } from '../../client/support/items.js';
import { BEN, fakeProxy, VISITOR, type FakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { choices, readyToggle, recordEvents, shown, tryAgain, untilStatus, type Shown } from '../support/on-page.js';

/** A toggle that a person has just moved to off, and the way of its edit in the test's hand. */
async function movedToggle(proxy: FakeProxy): Promise<{ toggle: AvailabilityToggle; release: () => void }> {
  proxy.knows({ id: KAYAK, available: true });
  const toggle = await readyToggle(proxy);
  const release = proxy.hold('POST v1/inventory');
  toggle.click();
  await untilStatus(toggle, 'Saved here');
  return { toggle, release };
}

function liveness(toggle: AvailabilityToggle): string | null | undefined {
  return toggle.renderRoot.querySelector('[role=status]')?.getAttribute('aria-live');
}

/** Before all others, which have the words for it loaded. */
describe('the first refused edit of a page', () => {
  it('is announced once, with its reason', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);
    const status = toggle.renderRoot.querySelector('[role=status]') as Element;
    const heard: string[] = [];
    const observer = new MutationObserver(() => {
      const text = status.textContent.trim();
      if (liveness(toggle) === 'polite' && text.startsWith('Not accepted') && text !== heard.at(-1)) heard.push(text);
    });
    observer.observe(status, { attributes: true, childList: true, characterData: true, subtree: true });
    toggle.click();
    await untilStatus(toggle, 'Sent, ');

    proxy.settle(KAYAK, 'refused', { reason: 'item_refused' });
    await untilStatus(toggle, 'the portal refused this change.');
    observer.disconnect();

    expect(heard.map((text) => text.slice(0, 45))).to.deep.equal(['Not accepted: the portal refused this change.']);
  });
});

describe('the four delivery statuses of a toggle', () => {
  it('each have their own text, icon and tone', async () => {
    const proxy = fakeProxy();
    const { toggle, release } = await movedToggle(proxy);
    const seen: Shown[] = [shown(toggle)];

    release();
    await untilStatus(toggle, 'Sent, ');
    seen.push(shown(toggle));
    proxy.settle(KAYAK, 'delivered');
    await untilStatus(toggle, 'Live on the portal');
    seen.push(shown(toggle));
    proxy.foreign.add(KAYAK);
    toggle.click();
    await untilStatus(toggle, 'Not accepted');
    seen.push(shown(toggle));

    expect(seen.map(({ status }) => status.replace(/[.:].*/, ''))).to.deep.equal([
      'Saved here, not sent yet',
      'Sent, the portal confirms soon',
      'Live on the portal',
      'Not accepted',
    ]);
    expect(new Set(seen.map(({ icon }) => icon)).size).to.equal(4);
    expect(seen.map(({ icon }) => icon !== '')).to.deep.equal([true, true, true, true]);
    expect(new Set(seen.map(({ tone }) => tone)).size).to.equal(4);
  });

  it('each have their own colour', async () => {
    const proxy = fakeProxy();
    const { toggle, release } = await movedToggle(proxy);
    const colour = () => getComputedStyle(toggle.renderRoot.querySelector('[role=status]') ?? toggle).color;
    const colours = [colour()];

    release();
    await untilStatus(toggle, 'Sent, ');
    colours.push(colour());
    proxy.settle(KAYAK, 'delivered');
    await untilStatus(toggle, 'Live on the portal');
    colours.push(colour());

    expect(new Set(colours).size).to.equal(3);
  });

  it('include the reason while the portal delays an edit', async () => {
    const proxy = fakeProxy();
    const { toggle, release } = await movedToggle(proxy);
    release();
    await untilStatus(toggle, 'Sent, ');

    proxy.settle(KAYAK, 'received', { delayed: true, reason: 'portal_unreachable' });

    await untilStatus(toggle, 'the portal cannot be reached. We keep trying.');
    expect(shown(toggle).status).to.match(/^Sent, but /);
  });

  it('include that a confirmation follows if the portal has only accepted an edit', async () => {
    const proxy = fakeProxy();
    const { toggle, release } = await movedToggle(proxy);
    release();
    await untilStatus(toggle, 'Sent, the portal confirms soon');

    proxy.settle(KAYAK, 'received', { reason: 'portal_confirms' });

    await untilStatus(toggle, 'Sent, confirmation follows');
  });

  it('include what to do if an edit was refused', async () => {
    const proxy = fakeProxy();
    const { toggle, release } = await movedToggle(proxy);
    release();
    await untilStatus(toggle, 'Sent, ');

    proxy.settle(KAYAK, 'refused', { reason: 'item_refused' });

    await untilStatus(
      toggle,
      'the portal refused this change. Check that the item still exists there, then send it again.',
    );
    expect(shown(toggle).status).to.match(/^Not accepted/);
  });

  it('are shown for an edit of an earlier visit', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: false, state: 'refused', reason: 'item_refused' });

    const toggle = await readyToggle(proxy);

    expect(shown(toggle)).to.include({ value: 'off', tone: 'needs-attention' });
  });

  it('are empty while the browser writes the edit', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);

    toggle.click();
    await toggle.updateComplete;

    expect(shown(toggle)).to.deep.equal({ value: 'off', status: '', icon: '', tone: 'none' });
  });

  it('are replaced by a warning, with another icon, if the browser could not store the edit', async () => {
    hearWarnings();
    const proxy = fakeProxy();
    const { icon } = shown((await movedToggle(proxy)).toggle);
    const other = fakeProxy();
    other.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(other);
    other.hold('POST v1/inventory');
    fillStorage();

    toggle.click();

    await untilStatus(toggle, 'Not saved on this device: keep this page open until it is sent.');
    expect(shown(toggle).tone).to.equal('problem');
    expect(shown(toggle).icon).not.to.equal(icon);
  });
});

describe('the live region of a toggle', () => {
  it('is off until the person acts', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);
    const before = liveness(toggle);

    toggle.click();
    await untilStatus(toggle, 'Sent, ');

    expect(before).to.equal('off');
    expect(liveness(toggle)).to.equal('polite');
  });

  it('is polite after a retry', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: false, state: 'refused', reason: 'item_refused' });
    const toggle = await readyToggle(proxy);

    tryAgain(toggle)?.click();
    await untilStatus(toggle, 'Sent, ');

    expect(liveness(toggle)).to.equal('polite');
  });
});

describe('the retry button of a toggle', () => {
  it('sends the same value as a new edit', async () => {
    const proxy = fakeProxy();
    proxy.foreign.add(KAYAK);
    const toggle = await readyToggle(proxy);
    choices(toggle)[1]?.click();
    await untilStatus(toggle, 'Not accepted');
    proxy.foreign.clear();

    tryAgain(toggle)?.click();

    await untilStatus(toggle, 'Sent, ');
    expect(proxy.sent.map(({ available }) => available)).to.deep.equal([false, false]);
    expect(proxy.sent[0]?.edit_id).not.to.equal(proxy.sent[1]?.edit_id);
  });

  it('is offered for a refused edit that the browser could not store', async () => {
    hearWarnings();
    const proxy = fakeProxy();
    proxy.foreign.add(KAYAK);
    const toggle = await readyToggle(proxy);
    fillStorage();
    choices(toggle)[1]?.click();
    await untilStatus(toggle, 'Not accepted');
    await until(() => tryAgain(toggle), 'it is offered');
    proxy.foreign.clear();

    tryAgain(toggle)?.click();

    await untilStatus(toggle, 'Sent, ');
  });

  it('dispatches inventory-change, which the host may cancel', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: false, state: 'refused', reason: 'item_refused' });
    const toggle = await readyToggle(proxy);
    const asked = recordEvents(toggle, 'inventory-change');
    toggle.addEventListener('inventory-change', (event) => {
      event.preventDefault();
    });

    tryAgain(toggle)?.click();
    await toggle.updateComplete;

    expect(asked).to.have.length(1);
    expect(asked[0]).to.include({ itemId: KAYAK, available: false });
    expect(shown(toggle).status).to.match(/^Not accepted/);
  });

  it('dispatches neither input nor change', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: false, state: 'refused', reason: 'item_refused' });
    const toggle = await readyToggle(proxy);
    const events = recordEvents(toggle, 'input', 'change');

    tryAgain(toggle)?.click();
    await untilStatus(toggle, 'Sent, ');

    expect(events).to.deep.equal([]);
  });

  it('is offered only for an edit that needs attention', async () => {
    const { toggle } = await movedToggle(fakeProxy());

    expect(tryAgain(toggle)).to.equal(undefined);
  });

  it('is not offered without the permission to edit, or if the toggle is readonly', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: false, state: 'refused', reason: 'item_refused' });
    const other = fakeProxy();
    other.person = VISITOR;
    other.knows({ id: KAYAK, available: false, state: 'refused', reason: 'item_refused' });
    const [toggle, ofAViewer] = [await readyToggle(proxy), await readyToggle(other)];
    const offered = [tryAgain(toggle) !== undefined, tryAgain(ofAViewer) !== undefined];

    toggle.readonly = true;
    await toggle.updateComplete;
    offered.push(tryAgain(toggle) !== undefined);

    expect(offered).to.deep.equal([true, false, false]);
  });
});

describe('the event inventory-receipt of a toggle', () => {
  it('has the item, the value, the delivery status and the reason', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);
    const events = recordEvents<InventoryReceiptEvent>(document.body, 'inventory-receipt');

    toggle.click();
    await untilStatus(toggle, 'Sent, ');
    proxy.settle(KAYAK, 'refused', { reason: 'item_refused' });
    await untilStatus(toggle, 'Not accepted');

    expect(events.map(({ truth, reason }) => [truth, reason])).to.deep.equal([
      ['on-device', undefined],
      ['received', undefined],
      ['needs-attention', 'item_refused'],
    ]);
    expect(events.at(-1)).to.be.instanceOf(InventoryReceiptEvent);
    expect(events.at(-1)).to.include({ itemId: KAYAK, available: false, bubbles: true, composed: true });
    expect(events.at(-1)?.target === toggle).to.equal(true);
  });

  it('is dispatched for the second of two edits', async () => {
    const proxy = fakeProxy();
    proxy.portal = 'swift';
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);
    const events = recordEvents<InventoryReceiptEvent>(toggle, 'inventory-receipt');
    const onPortal = () => events.filter(({ truth }) => truth === 'on-portal').map(({ available }) => available);
    toggle.click();
    await until(() => onPortal().length === 1, 'the first edit is on the portal');

    toggle.click();
    await until(() => onPortal().length === 2, 'the second edit is on the portal');

    expect(onPortal()).to.deep.equal([false, true]);
  });

  it('is not dispatched after another person has signed in', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);
    toggle.click();
    await untilStatus(toggle, 'Sent, ');
    const events = recordEvents(toggle, 'inventory-receipt');
    proxy.person = BEN;
    proxy.settle(KAYAK, 'delivered');

    document.dispatchEvent(new Event('visibilitychange'));

    await untilStatus(toggle, 'Live on the portal');
    expect(events).to.deep.equal([]);
  });

  it('is neither dispatched nor announced for the same item at another proxy', async () => {
    const [proxy, other] = [fakeProxy(), fakeProxy()];
    other.knows({ id: KAYAK, available: true });
    // Its items are known on this page already.
    await untilStatus(await readyToggle(other), 'Live on the portal');
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);
    toggle.click();
    await untilStatus(toggle, 'Sent, ');
    const events = recordEvents(toggle, 'inventory-receipt');

    toggle.proxy = other.url;

    await untilStatus(toggle, 'Live on the portal');
    expect(events).to.deep.equal([]);
    expect(toggle.renderRoot.querySelector('[role=status]')?.ariaLive).to.equal('off');
  });

  it('is not dispatched for an edit of another page', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);
    const events = recordEvents(toggle, 'inventory-receipt');
    proxy.takeFromElsewhere(KAYAK, false);

    document.dispatchEvent(new Event('visibilitychange'));

    await until(() => shown(toggle).value === 'off', 'the other value is shown');
    expect(events).to.deep.equal([]);
  });
});
