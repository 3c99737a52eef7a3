import { expect } from '@open-wc/testing';
import type { Edit } from '../../../src/domain/edit.js';
import { type ItemId, toTimestamp } from '../../../src/domain/item.js';
import { newEditId } from '../../../src/client/storage/edit-id.js';
import { EditQueue } from '../../../src/client/queue/edit-queue.js';
import { toOwner, createProvisionalOwner, TAB_LOCK } from '../../../src/client/storage/queue-owner.js';
import { deleteDatabase, rowsIn } from '../support/database.js';
import { hearWarnings } from '../support/console-warnings.js';
import { fillStorage, forbidStorage, loseConnections } from '../support/failing-storage.js';
import { BOAT, CABIN, KAYAK } from '../support/items.js';
import { ownersAtNewProxy } from '../support/owners.js';

function edit(id: ItemId, more: Partial<Edit> = {}): Edit {
  return { edit_id: newEditId(), id, available: true, updated_at: toTimestamp(Date.now()), ...more };
}

/** The queue as another page of the same browser would have it. */
async function queueOf(owner: string, tab: string): Promise<EditQueue> {
  const queue = new EditQueue(tab);
  await queue.setOwner(owner);
  return queue;
}

async function idsIn(queue: EditQueue): Promise<string[]> {
  return (await queue.rows()).map(({ edit_id }) => edit_id);
}

/** The stored rows of all owners. */
function rowsOnDisk(): Promise<{ edit_id: string }[]> {
  return rowsIn('vendor-inventory', 'edits');
}

describe('an edit in the queue', () => {
  it('is stored once add has resolved', async () => {
    const { tab } = ownersAtNewProxy();
    const kayak = edit(KAYAK, { label: 'Kayak tour' });

    const { isDurable } = await new EditQueue(tab).add([kayak]);

    expect(isDurable).to.equal(true);
    const row = (await rowsOnDisk()).find(({ edit_id }) => edit_id === kayak.edit_id);
    expect(row).to.deep.equal({ ...kayak, owner: tab, stage: 'stored' });
  });

  it('replaces the unsent edit of its item', async () => {
    const queue = new EditQueue(ownersAtNewProxy().tab);
    const [first, second] = [edit(KAYAK), edit(KAYAK)];
    await queue.add([first]);

    await queue.add([second]);

    expect(await idsIn(queue)).to.deep.equal([second.edit_id]);
  });

  it('does not replace an edit of another item', async () => {
    const queue = new EditQueue(ownersAtNewProxy().tab);
    const [first, second] = [edit(KAYAK), edit(BOAT)];
    await queue.add([first]);

    await queue.add([second]);

    expect(await idsIn(queue)).to.deep.equal([first.edit_id, second.edit_id]);
  });

  it('keeps its place in the order in which edits were made, whatever the clock says', async () => {
    const { tab } = ownersAtNewProxy();
    const queue = new EditQueue(tab);
    const edits = [
      edit(KAYAK, { updated_at: toTimestamp(3_000) }),
      edit(BOAT, { updated_at: toTimestamp(1_000) }),
      edit(CABIN, { updated_at: toTimestamp(2_000) }),
    ];
    for (const each of edits) await queue.add([each]);

    const ids = await idsIn(new EditQueue(tab));

    expect(ids).to.deep.equal(edits.map(({ edit_id }) => edit_id));
  });

  it('keeps its order when it is marked as refused', async () => {
    const queue = new EditQueue(ownersAtNewProxy().tab);
    const [first, second] = [edit(KAYAK), edit(BOAT)];
    await queue.add([first]);
    await queue.add([second]);

    await queue.mark([first.edit_id], 'refused', 'item_unknown');

    const rows = await queue.rows();
    expect(rows.map(({ edit_id, stage, reason }) => [edit_id, stage, reason])).to.deep.equal([
      [first.edit_id, 'refused', 'item_unknown'],
      [second.edit_id, 'stored', undefined],
    ]);
  });

  it('is deleted when it is removed, and not before', async () => {
    const { tab } = ownersAtNewProxy();
    const queue = new EditQueue(tab);
    const [first, second] = [edit(KAYAK), edit(BOAT)];
    await queue.add([first]);
    await queue.add([second]);
    await queue.mark([first.edit_id], 'handed-over');

    await queue.remove([second.edit_id]);

    expect(await idsIn(new EditQueue(tab))).to.deep.equal([first.edit_id]);
  });

  it('that another tab removed is not restored by a mark', async () => {
    const { tab } = ownersAtNewProxy();
    const [queue, other] = [new EditQueue(tab), new EditQueue(tab)];
    const kayak = edit(KAYAK);
    await queue.add([kayak]);
    await other.remove([kayak.edit_id]);

    await queue.mark([kayak.edit_id], 'stored');

    expect(await idsIn(queue)).to.deep.equal([]);
  });
});

