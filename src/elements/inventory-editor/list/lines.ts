import type { RowOrder, ViewIndex } from '../../../client/editor/editor-types.js';
import { isHeading } from '../../../client/editor/view/grouped-order.js';

/** The distribution of a list's rows over lines: one on each line, or several side by side. */
export interface Lines {
  readonly length: number;
  /** The number of rows on a full line. */
  readonly columns: number;
  lineOf(viewIndex: ViewIndex): number;
  /** The first view index on a line; for the line after the last one, the length of the list. */
  startOf(line: number): ViewIndex;
}

/**
 * A group's heading has a line of its own. The cost depends on the number of rows only if there are headings and columns.
 */
export function toLines(order: RowOrder, columns: number): Lines {
  const { length } = order;
  if (columns > 1 && isHeading(order.at(0))) return withHeadings(order, columns);
  return {
    length: Math.ceil(length / columns),
    columns,
    lineOf: (viewIndex) => Math.floor(viewIndex / columns),
    startOf: (line) => Math.min(line * columns, length),
  };
}

function withHeadings(order: RowOrder, columns: number): Lines {
  const { length } = order;
  const starts: ViewIndex[] = [];
  let [end, isFull] = [0, true];
  for (let viewIndex = 0; viewIndex < length; viewIndex += 1) {
    const isLead = isHeading(order.at(viewIndex));
    if (isLead || isFull || viewIndex === end) {
      starts.push(viewIndex);
      end = viewIndex + columns;
    }
    isFull = isLead;
  }
  return {
    length: starts.length,
    columns,
    startOf: (line) => starts[line] ?? length,
    lineOf(viewIndex) {
      let [low, high] = [0, starts.length - 1];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((starts[middle] ?? 0) <= viewIndex) low = middle;
        else high = middle - 1;
      }
      return low;
    },
  };
}
