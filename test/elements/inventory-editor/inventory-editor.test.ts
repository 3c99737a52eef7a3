import { expect, fixture, html } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import '../../../src/index.js';
import { type AvailabilityToggle, InventoryEditor, InventoryErrorEvent } from '../../../src/index.js';
import { newEditId } from '../../../src/client/storage/edit-id.js';
import { EditTable, type QueuedEdit } from '../../../src/client/storage/edit-table.js';
import { toOwner } from '../../../src/client/storage/queue-owner.js';
import { storeFor } from '../../../src/client/store/store-registry.js';
import { toTimestamp } from '../../../src/domain/item.js';
import { hearWarnings } from '../../client/support/console-warnings.js';
import { BOAT, CABIN, itemId, KAYAK } from '../../client/support/items.js';
import { ANNA, BEN, fakeProxy, type FakeProxy, REQUEST_ID, VISITOR } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { accessibleName } from '../support/accessible-name.js';
import { button, hear, ids, press, readyEditor as openEditor, row, rows, untilStatus } from '../support/editor-page.js';
import { recordEvents, shown, untilStatus as untilToggle } from '../support/on-page.js';

const ITEMS = [
  { id: KAYAK, label: 'Kayak tour', group: 'Tours', available: true },
  { id: BOAT, label: 'Boat tour' },
];

/** Each change is sent at once. */
function readyEditor(proxy: FakeProxy, items?: InventoryEditor['items']): Promise<InventoryEditor> {
  return openEditor(proxy, items, { saveMode: 'auto' });
}

function count(editor: InventoryEditor): string {
  return editor.renderRoot.querySelector('.count')?.textContent.trim() ?? '';
}

function problem(editor: InventoryEditor): string {
  return editor.renderRoot.querySelector('[part=problem] span')?.textContent.trim() ?? '';
}

function text(editor: InventoryEditor): string {
  return editor.renderRoot.textContent?.replace(/\s+/g, ' ') ?? '';
}

