import { setTimeout as wait } from 'node:timers/promises';
import { type Receipt, receipts as receiptsOf } from '../../src/contract/widget.js';
import type { LoadGenerator, MadeEdit } from './load-generator.js';
import { needlessDuplicates, type UnknownOutcomes } from './needless-duplicates.js';
import type { PortalOfRecord } from './portal-of-record.js';
import { HOST_ORIGIN, type ProxyProcess } from './proxy-process.js';
import type { Findings } from './scenario.js';

const PAGE = 50;
const FINAL: ReadonlySet<string> = new Set(['delivered', 'superseded', 'refused', 'conflict', 'discarded']);
/** The value for an item that the portal does not have. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(['superseded', 'refused', 'conflict', 'discarded']);

export interface Case {
  readonly generator: LoadGenerator;
  readonly portal: PortalOfRecord;
  /** Any running proxy. */
  readonly proxy: ProxyProcess;
  /** The time after the last fault within which all edits must be settled, in milliseconds. */
  readonly timeoutMs?: number;
  /** Whether an edit of this item may be refused. Without it, this is not checked. */
  readonly mayPark?: (id: string) => boolean;
  /** Whether the network reorders calls, so that only the final state of the portal can be checked. */
  readonly isWireReordering?: boolean;
  /** The unknown outcomes. Without them, duplicates are not checked. */
  readonly unknown?: UnknownOutcomes;
  /** Whether no older value can reach the portal any more. */
  readonly isQuiet?: () => boolean;
}

/**
 * Checks a run after its faults have ended: the receipts of the load generator against the calls that the portal
 * received. The proxy's own receipts are also read and checked, but are no evidence.
 */
export async function judge({
  generator,
  portal,
  proxy,
  timeoutMs = 180_000,
  mayPark = () => true,
  isWireReordering = false,
  unknown,
  isQuiet = () => true,
}: Case): Promise<Findings> {
  const { made, acknowledged } = generator;
  const deadline = Date.now() + timeoutMs;
  const receipts = await receiptsAtRest(proxy, acknowledged, deadline);
  const wrong = await wrongInTheEnd({ isQuiet, deadline }, async () =>
    wrongAtThePortal(made, receipts, await portal.items()),
  );
  const journal = await portal.journal();
  const applied = journal.filter((entry) => entry.applied).flatMap(({ inventory }) => inventory ?? []);
  const words = new Set(applied.map(({ id, updated_at }) => `${updated_at} ${id}`));
  const broken = [
    ...generator.broken,
    ...lost(acknowledged, receipts),
    ...falselyDelivered(acknowledged, receipts, portal),
    ...wrong,
    ...findWronglyRefused(acknowledged, receipts, mayPark),
    ...(isWireReordering ? [] : outOfOrder(applied)),
    ...(unknown === undefined ? [] : needlessDuplicates(journal, unknown)),
  ];
  const count = (state: string): number => [...receipts.values()].filter((receipt) => receipt.state === state).length;
  return {
    broken,
    counts: {
      made: made.length,
      acknowledged: acknowledged.length,
      'requests cut': generator.cut,
      delivered: count('delivered'),
      superseded: count('superseded'),
      parked: count('refused') + count('conflict'),
      'portal calls': journal.filter(({ kind }) => kind === 'update').length,
      duplicates: applied.length - words.size,
    },
  };
}

/** An acknowledged edit keeps its id and its position, and is settled. */
function lost(acknowledged: readonly MadeEdit[], receipts: ReadonlyMap<string, Receipt>): string[] {
  return acknowledged.flatMap(({ edit_id, id, receipt: first }) => {
    const now = receipts.get(edit_id);
    if (now === undefined) return [`lost: edit ${edit_id} of ${id} was acknowledged and is unknown`];
    if (now.seq !== first?.seq || now.id !== id) return [`edit ${edit_id} of ${id} has changed its place`];
    if (!FINAL.has(now.state)) return [`edit ${edit_id} of ${id} is still ${now.state} (${now.reason ?? 'no reason'})`];
    return [];
  });
}

/** Only an edit with a complete 2xx response of the portal is delivered. */
function falselyDelivered(
  acknowledged: readonly MadeEdit[],
  receipts: ReadonlyMap<string, Receipt>,
  portal: PortalOfRecord,
): string[] {
  return acknowledged.flatMap(({ edit_id, id }) => {
    const receipt = receipts.get(edit_id);
    return receipt?.state === 'delivered' && !portal.answeredWhole(id, receipt.updated_at)
      ? [`edit ${edit_id} of ${id} is called delivered, and the portal never answered it with a whole 2xx`]
      : [];
  });
}

