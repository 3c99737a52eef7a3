import { isItemId, type ItemId } from '../../domain/item.js';
import type { Truth } from '../../domain/edit-state.js';
import type { InventoryStore } from '../../client/store/inventory-store.js';
import type { ItemView } from '../../client/model/item-view.js';
import { loadDecisions } from '../../client/store/load-decisions.js';
import { UNCLAIMED } from '../../client/storage/queue-owner.js';
import type { StoreSnapshot } from '../../client/store/store-snapshot.js';
import type { Dictionary, ToggleTexts } from '../../locales/dictionary.js';
import { enToggle } from '../../locales/en-toggle.js';
import { InventoryChangeEvent, InventoryReceiptEvent } from '../events.js';
import { iconStyles } from '../shared/icons.js';
import { everyHalfMinute, timeAgo, timeAndDate, timeOfDay } from '../shared/relative-time.js';
import { LatePart } from '../shared/late-part.js';
import { secretAttribute } from '../shared/secret-attribute.js';
import { connectionText, hasReason } from '../shared/connection-text.js';
import { changedText, statusText } from '../shared/status-text.js';
import { StoreController } from '../store-controller.js';
import type { ItemHost, ItemPart, Shown } from './item-host.js';
import { drawingTools, ItemNodes, type Picture } from './item-nodes.js';
import { itemStyles } from './item-part.styles.js';
import type { ItemTrouble } from '../shared/item-trouble.js';

const decisions = new LatePart(loadDecisions);

type Texts = ToggleTexts & Partial<Dictionary>;

/**
 * What a toggle needs once it has an item: the shared store, the line that says which of the four truths holds, and two
 * plain choices where the value is unknown. Loaded on demand.
 */
export class ToggleItemPart implements ItemPart {
  readonly #host: ItemHost;
  readonly #root: ShadowRoot;
  readonly #controller: StoreController;
  readonly #nodes: ItemNodes;
  #trouble: ItemTrouble | null | undefined;
  #text: Texts = enToggle;
  #store: InventoryStore | undefined;
  take?: () => unknown;
  #before: ItemView | undefined;
  #touched = false;
  #stopClock: (() => void) | undefined;