describe('the inventory editor', () => {
  it("lists the host's items with their labels and groups, and then items that only the proxy knows", async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: CABIN, available: true, label: 'Cabin 7' });

    const editor = await readyEditor(proxy, ITEMS);

    expect(ids(editor)).to.deep.equal([KAYAK, BOAT, CABIN]);
    expect(rows(editor).map(({ control }) => accessibleName(control))).to.deep.equal([
      'Kayak tour Available',
      'Available Boat tour',
      'Cabin 7 Available',
    ]);
  });

  for (const given of [[], ITEMS]) {
    it(`has a row for an item that a toggle adds while the list has ${String(given.length)} items`, async () => {
      const proxy = fakeProxy();
      const editor = await readyEditor(proxy, given);
      const toggle = await fixture<AvailabilityToggle>(
        html`<availability-toggle proxy=${proxy.url} item=${CABIN}></availability-toggle>`,
      );
      await untilToggle(toggle, 'Not set yet');

      toggle.shadowRoot?.querySelector('button')?.click();
      await untilToggle(toggle, 'Sent, ');
      const rowCount = (): unknown => editor.renderRoot.querySelector('[role=grid]')?.ariaRowCount;
      await until(() => rowCount() === String(given.length + 2) && ids(editor).includes(CABIN), 'it has a row');

      expect(ids(editor)).to.deep.equal([...given.map(({ id }) => id), CABIN]);
    });
  }

  it('shows the value of the proxy, or that of the host if the proxy has none', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: false });

    const editor = await readyEditor(proxy, [...ITEMS, { id: CABIN, available: false }]);

    expect(row(editor, KAYAK).shown).to.include({ value: 'off', status: 'Live on the portal' });
    expect(row(editor, BOAT).shown).to.include({ value: 'unknown', status: 'Not set yet' });
    expect(row(editor, CABIN).shown).to.include({ value: 'off', status: 'From your website, not confirmed yet' });
  });

  it('reads its items from a script element inside it', async () => {
    const proxy = fakeProxy();
    const editor = await fixture<InventoryEditor>(
      html`<inventory-editor proxy=${proxy.url}>
        <script type="application/json">
          [{ "id": "kayak-tour-2", "label": "Kayak tour", "available": true }]
        </script>
      </inventory-editor>`,
    );

    await until(() => rows(editor).length === 1, 'the item is listed');

    expect(ids(editor)).to.deep.equal([KAYAK]);
    expect(row(editor, KAYAK).shown.value).to.equal('on');
  });

  it('reads its items from a script element that is parsed after the editor is upgraded', async () => {
    const frame = await fixture<HTMLIFrameElement>(html`<iframe></iframe>`);
    const page = frame.contentDocument;
    const view = frame.contentWindow as (Window & typeof globalThis) | null;
    if (page === null || view === null) throw new Error('the frame has no page');
    view.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    page.open();
    page.write('<script type="module" async src="/src/index.ts"></' + 'script>');
    await until(() => view.customElements.get('inventory-editor'), 'the elements are there');
    page.write('<inventory-editor proxy="https://proxy.test">');
    const editor = page.querySelector('inventory-editor');
    await until(() => editor?.renderRoot.textContent?.includes('Availability'), 'the editor is drawn');

    page.write('<script type="application/json">[{ "id": "kayak-tour-2" }, ');
    page.write('{ "id": "cabin-7" }]</' + 'script></inventory-editor>');
    page.close();

    await until(() => editor && rows(editor).length > 0, 'the items are listed');
    expect(editor && ids(editor)).to.deep.equal([KAYAK, CABIN]);
  });

  it('reads its items from the property if it has both', async () => {
    const proxy = fakeProxy();
    const editor = await fixture<InventoryEditor>(
      html`<inventory-editor proxy=${proxy.url} .items=${ITEMS}>
        <script type="application/json">
          [{ "id": "cabin-7" }]
        </script>
      </inventory-editor>`,
    );

    await until(() => rows(editor).length > 0, 'the items are listed');

    expect(ids(editor)).to.deep.equal([KAYAK, BOAT]);
  });

  it('lists the same whether its items are set before or after it is connected', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: CABIN, available: true });
    const editor = await readyEditor(proxy);

    editor.items = ITEMS;
    await until(() => rows(editor).length === 3, 'the items are listed');

    expect(ids(editor)).to.deep.equal([KAYAK, BOAT, CABIN]);
  });

  it("never changes the host's array", async () => {
    const proxy = fakeProxy();
    const items = Object.freeze(ITEMS.map((item) => Object.freeze({ ...item })));
    const before = JSON.stringify(items);
    const editor = await readyEditor(proxy, items);

    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Sent, ');

    expect(editor.items === items).to.equal(true);
    expect(JSON.stringify(items)).to.equal(before);
    expect(row(editor, KAYAK).shown.value).to.equal('off');
  });

  it('renders markup in ids, labels and groups as text', async () => {
    const hostile = '<img src=x onerror="document.title = \'owned\'">';
    const proxy = fakeProxy();
    proxy.knows({ id: CABIN, available: true, label: hostile });

    const editor = await readyEditor(proxy, [{ id: itemId(hostile), label: hostile, group: hostile }]);

    expect(editor.renderRoot.querySelector('img')).to.equal(null);
    expect(rows(editor).map(({ node }) => node.querySelector('img'))).to.deep.equal([null, null]);
    expect(rows(editor).map(({ label }) => label)).to.deep.equal([hostile, hostile]);
    expect(rows(editor)[0]?.part('.group').textContent).to.equal(hostile);
    expect(document.title).not.to.equal('owned');
  });

  it('sends the label of an item without its group', async () => {
    const proxy = fakeProxy();
    const editor = await readyEditor(proxy, ITEMS);

    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Sent, ');

    expect(proxy.accepted.map(({ label }) => label)).to.deep.equal(['Kayak tour']);
  });

  it('dispatches inventory-change and inventory-receipt for its rows, visible outside of it', async () => {
    const proxy = fakeProxy();
    const editor = await readyEditor(proxy, ITEMS);
    const events = recordEvents(document.body, 'inventory-change', 'inventory-receipt');

    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Sent, ');

    expect(events[0]).to.include({ type: 'inventory-change', itemId: KAYAK, available: false });
    expect(events[0]?.target === editor).to.equal(true);
    expect(events.at(-1)).to.include({ type: 'inventory-receipt', itemId: KAYAK, truth: 'received' });
  });

  for (const kind of ['readonly', 'disabled'] as const) {
    it(`that is ${kind} has rows that are ${kind}`, async () => {
      const proxy = fakeProxy();
      const editor = await readyEditor(proxy, ITEMS);

      editor[kind] = true;
      await editor.updateComplete;
      row(editor, KAYAK).control.click();

      expect(rows(editor).map(({ control }) => control.disabled || control.ariaDisabled === 'true')).to.deep.equal([
        true,
        true,
      ]);
      expect(row(editor, KAYAK).shown.value).to.equal('on');
    });
  }

  it('uses the texts of the page, also in its rows', async () => {
    const proxy = fakeProxy();
    const editor = await readyEditor(proxy, ITEMS);

    editor.strings = { inventory: 'Our offers', notSetYet: 'Please choose' };
    await editor.updateComplete;
    await untilStatus(editor, BOAT, 'Please choose');

    expect(editor.renderRoot.querySelector('h2')?.textContent).to.equal('Our offers');
  });
});

