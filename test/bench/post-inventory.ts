import type { Benchmark, Finding } from './benchmark.js';
import type { LoadOrder } from './load.js';
import { installPeers } from './peers.js';
import { startCommand, startLoadMaker, startPeer, type LoadMaker, type Running } from './processes.js';
import { openProxyFixture, ORIGIN } from './proxy-fixture.js';
import { medianOfRounds } from './rounds.js';

const CONNECTIONS = 32;
const ROUNDS = 7;

/**
 * Rounds are measured in responses, not in seconds. A new process becomes faster during 60,000 requests, or 6,000
 * batches, and each round has a new proxy, while the other servers run through all rounds. A fast machine sends 700,000
 * of the million edits that may wait in a second.
 */
const SIZES = [
  { items: 1, least: 0.7, aim: 1, warmUp: 60_000, measured: 30_000 },
  { items: 100, least: 0.4, aim: 0.7, warmUp: 6000, measured: 3500 },
  { items: 1000, least: 0.2, aim: 0.35, warmUp: 500, measured: 450 },
] as const;

type Size = Pick<LoadOrder, 'items' | 'warmUp' | 'measured'>;

/**
 * The rate of requests at the proxy, compared with a pipe of Node that checks and stores nothing. Delivery to a sandbox
 * portal continues at the default limit of the profile, which is 200 items per second.
 */
export const postInventory: Benchmark = {
  name: 'post',
  title: `POST /v1/inventory at ${String(CONNECTIONS)} connections, compared with a bare pipe (node:http and undici)`,
  async run() {
    installPeers();
    const load = startLoadMaker();
    const upstream = await startPeer('upstream.js');
    const environment = { UPSTREAM: `http://127.0.0.1:${String(upstream.port)}` };
    const pipe = await startPeer('bare-pipe.js', environment);
    const replyFrom = await startPeer('reply-from.js', environment);
    const floor = await startPeer('bare-log.js');
    const findings: Finding[] = [];
    try {
      for (const { least, aim, ...size } of SIZES) {
        const { items } = size;
        const rates = await medianOfRounds(ROUNDS, {
          pipe: () => rateOf(load, pipe, size),
          ours: () => ourRate(load, size),
          replyFrom: () => rateOf(load, replyFrom, size),
          floor: () => rateOf(load, floor, size),
        });
        const what = `${String(items)} ${items === 1 ? 'item' : 'items'}`;
        const figures = Object.entries(rates).map(([name, rate]) => `${name} ${rate.toFixed(0)}/s`);
        findings.push({
          what: `${what}: ours by the bare pipe`,
          ratio: rates.ours / rates.pipe,
          target: { atLeast: least },
          aim,
          figures: figures.join(', '),
        });
        findings.push({
          what: `${what}: ours by @fastify/reply-from`,
          ratio: rates.ours / rates.replyFrom,
          target: items === 1 ? { atLeast: 1 } : undefined,
          figures: '',
        });
        findings.push({
          what: `${what}: a server that only checks, syncs and answers, by the pipe`,
          ratio: rates.floor / rates.pipe,
          target: undefined,
          figures: `${rates.floor.toFixed(0)}/s`,
        });
      }
    } finally {
      await Promise.all([load, pipe, replyFrom, floor, upstream].map((process) => process.end()));
    }
    return findings;
  },
};

/** Each round has a new database, so that waiting edits of earlier rounds do not count. */
async function ourRate(load: LoadMaker, size: Size): Promise<number> {
  const sandbox = await startCommand('sandbox', { PORTAL_CLIENT_ID: 'bench', PORTAL_CLIENT_SECRET: 'bench' });
  const fixture = await openProxyFixture({ portalUrl: `http://127.0.0.1:${String(sandbox.port)}` });
  try {
    const tokens = await fixture.tokens(CONNECTIONS);
    return await rateOf(load, fixture.proxy, size, tokens);
  } finally {
    await fixture.end();
    await sandbox.end();
  }
}

async function rateOf(load: LoadMaker, { port }: Running, size: Size, tokens = fakeTokens()): Promise<number> {
  const { rate } = await load.make({ port, origin: ORIGIN, tokens, ...size });
  return rate;
}

/** Texts with the length of a token. */
function fakeTokens(): string[] {
  return Array.from({ length: CONNECTIONS }, (_, at) => String(at).padStart(400, 'x'));
}
