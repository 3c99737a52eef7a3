import { expect, fixture, html } from '@open-wc/testing';
import { sendKeys, sendMouse } from '@web/test-runner-commands';
import '../../../src/index.js';
import { AvailabilityToggle, InventoryChangeEvent } from '../../../src/index.js';
import { afterThisTest } from '../../client/support/clean-up.js';
import { BOAT, KAYAK } from '../../client/support/items.js';
import { ANNA, fakeProxy, VISITOR } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { accessibleName } from '../support/accessible-name.js';
import {
  choices,
  control,
  hasFocus,
  readyToggle,
  recordEvents,
  shown,
  tryAgain,
  untilStatus,
  words,
} from '../support/on-page.js';

describe('a toggle without an item', () => {
  it('is a plain switch that changes on a click and sends no request', async () => {
    const proxy = fakeProxy();
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle proxy=${proxy.url}>Open today</availability-toggle>`,
    );

    toggle.click();
    await toggle.updateComplete;

    expect(toggle.checked).to.equal(true);
    expect(control(toggle).checked).to.equal(true);
    expect(proxy.heard).to.deep.equal([]);
  });

  it('belongs to the form whose id is set as its form property, as React does', async () => {
    const page = await fixture<HTMLElement>(
      html`<div>
        <form id="far"></form>
        <availability-toggle name="open" checked></availability-toggle>
      </div>`,
    );
    const toggle = page.querySelector('availability-toggle');

    Object.assign(toggle ?? {}, { form: 'far' });
    const belonged = [toggle?.form?.id, toggle?.getAttribute('form')];
    Object.assign(toggle ?? {}, { form: undefined });

    expect(belonged).to.deep.equal(['far', 'far']);
    expect(toggle?.form).to.equal(null);
  });

  for (const value of [null, undefined]) {
    it(`sends "on" in a form where its value is set to ${String(value)}`, async () => {
      const form = await fixture<HTMLFormElement>(
        html`<form><availability-toggle name="open" value="yes" checked></availability-toggle></form>`,
      );
      const toggle = form.querySelector('availability-toggle');
      const before = new FormData(form).get('open');

      Object.assign(toggle ?? {}, { value });

      expect([before, new FormData(form).get('open')]).to.deep.equal(['yes', 'on']);
    });
  }

  it('dispatches input, which is composed, and then change, which is not, as a native checkbox does', async () => {
    const wrapper = await fixture<HTMLElement>(html`<div></div>`);
    const root = wrapper.attachShadow({ mode: 'open' });
    const toggle = document.createElement('availability-toggle');
    root.append(toggle);
    await toggle.updateComplete;
    const [inside, outside] = [recordEvents(root, 'input', 'change'), recordEvents(wrapper, 'input', 'change')];

    toggle.click();

    expect(inside.map(({ type, bubbles, composed }) => [type, bubbles, composed])).to.deep.equal([
      ['input', true, true],
      ['change', true, false],
    ]);
    expect(outside.map(({ type }) => type)).to.deep.equal(['input']);
  });

  it('dispatches no event when a script sets its value', async () => {
    const toggle = await fixture<AvailabilityToggle>(html`<availability-toggle>Open today</availability-toggle>`);
    const events = recordEvents(toggle, 'input', 'change', 'inventory-change');

    toggle.checked = true;
    await toggle.updateComplete;

    expect(shown(toggle).value).to.equal('on');
    expect(events).to.deep.equal([]);
  });

  it('is on with the attribute checked', async () => {
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle checked>Open today</availability-toggle>`,
    );

    expect(shown(toggle).value).to.equal('on');
  });

  it('shows its own value after the item attribute is removed', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);

    toggle.removeAttribute('item');
    await toggle.updateComplete;

    expect(shown(toggle)).to.include({ value: 'off', status: '' });
  });
});