  constructor(host: ItemHost, root: ShadowRoot) {
    this.#host = host;
    this.#root = root;
    this.#controller = new StoreController(host, () => this.#id, {
      // What is said in one that is hidden, nobody hears.
      shows: (id) => id === host.item && !host.quiet && host.checkVisibility(),
      say: (view, count) => {
        this.#nodes.say(changedText(view, count, host.labelText || (view.label ?? view.id), this.#text));
      },
    });
    root.adoptedStyleSheets.push(iconStyles, itemStyles);
    this.#nodes = new ItemNodes(root, (available) => {
      host.choose(available);
    });
  }

  update(): Shown {
    const { item, dictionary, strings, readonly } = this.#host;
    this.#controller.hostUpdate();
    const { store } = this.#controller;
    // What a person did to an item is nothing that was done to its namesake of another vendor.
    if (item !== this.#before?.id || store !== this.#store) this.#touched = false;
    this.#store = store;
    const view = this.#id && store?.view(this.#id);
    const isAttention = view?.truth === 'needs-attention';
    // There is more to say, or to do, than most visits see.
    const isTrouble =
      this.#misuse(enToggle) !== '' || isAttention || view?.reason !== undefined || hasReason(store?.snapshot);
    // A question that cannot be asked without a network would be no edit, and no word.
    const part = isTrouble || this.#host.confirm ? this.#host.troublePart : undefined;
    const text = { ...enToggle, ...part?.enReasons, ...dictionary, ...strings };
    this.#text = text;
    const mistake = this.#misuse(text);
    // The console is told once: when there are words for it.
    if (mistake !== '' && (part ?? dictionary) !== undefined && this.#host.isConnected) this.#host.warn(mistake);
    const isComing = isTrouble && part === undefined && dictionary === undefined;
    const picture = this.#picture(view, text, mistake, isComing);
    this.#nodes.draw(picture);
    const ways = isAttention ? decisions.ask(this.#redraw) : undefined;
    this.#trouble ??=
      part && ways && new part.ItemTrouble(this.#root, this.#nodes.box, (on) => this.ask(on), ways, drawingTools);
    this.#trouble?.draw({
      store,
      view: picture.truth === 'needs-attention' ? view : undefined,
      isUnclaimed: view?.reason === UNCLAIMED,
      mayAct: !readonly && !this.#locked,
      text,
      moment: (stamp) => timeOfDay(stamp, Date.now(), this.#host.language, this.#host.timeZone),
    });
    this.#tell(view);
    // What the network has lost of what is there for trouble is asked for again by the next drawing.
    this.#runClock(this.#host.isConnected && (isTrouble || picture.time !== undefined));
    const truth = picture.truth === undefined ? [] : [picture.truth];
    return {
      available: view?.available,
      locked: this.#locked,
      label: view?.label ?? item ?? '',
      states: view?.available === undefined ? ['unknown', ...truth] : truth,
    };
  }

  ask(available: boolean): boolean {
    const id = this.#id;
    const { store } = this.#controller;
    if (id === undefined || this.#host.readonly || this.#locked) return false;
    const label = [...this.#host.labelText].slice(0, 200).join('');
    // The page may give the toggle another item, or take it away, as soon as it hears of this.
    this.take = () => store?.set(id, available, label && label !== id ? label : undefined);
    if (!this.#host.dispatchEvent(new InventoryChangeEvent(id, available))) return false;
    this.#touched = true;
    return true;
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

  get #id(): ItemId | undefined {
    const { item } = this.#host;
    return isItemId(item) ? item : undefined;
  }

  get #locked(): boolean {
    const id = this.#id;
    return id === undefined || this.#host.isDisabled || this.#controller.store?.mayEdit(id) !== true;
  }

  readonly #redraw = (): void => {
    this.#host.requestUpdate();
  };

  #told(view: ItemView, snapshot: StoreSnapshot, text: Texts): string {
    const forbidden = snapshot.status === 'ready' && !this.#controller.store?.mayEdit(view.id) && !view.truth;
    // Where nothing may be edited, the element around it says so once for all.
    return forbidden && (snapshot.canEdit || !this.#host.quiet) ? text.readOnly : statusText(view, snapshot, text);
  }

  /** What the author of the page has to mend, or nothing. */
  #misuse(text: Texts): string {
    const secret = secretAttribute(this.#host);
    if (secret !== undefined) return text.secretGiven(secret);
    if (this.#id === undefined) return text.badItem;
    return this.#controller.store === undefined && this.#host.isConnected ? text.missingProxy : '';
  }

  #tell(view: ItemView | undefined): void {
    const before = this.#before;
    this.#before = view;
    // Nothing is on its way any more: it was taken back, or somebody else is here now.
    this.#touched &&= (view?.truth ?? view?.writing) !== undefined;
    if (!this.#touched || view?.truth === undefined || view.available === undefined) return;
    if (view.truth === before?.truth && view.updated_at === before.updated_at) return;
    this.#host.dispatchEvent(new InventoryReceiptEvent(view.id, view.available, view.truth, view.reason));
  }

  #runClock(isNeeded: boolean): void {
    if (isNeeded === (this.#stopClock !== undefined)) return;
    this.#stopClock?.();
    this.#stopClock = isNeeded ? everyHalfMinute(this.#redraw) : undefined;
  }

  #time(view: ItemView | undefined, truth: Truth | undefined, text: Texts): Picture['time'] {
    const stamp = truth === 'on-portal' ? (view?.settled_at ?? view?.updated_at) : undefined;
    if (stamp === undefined) return undefined;
    const { language, timeZone } = this.#host;
    return {
      stamp,
      full: timeAndDate(stamp, language, timeZone),
      text: text.since(timeAgo(stamp, Date.now(), language, timeZone, text.justNow), view?.by),
    };
  }

  /** @param isComing the words that say it in full are on their way */
  #picture(view: ItemView | undefined, text: Texts, mistake: string, isComing: boolean): Picture {
    const { quiet, readonly } = this.#host;
    const snapshot = this.#controller.store?.snapshot;
    const problem = mistake || (quiet || view?.truth !== undefined ? '' : connectionText(snapshot, text));
    const isProblem = problem !== '' || view?.unsaved === true;
    const truth = isProblem ? undefined : view?.truth;
    // Nothing is confirmed yet, so nothing is announced yet; and nothing twice.
    const isPassing = isComing || (truth === 'on-device' && snapshot?.status === 'ready');
    return {
      tone: isProblem ? 'problem' : (truth ?? 'none'),
      truth,
      // Where the words are lost, it is another text, or nobody would hear it.
      line: (problem || (view && snapshot ? this.#told(view, snapshot, text) : '')) + (isComing ? '\u00a0' : ''),
      // What somebody else did is said as that.
      isAnnounced: this.#touched && !isPassing && view?.by === undefined,
      isBrief: !isProblem && truth !== 'needs-attention' && !view?.delayed,
      time: this.#time(view, truth, text),
      choices:
        view?.available === undefined
          ? { words: [text.available, text.notAvailable], isLocked: this.#locked, isReadonly: readonly }
          : undefined,
    };
  }
}
