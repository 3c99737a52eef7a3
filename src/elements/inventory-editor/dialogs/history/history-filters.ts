import { html, type TemplateResult } from 'lit';
import type { HistoryFilter } from '../../../../client/history/history-list.js';
import type { HistoryEntry } from '../../../../contract/history.js';
import { EDIT_STATES, type EditState } from '../../../../domain/edit-state.js';
import type { ItemId } from '../../../../domain/item.js';
import type { FeatureDictionary } from '../../../../locales/features/feature-dictionary.js';
import type { EditorContext } from '../../editor-context.js';
import { personName } from './history-view.js';

/** Names that the field for an item offers for what is typed. */
const MAX_OFFERED = 30;

/** The people to filter by: those of the entries that were read so far. */
export class People {
  readonly names = new Map<string, string>();

  add(entries: readonly HistoryEntry[], context: EditorContext, own: FeatureDictionary): void {
    for (const entry of entries) {
      const { subject, name } = entry;
      // A name that another entry does not have is kept.
      if (!this.names.has(subject) || name !== undefined) this.names.set(subject, personName(entry, context, own));
    }
  }
}

/** Each of them sends a new request to the proxy. */
export function renderFilters(
  context: EditorContext,
  own: FeatureDictionary,
  filter: HistoryFilter,
  people: People,
  find: (change: HistoryFilter) => void,
): TemplateResult {
  const { text } = context;
  const all = text.filter.all;
  const option = (value: string, label: string, chosen = ''): TemplateResult =>
    html`<option value=${value} .selected=${value === chosen}>${label}</option>`;
  const onPerson = ({ target }: Event): void => {
    find({ subject: valueOf(target) });
  };
  const onState = ({ target }: Event): void => {
    find({ state: valueOf(target) as EditState | undefined });
  };
  const onDay = ({ target }: Event): void => {
    const day = valueOf(target);
    find({ day, time_zone: day === undefined ? undefined : zoneOf(context.timeZone) });
  };
  const onItem = ({ target }: Event): void => {
    const name = valueOf(target);
    const [id] = name === undefined ? [] : itemsNamed(context, name);
    if (id === undefined && name !== undefined) (target as HTMLInputElement).value = '';
    find({ item: id });
  };
  const onType = ({ target }: Event): void => {
    const input = target as HTMLInputElement;
    const offered = itemsNamed(context, input.value).map((id) => {
      const choice = document.createElement('option');
      choice.value = context.store.view(id).label ?? id;
      return choice;
    });
    input.list?.replaceChildren(...offered);
  };
  return html`<div class="filters">
    <label
      ><span>${own.person}</span>
      <select @change=${onPerson}>
        ${option('', all, filter.subject)}
        ${[...people.names].map(([subject, name]) => option(subject, name, filter.subject))}
      </select></label
    >
    <label><span>${own.day}</span> <input type="date" .value=${filter.day ?? ''} @change=${onDay} /></label>
    <label
      ><span>${text.columns.status}</span>
      <select @change=${onState}>
        ${option('', all, filter.state)} ${EDIT_STATES.map((state) => option(state, own.outcome[state], filter.state))}
      </select></label
    >
    <label @keypress=${keepKey} @keyup=${keepKey}
      ><span>${own.item}</span>
      <input type="text" list="history-items" autocomplete="off" @input=${onType} @change=${onItem} />
    </label>
    <datalist id="history-items"></datalist>
  </div>`;
}

/** What is typed is for the field, and not for listeners of the host's page. */
function keepKey(event: Event): void {
  event.stopPropagation();
}

function valueOf(target: EventTarget | null): string | undefined {
  return (target as HTMLInputElement).value || undefined;
}

/** Items with this name or id, or else with names that contain it. */
function itemsNamed({ table, language }: EditorContext, typed: string): ItemId[] {
  const wanted = typed.toLocaleLowerCase(language);
  const found: ItemId[] = [];
  if (wanted === '') return found;
  for (let itemIndex = 0; itemIndex < table.size && found.length < MAX_OFFERED; itemIndex += 1) {
    const view = table.row(itemIndex)?.view;
    if (view === undefined) continue;
    const names = [view.label ?? '', view.id].map((name) => name.toLocaleLowerCase(language));
    if (names.includes(wanted)) return [view.id];
    if (names.some((name) => name.includes(wanted))) found.push(view.id);
  }
  return found;
}

/**
 * The time zone of the page, or that of the device if it names none or an invalid one. local-time.ts has it too, because browsers
 * would not check the integrity of a file that two lazy parts share.
 */
function zoneOf(timeZone: string | undefined): string {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    return timeZone === undefined ? own : new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return own;
    throw error;
  }
}
