import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import type { EditId } from '../../../src/domain/edit.js';
import { type ItemId, type Timestamp, toTimestamp } from '../../../src/domain/item.js';
import type { Receipt } from '../../../src/contract/widget.js';
import { newEditId } from '../../../src/client/storage/edit-id.js';
import { EditQueue } from '../../../src/client/queue/edit-queue.js';
import { Handover, type HandoverOptions } from '../../../src/client/queue/handover.js';
import { ItemStates } from '../../../src/client/model/item-state.js';
import type { OwnedEdit } from '../../../src/client/api/proxy-client.js';
import { ApiError } from '../../../src/client/api/api-error.js';
import type { QueuedEdit } from '../../../src/client/storage/edit-table.js';
import { toOwner } from '../../../src/client/storage/queue-owner.js';
import { afterThisTest } from '../support/clean-up.js';
import { BOAT, KAYAK, LONG_AGO } from '../support/items.js';
import { tryInBrowser } from '../support/try-in-browser.js';

interface Story {
  readonly presses: readonly (readonly [tab: number, item: ItemId])[];
  /** For each call: whether the request is lost, the response, or neither. */
  readonly losses: readonly ('there' | 'back' | 'not')[];
  /** The number of turns after which the first tab is frozen for good, at any point of its work. */
  readonly freezeAt: number | undefined;
  readonly scheduler: fc.Scheduler;
}

const story: fc.Arbitrary<Story> = fc.record({
  presses: fc.array(fc.tuple(fc.nat(2), fc.constantFrom(KAYAK, BOAT)), { minLength: 1, maxLength: 7 }),
  losses: fc.array(fc.constantFrom('there', 'back', 'not', 'not'), { maxLength: 6 }),
  freezeAt: fc.option(fc.nat(30), { nil: undefined }),
  scheduler: fc.scheduler(),
});

/** A queue that lets edits be sent without marking them on the disk. */
class CarelessQueue extends EditQueue {
  override markSending(rows: readonly QueuedEdit[]): Promise<readonly QueuedEdit[]> {
    return Promise.resolve(rows);
  }
}

/** A proxy that knows each edit by its id, and the tabs that send to it, one step at a time. */
class World {
  readonly accepted = new Map<EditId, Receipt>();
  readonly value = new Map<ItemId, boolean>([
    [KAYAK, true],
    [BOAT, true],
  ]);
  readonly #story: Story;
  readonly #losses: ('there' | 'back' | 'not')[];
  #turns = 0;

  constructor(told: Story) {
    this.#story = told;
    this.#losses = [...told.losses];
  }

