import type { Edit, EditId } from '../../domain/edit.js';
import type { ItemDisplay, ItemId, Timestamp } from '../../domain/item.js';
import { type EditState, type Truth, truthOf } from '../../domain/edit-state.js';
import type { QueuedEdit } from '../storage/edit-table.js';
import { UNCLAIMED } from '../storage/queue-owner.js';

/** The data of one item that an element draws. */
export interface ItemView extends ItemDisplay {
  readonly id: ItemId;
  /** `undefined`: the value is unknown. */
  readonly available: boolean | undefined;
  /** `undefined`: the value comes from no known edit, or its edit is `writing`. */
  readonly truth: Truth | undefined;
  /** The write of the edit to the browser's storage has not ended. */
  readonly writing?: boolean | undefined;
  /** Code that tells why the edit waits or needs attention. */
  readonly reason?: string | undefined;
  /** The proxy has received the edit, and its delivery to the portal is delayed. */
  readonly delayed?: boolean | undefined;
  /** The edit exists only in the memory of this page, because the browser did not store it. */
  readonly unsaved?: boolean | undefined;
  readonly updated_at?: Timestamp | undefined;
  /** When the portal took the edit, by the proxy's clock. A proxy that is older than this page leaves it out. */
  readonly settled_at?: Timestamp | undefined;
  /** The value is that of the portal's own list; `changed`: it was changed elsewhere after an edit of it was delivered. */
  readonly on_portal?: 'listed' | 'changed' | undefined;
  /** When the schedule that made the item unavailable makes it available again. */
  readonly back_at?: Timestamp | undefined;
  /** The change set that closed the item with others. The item was available before, and has not changed since. */
  readonly closing?: EditId | undefined;
  /** Display name of the person who set the value, if it was another person. */
  readonly by?: string | undefined;
  /** In a conflict: when this value was chosen, by the clock of that browser. */
  readonly clicked_at?: Timestamp | undefined;
  /** In a conflict: the value that the person saw when they chose this one. */
  readonly base?: OtherValue | undefined;
  /** In a conflict: the value that is valid until the person decides. */
  readonly theirs?: OtherValue | undefined;
  /** The value on the portal while the item's own is not there; `undefined`: it is, or the value there is not certain. */
  readonly portal_available?: boolean | undefined;
}

/** Another value of the same item, with its time and the name of the person who set it. */
export interface OtherValue {
  readonly available: boolean;
  readonly updated_at: Timestamp;
  readonly by?: string | undefined;
}

/** An item as the host's page describes it. The description grants no permission. */
export interface HostItem extends ItemDisplay {
  readonly id: ItemId;
  readonly available?: boolean | undefined;
  readonly updated_at?: Timestamp | undefined;
  /** Set by the proxy alone: the value comes from the portal's own list. */
  readonly on_portal?: 'listed' | 'changed' | undefined;
}

/** The items of the host's page. They are looked up when an item is drawn, and never copied. */
export interface HostSource {
  /** @param listed the item in the operator's catalog */
  find(id: ItemId, listed: HostItem | undefined): HostItem | undefined;
}

/** An item as the proxy describes it. */
export interface ConfirmedItem extends ItemDisplay {
  readonly back_at?: Timestamp | undefined;
  readonly closing?: EditId | undefined;
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
  readonly portal_available?: boolean | undefined;
}

/** The newest edit that was made here and has not settled. */
export interface LocalEdit {
  readonly edit: Edit;
  /** `writing` until the write to the browser's storage has ended. */
  readonly stage: 'writing' | QueuedEdit['stage'];
  readonly unsaved: boolean;
  readonly delayed?: boolean | undefined;
  readonly reason?: string | undefined;
}

/** Precedence: an edit made here, else the proxy's value, else the host's. */
export function toItemView(
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
      truth: getLocalTruth(local.stage),
      writing: local.stage === 'writing',
      reason: local.reason,
      delayed: local.delayed,
      unsaved: local.unsaved && getLocalTruth(local.stage) === 'on-device',
      updated_at: local.edit.updated_at,
      theirs: local.reason === UNCLAIMED ? toOtherValue(confirmed ?? host) : undefined,
      portal_available: toPortalValue(host, confirmed),
    });
  }
  if (confirmed !== undefined) {
    const { state } = confirmed;
    const reason = state === 'conflict' ? state : confirmed.reason;
    return Object.freeze({ ...confirmed, ...display, truth: truthOf(state), reason });
  }
  const { available, updated_at, on_portal } = host ?? {};
  const truth = on_portal === undefined ? undefined : 'on-portal';
  return Object.freeze({ ...display, available, truth, updated_at, on_portal });
}

/** Whether a person has to choose between two values: in a conflict, or for an edit from before the person was known. */
export function isChoice({ truth, reason }: Pick<ItemView, 'truth' | 'reason'>): boolean {
  return truth === 'needs-attention' && (reason === 'conflict' || reason === UNCLAIMED);
}

/** The value on the portal, as far as the sources are certain about it. */
export function toPortalValue(host: HostItem | undefined, confirmed: ConfirmedItem | undefined): boolean | undefined {
  if (confirmed === undefined) return host?.on_portal === undefined ? undefined : host.available;
  return truthOf(confirmed.state) === 'on-portal' ? confirmed.available : confirmed.portal_available;
}

function toOtherValue(value: (HostItem & Pick<ConfirmedItem, 'by'>) | undefined): OtherValue | undefined {
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

export function getLocalTruth(stage: LocalEdit['stage']): Truth | undefined {
  return LOCAL_TRUTHS[stage];
}
