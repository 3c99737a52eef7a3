import { expect, fixture, html, oneEvent } from '@open-wc/testing';
import '../../../src/index.js';
import {
  AvailabilityToggle,
  InventoryErrorEvent,
  InventoryReadyEvent,
  InventorySessionExpiredEvent,
} from '../../../src/index.js';
import { hearWarnings } from '../../client/support/console-warnings.js';
import { KAYAK } from '../../client/support/items.js';
import { ANNA, fakeProxy, REQUEST_ID } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { countListeners } from '../support/listener-count.js';
import { choices, control, readyToggle, recordEvents, shown, untilStatus } from '../support/on-page.js';

describe('a misconfigured toggle', () => {
  it('without a proxy shows what to do, warns once, and accepts no edits', async () => {
    const warnings = hearWarnings();
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle item=${KAYAK}>Kayak tour</availability-toggle>`,
    );

    toggle.requestUpdate();
    toggle.click();
    await until(() => warnings.length > 0, 'a warning is on the console');

    expect(shown(toggle)).to.deep.equal({
      value: 'unknown',
      status: 'This element needs the address of its proxy: add proxy="https://…".',
      icon: '',
      tone: 'problem',
    });
    expect(warnings).to.deep.equal([
      '<availability-toggle>: This element needs the address of its proxy: add proxy="https://…". <availability-toggle>',
    ]);
    expect(choices(toggle).map(({ disabled }) => disabled)).to.deep.equal([true, true]);
  });

  it('with an invalid proxy URL shows what to do', async () => {
    hearWarnings();
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle item=${KAYAK} proxy="https://">Kayak tour</availability-toggle>`,
    );

    await until(() => shown(toggle).status.startsWith('This element needs the address of its proxy'), 'it says so');
  });

  for (const [name, item] of [
    ['an empty id', ''],
    ['a control character in its id', 'kayak\ntour'],
    ['an id without end', 'k'.repeat(201)],
  ] as const) {
    it(`with ${name} shows what to do, warns once, and sends no request`, async () => {
      const warnings = hearWarnings();
      const proxy = fakeProxy();
      const toggle = await fixture<AvailabilityToggle>(
        html`<availability-toggle .item=${item} proxy=${proxy.url}>Kayak tour</availability-toggle>`,
      );

      toggle.requestUpdate();
      toggle.click();
      await until(() => warnings.length > 0, 'a warning is on the console');

      expect(shown(toggle)).to.include({ value: 'unknown', tone: 'problem' });
      expect(shown(toggle).status).to.match(/^This element needs the id of its item/);
      expect(warnings).to.have.length(1);
      expect(warnings[0]).to.match(/needs the id of its item: .*1 to 200 characters/);
      expect(proxy.heard).to.deep.equal([]);
    });
  }

  it('works as soon as the proxy is set', async () => {
    hearWarnings();
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle item=${KAYAK}>Kayak tour</availability-toggle>`,
    );

    toggle.proxy = proxy.url;

    await untilStatus(toggle, 'Live on the portal');
    expect(shown(toggle).value).to.equal('on');
  });
});

describe('a toggle that is not connected', () => {
  it('warns about nothing', async () => {
    const warnings = hearWarnings();
    const toggle = await readyToggle(fakeProxy());

    toggle.requestUpdate();
    toggle.remove();
    await toggle.updateComplete;

    expect(warnings).to.deep.equal([]);
  });
});

describe('a toggle whose attributes are removed', () => {
  it('requests the proxy without a token once it has no session URL', async () => {
    const proxy = fakeProxy();
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle item=${KAYAK} proxy=${proxy.url} session=${proxy.sessionUrl}></availability-toggle>`,
    );
    await until(() => proxy.heardOn('GET v1/events').length === 1, 'it listens, the last that it asks for');
    proxy.heard.length = 0;

    toggle.removeAttribute('session');

    await until(() => proxy.heardOn('GET v1/inventory').length === 1, 'the inventory is read again');
    const asked = proxy.heard.filter(({ route }) => route !== 'GET v1/events');
    expect(proxy.heard.every(({ headers }) => headers.get('Authorization') === null)).to.equal(true);
    expect(asked.map(({ route, headers }) => [route, headers.get('Authorization')])).to.deep.equal([
      ['GET v1/session', null],
      ['GET v1/inventory', null],
    ]);
  });

  it('treats null as unset, as frameworks set it', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);

    Object.assign(toggle, { getSession: null, session: null, strings: null });
    await toggle.updateComplete;

    expect(shown(toggle)).to.include({ value: 'on', status: 'Live on the portal' });
  });

  it('treats an empty getSession string as unset, as Preact sets it', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);
    Object.assign(toggle, { getSession: () => Promise.resolve('token-1') });
    await until(
      () => proxy.heard.some(({ headers }) => headers.get('Authorization') === 'Bearer token-1'),
      'it is used',
    );
    proxy.heard.length = 0;

    Object.assign(toggle, { getSession: '' });

    // One that left before may arrive in between.
    await until(() => proxy.heard.some(({ headers }) => headers.get('Authorization') === null), 'it asks without');
    await until(() => shown(toggle).status === 'Live on the portal', 'what is known is shown');
    expect(shown(toggle).value).to.equal('on');
  });
});

