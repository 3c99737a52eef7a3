import type { ChangeSetSummary, HistoryEntry } from '../../../contract/history.js';
import type { EditState } from '../../../domain/edit-state.js';
import type { HistoryFilter, HistoryPage } from '../outbox.js';
import { storable, type Queries } from './tables/database.js';
import { DRIFT_STAMP } from './read.js';
import { EDIT_COLUMNS, entryOf, type EditRow, type Flag } from './tables/rows.js';

/** For a query of `edit AS e` and `item`: whether the item still has the value of this edit. */
const IS_CURRENT = `CASE WHEN e.number = item.newest_visible AND ${DRIFT_STAMP} IS NULL THEN 1 ELSE 0 END`;

/** A vendor's edits that match, newest first. */
export async function read(queries: Queries, vendor: string, page: HistoryPage): Promise<HistoryEntry[]> {
  const { item, before = Number.MAX_SAFE_INTEGER, after, collapses = false, limit } = page;
  const values = new Values();
  const matches = conditions(queries, values, vendor, page);
  const newest = collapses ? ` AND ${isNewestOfItsSet(matches)}` : '';
  const since = after === undefined ? '' : ` AND e.number >= ${values.bind(after)}`;
  // The timestamps of an item increase with its edits and are indexed.
  const order = item === undefined ? 'e.number' : 'e.stamp';
  const rows = await queries.query<EditRow & { readonly is_current: Flag }>(
    `SELECT ${EDIT_COLUMNS}, ${IS_CURRENT} AS is_current
     FROM ${item === undefined ? 'edit AS e JOIN item ON item.key = e.item' : 'item CROSS JOIN edit AS e'}
     WHERE ${item === undefined ? '' : 'item.key = e.item AND '}${matches('e')} AND e.number < ${values.bind(before)}${since}${newest}
     ORDER BY ${order} DESC LIMIT ${values.bind(limit)}`,
    ...values.all,
  );
  return rows.map(entryOf);
}

/** The number at which a scan of `count` edits ends; see `Outbox.historyStart`. */
export async function start(
  queries: Queries,
  vendor: string,
  before = Number.MAX_SAFE_INTEGER,
  count: number,
): Promise<number | undefined> {
  const [row] = await queries.query<{ readonly number: number }>(
    'SELECT number FROM edit WHERE vendor = $1 AND number < $2 ORDER BY number DESC LIMIT 1 OFFSET $3',
    vendor,
    before,
    count - 1,
  );
  return row?.number;
}

interface SummaryRow {
  readonly state: EditState;
  readonly available: Flag;
  readonly is_revertible: Flag;
  readonly edits: number;
}

export async function summarize(queries: Queries, vendor: string, filter: HistoryFilter): Promise<ChangeSetSummary> {
  const values = new Values();
  const matches = conditions(queries, values, vendor, filter);
  const rows = await queries.query<SummaryRow>(
    `SELECT e.state, e.available, CASE WHEN e.previous_value <> e.available THEN ${IS_CURRENT} ELSE 0 END AS is_revertible,
       count(*) AS edits
     FROM edit AS e JOIN item ON item.key = e.item WHERE ${matches('e')} GROUP BY 1, 2, 3`,
    ...values.all,
  );
  const sum = (isCounted: (row: SummaryRow) => boolean): number =>
    rows.filter(isCounted).reduce((total, { edits }) => total + edits, 0);
  const states = [...new Set(rows.map(({ state }) => state))];
  return {
    available: sum(({ available }) => available === 1),
    unavailable: sum(({ available }) => available === 0),
    revertible: sum(({ is_revertible }) => is_revertible === 1),
    states: Object.fromEntries(states.map((state) => [state, sum((row) => row.state === state)])),
  };
}

/** The bound values of a statement, in the order of their placeholders. */
class Values {
  readonly all: (string | number)[] = [];

  bind(value: string | number): string {
    return `$${String(this.all.push(value))}`;
  }
}

/** @returns a function that gives the condition for an alias of `edit`: the row is the vendor's and matches the filter */
function conditions(
  { dialect }: Queries,
  values: Values,
  vendor: string,
  { item, subject, state, from, until, changeSet, within }: HistoryFilter,
): (edit: string) => string {
  const owner = values.bind(vendor);
  const tests: ((edit: string) => string)[] = [(edit) => `${edit}.vendor = ${owner}`];
  const add = (value: string | number | undefined, test: (edit: string, place: string) => string): void => {
    if (value === undefined) return;
    const place = values.bind(value);
    tests.push((edit) => test(edit, place));
  };
  add(item, (edit, place) => `${edit}.item = (SELECT key FROM item WHERE vendor = ${owner} AND id = ${place})`);
  add(storable(subject), (edit, place) => `${edit}.subject = ${place}`);
  add(state, (edit, place) => `${edit}.state = ${place}`);
  add(from, (edit, place) => `${edit}.accepted_at >= ${place}`);
  add(until, (edit, place) => `${edit}.accepted_at < ${place}`);
  add(changeSet, (edit, place) => `${edit}.change_set = ${place}`);
  if (within !== undefined) {
    const ranges = within.flatMap(
      ({ from: low, to: high, ids }) => ids?.map((id) => ({ low: id, high: id })) ?? { low, high },
    );
    values.bind(JSON.stringify(ranges));
    const scope = dialect.rows(values.all.length, 'scope', { low: 'text', high: 'text' });
    // The unary plus disables the index on `item`, so that neither database collects and sorts all edits of these items.
    // The newest edits are scanned in order instead.
    tests.push(
      (edit) => `+${edit}.item IN (SELECT own.key FROM ${scope} CROSS JOIN item AS own
        WHERE own.vendor = ${owner} AND own.id >= scope.low AND own.id <= scope.high)`,
    );
  }
  return (edit) => tests.map((test) => test(edit)).join(' AND ');
}

/** A change set belongs to one person, even if another person sends the same id. */
function isNewestOfItsSet(matches: (edit: string) => string): string {
  return `(e.change_set IS NULL OR NOT EXISTS (
    SELECT 1 FROM edit AS newer WHERE newer.change_set = e.change_set AND newer.number > e.number
      AND newer.subject = e.subject AND ${matches('newer')}))`;
}