describe('a toggle', () => {
  it('has the role switch, a value and an accessible name', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });

    const toggle = await readyToggle(proxy);

    expect(control(toggle).getAttribute('role')).to.equal('switch');
    expect(control(toggle).checked).to.equal(true);
    expect(accessibleName(control(toggle))).to.equal('Kayak tour');
  });

  it('shows two choices for an unknown value', async () => {
    const toggle = await readyToggle(fakeProxy());

    expect(shown(toggle)).to.include({ value: 'unknown', status: 'Not set yet' });
    expect(choices(toggle).map(({ textContent }) => textContent.trim())).to.deep.equal(['Available', 'Not available']);
    const group = toggle.renderRoot.querySelector('[role=group]');
    expect(group && accessibleName(group)).to.equal('Kayak tour');
  });

  it('sends the value of either choice', async () => {
    const proxy = fakeProxy();
    const [kayak, boat] = [await readyToggle(proxy, KAYAK), await readyToggle(proxy, BOAT)];

    choices(kayak)[0]?.click();
    choices(boat)[1]?.click();

    await until(() => proxy.sent.length === 2, 'both edits have left');
    expect(shown(kayak).value).to.equal('on');
    expect(shown(boat).value).to.equal('off');
    expect(proxy.sent.map(({ id, available }) => [id, available])).to.have.deep.members([
      [KAYAK, true],
      [BOAT, false],
    ]);
  });

  it('shows the chosen value and its text at once', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);

    toggle.click();
    await toggle.updateComplete;

    expect(shown(toggle).value).to.equal('off');
    expect(words(toggle)).to.equal('Not available');
  });

  it('dispatches inventory-change before the edit, and then input and change', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);
    const events = recordEvents(document.body, 'inventory-change', 'input', 'change');

    toggle.click();

    expect(events.map(({ type }) => type)).to.deep.equal(['inventory-change', 'input', 'change']);
    expect(events[0]).to.be.instanceOf(InventoryChangeEvent);
    expect(events[0]).to.include({ itemId: KAYAK, available: false, bubbles: true, composed: true, cancelable: true });
  });

  it('changes nothing if the host cancels inventory-change', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);
    const before = shown(toggle);
    const events = recordEvents(toggle, 'input', 'change');
    toggle.addEventListener('inventory-change', (event) => {
      event.preventDefault();
    });

    toggle.click();
    await toggle.updateComplete;

    expect(shown(toggle)).to.deep.equal(before);
    expect(events).to.deep.equal([]);
    expect(proxy.sent).to.deep.equal([]);
  });

  it('does not change the value of its item by its checked property', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: false });
    const toggle = await readyToggle(proxy);

    toggle.checked = true;
    await toggle.updateComplete;

    expect(shown(toggle).value).to.equal('off');
    expect(proxy.sent).to.deep.equal([]);
  });

  it('shows and edits another item when its item property changes', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    proxy.knows({ id: BOAT, available: false });
    const toggle = await readyToggle(proxy);

    toggle.item = BOAT;
    await toggle.updateComplete;
    toggle.click();
    await until(() => proxy.sent.length === 1, 'the edit has left');

    expect(shown(toggle).value).to.equal('on');
    expect(proxy.sent.map(({ id }) => id)).to.deep.equal([BOAT]);
  });

  it('dispatches no receipt of a previous item', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: BOAT, available: false });
    const toggle = await readyToggle(proxy);
    choices(toggle)[0]?.click();
    await untilStatus(toggle, 'Sent, ');
    const events = recordEvents(toggle, 'inventory-receipt');

    toggle.item = BOAT;
    await toggle.updateComplete;

    expect(events).to.deep.equal([]);
    expect(shown(toggle).status).to.equal('Live on the portal');
  });

  it('renders the same whether its properties are set before or after it is connected', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const page = await fixture<HTMLElement>(html`<div></div>`);
    const [early, late] = [new AvailabilityToggle(), new AvailabilityToggle()];
    const setUp = (toggle: AvailabilityToggle) => {
      Object.assign(toggle, { item: KAYAK, proxy: proxy.url, readonly: true, strings: { available: 'Open' } });
    };

    setUp(early);
    page.append(early, late);
    await late.updateComplete;
    setUp(late);

    await until(() => shown(early).value === 'on' && shown(late).value === 'on', 'both know the value');
    expect(late.renderRoot.isEqualNode(early.renderRoot)).to.equal(true);
    expect(words(late)).to.equal('Open');
  });

  it('is named by the label of the proxy if it has no children', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true, label: 'Kayak tour on the lake' });
    const toggle = await readyToggle(proxy);

    toggle.replaceChildren();

    await until(() => accessibleName(control(toggle)) !== 'Kayak tour', 'the label is another');
    expect(accessibleName(control(toggle))).to.equal('Kayak tour on the lake');
  });

  it('sends its text with the edit as the label of the item', async () => {
    const proxy = fakeProxy();
    const toggle = await readyToggle(proxy);
    toggle.innerHTML = '\n  Kayak   <b>tour</b>\n';

    choices(toggle)[0]?.click();

    await until(() => proxy.sent.length === 1, 'the edit has left');
    expect(proxy.sent[0]?.label).to.equal('Kayak tour');
  });

  it('sends at most 200 characters of its text, and no half of a surrogate pair', async () => {
    const proxy = fakeProxy();
    const toggle = await readyToggle(proxy);
    toggle.textContent = `${'x'.repeat(199)}\u{1F6F6}${'y'.repeat(50)}`;

    choices(toggle)[0]?.click();

    await until(() => proxy.sent.length === 1, 'the edit has left');
    expect(proxy.sent[0]?.label).to.equal(`${'x'.repeat(199)}\u{1F6F6}`);
  });

  it('renders markup in a label as text', async () => {
    const hostile = '<img src=x onerror="document.title = \'owned\'">';
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true, label: hostile });
    const toggle = await readyToggle(proxy);

    toggle.replaceChildren();
    await toggle.updateComplete;

    expect(toggle.renderRoot.querySelector('img')).to.equal(null);
    expect(toggle.renderRoot.querySelector('slot')?.textContent).to.equal(hostile);
    expect(document.title).not.to.equal('owned');
  });
});

