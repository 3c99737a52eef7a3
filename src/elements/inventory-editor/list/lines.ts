import type { Place, RowOrder } from '../../../client/editor/editor-types.js';
import { isHeading } from '../../../client/editor/view/grouped-order.js';

/** The distribution of a list's places over lines: one on each line, or several side by side. */
export interface Lines {
  readonly length: number;
  /** The number of places on a full line. */
  readonly columns: number;
  lineOf(place: Place): number;
  /** The first place on a line; for the line after the last one, the length of the list. */
  startOf(line: number): Place;
}

/**
 * A group's heading has a line of its own. The cost depends on the number of places only if there are headings and columns.
 */
export function toLines(order: RowOrder, columns: number): Lines {
  const { length } = order;
  if (columns > 1 && isHeading(order.at(0))) return withHeadings(order, columns);
  return {
    length: Math.ceil(length / columns),
    columns,
    lineOf: (place) => Math.floor(place / columns),
    startOf: (line) => Math.min(line * columns, length),
  };
}

function withHeadings(order: RowOrder, columns: number): Lines {
  const { length } = order;
  const starts: Place[] = [];
  let [end, isFull] = [0, true];
  for (let place = 0; place < length; place += 1) {
    const isLead = isHeading(order.at(place));
    if (isLead || isFull || place === end) {
      starts.push(place);
      end = place + columns;
    }
    isFull = isLead;
  }
  return {
    length: starts.length,
    columns,
    startOf: (line) => starts[line] ?? length,
    lineOf(place) {
      let [low, high] = [0, starts.length - 1];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((starts[middle] ?? 0) <= place) low = middle;
        else high = middle - 1;
      }
      return low;
    },
  };
}
