import { html, nothing, type TemplateResult } from 'lit';
import { WEEKDAYS, type Schedule, type Weekday } from '../../../contract/schedules.js';
import type { FeatureDictionary } from '../../../locales/features/feature-dictionary.js';
import { timeAhead, timeOfDay } from '../../shared/relative-time.js';
import type { EditorContext, DialogView } from '../editor-context.js';

/** The choices of the person so far. */
export interface ScheduleForm {
  readonly until: 'end-of-day' | 'tomorrow' | 'time' | 'open-end' | 'weekly' | 'calendar';
  /** A local time, in the format of an `<input type="datetime-local">`. */
  readonly time: string;
  readonly days: ReadonlySet<Weekday>;
  /** The address of a calendar. */
  readonly address: string;
}

export interface ScheduleViewOptions {
  readonly context: EditorContext;
  readonly text: FeatureDictionary;
  readonly count: number;
  readonly zone: string;
  /** The present local time. */
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

export function renderSchedule(options: ScheduleViewOptions): DialogView {
  const { context, text, count, form, problem, isBusy } = options;
  return {
    title: `${context.text.unavailableUntil} (${context.text.number(count)})`,
    body: html`<fieldset class="until" ?disabled=${isBusy}>
        <legend class="unseen">${context.text.unavailableUntil}</legend>
        ${choice(options, 'end-of-day', text.endOfDay)} ${choice(options, 'tomorrow', text.tomorrowMorning)}
        ${choice(options, 'time', text.dateAndTime)} ${form.until === 'time' ? timeField(options) : nothing}
        ${choice(options, 'open-end', text.untilISay)} ${choice(options, 'weekly', text.everyWeek)}
        ${form.until === 'weekly' ? dayFields(options) : nothing}
        ${count === 1 ? choice(options, 'calendar', text.whileBusy) : nothing}
        ${form.until === 'calendar' ? addressField(options) : nothing}
      </fieldset>
      <p role="alert" class="problem">${problem}</p>
      ${renderKnown(options)}`,
    choices: html`<button type="button" class="plain" @click=${options.dismiss}>${context.text.cancel}</button>
      <button
        type="button"
        class=${form.until === 'calendar' ? 'strong' : 'strong closes'}
        ?disabled=${isBusy || context.locked || count === 0 || !isComplete(options)}
        @click=${options.onSet}
      >
        ${form.until === 'calendar' ? context.text.save : context.text.setUnavailable(count)}
      </button>`,
  };
}

function isComplete({ form, earliest }: ScheduleViewOptions): boolean {
  switch (form.until) {
    case 'weekly':
      return form.days.size > 0;
    case 'time':
      return form.time !== '' && form.time > earliest;
    case 'calendar':
      return toFeedAddress(form.address) !== undefined;
    default:
      return true;
  }
}

/** Calendar apps write `webcal:` for an address that is read over https. @returns `undefined` if it is no https address */
export function toFeedAddress(text: string): string | undefined {
  const address = text.trim().replace(/^webcals?:/i, 'https:');
  return URL.canParse(address) && new URL(address).protocol === 'https:' ? address : undefined;
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

function addressField({ form, onForm, text }: ScheduleViewOptions): TemplateResult {
  return html`<label class="inner address"
      >${text.calendarAddress}
      <input
        type="url"
        dir="ltr"
        placeholder="https://"
        autocomplete="off"
        aria-describedby="calendar-hint"
        .value=${form.address}
        @input=${(event: Event) => {
          onForm({ address: (event.target as HTMLInputElement).value });
        }}
      />
    </label>
    <p class="inner quiet" id="calendar-hint">${text.calendarHint}</p>`;
}

function dayFields({ form, onForm, context }: ScheduleViewOptions): TemplateResult {
  const names = weekdayNames(context.language);
  const toggleDay = (day: Weekday): void => {
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
              toggleDay(day);
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

function describe(schedule: Schedule, context: EditorContext, text: FeatureDictionary): string {
  const { repeat, feed } = schedule;
  const names = weekdayNames(context.language);
  const what = feed ? text.calendar(feed.host) : repeat ? repeat.days.map((day) => names[day]).join(', ') : '';
  const parts = [what, nextText(schedule, context, text), feed === undefined ? '' : failureText(feed, context, text)];
  return parts.filter((part) => part !== '').join(' · ');
}

function nextText({ state, next_at, items }: Schedule, context: EditorContext, text: FeatureDictionary): string {
  const { language, timeZone } = context;
  if (next_at === undefined) return text.calendarFree;
  const next = timeAhead(next_at, Date.now(), language, timeZone);
  if (state !== 'closed') return text.closesAt(next);
  return items.every((item) => item.state === 'changed') ? text.setByHand(next) : context.text.back(next);
}

function failureText(
  { failed_since, problem }: NonNullable<Schedule['feed']>,
  { language, timeZone }: EditorContext,
  text: FeatureDictionary,
): string {
  if (failed_since === undefined || problem === undefined) return '';
  const since = timeOfDay(failed_since, Date.now(), language, timeZone);
  return `${text.calendarFailed(since)} ${text.feedProblem[problem]}`;
}

/** 1 June 2026 is a Monday. */
function weekdayNames(language: string): Readonly<Record<Weekday, string>> {
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  const names = WEEKDAYS.map((day, at) => [day, format.format(Date.UTC(2026, 5, 1 + at))] as const);
  return Object.fromEntries(names) as Record<Weekday, string>;
}