describe('an unknown value', () => {
  it('is set by its two choices only, and not by a click on its label or beside them', async () => {
    const proxy = fakeProxy();
    const toggle = await readyToggle(proxy);
    toggle.id = 'open';
    const label = Object.assign(document.createElement('label'), { htmlFor: 'open', textContent: 'Open' });
    toggle.before(label);
    toggle.style.padding = '20px';
    const events = recordEvents(toggle, 'inventory-change', 'input', 'change');
    const { left, top } = toggle.getBoundingClientRect();

    label.click();
    await sendMouse({ type: 'click', position: [Math.round(left) + 8, Math.round(top) + 8] });
    await toggle.updateComplete;
    const before = [shown(toggle).value, events.length];
    choices(toggle)[1]?.click();

    await until(() => proxy.accepted.length > 0, 'a choice is an edit');
    expect(before).to.deep.equal(['unknown', 0]);
    expect(proxy.accepted.map(({ available }) => available)).to.deep.equal([false]);
  });
});

describe('the keyboard focus', () => {
  for (const key of [' ', 'Enter']) {
    it(`lets ${key === ' ' ? 'Space' : key} move the switch`, async () => {
      const proxy = fakeProxy();
      proxy.knows({ id: KAYAK, available: true });
      const toggle = await readyToggle(proxy);
      toggle.focus();

      await sendKeys({ press: key });

      await until(() => proxy.sent.length === 1, 'the edit has left');
      expect(shown(toggle).value).to.equal('off');
    });
  }

  it('reaches the switch with Tab, and nothing else of a plain toggle', async () => {
    const page = await fixture<HTMLElement>(
      html`<div><availability-toggle>Open today</availability-toggle><input /></div>`,
    );
    const [toggle, field] = page.children as unknown as [AvailabilityToggle, HTMLInputElement];

    await sendKeys({ press: 'Tab' });
    const first = hasFocus(control(toggle));
    await sendKeys({ press: 'Tab' });

    expect(first).to.equal(true);
    expect(hasFocus(field)).to.equal(true);
  });

  it('moves to the switch when a choice is replaced by it', async () => {
    const proxy = fakeProxy();
    const toggle = await readyToggle(proxy);
    choices(toggle)[1]?.focus();

    await sendKeys({ press: 'Enter' });

    await until(() => shown(toggle).value === 'off', 'the choice is taken');
    expect(hasFocus(control(toggle))).to.equal(true);
  });

  it('moves to a choice when the switch is replaced by two choices', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);
    toggle.focus();

    toggle.item = BOAT;
    await until(() => choices(toggle).length > 0, 'there is a choice');

    expect(choices(toggle).some(hasFocus)).to.equal(true);
  });

  it('moves to the switch when the retry button disappears after a retry', async () => {
    const proxy = fakeProxy();
    proxy.foreign.add(KAYAK);
    const toggle = await readyToggle(proxy);
    choices(toggle)[0]?.click();
    await until(() => tryAgain(toggle) !== undefined, 'it can be tried again');
    proxy.foreign.clear();
    tryAgain(toggle)?.focus();

    await sendKeys({ press: 'Enter' });

    await untilStatus(toggle, 'Sent, ');
    expect(hasFocus(control(toggle))).to.equal(true);
  });

  it('is not taken by a toggle that a script has clicked', async () => {
    const proxy = fakeProxy();
    const toggle = await readyToggle(proxy);

    choices(toggle)[1]?.click();

    await until(() => shown(toggle).value === 'off', 'the choice is taken');
    expect(toggle.matches(':focus-within')).to.equal(false);
  });
});