describe('a toggle with a connection problem', () => {
  for (const [name, refusal, sentence] of [
    ['an origin that is not listed', 'origin_refused', 'This page may not show your items.'],
    ['a proxy without a disk', 'storage_unavailable', 'No changes can be taken right now.'],
    ['a proxy with a fault', 'internal', 'No connection.'],
    ['a right that is missing', 'permission_missing', 'You may not see these items.'],
  ] as const) {
    it(`because of ${name} shows the problem with the request id`, async () => {
      const proxy = fakeProxy();
      proxy.refusal = refusal;
      const toggle = await fixture<AvailabilityToggle>(
        html`<availability-toggle item=${KAYAK} proxy=${proxy.url}>Kayak tour</availability-toggle>`,
      );

      await untilStatus(toggle, sentence);

      expect(shown(toggle)).to.include({ tone: 'problem', icon: '' });
      expect(shown(toggle).status).to.match(new RegExp(`For support: ${REQUEST_ID}$`));
    });
  }

  it('because of an unreachable proxy shows the problem, and that it keeps trying', async () => {
    const proxy = fakeProxy();
    proxy.down = true;
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle item=${KAYAK} proxy=${proxy.url}>Kayak tour</availability-toggle>`,
    );

    await untilStatus(toggle, 'No connection. Your changes are safe here; we keep trying.');

    expect(shown(toggle).status).not.to.include('For support');
  });

  it('because of an unreachable proxy stores an edit, and shows what it waits for', async () => {
    const proxy = fakeProxy();
    proxy.down = true;
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle item=${KAYAK} proxy=${proxy.url}>Kayak tour</availability-toggle>`,
    );
    await untilStatus(toggle, 'No connection.');

    choices(toggle)[1]?.click();

    await untilStatus(toggle, 'Saved here. It goes out when the connection is back; keep this page open.');
    expect(shown(toggle)).to.include({ value: 'off', tone: 'on-device' });
  });

  it('because of an expired session shows the problem, and that an edit waits for the next sign-in', async () => {
    const proxy = fakeProxy();
    proxy.person = undefined;
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle item=${KAYAK} proxy=${proxy.url} session=${proxy.sessionUrl}></availability-toggle>`,
    );
    await untilStatus(toggle, 'You are signed out. Sign in again on this page; your changes are safe here.');

    choices(toggle)[0]?.click();

    await untilStatus(toggle, 'Saved here. It goes out when you sign in again.');
    expect(shown(toggle).value).to.equal('on');
  });

  it('because of a rejected token shows that the page is misconfigured, also for an edit', async () => {
    hearWarnings();
    const proxy = fakeProxy();
    proxy.refusal = 'session_required';
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle item=${KAYAK} proxy=${proxy.url} session=${proxy.sessionUrl}></availability-toggle>`,
    );
    await untilStatus(
      toggle,
      'This page is not set up correctly, so changes cannot be sent yet. They stay on this device. Please tell the people who run this page.',
    );

    choices(toggle)[0]?.click();

    await untilStatus(toggle, 'Saved here. Cannot be sent yet; keep this page open.');
  });

  it('because of a host that gives no token shows that the sign-in cannot be checked', async () => {
    const proxy = fakeProxy();
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle
        item=${KAYAK}
        proxy=${proxy.url}
        .getSession=${() => Promise.reject(new Error('the host is down'))}
      ></availability-toggle>`,
    );

    await untilStatus(toggle, 'Your sign-in cannot be checked right now.');

    expect(proxy.heard).to.deep.equal([]);
  });
});

describe('the connection events of a toggle', () => {
  it('include inventory-ready once the proxy has answered', async () => {
    const proxy = fakeProxy();
    const page = await fixture<HTMLElement>(html`<div></div>`);
    const heard = oneEvent(page, 'inventory-ready');

    page.innerHTML = `<availability-toggle item="${KAYAK}" proxy="${proxy.url}"></availability-toggle>`;

    const event = await heard;
    expect(event).to.be.instanceOf(InventoryReadyEvent);
    expect(event).to.include({ bubbles: true, composed: true });
  });

  it('include inventory-error with the request id, and inventory-ready when the problem is over', async () => {
    const proxy = fakeProxy();
    const toggle = await readyToggle(proxy);
    const events = recordEvents(document.body, 'inventory-error', 'inventory-ready');
    proxy.refusal = 'storage_unavailable';
    document.dispatchEvent(new Event('visibilitychange'));
    await until(() => events.length === 1, 'the error event is dispatched');
    proxy.refusal = undefined;

    dispatchEvent(new Event('online'));

    await until(() => events.length === 2, 'the event of its end is dispatched');
    expect(events[0]).to.be.instanceOf(InventoryErrorEvent);
    expect(events[0]).to.include({ code: 'storage_unavailable', requestId: REQUEST_ID, composed: true });
    expect(events[0]?.target === toggle).to.equal(true);
    expect(events[1]).to.be.instanceOf(InventoryReadyEvent);
  });

  it('include inventory-session-expired once', async () => {
    const proxy = fakeProxy();
    let isReady = false;
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle
        item=${KAYAK}
        proxy=${proxy.url}
        session=${proxy.sessionUrl}
        @inventory-ready=${() => {
          isReady = true;
        }}
      ></availability-toggle>`,
    );
    await until(() => isReady, 'the proxy has answered');
    const events = recordEvents(toggle, 'inventory-session-expired', 'inventory-error');
    proxy.person = undefined;
    proxy.expireTokens();

    document.dispatchEvent(new Event('visibilitychange'));
    await untilStatus(toggle, 'You are signed out');
    dispatchEvent(new Event('online'));
    await until(() => proxy.heardOn('POST inventory-session').length === 3, 'the host was asked again');
    proxy.person = ANNA;
    // The last question may be on its way still, and this one join it.
    await until(() => {
      dispatchEvent(new Event('online'));
      return shown(toggle).status.includes('Not set yet');
    }, 'the person is here again');

    expect(events).to.have.length(1);
    expect(events[0]).to.be.instanceOf(InventorySessionExpiredEvent);
    expect(events[0]).to.include({ bubbles: true, composed: true });
  });

  it('are not repeated by the first toggle when a second joins the page', async () => {
    const proxy = fakeProxy();
    const first = await readyToggle(proxy);
    const again = recordEvents(first, 'inventory-ready');

    const second = await readyToggle(proxy);

    expect(shown(second).status).to.equal('Not set yet');
    expect(again).to.deep.equal([]);
  });
});

