import { expect, fixture, html } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../../../src/index.js';
import { AvailabilityToggle } from '../../../src/index.js';
import type { ListedItem } from '../../../src/contract/widget.js';
import type { EditId } from '../../../src/domain/edit.js';
import { yieldToEventLoop } from '../../../src/client/browser/next-frame.js';
import { type Timestamp, toTimestamp } from '../../../src/domain/item.js';
import { afterThisTest } from '../../client/support/clean-up.js';
import { BOAT, KAYAK, LONG_AGO } from '../../client/support/items.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { accessibleName } from '../support/accessible-name.js';
import { choices, control, readyToggle, recordEvents, shown, untilStatus, words } from '../support/on-page.js';

function part(toggle: AvailabilityToggle, name: string): HTMLElement {
  const found = toggle.renderRoot.querySelector<HTMLElement>(`[part=${name}]`);
  if (found === null) throw new Error(`it has no ${name}`);
  return found;
}

/** What a person sees of sizes and letters. */
function look(toggle: AvailabilityToggle): unknown {
  const measures = ['label', 'value', 'status'].map((name) => {
    const element = part(toggle, name);
    const style = getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    const { fontFamily, fontSize, fontWeight, color, textTransform, letterSpacing, lineHeight, textAlign } = style;
    const { wordBreak, webkitTextFillColor } = style;
    return {
      name,
      // A box that stands elsewhere is a hundred-thousandth of a pixel wider to some engines.
      width: width.toFixed(2),
      height: height.toFixed(2),
      fontFamily,
      fontSize,
      fontWeight,
      color,
      textTransform,
      letterSpacing,
      lineHeight,
      textAlign,
      wordBreak,
      webkitTextFillColor,
    };
  });
  const track = getComputedStyle(part(toggle, 'value'), '::before');
  return [measures, track.width, track.height, track.backgroundColor, toggle.getBoundingClientRect().height];
}

function hostStyle(css: string): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets.push(sheet);
  afterThisTest(() => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
  });
}

