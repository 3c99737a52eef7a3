import { fieldErrors, type FieldError } from '../contract/field-errors.js';
import { inventoryUpdate, type PortalItem } from '../contract/portal.js';
import type { Faults } from './faults.js';
import { shownToken, type Habits } from './habits.js';
import type { HeldItems } from './held-items.js';
import type { JsonBody } from './json-body.js';
import { json, problem } from './responses.js';
import type { SandboxState } from './sandbox-state.js';
import type { TokenCheck } from './tokens.js';
import type { Reception, Verdict } from './verdict.js';

/** The profile's default limit for one call. */
export const MAX_ITEMS = 100;

const CHALLENGE = 'Bearer realm="sandbox portal"';

type ReadUpdate =
  { readonly ok: true; readonly inventory: readonly PortalItem[] } | { readonly ok: false; readonly refusal: Response };

/**
 * `POST /v1/inventory`. The document gives the body ("Inventory item": three fields and no other) and leaves the rest
 * open; address, bearer token (RFC 6750) and limits are the profile's defaults. All or nothing: one bad item and nothing
 * of the update is applied, unless it is this portal's habit to answer for each. An item that is named twice in one update is applied twice, in order.
 */
export function receiveInventoryUpdate(
  headers: Headers,
  body: JsonBody,
  { tokens, items }: Pick<SandboxState, 'tokens' | 'items'>,
  habits: Habits,
): Reception {
  const shown = shownToken(headers, habits);
  const check = shown === undefined ? undefined : tokens.check(shown);
  const update = readUpdate(body);
  return {
    seen: {
      token: check === undefined || check.state === 'unknown' ? null : check.generation,
      inventory: update.ok ? update.inventory : null,
    },
    decide: (faults) => refuseToken(check, habits) ?? settle(update, faults, items, habits),
  };
}

function readUpdate(body: JsonBody): ReadUpdate {
  if (!body.ok) return { ok: false, refusal: problem(body.refusal.status, body.refusal.detail) };
  const parsed = inventoryUpdate.safeParse(body.value);
  if (!parsed.success) return { ok: false, refusal: unprocessable(fieldErrors(parsed.error)) };
  return { ok: true, inventory: parsed.data.inventory };
}

function refuseToken(check: TokenCheck | undefined, habits: Habits): Verdict | undefined {
  // RFC 6750, section 3.1: a request that shows no token is told the scheme and no error code.
  if (check === undefined) return { response: unauthorized(`Send the token as ${placeOf(habits)}.`, ''), facts: {} };
  if (check.state === 'valid') return undefined;
  return {
    response: unauthorized('The token is unknown or has expired.', ', error="invalid_token"'),
    facts: check.state === 'revoked' ? { fault: 'expire_tokens' } : {},
  };
}

function placeOf({ token_header, token_prefix }: Habits): string {
  return `${token_header}: ${token_prefix}`.trim();
}

function settle(update: ReadUpdate, faults: Faults, items: HeldItems, { results }: Habits): Verdict {
  if (!update.ok) return { response: update.refusal, facts: {} };
  const { inventory } = update;
  if (inventory.length > MAX_ITEMS) {
    const errors = [{ pointer: '/inventory', message: `expected at most ${MAX_ITEMS}` }];
    return { response: unprocessable(errors), facts: {} };
  }
  if (results === 'each') return settleEach(inventory, faults, items);
  const refused = errorsOfRefusedItems(inventory, faults);
  if (refused.length > 0) return { response: unprocessable(refused), facts: { fault: 'refuse_items' } };
  for (const item of inventory) items.apply(item);
  return { response: json(200, { status: 'ok' }), facts: { applied: true } };
}

/** RFC 4918, section 13, has the status; its body is whatever the two sides agree on. */
function settleEach(inventory: readonly PortalItem[], faults: Faults, items: HeldItems): Verdict {
  const bad = new Set(faults.refuse_items);
  const refused = inventory.filter(({ id }) => bad.has(id)).map(({ id }) => id);
  const taken = inventory.filter(({ id }) => !bad.has(id));
  for (const item of taken) items.apply(item);
  const results = inventory.map(({ id }) =>
    bad.has(id) ? { id, status: 422, detail: 'the portal refuses this item' } : { id, status: 200 },
  );
  return {
    response: json(207, { results }),
    facts: { applied: taken.length > 0, ...(refused.length > 0 && { refused, fault: 'refuse_items' }) },
  };
}

function errorsOfRefusedItems(inventory: readonly PortalItem[], faults: Faults): FieldError[] {
  const refused = new Set(faults.refuse_items);
  return inventory.flatMap(({ id }, index) =>
    refused.has(id) ? [{ pointer: `/inventory/${index}/id`, message: 'the portal refuses this item' }] : [],
  );
}

function unauthorized(detail: string, parameters: string): Response {
  return problem(401, detail, { headers: { 'WWW-Authenticate': CHALLENGE + parameters } });
}

function unprocessable(errors: readonly FieldError[]): Response {
  return problem(422, 'Nothing of this update was applied.', { errors });
}