describe('the items property of the editor', () => {
  it('may repeat an id, of which the first counts, with one warning', async () => {
    const warnings = hearWarnings();
    const proxy = fakeProxy();

    const editor = await readyEditor(proxy, [
      { id: KAYAK, available: true },
      { id: KAYAK, available: false },
      { id: KAYAK, available: false },
    ]);
    await editor.refresh();

    expect(ids(editor)).to.deep.equal([KAYAK]);
    expect(row(editor, KAYAK).shown.value).to.equal('on');
    expect(warnings).to.deep.equal([
      `<inventory-editor>: the first of each repeated id counts; 2 are left out: ${KAYAK} <inventory-editor>`,
    ]);
  });

  it('may have invalid entries, which are left out and counted, with a warning about the first', async () => {
    const warnings = hearWarnings();
    const proxy = fakeProxy();
    const items = [{ id: {} }, { id: KAYAK }, { id: BOAT, available: 'yes' }, null, { id: '' }];

    const editor = await readyEditor(proxy, items as unknown as InventoryEditor['items']);

    expect(ids(editor)).to.deep.equal([KAYAK]);
    expect(editor.renderRoot.textContent).to.include('Not shown because of faulty data from this page: 4 items');
    expect(warnings).to.deep.equal([
      '<inventory-editor>: 4 of its items are left out. The first: items[0]/id: expected ' +
        '1 to 200 characters without control characters <inventory-editor>',
    ]);
  });

  it('keeps a row whose display fields are invalid, with one warning for each kind of fault', async () => {
    const warnings = hearWarnings();
    const items = [
      { id: 7, available: true, group: 4, note: 'n'.repeat(600), image: `https://cdn.test/${'x'.repeat(2_100)}` },
      { id: KAYAK, available: true, updated_at: '2026-11-21T08:30:00+02:00' },
    ];

    const editor = await readyEditor(fakeProxy(), items as unknown as InventoryEditor['items']);
    editor.items = structuredClone(items) as unknown as InventoryEditor['items'];
    await editor.updateComplete;

    expect(ids(editor)).to.deep.equal(['7', KAYAK]);
    expect(editor.renderRoot.textContent).not.to.include('Not shown');
    expect(warnings).to.have.length(4);
  });

  it('may have null for unknown fields, and fields of its own', async () => {
    const warnings = hearWarnings();
    const proxy = fakeProxy();
    const items = [{ id: KAYAK, available: null, label: null, group: null, updated_at: null, colour: 'red' }];

    const editor = await readyEditor(proxy, items as InventoryEditor['items']);

    expect(row(editor, KAYAK).shown.value).to.equal('unknown');
    expect(row(editor, KAYAK).label).to.equal(KAYAK);
    expect(warnings).to.deep.equal([]);
  });

  it('has rows named by their id if a label has white space only', async () => {
    const editor = await readyEditor(fakeProxy(), [{ id: KAYAK, label: ' \n', available: true }]);

    expect(row(editor, KAYAK).label).to.equal(KAYAK);
    expect(row(editor, KAYAK).control.ariaLabelledByElements?.[0]?.textContent).to.equal(KAYAK);
  });

  for (const [name, script, warning] of [
    ['no JSON', '[{ "id": "kayak-tour-2" ', 'the script inside it is not JSON.'],
    ['no list', '{ "id": "kayak-tour-2" }', 'the JSON inside it is no array of items.'],
  ] as const) {
    it(`may be a script with ${name}: it warns and shows the proxy's items`, async () => {
      const warnings = hearWarnings('<inventory-editor>');
      const proxy = fakeProxy();
      proxy.knows({ id: CABIN, available: true });
      const page = await fixture<HTMLElement>(html`<div></div>`);

      page.innerHTML = `<inventory-editor proxy="${proxy.url}"><script type="application/json">${script}</script></inventory-editor>`;
      const editor = page.firstElementChild as InventoryEditor;

      await until(() => rows(editor).length === 1, "the proxy's item is listed");
      expect(warnings).to.deep.equal([`<inventory-editor>: ${warning} <inventory-editor>`]);
    });
  }

  it("may be no array: it warns and shows the proxy's items", async () => {
    const warnings = hearWarnings();
    const proxy = fakeProxy();
    proxy.knows({ id: CABIN, available: true });

    const editor = await readyEditor(proxy, 'kayak-tour-2' as unknown as InventoryEditor['items']);

    expect(ids(editor)).to.deep.equal([CABIN]);
    expect(warnings).to.deep.equal(['<inventory-editor>: items is no array of items. <inventory-editor>']);
  });

  it('may be an attribute, as from a framework that turns properties into text: it warns', async () => {
    const warnings = hearWarnings();
    const proxy = fakeProxy();
    proxy.knows({ id: CABIN, available: true });
    const page = await fixture<HTMLElement>(html`<div></div>`);

    page.innerHTML = `<inventory-editor proxy="${proxy.url}" items="[object Object]"></inventory-editor>`;
    const editor = page.firstElementChild as InventoryEditor;

    await until(() => rows(editor).length === 1, "the proxy's item is listed");
    expect(warnings).to.deep.equal(['<inventory-editor>: items is no array of items. <inventory-editor>']);
  });
});