describe('the style of a toggle', () => {
  for (const [name, css] of Object.entries({
    'a root of 62.5 %': 'html { font-size: 62.5% }',
    'a reset of all elements': '* { all: unset; margin: 0; padding: 0; border: 0; font: inherit; line-height: 1 }',
    'everything taken back': '* { all: revert }',
    'a huge font': 'body, * { font-size: 60px; font-weight: 900; line-height: 4 }',
    'a tiny font': 'body, * { font-size: 3px; letter-spacing: 9px; word-spacing: 40px }',
    'no words':
      'body, * { word-break: break-all; -webkit-text-fill-color: red; white-space: pre; line-height: 0; text-align: justify }',
    shouting:
      'body, * { text-transform: uppercase; text-align: right; text-indent: 30px; color: red; font-style: italic }',
  })) {
    it(`does not change on a page with ${name}`, async () => {
      const proxy = fakeProxy();
      proxy.knows({ id: KAYAK, available: true });
      const toggle = await readyToggle(proxy);
      await untilStatus(toggle, 'Live on the portal');
      const before = look(toggle);

      hostStyle(css);

      expect(look(toggle)).to.deep.equal(before);
    });
  }

  it('uses the colours and the font of a theme', async () => {
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle checked>Open today</availability-toggle>`,
    );

    hostStyle(':root { --inventory-accent: rgb(1, 2, 3); --inventory-font: serif; --inventory-font-size: 20px }');

    expect(getComputedStyle(part(toggle, 'label')).fontFamily).to.equal('serif');
    expect(getComputedStyle(part(toggle, 'label')).fontSize).to.equal('20px');
    await until(
      () => getComputedStyle(part(toggle, 'value'), '::before').backgroundColor === 'rgb(1, 2, 3)',
      'the track has the colour',
    );
  });

  it('uses the animation time of a theme', async () => {
    const toggle = await fixture<AvailabilityToggle>(html`<availability-toggle>Open today</availability-toggle>`);

    hostStyle(':root { --inventory-motion: 50ms }');

    expect(getComputedStyle(part(toggle, 'value'), '::after').transitionDuration).to.equal('0.05s');
  });

  it('can be styled by its parts and states', async () => {
    hostStyle('availability-toggle:state(checked)::part(label) { color: rgb(4, 5, 6) }');
    const toggle = await fixture<AvailabilityToggle>(html`<availability-toggle>Open today</availability-toggle>`);
    const off = getComputedStyle(part(toggle, 'label')).color;

    toggle.checked = true;

    expect(off).not.to.equal('rgb(4, 5, 6)');
    expect(getComputedStyle(part(toggle, 'label')).color).to.equal('rgb(4, 5, 6)');
  });

  it('has a custom state for each delivery status, and for an unknown value', async () => {
    const proxy = fakeProxy();
    const toggle = await readyToggle(proxy);
    const states = () =>
      ['unknown', 'on-device', 'received', 'on-portal', 'needs-attention'].filter((name) =>
        toggle.matches(`:state(${name})`),
      );
    const seen = [states()];

    choices(toggle)[0]?.click();
    await untilStatus(toggle, 'Sent, ');
    seen.push(states());
    proxy.settle(KAYAK, 'delivered');
    await untilStatus(toggle, 'Live on the portal');
    seen.push(states());

    expect(seen).to.deep.equal([['unknown'], ['received'], ['on-portal']]);
  });

  it('is mirrored live when the direction becomes right to left', async () => {
    const page = await fixture<HTMLElement>(
      html`<div><availability-toggle checked>Open today</availability-toggle></div>`,
    );
    const toggle = page.firstElementChild as AvailabilityToggle;
    const labelIsFirst = () =>
      part(toggle, 'label').getBoundingClientRect().left < part(toggle, 'value').getBoundingClientRect().left;
    const before = labelIsFirst();

    page.dir = 'rtl';

    expect([before, labelIsFirst()]).to.deep.equal([true, false]);
  });

  it('has a target of 44 px height over its whole width, apart from the status line', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);
    await untilStatus(toggle, 'Live on the portal');
    const [box, status] = [toggle.getBoundingClientRect(), part(toggle, 'status').getBoundingClientRect()];
    const at = (x: number, y: number) => toggle.shadowRoot?.elementFromPoint(x, y);

    const touched = [box.left + 3, box.left + box.width / 2, box.right - 3].flatMap((x) =>
      [box.top + 3, box.top + 41].map((y) => at(x, y) === control(toggle)),
    );

    expect(touched).to.deep.equal([true, true, true, true, true, true]);
    expect(at(status.left + 30, status.top + status.height / 2) === control(toggle)).to.equal(false);
  });

  it('fits into 320 px, as at a zoom of 400 %, with nothing cut off', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true, state: 'refused', reason: 'item_refused' });
    const page = await fixture<HTMLElement>(html`<div></div>`);
    page.style.setProperty('width', '288px');
    const toggle = await readyToggle(proxy);
    page.append(toggle);

    await untilStatus(toggle, 'Not accepted');

    expect(page.scrollWidth).to.be.at.most(288);
    for (const element of toggle.renderRoot.querySelectorAll('*')) {
      expect(element.scrollWidth, element.className).to.be.at.most(288);
    }
  });

  it('has the time and the author in the line of the status, even if they wrap', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true, updated_at: LONG_AGO, by: 'Somebody with a long name' });
    const page = await fixture<HTMLElement>(html`<div></div>`);
    page.style.setProperty('width', '240px');
    const toggle = await readyToggle(proxy);
    page.append(toggle);
    await untilStatus(toggle, 'Live on the portal');

    const range = document.createRange();
    range.selectNodeContents(toggle.renderRoot.querySelector('time') ?? toggle);
    const lines = range.getClientRects();
    const words = toggle.renderRoot.querySelector('#status > span')?.getBoundingClientRect();

    expect(lines.length).to.be.above(1);
    // Its letters are smaller: their boxes begin a little lower in some engines, and a line lower where they begin the next.
    expect(lines[0]?.top).to.be.closeTo(words?.top ?? NaN, 4);
    expect(toggle.getBoundingClientRect().width).to.be.at.most(240);
  });

  it('is smaller with compact density, and keeps the text of an ordinary status for screen readers', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);
    await untilStatus(toggle, 'Live on the portal');
    const before = toggle.getBoundingClientRect().height;

    toggle.density = 'compact';
    await toggle.updateComplete;

    expect(toggle.getBoundingClientRect().height).to.be.below(before - 20);
    expect(shown(toggle)).to.include({ status: 'Live on the portal', tone: 'on-portal' });
    await expect(toggle).to.be.accessible();
  });
});

describe('the label of a toggle', () => {
  it('is its text content, also when that changes', async () => {
    const toggle = await fixture<AvailabilityToggle>(html`<availability-toggle>Open today</availability-toggle>`);
    const before = accessibleName(control(toggle));

    toggle.textContent = 'Open tomorrow';

    await until(() => accessibleName(control(toggle)) !== before, 'it has another name');
    expect([before, accessibleName(control(toggle))]).to.deep.equal(['Open today', 'Open tomorrow']);
  });

  it('is a label element of the page if it has no text content', async () => {
    const page = await fixture<HTMLElement>(
      html`<label>Open <b>today</b> <availability-toggle></availability-toggle></label>`,
    );
    const toggle = page.querySelector('availability-toggle') as AvailabilityToggle;

    expect(accessibleName(control(toggle))).to.equal('Open today');
    page.click();
    expect(toggle.checked).to.equal(true);
  });

  it('is its aria-label rather than its text content', async () => {
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle aria-label="Open on 3 May">3</availability-toggle>`,
    );

    expect(accessibleName(control(toggle))).to.equal('Open on 3 May');
  });

  for (const [what, page] of [
    [
      'what stands on it, where its aria-label is empty',
      html`<availability-toggle aria-label="">Kayak</availability-toggle>`,
    ],
    [
      'what its aria-labelledby names, before all',
      html`<b id="by-name">Kayak</b>
        <availability-toggle aria-labelledby="by-name" aria-label="A">B</availability-toggle>`,
    ],
    ['the text of a picture that stands on it', html`<availability-toggle><img alt="Kayak" /></availability-toggle>`],
    [
      'the text of a picture in a label of the page',
      html`<label for="with-picture"><img alt="Kayak" /></label
        ><availability-toggle id="with-picture"></availability-toggle>`,
    ],
  ] as const) {
    it(`is ${what}`, async () => {
      const [toggle] = (await fixture<HTMLElement>(html`<p>${page}</p>`)).getElementsByTagName('availability-toggle');
      if (toggle === undefined) throw new Error('there is no toggle');

      expect(accessibleName(control(toggle))).to.equal('Kayak');
    });
  }

  it('is a label element that is inserted later, and follows its changes', async () => {
    const page = await fixture<HTMLElement>(html`<p><availability-toggle id="early"></availability-toggle></p>`);
    const toggle = page.querySelector('availability-toggle') as AvailabilityToggle;
    const label = document.createElement('label');
    label.htmlFor = 'early';
    const names: string[] = [];

    for (const text of ['Kayak', 'Boat']) {
      label.textContent = text;
      page.append(label);
      toggle.focus();
      names.push(accessibleName(control(toggle)));
      toggle.blur();
    }

    expect(names).to.deep.equal(['Kayak', 'Boat']);
  });

  it('names the two choices of an unknown value', async () => {
    const page = await fixture<HTMLElement>(
      html`<label for="untold">Boat tour</label><availability-toggle id="untold"></availability-toggle>`,
    );
    const toggle = page.parentElement?.querySelector('availability-toggle') as AvailabilityToggle;
    toggle.setAttribute('proxy', fakeProxy().url);
    toggle.item = BOAT;

    await until(() => choices(toggle).length > 0, 'there is a choice');

    expect(accessibleName(toggle.renderRoot.querySelector('[role=group]') as Element)).to.equal('Boat tour');
  });

  it('does not include the slots on and off, which replace the texts of the values', async () => {
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle>Open today<span slot="on">Yes</span><span slot="off">No</span></availability-toggle>`,
    );
    const [yes, no] = [...toggle.children] as [HTMLElement, HTMLElement];
    const seen = () => [yes, no].map((element) => element.getClientRects().length > 0);
    const before = seen();

    toggle.checked = true;
    await toggle.updateComplete;

    expect(accessibleName(control(toggle))).to.equal('Open today');
    expect([before, seen()]).to.deep.equal([
      [false, true],
      [true, false],
    ]);
  });
});

describe('a toggle that is created before its script is loaded', () => {
  it('keeps the properties that a framework has set', async () => {
    const tag = 'late-toggle';
    const page = await fixture<HTMLElement>(html`<form></form>`);
    const early = document.createElement(tag);
    Object.assign(early, { checked: true, name: 'open', strings: { available: 'Open' } });
    page.append(early);

    customElements.define(tag, class extends AvailabilityToggle {});
    const toggle = early as AvailabilityToggle;
    await toggle.updateComplete;

    expect([toggle.checked, words(toggle), [...new FormData(page as HTMLFormElement)]]).to.deep.equal([
      true,
      'Open',
      [['open', 'on']],
    ]);
  });
});

describe('a toggle that asks for a confirmation before it becomes unavailable', () => {
  const question = (toggle: AvailabilityToggle) => toggle.renderRoot.querySelector('dialog');
  const answer = (toggle: AvailabilityToggle, text: string) => {
    [...(question(toggle)?.querySelectorAll('button') ?? [])].find((button) => button.textContent === text)?.click();
  };

  it('accepts the edit only after a confirmation, and dispatches the usual events then', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);
    toggle.confirm = true;
    const events = recordEvents(toggle, 'inventory-change', 'input', 'change');

    toggle.click();
    await until(() => question(toggle)?.open, 'it asks');
    const asked = [shown(toggle).value, events.length, question(toggle)?.querySelector('p')?.textContent];
    answer(toggle, 'Make unavailable');

    await until(() => proxy.sent.length === 1, 'the edit has left');
    expect(asked).to.deep.equal(['on', 0, 'Make “\u2068Kayak tour\u2069” unavailable?']);
    expect(events.map(({ type }) => type)).to.deep.equal(['inventory-change', 'input', 'change']);
    expect(shown(toggle).value).to.equal('off');
  });

  it('changes nothing after a cancellation or Escape', async () => {
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle confirm checked>Open today</availability-toggle>`,
    );
    const events = recordEvents(toggle, 'input', 'change');

    toggle.click();
    await until(() => question(toggle)?.open, 'it asks');
    answer(toggle, 'Keep available');
    await until(() => question(toggle) === null, 'the question is gone');
    toggle.click();
    await until(() => question(toggle)?.open, 'it asks again');
    const heard: string[] = [];
    const listener = (event: KeyboardEvent): void => void heard.push(event.key);
    document.addEventListener('keydown', listener);
    await sendKeys({ press: 'Escape' });
    await until(() => question(toggle) === null, 'the question is gone');
    document.removeEventListener('keydown', listener);

    expect([toggle.checked, events]).to.deep.equal([true, []]);
    expect(heard, 'a drawer of the page’s that it stands in stays open').to.deep.equal([]);
  });

  it('asks with its current text content', async () => {
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle confirm checked>Loading</availability-toggle>`,
    );
    await toggle.updateComplete;

    const text = [...toggle.childNodes].find((node) => node instanceof Text);
    Object.assign(text ?? {}, { data: 'Open today' });
    toggle.click();
    await until(() => question(toggle)?.open, 'it asks');

    expect(question(toggle)?.querySelector('p')?.textContent).to.equal('Make “\u2068Open today\u2069” unavailable?');
  });

  for (const [what, move] of [
    ['another item', (toggle: AvailabilityToggle) => (toggle.item = BOAT)],
    ['its namesake at another proxy', (toggle: AvailabilityToggle, proxy: string) => (toggle.proxy = proxy)],
  ] as const)
    it(`does not apply a confirmation to ${what}`, async () => {
      const [proxy, elsewhere] = [fakeProxy(), fakeProxy()];
      for (const one of [proxy, elsewhere]) for (const id of [KAYAK, BOAT]) one.knows({ id, available: true });
      const toggle = await readyToggle(proxy);
      toggle.confirm = true;
      const events = recordEvents(toggle, 'inventory-change', 'input', 'change');

      toggle.click();
      await until(() => question(toggle)?.open, 'it asks');
      move(toggle, elsewhere.url);
      await toggle.updateComplete;
      await untilStatus(toggle, 'Live on the portal');
      answer(toggle, 'Make unavailable');
      await until(() => question(toggle) === null, 'the question is gone');
      await yieldToEventLoop();

      expect(events).to.deep.equal([]);
      expect(shown(toggle).value).to.equal('on');
    });

  it('closes the dialog when the page moves it, and asks again on the next press', async () => {
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle confirm checked>Open today</availability-toggle>`,
    );
    toggle.click();
    await until(() => question(toggle)?.matches(':modal'), 'it asks');

    toggle.parentElement?.append(document.createElement('hr'), toggle);

    expect(question(toggle)?.checkVisibility()).to.equal(false);
    expect(toggle.checked).to.equal(true);
    toggle.click();
    await until(() => question(toggle)?.matches(':modal'), 'it asks again');
    answer(toggle, 'Make unavailable');
    await until(() => question(toggle) === null, 'no question is left');
    expect(toggle.checked).to.equal(false);
  });

  it('does not ask when it becomes available', async () => {
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle confirm>Open today</availability-toggle>`,
    );

    toggle.click();

    expect(toggle.checked).to.equal(true);
    expect(question(toggle)).to.equal(null);
  });

  it('asks once, however often it is pressed before the dialog opens', async () => {
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle confirm checked>Open today</availability-toggle>`,
    );

    toggle.click();
    toggle.click();
    await until(() => question(toggle)?.open, 'it asks');
    answer(toggle, 'Keep available');

    await until(() => question(toggle) === null, 'no question is left');
    expect(toggle.checked).to.equal(true);
  });

  it('does not ask when it is readonly', async () => {
    const toggle = await readyToggle(fakeProxy());
    Object.assign(toggle, { confirm: true, readonly: true });
    await toggle.updateComplete;

    choices(toggle)[1]?.click();
    await import('../../../src/elements/availability-toggle/confirm-dialog.js');
    await yieldToEventLoop();

    expect(question(toggle)).to.equal(null);
  });

  it('asks with the text of a label element, or with its aria-label', async () => {
    const asked = async (page: HTMLElement): Promise<string | undefined> => {
      const toggle = page.querySelector('availability-toggle') as AvailabilityToggle;
      toggle.click();
      await until(() => question(toggle)?.open, 'it asks');
      return question(toggle)?.querySelector('p')?.textContent;
    };

    expect(
      await asked(
        await fixture<HTMLElement>(
          html`<label>Open today <availability-toggle confirm checked></availability-toggle></label>`,
        ),
      ),
    ).to.equal('Make “\u2068Open today\u2069” unavailable?');
    expect(
      await asked(
        await fixture<HTMLElement>(
          html`<p><availability-toggle confirm checked aria-label="Open on 3 May">3</availability-toggle></p>`,
        ),
      ),
    ).to.equal('Make “\u2068Open on 3 May\u2069” unavailable?');
  });

  it('has an accessible dialog', async () => {
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle confirm checked>Open today</availability-toggle>`,
    );

    toggle.click();
    await until(() => question(toggle)?.open, 'it asks');

    await expect(toggle).to.be.accessible();
  });
});

describe('a toggle whose item is in conflict', () => {
  const BASE = { id: KAYAK, available: true, state: 'conflict', reason: 'conflict' } as const;
  const theirs = { available: false, updated_at: LONG_AGO, by: 'Anna' };
  const button = (toggle: AvailabilityToggle, text: string) =>
    [...toggle.renderRoot.querySelectorAll('button')].find(
      ({ textContent }) => textContent.replace(/[\u2068\u2069]/g, '').trim() === text,
    );

  const at = (time: string) => `2026-01-05T${time}:00.000Z` as Timestamp;
  const base = { available: false, updated_at: at('08:03'), by: 'Cleo' };

  /** What is told of each value, under its name. */
  async function told(
    known: Partial<ListedItem>,
    lang = 'en',
  ): Promise<{ toggle: AvailabilityToggle; says: string[] }> {
    const proxy = fakeProxy();
    proxy.knows({ ...BASE, ...known });
    const toggle = await readyToggle(proxy);
    Object.assign(toggle, { lang, timeZone: 'UTC' });
    const list = (): Element | null | undefined => toggle.renderRoot.querySelector('[part=conflict] dl');
    const spoken = { en: 'Now', ar: 'الآن' }[lang] ?? '';
    await until(() => list()?.textContent.includes(spoken), 'both values are told');
    const words = (tag: string): string[] =>
      [...(list()?.querySelectorAll(tag) ?? [])].map(({ textContent }) =>
        textContent.replace(/[\u2068\u2069]/g, '').replace(/\s+/g, ' '),
      );
    const values = words('dd');
    return { toggle, says: words('dt').map((name, index) => `${name}: ${values[index] ?? ''}`) };
  }

  it('shows the previous, own and current value with times and authors, and offers both', async () => {
    const { toggle, says } = await told({ base, theirs, clicked_at: at('08:30') });

    expect(says).to.deep.equal([
      'Before: Not available, Jan 5, 2026, 8:03 AM, by Cleo',
      'You: Available, Jan 5, 2026, 8:30 AM',
      'Now: Not available, Jan 5, 2026, 9:00 AM, by Anna',
    ]);
    expect(button(toggle, 'Leave it “Not available” (Anna)')).not.to.equal(undefined);
    expect(button(toggle, 'Set to “Available” (you)')).not.to.equal(undefined);
    expect(button(toggle, 'Send again')).to.equal(undefined);
    await expect(toggle).to.be.accessible();
  });

  it('shows only the values that the proxy knows', async () => {
    const { says } = await told({ theirs });

    expect(says).to.deep.equal(['You: Available', 'Now: Not available, Jan 5, 2026, 9:00 AM, by Anna']);
  });

  it('names the other person, and leaves out the date of today', async () => {
    const { says } = await told({ theirs: { available: false, updated_at: toTimestamp(Date.now()) }, by: 'Ben' });

    expect(says[0]).to.equal('Ben: Available');
    expect(says[1]).to.match(/^Now: Not available, \d+:\d\d [AP]M$/);
  });

  it('shows the values in Arabic', async () => {
    const { says } = await told({ base, theirs, clicked_at: at('08:30') }, 'ar');

    expect(says[0]).to.match(/^سابقًا: غير متاح، .*، بواسطة Cleo$/);
    expect(says[1]).to.match(/^أنت: متاح، /);
    expect(says[2]).to.match(/^الآن: غير متاح، .*، بواسطة Anna$/);
  });

  it('sends nothing by itself, and the own value once the person chooses it', async () => {
    const proxy = fakeProxy();
    proxy.knows({ ...BASE, theirs });
    const toggle = await readyToggle(proxy);
    await until(() => button(toggle, 'Set to “Available” (you)'), 'mine is offered');
    const before = proxy.sent.length;

    button(toggle, 'Set to “Available” (you)')?.click();

    await until(() => proxy.sent.length === 1, 'the edit has left');
    expect([before, proxy.sent[0]?.available]).to.deep.equal([0, true]);
  });

  it('shows that the other value could not be kept now, and that nothing has changed', async () => {
    const proxy = fakeProxy();
    proxy.knows({ ...BASE, theirs, edit_id: 'edit-1' as EditId });
    const toggle = await readyToggle(proxy);
    await until(() => button(toggle, 'Leave it “Not available” (Anna)'), 'theirs is offered');
    const note = () => part(toggle, 'conflict').querySelector('[role=status]')?.textContent;
    const before = note();
    proxy.down = true;

    button(toggle, 'Leave it “Not available” (Anna)')?.click();

    await until(() => note()?.startsWith('Not done: there is no connection right now.'), 'the text is shown');
    expect(before).to.equal('');
    expect(shown(toggle).status).to.contain('chose differently');
  });

  it('offers the choice only if it is not readonly', async () => {
    const proxy = fakeProxy();
    proxy.knows({ ...BASE, theirs });
    const toggle = await readyToggle(proxy);
    await until(() => button(toggle, 'Set to “Available” (you)'), 'mine is offered');

    toggle.readonly = true;
    await toggle.updateComplete;

    expect(button(toggle, 'Set to “Available” (you)')).to.equal(undefined);
  });
});

describe('a toggle in a form', () => {
  it('sends no edit of its item after a reset, a restored page or a script', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const toggle = await readyToggle(proxy);
    const form = await fixture<HTMLFormElement>(html`<form></form>`);
    toggle.name = 'kayak';
    form.append(toggle);
    await untilStatus(toggle, 'Live on the portal');

    form.reset();
    toggle.formStateRestoreCallback('off');
    toggle.checked = false;
    toggle.defaultChecked = false;
    await toggle.updateComplete;

    expect(shown(toggle).value).to.equal('on');
    expect([...new FormData(form)]).to.deep.equal([['kayak', 'on']]);
    expect(proxy.sent).to.deep.equal([]);
  });

  it('submits nothing for an item without a value', async () => {
    const toggle = await readyToggle(fakeProxy());
    const form = await fixture<HTMLFormElement>(html`<form></form>`);
    toggle.name = 'kayak';

    form.append(toggle);
    await untilStatus(toggle, 'Not set yet');

    expect([...new FormData(form)]).to.deep.equal([]);
  });
});
