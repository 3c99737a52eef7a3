import Database from 'better-sqlite3';
import { randomBytes } from 'node:crypto';
import { problem } from '../../src/contract/problem.js';
import { receipts } from '../../src/contract/widget.js';
import { parseUntrustedJson } from '../../src/proxy/runtime/untrusted-json.js';
import { LoadGenerator } from './load-generator.js';
import { type Bad, malformed, MUTATION_COUNT } from './malformed-requests.js';
import { peakMemoryMiB } from './memory.js';
import { PortalOfRecord } from './portal-of-record.js';
import { ProxyProcess } from './proxy-process.js';
import { goodRequest } from './good-request.js';
import { exchange, type Exchange } from './raw-http.js';
import { dripping } from './slow-clients.js';
import type { Findings, Scenario, Trial } from './scenario.js';
import { judge } from './verdict.js';

const AT_ONCE = 40;
const MOST_MEMORY_MIB = 256;
/** On a machine with much memory, V8 collects garbage so late that the real need is not visible. */
const LITTLE_ROOM = { NODE_OPTIONS: '--max-old-space-size=96' };
/** The statuses of the proxy, and those of the Node server for requests that it rejects itself (RFC 9110, RFC 6585). */
const DOCUMENTED = new Set([200, 202, 204, 400, 401, 403, 404, 405, 408, 409, 413, 415, 417, 422, 431, 503]);

export const malformedHttp: Scenario = {
  name: 'F9',
  title: `malformed HTTP in ${String(MUTATION_COUNT)} ways, and slow clients`,
  runs: { full: 22_500, quick: 1_500 },
  async run({ runs, isQuick, random, evidence, defer, say }: Trial): Promise<Findings> {
    const portal = await PortalOfRecord.open(evidence);
    defer(() => portal.close());
    const database = evidence.path('inventory.sqlite');
    const proxy = await ProxyProcess.at(
      { portalUrl: portal.url, clientSecret: portal.clientSecret, environment: LITTLE_ROOM },
      evidence,
    );
    defer(() => proxy.kill());
    await proxy.start();
    const { port } = new URL(proxy.url);
    const generator = new LoadGenerator({ proxies: [proxy], random, clients: 1, items: 10, pause: 10 });
    generator.start();
    const slow = dripping(Number(port), isQuick ? 100 : 500, await proxy.tokenOf('slow'));
    defer(() => slow.close());

    const seen = new Seen();
    const work = async (from: number): Promise<void> => {
      for (let at = from; at < runs; at += AT_ONCE) {
        const canary = `echo${randomBytes(8).toString('hex')}`;
        const bad = malformed(goodRequest([`fuzz-${String(at)}`], await proxy.tokenOf('fuzz')), at, random, canary);
        // Each uses another local address, because one address would run out of ports.
        const answer = await exchange(Number(port), bad.bytes, `127.0.0.${String(2 + (at % 200))}`);
        seen.note(at, bad, answer, canary);
        if (at % 5000 === 0) say(`${String(at)} requests`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, (_, from) => work(from)));

    if (!proxy.isAlive) seen.broken.push('the proxy has ended');
    const peak = peakMemoryMiB(proxy.pid);
    if (peak >= MOST_MEMORY_MIB) seen.broken.push(`the proxy took ${String(peak)} MiB`);
    slow.close();
    await generator.stop();
    const { counts, broken } = await judge({ generator, portal, proxy, mayPark: () => false });
    await proxy.kill();
    seen.judgeRows(rowsOf(database));
    return {
      counts: { requests: runs, ...seen.counts(), 'slow clients': slow.count, 'MiB at most': peak, ...counts },
      broken: [...seen.broken, ...broken],
    };
  },
};

/** The outcomes of the malformed requests. */
class Seen {
  readonly broken: string[] = [];
  readonly #statuses = new Map<string, number>();
  readonly #mayHold = new Set<string>();
  #cut = 0;

  note(at: number, bad: Bad, { answers, fault, ended, text }: Exchange, canary: string): void {
    const complain = (what: string): void => void this.broken.push(`${bad.kind} (${String(at)}): ${what}`);
    if (fault !== undefined) complain(fault);
    if (!ended) complain('the connection stayed open');
    if (text.includes(canary)) complain('the answer repeats what was sent');
    if (bad.mayStore) this.#mayHold.add(`fuzz-${String(at)}`);
    if (answers.length === 0) this.#count('no answer');
    if (answers.length === 0 && bad.mayStore) this.#cut += 1;
    for (const { status, headers, body } of answers) {
      this.#count(String(status));
      if (!DOCUMENTED.has(status)) complain(`answered with ${String(status)}`);
      if (status === 202 && !bad.mayStore) complain('was accepted');
      const type = headers.get('content-type') ?? '';
      const said = parseUntrustedJson(body);
      if (status === 202) for (const { id } of receipts.safeParse(said).data?.receipts ?? []) this.#mayHold.add(id);
      // Refusals of the proxy are problem documents; those of the server have no body.
      if (status >= 400 && body !== '' && !(type === 'application/problem+json' && problem.safeParse(said).success))
        complain(`a refusal of another shape: ${body.slice(0, 80)}`);
    }
  }

  /** @param ids the ids of all stored items */
  judgeRows(ids: readonly string[]): void {
    const strange = ids.filter((id) => !/^boat-\d+$/.test(id) && !this.#mayHold.has(id));
    // A byte of an id may have been flipped in a request whose response was cut off.
    const never = strange.filter((id) => /^(?:smuggled|many|another)/.test(id) || this.#cut === 0);
    this.broken.push(...never.map((id) => `an item ${JSON.stringify(id)} came from a bad request`));
  }

  counts(): Record<string, number> {
    return Object.fromEntries([...this.#statuses].sort().map(([status, count]) => [`x ${status}`, count]));
  }

  #count(status: string): void {
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
  }
}

function rowsOf(database: string): string[] {
  const file = new Database(database);
  try {
    return file.prepare<[], string>('SELECT id FROM item').pluck().all();
  } finally {
    file.close();
  }
}
