import { html, nothing, type TemplateResult } from 'lit';
import type { ItemIndex } from '../../../client/editor/editor-types.js';
import { shownValue } from '../../../client/editor/row-state.js';
import type { ItemId } from '../../../domain/item.js';
import type { EditorContext, EditorTexts, DialogsOfEditor, DialogView, ToolsOfEditor } from '../editor-context.js';
import { groupText } from '../list/group-heading.js';
import { openText } from '../problem-notice.js';
import { button, leave, valueText } from './dialog-parts.js';

/** Items of each group that a preview names; the others are counted. */
const MAX_NAMED = 100;

/** Previews setting the selected items to a value. */
export function renderBulk(dialogs: DialogsOfEditor, available: boolean): DialogView {
  const { tools } = dialogs;
  const { text } = tools.context;
  const { change, same, locked } = tools.draft.preview(tools.selection, available);
  const set = (): void => {
    if (dialogs.leave()) void setSelected(tools, available);
  };
  return {
    title: titleOf(text, change, available),
    body: html`${readOnlyNote(dialogs)}
    ${renderChanges(dialogs, tools.draft.changing(tools.selection, available), available)}
    ${same > 0 ? html`<p>${text.bulkSame(same, available)}</p>` : nothing}
    ${locked > 0 ? html`<p>${text.bulkLocked(locked)}</p>` : nothing}`,
    choices: cancelOrSet(dialogs, change, available, set),
  };
}

/** Previews closing everything or one group, or reopening exactly those items. */
export function renderSetAll(dialogs: DialogsOfEditor, available: boolean, group?: string): DialogView {
  const { tools } = dialogs;
  const { text } = tools.context;
  const preview = tools.closures.preview(available, getItemIndexes(tools, group));
  const { change, skipped } = preview;
  const apply = (): void => {
    dialogs.dismiss();
    void setAll(tools, available, group);
  };
  return {
    title: titleOf(text, change, available),
    body: html`${readOnlyNote(dialogs)}
    ${change === 0 ? nothing : html`<p>${describeChange(tools, available, group)}</p>`}
    ${renderChanges(dialogs, preview.rows(), available)}
    ${skipped > 0 ? html`<p>${text.turnSkipped(skipped)}</p>` : nothing}`,
    choices: html`${available ? nothing : until(dialogs, group)}${cancelOrSet(dialogs, change, available, apply)}`,
  };
}

/** The button that opens the dialog for schedules, for everything or one group. */
function until(dialogs: DialogsOfEditor, group: string | undefined): TemplateResult | typeof nothing {
  const { tools } = dialogs;
  const { table, store, text, locked } = tools.context;
  if (locked || !store.snapshot.canSchedule) return nothing;
  return button(text.unavailableUntil, () => {
    dialogs.dismiss();
    const itemIndexes = getItemIndexes(tools, group) ?? Array.from({ length: table.size }, (_, itemIndex) => itemIndex);
    const ids = itemIndexes.flatMap((itemIndex) => (table.isRow(itemIndex) ? (table.idAt(itemIndex) ?? []) : []));
    void tools.openSchedule(
      ids.filter((id) => store.canEdit(id)),
      { isWhole: true },
    );
  });
}

function describeChange(tools: ToolsOfEditor, available: boolean, group: string | undefined): string {
  const { text } = tools.context;
  if (group === undefined) return available ? text.reopenText : text.closeAllText;
  return (available ? text.reopenGroupText : text.closeGroupText)(groupText(tools, group));
}

/** @returns the item indexes of a group; `undefined` for all items */
function getItemIndexes({ groups }: ToolsOfEditor, group: string | undefined): readonly ItemIndex[] | undefined {
  return group === undefined ? undefined : groups.getItemIndexes(group);
}

/** The title asks for confirmation only if there is something to change. */
function titleOf(text: EditorTexts, change: number, available: boolean): string {
  return change === 0 ? text.bulkNothing : text.bulkTitle(change, available);
}

