import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { authenticateByEmbedToken, type EmbedTokenCheck } from '../../src/proxy/access/embed-token.js';
import { webDigest } from '../../src/proxy/runtime/hash.js';
import { createInventoryProxy } from '../../src/proxy/proxy.js';
import type { InventoryProxy, ProxyOptions } from '../../src/proxy/options.js';
import type { Log, LogFields } from '../../src/proxy/runtime/log.js';
import { openSqliteOutbox } from '../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import type { Outbox } from '../../src/proxy/outbox/outbox.js';
import { Secret } from '../../src/proxy/runtime/secret.js';
import { HOST_ORIGIN, pageRequest, PROXY_URL, SESSION_SECRET, type PageRequest } from './page-request.js';
import { scratchFolder } from './scratch-folder.js';
import { VirtualClock } from './virtual-clock.js';
import { UnreliablePortal } from './unreliable-portal.js';

export interface LogLine extends LogFields {
  readonly event: string;
}

export interface OpenProxy {
  readonly proxy: InventoryProxy;
  readonly outbox: Outbox;
  readonly portal: UnreliablePortal;
  readonly clock: VirtualClock;
  readonly log: readonly LogLine[];
  /** Sends a request as a page does. */
  ask(method: string, path: string, request?: PageRequest): Promise<Response>;
}

/** The check of embed tokens, with the secret that the host and the proxy share. */
export function checkTokens(clock: VirtualClock, log: Log): EmbedTokenCheck {
  return authenticateByEmbedToken({
    key: { kind: 'secret', secret: new Secret(SESSION_SECRET) },
    issuer: HOST_ORIGIN,
    audience: PROXY_URL,
    publicOrigin: PROXY_URL,
    clock,
    log,
  });
}

/**
 * A proxy in front of the sandbox portal, with a real database file and real embed tokens, in virtual time. It is not
 * started.
 */
export function openProxy(t: TestContext, options: Partial<ProxyOptions> = {}): OpenProxy {
  // The host signs the tokens by the real clock, so the virtual clock starts at the real time.
  const clock = options.clock instanceof VirtualClock ? options.clock : new VirtualClock(Date.now());
  const portal = new UnreliablePortal(clock);
  const outbox = options.outbox ?? openSqliteOutbox(join(scratchFolder(), 'inventory.sqlite'));
  const lines: LogLine[] = [];
  const log: Log = (_, event, fields) => void lines.push({ event, ...fields });
  const check = checkTokens(clock, log);
  const proxy = createInventoryProxy({
    portal: portal.account,
    outbox,
    authenticate: (request, context) => clock.during(check(request, context)),
    allowedOrigins: [HOST_ORIGIN],
    publicUrl: PROXY_URL,
    fetch: portal.fetch,
    clock,
    digest: (text) => clock.during(Promise.resolve(webDigest(text))),
    random: () => 0.5,
    log,
    ...options,
  });
  t.after(async () => {
    await proxy.stop();
    await outbox.close();
  });
  return {
    proxy,
    outbox,
    portal,
    clock,
    log: lines,
    ask: (method, path, request) => proxy.fetch(pageRequest(method, path, request)),
  };
}