describe('the count of open edits in the editor', () => {
  it('includes each edit that is not on the portal', async () => {
    const proxy = fakeProxy();
    const editor = await readyEditor(proxy, ITEMS);
    const counts = [count(editor)];

    row(editor, KAYAK).control.click();
    await until(() => count(editor) !== counts.at(-1), 'it has changed');
    counts.push(count(editor));
    row(editor, BOAT).control.click();
    await until(() => count(editor) !== counts.at(-1), 'it has changed');
    counts.push(count(editor));

    expect(counts).to.deep.equal([
      // Of items that only the page names, no portal has confirmed a value.
      'No changes are waiting',
      '1 change is not live on the portal yet',
      '2 changes are not live on the portal yet',
    ]);
  });

  it('is empty until the person is known, whose edits may wait on the device', async () => {
    const proxy = fakeProxy();
    const left: QueuedEdit = {
      id: KAYAK,
      available: true,
      edit_id: newEditId(),
      updated_at: toTimestamp(Date.now()),
      owner: toOwner(`${proxy.url}/`, ANNA),
      stage: 'stored',
    };
    await new EditTable().add([left], 'new');
    const answer = proxy.hold('GET v1/session');
    const editor = await fixture<InventoryEditor>(
      html`<inventory-editor proxy=${proxy.url} .items=${ITEMS}></inventory-editor>`,
    );
    await until(() => rows(editor).length === 2, 'the items are listed');
    const counts = [count(editor)];
    proxy.down = true;
    answer();
    await until(() => problem(editor) !== '', 'the proxy is out of reach');
    counts.push(count(editor));

    proxy.down = false;
    await editor.refresh();
    await until(() => count(editor) !== counts.at(-1), 'it is known who is there');
    counts.push(count(editor));

    expect(counts).to.deep.equal(['', '', '1 change is not live on the portal yet']);
  });

  it('becomes zero when the last edit is delivered, with one inventory-saved event', async () => {
    const proxy = fakeProxy();
    const editor = await readyEditor(proxy, ITEMS);
    const saved = recordEvents(document.body, 'inventory-saved');
    row(editor, KAYAK).control.click();
    row(editor, BOAT).control.click();
    await untilStatus(editor, BOAT, 'Sent, ');
    proxy.settle(KAYAK, 'delivered');
    await untilStatus(editor, KAYAK, 'Live on the portal');
    const afterTheFirst = saved.length;

    proxy.settle(BOAT, 'delivered');
    await untilStatus(editor, BOAT, 'Live on the portal');
    await until(() => count(editor) === 'Everything is up to date on the portal', 'nothing is waiting');

    expect(afterTheFirst).to.equal(0);
    expect(saved).to.have.length(1);
    expect(saved[0]).to.include({ bubbles: true, composed: true });
    expect(saved[0]?.target === editor).to.equal(true);
  });

  it('is zero for another person, without an inventory-saved event', async () => {
    const proxy = fakeProxy();
    const editor = await readyEditor(proxy, ITEMS);
    const saved = recordEvents(editor, 'inventory-saved');
    proxy.down = true;
    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'when the connection is back');
    proxy.down = false;
    proxy.person = BEN;

    await editor.refresh();
    await until(() => count(editor) === 'No changes are waiting', 'nothing of the first person is counted');

    expect(saved).to.deep.equal([]);
  });

  it('is zero for another proxy or after a removal, without an inventory-saved event', async () => {
    const [proxy, other] = [fakeProxy(), fakeProxy()];
    const editor = await readyEditor(proxy, ITEMS);
    const saved = recordEvents(editor, 'inventory-saved');
    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Sent, ');

    editor.proxy = other.url;
    await until(() => count(editor) === 'No changes are waiting', 'the other inventory is shown');
    editor.proxy = proxy.url;
    await until(() => count(editor) !== 'No changes are waiting', 'the first inventory is shown');
    editor.requestUpdate();
    editor.remove();
    await editor.updateComplete;

    expect(saved).to.deep.equal([]);
  });
});

