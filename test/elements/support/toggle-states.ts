import type { AvailabilityToggle } from '../../../src/index.js';
import { hearWarnings } from '../../client/support/console-warnings.js';
import { fillStorage } from '../../client/support/failing-storage.js';
import { KAYAK } from '../../client/support/items.js';
import { until } from '../../client/support/until.js';
import { choices, tryAgain, untilStatus } from './on-page.js';
import { CONFLICT, type StatePage } from './state-page.js';

/** Brings a toggle into one of its states. */
export type ToggleState = (page: StatePage) => Promise<AvailabilityToggle>;

async function known(page: StatePage, available = true): Promise<AvailabilityToggle> {
  page.proxy.knows({ id: KAYAK, available });
  const toggle = await page.toggle();
  await untilStatus(toggle, 'Live on the portal');
  return toggle;
}

async function moved(page: StatePage): Promise<AvailabilityToggle> {
  const toggle = await known(page);
  toggle.click();
  return toggle;
}

/** The states of a toggle, by name. */
export const TOGGLE_STATES: Readonly<Record<string, ToggleState>> = {
  'plain and off': (page) => page.toggle({}),
  'plain and on': (page) => page.toggle({ checked: true }),
  'that a form requires': (page) => page.toggle({ required: true }),
  'in a compact page': async (page) => {
    const toggle = await known(page);
    toggle.density = 'compact';
    await toggle.updateComplete;
    return toggle;
  },
  'with two values of two people': async (page) => {
    page.proxy.knows(CONFLICT);
    const toggle = await page.toggle();
    await untilStatus(toggle, 'chose differently');
    return toggle;
  },
  'in Arabic': async (page) => {
    const toggle = await known(page);
    toggle.lang = 'ar';
    await untilStatus(toggle, 'على البوابة');
    return toggle;
  },
  'whose item has no value yet': async (page) => {
    const toggle = await page.toggle();
    await untilStatus(toggle, 'Not set yet');
    return toggle;
  },
  on: (page) => known(page),
  off: (page) => known(page, false),
  'with an edit on this device': async (page) => {
    page.proxy.hold('POST v1/inventory');
    const toggle = await moved(page);
    await untilStatus(toggle, 'Saved here');
    return toggle;
  },
  'with an edit that waits for a connection': async (page) => {
    page.proxy.down = true;
    const toggle = await page.toggle();
    await untilStatus(toggle, 'No connection.');
    choices(toggle)[0]?.click();
    await untilStatus(toggle, 'when the connection is back');
    return toggle;
  },
  'with an edit that storage refused': async (page) => {
    hearWarnings();
    page.proxy.hold('POST v1/inventory');
    const toggle = await known(page);
    fillStorage();
    toggle.click();
    await untilStatus(toggle, 'Not saved');
    return toggle;
  },
  'with a received edit': async (page) => {
    const toggle = await moved(page);
    await untilStatus(toggle, 'Sent, ');
    return toggle;
  },
  'with an edit that is held up': async (page) => {
    page.proxy.knows({ id: KAYAK, available: true, state: 'received', delayed: true, reason: 'portal_busy' });
    const toggle = await page.toggle();
    await untilStatus(toggle, 'the portal is busy');
    return toggle;
  },
  'with an edit that needs attention': async (page) => {
    page.proxy.knows({ id: KAYAK, available: true, state: 'refused', reason: 'item_refused' });
    const toggle = await page.toggle();
    await until(() => tryAgain(toggle) !== undefined, 'trying again is offered');
    return toggle;
  },
  readonly: async (page) => {
    const toggle = await known(page);
    toggle.readonly = true;
    await toggle.updateComplete;
    return toggle;
  },
  disabled: async (page) => {
    const toggle = await known(page);
    toggle.disabled = true;
    await toggle.updateComplete;
    return toggle;
  },
  'in use by the keyboard': async (page) => {
    const toggle = await known(page);
    toggle.focus();
    return toggle;
  },
  'signed out': async (page) => {
    page.proxy.person = undefined;
    const toggle = await page.toggle({ item: KAYAK, session: page.proxy.sessionUrl });
    await untilStatus(toggle, 'You are signed out');
    return toggle;
  },
  'in trouble': async (page) => {
    page.proxy.refusal = 'origin_refused';
    const toggle = await page.toggle();
    await untilStatus(toggle, 'For support');
    return toggle;
  },
  'without a proxy': async (page) => {
    hearWarnings();
    const toggle = await page.toggle({ item: KAYAK, proxy: undefined });
    await untilStatus(toggle, 'address of its proxy');
    return toggle;
  },
  'with a bad id': async (page) => {
    hearWarnings();
    const toggle = await page.toggle({ item: '' });
    await untilStatus(toggle, 'id of its item');
    return toggle;
  },
};
