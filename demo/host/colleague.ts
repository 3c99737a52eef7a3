import { randomUUID } from 'node:crypto';
import ky, { type KyInstance } from 'ky';
import type { EditBatch, Listing } from '../../src/contract/widget.js';
import { toTimestamp, type ItemId, type Timestamp } from '../../src/domain/item.js';
import { tokenFor, type Issuer, type Role } from './people.js';

const ITEM = 'kayak-tour-2' as ItemId;
const HOUR_MS = 3_600_000;

/** Somebody else at the same business, on another device: flips the kayak tour. */
export async function colleagueFlips(issuer: Issuer): Promise<void> {
  const available = (await kayak(issuer))?.available !== true;
  await post('colleague', issuer, { available, updated_at: toTimestamp(Date.now()) });
}

/**
 * What happens when the person at this page flipped the kayak tour on a phone that was offline for an hour, and a colleague
 * changed it meanwhile: two values stand against each other.
 */
export async function phoneComesBack(issuer: Issuer): Promise<void> {
  if ((await kayak(issuer)) === undefined) await colleagueFlips(issuer);
  const seen = await kayak(issuer);
  // Away from what was seen and back to it: a colleague says anew what the person wished to be otherwise.
  await colleagueFlips(issuer);
  await colleagueFlips(issuer);
  const edit = { available: seen?.available !== true, updated_at: toTimestamp(Date.now()), base: seen?.updated_at };
  // How long the phone was offline is the time between the click and the sending, by its own clock.
  await post('vendor', issuer, edit, Date.now() + HOUR_MS);
}

async function kayak(issuer: Issuer): Promise<Listing['inventory'][number] | undefined> {
  const { inventory } = await (await as('colleague', issuer)).get('v1/inventory').json<Listing>();
  return inventory.find(({ id }) => id === ITEM);
}

async function post(
  role: Role,
  issuer: Issuer,
  edit: { readonly available: boolean; readonly updated_at: Timestamp; readonly base?: Timestamp | undefined },
  sentAt = Date.now(),
): Promise<void> {
  const json: EditBatch = {
    inventory: [{ id: ITEM, label: 'Kayak tour, 2 hours', ...edit }],
    sent_at: toTimestamp(sentAt),
  };
  const headers = { 'X-Requested-With': 'inventory-widget', 'Idempotency-Key': randomUUID() };
  await (await as(role, issuer)).post('v1/inventory', { json, headers });
}

/** Calls of the proxy as somebody's page makes them. */
async function as(role: Role, issuer: Issuer): Promise<KyInstance> {
  const headers = { Authorization: `Bearer ${await tokenFor(role, issuer)}`, Origin: issuer.origin };
  return ky.create({ prefix: issuer.proxy, retry: 0, headers });
}
