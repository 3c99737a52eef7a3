import { ApiError } from '../../../client/api/api-error.js';
import { endOfDay, localTime, tomorrowMorning, zoneOf } from '../../../client/schedules/local-time.js';
import { ScheduleCalls } from '../../../client/schedules/schedule-calls.js';
import type { Schedule, ScheduleDefinition } from '../../../contract/schedules.js';
import type { ItemId } from '../../../domain/item.js';
import type { FeatureDictionary } from '../../../locales/features/feature-dictionary.js';
import type { PanelsOfEditor, SchedulesOfEditor, ToolsOfEditor } from '../editor-context.js';
import { renderSchedule, type ScheduleForm } from './schedule-view.js';
import { styles } from './schedule.styles.js';

/** "Unavailable until ...": loaded with its texts when a person first asks for it. */
export class SchedulePart implements SchedulesOfEditor {
  readonly #text: FeatureDictionary;

  constructor(text: FeatureDictionary) {
    this.#text = text;
  }

  open(tools: ToolsOfEditor, ids: readonly ItemId[], onDone?: () => void): void {
    const { root } = tools.context;
    if (styles.styleSheet && !root.adoptedStyleSheets.includes(styles.styleSheet))
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, styles.styleSheet];
    const dialog = new ScheduleDialog(tools, this.#text, ids, onDone);
    tools.panel((panels) => {
      dialog.open(panels);
    });
  }
}

/** Asks until when the items are unavailable, and names the schedules that are there already. */
class ScheduleDialog {
  readonly #tools: ToolsOfEditor;
  readonly #text: FeatureDictionary;
  readonly #ids: readonly ItemId[];
  readonly #onDone: (() => void) | undefined;
  readonly #calls: ScheduleCalls;
  readonly #zone: string;
  #panels: PanelsOfEditor | undefined;
  #form: ScheduleForm;
  #known: readonly Schedule[] = [];
  #problem = '';
  #isBusy = false;
  #isOpen = true;

  constructor(tools: ToolsOfEditor, text: FeatureDictionary, ids: readonly ItemId[], onDone?: () => void) {
    const { store, timeZone } = tools.context;
    this.#tools = tools;
    this.#text = text;
    this.#ids = ids;
    this.#onDone = onDone;
    this.#calls = new ScheduleCalls(store);
    this.#zone = zoneOf(timeZone);
    this.#form = { until: 'end-of-day', time: tomorrowMorning(Date.now(), this.#zone), days: new Set() };
  }

  open(panels: PanelsOfEditor): void {
    this.#panels = panels;
    panels.show(
      () =>
        renderSchedule({
          context: this.#tools.context,
          text: this.#text,
          count: this.#ids.length,
          zone: this.#zone,
          earliest: localTime(Date.now(), this.#zone),
          form: this.#form,
          known: this.#known,
          problem: this.#problem,
          isBusy: this.#isBusy,
          onForm: (change) => {
            this.#form = { ...this.#form, ...change };
            panels.update();
          },
          onSet: () => void this.#set(),
          onLeave: (schedule) => void this.#leave(schedule),
          dismiss: panels.dismiss,
        }),
      () => (this.#isOpen = false),
    );
    void this.#run(async () => {
      this.#known = await this.#calls.of(new Set(this.#ids));
    });
  }

  async #set(): Promise<void> {
    const { context } = this.#tools;
    const [first] = this.#ids;
    if (context.locked || first === undefined || !context.mayChange(this.#ids, first, false)) return;
    const definition = this.#definition();
    const isDone = await this.#run(async () => {
      if (definition !== undefined) await this.#calls.make(this.#ids, definition);
      else {
        for (const schedule of this.#known) await this.#calls.leave(schedule, new Set(this.#ids));
        await this.#close();
      }
    });
    if (!isDone) return;
    this.#onDone?.();
    if (this.#isOpen) this.#panels?.dismiss();
    await this.#tools.seen();
    context.announce(this.#text.scheduled);
  }

  /** Until the person says: no schedule, but an edit of their own. */
  async #close(): Promise<void> {
    const { context, draft } = this.#tools;
    const { table } = context;
    const positions = this.#ids.flatMap((id) => table.positionOf(id) ?? []);
    const open = positions.filter((position) => table.row(position)?.view.available !== false);
    await draft.setEach(open.map((position) => ({ position, available: false })));
  }

  async #leave(schedule: Schedule): Promise<void> {
    await this.#run(async () => {
      await this.#calls.leave(schedule, new Set(this.#ids));
      this.#known = this.#known.filter(({ id }) => id !== schedule.id);
    });
  }

  /** @returns `undefined`: until the person says */
  #definition(): ScheduleDefinition | undefined {
    const { until, time, days } = this.#form;
    const time_zone = this.#zone;
    switch (until) {
      case 'end-of-day':
        return { until: endOfDay(Date.now(), time_zone), time_zone };
      case 'tomorrow':
        return { until: tomorrowMorning(Date.now(), time_zone), time_zone };
      case 'time':
        return { until: time, time_zone };
      case 'weekly':
        return { repeat: { days: [...days], from: '00:00', until: '00:00' }, time_zone };
      case 'open-end':
        return undefined;
    }
  }

  /** @returns whether it was done; where not, the dialog says why */
  async #run(work: () => Promise<void>): Promise<boolean> {
    this.#isBusy = true;
    this.#problem = '';
    this.#panels?.update();
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#problem = this.#text.notScheduled(error.code);
      return false;
    } finally {
      this.#isBusy = false;
      if (this.#isOpen) this.#panels?.update();
    }
  }
}
