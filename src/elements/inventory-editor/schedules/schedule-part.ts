import { ApiError } from '../../../client/api/api-error.js';
import { endOfDay, localTime, tomorrowMorning, zoneOf } from '../../../client/schedules/local-time.js';
import { ScheduleCalls } from '../../../client/schedules/schedule-calls.js';
import { FEED_PROBLEMS, type Schedule, type ScheduleDefinition } from '../../../contract/schedules.js';
import type { ItemId } from '../../../domain/item.js';
import type { FeatureDictionary } from '../../../locales/features/feature-dictionary.js';
import type { DialogsOfEditor, ScheduleOptions, SchedulesOfEditor, ToolsOfEditor } from '../editor-context.js';
import { renderSchedule, toFeedAddress, type ScheduleForm } from './schedule-view.js';
import { styles } from './schedule.styles.js';

/** Schedules, as in "unavailable until ...". This module is loaded with its texts when a person first opens the dialog. */
export class SchedulePart implements SchedulesOfEditor {
  readonly #text: FeatureDictionary;

  constructor(text: FeatureDictionary) {
    this.#text = text;
  }

  open(tools: ToolsOfEditor, ids: readonly ItemId[], options?: ScheduleOptions): void {
    const { root } = tools.context;
    if (styles.styleSheet && !root.adoptedStyleSheets.includes(styles.styleSheet))
      root.adoptedStyleSheets = [...root.adoptedStyleSheets, styles.styleSheet];
    const dialog = new ScheduleDialog(tools, this.#text, ids, options);
    tools.withDialogs((dialogs) => {
      dialog.open(dialogs);
    });
  }
}

/** The dialog that asks for the end of a closing, and lists the existing schedules of the items. */
class ScheduleDialog {
  readonly #tools: ToolsOfEditor;
  readonly #text: FeatureDictionary;
  readonly #ids: readonly ItemId[];
  readonly #options: ScheduleOptions;
  readonly #calls: ScheduleCalls;
  readonly #zone: string;
  #dialogs: DialogsOfEditor | undefined;
  #form: ScheduleForm;
  #known: readonly Schedule[] = [];
  #openIds: readonly ItemId[] | undefined;
  #problem = '';
  #isBusy = false;
  #isOpen = true;

  constructor(tools: ToolsOfEditor, text: FeatureDictionary, ids: readonly ItemId[], options: ScheduleOptions = {}) {
    const { store, timeZone } = tools.context;
    this.#tools = tools;
    this.#text = text;
    this.#ids = ids;
    this.#options = options;
    this.#calls = new ScheduleCalls(store);
    this.#zone = zoneOf(timeZone);
    this.#form = { until: 'end-of-day', time: tomorrowMorning(Date.now(), this.#zone), days: new Set(), address: '' };
  }

  open(dialogs: DialogsOfEditor): void {
    this.#dialogs = dialogs;
    dialogs.show(
      () =>
        renderSchedule({
          context: this.#tools.context,
          text: this.#text,
          count: this.#chosenIds.length,
          zone: this.#zone,
          earliest: localTime(Date.now(), this.#zone),
          form: this.#form,
          known: this.#known,
          problem: this.#problem,
          isBusy: this.#isBusy,
          onForm: (change) => {
            this.#form = { ...this.#form, ...change };
            dialogs.update();
          },
          onSet: () => void this.#set(),
          onLeave: (schedule) => void this.#leave(schedule),
          dismiss: dialogs.dismiss,
        }),
      () => (this.#isOpen = false),
    );
    void this.#run(async () => {
      this.#known = await this.#calls.of(new Set(this.#ids));
    });
  }

  async #set(): Promise<void> {
    const { context } = this.#tools;
    const ids = this.#chosenIds;
    const [first] = ids;
    if (context.locked || first === undefined || !context.confirmChange(ids, first, false)) return;
    const definition = this.#definition();
    const isDone = await this.#run(async () => {
      if (definition !== undefined) await this.#calls.make(ids, definition);
      else {
        for (const schedule of this.#known) await this.#calls.leave(schedule, new Set(this.#ids));
        await this.#close();
      }
    });
    if (!isDone) return;
    this.#options.onDone?.();
    if (this.#isOpen) this.#dialogs?.dismiss();
    await this.#tools.seen();
    context.announce(this.#text.scheduled);
  }

  /** The items that the person's choice applies to. */
  get #chosenIds(): readonly ItemId[] {
    if (this.#options.isWhole !== true || this.#form.until === 'weekly') return this.#ids;
    // The list is fixed at the first call, so that another attempt after a partial failure is for the same items.
    this.#openIds ??= this.#ids.filter((id) => this.#tools.context.store.view(id).available === true);
    return this.#openIds;
  }

  /** A closing without an end is an edit of the person, not a schedule. */
  async #close(): Promise<void> {
    const { context, draft } = this.#tools;
    const { table } = context;
    const itemIndexes = this.#ids.flatMap((id) => table.findItemIndex(id) ?? []);
    const open = itemIndexes.filter((itemIndex) => table.row(itemIndex)?.view.available !== false);
    await draft.setEach(open.map((itemIndex) => ({ itemIndex, available: false })));
  }

  async #leave(schedule: Schedule): Promise<void> {
    await this.#run(async () => {
      await this.#calls.leave(schedule, new Set(this.#ids));
      this.#known = this.#known.filter(({ id }) => id !== schedule.id);
    });
  }

  #problemText({ code, reason }: ApiError): string {
    const { number } = this.#tools.context.text;
    const { leftCount } = this.#calls;
    const all = this.#chosenIds.length;
    if (leftCount > 0 && leftCount < all) return this.#text.partlyScheduled(number(all - leftCount), number(all));
    if (code !== 'feed_unreadable') return this.#text.notScheduled(code);
    return this.#text.feedProblem[FEED_PROBLEMS.find((problem) => problem === reason) ?? 'unreadable'];
  }

  /** @returns `undefined` for a closing without an end */
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
      case 'calendar': {
        const feed = toFeedAddress(this.#form.address);
        if (feed === undefined) throw new TypeError('the dialog takes no other address');
        return { feed, time_zone };
      }
      case 'open-end':
        return undefined;
    }
  }

  /** @returns whether it succeeded; the dialog shows why it failed */
  async #run(work: () => Promise<void>): Promise<boolean> {
    this.#isBusy = true;
    this.#problem = '';
    this.#dialogs?.update();
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#problem = this.#problemText(error);
      return false;
    } finally {
      this.#isBusy = false;
      if (this.#isOpen) this.#dialogs?.update();
    }
  }
}
