import { expect } from '@open-wc/testing';
import type { Edit } from '../../../src/domain/edit.js';
import { type ItemId, toTimestamp } from '../../../src/domain/item.js';
import { newEditId } from '../../../src/client/storage/edit-id.js';
import { EditQueue } from '../../../src/client/queue/edit-queue.js';
import { EditTable } from '../../../src/client/storage/edit-table.js';
import { toOwner } from '../../../src/client/storage/queue-owner.js';
import { TabChannel, type TabMessage } from '../../../src/client/browser/tab-channel.js';
import { afterThisTest } from '../support/clean-up.js';
import { deleteDatabase, openDatabase } from '../support/database.js';
import { hearWarnings } from '../support/console-warnings.js';
import { fillStorage, hangStorage, keepEverything } from '../support/failing-storage.js';
import { BOAT, itemId, KAYAK } from '../support/items.js';
import { fakeTimeouts } from '../support/fake-timeouts.js';
import { until } from '../support/until.js';

function edit(id: ItemId, available = true): Edit {
  return { edit_id: newEditId(), id, available, updated_at: toTimestamp(Date.now()) };
}

/** Tabs of one person in one browser. */
async function tabs(count: number): Promise<EditQueue[]> {
  const owner = toOwner(`https://${crypto.randomUUID()}.proxy.test/`, { vendor: 'harbour-tours', subject: 'anna' });
  const queues = Array.from({ length: count }, () => new EditQueue(newEditId()));
  for (const queue of queues) await queue.setOwner(owner);
  return queues;
}

async function oneTab(): Promise<EditQueue> {
  const [queue] = await tabs(1);
  if (queue === undefined) throw new TypeError('there is a tab');
  return queue;
}

async function stagesIn(queue: EditQueue): Promise<string[]> {
  return (await queue.rows()).map(({ id, available, stage }) => `${id} ${String(available)} ${stage}`);
}

function newsOf(queue: EditQueue, channel = new TabChannel()): TabMessage[] {
  const heard: TabMessage[] = [];
  afterThisTest(queue.watch(channel, (news) => heard.push(news)));
  return heard;
}

describe('an edit that is about to be sent', () => {
  it('is marked on the disk before, and the next page finds the mark after a crash', async () => {
    const [queue, later] = (await tabs(2)) as [EditQueue, EditQueue];
    await queue.add([edit(KAYAK), edit(BOAT)]);

    const taken = await queue.markSending(await queue.rows());

    expect(taken.map(({ id }) => id)).to.deep.equal([KAYAK, BOAT]);
    expect(await stagesIn(later)).to.deep.equal(['kayak-tour-2 true sending', 'boat-tour-1 true sending']);
  });

  it('is sent by a second tab too, if the first seems dead', async () => {
    const [queue, other] = (await tabs(2)) as [EditQueue, EditQueue];
    await queue.add([edit(KAYAK)]);
    await queue.markSending(await queue.rows());

    expect(await other.markSending(await other.rows())).to.have.length(1);
  });

  it('stays, whichever tab has a newer edit of the item', async () => {
    const [queue, other] = (await tabs(2)) as [EditQueue, EditQueue];
    await queue.add([edit(KAYAK, false)]);
    await queue.markSending(await queue.rows());

    await other.add([edit(KAYAK, true)]);

    expect(await stagesIn(queue)).to.deep.equal(['kayak-tour-2 false sending', 'kayak-tour-2 true stored']);
  });

  it('may be replaced again if the proxy rejected it without reading it', async () => {
    const queue = await oneTab();
    await queue.add([edit(KAYAK, false)]);
    await queue.markUnsent(await queue.markSending(await queue.rows()));

    await queue.add([edit(KAYAK, true)]);

    expect(await stagesIn(queue)).to.deep.equal(['kayak-tour-2 true stored']);
  });

  it('is not sent if another tab has replaced or settled it', async () => {
    const [queue, other] = (await tabs(2)) as [EditQueue, EditQueue];
    await queue.add([edit(KAYAK), edit(BOAT)]);
    const rows = await queue.rows();
    await other.add([edit(KAYAK, false)]);
    await other.mark(
      rows.filter(({ id }) => id === BOAT).map(({ edit_id }) => edit_id),
      'handed-over',
    );

    expect(await queue.markSending(rows)).to.deep.equal([]);
  });
});

