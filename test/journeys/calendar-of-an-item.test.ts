import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { scratchFolder } from '../support/scratch-folder.js';
import { selfSigned } from '../support/self-signed.js';
import { deliveries, untilDelivered } from './deliveries.js';
import { DESKTOP, useDemo, type Demo } from './use-demo.js';
import type { BrowserUser } from './browser-user.js';

const MOUNTED_PROXY = fileURLToPath(new URL('mounted-proxy.ts', import.meta.url));
const ZONE = 'Europe/Berlin';
const AT_A_DESK = { ...DESKTOP, timezoneId: ZONE };
/** The event began an hour ago and ends this long after the item gets the calendar. */
const BUSY_MS = 4 * 60_000;
/** How far the clock of the restarted proxy is ahead. The token of the page is still valid then. */
const AHEAD_MS = 6 * 60_000;

/** A local HTTPS server with a calendar that has a running event. */
class CalendarServer {
  readonly certificate = selfSigned('localhost');
  readonly #server: Server;
  #endsAt = 0;
  requests = 0;

  constructor() {
    this.#server = createServer(this.certificate, (_request, response) => {
      this.requests += 1;
      response.writeHead(200, { 'Content-Type': 'text/calendar' }).end(this.#text());
    });
  }

  async open(): Promise<void> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
  }

  get address(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `webcal://localhost:${String(port)}/kayak-7c1d.ics`;
  }

  /** The end of the event as a row shows it, on another day with the weekday. */
  get backAt(): RegExp {
    const format = new Intl.DateTimeFormat('en', { hour: 'numeric', minute: '2-digit', timeZone: ZONE });
    const parts = format.formatToParts(this.#end());
    const [hour, minute] = ['hour', 'minute'].map((type) => parts.find((part) => part.type === type)?.value ?? '');
    return new RegExp(`back .*\\b${hour ?? ''}:${minute ?? ''}`);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #end(): number {
    return (this.#endsAt ||= Math.ceil((Date.now() + BUSY_MS) / 60_000) * 60_000);
  }

  #text(): string {
    const [from, to] = [Date.now() - 3_600_000, this.#end()].map((time) =>
      new Date(time).toISOString().replace(/[-:]|\.\d+/g, ''),
    );
    const event = ['BEGIN:VEVENT', 'UID:7c1d', `DTSTART:${from ?? ''}`, `DTEND:${to ?? ''}`, 'END:VEVENT'];
    return ['BEGIN:VCALENDAR', 'VERSION:2.0', ...event, 'END:VCALENDAR', ''].join('\r\n');
  }
}

const calendar = new CalendarServer();

before(() => calendar.open());

after(() => {
  calendar.close();
});

const rowOf = ({ page }: BrowserUser): Locator =>
  page.locator('inventory-editor .sheet .row').filter({ hasText: 'Evening sailing' });

/** Gives the address of the calendar for one item. @returns the dialog */
async function giveCalendar(user: BrowserUser): Promise<Locator> {
  const editor = user.page.locator('inventory-editor');
  await rowOf(user).locator('.name').click();
  await editor.getByRole('dialog').getByRole('button', { name: 'Unavailable until…' }).click();
  const dialog = editor.getByRole('dialog', { name: /^Unavailable until…/ });
  await dialog.getByLabel('Whenever a calendar is busy').check();
  await dialog.getByLabel('Address of the calendar (iCal)').fill(calendar.address);
  await dialog.getByRole('button', { name: 'Save' }).click();
  return dialog;
}

/**
 * A vendor also rents the boat on another site. A booking there makes the item unavailable here without a person's
 * action.
 */
describe('the calendar of an item', () => {
  const demo: Demo = useDemo(() => {
    const file = join(scratchFolder(), 'ca.pem');
    writeFileSync(file, calendar.certificate.cert);
    return {
      proxyProgram: ['--import', 'tsx', MOUNTED_PROXY],
      proxySettings: { CALENDAR_CA_FILE: file },
    };
  });
  let user: BrowserUser;

  before(async () => {
    user = await demo.visit('?saving=auto', AT_A_DESK);
  });

  it('makes the item unavailable during an event, and the row shows when the item is back', async () => {
    await giveCalendar(user);

    await rowOf(user).getByText(calendar.backAt).waitFor();
    assert.deepEqual(await untilDelivered(demo.servers, 1), [['sailing-evening', false]]);
    assert.equal(await rowOf(user).getByRole('switch').isChecked(), false);
  });

  it('makes the item available once if the event ended while the proxy was down', async () => {
    await demo.servers.proxy.end('SIGKILL');
    await demo.servers.proxy.start({ CLOCK_AHEAD_MS: String(AHEAD_MS) });

    await untilDelivered(demo.servers, 2);
    await rowOf(user).getByText('back').waitFor({ state: 'detached' });
    await rowOf(user).getByText('Live on the portal').waitFor();
    assert.deepEqual(await deliveries(demo.servers), [
      ['sailing-evening', false],
      ['sailing-evening', true],
    ]);
    assert.equal(await rowOf(user).getByRole('switch').isChecked(), true);
  });

  it('has an address that no response to the page contains', async () => {
    assert.ok(!(await user.received()).includes('7c1d'));
    assert.deepEqual(user.violations, []);
  });
});

describe('the address of a calendar in a private network', () => {
  const demo = useDemo();

  it('is not fetched by the proxy command, and the dialog names the reason', async () => {
    const before = calendar.requests;
    const user = await demo.visit('?saving=auto', AT_A_DESK);

    const dialog = await giveCalendar(user);

    await dialog.getByRole('alert').getByText('not on the public internet').waitFor();
    assert.equal(calendar.requests, before);
    assert.equal(await rowOf(user).getByRole('switch').isChecked(), true);
  });
});
