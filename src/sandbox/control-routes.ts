import * as z from 'zod/mini';
import { fieldErrors } from '../contract/validation-errors.js';
import { faults } from './faults.js';
import { habits } from './habits.js';
import { readJson } from './json-body.js';
import { json, methodNotAllowed, problem, routeUnknown } from './responses.js';
import type { Conceal } from './secrecy.js';
import type { SandboxState } from './state.js';

type Handler = (request: Request, url: URL) => Response | Promise<Response>;

const nothing = z.strictObject({});

// At most 15 digits, so that the number is exact.
const SEQUENCE = /^\d{1,15}$/;

/** Tells whether an address belongs to the sandbox itself and not to the portal that it plays. */
export function isControlPath(path: string): boolean {
  return path === '/sandbox' || path.startsWith('/sandbox/');
}

/**
 * The routes by which a test or a person looks into the sandbox and switches its faults and habits. They need no credentials: this
 * is a tool for developing that listens on loopback by default, none of its answers holds a secret, and whoever can
 * reach it can do no more than make a play portal misbehave. What it does keep out is a foreign page in the developer's
 * browser: a change needs `Content-Type: application/json`, which a page of another origin may only send after a CORS
 * preflight, and no answer here ever grants one.
 */
export function createControlRoutes(state: SandboxState, conceal: Conceal): (request: Request) => Promise<Response> {
  const routes = new Map<string, Readonly<Record<string, Handler>>>([
    ['/sandbox/journal', { GET: (_, url) => readJournal(state, url) }],
    ['/sandbox/items', { GET: () => json(200, { items: state.items.list() }) }],
    [
      '/sandbox/faults',
      {
        GET: () => json(200, state.faults),
        PUT: (request) =>
          change(request, faults, conceal, (wanted) => {
            state.faults = wanted;
            return state.faults;
          }),
      },
    ],
    [
      '/sandbox/habits',
      {
        GET: () => json(200, state.habits),
        PUT: (request) =>
          change(request, habits, conceal, (wanted) => {
            state.habits = wanted;
            return state.habits;
          }),
      },
    ],
    [
      '/sandbox/expire-tokens',
      { POST: (request) => change(request, nothing, conceal, () => ({ expired_up_to: state.tokens.revokeAll() })) },
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
  conceal: Conceal,
  act: (wanted: z.output<Schema>) => unknown,
): Promise<Response> {
  const body = await readJson(request);
  if (!body.ok) return problem(body.refusal.status, body.refusal.detail);
  const parsed = schema.safeParse(body.value);
  if (parsed.success) return json(200, act(parsed.data));
  const errors = fieldErrors(parsed.error).map(({ pointer, message }) => ({ pointer: conceal(pointer), message }));
  return problem(422, 'Nothing was changed.', { errors });
}
