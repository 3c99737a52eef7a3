import { isItemId, type ItemId } from '../../domain/item.js';
import type { Truth } from '../../domain/truth.js';
import { UNCLAIMED, type ItemView } from '../../client/item-view.js';
import type { StoreSnapshot } from '../../client/store-snapshot.js';
import type { Dictionary, ToggleTexts } from '../../locales/dictionary.js';
import { enToggle } from '../../locales/en-toggle.js';
import { InventoryChangeEvent, InventoryReceiptEvent } from '../events.js';
import { iconStyles } from '../icons.js';
import { everyHalfMinute, timeAgo, timeAndDate, timeOfDay } from '../passing-time.js';
import { secretAttribute } from '../secret-attribute.js';
import { connectionText, isRefused } from '../connection-text.js';
import { changedText, statusText } from '../status-text.js';
import { StoreController } from '../store-controller.js';
import type { ItemHost, ItemPart, Shown } from './item-host.js';
import { drawingTools, ItemNodes, type Picture } from './item-nodes.js';
import { itemStyles } from './item-part.styles.js';
import type { ItemTrouble } from './item-trouble.js';

type Texts = ToggleTexts & Partial<Dictionary>;

/** What is to be said of the item now, in words and in one of the tones that the colours go by. */
interface Line {
  readonly text: string;
  readonly truth: Truth | undefined;
  readonly tone: Truth | 'none' | 'problem';
}

/**
 * What a toggle needs once it has an item: the shared store, the line that says which of the four truths holds, and two
 * plain choices where the value is unknown. Loaded on demand.
 */
export class ToggleItemPart implements ItemPart {
  readonly #host: ItemHost;
  readonly #root: ShadowRoot;
  readonly #controller: StoreController;
  readonly #nodes: ItemNodes;
  #trouble: ItemTrouble | undefined;
  #text: Texts = enToggle;
  #item: string | null | undefined;
  #before: ItemView | undefined;
  #touched = false;
  #warned = false;
  #stopClock: (() => void) | undefined;

