import { expect, fixture, html } from '@open-wc/testing';
import { executeServerCommand, sendMouse } from '@web/test-runner-commands';
import type { TemplateResult } from 'lit';
import '../../../src/index.js';
import type { AvailabilityToggle } from '../../../src/index.js';
import { KAYAK } from '../../client/support/items.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { control, readyToggle, recordEvents, untilStatus } from '../support/on-page.js';

type Point = readonly [x: number, y: number];

/** Farther than the thumb goes. */
const FAR = 30;

/** Some engines measure in pixels of the page, and some in those of the window. */
let pagePixel = 1;

const rounded = ([x, y]: Point): [number, number] => [Math.round(x * pagePixel), Math.round(y * pagePixel)];

async function clickAt(...point: Point): Promise<void> {
  await sendMouse({ type: 'click', position: rounded(point) });
}

async function moveTo(...point: Point): Promise<void> {
  await sendMouse({ type: 'move', position: rounded(point) });
}

/** With the button down, in steps as a hand makes them. */
async function drag([x, y]: Point, ...stops: readonly Point[]): Promise<void> {
  await moveTo(x, y);
  await sendMouse({ type: 'down' });
  let from: Point = [x, y];
  for (const to of stops) {
    await moveTo((from[0] + to[0]) / 2, (from[1] + to[1]) / 2);
    await moveTo(...to);
    from = to;
  }
}

async function drop(): Promise<void> {
  await sendMouse({ type: 'up' });
}

async function swipe(from: Point, to: Point): Promise<void> {
  await executeServerCommand('swipe', { from: rounded(from), to: rounded(to) });
}

function part(toggle: AvailabilityToggle, name: string): Element {
  const found = toggle.renderRoot.querySelector(`[part=${name}]`);
  if (found === null) throw new Error(`it has no ${name}`);
  return found;
}

const isRightToLeft = (toggle: AvailabilityToggle): boolean => getComputedStyle(toggle).direction === 'rtl';

/** The middle of the thumb, by the track at the end of the value. */
function thumb(toggle: AvailabilityToggle, isOn = toggle.checked): Point {
  const { left, right, top, height } = part(toggle, 'value').getBoundingClientRect();
  const fromEnd = isOn ? 14 : 32;
  return [isRightToLeft(toggle) ? left + fromEnd : right - fromEnd, top + height / 2];
}

/** Which side the thumb is on its way to, or at. */
function shownSide(toggle: AvailabilityToggle): boolean {
  return part(toggle, 'value').matches('.on');
}

async function plain(template: TemplateResult): Promise<AvailabilityToggle> {
  const page = await fixture<HTMLElement>(html`<div style="padding: 20px">${template}</div>`);
  const toggle = page.querySelector('availability-toggle') as AvailabilityToggle;
  await toggle.updateComplete;
  return toggle;
}

const LONG = 'A room with a view of the harbour, a balcony, two beds, a kitchen and a bath of its own';

for (const zoom of [1, 4]) {
  describe(`a click on a toggle, at a zoom of ${String(zoom * 100)} %`, () => {
    beforeEach(() => {
      document.documentElement.style.setProperty('zoom', String(zoom));
      const probe = document.createElement('div');
      probe.style.setProperty('inline-size', '10px');
      document.body.append(probe);
      pagePixel = (10 * zoom) / probe.getBoundingClientRect().width;
      probe.remove();
    });

    afterEach(() => {
      document.documentElement.style.removeProperty('zoom');
      pagePixel = 1;
      window.scrollTo(0, 0);
    });

    it('switches it once at every corner', async () => {
      const toggle = await plain(
        html`<div style="inline-size: 150px"><availability-toggle>Kayak</availability-toggle></div>`,
      );
      const changes = recordEvents(toggle, 'change');
      const { left, right, top, bottom } = control(toggle).getBoundingClientRect();
      const seen: [boolean, number][] = [];

      for (const x of [left + 1.5, right - 1.5]) {
        for (const y of [top + 1.5, bottom - 1.5]) {
          await clickAt(x, y);
          seen.push([toggle.checked, changes.length]);
        }
      }

      expect(seen).to.deep.equal([
        [true, 1],
        [false, 2],
        [true, 3],
        [false, 4],
      ]);
    });

    it('switches it once on every line of a label', async () => {
      const toggle = await plain(
        html`<div style="inline-size: 150px"><availability-toggle>${LONG}</availability-toggle></div>`,
      );
      const changes = recordEvents(toggle, 'change');
      const text = document.createRange();
      text.selectNodeContents(toggle);
      const lines = [...text.getClientRects()].filter(({ width }) => width > 4);
      let clicks = 0;

      for (const { left, width } of lines) {
        // What lies below the window is scrolled to before it is clicked.
        const rects = (): DOMRect | undefined => [...text.getClientRects()].filter((rect) => rect.width > 4)[clicks];
        window.scrollBy(0, (rects()?.top ?? 0) - 100);
        const { top = 0, height = 0 } = rects() ?? {};
        await clickAt(left + width / 2, top + height / 2);
        clicks += 1;
        expect([toggle.checked, changes.length]).to.deep.equal([clicks % 2 === 1, clicks]);
      }

      expect(clicks).to.be.above(2);
    });
  });
}