describe('an editor that is switched to a proxy of another editor', () => {
  it('dispatches no inventory-saved event while an edit waits at the first one', async () => {
    const proxy = fakeProxy();
    const otherProxy = fakeProxy();
    const other = await fixture<InventoryEditor>(html`<inventory-editor proxy=${otherProxy.url}></inventory-editor>`);
    await until(() => text(other).includes('No items yet'), 'the other store is ready');
    const editor = await readyEditor(proxy, ITEMS);
    const saved = recordEvents(editor, 'inventory-saved');
    row(editor, KAYAK).control.click();
    await untilStatus(editor, KAYAK, 'Sent, ');

    editor.proxy = otherProxy.url;
    await until(() => count(editor) === 'No changes are waiting', 'the other store is shown');

    expect(saved).to.deep.equal([]);
  });
});

describe('the status of the editor', () => {
  it('is loading until the proxy has responded', async () => {
    const proxy = fakeProxy();
    proxy.hold('GET v1/session');

    const editor = await fixture<InventoryEditor>(html`<inventory-editor proxy=${proxy.url}></inventory-editor>`);

    expect(text(editor)).to.include('Loading your items…');
    expect(editor.renderRoot.querySelector('section')?.getAttribute('aria-busy')).to.equal('true');
  });

  it("lets the host's items be shown and edited while it is loading", async () => {
    const proxy = fakeProxy();
    proxy.hold('GET v1/session');
    const editor = await fixture<InventoryEditor>(
      html`<inventory-editor save-mode="auto" proxy=${proxy.url} .items=${ITEMS}></inventory-editor>`,
    );
    await until(() => rows(editor).length === 2, 'the items are listed');

    row(editor, KAYAK).control.click();

    await untilStatus(editor, KAYAK, 'Saved here');
    expect(row(editor, KAYAK).shown.value).to.equal('off');
  });

  it('is empty if neither the page nor the proxy has items', async () => {
    const editor = await readyEditor(fakeProxy());

    expect(text(editor)).to.include('No items yet.');
    expect(editor.renderRoot.querySelector('section')?.getAttribute('aria-busy')).to.equal('false');
  });

  it('is announced again, and shown with the time, after each retry that fails', async () => {
    const proxy = fakeProxy();
    const editor = await readyEditor(proxy, ITEMS);
    proxy.refusal = 'storage_unavailable';
    await editor.refresh();
    await until(() => problem(editor).includes('No changes can be taken'), 'the trouble is shown');
    const heard = hear(editor);

    const before = problem(editor);

    await press(editor, 'Try again');
    await until(() => heard.length > 0, 'it is announced');
    const after = problem(editor);
    await until(() => {
      button(editor, 'Try again').click();
      return heard.length > 1;
    }, 'it is announced again, a second later');
    const later = problem(editor);
    proxy.refusal = undefined;
    await editor.refresh();
    proxy.refusal = 'storage_unavailable';
    await editor.refresh();
    await until(() => problem(editor) !== '', 'it shows a problem again');

    expect(after).to.match(/^No changes can be taken.* Tried again at \d+:\d\d:\d\d.[AP]M\.$/);
    expect(later).not.to.equal(after);
    expect(heard.slice(0, 2)).to.deep.equal([after, later].map((words) => `${words} Try again`));
    expect(problem(editor)).to.equal(before);
  });

  it('is a problem that is shown once above the rows, with a retry button', async () => {
    const proxy = fakeProxy();
    proxy.refusal = 'storage_unavailable';
    const editor = await fixture<InventoryEditor>(
      html`<inventory-editor proxy=${proxy.url} .items=${ITEMS}></inventory-editor>`,
    );
    await until(() => problem(editor).includes('No changes can be taken'), 'the trouble is shown');
    const whileInTrouble = [problem(editor), ...rows(editor).map(({ status }) => status)];
    proxy.refusal = undefined;

    editor.renderRoot.querySelector<HTMLButtonElement>('[part=problem] button')?.click();

    await until(() => problem(editor) === '', 'the trouble is over');
    expect(whileInTrouble).to.deep.equal([
      'No changes can be taken right now. Yours are safe here; we keep trying. ' + `For support: ${REQUEST_ID}`,
      'From your website, not confirmed yet',
      'Checking…',
    ]);
  });

  it('is signed out if the session has expired, with one event', async () => {
    const proxy = fakeProxy();
    proxy.person = undefined;
    const editor = await fixture<InventoryEditor>(
      html`<inventory-editor proxy=${proxy.url} session=${proxy.sessionUrl} .items=${ITEMS}></inventory-editor>`,
    );
    const expired = recordEvents(editor, 'inventory-session-expired');

    // The first words come with the script, the rest with a later part of it.
    await until(() => problem(editor).startsWith('You are signed out. Sign in again on this page'), 'it is shown');

    expect(expired).to.have.length(1);
  });

  it('is read-only if the page sets it, and is shown once', async () => {
    const editor = await readyEditor(fakeProxy(), ITEMS);
    const before = text(editor).includes('You may look but not change.');

    editor.readonly = true;
    await editor.updateComplete;

    expect(before).to.equal(false);
    expect(text(editor).split('You may look but not change.')).to.have.length(2);
  });

  it('allows multiple selection unless the page is read-only', async () => {
    const editor = await readyEditor(fakeProxy(), ITEMS);
    const grid = editor.renderRoot.querySelector('[role=grid]');
    const before = grid?.ariaMultiSelectable;

    editor.readonly = true;
    await editor.updateComplete;

    expect([before, grid?.ariaMultiSelectable]).to.deep.equal(['true', null]);
  });

  it('is read-only for a person without the permission to edit', async () => {
    const proxy = fakeProxy();
    proxy.person = VISITOR;

    const editor = await readyEditor(proxy, ITEMS);

    expect(text(editor)).to.include('You may look but not change.');
    expect(row(editor, KAYAK).control.ariaDisabled).to.equal('true');
  });

  it('is misconfigured without a proxy, with one warning that says what to do', async () => {
    const warnings = hearWarnings();
    const editor = await fixture<InventoryEditor>(html`<inventory-editor .items=${ITEMS}></inventory-editor>`);

    editor.requestUpdate();
    await until(() => warnings.length > 0, 'a warning is on the console');

    expect(problem(editor)).to.equal('This element needs the address of its proxy: add proxy="https://…".');
    expect(warnings).to.deep.equal([
      '<inventory-editor>: This element needs the address of its proxy: add proxy="https://…". <inventory-editor>',
    ]);
    expect(editor.renderRoot.querySelector('[part=problem] button')).to.equal(null);
  });

  it('is updated by refresh, which resolves after the response', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const editor = await readyEditor(proxy, ITEMS);
    proxy.takeFromElsewhere(KAYAK, false);

    await editor.refresh();
    await editor.updateComplete;

    expect(row(editor, KAYAK).shown.value).to.equal('off');
  });

  it('is kept when the editor is moved', async () => {
    const proxy = fakeProxy();
    const editor = await readyEditor(proxy, ITEMS);
    const other = await fixture<HTMLElement>(html`<div></div>`);

    other.append(editor);
    await editor.updateComplete;
    row(editor, KAYAK).control.click();

    await untilStatus(editor, KAYAK, 'Sent, ');
    await until(() => count(editor) === '1 change is not live on the portal yet', 'it is counted');
  });
});

