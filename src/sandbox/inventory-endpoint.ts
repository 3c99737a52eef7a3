import { fieldErrors, type FieldError } from '../contract/validation-errors.js';
import { inventoryUpdate, type PortalItem } from '../contract/portal.js';
import type { Faults } from './faults.js';
import { readToken, type Variants } from './variants.js';
import type { StoredItems } from './portal-items.js';
import { empty, json, type JsonBody, problem } from './responses.js';
import type { SandboxState } from './state.js';
import type { TokenCheck } from './tokens.js';
import type { Reception, RequestResult } from './journal.js';

const CHALLENGE = 'Bearer realm="sandbox portal"';

type ReadUpdate =
  { readonly ok: true; readonly inventory: readonly PortalItem[] } | { readonly ok: false; readonly refusal: Response };

/**
 * An inventory update. The document gives the body ("Inventory item": three fields and no other) and leaves the rest open,
 * which is this portal's habit. All or nothing: one bad item and nothing of the update is applied, unless it is the habit
 * to answer for each. An item that is named twice in one update is applied twice, in order.
 */
export function receiveInventoryUpdate(
  headers: Headers,
  body: JsonBody,
  { tokens, items, namedUpdates, limits }: SandboxState,
  habits: Variants,
): Reception {
  const shown = readToken(headers, habits);
  const check = shown === undefined ? undefined : tokens.check(shown);
  const update = readUpdate(body, habits);
  const judge = (faults: Faults): RequestResult => {
    const refusal = refuseToken(check, habits) ?? refuseHead(headers, habits);
    if (refusal !== undefined) return refusal;
    if (!update.ok) return { response: update.refusal, facts: {} };
    const { inventory } = update;
    const errors = errorsOfForm(inventory, habits);
    if (errors.length > 0) return { response: refused(errors, habits), facts: {} };
    const apply = (): RequestResult => settle(inventory, faults, items, habits);
    const name = habits.idempotency_header && headers.get(habits.idempotency_header);
    return name ? namedUpdates.once(name, inventory, apply) : apply();
  };
  return {
    seen: {
      token: check === undefined || check.state === 'unknown' ? null : check.generation,
      inventory: update.ok ? update.inventory : null,
    },
    decide: (faults) => {
      const admitted = limits.admit(habits);
      return typeof admitted === 'function' ? { ...judge(faults), onAnswered: admitted } : admitted;
    },
  };
}

function readUpdate(body: JsonBody, habits: Variants): ReadUpdate {
  if (!body.ok) return { ok: false, refusal: problem(body.refusal.status, body.refusal.detail) };
  const parsed = inventoryUpdate.safeParse(body.value);
  if (!parsed.success) return { ok: false, refusal: refused(fieldErrors(parsed.error), habits) };
  return { ok: true, inventory: parsed.data.inventory };
}

function refuseToken(check: TokenCheck | undefined, habits: Variants): RequestResult | undefined {
  // RFC 6750, section 3.1: a request that shows no token is told the scheme and no error code.
  if (check === undefined) {
    return { response: unauthorized(habits, `Send the token as ${placeOf(habits)}.`, ''), facts: {} };
  }
  if (check.state === 'valid') return undefined;
  return {
    response: unauthorized(habits, 'The token is unknown or has expired.', ', error="invalid_token"'),
    facts: check.state === 'revoked' ? { fault: 'expire_tokens' } : {},
  };
}

/** What a portal may want in the head of an update beside the token. */
function refuseHead(headers: Headers, { update_headers, idempotency_header }: Variants): RequestResult | undefined {
  const wrong = Object.entries(update_headers).find(([name, value]) => headers.get(name) !== value.trim())?.[0];
  const nameless = idempotency_header !== undefined && !headers.get(idempotency_header);
  const missing = wrong ?? (nameless ? idempotency_header : undefined);
  if (missing === undefined) return undefined;
  return { response: problem(400, `Send the header ${missing} as this portal wants it.`), facts: {} };
}

const STAMPS = {
  milliseconds: { form: /:\d\d\.\d{3}Z$/, words: 'three digits of a second' },
  seconds: { form: /:\d\dZ$/, words: 'whole seconds' },
} as const;

function errorsOfForm(inventory: readonly PortalItem[], { most_items, stamps }: Variants): FieldError[] {
  if (inventory.length > most_items) return [{ pointer: '/inventory', message: `expected at most ${most_items}` }];
  if (stamps === 'any') return [];
  const { form, words } = STAMPS[stamps];
  return inventory.flatMap(({ updated_at }, index) =>
    form.test(updated_at) ? [] : [{ pointer: `/inventory/${index}/updated_at`, message: `expected ${words}` }],
  );
}

function placeOf({ token_header, token_prefix }: Variants): string {
  return `${token_header}: ${token_prefix}`.trim();
}

function settle(inventory: readonly PortalItem[], faults: Faults, items: StoredItems, habits: Variants): RequestResult {
  if (habits.results === 'each') return settleEach(inventory, faults, items, habits);
  const bad = errorsOfRefusedItems(inventory, faults);
  if (bad.length > 0) return { response: refused(bad, habits), facts: { fault: 'refuse_items' } };
  for (const item of inventory) items.apply(item);
  const status = habits.taken_status;
  return { response: status === 204 ? empty() : json(status, { status: 'ok' }), facts: { applied: true } };
}

/** RFC 4918, section 13, has the status; its body is whatever the two sides agree on. */
function settleEach(
  inventory: readonly PortalItem[],
  faults: Faults,
  items: StoredItems,
  { taken_status, refused_status }: Variants,
): RequestResult {
  const bad = new Set(faults.refuse_items);
  const refused = inventory.filter(({ id }) => bad.has(id)).map(({ id }) => id);
  const taken = inventory.filter(({ id }) => !bad.has(id));
  for (const item of taken) items.apply(item);
  const results = inventory.map(({ id }) =>
    bad.has(id) ? { id, status: refused_status, detail: 'the portal refuses this item' } : { id, status: taken_status },
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

function unauthorized({ bad_token_status }: Variants, detail: string, parameters: string): Response {
  return problem(bad_token_status, detail, { headers: { 'WWW-Authenticate': CHALLENGE + parameters } });
}

function refused(errors: readonly FieldError[], { refused_status }: Variants): Response {
  return problem(refused_status, 'Nothing of this update was applied.', { errors });
}
