import { html, nothing, type TemplateResult } from 'lit';
import type { ItemView } from '../../client/model/item-view.js';
import { UNCLAIMED } from '../../client/storage/queue-owner.js';
import type { Timestamp } from '../../domain/item.js';
import type { ConflictTexts, ToggleTexts } from '../../locales/dictionary.js';
import { enConflict } from '../../locales/en.js';

export type Side = 'mine' | 'theirs';

/** One value of a conflict, as far as it is known. Its name says who chose it, or when it was valid. */
export interface ConflictValue {
  readonly name: string;
  readonly available: boolean | undefined;
  readonly updated_at?: Timestamp | undefined;
  readonly by?: string | undefined;
}

interface ValueNames {
  readonly before: string;
  readonly you: string;
  readonly now: string;
  /** Name of a value that was chosen on this device before the person was known. */
  readonly onDevice: string;
}

/** The values of a conflict: the one before it, the one chosen here, and the one that is valid now. */
export function conflictValues(view: ItemView, names: ValueNames): ConflictValue[] {
  const { available, updated_at, by, clicked_at, base, theirs, reason } = view;
  if (reason === UNCLAIMED) {
    return [
      { name: names.onDevice, available, updated_at },
      { available: undefined, ...theirs, name: names.now },
    ];
  }
  const own = { name: by ?? names.you, available, updated_at: clicked_at };
  const now = theirs ?? { available: available === undefined ? undefined : !available };
  return [...(base === undefined ? [] : [{ ...base, name: names.before }]), own, { ...now, name: names.now }];
}

/** The entries of a `<dl>`. @param describe turns a value into text */
export function renderValues(values: readonly ConflictValue[], describe: (value: ConflictValue) => string): unknown[] {
  return values.flatMap((value) => [
    html`<dt><bdi>${value.name}</bdi></dt>
      <dd>${describe(value)}</dd>`,
    ' ',
  ]);
}

interface Conflict {
  readonly view: ItemView;
  readonly texts: ToggleTexts & Partial<ConflictTexts>;
  readonly moment: (timestamp: Timestamp) => string;
  /** Absent if this person may not choose. */
  readonly onChoose: ((side: Side) => void) | undefined;
  /** Whether the last choice failed. */
  readonly hasFailed: boolean;
}

/** Shows the values of a conflict, with their times and people, and lets this person choose one. */
export function conflictCard({ view, texts: given, moment, onChoose, hasFailed }: Conflict): TemplateResult {
  const texts = { ...enConflict, ...given };
  const values = conflictValues(view, { ...texts, onDevice: texts.truth['on-device'] });
  const textOf = (available: boolean | undefined): string => (available ? texts.available : texts.notAvailable);
  const describe = ({ available, updated_at, by }: ConflictValue): string =>
    textOf(available) + (updated_at === undefined ? '' : texts.since(moment(updated_at), by));
  const choice = (side: Side, label: string): TemplateResult =>
    html`<button
      type="button"
      class="pill"
      @click=${() => {
        onChoose?.(side);
      }}
    >
      ${label}
    </button>`;
  const choices = html`${choice('mine', texts.keepMine(textOf(view.available), view.by))}${choice('theirs', texts.takeTheirs(textOf(view.theirs?.available), view.theirs?.by))}`;
  return html`<div part="conflict" class="conflict" role="group" aria-labelledby="status">
    <dl>${renderValues(values, describe)}</dl>
    ${onChoose === undefined ? nothing : choices}<span role="status">${hasFailed ? texts.notDecided : ''}</span>
  </div>`;
}
