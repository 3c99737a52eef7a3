import { inBrowser, type Control } from './control.js';

const HANDOVER = 'src/client/queue/handover.ts';
const LEDGER = 'src/client/model/item-state.ts';
const QUEUE = 'src/client/queue/edit-queue.ts';

/** The defences of the page; their tests need a browser, so they come last. */
export const BROWSER_CONTROLS: readonly Control[] = [
  {
    defence: 'an edit is marked as sending before it is sent',
    file: HANDOVER,
    text: `const edits = await queue.markSending(batch);`,
    broken: `const edits = batch;`,
    test: inBrowser(
      'queue/handover',
      'stay on the disk while they are in flight, though a newer edit waits behind them',
    ),
  },
  {
    defence: 'an edit is deleted from the queue only after its receipt',
    file: HANDOVER,
    text: `      await this.note(await client.send(edits));`,
    broken: `      await queue.remove(toEditIds(edits));
      await this.note(await client.send(edits));`,
    test: inBrowser(
      'store/store-connection',
      'resends an edit without a receipt under the same id, so that it counts once',
    ),
  },
  {
    defence: 'the edits of one person never belong to another one',
    file: QUEUE,
    text: `    if (before !== this.#provisional) return true;\n`,
    broken: '',
    test: inBrowser('store/store-people', 'neither sees nor sends the waiting edits of the first one'),
  },
  {
    defence: 'an orphaned edit waits for a decision',
    file: 'src/client/queue/orphaned-edits.ts',
    text: `stage: 'refused', reason: UNCLAIMED`,
    broken: `stage: 'stored'`,
    test: inBrowser('queue/unclaimed', 'is offered with both values to the next person, and sent on their decision'),
  },
  {
    defence: 'another tab takes the lock of a frozen tab',
    file: 'src/client/browser/tab-locks.ts',
    text: `const LOCK_TIMEOUT_MS = 5_000;`,
    broken: `const LOCK_TIMEOUT_MS = 50_000;`,
    test: inBrowser('sync/sender-lock', 'waits for a frozen tab for five seconds at most'),
  },
  {
    defence: 'a late listing does not overwrite a newer receipt',
    file: LEDGER,
    text: `if ((this.#lastReceiptAt.get(item.id) ?? 0) <= asked) this.#confirm(item);`,
    broken: `if (asked >= 0) this.#confirm(item);`,
    test: inBrowser('store/inventory-store', 'is not reverted by an older listing that arrives after its receipt'),
  },
  {
    defence: 'an edit that was not stored is not shown as stored',
    file: QUEUE,
    text: `return { isDurable: false, added`,
    broken: `return { isDurable: true, added`,
    test: inBrowser(
      'store/inventory-store',
      'mark an edit as unsaved while storage rejects it, and it is sent nevertheless',
    ),
  },
  {
    defence: 'an edit that another tab replaced is not restored',
    file: QUEUE,
    text: `      if (message.kind !== 'queue') this.#rows.forget(edits);\n`,
    broken: '',
    test: inBrowser(
      'queue/queue-promises',
      'that was emptied gets no edit back from a frozen page if another page has replaced and settled it',
    ),
  },
  {
    defence: 'nothing is re-rendered while a pointer is down',
    file: 'src/client/browser/interaction-guard.ts',
    text: `    return this.#released;\n`,
    broken: '    return undefined;\n',
    test: {
      file: 'test/elements/inventory-editor/changes-by-others.test.ts',
      name: 'is not shown while a pointer is down, so that a press has the effect that the person saw',
      isInBrowser: true,
    },
  },
  {
    defence: 'an item that has the value already is not sent',
    file: 'src/client/editor/bulk-edit.ts',
    text: 'isOnPortal(store, request) || ',
    broken: '',
    test: inBrowser('store/store-decisions', 'sends edits only for items with another value'),
  },
];