describe('a toggle that fails to render because of a wrong property', () => {
  for (const [slip, set] of [
    ['a text in place of the function', { item: KAYAK, getSession: '/session' }],
    ['an empty text of what a form says', { required: true, strings: { required: '' } }],
  ] as const) {
    it(`does not prevent another toggle from rendering: ${slip}`, async () => {
      const failures: unknown[] = [];
      const onError = window.onerror;
      // What is reported would end this test.
      window.onerror = (_message, _source, _line, _column, error) => {
        failures.push(error?.name);
        return true;
      };
      afterThisTest(() => {
        window.onerror = onError;
      });
      const proxy = fakeProxy();
      // All parts are loaded.
      await readyToggle(proxy);

      const page = await fixture<HTMLElement>(
        html`<div>
          <availability-toggle proxy=${proxy.url}></availability-toggle>
          <availability-toggle checked></availability-toggle>
        </div>`,
      );
      const [wrong, right] = page.querySelectorAll('availability-toggle');
      if (wrong === undefined || right === undefined) throw new Error('two toggles were drawn');
      failures.length = 0;
      Object.assign(wrong, set);
      right.strings = { available: 'Open' };
      await right.updateComplete;

      expect(words(right)).to.equal('Open');
      expect(failures).to.deep.equal(['TypeError']);
      wrong.remove();
    });
  }
});

describe('a toggle that accepts no edits', () => {
  for (const kind of ['readonly', 'disabled'] as const) {
    it(`because it is ${kind} keeps its value on a click`, async () => {
      const proxy = fakeProxy();
      proxy.knows({ id: KAYAK, available: true });
      const toggle = await readyToggle(proxy);
      toggle[kind] = true;
      await toggle.updateComplete;
      const events = recordEvents(toggle, 'inventory-change', 'input', 'change');

      control(toggle).click();
      toggle.click();
      await toggle.updateComplete;

      expect(shown(toggle).value).to.equal('on');
      expect(events).to.deep.equal([]);
      expect(proxy.sent).to.deep.equal([]);
      expect(toggle.hasAttribute(kind)).to.equal(true);
    });

    it(`because it is ${kind} keeps an unknown value on a click`, async () => {
      const toggle = await readyToggle(fakeProxy());
      toggle[kind] = true;
      await toggle.updateComplete;

      for (const choice of choices(toggle)) choice.click();
      await toggle.updateComplete;

      expect(shown(toggle).value).to.equal('unknown');
    });
  }

  it('is enabled with aria-readonly if it is readonly, and disabled if it is disabled', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);

    toggle.readonly = true;
    await toggle.updateComplete;
    const whenReadonly = [control(toggle).disabled, control(toggle).getAttribute('aria-readonly')];
    toggle.disabled = true;
    await toggle.updateComplete;

    expect(whenReadonly).to.deep.equal([false, 'true']);
    expect(control(toggle).disabled).to.equal(true);
  });

  it('because the session lacks the permission to edit does not invalidate a form that requires it', async () => {
    const proxy = fakeProxy();
    proxy.person = VISITOR;
    proxy.knows({ id: KAYAK, available: false });
    const form = await fixture<HTMLFormElement>(
      html`<form><availability-toggle item=${KAYAK} proxy=${proxy.url} required></availability-toggle></form>`,
    );
    const toggle = form.firstElementChild as AvailabilityToggle;
    await until(() => shown(toggle).value === 'off', 'its value is known');

    const whenVisiting = form.checkValidity();
    proxy.person = ANNA;
    proxy.expireTokens();
    window.dispatchEvent(new Event('online'));
    await until(() => !control(toggle).disabled, 'the switch is enabled');

    expect([whenVisiting, form.checkValidity()]).to.deep.equal([true, false]);
  });

  it('because the session lacks the permission to edit is disabled', async () => {
    const proxy = fakeProxy();
    proxy.person = VISITOR;
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);

    toggle.click();
    await toggle.updateComplete;

    expect(control(toggle).disabled).to.equal(true);
    expect(shown(toggle).value).to.equal('on');
  });
});