describe('an edit that returns to the previous value', () => {
  it('leaves no edit, if the edits in between were not sent', async () => {
    const queue = await oneTab();
    await queue.add([edit(KAYAK, false)]);

    const { added } = await queue.add([edit(KAYAK, true)], 'withdrawal');

    expect(added.size).to.equal(0);
    expect(await queue.rows()).to.deep.equal([]);
  });

  for (const stage of ['sending', 'handed-over'] as const) {
    it(`is an ordinary edit after one that is ${stage}`, async () => {
      const queue = await oneTab();
      const first = edit(KAYAK, false);
      await queue.add([first]);
      await queue.mark([first.edit_id], stage);
      await queue.add([edit(KAYAK, true)]);
      await queue.add([edit(KAYAK, false)]);

      await queue.add([edit(KAYAK, true)], 'withdrawal');

      expect(await stagesIn(queue)).to.deep.equal([`kayak-tour-2 false ${stage}`, 'kayak-tour-2 true stored']);
    });
  }

  it('is an ordinary edit, if no unsent edit is there to withdraw', async () => {
    const queue = await oneTab();

    await queue.add([edit(KAYAK, true)], 'withdrawal');

    expect(await stagesIn(queue)).to.deep.equal(['kayak-tour-2 true stored']);
  });

  it('leaves nothing in memory either', async () => {
    hearWarnings();
    fillStorage();
    const queue = await oneTab();
    await queue.add([edit(KAYAK, false)]);

    const { added } = await queue.add([edit(KAYAK, true)], 'withdrawal');

    expect(added.size).to.equal(0);
    expect(queue.unsavedCount).to.equal(0);
  });
});

describe('an edit that is discarded', () => {
  for (const [stage, isGone] of [
    ['stored', true],
    ['refused', true],
    ['sending', false],
    ['handed-over', false],
  ] as const) {
    it(`is ${isGone ? 'gone' : 'still there'}, if it was ${stage}`, async () => {
      const queue = await oneTab();
      const kayak = edit(KAYAK);
      await queue.add([kayak]);
      await queue.mark([kayak.edit_id], stage);

      expect(await queue.discard([kayak.edit_id])).to.deep.equal(isGone ? [kayak.edit_id] : []);
      expect(await queue.rows()).to.have.length(isGone ? 0 : 1);
    });
  }

  it('is removed if it was in memory only, whether or not the disk can remove another one', async () => {
    const queue = await oneTab();
    const [kayak, boat] = [edit(KAYAK), edit(BOAT)];
    await queue.add([kayak]);
    fillStorage();
    await queue.add([boat]);
    keepEverything();

    const gone = await queue.discard([kayak.edit_id, boat.edit_id]);

    expect(gone).to.deep.equal([boat.edit_id]);
    expect(queue.known.map(({ id }) => id)).to.deep.equal([KAYAK]);
  });

  it('was not there to be discarded, if another tab did it before', async () => {
    const [queue, other] = (await tabs(2)) as [EditQueue, EditQueue];
    const kayak = edit(KAYAK);
    await queue.add([kayak]);
    await other.discard([kayak.edit_id]);

    expect(await queue.discard([kayak.edit_id])).to.deep.equal([]);
  });
});

describe('a thousand edits', () => {
  it('are stored at once, in their order, and replaced at once', async () => {
    const queue = await oneTab();
    const ids = Array.from({ length: 1_000 }, (_, at) => itemId(`room-${String(at)}`));
    await queue.add(ids.map((id) => edit(id, false)));

    const { isDurable, added } = await queue.add(ids.map((id) => edit(id, true)));

    const rows = await queue.rows();
    expect(isDurable).to.equal(true);
    expect(rows.map(({ edit_id }) => edit_id)).to.deep.equal([...added]);
    expect(rows.map(({ id }) => id)).to.deep.equal(ids);
  });
});

describe('messages about the queue', () => {
  it("reach the other tabs of the same person, and no other person's", async () => {
    const [queue, other] = (await tabs(2)) as [EditQueue, EditQueue];
    const stranger = await oneTab();
    const [heard, heardByStranger] = [newsOf(other), newsOf(stranger)];
    newsOf(queue);
    const [first, second] = [edit(KAYAK, false), edit(KAYAK, true)];
    await queue.add([first]);
    await queue.add([second]);

    await until(() => heard.length === 3, 'both are heard of');

    expect(heard).to.deep.equal([
      { kind: 'queue', edits: [first.edit_id] },
      { kind: 'queue', edits: [second.edit_id] },
      { kind: 'withdrawn', edits: [first.edit_id] },
    ]);
    expect(other.known.map(({ edit_id }) => edit_id)).to.deep.equal([second.edit_id]);
    expect(heardByStranger).to.deep.equal([]);
  });

  it('carry no data of its edits', async () => {
    const [queue, other] = (await tabs(2)) as [EditQueue, EditQueue];
    const heard = newsOf(other);
    newsOf(queue);
    const kayak: Edit = { ...edit(itemId('secret-room')), label: 'secret-label' };
    await queue.add([kayak]);
    await queue.markSending(await queue.rows());
    await queue.remove([kayak.edit_id]);

    await until(() => heard.length === 3, 'all is heard of');

    expect(JSON.stringify(heard)).not.to.contain('secret');
    expect(heard.map(({ kind }) => kind)).to.deep.equal(['queue', 'queue', 'settled']);
    expect(other.known).to.deep.equal([]);
  });
});

