import { fieldErrors, type FieldError } from '../contract/validation-errors.js';
import { inventoryUpdate, type PortalItem } from '../contract/portal.js';
import type { Faults } from './faults.js';
import { readToken, type Variants } from './variants.js';
import type { StoredItems } from './portal-items.js';
import { empty, json, type JsonBody, problem } from './responses.js';
import type { SandboxState } from './state.js';
import type { TokenCheck } from './tokens.js';
import type { Reception, RequestFacts, RequestResult } from './journal.js';

const CHALLENGE = 'Bearer realm="sandbox portal"';

type ReadUpdate =
  { readonly ok: true; readonly inventory: readonly PortalItem[] } | { readonly ok: false; readonly refusal: Response };

/**
 * An inventory update. The portal's document gives the body ("Inventory item": three fields and no other); the variants
 * decide what it leaves open. One bad item rejects the whole update, unless the variant `results: "each"` answers for each
 * item. An item that is named twice in one update is applied twice, in order.
 */
export function receiveInventoryUpdate(
  headers: Headers,
  body: JsonBody,
  { tokens, items, idempotencyKeys, limits, now }: SandboxState,
  variants: Variants,
): Reception {
  const store = storeBy(items, variants, now);
  const token = readToken(headers, variants);
  const check = token === undefined ? undefined : tokens.check(token);
  const update = readUpdate(body, variants);
  const decideUpdate = (faults: Faults): RequestResult => {
    const refusal = checkToken(check, variants) ?? checkHeaders(headers, variants);
    if (refusal !== undefined) return refusal;
    if (!update.ok) return { response: update.refusal, facts: {} };
    const { inventory } = update;
    const errors = validateFormat(inventory, variants);
    if (errors.length > 0) return { response: refused(errors, variants), facts: {} };
    const apply = (): RequestResult => applyUpdate(inventory, faults, store, variants);
    const name = variants.idempotency_header && headers.get(variants.idempotency_header);
    return name ? idempotencyKeys.once(name, inventory, apply) : apply();
  };
  return {
    seen: {
      token: check === undefined || check.state === 'unknown' ? null : check.generation,
      inventory: update.ok ? update.inventory : null,
    },
    decide: (faults) => {
      const admitted = limits.admit(variants);
      return typeof admitted === 'function' ? { ...decideUpdate(faults), onResponded: admitted } : admitted;
    },
  };
}

function readUpdate(body: JsonBody, variants: Variants): ReadUpdate {
  if (!body.ok) return { ok: false, refusal: problem(body.refusal.status, body.refusal.detail) };
  const parsed = inventoryUpdate.safeParse(body.value);
  if (!parsed.success) return { ok: false, refusal: refused(fieldErrors(parsed.error), variants) };
  return { ok: true, inventory: parsed.data.inventory };
}

export function checkToken(check: TokenCheck | undefined, variants: Variants): RequestResult | undefined {
  // RFC 6750, section 3.1: the response to a request without a token names the scheme and no error code.
  if (check === undefined) {
    return { response: unauthorized(variants, `Send the token as ${describeTokenHeader(variants)}.`, ''), facts: {} };
  }
  if (check.state === 'valid') return undefined;
  return {
    response: unauthorized(variants, 'The token is unknown or has expired.', ', error="invalid_token"'),
    facts: check.state === 'revoked' ? { fault: 'expire_tokens' } : {},
  };
}

/** Checks the headers that this variant of the portal requires besides the token. */
function checkHeaders(headers: Headers, { update_headers, idempotency_header }: Variants): RequestResult | undefined {
  const wrong = Object.entries(update_headers).find(([name, value]) => headers.get(name) !== value.trim())?.[0];
  const lacksKey = idempotency_header !== undefined && !headers.get(idempotency_header);
  const missing = wrong ?? (lacksKey ? idempotency_header : undefined);
  if (missing === undefined) return undefined;
  return { response: problem(400, `Send the header ${missing} as this portal wants it.`), facts: {} };
}

const TIMESTAMP_FORMATS = {
  milliseconds: { pattern: /:\d\d\.\d{3}Z$/, description: 'three digits of a second' },
  seconds: { pattern: /:\d\dZ$/, description: 'whole seconds' },
} as const;

function validateFormat(inventory: readonly PortalItem[], { most_items, stamps }: Variants): FieldError[] {
  if (inventory.length > most_items) return [{ pointer: '/inventory', message: `expected at most ${most_items}` }];
  if (stamps === 'any') return [];
  const { pattern, description } = TIMESTAMP_FORMATS[stamps];
  return inventory.flatMap(({ updated_at }, index) =>
    pattern.test(updated_at) ? [] : [{ pointer: `/inventory/${index}/updated_at`, message: `expected ${description}` }],
  );
}

function describeTokenHeader({ token_header, token_prefix }: Variants): string {
  return `${token_header}: ${token_prefix}`.trim();
}

function applyUpdate(
  inventory: readonly PortalItem[],
  faults: Faults,
  store: Store,
  variants: Variants,
): RequestResult {
  if (variants.results === 'each') return applyEachItem(inventory, faults, store, variants);
  const bad = listRefusedItems(inventory, faults);
  if (bad.length > 0) return { response: refused(bad, variants), facts: { fault: 'refuse_items' } };
  for (const item of inventory) store(item);
  const status = variants.taken_status;
  return { response: status === 204 ? empty() : json(status, { status: 'ok' }), facts: factsOf(variants) };
}

/** Answers 207 (RFC 4918, section 13). The two sides agree on its body, which no specification defines. */
function applyEachItem(
  inventory: readonly PortalItem[],
  faults: Faults,
  store: Store,
  variants: Variants,
): RequestResult {
  const { taken_status, refused_status } = variants;
  const bad = new Set(faults.refuse_items);
  const refused = inventory.filter(({ id }) => bad.has(id)).map(({ id }) => id);
  const taken = inventory.filter(({ id }) => !bad.has(id));
  for (const item of taken) store(item);
  const results = inventory.map(({ id }) =>
    bad.has(id) ? { id, status: refused_status, detail: 'the portal refuses this item' } : { id, status: taken_status },
  );
  return {
    response: json(207, { results }),
    facts: {
      ...(taken.length > 0 && factsOf(variants)),
      ...(refused.length > 0 && { refused, fault: 'refuse_items' }),
    },
  };
}

type Store = (item: PortalItem) => void;

function storeBy(items: StoredItems, { applied_after: delay }: Variants, now: () => number): Store {
  return (item) => {
    if (delay === 0) items.apply(item);
    else items.applyLater(item, now() + delay);
  };
}

/** An update that is applied later counts as accepted, not as applied. */
function factsOf({ applied_after }: Variants): Partial<RequestFacts> {
  return applied_after === 0 ? { applied: true } : { accepted: true };
}

function listRefusedItems(inventory: readonly PortalItem[], faults: Faults): FieldError[] {
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