for (const dir of ['ltr', 'rtl'] as const) {
  describe(`the thumb of a toggle, ${dir}`, () => {
    /** Towards the side of on: the end of the line. */
    const forwards = dir === 'ltr' ? FAR : -FAR;

    const inDirection = (isOn: boolean): Promise<AvailabilityToggle> =>
      plain(html`<div dir=${dir}><availability-toggle ?checked=${isOn}>Kayak tour</availability-toggle></div>`);

    for (const isOn of [false, true]) {
      for (const goal of [false, true]) {
        const way = goal ? forwards : -forwards;

        it(`that is dragged to ${goal ? 'on' : 'off'} with a mouse sets it to that side, from ${isOn ? 'on' : 'off'}`, async () => {
          const toggle = await inDirection(isOn);
          const heard = recordEvents(toggle, 'input', 'change', 'click');
          const [x, y] = thumb(toggle);

          await drag([x, y], [x + way, y]);
          const shown = [toggle.checked, shownSide(toggle)];
          await drop();

          expect(shown).to.deep.equal([isOn, goal]);
          expect([toggle.checked, shownSide(toggle)]).to.deep.equal([goal, goal]);
          expect(heard.map(({ type }) => type)).to.deep.equal(isOn === goal ? [] : ['input', 'change']);
        });

        it(`that is swiped to ${goal ? 'on' : 'off'} with a finger sets it to that side, from ${isOn ? 'on' : 'off'}`, async () => {
          const toggle = await inDirection(isOn);
          const heard = recordEvents(toggle, 'change');
          const [x, y] = thumb(toggle);

          await swipe([x, y], [x + way, y]);

          expect([toggle.checked, shownSide(toggle)]).to.deep.equal([goal, goal]);
          expect(heard).to.have.length(isOn === goal ? 0 : 1);
        });
      }
    }

    it('returns when the pointer moves back before the release', async () => {
      const toggle = await inDirection(false);
      const heard = recordEvents(toggle, 'input', 'change');
      const [x, y] = thumb(toggle);

      await drag([x, y], [x + forwards, y], [x, y]);
      await drop();

      expect([toggle.checked, shownSide(toggle), heard.length]).to.deep.equal([false, false, 0]);
    });

    it('can be clicked right after it was dragged', async () => {
      const toggle = await inDirection(false);
      const [x, y] = thumb(toggle);
      await drag([x, y], [x + forwards, y]);
      await drop();

      await clickAt(x, y);

      expect(toggle.checked).to.equal(false);
    });
  });
}

