import type { EditId } from '../../domain/edit.js';
import type { ItemId, Timestamp } from '../../domain/item.js';
import type { NewEdit } from '../acceptance.js';
import type { Acceptance } from '../outbox.js';
import { INTERACTIVE_EDITS } from '../sending-order.js';

/** What all edits of a parcel have in common. */
export interface ParcelHead {
  readonly vendor: string;
  readonly subject: string;
  readonly name: string | null;
  readonly lane: string;
  readonly bulk: 0 | 1;
  /** Of the first edit; the others follow. */
  readonly seq: number;
  readonly number: number;
  readonly accepted_at: number;
  /** None where the table of keys has it already: a parcel of an older version. */
  readonly key: string | null;
  /** None where it is that of the edits as {@link inventoryText} writes them, and where there is no key. */
  readonly digest: string | null;
}

/** A parcel as it stands in its row: column by column, and one value in place of many equal ones. */
export interface ParcelContent extends ParcelHead {
  /** Joined by commas, as the table of keys has them. */
  readonly edit_ids: string;
  readonly items: readonly ItemId[];
  readonly labels: OneOrAll<string | null>;
  /** A digit for each edit. */
  readonly available: string;
  /** A digit for each edit; `-` where no value was known. */
  readonly was: string;
  readonly clicked_at: OneOrAll<Timestamp>;
  readonly bases: OneOrAll<string | null>;
  readonly stamps: OneOrAll<number>;
}

type OneOrAll<T> = T | readonly T[];

/** An edit of a parcel. */
export interface PackedEdit {
  readonly edit_id: EditId;
  readonly item_id: ItemId;
  readonly label: string | null;
  readonly available: 0 | 1;
  readonly was: 0 | 1 | null;
  readonly clicked_at: Timestamp;
  readonly base: string | null;
  readonly stamp: number;
}

/** Of the first edit. */
interface Numbers {
  readonly seq: number;
  readonly number: number;
}

export function headOf(batch: Acceptance, edits: number, first: Numbers, digest: string | null): ParcelHead {
  return {
    vendor: batch.vendor,
    subject: batch.subject,
    name: batch.name ?? null,
    lane: batch.lane,
    bulk: edits > INTERACTIVE_EDITS ? 1 : 0,
    ...first,
    accepted_at: batch.now,
    key: batch.idempotencyKey,
    digest,
  };
}

export function contentOf(batch: Acceptance, edits: readonly NewEdit[], first: Numbers): ParcelContent {
  let [editIds, available, was] = ['', '', ''];
  for (const each of edits) {
    editIds += editIds === '' ? each.edit.edit_id : `,${each.edit.edit_id}`;
    available += each.edit.available ? '1' : '0';
    was += each.was === undefined ? '-' : each.was ? '1' : '0';
  }
  return {
    ...headOf(batch, edits.length, first, batch.digest),
    edit_ids: editIds,
    items: edits.map(({ edit }) => edit.id),
    labels: oneOrAll(edits, ({ edit }) => edit.label ?? null),
    available,
    was,
    clicked_at: oneOrAll(edits, ({ edit }) => edit.updated_at),
    bases: oneOrAll(edits, ({ edit }) => edit.base ?? null),
    stamps: oneOrAll(edits, ({ stamp }) => stamp),
  };
}

export function editIdsIn({ edit_ids }: ParcelContent): EditId[] {
  return edit_ids.split(',') as EditId[];
}

export function editsIn(content: ParcelContent): PackedEdit[] {
  const { items, labels, available, was, clicked_at, bases, stamps } = content;
  const ids = editIdsIn(content);
  return items.map((item_id, at) => ({
    edit_id: ids[at] as EditId,
    item_id,
    label: oneOf(labels, at),
    available: available[at] === '1' ? 1 : 0,
    was: was[at] === '-' ? null : was[at] === '1' ? 1 : 0,
    clicked_at: oneOf(clicked_at, at),
    base: oneOf(bases, at),
    stamp: oneOf(stamps, at),
  }));
}

/** What a page wrote of them: a digest is made of that. */
export function inventoryText(edits: readonly PackedEdit[]): string {
  return JSON.stringify(
    edits.map(({ item_id: id, available, clicked_at: updated_at, base, edit_id, label }) => ({
      id,
      available: available === 1,
      updated_at,
      base: base ?? undefined,
      edit_id,
      label: label ?? undefined,
    })),
  );
}

function oneOrAll<T>(edits: readonly NewEdit[], valueOf: (edit: NewEdit) => T): OneOrAll<T> {
  const values = edits.map(valueOf);
  const [first] = values;
  return first !== undefined && values.every((value) => value === first) ? first : values;
}

function oneOf<T extends string | number | null>(values: OneOrAll<T>, at: number): T {
  return typeof values === 'object' && values !== null ? (values[at] as T) : values;
}