/** A frozen page, whose messages wait until it resumes. */
class FrozenChannel extends TabChannel {
  readonly kinds: TabMessage['kind'][] = [];
  readonly #kept: (() => void)[] = [];
  #isFrozen = true;

  override listen(listener: (news: TabMessage) => void): void {
    super.listen((news) => {
      this.kinds.push(news.kind);
      if (this.#isFrozen) this.#kept.push(() => void listener(news));
      else listener(news);
    });
  }

  thaw(): void {
    this.#isFrozen = false;
    for (const tell of this.#kept.splice(0)) tell();
  }
}

describe('storage that fails', () => {
  it('that was emptied gets no edit back from a frozen page if another page has replaced and settled it', async () => {
    const owner = toOwner(`https://${crypto.randomUUID()}.proxy.test/`, { vendor: 'harbour-tours', subject: 'anna' });
    const channel = new FrozenChannel();
    const frozen = new EditQueue(newEditId());
    const other = new EditQueue(newEditId());
    for (const queue of [frozen, other]) await queue.setOwner(owner);
    newsOf(frozen, channel);
    newsOf(other);
    await frozen.add([edit(KAYAK, false), edit(BOAT, false)]);
    const [, boat] = await other.rows();
    const newer = edit(KAYAK, true);
    await other.add([newer]);
    await other.remove([newer.edit_id, ...(boat === undefined ? [] : [boat.edit_id])]);
    await deleteDatabase('vendor-inventory');
    await until(() => channel.kinds.includes('settled'), 'there is all to hear');

    channel.thaw();
    await frozen.rows();

    expect(await stagesIn(frozen)).to.deep.equal([]);
    expect(await stagesIn(other)).to.deep.equal([]);
  });

  it('that was emptied does not make a tab withdraw what another one has sent', async () => {
    const [sender, other] = (await tabs(2)) as [EditQueue, EditQueue];
    await sender.add([edit(KAYAK, false)]);
    await other.rows();
    await sender.markSending(await sender.rows());
    await deleteDatabase('vendor-inventory');
    await other.rows();
    const back = edit(KAYAK, true);

    const { added } = await other.add([back], 'withdrawal');

    expect([...added]).to.deep.equal([back.edit_id]);
    expect(await stagesIn(other)).to.deep.equal(['kayak-tour-2 false sending', 'kayak-tour-2 true stored']);
  });

  it('that was emptied and is full does not make a tab do so either', async () => {
    hearWarnings();
    const [sender, other] = (await tabs(2)) as [EditQueue, EditQueue];
    await sender.add([edit(KAYAK, false)]);
    await other.rows();
    await sender.markSending(await sender.rows());
    fillStorage();
    await deleteDatabase('vendor-inventory');
    await other.rows();
    const back = edit(KAYAK, true);

    const { added } = await other.add([back], 'withdrawal');

    expect([...added]).to.deep.equal([back.edit_id]);
  });

  it('that stored an edit after the timeout keeps the stage that another tab has set since', async () => {
    hearWarnings();
    const [queue, other] = (await tabs(2)) as [EditQueue, EditQueue];
    const makeRoom = fillStorage();
    const kayak = edit(KAYAK);
    await queue.add([kayak]);
    makeRoom();
    const { owner } = other;
    await new EditTable().add([{ ...kayak, owner, stage: 'sending' }], 'new');

    await queue.rows();

    expect(await stagesIn(other)).to.deep.equal(['kayak-tour-2 true sending']);
  });

  it('keeps a rejected edit in memory, and stores it once there is space, in the original order', async () => {
    hearWarnings();
    const [queue, later] = (await tabs(2)) as [EditQueue, EditQueue];
    const makeRoom = fillStorage();
    await queue.add([edit(KAYAK, false)]);
    await queue.add([edit(BOAT, false)]);
    const before = queue.unsavedCount;
    makeRoom();

    await queue.add([edit(BOAT, true)]);

    expect([before, queue.unsavedCount]).to.deep.equal([2, 0]);
    expect(await stagesIn(later)).to.deep.equal(['kayak-tour-2 false stored', 'boat-tour-1 true stored']);
  });

  it('notifies the page of an edit that is stored at last', async () => {
    hearWarnings();
    const queue = await oneTab();
    const heard = newsOf(queue);
    const makeRoom = fillStorage();
    const kayak = edit(KAYAK);
    await queue.add([kayak]);
    makeRoom();

    await queue.rows();

    expect(heard).to.deep.equal([{ kind: 'queue', edits: [kayak.edit_id] }]);
    expect(queue.isUnsaved(kayak.edit_id)).to.equal(false);
  });

  it('does not restore an older edit behind a newer one of another tab', async () => {
    hearWarnings();
    const [queue, other] = (await tabs(2)) as [EditQueue, EditQueue];
    const makeRoom = fillStorage();
    await queue.add([{ ...edit(KAYAK, false), updated_at: toTimestamp(Date.now() - 1_000) }]);
    makeRoom();
    await other.add([edit(KAYAK, true)]);

    await queue.rows();

    expect(await stagesIn(queue)).to.deep.equal(['kayak-tour-2 true stored']);
  });

  it('does not restore an edit behind one that the proxy has already', async () => {
    hearWarnings();
    const [queue, other] = (await tabs(2)) as [EditQueue, EditQueue];
    const makeRoom = fillStorage();
    await queue.add([{ ...edit(KAYAK, false), updated_at: toTimestamp(Date.now() - 1_000) }]);
    makeRoom();
    const newer = edit(KAYAK, true);
    await other.add([newer]);
    await other.markSending(await other.rows());
    await other.mark([newer.edit_id], 'handed-over');

    await queue.rows();

    expect(await stagesIn(other)).to.deep.equal(['kayak-tour-2 true handed-over']);
  });

  it('stores an edit that the proxy has, whatever was edited since, because its receipt is still to come', async () => {
    hearWarnings();
    const [queue, other] = (await tabs(2)) as [EditQueue, EditQueue];
    const makeRoom = fillStorage();
    const older = { ...edit(KAYAK, false), updated_at: toTimestamp(Date.now() - 1_000) };
    await queue.add([older]);
    await queue.mark([older.edit_id], 'handed-over');
    makeRoom();
    await other.add([edit(KAYAK, true)]);

    await queue.rows();

    expect((await stagesIn(other)).sort()).to.deep.equal([
      'kayak-tour-2 false handed-over',
      'kayak-tour-2 true stored',
    ]);
  });

  it('that hangs times out after five seconds, and no later call waits for it', async () => {
    hearWarnings();
    const { asked, end } = fakeTimeouts();
    hangStorage();
    const queue = new EditQueue(newEditId());
    const adding = queue.add([edit(KAYAK)]);
    await until(() => asked.length > 0, 'it is waited for');
    end();

    const { isDurable } = await adding;
    await queue.add([edit(BOAT)]);

    expect(isDurable).to.equal(false);
    expect(queue.unsavedCount).to.equal(2);
    expect(asked).to.deep.equal([5_000]);
  });

  it('has a longer timeout once it is open, because it may hold many rows', async () => {
    const queue = new EditQueue(newEditId());
    const { asked } = fakeTimeouts();

    await queue.rows();

    expect(asked).to.deep.equal([5_000, 20_000]);
  });

  it('that another tab blocks with an older version does not delay the person, and is used once it is free', async () => {
    const warnings = hearWarnings();
    const name = `vendor-inventory-${crypto.randomUUID()}`;
    const old = await openDatabase(name, 1, (database) => {
      const edits = database.createObjectStore('edits', { autoIncrement: true });
      edits.createIndex('owner', 'owner');
      edits.createIndex('edit', ['owner', 'edit_id'], { unique: true });
    });
    const { asked, end } = fakeTimeouts();
    const queue = new EditQueue(newEditId(), new EditTable(name));
    const adding = queue.add([edit(KAYAK)]);
    await until(() => asked.length > 0, 'it is waited for');
    end();
    const { isDurable } = await adding;

    old.close();
    await until(async () => (await queue.rows()).length === 1 && queue.unsavedCount === 0, 'it is on the disk');

    expect(isDurable).to.equal(false);
    expect(warnings).to.have.length(1);
  });

  it('is asked for persistence once, and only after the first edit', async () => {
    let asked = 0;
    const { persist } = StorageManager.prototype;
    StorageManager.prototype.persist = () => {
      asked += 1;
      return Promise.resolve(true);
    };
    afterThisTest(() => {
      StorageManager.prototype.persist = persist;
    });
    const queue = await oneTab();
    await queue.rows();
    const askedBefore = asked;

    await queue.add([edit(KAYAK)]);
    await queue.add([edit(BOAT)]);

    expect([askedBefore, asked]).to.deep.equal([0, 1]);
  });
});
