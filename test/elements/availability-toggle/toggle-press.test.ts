import { expect, fixture, html } from '@open-wc/testing';
import { sendKeys, sendMouse } from '@web/test-runner-commands';
import '../../../src/index.js';
import type { AvailabilityToggle } from '../../../src/index.js';
import { BOAT, KAYAK } from '../../client/support/items.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { readyToggle, recordEvents, untilStatus } from '../support/on-page.js';

/**
 * A person's press, unlike a script's `click()`, gives the page's own tasks a turn between `click` and `input`: whatever the
 * host does there, what was pressed is what counts.
 */
const PRESSES: Readonly<Record<string, (toggle: AvailabilityToggle) => Promise<void>>> = {
  'a mouse': async (toggle) => {
    const { left, top } = toggle.getBoundingClientRect();
    await sendMouse({ type: 'click', position: [Math.round(left) + 8, Math.round(top) + 8] });
  },
  'the space bar': async (toggle) => {
    toggle.focus();
    await sendKeys({ press: ' ' });
  },
};

const HOSTS: Readonly<Record<string, (toggle: AvailabilityToggle) => void>> = {
  'puts it out of use until the receipt': (toggle) => {
    toggle.disabled = true;
  },
  'names it anew': (toggle) => {
    toggle.setAttribute('aria-label', 'Kayak, changed');
  },
  'gives it other texts': (toggle) => {
    toggle.strings = { available: 'Open' };
  },
  'gives it another item': (toggle) => {
    toggle.item = BOAT;
  },
  'takes its item away': (toggle) => {
    toggle.item = null;
  },
  'puts it somewhere else': (toggle) => {
    toggle.parentElement?.parentElement?.append(toggle);
  },
  'takes it off the page': (toggle) => {
    toggle.remove();
  },
  'takes it off the page a moment later': (toggle) => {
    queueMicrotask(() => {
      toggle.remove();
    });
  },
  'gives it another item a moment later': (toggle) => {
    queueMicrotask(() => {
      toggle.item = BOAT;
    });
  },
};

for (const [device, press] of Object.entries(PRESSES)) {
  describe(`a press on a toggle with ${device}`, () => {
    for (const event of ['click', 'inventory-change', 'input'] as const) {
      for (const [what, act] of Object.entries(HOSTS)) {
        // At the click nothing is changed yet, and a host may well prevent it so.
        if (event === 'click' && !/names|texts/.test(what)) continue;
        it(`sends one edit if the host ${what} at ${event}`, async () => {
          const proxy = fakeProxy();
          for (const id of [KAYAK, BOAT]) proxy.knows({ id, available: true });
          const toggle = await readyToggle(proxy);
          await untilStatus(toggle, 'Live on the portal');
          // Something else keeps the page's store at work.
          await fixture(html`<availability-toggle item="sauna" proxy=${proxy.url}></availability-toggle>`);
          toggle.addEventListener(event, () => {
            act(toggle);
          });

          await press(toggle);

          await until(() => proxy.accepted.length > 0, 'it is sent');
          // A page that has let its last element go may send the same edit once more.
          const sent = new Map(proxy.sent.map(({ edit_id, id, available }) => [edit_id, [id, available]]));
          expect([...sent.values()]).to.deep.equal([[KAYAK, false]]);
        });
      }
    }

    it('changes nothing and dispatches no event if the host cancels it', async () => {
      const proxy = fakeProxy();
      proxy.knows({ id: KAYAK, available: true });
      const toggle = await readyToggle(proxy);
      await untilStatus(toggle, 'Live on the portal');
      toggle.addEventListener('inventory-change', (event) => {
        event.preventDefault();
        toggle.setAttribute('aria-label', 'Kayak, refused');
      });
      const heard = recordEvents(toggle, 'input', 'change');

      await press(toggle);
      await press(toggle);

      expect(toggle.checked).to.equal(true);
      expect(heard).to.deep.equal([]);
      expect(proxy.sent).to.deep.equal([]);
    });

    it('switches a plain toggle that the host renders again at the click', async () => {
      const form = await fixture<HTMLFormElement>(
        html`<form><availability-toggle name="kayak">Kayak tour</availability-toggle></form>`,
      );
      const toggle = form.firstElementChild as AvailabilityToggle;
      await toggle.updateComplete;
      toggle.addEventListener('click', () => {
        toggle.required = true;
      });

      await press(toggle);

      expect(toggle.checked).to.equal(true);
      expect([...new FormData(form)]).to.deep.equal([['kayak', 'on']]);
      expect(toggle.validity.valid).to.equal(true);
    });
  });
}
