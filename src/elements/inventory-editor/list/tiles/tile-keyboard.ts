import { isElement } from '../../../shared/other-document.js';
import type { ToolsOfEditor } from '../../editor-context.js';
import type { Row } from '../item-row.js';

/**
 * Adds the keys of tiles to those of the list (`grid-keyboard.ts`): left and right move to the next tile, and Enter opens
 * the details. A tile is a cell with several widgets: F2 moves the focus into it, and Escape or F2 back to the tile (APG,
 * "Setting Focus and Navigating Inside Cells").
 *
 * @returns whether the key was handled
 */
export function onTileKey(event: KeyboardEvent, tools: ToolsOfEditor): boolean {
  const [target] = event.composedPath();
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || !isElement(target)) return false;
  const row = tools.context.rows.rowOf(target);
  if (row?.isTile !== true) return false;
  const isUsed = target === row.node ? onTile(event, row, tools) : onWidget(event.key, row, target);
  if (!isUsed) return false;
  event.preventDefault();
  event.stopPropagation();
  return true;
}

function onTile({ key, shiftKey }: KeyboardEvent, row: Row, tools: ToolsOfEditor): boolean {
  if (key === 'Enter') row.node.querySelector<HTMLElement>('.name')?.click();
  if (key === 'F2') widgetsOf(row)[0]?.focus();
  if (key === 'Enter' || key === 'F2') return true;
  const by = stepOf(key, row);
  if (by === undefined) return false;
  const { lines } = tools.context.rows;
  const line = lines.lineOf(row.viewIndex);
  const to = Math.min(Math.max(row.viewIndex + by, lines.startOf(line)), lines.startOf(line + 1) - 1);
  tools.walk(row.viewIndex, to, shiftKey);
  return true;
}

function onWidget(key: string, row: Row, target: Element): boolean {
  if (key === 'Escape' || key === 'F2') {
    row.node.focus();
    return true;
  }
  const by = { ArrowDown: 1, ArrowUp: -1 }[key] ?? stepOf(key, row);
  if (by === undefined) return false;
  const widgets = widgetsOf(row);
  const at = widgets.findIndex((widget) => widget === target);
  widgets[Math.min(Math.max(at + by, 0), widgets.length - 1)]?.focus();
  return true;
}

/** @returns the number of tiles that a key moves, positive in the reading direction */
function stepOf(key: string, { node }: Row): number | undefined {
  const right = getComputedStyle(node).direction === 'rtl' ? -1 : 1;
  return { ArrowRight: right, ArrowLeft: -right, Home: -Infinity, End: Infinity }[key];
}

/** The widgets of a tile in their visual order. */
function widgetsOf({ node }: Row): HTMLElement[] {
  return ['.pick', '.truth', '.act']
    .flatMap((cell) => [...node.querySelectorAll<HTMLElement>(`${cell} button`)])
    .filter((widget) => widget.offsetParent !== null && !widget.matches(':disabled, .locked .pick *'));
}