describe('the owner of a queue', () => {
  it('is the tab until the session is known; its rows pass to the person who is signed in', async () => {
    const { tab, anna } = ownersAtNewProxy();
    const queue = new EditQueue(tab);
    const kayak = edit(KAYAK);
    await queue.add([kayak]);

    const changed = await queue.setOwner(anna);

    expect(changed).to.equal(false);
    expect(await idsIn(queue)).to.deep.equal([kayak.edit_id]);
    expect(await idsIn(await queueOf(anna, tab))).to.deep.equal([kayak.edit_id]);
    expect(await idsIn(new EditQueue(tab))).to.deep.equal([]);
  });

  it('becomes known while edits move from memory to the disk: edits made in between are theirs too', async () => {
    hearWarnings();
    const { tab, anna } = ownersAtNewProxy();
    const queue = new EditQueue(tab);
    const [kayak, boat] = [edit(KAYAK), edit(BOAT)];
    const makeRoom = fillStorage();
    await queue.add([kayak]);
    makeRoom();

    const added = queue.add([boat]);
    await queue.setOwner(anna);
    await added;

    expect(await idsIn(queue)).to.deep.equal([kayak.edit_id, boat.edit_id]);
  });

  it('never reads the rows of another person', async () => {
    const { tab, anna, ben } = ownersAtNewProxy();
    const kayak = edit(KAYAK);
    await (await queueOf(anna, tab)).add([kayak]);

    const rows = await (await queueOf(ben, tab)).rows();

    expect(rows).to.deep.equal([]);
    expect(await idsIn(await queueOf(anna, tab))).to.deep.equal([kayak.edit_id]);
  });

  it('never marks or removes the rows of another person', async () => {
    const { tab, anna, ben } = ownersAtNewProxy();
    const kayak = edit(KAYAK);
    await (await queueOf(anna, tab)).add([kayak]);
    const queue = await queueOf(ben, tab);

    await queue.mark([kayak.edit_id], 'refused');
    await queue.remove([kayak.edit_id]);

    const [row] = await (await queueOf(anna, tab)).rows();
    expect(row).to.include({ edit_id: kayak.edit_id, stage: 'stored' });
  });

  it('may change to another person, who gets nothing of the first', async () => {
    const { tab, anna, ben } = ownersAtNewProxy();
    const queue = await queueOf(anna, tab);
    const kayak = edit(KAYAK);
    await queue.add([kayak]);

    const changed = await queue.setOwner(ben);

    expect(changed).to.equal(true);
    expect(await idsIn(queue)).to.deep.equal([]);
    expect(await idsIn(await queueOf(anna, tab))).to.deep.equal([kayak.edit_id]);
  });

  it('finds its own rows again after another person was signed in', async () => {
    const { tab, anna, ben } = ownersAtNewProxy();
    const queue = await queueOf(anna, tab);
    const kayak = edit(KAYAK);
    await queue.add([kayak]);
    await queue.setOwner(ben);

    await queue.setOwner(anna);

    expect(await idsIn(queue)).to.deep.equal([kayak.edit_id]);
  });

  it('stays the same for the same person', async () => {
    const { tab, anna } = ownersAtNewProxy();
    const queue = await queueOf(anna, tab);

    expect(await queue.setOwner(anna)).to.equal(false);
    expect(queue.owner).to.equal(anna);
  });

  it('differs by proxy, vendor and subject, even if their concatenation is the same', () => {
    const owners = [
      toOwner('https://a.test/', { vendor: 'b', subject: 'c' }),
      toOwner('https://a.test/', { vendor: 'b","c', subject: '' }),
      toOwner('https://a.test/b', { vendor: '', subject: 'c' }),
      toOwner('https://a.test/', { vendor: 'c', subject: 'b' }),
      createProvisionalOwner('https://a.test/', newEditId),
    ];

    expect(new Set(owners).size).to.equal(owners.length);
  });

  it('has the same name for this tab after a reload', () => {
    const names = [
      createProvisionalOwner('https://a.test/', newEditId),
      createProvisionalOwner('https://a.test/', newEditId),
    ];

    expect(names[0]).to.equal(names[1]);
  });

  it('has another name for each session URL of a page', () => {
    const names = ['/boats', '/rooms', '/boats'].map((session) =>
      createProvisionalOwner('https://a.test/', newEditId, session),
    );

    expect(names[0]).to.equal(names[2]);
    expect(names[1]).not.to.equal(names[0]);
  });
});

