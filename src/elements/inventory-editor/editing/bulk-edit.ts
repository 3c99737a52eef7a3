import type { ToolsOfEditor } from '../editor-context.js';
import { openText } from '../problem-notice.js';

/** Sets what is selected. After the preview. */
export async function setSelected(tools: ToolsOfEditor, available: boolean): Promise<void> {
  const { context, selection, draft } = tools;
  const { table } = context;
  // What is still being handed over would come after this, where a row has not heard of it.
  await tools.untilTurned();
  const rows = draft.changing(selection, available);
  const ids = rows.flatMap((position) => table.idAt(position) ?? []);
  const [first] = ids;
  if (context.locked || first === undefined) return;
  if (!context.mayChange(ids, first, available)) return;
  const { change } = await draft.setSelected(selection, available);
  await tools.seen();
  announce(tools, change, available);
}

/** Closes everything, or opens exactly that again. After the preview. */
export async function turnAll(tools: ToolsOfEditor, available: boolean): Promise<void> {
  const { context, closings } = tools;
  await tools.untilTurned();
  const count = await closings.turn(available, (ids) => {
    const [first] = ids;
    return !context.locked && first !== undefined && context.mayChange(ids, first, available);
  });
  if (count > 0) announce(tools, count, available);
}

/** What was done, and what still has to be: to be saved, or to leave this device. */
function announce({ context }: ToolsOfEditor, count: number, available: boolean): void {
  const { text, mode, store } = context;
  const { status } = store.snapshot;
  const stays = mode === 'manual' ? text.changed : status === 'ready' ? '' : openText(store.snapshot, text);
  context.announce(`${text.bulkDone(count, available)} ${stays}`.trim());
}