/** The permission to edit may end while a preview is open. */
function readOnlyNote({ tools }: DialogsOfEditor): TemplateResult | typeof nothing {
  const { text, locked } = tools.context;
  return locked ? html`<p>${text.readOnly}</p>` : nothing;
}

function cancelOrSet(dialogs: DialogsOfEditor, change: number, available: boolean, set: () => void): TemplateResult {
  const { text, locked } = dialogs.tools.context;
  const className = `strong ${available ? 'opens' : 'closes'}`;
  return html`${leave(text.cancel, dialogs)}
  ${change === 0 || locked ? nothing : button(text.bulkSet(change, available), set, className)}`;
}

/** Items that change from the same value, and their names. */
interface ChangeGroup {
  readonly before: boolean | undefined;
  readonly named: string[];
  count: number;
}

/** Groups the items by the value that their rows show, drafts included. */
function groupByValue({ table }: EditorContext, itemIndexes: readonly ItemIndex[]): ChangeGroup[] {
  const groups = new Map<boolean | undefined, ChangeGroup>();
  for (const itemIndex of itemIndexes) {
    const row = table.at(itemIndex);
    if (row === undefined) continue;
    const before = shownValue(row);
    const group = groups.get(before) ?? { before, named: [], count: 0 };
    groups.set(before, group);
    group.count += 1;
    if (group.named.length < MAX_NAMED) group.named.push(table.store.view(row.id).label ?? row.id);
  }
  return [...groups.values()];
}

function renderChanges({ tools }: DialogsOfEditor, itemIndexes: readonly ItemIndex[], available: boolean): unknown[] {
  const { context } = tools;
  const { text } = context;
  return groupByValue(context, itemIndexes).map(
    ({ before, named, count }) =>
      html`<h4 class=${available ? 'opens' : 'closes'}>
          ${text.fromTo(valueText(context, before), valueText(context, available))} (${text.number(count)})
        </h4>
        <ul class="listing names">
          ${named.map((name) => html`<li><bdi>${name}</bdi></li>`)}
        </ul>
        ${count > named.length ? html`<p>${text.more(count - named.length)}</p>` : nothing}`,
  );
}

/** Sets the selected items, after the preview. */
async function setSelected(tools: ToolsOfEditor, available: boolean): Promise<void> {
  const { context, selection, draft } = tools;
  const { table } = context;
  // An earlier change that is still being stored would otherwise be stored after this one.
  await tools.whenApplied();
  const rows = draft.changing(selection, available);
  const ids = rows.flatMap((itemIndex) => table.idAt(itemIndex) ?? []);
  const [first] = ids;
  if (context.locked || first === undefined) return;
  if (!context.confirmChange(ids, first, available)) return;
  // The selection ends once the changed rows are drawn, because a selection that is made while they are stored is another
  // one.
  const ending = tools.seen().then(() => {
    tools.endSelection();
  });
  const [{ change }] = await Promise.all([draft.setSelected(selection, available), ending]);
  await tools.seen();
  announce(tools, change, available);
}

/** Closes everything or one group, or reopens exactly that, after the preview. */
async function setAll(tools: ToolsOfEditor, available: boolean, group: string | undefined): Promise<void> {
  const { context, closures } = tools;
  await tools.whenApplied();
  const isAllowed = (ids: readonly ItemId[]): boolean => {
    const [first] = ids;
    return !context.locked && first !== undefined && context.confirmChange(ids, first, available);
  };
  const count = await closures.apply(available, isAllowed, getItemIndexes(tools, group));
  if (count > 0) announce(tools, count, available);
}

/** Announces the change. If it is not sent at once, the text adds that it still has to be saved or sent. */
function announce({ context }: ToolsOfEditor, count: number, available: boolean): void {
  const { text, mode, store } = context;
  const { status } = store.snapshot;
  const stays = mode === 'manual' ? text.changed : status === 'ready' ? '' : openText(store.snapshot, text);
  context.announce(`${text.bulkDone(count, available)} ${stays}`.trim());
}
