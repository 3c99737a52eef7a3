import type { Line } from '../virtual-list.js';
import { Row } from '../item-row.js';

export { onTileKey } from './tile-keyboard.js';
export { styles } from './tiles.styles.js';

/**
 * Items side by side, as large pictures: a row of the grid, whose cells are the items (APG, "Layout Grid"). This module is
 * loaded for the first editor that shows tiles.
 */
export class TileLine implements Line {
  readonly node: HTMLElement;
  readonly rows: Row[] = [];
  #start = '';

  constructor() {
    this.node = document.createElement('div');
    this.node.className = 'tiles';
    this.node.setAttribute('role', 'row');
  }

  fill(rows: number): void {
    while (this.rows.length > rows) this.rows.pop()?.node.remove();
    while (this.rows.length < rows) {
      const tile = makeTile(this.rows.length + 1);
      this.rows.push(tile);
      this.node.append(tile.node);
    }
  }

  moveTo(start: string): void {
    if (start === this.#start) return;
    this.#start = start;
    this.node.style.insetBlockStart = start;
  }
}

/** The parts of a row, in one cell: the check box, the switch and the status are its widgets. */
function makeTile(column: number): Row {
  const tile = new Row();
  const { node } = tile;
  node.className = 'tile';
  node.role = 'gridcell';
  node.tabIndex = -1;
  node.setAttribute('aria-colindex', String(column));
  for (const cell of node.children) {
    cell.setAttribute('role', 'presentation');
    cell.removeAttribute('tabindex');
  }
  // The accessible name of a cell is its content: the item comes first, and the check box last.
  node.append(...node.querySelectorAll('.pick'));
  return tile;
}
