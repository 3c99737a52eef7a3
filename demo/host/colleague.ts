import { randomUUID } from 'node:crypto';
import ky, { type KyInstance } from 'ky';
import type { EditBatch, Listing } from '../../src/contract/widget.js';
import { type ItemId, toTimestamp } from '../../src/domain/item.js';
import { type Issuer, type Role, tokenFor } from './people.js';

const KAYAK = { id: 'kayak-tour-2' as ItemId, label: 'Kayak tour, 2 hours' };
const SAILING = { id: 'sailing-evening' as ItemId, label: 'Evening sailing', available: true };
const HOUR_MS = 3_600_000;
const WAIT_SECONDS = 5;

/** A colleague at the same vendor changes the kayak tour on another device. */
export async function colleagueFlips(issuer: Issuer): Promise<void> {
  const available = (await kayak(issuer))?.available !== true;
  await post('colleague', issuer, { ...KAYAK, available, updated_at: toTimestamp(Date.now()) });
}

/**
 * A colleague makes an edit that the portal accepts, if the portal has accepted none yet: a rejection before the first
 * accepted edit counts as a wrong setting and holds back all edits.
 */
export async function colleagueGoesFirst(issuer: Issuer): Promise<void> {
  if ((await listed(issuer)).some(({ state }) => state === 'delivered')) return;
  const edit = { ...SAILING, updated_at: toTimestamp(Date.now()) };
  await post('colleague', issuer, edit, { Prefer: `wait=${String(WAIT_SECONDS)}` });
}

/**
 * The person at this page has changed the kayak tour on a phone that was offline for an hour, and a colleague changed it
 * during that hour, so the two values conflict.
 */
export async function phoneComesBack(issuer: Issuer): Promise<void> {
  if ((await kayak(issuer)) === undefined) await colleagueFlips(issuer);
  const seen = await kayak(issuer);
  // The colleague changes the value and changes it back, so that the value is the one that the person saw, but newer.
  await colleagueFlips(issuer);
  await colleagueFlips(issuer);
  const values = { available: seen?.available !== true, updated_at: toTimestamp(Date.now()), base: seen?.updated_at };
  // The proxy calculates how long the phone was offline from the times of the click and of the sending, both by the phone's
  // clock.
  await post('vendor', issuer, { ...KAYAK, ...values }, {}, Date.now() + HOUR_MS);
}

async function kayak(issuer: Issuer): Promise<Listing['inventory'][number] | undefined> {
  return (await listed(issuer)).find(({ id }) => id === KAYAK.id);
}

async function listed(issuer: Issuer): Promise<Listing['inventory']> {
  return (await (await as('colleague', issuer)).get('v1/inventory').json<Listing>()).inventory;
}

async function post(
  role: Role,
  issuer: Issuer,
  edit: EditBatch['inventory'][number],
  preferences: Readonly<Record<string, string>> = {},
  sentAt = Date.now(),
): Promise<void> {
  const json: EditBatch = { inventory: [edit], sent_at: toTimestamp(sentAt) };
  const headers = { 'X-Requested-With': 'inventory-widget', 'Idempotency-Key': randomUUID(), ...preferences };
  await (await as(role, issuer)).post('v1/inventory', { json, headers });
}

/** @returns a client that calls the proxy as a page of this person does */
async function as(role: Role, issuer: Issuer): Promise<KyInstance> {
  const headers = { Authorization: `Bearer ${await tokenFor(role, issuer)}`, Origin: issuer.origin };
  return ky.create({ prefix: issuer.proxy, retry: 0, headers });
}
