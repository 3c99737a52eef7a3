import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { EditId } from '../../../src/domain/edit.js';
import type { ItemId } from '../../../src/domain/item.js';
import type {
  AcceptBatchCommand,
  Decision,
  OpenEdit,
  Outbox,
  AttemptOutcome,
} from '../../../src/proxy/outbox/outbox.js';
import { batch, edit, type OpenedOutbox } from './outbox-contract.js';
import { viewerOf } from '../../support/viewer.js';
import { leaseLane } from '../../support/lease-lane.js';

const T0 = Date.parse('2026-06-01T08:00:00.000Z');
const SECOND = 1000;
const WANT = { leaseMs: 30 * SECOND, uncertainMs: 20 * SECOND };
const VENDORS = ['vendor-a', 'vendor-b'] as const;
const ENDINGS = ['delivered', 'refused', 'waits', 'lost'] as const;

type Vendor = (typeof VENDORS)[number];
type Ending = (typeof ENDINGS)[number];

type Step =
  | { readonly do: 'accept'; readonly vendor: Vendor; readonly items: readonly number[]; readonly available: boolean }
  | { readonly do: 'decide'; readonly vendor: Vendor; readonly at: number; readonly verdict: 'retry' | 'discard' }
  | { readonly do: 'send'; readonly own: Ending; readonly others: Ending }
  | { readonly do: 'prune' };

const vendor = fc.constantFrom(...VENDORS);
const ending = fc.constantFrom(...ENDINGS);
const items = fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 3 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('accept' as const), vendor, items, available: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      vendor,
      at: fc.nat(),
      verdict: fc.constantFrom('retry' as const, 'discard' as const),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('send' as const), own: ending, others: ending }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('prune' as const) }) },
);
const steps = fc.array(step, { minLength: 10, maxLength: 30, size: 'max' });

/** Two stores: in one of them vendor B is the only vendor. */
class TwoWorlds {
  readonly #alone: Outbox;
  readonly #beside: Outbox;
  readonly #edits: Record<Vendor, EditId[]> = { 'vendor-a': [], 'vendor-b': [] };
  #now = T0;

  constructor(alone: Outbox, beside: Outbox) {
    this.#alone = alone;
    this.#beside = beside;
  }