describe('storage that rejects an edit', () => {
  for (const [name, refuse] of [
    ['because it is full', fillStorage],
    ['because it is forbidden', forbidStorage],
  ] as const) {
    it(`${name} is reported, and the edit is kept in memory`, async () => {
      const warnings = hearWarnings();
      const queue = new EditQueue(ownersAtNewProxy().tab);
      const kayak = edit(KAYAK);
      refuse();

      const { isDurable } = await queue.add([kayak]);

      expect(isDurable).to.equal(false);
      expect(await idsIn(queue)).to.deep.equal([kayak.edit_id]);
      expect(queue.unsavedCount).to.equal(1);
      expect(warnings[0]).to.match(/^vendor-inventory-widget: browser storage failed\./);
    });
  }

  it('does not delete the edit that it would have replaced', async () => {
    hearWarnings();
    const { tab } = ownersAtNewProxy();
    const queue = new EditQueue(tab);
    const [first, second] = [edit(KAYAK), edit(KAYAK)];
    await queue.add([first]);
    fillStorage();

    await queue.add([second]);

    expect(await idsIn(queue)).to.deep.equal([first.edit_id, second.edit_id]);
    expect(await idsIn(new EditQueue(tab))).to.deep.equal([first.edit_id]);
  });

  it('keeps only the newer edit of an item in memory', async () => {
    hearWarnings();
    const queue = new EditQueue(ownersAtNewProxy().tab);
    const [first, second] = [edit(KAYAK), edit(KAYAK)];
    fillStorage();
    await queue.add([first]);

    await queue.add([second]);

    expect(await idsIn(queue)).to.deep.equal([second.edit_id]);
    expect(queue.unsavedCount).to.equal(1);
  });

  it('keeps the stage of an edit in memory until the edit is removed', async () => {
    hearWarnings();
    const queue = new EditQueue(ownersAtNewProxy().tab);
    const kayak = edit(KAYAK);
    fillStorage();
    await queue.add([kayak]);
    await queue.mark([kayak.edit_id], 'refused', 'item_unknown');
    const stages = (await queue.rows()).map(({ stage }) => stage);

    await queue.remove([kayak.edit_id]);

    expect(stages).to.deep.equal(['refused']);
    expect(await queue.rows()).to.deep.equal([]);
    expect(queue.unsavedCount).to.equal(0);
  });

  it('leaves nothing unsaved once the proxy has the edit', async () => {
    hearWarnings();
    const queue = new EditQueue(ownersAtNewProxy().tab);
    const kayak = edit(KAYAK);
    fillStorage();
    await queue.add([kayak]);

    await queue.mark([kayak.edit_id], 'handed-over');

    expect(queue.unsavedCount).to.equal(0);
  });

  it('leaves edits in memory to the first person who signs in, and to no other', async () => {
    hearWarnings();
    const { tab, anna, ben } = ownersAtNewProxy();
    const queue = new EditQueue(tab);
    const kayak = edit(KAYAK);
    fillStorage();
    await queue.add([kayak]);

    await queue.setOwner(anna);
    const ofAnna = await idsIn(queue);
    await queue.setOwner(ben);
    const ofBen = await idsIn(queue);

    expect(ofAnna).to.deep.equal([kayak.edit_id]);
    expect(ofBen).to.deep.equal([]);
  });

  it('shows an empty queue if it cannot be read', async () => {
    const warnings = hearWarnings();
    forbidStorage();

    const rows = await new EditQueue(ownersAtNewProxy().tab).rows();

    expect(rows).to.deep.equal([]);
    expect(warnings).to.have.length(1);
  });
});

describe('a database that is deleted while a page is open', () => {
  it('by another tab is created again, with the edits that this page knew', async () => {
    const queue = new EditQueue(ownersAtNewProxy().tab);
    const kayak = edit(KAYAK);
    await queue.add([kayak]);
    await deleteDatabase('vendor-inventory');
    const boat = edit(BOAT);

    const { isDurable } = await queue.add([boat]);

    expect(isDurable).to.equal(true);
    expect(await idsIn(queue)).to.have.members([kayak.edit_id, boat.edit_id]);
    expect(queue.unsavedCount).to.equal(0);
  });

  it('without an event is opened again for the next edit', async () => {
    const lose = loseConnections();
    const queue = new EditQueue(ownersAtNewProxy().tab);
    const [kayak, boat] = [edit(KAYAK), edit(BOAT)];
    await queue.add([kayak]);
    lose();

    const { isDurable } = await queue.add([boat]);

    expect(isDurable).to.equal(true);
    expect(await idsIn(queue)).to.deep.equal([kayak.edit_id, boat.edit_id]);
  });
});

describe('the lock of a tab that does not know its person', () => {
  it('is acquired again for edits that are made after a sign-out', async () => {
    const { tab, anna } = ownersAtNewProxy();
    const queue = new EditQueue(tab);
    const make = (): Promise<unknown> => queue.add([edit(KAYAK)]);
    const isHeld = async (): Promise<boolean> =>
      ((await navigator.locks.query()).held ?? []).some(({ name }) => name === TAB_LOCK + tab);
    await make();
    await queue.setOwner(anna);
    await queue.wipe(() => Promise.resolve());
    const before = await isHeld();

    await make();

    expect([before, await isHeld()]).to.deep.equal([false, true]);
  });
});
