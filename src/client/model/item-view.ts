import type { Edit, EditId } from '../../domain/edit.js';
import type { ItemDisplay, ItemId, Timestamp } from '../../domain/item.js';
import { type EditState, type Truth, truthOf } from '../../domain/edit-state.js';
import type { QueuedEdit } from '../storage/edit-table.js';
import { UNCLAIMED } from '../storage/queue-owner.js';

/** What an element draws of one item. */
export interface ItemView extends ItemDisplay {
  readonly id: ItemId;
  /** `undefined`: nobody has told us. */
  readonly available: boolean | undefined;
  /** `undefined`: no edit that we know of stands behind the value, or it is `writing`. */
  readonly truth: Truth | undefined;
  /** The browser's storage has not answered yet. */
  readonly writing?: boolean | undefined;
  /** Code of why an edit waits or needs attention. */
  readonly reason?: string | undefined;
  /** Received, and held up on its way to the portal. */
  readonly delayed?: boolean | undefined;
  /** In this page's memory only: the browser refused to store it. */
  readonly unsaved?: boolean | undefined;
  readonly updated_at?: Timestamp | undefined;
  /** When the portal took it, by the proxy's clock. A proxy that is older than this page does not say so. */
  readonly settled_at?: Timestamp | undefined;
  /** Who made this value, where that was somebody else: a name for display. */
  readonly by?: string | undefined;
  /** Of a conflict: when this value was chosen, by the clock of that browser. */
  readonly clicked_at?: Timestamp | undefined;
  /** Of a conflict: the value that was seen when this one was chosen. */
  readonly base?: OtherValue | undefined;
  /** Where the person has to pick: the value that counts meanwhile. */
  readonly theirs?: OtherValue | undefined;
}

/** What this person or somebody else said of the same item, before or meanwhile. */
export interface OtherValue {
  readonly available: boolean;
  readonly updated_at: Timestamp;
  readonly by?: string | undefined;
}

/** What the host's page says of an item; it never grants a right. */
export interface HostItem extends ItemDisplay {
  readonly id: ItemId;
  readonly available?: boolean | undefined;
  readonly updated_at?: Timestamp | undefined;
}

/** Where the host's page says what it knows of an item. Asked when an item is drawn, never copied. */
export interface HostSource {
  /** @param listed what the operator's list says of it */
  find(id: ItemId, listed: HostItem | undefined): HostItem | undefined;
}

/** What the proxy says of an item. */
export interface ConfirmedItem extends ItemDisplay {
  readonly id: ItemId;
  readonly available: boolean;
  readonly updated_at: Timestamp;
  readonly state: EditState;
  readonly delayed?: boolean | undefined;
  readonly reason?: string | undefined;
  readonly edit_id?: EditId | undefined;
  readonly settled_at?: Timestamp | undefined;
  readonly by?: string | undefined;
  readonly clicked_at?: Timestamp | undefined;
  readonly base?: OtherValue | undefined;
  readonly theirs?: OtherValue | undefined;
}

/** The newest edit that was made here and has not settled. */
export interface LocalEdit {
  readonly edit: Edit;
  /** `writing` until the browser's storage has answered. */
  readonly stage: 'writing' | QueuedEdit['stage'];
  readonly unsaved: boolean;
  readonly delayed?: boolean | undefined;
  readonly reason?: string | undefined;
}

/** Precedence: an edit made here, else the proxy's value, else the host's. */
export function viewOf(
  id: ItemId,
  host: HostItem | undefined,
  confirmed: ConfirmedItem | undefined,
  local: LocalEdit | undefined,
): ItemView {
  const display = {
    id,
    label: host?.label ?? confirmed?.label,
    group: host?.group ?? confirmed?.group,
    image: host?.image,
    note: host?.note,
  };
  if (local !== undefined) {
    return Object.freeze({
      ...display,
      available: local.edit.available,
      truth: localTruth(local.stage),
      writing: local.stage === 'writing',
      reason: local.reason,
      delayed: local.delayed,
      unsaved: local.unsaved && localTruth(local.stage) === 'on-device',
      updated_at: local.edit.updated_at,
      theirs: local.reason === UNCLAIMED ? standing(confirmed ?? host) : undefined,
    });
  }
  if (confirmed !== undefined) {
    const { state } = confirmed;
    const reason = state === 'conflict' ? state : confirmed.reason;
    return Object.freeze({ ...confirmed, ...display, truth: truthOf(state), reason });
  }
  return Object.freeze({ ...display, available: host?.available, truth: undefined, updated_at: host?.updated_at });
}

/** A person has to pick, where there is another value: one of two people's, or one that nobody knows who wished for. */
export function isChoice({ truth, reason }: Pick<ItemView, 'truth' | 'reason'>): boolean {
  return truth === 'needs-attention' && (reason === 'conflict' || reason === UNCLAIMED);
}

function standing(value: (HostItem & Pick<ConfirmedItem, 'by'>) | undefined): OtherValue | undefined {
  if (value?.available === undefined || value.updated_at === undefined) return undefined;
  const { available, updated_at, by } = value;
  return { available, updated_at, by };
}

const LOCAL_TRUTHS: Readonly<Record<LocalEdit['stage'], Truth | undefined>> = {
  writing: undefined,
  stored: 'on-device',
  sending: 'on-device',
  'handed-over': 'received',
  refused: 'needs-attention',
};

export function localTruth(stage: LocalEdit['stage']): Truth | undefined {
  return LOCAL_TRUTHS[stage];
}
