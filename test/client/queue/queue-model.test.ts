import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import type { EditId } from '../../../src/domain/edit.js';
import { type ItemId, toTimestamp } from '../../../src/domain/item.js';
import { newEditId } from '../../../src/client/storage/edit-id.js';
import { EditQueue } from '../../../src/client/queue/edit-queue.js';
import type { QueuedEdit } from '../../../src/client/storage/edit-table.js';
import { toOwner } from '../../../src/client/storage/queue-owner.js';
import { BOAT, CABIN, KAYAK } from '../support/items.js';
import { tryInBrowser } from '../support/try-in-browser.js';

type Stage = QueuedEdit['stage'];

/** An event, and the tab in which it happens. */
type Step = { readonly tab: 0 | 1 } & (
  | { readonly kind: 'flip' | 'discard' | 'refuse'; readonly item: ItemId }
  | { readonly kind: 'take' | 'arrive' | 'give back' | 'settle' | 'crash' }
);

const tab = fc.constantFrom<0 | 1>(0, 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ tab, kind: fc.constant('flip' as const), item: fc.constantFrom(KAYAK, BOAT) }) },
  fc.record({
    tab,
    kind: fc.constantFrom('discard' as const, 'refuse' as const),
    item: fc.constantFrom(KAYAK, BOAT),
  }),
  {
    weight: 4,
    arbitrary: fc.record({
      tab,
      kind: fc.constantFrom('take', 'arrive', 'give back', 'settle', 'crash') as fc.Arbitrary<'take'>,
    }),
  },
);

interface Row {
  readonly edit_id: EditId;
  readonly id: ItemId;
  readonly available: boolean;
  stage: Stage;
}

/** A plain list, and a proxy that knows each edit by its id. */
class Model {
  rows: Row[] = [];
  readonly accepted = new Map<EditId, Row>();
  readonly value = new Map<ItemId, boolean>([
    [KAYAK, true],
    [BOAT, true],
    [CABIN, true],
  ]);
  readonly sent = new Set<ItemId>();

  of(id: ItemId): Row[] {
    return this.rows.filter((row) => row.id === id);
  }

  nextValue(id: ItemId): boolean {
    return this.of(id).at(-1)?.available ?? this.value.get(id) ?? true;
  }

  arrive(rows: readonly Row[]): void {
    for (const row of rows) {
      this.sent.add(row.id);
      if (this.accepted.has(row.edit_id)) continue;
      this.accepted.set(row.edit_id, row);
      this.value.set(row.id, row.available);
    }
  }
}

const isUnsent = ({ stage }: Row): boolean => stage === 'stored' || stage === 'refused';

async function live(steps: readonly Step[]): Promise<void> {
  const model = new Model();
  const owner = toOwner(`https://${crypto.randomUUID()}.proxy.test/`, { vendor: 'harbour-tours', subject: 'anna' });
  const open = async (): Promise<EditQueue> => {
    const queue = new EditQueue(newEditId());
    await queue.setOwner(owner);
    return queue;
  };
  const queues: [EditQueue, EditQueue] = [await open(), await open()];
  /** The rows that each tab has marked as `sending`. */
  const taken: [Row[], Row[]] = [[], []];
  let clock = 0;

  const flip = async (queue: EditQueue, id: ItemId): Promise<void> => {
    const available = !model.nextValue(id);
    const edit = { edit_id: newEditId(), id, available, updated_at: toTimestamp((clock += 1)) };
    const open = model.of(id);
    const isBack = open.length > 0 && model.value.get(id) === available;
    const isGone = isBack && open.every(isUnsent);
    model.rows = model.rows.filter((row) => row.id !== id || !isUnsent(row));
    if (!isGone) model.rows.push({ ...edit, stage: 'stored' });
    const { added } = await (isBack ? queue.add([edit], 'withdrawal') : queue.add([edit]));
    expect(added.size).to.equal(isGone ? 0 : 1);
  };

  const act = async (at: Step): Promise<void> => {
    const queue = queues[at.tab];
    const inHand = taken[at.tab];
    const last = 'item' in at ? model.of(at.item).at(-1) : undefined;
    switch (at.kind) {
      case 'flip':
        return flip(queue, at.item);
      case 'discard': {
        if (last === undefined) return;
        const isGone = isUnsent(last);
        if (isGone) model.rows = model.rows.filter((row) => row !== last);
        expect(await queue.discard([last.edit_id])).to.deep.equal(isGone ? [last.edit_id] : []);
        return;
      }
      case 'refuse':
        if (last?.stage !== 'sending' || model.accepted.has(last.edit_id)) return;
        last.stage = 'refused';
        return queue.mark([last.edit_id], 'refused', 'item_unknown');
      case 'take': {
        const waiting = model.rows.filter(({ stage }) => stage === 'stored' || stage === 'sending');
        for (const row of waiting) row.stage = 'sending';
        taken[at.tab] = waiting;
        const rows = (await queue.rows()).filter(({ stage }) => stage === 'stored' || stage === 'sending');
        const got = await queue.markSending(rows);
        expect(got.map(({ edit_id }) => edit_id)).to.deep.equal(waiting.map(({ edit_id }) => edit_id));
        return;
      }
      case 'arrive':
        // Edits that a person has decided about in between are not in flight.
        return model.arrive(inHand.filter((row) => model.rows.includes(row) && row.stage !== 'refused'));
      case 'give back': {
        const refused = inHand.filter((row) => !model.accepted.has(row.edit_id) && model.rows.includes(row));
        for (const row of refused) if (row.stage === 'sending') row.stage = 'stored';
        const known = await queue.rows();
        await queue.markUnsent(known.filter(({ edit_id }) => refused.some((row) => row.edit_id === edit_id)));
        taken[0] = [];
        taken[1] = [];
        return;
      }
      case 'settle': {
        const settled = model.rows.filter(({ edit_id }) => model.accepted.has(edit_id));
        model.rows = model.rows.filter((row) => !settled.includes(row));
        return queue.remove(settled.map(({ edit_id }) => edit_id));
      }
      case 'crash':
        queues[at.tab] = await open();
        taken[at.tab] = [];
    }
  };

  const values = new Map<ItemId, boolean>();
  for (const at of steps) {
    await act(at);
    for (const id of [KAYAK, BOAT]) values.set(id, model.nextValue(id));
    const rows = await queues[at.tab === 0 ? 1 : 0].rows();
    expect(rows.map(({ edit_id, stage }) => `${edit_id} ${stage}`)).to.deep.equal(
      model.rows.map(({ edit_id, stage }) => `${edit_id} ${stage}`),
    );
  }

  // In the end all waiting edits arrive, and items without one have the requested value already.
  model.arrive(model.rows.filter(({ stage }) => stage !== 'refused'));
  for (const [id, nextValue] of values) {
    if (model.of(id).every(({ stage }) => stage !== 'refused')) expect(model.value.get(id)).to.equal(nextValue);
  }
  expect(model.sent.has(CABIN)).to.equal(false);
}

describe('the queue of two tabs, for any sequence of events', () => {
  it('has the edits of a plain list, and neither loses nor duplicates one', async function () {
    this.timeout(0);
    await tryInBrowser(fc.asyncProperty(fc.array(step, { maxLength: 20 }), live), 25);
  });
});