describe('a press on a toggle that ends elsewhere', () => {
  const withNeighbours = async (): Promise<{ toggle: AvailabilityToggle; below: DOMRect }> => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: false });
    const toggle = await readyToggle(proxy);
    await untilStatus(toggle, 'Live on the portal');
    return { toggle, below: part(toggle, 'status').getBoundingClientRect() };
  };

  it('takes the side that the thumb shows, wherever the pointer is released', async () => {
    const { toggle, below } = await withNeighbours();
    const [x, y] = thumb(toggle);

    await drag([x, y], [x + FAR, y], [x + FAR, below.bottom + 60]);
    const shown = shownSide(toggle);
    await drop();

    expect([shown, toggle.checked]).to.deep.equal([true, true]);
  });

  for (const end of ['on its status line', 'beside it'] as const) {
    it(`changes nothing if it ends ${end} and the thumb has not moved`, async () => {
      const { toggle, below } = await withNeighbours();
      const heard = recordEvents(toggle, 'input', 'change', 'inventory-change');
      const [x, y] = thumb(toggle);

      await drag([x, y], [x, end === 'beside it' ? below.bottom + 60 : below.top + 12]);
      await drop();

      expect([toggle.checked, shownSide(toggle), heard.length]).to.deep.equal([false, false, 0]);
    });
  }

  it('changes nothing if it began on the label', async () => {
    const { toggle, below } = await withNeighbours();
    const { left, top } = control(toggle).getBoundingClientRect();

    await drag([left + 10, top + 20], [left + 60, below.top + 12]);
    await drop();

    expect(toggle.checked).to.equal(false);
  });

  it('changes nothing if it began on the status line and ended on the switch', async () => {
    const { toggle, below } = await withNeighbours();

    await drag([below.left + 30, below.top + 14], thumb(toggle));
    await drop();

    expect(toggle.checked).to.equal(false);
  });

  it('takes the side that the thumb shows within a label of the page too', async () => {
    const toggle = await plain(
      html`<label>Open today <availability-toggle></availability-toggle><br />and tomorrow</label>`,
    );
    const { left, bottom } = (toggle.parentElement as HTMLElement).getBoundingClientRect();
    const [x, y] = thumb(toggle);

    await drag([x, y], [x + FAR, y]);
    await drop();
    const dragged = toggle.checked;
    await drag(thumb(toggle), [left + 5, bottom - 5]);
    const shown = shownSide(toggle);
    await drop();

    expect([dragged, toggle.checked]).to.deep.equal([true, shown]);
  });
});

describe('a drag of the thumb', () => {
  for (const attribute of ['disabled', 'readonly'] as const) {
    it(`changes nothing if the toggle is ${attribute}`, async () => {
      const toggle = await plain(html`<availability-toggle>Kayak tour</availability-toggle>`);
      toggle[attribute] = true;
      await toggle.updateComplete;
      const [x, y] = thumb(toggle);

      await drag([x, y], [x + FAR, y]);
      const shown = shownSide(toggle);
      await drop();

      expect([shown, toggle.checked]).to.deep.equal([false, false]);
    });
  }

  it('asks for a confirmation as a click does', async () => {
    const toggle = await plain(html`<availability-toggle confirm checked>Kayak tour</availability-toggle>`);
    const [x, y] = thumb(toggle);

    await drag([x, y], [x - FAR, y]);
    await drop();
    await until(() => toggle.renderRoot.querySelector('dialog')?.open, 'it asks');

    expect(toggle.checked).to.equal(true);
  });

  it('sends one edit of the item, which the host may cancel', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: false });
    const toggle = await readyToggle(proxy);
    await untilStatus(toggle, 'Live on the portal');
    const refuse = (event: Event): void => {
      event.preventDefault();
    };
    const [x, y] = thumb(toggle);
    toggle.addEventListener('inventory-change', refuse);
    await drag([x, y], [x + FAR, y]);
    await drop();
    const refused = toggle.checked;
    toggle.removeEventListener('inventory-change', refuse);

    await drag([x, y], [x + FAR, y]);
    await drop();
    await until(() => proxy.sent.length > 0, 'it is sent');

    expect(refused).to.equal(false);
    expect(proxy.sent.map(({ id, available }) => [id, available])).to.deep.equal([[KAYAK, true]]);
  });
});

describe('a vertical swipe over a toggle', () => {
  it('does not switch it', async () => {
    const toggle = await plain(html`<availability-toggle>Kayak tour</availability-toggle>`);
    const [x, y] = thumb(toggle);

    await swipe([x, y], [x + 4, y + 120]);

    expect([toggle.checked, shownSide(toggle)]).to.deep.equal([false, false]);
  });
});
