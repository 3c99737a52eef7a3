import type { TestContext } from 'node:test';
import fc from 'fast-check';
import { PERMISSIONS } from '../../src/contract/widget.js';
import type { Outbox } from '../../src/proxy/outbox/outbox.js';
import { openProxy, type OpenProxy } from './open-proxy.js';
import { embedToken } from './page-request.js';
import { VirtualClock } from './virtual-clock.js';
import { UnreliablePortal } from './unreliable-portal.js';

/**
 * Vendor isolation as non-interference: a watcher makes the same requests in two worlds, in one of which a neighbour is
 * active too, and has to receive the same responses byte for byte. A row, a count or a gap that reveals the neighbour shows
 * as a difference.
 */
export type Deed =
  | { readonly do: 'post'; readonly items: readonly number[]; readonly available: boolean; readonly key: number }
  | { readonly do: 'read'; readonly path: string }
  | { readonly do: 'retry' | 'discard'; readonly edit: number }
  | { readonly do: 'revert'; readonly key: number };

export interface Moment {
  /** The neighbour's requests, before that of the watcher. In one of the worlds they are left out. */
  readonly meanwhile: readonly Deed[];
  readonly deed: Deed;
  readonly milliseconds: number;
}

const EDITS = Array.from({ length: 8 }, (_, at) => `edit-${String(at)}`);
const RECEIPTS = `/v1/receipts?ids=${EDITS.join(',')}`;

const WRITES: readonly fc.WeightedArbitrary<Deed>[] = [
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('post' as const),
      items: fc.uniqueArray(fc.nat(2), { minLength: 1, maxLength: 3 }),
      available: fc.boolean(),
      key: fc.nat(3),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom('retry' as const, 'discard' as const), edit: fc.nat(EDITS.length - 1) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('revert' as const), key: fc.nat(3) }) },
];

const READS: readonly string[] = [
  '/v1/session',
  '/v1/inventory',
  '/v1/inventory?limit=1',
  '/v1/inventory?since=0',
  '/v1/history',
  RECEIPTS,
  // With numbers that the proxy assigns.
  '/v1/history?cursor=2',
  '/v1/history?cursor=4',
  '/v1/history?collapse=change_set',
  '/v1/change-sets/storm',
  '/v1/inventory?since=1',
  '/v1/inventory?since=3',
  '/v1/inventory?limit=1&since=2',
];

export function lives(): fc.Arbitrary<Moment[]> {
  const read = fc.record({ do: fc.constant('read' as const), path: fc.constantFrom(...READS) });
  const deed = fc.oneof(...WRITES, { weight: 4, arbitrary: read });
  return fc.array(
    fc.record({ meanwhile: fc.array(deed, { maxLength: 3 }), deed, milliseconds: fc.constantFrom(0, 0, 400, 3_000) }),
    { minLength: 1, maxLength: 10 },
  );
}

export interface World {
  readonly outbox: Outbox;
  readonly hasNeighbour: boolean;
  /** Without delivery, an item changes by requests of the two vendors only. */
  readonly delivers: boolean;
}

/**
 * Makes the requests in a world.
 *
 * @returns all responses that the watcher received, with their headers, and at the end the event stream
 */
export async function liveIn(t: TestContext, world: World, life: readonly Moment[]): Promise<string[]> {
  const clock = new VirtualClock(START);
  const portal = new UnreliablePortal(clock);
  // Each vendor has its own credential: the rate that both share at the portal does not belong to the proxy's responses.
  // The sandbox knows only one credential.
  const { credentials } = portal.account;
  const account = {
    ...portal.account,
    byVendor: new Map([
      ['watcher', [...credentials]],
      ['neighbour', credentials.map((credential) => ({ ...credential, clientId: NEIGHBOUR }))],
    ]),
  };
  const asTheOne = ({ clientId }: { clientId: string }, body: unknown): string =>
    String(body).replace(NEIGHBOUR, clientId);
  const [one] = credentials;
  const fetch: typeof portal.fetch = (input, init) =>
    portal.fetch(input, one && init?.body ? { ...init, body: asTheOne(one, init.body) } : init);
  const fixture = openProxy(t, { outbox: world.outbox, clock, portal: account, fetch });
  if (world.delivers) fixture.proxy.start();
  const events = await fixture.ask('GET', '/v1/events', { token: await tokenOf('watcher') });
  const stream = events.text();
  const told: string[] = [];
  for (const { meanwhile, deed: own, milliseconds } of life) {
    if (world.hasNeighbour) for (const other of meanwhile) await act(fixture, 'neighbour', other);
    await clock.pass(milliseconds);
    told.push(await act(fixture, 'watcher', own));
  }
  const headers = { 'Last-Event-ID': '2' };
  const resumed = (await fixture.ask('GET', '/v1/events', { token: await tokenOf('watcher'), headers })).text();
  await clock.pass(0);
  await fixture.proxy.stop();
  // With delivery, it depends on chance whether two simultaneous changes cause one event or two.
  return [...told, ...(world.delivers ? [] : [await stream, await resumed])].map(withoutRandomNames);
}

const NEIGHBOUR = 'neighbours-house';

/** The tokens are signed by the real clock. */
const START = Date.now();
const TOKENS = new Map<string, Promise<string>>();

function tokenOf(vendor: string): Promise<string> {
  const known = TOKENS.get(vendor) ?? embedToken({ vendor, permissions: [...PERMISSIONS], items: [`${vendor}-*`] });
  TOKENS.set(vendor, known);
  return known;
}

async function act({ ask, clock }: OpenProxy, vendor: string, what: Deed): Promise<string> {
  const token = await tokenOf(vendor);
  const answer = await (() => {
    switch (what.do) {
      case 'post': {
        const inventory = what.items.map((item) => ({
          id: `${vendor}-${String(item)}`,
          available: what.available,
          updated_at: '2026-11-21T08:30:00.000Z',
          edit_id: EDITS[(what.key * 3 + item) % EDITS.length],
          change_set: 'storm',
        }));
        const headers = { 'Idempotency-Key': `key-${String(what.key)}` };
        return ask('POST', '/v1/inventory', { token, body: { inventory }, headers });
      }
      case 'read':
        return ask('GET', what.path, { token });
      case 'revert': {
        const headers = { 'Idempotency-Key': `revert-${String(what.key)}` };
        return ask('POST', '/v1/change-sets/storm/revert', { token, body: {}, headers });
      }
      case 'retry':
      case 'discard':
        return ask('POST', `/v1/edits/${EDITS[what.edit] ?? ''}/${what.do}`, { token, body: {} });
    }
  })();
  const said = `${what.do} ${String(answer.status)} ${JSON.stringify([...answer.headers])} ${await answer.text()}`;
  await clock.pass(0);
  return said;
}

/** Replaces random ids, which differ in every run. */
function withoutRandomNames(text: string): string {
  return text.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'random');
}