describe('a toggle that is removed from the page', () => {
  it('continues to work when it is moved', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);
    const other = await fixture<HTMLElement>(html`<div></div>`);
    const again = recordEvents(toggle, 'inventory-ready');

    other.append(toggle);
    await toggle.updateComplete;
    control(toggle).click();

    await untilStatus(toggle, 'Sent, ');
    expect(shown(toggle).value).to.equal('off');
    expect(again).to.deep.equal([]);
  });

  it('shows the current value when it is inserted again later', async () => {
    const proxy = fakeProxy();
    const toggle = await readyToggle(proxy);
    const page = toggle.parentElement;
    toggle.remove();
    await toggle.updateComplete;
    proxy.takeFromElsewhere(KAYAK, true);

    page?.append(toggle);

    await untilStatus(toggle, 'Live on the portal');
    expect(shown(toggle).value).to.equal('on');
  });

  it('and inserted a hundred times leaves no listener behind', async () => {
    const proxy = fakeProxy();
    const page = await fixture<HTMLElement>(html`<div></div>`);
    const listeners = countListeners();
    const toggle = new AvailabilityToggle();
    Object.assign(toggle, { item: KAYAK, proxy: proxy.url });
    page.append(toggle);
    await toggle.updateComplete;
    const whileThere = listeners();

    for (let times = 0; times < 100; times += 1) {
      toggle.remove();
      page.append(toggle);
      await toggle.updateComplete;
    }
    const afterAHundred = listeners();
    toggle.remove();

    expect(whileThere).to.be.above(0);
    expect(afterAHundred).to.equal(whileThere);
    expect(listeners()).to.equal(0);
  });
});
