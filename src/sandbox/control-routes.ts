import * as z from 'zod/mini';
import { itemId } from '../contract/fields.js';
import { fieldErrors } from '../contract/validation-errors.js';
import { toTimestamp } from '../domain/item.js';
import { faults } from './faults.js';
import type { Redact } from './journal.js';
import type { StoredItem } from './portal-items.js';
import { json, methodNotAllowed, problem, readJson, routeUnknown } from './responses.js';
import type { SandboxState } from './state.js';
import { variantsSchema } from './variants.js';

type Handler = (request: Request, url: URL) => Response | Promise<Response>;

const nothing = z.strictObject({});

/** A change that is made at the portal itself, not by an update. */
const changedItem = z.strictObject({ id: itemId, available: z.boolean() });

// At most 15 digits, so that the number is exact.
const SEQUENCE = /^\d{1,15}$/;

/** Whether a path belongs to the sandbox itself and not to the portal that it plays. */
export function isControlPath(path: string): boolean {
  return path === '/sandbox' || path.startsWith('/sandbox/');
}

/**
 * The routes through which a test or a person inspects the sandbox and switches its faults and variants. They need no
 * credentials: the sandbox is a development tool that listens on loopback by default, its responses hold no secret, and a
 * caller can only make a play portal misbehave. They do reject a foreign page in the developer's browser: a change needs
 * `Content-Type: application/json`, which a page of another origin may only send after a CORS preflight, and no response
 * here grants one.
 */
export function createControlRoutes(state: SandboxState, redact: Redact): (request: Request) => Promise<Response> {
  const routes = new Map<string, Readonly<Record<string, Handler>>>([
    ['/sandbox/journal', { GET: (_, url) => readJournal(state, url) }],
    [
      '/sandbox/items',
      {
        GET: () => json(200, { items: listItems(state) }),
        POST: (request) =>
          change(request, changedItem, redact, ({ id, available }) => {
            state.items.apply({ id, available, updated_at: toTimestamp(state.now()) });
            return { items: listItems(state) };
          }),
      },
    ],
    [
      '/sandbox/faults',
      {
        GET: () => json(200, state.faults),
        PUT: (request) =>
          change(request, faults, redact, (wanted) => {
            state.faults = wanted;
            return state.faults;
          }),
      },
    ],
    [
      '/sandbox/habits',
      {
        GET: () => json(200, state.variants),
        PUT: (request) =>
          change(request, variantsSchema, redact, (wanted) => {
            state.variants = wanted;
            return state.variants;
          }),
      },
    ],
    [
      '/sandbox/expire-tokens',
      { POST: (request) => change(request, nothing, redact, () => ({ expired_up_to: state.tokens.revokeAll() })) },
    ],
  ]);
  return async (request) => {
    const url = new URL(request.url);
    const methods = routes.get(url.pathname);
    if (methods === undefined) return routeUnknown();
    const handler = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined;
    return handler === undefined ? methodNotAllowed(Object.keys(methods)) : handler(request, url);
  };
}

function listItems({ items, now }: SandboxState): StoredItem[] {
  items.applyDue(now());
  return items.list();
}

function readJournal(state: SandboxState, url: URL): Response {
  const [after = '0', ...others] = url.searchParams.getAll('after');
  if (others.length > 0 || !SEQUENCE.test(after)) {
    return problem(400, 'after is one non-negative integer: the seq of the last entry that you have.');
  }
  return json(200, state.journal.after(Number(after)));
}

async function change<Schema extends z.ZodMiniType>(
  request: Request,
  schema: Schema,
  redact: Redact,
  act: (wanted: z.output<Schema>) => unknown,
): Promise<Response> {
  const body = await readJson(request);
  if (!body.ok) return problem(body.refusal.status, body.refusal.detail);
  const parsed = schema.safeParse(body.value);
  if (parsed.success) return json(200, act(parsed.data));
  const errors = fieldErrors(parsed.error).map(({ pointer, message }) => ({ pointer: redact(pointer), message }));
  return problem(422, 'Nothing was changed.', { errors });
}

/** The page at the sandbox's own address. */
export const INDEX_PAGE = `Sandbox portal

This plays the tourism and craft portal while you develop and test. It keeps everything in memory, remembers every
request that it received, and misbehaves on request. It is not the portal, and nothing here reaches it.

The portal that it plays, with its defaults
  POST /v1/oauth/token           {"client_id", "client_secret", "grant_type": "client_credentials"}
  POST /v1/inventory             {"inventory": [{"id", "available", "updated_at"}]}, Authorization: Bearer

The sandbox itself (no credentials; changes need Content-Type: application/json)
  GET  /sandbox/journal?after=N  every portal request in order of arrival; N is the last seq that you have
  GET  /sandbox/items            what the portal holds, ordered by arrival and by updated_at
  POST /sandbox/items            {"id", "available"}: a value is changed at the portal itself
  GET  /sandbox/faults           the faults that are switched on
  PUT  /sandbox/faults           {"down": boolean, "delay_ms": 0 to 60000, "refuse_items": [id]}, replaced as a whole
  GET  /sandbox/habits           how this portal does what the portal's document leaves open
  PUT  /sandbox/habits           any of these; a field left out gets its default, which is listed first
       token request             "token_body": "json" or "form", "token_fields": {} or {"scope": "inventory"}
       token response            "tells_lifetime": true or false (no expires_in), "token_lifetime": seconds (3600)
       token of an update        "token_header": "Authorization", "token_prefix": "Bearer ",
                                 "bad_token_status": 401 or 403
       address of an update      "update_method": "POST", "PUT" or "PATCH",
                                 "update_path": "/v1/inventory" or "/v1/vendors/{vendor}/inventory"
       headers of an update      "update_headers": {} or {"X-Version": "1"} (without them 400),
                                 "idempotency_header": none, or "Idempotency-Key" (without it 400; an update
                                 that repeats a key gets the same answer and is not applied)
       updated_at                "stamps": "any", "milliseconds" or "seconds"
       limits                    "most_items": 100, "most_bytes": 262144,
                                 "calls_per_second": no limit, or 2, "calls_in_flight": no limit, or 1,
                                 "too_many_status": 429, 403 or 503,
                                 "says_when": "retry_after", "ratelimit" or "no" (when the next one is welcome)
       answer                    "taken_status": 200, 201, 202 or 204,
                                 "refused_status": 422, 400, 403, 404, 409 or 410,
                                 "results": "all" or "each" (207, with one of these for each item),
                                 "errors": "problem", "error_message" or "in_success" (200 to everything)
       accepted, not applied     "applied_after": 0, or milliseconds until the values of an update are stored
       list of items (GET)       "list": "none", "all", "cursor" (?cursor= and a field next), "page" (?page=) or
                                 "link" (the Link header), "list_path": "/v1/inventory", "list_page": 100 (items)
  POST /sandbox/expire-tokens    {}: all tokens issued until now get 401
`;