describe('the connection events of the editor', () => {
  it('are dispatched once, by the editor and not by its rows', async () => {
    const proxy = fakeProxy();
    const page = await fixture<HTMLElement>(html`<div></div>`);
    const events = recordEvents(page, 'inventory-ready', 'inventory-error', 'inventory-session-expired');
    const editor = new InventoryEditor();
    Object.assign(editor, { proxy: proxy.url, items: ITEMS });
    page.append(editor);
    await until(() => events.length > 0, 'the proxy has answered');
    proxy.refusal = 'internal';

    await editor.refresh();
    await editor.updateComplete;

    expect(events.map(({ type }) => type)).to.deep.equal(['inventory-ready', 'inventory-error']);
    expect(events.map(({ target }) => target === editor)).to.deep.equal([true, true]);
    expect(events[1]).to.be.instanceOf(InventoryErrorEvent).and.to.include({ code: 'internal' });
  });
});

describe('an editor and a toggle of the same item', () => {
  it('show the same value and status, whichever of them is used', async () => {
    const proxy = fakeProxy();
    proxy.knows({ id: KAYAK, available: true });
    const editor = await readyEditor(proxy, ITEMS);
    const toggle = await fixture<AvailabilityToggle>(
      html`<availability-toggle item=${KAYAK} proxy=${proxy.url}>Kayak tour</availability-toggle>`,
    );
    const pair = () => {
      const { value, status } = shown(toggle);
      return [
        { value, status },
        { value: row(editor, KAYAK).value, status: row(editor, KAYAK).status },
      ];
    };
    const pairs = [pair()];
    const both = async (status: string) => {
      await Promise.all([untilToggle(toggle, status), untilStatus(editor, KAYAK, status)]);
      pairs.push(pair());
    };
    const release = proxy.hold('POST v1/inventory');

    toggle.click();
    await both('Saved here');
    release();
    await both('Sent, ');
    row(editor, KAYAK).control.click();
    await until(() => proxy.accepted.length === 2, 'the second edit is accepted');
    proxy.settle(KAYAK, 'delivered');
    await both('Live on the portal');

    expect(pairs.map(([one, other]) => JSON.stringify(one) === JSON.stringify(other))).to.deep.equal([
      true,
      true,
      true,
      true,
    ]);
    expect(pairs.map(([one]) => one?.value)).to.deep.equal(['on', 'off', 'off', 'on']);
    expect(proxy.heardOn('GET v1/session')).to.have.length(1);
  });
});

