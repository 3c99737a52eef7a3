import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import type { EditId } from '../../../src/domain/edit.js';
import { type ItemId, type Timestamp, toTimestamp } from '../../../src/domain/item.js';
import type { Receipt } from '../../../src/contract/widget.js';
import { newEditId } from '../../../src/client/storage/edit-id.js';
import { EditQueue } from '../../../src/client/queue/edit-queue.js';
import { Handover, type HandoverOptions } from '../../../src/client/queue/handover.js';
import { ItemLedger } from '../../../src/client/model/item-state.js';
import type { OwnedEdit } from '../../../src/client/api/proxy-client.js';
import { ApiError } from '../../../src/client/api/api-error.js';
import type { QueuedEdit } from '../../../src/client/storage/edit-table.js';
import { toOwner } from '../../../src/client/storage/queue-owner.js';
import { afterThisTest } from '../support/clean-up.js';
import { BOAT, KAYAK, LONG_AGO } from '../support/items.js';
import { tryInBrowser } from '../support/try-in-browser.js';

interface Story {
  readonly wishes: readonly (readonly [tab: number, item: ItemId])[];
  /** Of each call in turn: whether it is lost on the way there, on the way back, or not at all. */
  readonly losses: readonly ('there' | 'back' | 'not')[];
  /** Turns after which the first tab is frozen for good, in the middle of whatever it does. */
  readonly freezeAt: number | undefined;
  readonly scheduler: fc.Scheduler;
}

const story: fc.Arbitrary<Story> = fc.record({
  wishes: fc.array(fc.tuple(fc.nat(2), fc.constantFrom(KAYAK, BOAT)), { minLength: 1, maxLength: 7 }),
  losses: fc.array(fc.constantFrom('there', 'back', 'not', 'not'), { maxLength: 6 }),
  freezeAt: fc.option(fc.nat(30), { nil: undefined }),
  scheduler: fc.scheduler(),
});

/** Says that edits may leave, and does not say so on the disk. */
class CarelessQueue extends EditQueue {
  override take(rows: readonly QueuedEdit[]): Promise<readonly QueuedEdit[]> {
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
    // What was on its way has left; the tab hears nothing any more.
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
    await queue.adopt(owner);
    const handover = new Handover({
      client: world.clientOf(tab),
      queue,
      ledger: new ItemLedger(() => undefined),
      isLive: () => true,
      onReset: () => undefined,
      onDone: () => undefined,
      onFailure: () => undefined,
    });
    return { queue, handover };
  };
  const tabs = [await open(0), await open(1), await open(2)];
  const wishes = new Map<ItemId, boolean>([...world.value]);
  let clock = Date.parse(LONG_AGO);

  const person = async (): Promise<void> => {
    for (const [at, id] of told.wishes) {
      await told.scheduler.schedule(Promise.resolve(), 'a wish');
      const tab = tabs[at] ?? tabs[0];
      if (tab === undefined) throw new TypeError('there are three tabs');
      const available = wishes.get(id) !== true;
      const edit = { edit_id: newEditId(), id, available, updated_at: toTimestamp((clock += 1)) as Timestamp };
      wishes.set(id, available);
      // What the proxy has confirmed is what the person would get back.
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

  // Whoever comes later finds what is left, and sends it.
  const last = await open(3);
  const sent = last.handover.sendNow();
  while ((await last.queue.rows()).length > 0) {
    if (told.scheduler.count() > 0) await told.scheduler.waitNext(1, storageAnswers);
    else await storageAnswers(() => Promise.resolve(last.handover.resume()));
  }
  while (told.scheduler.count() > 0) await told.scheduler.waitNext(1, storageAnswers);
  await sent;
  last.handover.pause();

  for (const [id, wish] of wishes) expect(world.value.get(id), `the last wish for ${id}`).to.equal(wish);
}

/** A transaction takes turns of the event loop: whoever waits for one comes back before the next is chosen. */
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

/** Plain http: nobody waits for anybody, as if each tab took the others for frozen. */
function withoutLocks(): void {
  Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
  afterThisTest(() => {
    Reflect.deleteProperty(navigator, 'locks');
  });
}

describe('three tabs that send at once, whatever comes first', () => {
  it('bring the last wish for each item to the proxy last, and each edit once', async function () {
    this.timeout(0);
    withoutLocks();

    await tryInBrowser(
      fc.asyncProperty(story, (told) => tell(told, EditQueue)),
      15,
    );
  });

  it('would not, if what may have left were not marked before', async function () {
    this.timeout(0);
    withoutLocks();

    const tried = await fc.check(
      fc.asyncProperty(story, (told) => tell(told, CarelessQueue)),
      { numRuns: 300, endOnFailure: true },
    );

    expect(tried.failed).to.equal(true);
    expect(String(tried.errorInstance)).to.contain('the last wish for');
  });
});