/** No good edit is refused. */
function findWronglyRefused(
  acknowledged: readonly MadeEdit[],
  receipts: ReadonlyMap<string, Receipt>,
  mayPark: (id: string) => boolean,
): string[] {
  return acknowledged.flatMap(({ edit_id, id }) => {
    const { state = 'received', reason } = receipts.get(edit_id) ?? {};
    const isParked = state === 'refused' || state === 'conflict';
    return isParked && !mayPark(id)
      ? [`edit ${edit_id} of ${id} is ${state} (${reason ?? 'no reason'}), and is good`]
      : [];
  });
}

/** If an older call may arrive after the newest receipt, the newest value is resent. */
async function wrongInTheEnd(
  { isQuiet, deadline }: { readonly isQuiet: () => boolean; readonly deadline: number },
  look: () => Promise<string[]>,
): Promise<string[]> {
  for (;;) {
    const wasQuiet = isQuiet();
    const wrong = await look();
    if ((wasQuiet && wrong.length === 0) || Date.now() > deadline) return wrong;
    await wait(50);
  }
}

/** In the end the portal has the newest value, whether it orders by arrival or by `updated_at`. */
function wrongAtThePortal(
  made: readonly MadeEdit[],
  receipts: ReadonlyMap<string, Receipt>,
  items: Awaited<ReturnType<PortalOfRecord['items']>>,
): string[] {
  const newest = new Map<string, { readonly seq: number; readonly available: boolean }>();
  const last = new Map<string, Receipt>();
  for (const { edit_id, id, available } of made) {
    const receipt = receipts.get(edit_id);
    if (receipt === undefined) continue;
    if ((last.get(id)?.seq ?? -1) < receipt.seq) last.set(id, receipt);
    // An edit that a newer one has superseded need not reach the portal, even if the newer one is refused.
    if (WITHOUT_EFFECT.has(receipt.state)) continue;
    if ((newest.get(id)?.seq ?? -1) < receipt.seq) newest.set(id, { seq: receipt.seq, available });
  }
  const held = new Map<string, (typeof items)[number]>(items.map((item) => [item.id, item]));
  const replaced = [...last].filter(([, { state }]) => state === 'superseded');
  return [
    ...replaced.map(([id]) => `${id}: the last edit is superseded, and by none`),
    ...[...newest].flatMap(([id, { available }]) => {
      const item = held.get(id);
      return [
        ...(item?.by_arrival.available === available
          ? []
          : [`${id}: the last word to arrive is not the last one accepted`]),
        ...(item?.by_updated_at.available === available
          ? []
          : [`${id}: the newest stamp is not on the last one accepted`]),
      ];
    }),
  ];
}

/** The timestamps of an item never decrease, and one timestamp never has two values. */
function outOfOrder(applied: readonly { id: string; available: boolean; updated_at: string }[]): string[] {
  const last = new Map<string, { readonly available: boolean; readonly updated_at: string }>();
  return applied.flatMap(({ id, available, updated_at }) => {
    const before = last.get(id);
    last.set(id, { available, updated_at });
    if (before === undefined || before.updated_at < updated_at) return [];
    if (before.updated_at > updated_at) return [`${id}: ${updated_at} was sent after ${before.updated_at}`];
    return before.available === available ? [] : [`${id}: two values under the stamp ${updated_at}`];
  });
}

/** Polls until every edit is settled or the timeout ends. Edits that are unknown then are omitted. */
async function receiptsAtRest(
  proxy: ProxyProcess,
  edits: readonly MadeEdit[],
  deadline: number,
): Promise<ReadonlyMap<string, Receipt>> {
  const found = new Map<string, Receipt>();
  let open = edits.map(({ edit_id }) => edit_id);
  for (;;) {
    for (let from = 0; from < open.length; from += PAGE) {
      for (const receipt of await receiptsBy(proxy, open.slice(from, from + PAGE))) found.set(receipt.edit_id, receipt);
    }
    open = open.filter((editId) => !FINAL.has(found.get(editId)?.state ?? ''));
    if (open.length === 0 || Date.now() > deadline) return found;
    await wait(50);
  }
}

/** The receipts of the proxy, which omits unknown edits. */
export async function receiptsBy(proxy: ProxyProcess, editIds: readonly string[]): Promise<readonly Receipt[]> {
  const answer = await fetch(`${proxy.url}/v1/receipts?ids=${editIds.join(',')}`, {
    headers: { Origin: HOST_ORIGIN, Authorization: `Bearer ${await proxy.tokenOf('judge')}` },
  });
  if (!answer.ok) throw new Error(`receipts are answered with ${String(answer.status)}: ${await answer.text()}`);
  return receiptsOf.parse(await answer.json()).receipts;
}
