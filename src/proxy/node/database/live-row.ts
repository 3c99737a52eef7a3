import type { EditState } from '../../../domain/edit-state.js';

/** An edit of an item that has not come to its end, as both databases find it. */
export interface LiveRow {
  readonly seq: number;
  readonly state: EditState;
  readonly attempts: number;
  readonly open_attempt: number | null;
}

/** Nobody has tried it: a newer wish may take its place, and its person may take it back. */
export function isUntried({ state, attempts, open_attempt }: Omit<LiveRow, 'seq'>): boolean {
  return state === 'received' && attempts === 0 && open_attempt === null;
}
