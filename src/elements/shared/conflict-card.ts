import { html, nothing, type TemplateResult } from 'lit';
import type { ItemView, OtherValue } from '../../client/model/item-view.js';
import type { ConflictTexts, ToggleTexts } from '../../locales/dictionary.js';
import { enConflict } from '../../locales/en.js';

export type Side = 'mine' | 'theirs';

export interface Conflict {
  readonly view: ItemView;
  /** Chosen on this device before anybody was signed in. */
  readonly isUnclaimed: boolean;
  readonly text: ToggleTexts & Partial<ConflictTexts>;
  readonly moment: (stamp: OtherValue['updated_at']) => string;
  /** Absent where this person may not choose. */
  readonly onChoose: ((side: Side) => void) | undefined;
  /** The last choice could not be carried out. */
  readonly hasFailed: boolean;
}

type Value = { readonly [Fact in keyof OtherValue]?: OtherValue[Fact] | undefined };

/** Two people chose two values: shows both, with when and by whom, and lets this person choose. */
export function conflictCard({ view, isUnclaimed, text, moment, onChoose, hasFailed }: Conflict): TemplateResult {
  const texts = { ...enConflict, ...text };
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
  const choices = html`${choice('mine', texts.keepMine(word(view.available, text)))}${choice('theirs', texts.takeTheirs(word(view.theirs?.available, text)))}`;
  return html`<div part="conflict" class="conflict" role="group" aria-labelledby="status">
    <dl>${valuesOf(view, isUnclaimed, texts).map(([name, value]) => describe(name, value, texts, moment))}</dl>
    ${onChoose === undefined ? nothing : choices}<span role="status">${hasFailed ? texts.notDecided : ''}</span>
  </div>`;
}

/** The value before, the one that was chosen here and the one that counts now, as far as each is known. */
function valuesOf(
  view: ItemView,
  isUnclaimed: boolean,
  text: ToggleTexts & ConflictTexts,
): [name: string, value: Value | undefined][] {
  const { available, updated_at, by, clicked_at, base, theirs } = view;
  const own: [string, Value] = isUnclaimed
    ? [text.truth['on-device'], { available, updated_at }]
    : [by ?? text.you, { available, updated_at: clicked_at }];
  return [[text.before, base], own, [text.now, theirs]];
}

function describe(
  name: string,
  value: Value | undefined,
  text: ToggleTexts,
  moment: Conflict['moment'],
): TemplateResult | typeof nothing {
  if (value?.available === undefined) return nothing;
  const since = value.updated_at === undefined ? '' : text.since(moment(value.updated_at), value.by);
  return html`<dt><bdi>${name}</bdi></dt>
    <dd>${word(value.available, text) + since}</dd>`;
}

function word(available: boolean | undefined, text: ToggleTexts): string {
  return available ? text.available : text.notAvailable;
}
