import { expect, fixture, html } from '@open-wc/testing';
import '../../../src/index.js';
import type { AvailabilityToggle } from '../../../src/index.js';
import type { EditState } from '../../../src/domain/edit-state.js';
import { KAYAK } from '../../client/support/items.js';
import { fakeProxy, type FakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { choices, control, readyToggle, shown, untilStatus } from '../support/on-page.js';

const PAGES: Readonly<Record<string, string>> = {
  'in a line of text': '',
  'in a line of text from right to left': 'direction: rtl',
  'at the end of a row': 'display: flex; justify-content: end',
  'in the middle of a row': 'display: flex; justify-content: center',
  'in a column as wide as what is in it': 'display: grid; grid-template-columns: max-content 1fr',
  'in a column as narrow as what is in it': 'display: grid; grid-template-columns: min-content 1fr',
  'on a phone': 'inline-size: 343px',
};

/** To a hundredth of a pixel: some engines add with less than that. */
function place(toggle: AvailabilityToggle): Record<string, string> {
  const { left, right, top, bottom } = control(toggle).getBoundingClientRect();
  const track = toggle.renderRoot.querySelector('[part=value]')?.getBoundingClientRect();
  const end = getComputedStyle(toggle).direction === 'rtl' ? track?.left : track?.right;
  const edges = Object.entries({ left, right, top, bottom, end: end ?? NaN });
  return Object.fromEntries(edges.map(([name, edge]) => [name, edge.toFixed(2)]));
}

async function toggleOn(page: string, density: string): Promise<{ toggle: AvailabilityToggle; proxy: FakeProxy }> {
  const proxy = fakeProxy();
  proxy.knows({ id: KAYAK, available: true });
  const toggle = await readyToggle(proxy);
  const around = await fixture<HTMLElement>(html`<div style=${page}></div>`);
  toggle.density = density;
  around.append(toggle);
  await untilStatus(toggle, 'Live on the portal');
  return { toggle, proxy };
}

describe('the switch of a toggle keeps its place', () => {
  for (const [name, page] of Object.entries(PAGES)) {
    for (const density of ['comfortable', 'compact']) {
      it(`whatever its status line shows, ${name}, ${density}`, async () => {
        const { toggle, proxy } = await toggleOn(page, density);
        const before = place(toggle);
        const seen: [string, Record<string, string>][] = [];
        const press = async (): Promise<void> => {
          const { length } = proxy.accepted;
          toggle.click();
          await toggle.updateComplete;
          seen.push([shown(toggle).value, place(toggle)]);
          await until(() => proxy.accepted.length > length, 'it is sent');
        };
        const tell = async (state: EditState, status: string): Promise<void> => {
          proxy.settle(KAYAK, state, state === 'refused' ? { reason: 'item_refused' } : {});
          await untilStatus(toggle, status);
          seen.push([status, place(toggle)]);
        };

        await press();
        await tell('received', 'Sent, ');
        await tell('refused', 'Not accepted');
        await press();
        await tell('delivered', 'Live on the portal');

        for (const [status, at] of seen) expect(at, status).to.deep.equal(before);
      });
    }
  }

  it('without an item, whichever text is longer', async () => {
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle .strings=${{ available: 'Yes', notAvailable: 'Not before the summer' }}
        >Kayak tour</availability-toggle
      >`,
    );
    const before = place(toggle);

    toggle.checked = true;
    await toggle.updateComplete;

    expect(place(toggle)).to.deep.equal(before);
  });
});

describe('the two choices of an unknown value', () => {
  for (const density of ['comfortable', 'compact']) {
    for (const width of [320, 160]) {
      it(`are 44 px high and 8 px apart, ${density}, in ${String(width)} px`, async () => {
        const toggle = await readyToggle(fakeProxy());
        const page = await fixture<HTMLElement>(html`<div style="inline-size: ${String(width)}px"></div>`);
        toggle.density = density;
        page.append(toggle);
        await until(() => choices(toggle).length > 0, 'there is a choice');

        const [one, two] = choices(toggle).map((choice) => choice.getBoundingClientRect());
        if (one === undefined || two === undefined) throw new Error('there are not two');

        expect(Math.min(one.height, two.height)).to.be.at.least(44);
        expect(Math.max(two.left - one.right, two.top - one.bottom)).to.be.at.least(8);
      });
    }
  }
});
