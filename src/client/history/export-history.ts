import type { HistoryEntry } from '../../contract/history.js';

/** Heads of the columns. They are English in every language, so that every reader of the file finds the same ones. */
const HEAD = [
  ...['time', 'subject', 'name', 'by', 'id', 'label', 'from', 'to', 'outcome', 'reason', 'settled', 'decided_by'],
  ...['change_set', 'edit_id'],
];

/** Entries as rows of a list, with ISO 8601 times in UTC. */
export function historyRows(entries: readonly HistoryEntry[], labelOf: (entry: HistoryEntry) => string): string[][] {
  return [
    HEAD,
    ...entries.map((entry) => {
      const { accepted_at, subject, name = '', by = '', id, from, to, state, reason = '', settled_at = '' } = entry;
      const { decided_by = '', change_set = '', edit_id } = entry;
      const values = [valueText(from), valueText(to)];
      return [
        ...[accepted_at, subject, name, by, id, labelOf(entry), ...values, state, reason, settled_at, decided_by],
        ...[change_set, edit_id],
      ];
    }),
  ];
}

/** The same words as in an exported inventory. */
function valueText(available: boolean | undefined): string {
  if (available === undefined) return '';
  return available ? 'yes' : 'no';
}
