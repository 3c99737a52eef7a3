import { html, nothing, type TemplateResult } from 'lit';
import { WEEKDAYS, type Schedule, type Weekday } from '../../../contract/schedules.js';
import type { FeatureDictionary } from '../../../locales/features/feature-dictionary.js';
import { timeAhead } from '../../shared/relative-time.js';
import type { EditorContext, PanelView } from '../editor-context.js';

/** What the person has chosen so far. */
export interface ScheduleForm {
  readonly until: 'end-of-day' | 'tomorrow' | 'time' | 'open-end' | 'weekly';
  /** Local, as a field for date and time has it. */
  readonly time: string;
  readonly days: ReadonlySet<Weekday>;
}

export interface ScheduleViewOptions {
  readonly context: EditorContext;
  readonly text: FeatureDictionary;
  readonly count: number;
  readonly zone: string;
  /** The local time of now. */
  readonly earliest: string;
  readonly form: ScheduleForm;
  readonly known: readonly Schedule[];
  readonly problem: string;
  readonly isBusy: boolean;
  readonly onForm: (change: Partial<ScheduleForm>) => void;
  readonly onSet: () => void;
  readonly onLeave: (schedule: Schedule) => void;
  readonly dismiss: () => void;
}

export function renderSchedule(options: ScheduleViewOptions): PanelView {
  const { context, text, count, form, problem, isBusy, earliest } = options;
  const isComplete =
    form.until === 'weekly' ? form.days.size > 0 : form.until !== 'time' || (form.time !== '' && form.time > earliest);
  return {
    title: `${context.text.unavailableUntil} (${context.text.number(count)})`,
    body: html`<fieldset class="until" ?disabled=${isBusy}>
        <legend class="unseen">${context.text.unavailableUntil}</legend>
        ${choice(options, 'end-of-day', text.endOfDay)} ${choice(options, 'tomorrow', text.tomorrowMorning)}
        ${choice(options, 'time', text.dateAndTime)} ${form.until === 'time' ? timeField(options) : nothing}
        ${choice(options, 'open-end', text.untilISay)} ${choice(options, 'weekly', text.everyWeek)}
        ${form.until === 'weekly' ? dayFields(options) : nothing}
      </fieldset>
      <p role="alert" class="problem">${problem}</p>
      ${renderKnown(options)}`,
    choices: html`<button type="button" class="plain" @click=${options.dismiss}>${context.text.cancel}</button>
      <button
        type="button"
        class="strong closes"
        ?disabled=${isBusy || !isComplete || context.locked}
        @click=${options.onSet}
      >
        ${context.text.setUnavailable(count)}
      </button>`,
  };
}

function choice({ form, onForm }: ScheduleViewOptions, until: ScheduleForm['until'], label: string): TemplateResult {
  return html`<label
    ><input
      type="radio"
      name="until"
      data-until=${until}
      .checked=${form.until === until}
      @change=${() => {
        onForm({ until });
      }}
    />
    ${label}</label
  >`;
}

function timeField({ form, onForm, text, zone, earliest }: ScheduleViewOptions): TemplateResult {
  return html`<label class="inner"
    >${text.dateAndTime} (<bdi>${zone}</bdi>)
    <input
      type="datetime-local"
      min=${earliest}
      .value=${form.time}
      @input=${(event: Event) => {
        onForm({ time: (event.target as HTMLInputElement).value.slice(0, 16) });
      }}
    />
  </label>`;
}

function dayFields({ form, onForm, context }: ScheduleViewOptions): TemplateResult {
  const names = weekdayNames(context.language);
  const turn = (day: Weekday): void => {
    const days = new Set(form.days);
    if (!days.delete(day)) days.add(day);
    onForm({ days: new Set(WEEKDAYS.filter((each) => days.has(each))) });
  };
  return html`<div class="inner">
    ${WEEKDAYS.map(
      (day) =>
        html`<label
          ><input
            type="checkbox"
            .checked=${form.days.has(day)}
            @change=${() => {
              turn(day);
            }}
          />
          ${names[day]}</label
        >`,
    )}
  </div>`;
}

function renderKnown({ known, context, text, isBusy, onLeave }: ScheduleViewOptions): TemplateResult | typeof nothing {
  if (known.length === 0) return nothing;
  return html`<ul class="listing">
    ${known.map(
      (schedule) =>
        html`<li>
          ${describe(schedule, context, text)}
          ${
            context.locked
              ? nothing
              : html`<button
                  type="button"
                  class="link"
                  ?disabled=${isBusy}
                  @click=${() => {
                    onLeave(schedule);
                  }}
                >
                  ${text.removeSchedule}
                </button>`
          }
        </li>`,
    )}
  </ul>`;
}

function describe({ repeat, state, next_at }: Schedule, context: EditorContext, text: FeatureDictionary): string {
  const { language, timeZone } = context;
  const names = weekdayNames(language);
  const next = next_at === undefined ? '' : timeAhead(next_at, Date.now(), language, timeZone);
  const when = state === 'closed' ? context.text.back(next) : text.closesAt(next);
  return repeat === undefined ? when : `${repeat.days.map((day) => names[day]).join(', ')} · ${when}`;
}

/** The first of June 2026 is a Monday. */
function weekdayNames(language: string): Readonly<Record<Weekday, string>> {
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  const names = WEEKDAYS.map((day, at) => [day, format.format(Date.UTC(2026, 5, 1 + at))] as const);
  return Object.fromEntries(names) as Record<Weekday, string>;
}