  async turn(tab: number, what: string): Promise<void> {
    this.#turns += 1;
    // A request in flight was sent, and the tab receives no response.
    if (tab === 0 && this.#story.freezeAt !== undefined && this.#turns > this.#story.freezeAt) await NEVER;
    await this.#story.scheduler.schedule(Promise.resolve(), `tab ${String(tab)}: ${what}`);
  }

  clientOf(tab: number): HandoverOptions['client'] {
    const lost = new ApiError('unreachable', 'lost');
    return {
      send: async (edits) => {
        const loss = this.#losses.shift() ?? 'not';
        await this.#story.scheduler.schedule(Promise.resolve(), `tab ${String(tab)}: edits arrive`);
        if (loss === 'there') throw lost;
        const receipts = edits.map((edit) => this.#accept(edit));
        await this.turn(tab, 'receipts arrive');
        if (loss === 'back') throw lost;
        return receipts;
      },
      receipts: async (edits) => {
        await this.turn(tab, 'receipts are asked for');
        return edits.flatMap(({ edit_id }) => this.accepted.get(edit_id) ?? []);
      },
    } as Partial<HandoverOptions['client']> as HandoverOptions['client'];
  }

  #accept({ edit_id, id, available }: OwnedEdit): Receipt {
    const known = this.accepted.get(edit_id);
    if (known !== undefined) return known;
    const seq = this.accepted.size + 1;
    const updated_at = toTimestamp(Date.parse(LONG_AGO) + seq);
    const receipt: Receipt = { edit_id, id, seq, state: 'delivered', updated_at };
    this.accepted.set(edit_id, receipt);
    this.value.set(id, available);
    return receipt;
  }
}

const NEVER = new Promise<never>(() => undefined);

async function tell(told: Story, Queue: typeof EditQueue): Promise<void> {
  const world = new World(told);
  const owner = toOwner(`https://${crypto.randomUUID()}.proxy.test/`, { vendor: 'harbour-tours', subject: 'anna' });
  const open = async (tab: number) => {
    const queue = new Queue(newEditId());
    await queue.setOwner(owner);
    const handover = new Handover({
      client: world.clientOf(tab),
      queue,
      itemStates: new ItemStates(() => undefined),
      isLive: () => true,
      onReset: () => undefined,
      onDone: () => undefined,
      onFailure: () => undefined,
    });
    return { queue, handover };
  };
  const tabs = [await open(0), await open(1), await open(2)];
  const presses = new Map<ItemId, boolean>([...world.value]);
  let clock = Date.parse(LONG_AGO);

  const person = async (): Promise<void> => {
    for (const [at, id] of told.presses) {
      await told.scheduler.schedule(Promise.resolve(), 'an edit');
      const tab = tabs[at] ?? tabs[0];
      if (tab === undefined) throw new TypeError('there are three tabs');
      const available = presses.get(id) !== true;
      const edit = { edit_id: newEditId(), id, available, updated_at: toTimestamp((clock += 1)) as Timestamp };
      presses.set(id, available);
      // A withdrawal returns to the value that the proxy has confirmed.
      await (world.value.get(id) === available ? tab.queue.add([edit], 'withdrawal') : tab.queue.add([edit]));
      tab.handover.resume();
    }
  };
  await told.scheduler.waitFor(person(), storageAnswers);
  for (let quiet = 0; quiet < 3; quiet += 1) {
    while (told.scheduler.count() > 0) await told.scheduler.waitNext(1, storageAnswers);
    await storageAnswers(() => Promise.resolve());
  }
  for (const { handover } of tabs) handover.pause();

  // A tab that opens later finds the remaining edits, and sends them.
  const last = await open(3);
  const sent = last.handover.sendNow();
  while ((await last.queue.rows()).length > 0) {
    if (told.scheduler.count() > 0) await told.scheduler.waitNext(1, storageAnswers);
    else await storageAnswers(() => Promise.resolve(last.handover.resume()));
  }
  while (told.scheduler.count() > 0) await told.scheduler.waitNext(1, storageAnswers);
  await sent;
  last.handover.pause();

  for (const [id, value] of presses) expect(world.value.get(id), `the last value of ${id}`).to.equal(value);
}

/**
 * A transaction takes several turns of the event loop. A tab that waits for one continues before the next event is
 * chosen.
 */
async function storageAnswers(act: () => Promise<void>): Promise<void> {
  await act();
  for (let turn = 0; turn < 12; turn += 1) {
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(undefined);
    });
  }
}

/** Plain http has no locks, so no tab waits for another, as if each took the others for frozen. */
function withoutLocks(): void {
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
  afterThisTest(() => {
    Reflect.deleteProperty(navigator, 'locks');
  });
}

describe('three tabs that send at the same time, in any order of events', () => {
  it('deliver the newest edit of each item last, and each edit once', async function () {
    this.timeout(0);
    withoutLocks();

    await tryInBrowser(
      fc.asyncProperty(story, (told) => tell(told, EditQueue)),
      15,
    );
  });

  it('would not, if edits were not marked before they are sent', async function () {
    this.timeout(0);
    withoutLocks();

    const tried = await fc.check(
      fc.asyncProperty(story, (told) => tell(told, CarelessQueue)),
      { numRuns: 300, endOnFailure: true },
    );

    expect(tried.failed).to.equal(true);
    expect(String(tried.errorInstance)).to.contain('the last value of');
  });
});
