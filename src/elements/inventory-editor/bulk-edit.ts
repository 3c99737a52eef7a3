import type { ItemId } from '../../domain/item.js';
import type { ToolsOfEditor } from './editor-context.js';
import { openText } from './problem-notice.js';

/** Sets what is selected. After the preview. */
export async function setSelected(tools: ToolsOfEditor, available: boolean): Promise<void> {
  const { context, selection, draft } = tools;
  const { table } = context;
  // What is still being handed over would come after this, where a row has not heard of it.
  await tools.untilTurned();
  const rows = draft.changing(selection, available);
  const [first] = idsOf(rows.list(1));
  if (context.locked || first === undefined) return;
  // Read when somebody asks, and the same after the rows have changed.
  const ids = { [Symbol.iterator]: () => idsOf(rows.list()) };
  if (!context.mayChange(ids, first, available)) return;
  const { change } = await draft.setSelected(selection, available);
  await tools.seen();
  announce(tools, change, available);

  function* idsOf(positions: Uint32Array): Generator<ItemId, undefined> {
    for (const position of positions) {
      const id = table.idAt(position);
      if (id !== undefined) yield id;
    }
  }
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