  constructor(host: ItemHost, root: ShadowRoot) {
    this.#host = host;
    this.#root = root;
    const item = (): ItemId | undefined => (isItemId(host.item) ? host.item : undefined);
    this.#controller = new StoreController(
      host,
      () => (item() === undefined ? undefined : host),
      (changed) => changed === host.item,
      item,
      {
        shows: (id) => id === host.item && !host.quiet,
        say: (view, count) => {
          this.#nodes.say(changedText(view, count, host.labelText || (view.label ?? view.id), this.#text));
        },
      },
    );
    root.adoptedStyleSheets.push(iconStyles, itemStyles);
    this.#nodes = new ItemNodes(root, (available) => {
      host.choose(available);
    });
  }

  update(): Shown {
    const { item } = this.#host;
    if (item !== this.#item) {
      this.#item = item;
      this.#before = undefined;
      this.#touched = false;
    }
    this.#controller.hostUpdate();
    const view = this.#view();
    const misuse = this.#misuse();
    const part = misuse !== undefined || this.#isTrouble(view) ? this.#host.troublePart : undefined;
    const text = { ...enToggle, ...part?.enReasons, ...this.#host.dictionary, ...this.#host.strings };
    this.#text = text;
    const mistake = misuse?.(text) ?? '';
    // The console is told once: when there are words for it.
    if (mistake !== '' && (part ?? this.#host.dictionary) !== undefined) this.#warn(mistake);
    const line = this.#line(view, text, mistake);
    this.#nodes.draw(this.#picture(view, line, text));
    this.#trouble ??= part && new part.ItemTrouble(this.#root, this.#nodes.box, this, drawingTools);
    this.#trouble?.draw({
      view: line.truth === 'needs-attention' ? view : undefined,
      isUnclaimed: view?.reason === UNCLAIMED,
      mayAct: !this.#host.readonly && !this.#locked,
      text,
      moment: (stamp) => timeOfDay(stamp, Date.now(), this.#host.language, this.#host.timeZone ?? undefined),
    });
    this.#tell(view);
    const truth = line.truth === undefined ? [] : [line.truth];
    return {
      available: view?.available,
      locked: this.#locked,
      label: view?.label ?? item ?? '',
      states: view?.available === undefined ? ['unknown', ...truth] : truth,
    };
  }

  ask(available: boolean): boolean {
    const { item, readonly } = this.#host;
    if (readonly || this.#locked || !isItemId(item)) return false;
    if (!this.#host.dispatchEvent(new InventoryChangeEvent(item, available))) return false;
    this.#touched = true;
    return true;
  }

  take(available: boolean): void {
    const { item } = this.#host;
    if (!isItemId(item)) return;
    const label = this.#host.labelText.slice(0, 200);
    void this.#controller.store?.set(item, available, label === '' || label === item ? undefined : label);
  }

  disconnect(): void {
    this.#controller.hostDisconnected();
    this.#runClock(false);
  }

  remove(): void {
    this.disconnect();
    this.#nodes.remove();
    this.#trouble?.remove();
    this.#root.adoptedStyleSheets = this.#root.adoptedStyleSheets.filter(
      (sheet) => sheet !== iconStyles && sheet !== itemStyles,
    );
  }

  get #locked(): boolean {
    const { item, isDisabled } = this.#host;
    return isDisabled || !isItemId(item) || this.#controller.store?.mayEdit(item) !== true;
  }

  #view(): ItemView | undefined {
    const { item } = this.#host;
    return isItemId(item) ? this.#controller.store?.view(item) : undefined;
  }

  /** There is more to say, or to do, than most visits see. */
  #isTrouble(view: ItemView | undefined): boolean {
    const isAttention = view?.truth === 'needs-attention' || view?.reason !== undefined;
    return isAttention || isRefused(this.#controller.store?.snapshot);
  }

  #line(view: ItemView | undefined, text: Texts, mistake: string): Line {
    const snapshot = this.#controller.store?.snapshot;
    const quiet = this.#host.quiet || view?.truth !== undefined;
    const problem = mistake || (quiet ? '' : connectionText(snapshot, text));
    if (problem !== '') return { text: problem, truth: undefined, tone: 'problem' };
    if (view === undefined || snapshot === undefined) return { text: '', truth: undefined, tone: 'none' };
    const told = this.#told(view, snapshot, text);
    if (view.unsaved) return { text: told, truth: undefined, tone: 'problem' };
    return { text: told, truth: view.truth, tone: view.truth ?? 'none' };
  }

  #told(view: ItemView, snapshot: StoreSnapshot, text: Texts): string {
    const forbidden = snapshot.status === 'ready' && !this.#controller.store?.mayEdit(view.id) && !view.truth;
    // Where nothing may be edited, the element around it says so once for all.
    return forbidden && (snapshot.canEdit || !this.#host.quiet) ? text.readOnly : statusText(view, snapshot, text);
  }

  /** What the author of the page has to mend, or nothing. */
  #misuse(): ((text: Texts) => string) | undefined {
    const secret = secretAttribute(this.#host);
    if (secret !== undefined) return ({ secretGiven }) => secretGiven(secret);
    if (!isItemId(this.#host.item)) return ({ badItem }) => badItem;
    const isWithout = this.#controller.store === undefined && this.#host.isConnected;
    return isWithout ? ({ missingProxy }) => missingProxy : undefined;
  }

  /** Once: a misconfigured element must not flood the host's console. */
  #warn(message: string): void {
    if (this.#warned || !this.#host.isConnected) return;
    this.#warned = true;
    console.warn(`<${this.#host.localName}>: ${message}`, this.#host);
  }

  #tell(view: ItemView | undefined): void {
    const before = this.#before;
    this.#before = view;
    if (!this.#touched || view?.truth === undefined || view.available === undefined || before === undefined) return;
    if (view.truth === before.truth && view.updated_at === before.updated_at) return;
    this.#host.dispatchEvent(new InventoryReceiptEvent(view.id, view.available, view.truth, view.reason));
  }

  #runClock(isNeeded: boolean): void {
    if (isNeeded === (this.#stopClock !== undefined)) return;
    this.#stopClock?.();
    this.#stopClock = isNeeded
      ? everyHalfMinute(() => {
          this.#host.requestUpdate();
        })
      : undefined;
  }

  #ago(stamp: Parameters<typeof timeAgo>[0], text: Texts): string {
    return timeAgo(stamp, Date.now(), this.#host.language, this.#host.timeZone ?? undefined, text.justNow);
  }

  again(): void {
    const view = this.#view();
    if (view?.available !== undefined && this.ask(view.available)) void this.#controller.store?.retry(view.id);
  }

  keep(side: 'mine' | 'theirs'): void {
    const view = this.#view();
    const value = side === 'mine' ? view?.available : view?.theirs?.available;
    if (view !== undefined && value !== undefined && this.ask(value))
      void this.#controller.store?.resolve(view.id, side);
  }

  #time(view: ItemView | undefined, line: Line, text: Texts): Picture['time'] {
    const stamp = line.truth === 'on-portal' ? (view?.settled_at ?? view?.updated_at) : undefined;
    this.#runClock(this.#host.isConnected && stamp !== undefined);
    if (stamp === undefined) return undefined;
    const { language, timeZone } = this.#host;
    return {
      stamp,
      full: timeAndDate(stamp, language, timeZone ?? undefined),
      text: text.since(this.#ago(stamp, text), view?.by),
    };
  }

  #picture(view: ItemView | undefined, line: Line, text: Texts): Picture {
    const { truth, tone } = line;
    // Nothing is confirmed yet, so nothing is announced yet.
    const isPassing = truth === 'on-device' && this.#controller.store?.snapshot.status === 'ready';
    return {
      name: this.#host.labelText || (view?.label ?? this.#host.item ?? ''),
      tone,
      truth,
      line: line.text,
      isAnnounced: this.#touched && !isPassing,
      isBrief: tone !== 'problem' && tone !== 'needs-attention' && !view?.delayed,
      time: this.#time(view, line, text),
      choices:
        view?.available === undefined
          ? {
              words: [text.available, text.notAvailable],
              isLocked: this.#locked,
              isReadonly: this.#host.readonly,
            }
          : undefined,
    };
  }
}
