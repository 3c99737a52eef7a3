import { POISON, respond, type FaultKind } from './fault-kind.js';

const PROBLEM = { 'Content-Type': 'application/problem+json' };
const REDIRECTS = [301, 302, 303, 307, 308] as const;
const OTHER_THREES = [300, 304, 305, 399] as const;

/** The error statuses of a portal, as in the status table. */
export const STATUS_KINDS: readonly FaultKind[] = [
  {
    name: 'redirects to another origin',
    on: 'both',
    strike: (call, { random, elsewhere }) =>
      respond(call, random.pick(REDIRECTS), { Location: `${elsewhere}${call.path}` }),
  },
  {
    name: '3xx without a Location',
    strike: (call, { random }) => respond(call, random.pick(OTHER_THREES)),
  },
  {
    name: '401',
    strike: (call) => respond(call, 401, { 'WWW-Authenticate': 'Bearer error="invalid_token"' }),
  },
  ...[400, 403, 404, 409, 415, 422].map((status): FaultKind => ({
    name: `${String(status)} for two items`,
    poison: POISON,
    strike: (call) => respond(call, status, PROBLEM, '{"type":"/problems/item","detail":"no such item here"}'),
  })),
  {
    name: '413 for more than one item',
    async strike(call) {
      const items = (await call.body()).toString().split('"id"').length - 1;
      if (items > 1) return respond(call, 413);
      await call.serve();
      return false;
    },
  },
  ...[400, 403, 422].map((status): FaultKind => ({
    name: `${String(status)} for everything`,
    always: true,
    isLater: true,
    least: 25,
    strike: (call) => respond(call, status, PROBLEM, '{"type":"/problems/closed"}'),
  })),
  ...[425, 429, 503].map((status): FaultKind => ({
    name: String(status),
    on: 'both',
    strike: (call) => respond(call, status),
  })),
  // A gateway that timed out may have passed the call on.
  ...[408, 500, 502, 504].map((status): FaultKind => ({
    name: String(status),
    on: 'both',
    outcome: 'unknown',
    strike: (call) => respond(call, status),
  })),
  {
    name: '429 and 503 with Retry-After',
    on: 'both',
    strike(call, { random }) {
      const when = new Date(Date.now() + random.below(90) * 1000).toUTCString();
      const after = random.pick([String(random.below(120)), when, '-1', '3.5', 'soon', '99999999999', '']);
      return respond(call, random.pick([429, 503]), { 'Retry-After': after });
    },
  },
  {
    name: '429 with RateLimit',
    strike: (call, { random }) =>
      respond(call, 429, { RateLimit: `limit=10, remaining=0, reset=${String(random.below(60))}` }),
  },
  {
    name: '500 after the call was applied',
    outcome: 'unknown',
    async strike(call) {
      await call.answer();
      return respond(call, 500);
    },
  },
  {
    name: 'token requests refused, cut off and answered with invalid bodies',
    on: 'both',
    async strike(call, { random, expireTokens }) {
      if (!call.path.includes('token')) {
        await expireTokens();
        await call.serve();
        return true;
      }
      const html = { 'Content-Type': 'text/html' };
      return random.pick([
        () => respond(call, 400, PROBLEM, '{"error":"invalid_client"}'),
        () => respond(call, 401),
        () => respond(call, 403, html, '<h1>Forbidden</h1>'),
        () => respond(call, 500),
        () => respond(call, 200, html, '<h1>Log in</h1>'),
        () => respond(call, 200, PROBLEM, '{"access_token":42}'),
        () => respond(call, 200, PROBLEM, '{"access_token":""}'),
      ])();
    },
  },
  {
    name: 'only the newest token is valid',
    on: 'both',
    async strike(call, { random, expireTokens }) {
      const ends = call.path.includes('token') || random.below(3) === 0;
      if (ends) await expireTokens();
      await call.serve();
      return ends;
    },
  },
  {
    name: 'a rate limit of five calls per second',
    always: true,
    strike: fiveASecond(),
  },
];

function fiveASecond(): FaultKind['strike'] {
  let served: number[] = [];
  return async (call, { random }) => {
    served = served.filter((at) => at > Date.now() - 1000);
    if (served.length >= 5) return respond(call, 429, random.below(2) === 0 ? { 'Retry-After': '1' } : {});
    served.push(Date.now());
    await call.serve();
    return false;
  };
}
