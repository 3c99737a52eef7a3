import { html, nothing, type TemplateResult } from 'lit';
import type { Position } from '../../../client/editor/editor-types.js';
import { shownValue } from '../../../client/editor/row-state.js';
import type { ItemId } from '../../../domain/item.js';
import type { EditorContext, EditorTexts, PanelsOfEditor, PanelView, ToolsOfEditor } from '../editor-context.js';
import { groupText } from '../list/group-heading.js';
import { openText } from '../problem-notice.js';
import { button, leave, valueText } from './dialog-parts.js';

/** Items of each group that a preview names; the others are counted. */
const MAX_NAMED = 100;

/** What setting the selected items would change. */
export function renderBulk(panels: PanelsOfEditor, available: boolean): PanelView {
  const { tools } = panels;
  const { text } = tools.context;
  const { change, same, locked } = tools.draft.preview(tools.selection, available);
  const set = (): void => {
    if (panels.leave()) void setSelected(tools, available);
  };
  return {
    title: titleOf(text, change, available),
    body: html`${readOnlyNote(panels)}
    ${renderChanges(panels, tools.draft.changing(tools.selection, available), available)}
    ${same > 0 ? html`<p>${text.bulkSame(same, available)}</p>` : nothing}
    ${locked > 0 ? html`<p>${text.bulkLocked(locked)}</p>` : nothing}`,
    choices: cancelOrSet(panels, change, available, set),
  };
}

/** What closing everything or one group, or reopening exactly that, would change. */
export function renderTurnAll(panels: PanelsOfEditor, available: boolean, group?: string): PanelView {
  const { tools } = panels;
  const { text } = tools.context;
  const preview = tools.closings.preview(available, positionsOf(tools, group));
  const { change, skipped } = preview;
  const turn = (): void => {
    panels.dismiss();
    void turnAll(tools, available, group);
  };
  return {
    title: titleOf(text, change, available),
    body: html`${readOnlyNote(panels)} ${change === 0 ? nothing : html`<p>${turnText(tools, available, group)}</p>`}
    ${renderChanges(panels, preview.rows(), available)}
    ${skipped > 0 ? html`<p>${text.turnSkipped(skipped)}</p>` : nothing}`,
    choices: cancelOrSet(panels, change, available, turn),
  };
}

function turnText(tools: ToolsOfEditor, available: boolean, group: string | undefined): string {
  const { text } = tools.context;
  if (group === undefined) return available ? text.reopenText : text.closeAllText;
  return (available ? text.reopenGroupText : text.closeGroupText)(groupText(tools, group));
}

/** @returns `undefined`: of all items */
function positionsOf({ groups }: ToolsOfEditor, group: string | undefined): readonly Position[] | undefined {
  return group === undefined ? undefined : groups.positionsOf(group);
}

/** It asks only where there is something to change. */
function titleOf(text: EditorTexts, change: number, available: boolean): string {
  return change === 0 ? text.bulkNothing : text.bulkTitle(change, available);
}

/** The permission to edit may end while a preview is open. */
function readOnlyNote({ tools }: PanelsOfEditor): TemplateResult | typeof nothing {
  const { text, locked } = tools.context;
  return locked ? html`<p>${text.readOnly}</p>` : nothing;
}

function cancelOrSet(panels: PanelsOfEditor, change: number, available: boolean, set: () => void): TemplateResult {
  const { text, locked } = panels.tools.context;
  const look = `strong ${available ? 'opens' : 'closes'}`;
  return html`${leave(text.cancel, panels)}
  ${change === 0 || locked ? nothing : button(text.bulkSet(change, available), set, look)}`;
}

/** Items that change from the same value. */
interface ChangeGroup {
  readonly before: boolean | undefined;
  readonly named: string[];
  count: number;
}

/** Groups by the value before, as the rows show it: drafts included. */
function groupByValue({ table }: EditorContext, positions: readonly Position[]): ChangeGroup[] {
  const groups = new Map<boolean | undefined, ChangeGroup>();
  for (const position of positions) {
    const row = table.at(position);
    if (row === undefined) continue;
    const before = shownValue(row);
    const group = groups.get(before) ?? { before, named: [], count: 0 };
    groups.set(before, group);
    group.count += 1;
    if (group.named.length < MAX_NAMED) group.named.push(table.store.view(row.id).label ?? row.id);
  }
  return [...groups.values()];
}

function renderChanges({ tools }: PanelsOfEditor, positions: readonly Position[], available: boolean): unknown[] {
  const { context } = tools;
  const { text } = context;
  return groupByValue(context, positions).map(
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
  await tools.untilTurned();
  const rows = draft.changing(selection, available);
  const ids = rows.flatMap((position) => table.idAt(position) ?? []);
  const [first] = ids;
  if (context.locked || first === undefined) return;
  if (!context.mayChange(ids, first, available)) return;
  // The rows come first on the screen, and what a person selects while these are stored is another selection.
  const ending = tools.seen().then(() => {
    tools.endSelection();
  });
  const [{ change }] = await Promise.all([draft.setSelected(selection, available), ending]);
  await tools.seen();
  announce(tools, change, available);
}

/** Closes everything or one group, or reopens exactly that, after the preview. */
async function turnAll(tools: ToolsOfEditor, available: boolean, group: string | undefined): Promise<void> {
  const { context, closings } = tools;
  await tools.untilTurned();
  const mayTurn = (ids: readonly ItemId[]): boolean => {
    const [first] = ids;
    return !context.locked && first !== undefined && context.mayChange(ids, first, available);
  };
  const count = await closings.turn(available, mayTurn, positionsOf(tools, group));
  if (count > 0) announce(tools, count, available);
}

/** Announces the change, and that it is still to be saved or sent. */
function announce({ context }: ToolsOfEditor, count: number, available: boolean): void {
  const { text, mode, store } = context;
  const { status } = store.snapshot;
  const stays = mode === 'manual' ? text.changed : status === 'ready' ? '' : openText(store.snapshot, text);
  context.announce(`${text.bulkDone(count, available)} ${stays}`.trim());
}
