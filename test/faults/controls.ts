import { ACCESS_CONTROLS } from './access-controls.js';
import { BROWSER_CONTROLS } from './browser-controls.js';
import { inNode, inProxy, type Control } from './control.js';

const REQUEST = 'src/proxy/portal/portal-client.ts';
const POLICY = 'src/proxy/delivery/policy.ts';
const WORKER = 'src/proxy/delivery/worker.ts';
const ACCEPTANCE = 'src/proxy/outbox/sql/accept.ts';
const DATABASE = 'src/proxy/node/database/sqlite/sqlite-database.ts';
const GROUP_COMMIT = 'src/proxy/node/database/group-commit.ts';
const GUARD = 'src/proxy/http/csrf-guard.ts';
const JUDGEMENT = 'src/proxy/outbox/acceptance-rules.ts';
const SCHEDULES = 'src/proxy/outbox/sql-schedules/sql-schedules.ts';
const SCHEDULE_ROWS = 'src/proxy/outbox/sql-schedules/schedule-rows.ts';
const PUBLIC_ADDRESS = 'src/proxy/node/calendar/public-fetch.ts';
const TOKENS = 'src/proxy/portal/token-cache.ts';

/** The controls of fast tests come first. */
export const CONTROLS: readonly Control[] = [
  {
    defence: 'every commit is synced to the disk',
    file: DATABASE,
    text: `    database.pragma('synchronous = FULL');
    expectPragma(database, 'synchronous', 2);`,
    broken: `    database.pragma('synchronous = NORMAL');`,
    test: inNode('database/sqlite-database', 'sets the pragmas for durability and exclusive access'),
  },
  {
    defence: 'a truncated 2xx response is no success',
    file: REQUEST,
    text: `await readText(response.body, MAX_RESPONSE_BYTES, 'lenient');`,
    broken: `await readText(response.body, MAX_RESPONSE_BYTES, 'lenient').catch(() => '');`,
    test: inProxy('portal/portal-client', 'a truncated response is unknown'),
  },
  {
    defence: 'a batch is answered only after its commit',
    file: GROUP_COMMIT,
    text: `      await session.commit();`,
    broken: `      setImmediate(() => void session?.commit());`,
    test: inNode('database/sqlite-group-commit', 'returns no result before the commit'),
  },
  {
    defence: 'an edit that could not be written is not acknowledged',
    file: GROUP_COMMIT,
    text: `for (const job of group) job.reject(error);`,
    broken: `for (const job of group) job.resolve(undefined);`,
    test: inNode(
      'database/sqlite-group-commit',
      'stores nothing and rejects every job when the disk is full, and continues when there is space',
    ),
  },
  {
    defence: 'a damaged file is refused',
    file: DATABASE,
    text: `if (read(database, 'quick_check(1)') !== 'ok') throw new StorageFailed(damaged(path));`,
    broken: ``,
    test: inNode('database/sqlite-database', 'refuses a damaged file'),
  },
  {
    defence: 'a step of a schedule runs once',
    file: SCHEDULES,
    text: `if (row === undefined || row.next_at === null || row.next_at > command.now) return undefined;`,
    broken: `if (row === undefined) return undefined;`,
    test: inNode('database/outbox-sqlite', 'run a step once with two concurrent runners'),
  },
  {
    defence: 'a busy time is not repeated after the clock was set back',
    file: SCHEDULE_ROWS,
    text: `const ends = Math.max(after, done_until);`,
    broken: `const ends = after;`,
    test: inNode('database/outbox-sqlite', 'repeat no edit after the clock was set back'),
  },
  {
    defence: 'a schedule does not reopen an item that a person has changed since',
    file: SCHEDULE_ROWS,
    text: `       AND item.key = edit.item AND item.newest_visible = edit.number`,
    broken: `       AND item.key = edit.item`,
    test: inNode(
      'database/outbox-sqlite',
      'do not open items that a person has changed since, and mark them as changed',
    ),
  },
  {
    defence: 'a calendar is fetched only from public addresses',
    file: PUBLIC_ADDRESS,
    text: `ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast'`,
    broken: `ipaddr.isValid(address)`,
    test: inNode('calendar/calendar-source', 'must not be a private address, by name or number'),
  },
  {
    defence: 'only one process can open the database file',
    file: DATABASE,
    text: `expectPragma(database, 'locking_mode = EXCLUSIVE', 'exclusive');`,
    broken: ``,
    test: inNode('database/sqlite-database', 'refuses a file that another process has open'),
  },
  {
    defence: 'an attempt is stored before its call is sent',
    file: WORKER,
    text: `    const edits = await outbox.beginAttempt(lease, part, now());
    if (edits.length === 0) return undefined;
    const before = run.state;
    const response = await this.#call(lease, edits, () => portal.update(edits, canSend));`,
    broken: `    const before = run.state;
    const response = await this.#call(lease, part, () => portal.update(part, canSend));
    const edits = await outbox.beginAttempt(lease, part, now());
    if (edits.length === 0) return undefined;`,
    test: inProxy(
      'delivery/delivery-stop',
      'sends an older edit that may have arrived before the newer one, after its next start',
    ),
  },
  {
    defence: 'a worker without the lease stores no outcome',
    file: 'src/proxy/outbox/sql/settle.ts',
    text: `  patch?: LanePatch,
): Promise<void> {
  await expectLease(transaction, lease);
`,
    broken: `  patch?: LanePatch,
): Promise<void> {
`,
    test: inNode('database/outbox-sqlite', 'lets a holder without the lease change nothing'),
  },
  {
    defence: 'a lease has a fencing token',
    file: 'src/proxy/outbox/sql/queue.ts',
    text: `if (row?.fence !== fence) throw`,
    broken: `if (row?.fence !== fence && row === undefined) throw`,
    test: inProxy(
      'delivery/lease-interleavings',
      'deliver every edit, the newest of an item last, and a worker without the lease changes nothing',
    ),
  },
  {
    defence: 'the key of a batch is stored with its edits',
    file: ACCEPTANCE,
    text: `    digest,
    ids.join(','),`,
    broken: `    String(Math.random()),
    ids.join(','),`,
    test: inNode(
      'database/outbox-sqlite',
      'returns the current receipts for the same key and payload, and stores nothing twice',
    ),
  },
  {
    defence: 'a repeated edit is recognised by its id',
    file: JUDGEMENT,
    text: `    if (earlier[at] === undefined) edits.push(accepted(batch, edit, at, context));`,
    broken: `    edits.push(accepted(batch, edit, at, context));`,
    test: inNode('database/outbox-sqlite', 'recognises an edit id under any key, and rejects it with other content'),
  },
  {
    defence: 'the timestamps of an item increase',
    file: JUDGEMENT,
    text: `return Math.max(Math.floor(portalNow / unit) * unit, (last ?? 0) + unit);`,
    broken: `return Math.max(Math.floor(portalNow / unit) * unit, Math.min(last ?? 0, 0));`,
    test: inNode(
      'database/outbox-sqlite',
      'gives each edit of an item a later timestamp than the one before, whatever the clock does',
    ),
  },
  {
    defence: 'the newest value is resent if an older one may still arrive',
    file: 'src/proxy/outbox/uncertain-outcome.ts',
    text: `{ uncertainty, resendAt: Math.max(uncertainty.until, now) }`,
    broken: `{ uncertainty }`,
    test: inProxy('delivery/delivery', 'arrive in their order if the older may have arrived already'),
  },
  {
    defence: 'a call is sent only while its lease lasts long enough for it',
    file: 'src/proxy/delivery/worker.ts',
    text: `return () => passed() < leaseMs - uncertainMs;`,
    broken: `return () => passed() < Infinity;`,
    test: inProxy(
      'delivery/delivery-late-call',
      'does not send an older value after another proxy has sent a newer one, because its process was stopped',
    ),
  },
  {
    defence: 'a refused batch is split',
    file: WORKER,
    text: `if (refused && edits.length > 1 && outcome.codesByItem === undefined) {`,
    broken: `if (refused && edits.length > 1000 && outcome.codesByItem === undefined) {`,
    test: inProxy(
      'delivery/delivery-of-a-bad-item',
      'causes a split of its batch and never a refused good item, however many are bad',
    ),
  },
  {
    defence: 'only an edit without an attempt is superseded',
    file: ACCEPTANCE,
    text: `if (row.state === 'received' && !isUntried(row)) {`,
    broken: `if (row.state === 'conflict' && !isUntried(row)) {`,
    test: inNode('database/outbox-sqlite', 'keeps the order if the older edit was tried already'),
  },
  {
    defence: 'a credential without a success causes no refused edit',
    file: POLICY,
    text: `      if (state.verifiedCredential !== credential) return hold(state, 'portal_refuses', context);\n`,
    broken: '',
    test: inProxy(
      'delivery/delivery-held',
      'causes no refused edit by rejecting calls: the edits wait, and one is tried every five minutes',
    ),
  },
  {
    defence: 'Retry-After is obeyed',
    file: 'src/proxy/portal/read-answer.ts',
    text: `return { ...outcome, ...response, ...(afterMs !== undefined && { afterMs }) };`,
    broken: `return { ...outcome, ...response };`,
    test: inProxy(
      'delivery/delivery',
      'is not retried before the time that the portal asked for, and no other edit is sent',
    ),
  },
  {
    defence: 'a stop waits for the call in flight',
    file: 'src/proxy/delivery/delivery.ts',
    text: `    await Promise.all(this.#runs);`,
    broken: ``,
    test: inProxy('delivery/delivery-stop', 'waits for the call in flight and stores its outcome'),
  },
  {
    defence: 'one token request is in flight',
    file: 'src/proxy/portal/token-store.ts',
    text: `    if (found !== undefined) return Promise.resolve(found);\n`,
    broken: `    if (found !== undefined && found.kind !== 'busy') return Promise.resolve(found);\n`,
    test: inProxy('portal/token-store', 'lets one of all callers request a token'),
  },
  {
    defence: 'a late 401 does not invalidate a newer token',
    file: TOKENS,
    text: `    this.#staleGeneration = Math.max(this.#staleGeneration, rejected);
    if (this.#cached?.generation === rejected) this.#cached = undefined;`,
    broken: `    this.#staleGeneration = this.#cached?.generation ?? rejected;
    this.#cached = undefined;`,
    test: inProxy('portal/token-cache', 'does not invalidate a newer one when the rejection comes late'),
  },
  {
    defence: 'a redirect is not followed',
    file: REQUEST,
    text: `redirect: 'manual',`,
    broken: `redirect: 'follow',`,
    test: inProxy('portal/portal-client', 'a redirect is not followed, and the token is sent nowhere else'),
  },
  {
    defence: 'a form cannot make an edit',
    file: GUARD,
    text: `  if (request.headers.get(REQUESTED_WITH) !== WIDGET) return 'header_required';\n`,
    broken: ``,
    test: inProxy(
      'http/defences',
      'without the header that a form cannot send: POST /v1/inventory answers header_required',
    ),
  },
  {
    defence: 'requests of other origins are rejected',
    file: GUARD,
    text: `  if (origin !== null && !isListed(origin, options)) return 'origin_refused';\n`,
    broken: ``,
    test: inProxy(
      'http/defences',
      'from an origin that is not listed, and a browser without Fetch Metadata: POST /v1/inventory answers origin_refused',
    ),
  },
  {
    defence: 'an item belongs to one vendor',
    file: JUDGEMENT,
    text: `  if (foreign.length > 0) return { kind: 'refused', why: { kind: 'item_unknown', indices: foreign } };\n`,
    broken: ``,
    test: inProxy(
      'access/vendor-isolation',
      'an item belongs to the vendor that edited it first, and another vendor gets item_unknown',
    ),
  },
  {
    defence: 'only the vendor of an edit gets its receipt',
    file: 'src/proxy/outbox/sql/read.ts',
    text: `WHERE e.edit_id = wanted.id AND e.vendor = $2 AND item.key = e.item`,
    broken: `WHERE e.edit_id = wanted.id AND e.vendor <> $2 || '?' AND item.key = e.item`,
    test: inProxy('access/vendor-isolation', 'each vendor gets what it posted, and nothing of the other'),
  },
  {
    defence: 'no edit is accepted above the high-water mark',
    file: 'src/proxy/http/backpressure.ts',
    text: `canAccept = received < maxWaiting && bytes`,
    broken: `canAccept = bytes`,
    test: inProxy('http/high-water', 'rejects an edit with Retry-After, and keeps the accepted ones'),
  },
  {
    defence: 'the newest edit of an item is never pruned',
    file: 'src/proxy/outbox/sql/prune.ts',
    text: `const gone = ended.filter(({ kept }) => kept === 0);`,
    broken: `const gone = ended;`,
    test: inNode(
      'database/outbox-sqlite',
      'deletes old settled edits, but never the newest edit of an item or one that waits',
    ),
  },
  ...ACCESS_CONTROLS,
  ...BROWSER_CONTROLS,
];