describe('the method signOut of the editor', () => {
  function question(editor: InventoryEditor): HTMLDialogElement | null {
    return editor.renderRoot.querySelector('dialog');
  }

  async function answer(editor: InventoryEditor, label: string): Promise<void> {
    await until(() => question(editor)?.open, 'the person is asked');
    choose(editor, label);
  }

  function choose(editor: InventoryEditor, label: string): void {
    const buttons = [...(question(editor)?.querySelectorAll('button') ?? [])];
    buttons.find((button) => button.textContent.trim() === label)?.click();
  }

  async function withUnsentEdit() {
    const proxy = fakeProxy();
    const editor = await readyEditor(proxy, ITEMS);
    proxy.down = true;
    row(editor, KAYAK).control.click();
    await until(() => row(editor, KAYAK).shown.status.startsWith('Saved here'), 'it waits');
    return { proxy, editor };
  }

  it('resolves to true without a dialog if no edit waits, and shows the end of the session', async () => {
    const editor = await readyEditor(fakeProxy(), ITEMS);

    const isSignedOut = await editor.signOut();
    await editor.updateComplete;

    expect(isSignedOut).to.equal(true);
    expect(question(editor)).to.equal(null);
    expect(problem(editor)).to.equal('You are signed out. Nothing of yours is kept on this device.');
  });

  it('sends the waiting edits and deletes their rows, even if the editor was removed before', async () => {
    const { proxy, editor } = await withUnsentEdit();
    editor.remove();
    proxy.down = false;

    expect(await editor.signOut()).to.equal(true);

    expect(proxy.accepted.map(({ id }) => id)).to.deep.equal([KAYAK]);
    expect(await new EditTable().all(toOwner(`${proxy.url}/`, ANNA))).to.deep.equal([]);
  });

  it('sends the waiting edits and deletes their rows if the page has just created the editor', async () => {
    const { proxy, editor } = await withUnsentEdit();
    const page = editor.parentElement;
    editor.remove();
    proxy.down = false;
    const another = document.createElement('inventory-editor');
    another.proxy = proxy.url;
    page?.append(another);

    expect(await another.signOut()).to.equal(true);

    expect(proxy.accepted.map(({ id }) => id)).to.deep.equal([KAYAK]);
    expect(await new EditTable().all(toOwner(`${proxy.url}/`, ANNA))).to.deep.equal([]);
  });

  it('resolves to false if an edit cannot be sent and the editor is not connected', async () => {
    const { editor } = await withUnsentEdit();
    editor.remove();

    expect(await editor.signOut()).to.equal(false);
  });

  it('resolves to false if an edit cannot be sent and the page is still being parsed', async () => {
    const proxy = fakeProxy();
    const frame = await fixture<HTMLIFrameElement>(html`<iframe></iframe>`);
    const page = frame.contentDocument;
    const view = frame.contentWindow as (Window & typeof globalThis) | null;
    if (page === null || view === null) throw new Error('the frame has no page');
    view.fetch = window.fetch;
    page.open();
    page.write('<script type="module" async src="/src/index.ts"></' + 'script>');
    await until(() => view.customElements.get('inventory-editor'), 'the elements are there');
    page.write(`<availability-toggle proxy="${proxy.url}" item="${KAYAK}"></availability-toggle>`);
    page.write(`<inventory-editor proxy="${proxy.url}">`);
    const toggle = page.querySelector('availability-toggle');
    const editor = page.querySelector('inventory-editor');
    await until(() => toggle?.renderRoot.querySelector<HTMLElement>('[part=choices] button'), 'there is a choice');
    await until(() => proxy.heardOn('GET v1/events').length > 0, 'the page is at rest');
    proxy.down = true;
    toggle?.renderRoot.querySelector<HTMLElement>('[part=choices] button')?.click();
    await until(() => toggle?.matches(':state(on-device)'), 'it waits');

    expect(await editor?.signOut()).to.equal(false);

    page.close();
  });

  it('asks what to do with edits that cannot be sent, in an accessible dialog that has the focus', async () => {
    const { editor } = await withUnsentEdit();

    const leaving = editor.signOut();
    await until(() => question(editor)?.open, 'the person is asked');

    const dialog = question(editor);
    expect(accessibleName(dialog ?? editor)).to.equal('1 change is not sent yet.');
    expect(dialog?.contains(editor.shadowRoot?.activeElement ?? null)).to.equal(true);
    await expect(editor).to.be.accessible();
    await answer(editor, 'Stay signed in');
    expect(await leaving).to.equal(false);
  });

  it('resolves to false if the person closes the dialog with Escape', async () => {
    const { editor } = await withUnsentEdit();
    const leaving = editor.signOut();
    await until(() => question(editor)?.open, 'the person is asked');

    await sendKeys({ press: 'Escape' });

    expect(await leaving).to.equal(false);
    expect(row(editor, KAYAK).shown.value).to.equal('off');
  });

  it('resolves for both callers if it is called twice', async () => {
    const { editor } = await withUnsentEdit();

    const ends: boolean[] = [];
    for (const leaving of [editor.signOut(), editor.signOut()]) void leaving.then((isOut) => ends.push(isOut));
    await until(() => {
      // The second question may come after the answer to the first.
      choose(editor, 'Stay signed in');
      return ends.length === 2;
    }, 'both end');

    expect(ends).to.deep.equal([false, false]);
  });

  it('resolves to true once the proxy is back and the person retries', async () => {
    const { proxy, editor } = await withUnsentEdit();
    const leaving = editor.signOut();
    await until(() => question(editor)?.open, 'the person is asked');
    proxy.down = false;

    await answer(editor, 'Send and sign out');

    expect(await leaving).to.equal(true);
    expect(proxy.accepted.map(({ id }) => id)).to.deep.equal([KAYAK]);
  });

  it('resolves to true if the waiting edits are sent while the dialog is open', async () => {
    const { proxy, editor } = await withUnsentEdit();
    const leaving = editor.signOut();
    await until(() => question(editor)?.open, 'the person is asked');
    proxy.down = false;

    await editor.refresh();

    await until(() => question(editor)?.open !== true, 'nothing is left to ask');
    expect(await leaving).to.equal(true);
    expect(proxy.accepted.map(({ id }) => id)).to.deep.equal([KAYAK]);
  });

  it('resolves to false, without an error, if the editor is removed before it can ask', async () => {
    const { proxy, editor } = await withUnsentEdit();
    proxy.down = false;
    const answer = proxy.hold('POST v1/inventory');
    const leaving = editor.signOut();
    await until(() => proxy.heardOn('POST v1/inventory').length > 0, 'it is being sent');

    editor.remove();
    proxy.down = true;
    proxy.answers.set('POST v1/inventory', () => new Response(null, { status: 503 }));
    answer();

    expect(await leaving).to.equal(false);
  });

  it('resolves to false and closes the dialog if the page hides the editor', async () => {
    const { editor } = await withUnsentEdit();
    const leaving = editor.signOut();
    await until(() => question(editor)?.open, 'the person is asked');

    editor.style.display = 'none';

    expect(await leaving).to.equal(false);
    expect(question(editor)?.open).to.not.equal(true);
  });

  it('resolves to false without a dialog if the editor is hidden', async () => {
    const { editor } = await withUnsentEdit();
    editor.style.display = 'none';

    expect(await editor.signOut()).to.equal(false);
    expect(question(editor)?.open).to.not.equal(true);
  });

  it('deletes nothing of another person who has signed in before the dialog is answered', async () => {
    const { proxy, editor } = await withUnsentEdit();
    const leaving = editor.signOut();
    await until(() => question(editor)?.open, 'the person is asked');
    proxy.person = BEN;
    proxy.down = false;
    await editor.refresh();
    const store = storeFor({ proxy: proxy.url });
    await until(() => store.snapshot.owner === toOwner(`${proxy.url}/`, BEN) && store.snapshot.complete, 'Ben is here');
    proxy.down = true;
    await store.set(BOAT, true);

    await answer(editor, 'Delete and sign out');

    expect(await leaving).to.equal(false);
    const kept = await new EditTable().all(toOwner(`${proxy.url}/`, BEN));
    expect(kept.map(({ id }) => id)).to.deep.equal([BOAT]);
  });

  it('deletes the waiting edits if the person confirms that', async () => {
    const { proxy, editor } = await withUnsentEdit();
    const leaving = editor.signOut();

    await answer(editor, 'Delete and sign out');

    expect(await leaving).to.equal(true);
    expect(proxy.accepted).to.deep.equal([]);
    expect(row(editor, KAYAK).shown).to.include({ value: 'on', status: 'From your website, not confirmed yet' });
  });
});

describe('a session that is restricted to some items', () => {
  it('locks the other items, with the reason', async () => {
    const proxy = fakeProxy();
    proxy.person = { ...BEN, items: [KAYAK] };

    const editor = await readyEditor(proxy, ITEMS);

    expect([KAYAK, BOAT].map((id) => row(editor, id).control.ariaDisabled)).to.deep.equal([null, 'true']);
    expect(row(editor, BOAT).shown.status).to.equal('You may look but not change.');
  });
});