  async take(next: Step): Promise<void> {
    this.#now += SECOND;
    const settled = this.#now - 5 * SECOND;
    switch (next.do) {
      case 'accept':
        return this.#accept(this.#batch(next));
      case 'decide':
        return this.#decide(next);
      case 'send':
        for (const outbox of [this.#alone, this.#beside]) await this.#send(outbox, next);
        return;
      case 'prune':
        for (const outbox of [this.#alone, this.#beside]) await outbox.prune({ settled, keys: settled });
    }
  }

  /** All that vendor B can read, byte for byte. */
  async expectTheSame(): Promise<void> {
    const [alone, beside] = [await this.#read(this.#alone), await this.#read(this.#beside)];
    assert.equal(beside, alone);
  }

  #batch({ vendor: whose, items: wanted, available }: Extract<Step, { do: 'accept' }>): AcceptBatchCommand {
    const edits = wanted.map((item) => edit(`${whose}-${String(item)}`, available));
    this.#edits[whose].push(...edits.map(({ edit_id }) => edit_id));
    return batch(edits, { vendor: whose, now: this.#now });
  }

  async #accept(request: AcceptBatchCommand): Promise<void> {
    const answers = [];
    for (const outbox of this.#worldsOf(request.vendor)) {
      answers.push(JSON.stringify(await outbox.accept(request)));
      // The order in which items of a batch get their revisions is arbitrary and reveals nothing.
      await outbox.revision(request.vendor);
    }
    assert.equal(new Set(answers).size, 1);
  }

  async #decide({ vendor: whose, at, verdict: kind }: Extract<Step, { do: 'decide' }>): Promise<void> {
    const own = this.#edits[whose];
    const editId = own[at % own.length];
    if (editId === undefined) return;
    const newId = `${editId}-${String(own.length)}` as EditId;
    const verdict: Decision['verdict'] =
      kind === 'discard' ? { kind } : { kind, newId, portalOffset: 0, timestampUnit: 1 };
    const decision = { vendor: whose, by: 'person-b', editId, verdict, now: this.#now };
    own.push(newId);
    const answers = [];
    for (const outbox of this.#worldsOf(whose)) answers.push(JSON.stringify(await outbox.decide(decision)));
    assert.equal(new Set(answers).size, 1);
  }

  async #send(outbox: Outbox, { own, others }: Extract<Step, { do: 'send' }>): Promise<void> {
    const held = await leaseLane(outbox, { ...WANT, now: this.#now });
    if (held === undefined) return;
    const open = await outbox.beginAttempt(held, await outbox.due(held, this.#now, 1000), this.#now);
    // The order in which edits are sent depends on other vendors, and is not visible to any.
    const inOrder = [...open].sort((x, y) => x.seq - y.seq);
    const attemptOutcomes = inOrder.map((one) =>
      settlementOf(one, one.vendor === 'vendor-b' ? own : others, this.#now),
    );
    await outbox.recordOutcomes(held, attemptOutcomes, this.#now);
    await outbox.releaseLease(held, { failures: 0, notBefore: 0 });
  }

  #worldsOf(whose: string): Outbox[] {
    return whose === 'vendor-b' ? [this.#alone, this.#beside] : [this.#beside];
  }

  async #read(outbox: Outbox): Promise<string> {
    const whose = 'vendor-b';
    const history = await outbox.history(whose, { limit: 99 });
    const revision = await outbox.revision(whose);
    return JSON.stringify([
      await outbox.receipts(viewerOf(whose), this.#edits[whose]),
      await outbox.list(viewerOf(whose), { limit: 99 }),
      await outbox.list(viewerOf(whose), { since: Math.floor(revision / 2), limit: 99 }),
      revision,
      history,
      await outbox.history(whose, { before: Math.ceil((history[0]?.seq ?? 0) / 2), limit: 2 }),
      await outbox.history(whose, { item: 'vendor-b-0' as ItemId, limit: 9 }),
    ]);
  }
}

function settlementOf(open: OpenEdit, how: Ending, now: number): AttemptOutcome {
  if (how === 'delivered') return { edit: open, kind: 'delivered' };
  if (how === 'refused') return { edit: open, kind: 'refused', reason: 'item_refused' };
  return { edit: open, kind: 'waiting', reason: 'portal_error', dueAt: now + 2 * SECOND, uncertain: how === 'lost' };
}

/** T4 of the threats: the numbers that a vendor reads count only its own edits. */
export function describeVendorNumbers(name: string, open: () => Promise<OpenedOutbox>, numRuns: number): void {
  describe(`${name}: sequence numbers and revisions of a vendor`, () => {
    it('are identical whatever another vendor does', async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (taken) => {
          const opened = await Promise.all([open(), open()]);
          try {
            const worlds = new TwoWorlds(opened[0].outbox, opened[1].outbox);
            for (const [index, next] of taken.entries()) {
              await worlds.take(next);
              if (index % 4 === 0) await worlds.expectTheSame();
            }
            await worlds.expectTheSame();
          } finally {
            await Promise.all(opened.map((one) => one.close()));
          }
        }),
        { numRuns },
      );
    });

    it('count up from 1 for each vendor, and are not reused after pruning', async () => {
      const { outbox, close } = await open();
      try {
        const seqs: unknown[] = [];
        for (const [index, whose] of ['vendor-a', 'vendor-b', 'vendor-b', 'vendor-a', 'vendor-b'].entries()) {
          const now = T0 + index * SECOND;
          const answer = await outbox.accept(batch([edit(`${whose}-item`, index % 2 === 0)], { vendor: whose, now }));
          seqs.push(answer.kind === 'accepted' && answer.receipts.map(({ seq }) => [whose, seq]));
          const held = await leaseLane(outbox, { ...WANT, now });
          assert.ok(held);
          const sent = await outbox.beginAttempt(held, await outbox.due(held, now, 9), now);
          await outbox.recordOutcomes(
            held,
            sent.map((one) => ({ edit: one, kind: 'delivered' })),
            now,
          );
          await outbox.releaseLease(held, { failures: 0, notBefore: 0 });
          await outbox.prune({ settled: now + 1, keys: now + 1 });
        }

        assert.deepEqual(seqs, [
          [['vendor-a', 1]],
          [['vendor-b', 1]],
          [['vendor-b', 2]],
          [['vendor-a', 2]],
          [['vendor-b', 3]],
        ]);
        assert.deepEqual([await outbox.revision('vendor-a'), await outbox.revision('vendor-b')], [4, 6]);
      } finally {
        await close();
      }
    });

    it('order the waiting edits of all vendors for the operator, page by page', async () => {
      const { outbox, close } = await open();
      try {
        for (const id of ['a-1', 'b-1', 'b-2', 'a-2', 'b-3']) {
          await outbox.accept(batch([edit(id, true)], { vendor: `vendor-${id.slice(0, 1)}` }));
        }

        const pages: string[][] = [];
        let after: number | undefined;
        for (let page = await outbox.waiting({ limit: 2 }); page.length > 0;) {
          pages.push(page.map(({ id }) => id));
          after = page.at(-1)?.seq;
          page = await outbox.waiting({ limit: 2, after });
        }

        assert.deepEqual(pages, [['a-1', 'b-1'], ['b-2', 'a-2'], ['b-3']]);
      } finally {
        await close();
      }
    });
  });
}
