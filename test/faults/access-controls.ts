import { inNode, inProxy, type Control } from './control.js';

const GUARD = 'src/proxy/http/csrf-guard.ts';
const TOKEN = 'src/proxy/access/embed-token.ts';

/** Who may come in, as whom, and how much they may do: the defences of the list of threats. */
export const ACCESS_CONTROLS: readonly Control[] = [
  {
    defence: 'no other page reads by a link, a frame or an image',
    file: GUARD,
    text: `if (origin === null && site !== null && site !== 'same-origin' && site !== 'none') return 'origin_refused';`,
    broken: '',
    test: inProxy(
      'http/defences',
      'by a link, a frame or an image of another site: GET /v1/inventory answers origin_refused',
    ),
  },
  {
    defence: 'whoever writes says from where',
    file: GUARD,
    text: `  if (origin === null) return 'origin_refused';\n`,
    broken: `  if (origin === null) return undefined;\n`,
    test: inProxy('http/defences', 'without an origin: POST /v1/inventory answers origin_refused'),
  },
  {
    defence: 'Fetch Metadata may not contradict the origin',
    file: GUARD,
    text: `  if (site === 'none' || (site === 'cross-site' && !options.allowedOrigins.has(origin))) return 'origin_refused';\n`,
    broken: '',
    test: inProxy('http/defences', 'typed into the address bar: POST /v1/inventory answers origin_refused'),
  },
  {
    defence: 'what is no JSON is no edit',
    file: GUARD,
    text: `return 'json_required';`,
    broken: `return undefined;`,
    test: inProxy('http/defences', 'as a form: POST /v1/inventory answers json_required'),
  },
  {
    defence: 'a request has one host',
    file: GUARD,
    text: `  if (request.headers.get('Host')?.includes(',') === true) return 'host_repeated';\n`,
    broken: '',
    test: inNode('server/raw-requests', 'its host'),
  },
  {
    defence: 'only listed origins are granted anything (CORS)',
    file: GUARD,
    text: `if (origin === null || !isListed(origin, options)) return {};`,
    broken: `if (origin === null) return {};`,
    test: inProxy('http/cors', 'of another origin is told nothing about /v1/history'),
  },
  {
    defence: 'a token is good on one page',
    file: TOKEN,
    text: `      if (proven.origin !== origin) throw new OriginMismatch(proven.origin, origin);\n`,
    broken: '',
    test: inProxy('access/embed-token', 'another page’s origin'),
  },
  {
    defence: 'a token is for one proxy',
    file: TOKEN,
    text: `      audience: options.audience,\n`,
    broken: '',
    test: inProxy('access/embed-token', 'another audience'),
  },
  {
    defence: 'a token is of one host',
    file: TOKEN,
    text: `      issuer: options.issuer,\n`,
    broken: '',
    test: inProxy('access/embed-token', 'another issuer'),
  },
  {
    defence: 'a token lives for 15 minutes',
    file: TOKEN,
    text: `if (lifetime > MAX_TOKEN_LIFETIME_SECONDS) {`,
    broken: `if (lifetime > Infinity) {`,
    test: inProxy('access/embed-token', 'a life of 15 minutes and a second'),
  },
  {
    defence: 'the key decides the algorithm',
    file: 'src/proxy/access/verification-keys.ts',
    text: `algorithms: ['HS256'] })`,
    broken: `algorithms: ['HS256', 'HS384', 'HS512'] })`,
    test: inProxy('access/embed-token', 'a longer hash under the same secret'),
  },
  {
    defence: 'a token that was signed out is over',
    file: 'src/proxy/app.ts',
    text: `session === undefined || revocationList.has(session.tokenId ?? '')`,
    broken: `session === undefined`,
    test: inProxy('routes/session-route', 'ends the token before its time, at every route'),
  },
  {
    defence: 'an address that shows bad sessions waits',
    file: 'src/proxy/app.ts',
    text: `    rateLimits.checkAddress(address);\n`,
    broken: '',
    test: inProxy(
      'http/write-budgets',
      'is told to wait, good sessions from there with it, and is heard again after that',
    ),
  },
  {
    defence: 'a person has a budget of edits',
    file: 'src/proxy/routes/accept-edits.ts',
    text: `  context.rateLimits.consumeEdits(session, edits.length);\n`,
    broken: '',
    test: inProxy(
      'http/write-budgets',
      'of a person is so many edits a minute: then 429, a word on when to come again, and nothing is stored',
    ),
  },
  {
    defence: 'a session touches the items that it names',
    file: 'src/proxy/routes/accept-edits.ts',
    text: `({ id }) => !canAccessItem(session, id)`,
    broken: `() => false`,
    test: inProxy('access/permissions', 'may not edit kayak-2'),
  },
  {
    defence: 'who may not edit does not',
    file: 'src/proxy/routes/accept-edits.ts',
    text: `  if (!hasPermission(session, 'edit')) throw permissionMissing('edit');\n`,
    broken: '',
    test: inProxy('access/permissions', 'to edit: POST /v1/inventory'),
  },
  {
    defence: 'a listing shows the items that the session names',
    file: 'src/proxy/http/paging.ts',
    text: `rows.filter(({ id }) => canAccessItem(session, id))`,
    broken: `rows`,
    test: inProxy('access/permissions', 'sees its items in full pages, and no other'),
  },
  {
    defence: 'a history shows the items that the session names',
    file: 'src/proxy/http/paging.ts',
    text: `rows.filter(({ id }) => canAccessItem(session, id))`,
    broken: `rows`,
    test: inProxy('access/permissions', 'reads the history of its items alone'),
  },
  {
    defence: 'a portal whose clock is absurd is not believed',
    file: 'src/proxy/portal/clock-offset.ts',
    text: `return told >= EARLIEST && told < LATEST ? told : undefined;`,
    broken: `return Number.isNaN(told) ? undefined : told;`,
    test: inProxy(
      'routes/client-clocks',
      'Fri, 31 Dec 9999 23:59:59 GMT is not believed: a stamp of then would freeze the item',
    ),
  },
  {
    defence: 'no page may frame an answer',
    file: 'src/proxy/app.ts',
    text: ` frameAncestors: ["'none'"],`,
    broken: '',
    test: inProxy('http/answer-headers', 'what GET /livez answers'),
  },
  {
    defence: 'an edit changes its lane only with its item',
    file: 'src/proxy/outbox/sql/ownership.ts',
    text: `AND EXISTS (SELECT 1 FROM item WHERE item.key = edit.item AND item.lane = moved.lane AND item.owned_by_other = 0)`,
    broken: ``,
    test: inNode(
      'database/outbox-sqlite',
      'is sent for nobody but who has it, though a wish of another comes back from the portal while lanes are moved',
    ),
  },
  {
    defence: 'an id that the list of the vendor does not name is not accepted',
    file: 'src/proxy/outbox/sql/accept.ts',
    text: `(unlisted?.has(id) === true ? UNLISTED : itemFacts(items.get(id)))`,
    broken: `itemFacts(items.get(id))`,
    test: inProxy('access/list-ownership', 'an id of another vendor is refused before any list was read'),
  },
  {
    defence: 'a guess at an id costs as much as an edit',
    file: 'src/proxy/routes/accept-edits.ts',
    text: `  context.rateLimits.consumeEdits(session, edits.length);\n  refuseOutOfScope(edits, session);\n`,
    broken: `  refuseOutOfScope(edits, session);\n`,
    test: inProxy('access/list-ownership', 'guesses at listed ids spend the budget'),
  },
  {
    defence: 'nobody takes an id before items are where the settings want them',
    file: 'src/proxy/routes/accept-edits.ts',
    text: `  await context.whenItemsAreAssigned();\n`,
    broken: '',
    test: inProxy(
      'access/one-id',
      'lose no id to each other before items are where the settings want them, which are read again',
    ),
  },
];
