/** A batch of at most this many edits was made by a person's hand, and goes ahead of bulk. */
export const INTERACTIVE_EDITS = 20;

interface Sendable {
  readonly seq: number;
  readonly vendor: string;
  readonly bulk: boolean;
}

/**
 * The order in which due edits leave: what a person is looking at ahead of bulk, then the vendors in turn, then the order
 * of acceptance. A vendor with ten thousand edits delays another's one by a single place.
 */
export function inSendingOrder<E extends Sendable>(edits: readonly E[]): E[] {
  const turns = new Map<string, number>();
  const ranked = [...edits]
    .sort((a, b) => a.seq - b.seq)
    .map((edit) => {
      const key = `${edit.bulk ? 'b' : 'i'}${edit.vendor}`;
      const turn = turns.get(key) ?? 0;
      turns.set(key, turn + 1);
      return { edit, turn };
    });
  ranked.sort((a, b) => Number(a.edit.bulk) - Number(b.edit.bulk) || a.turn - b.turn || a.edit.seq - b.edit.seq);
  return ranked.map(({ edit }) => edit);
}
