import type { Numbers } from '../domain/bit-set.js';
import { ofRow, type PerRow } from '../domain/draft.js';
import { isChanged, NONE, wishIn, type Code } from '../domain/stand.js';
import type { Position } from './editor-model.js';
import type { ItemView } from './item-view.js';
import type { Bits } from './item-bits.js';
import type { ItemTable } from './item-table.js';
import { workOff, STEP, type Pace } from './idle-work.js';

/**
 * The wishes that a person has not saved: where each stands, and on which word of the store. When somebody else speaks
 * after that word, the wish has met it, and is not saved before the person has said which value it shall be.
 */
export class ItemWishes {
  /** For whoever keeps wishes on this device. */
  onChange: (rows: Numbers) => void = () => undefined;
  readonly #table: ItemTable;
  readonly #pace: Pace;
  readonly #leave: () => void;
  /** By position: when the value was made that a wish stands on, in milliseconds since the epoch. 0: not noted yet. */
  #stamps = new Float64Array(0);
  #dropNoting: () => void = () => undefined;

  constructor(table: ItemTable, pace: Pace) {
    this.#table = table;
    this.#pace = pace;
    this.#leave = table.subscribe((changed) => {
      if (changed !== undefined) this.#onRow(changed);
    });
  }

  /** Positions of wishes that differ from the store's value, or of whatever is asked for. */
  rows(isWanted: (bits: Bits) => boolean = isChanged): Uint32Array {
    const { bits } = this.#table.states;
    const rows: number[] = [];
    for (let position = 0; position < this.#table.size; position += 1) {
      if (isWanted(bits[position] ?? 0)) rows.push(position);
    }
    return Uint32Array.from(rows);
  }

  set(rows: Numbers, wishes: PerRow): void {
    const { states, size } = this.#table;
    if (this.#stamps.length < size) {
      const few = this.#stamps;
      this.#stamps = new Float64Array(size + STEP);
      this.#stamps.set(few);
    }
    rows.forEach((position, at) => {
      if (!isChanged(states.at(position))) this.#stamps[position] = 0;
      states.wish(position, ofRow(wishes, at) as Code);
    });
    if (rows.length <= STEP) rows.forEach((position) => this.stampAt(position));
    else {
      this.#dropNoting();
      this.#dropNoting = workOff(this.#noteAll(), this.#pace, () => undefined);
    }
    this.onChange(rows);
  }

  /** Says what a wish of an earlier page stands on. */
  standOn(position: Position, stamp: number): void {
    if (stamp !== this.#stampOf(position)) this.#table.states.meet(position, true);
    this.#stamps[position] = stamp;
  }

  /** The person has seen the other value and keeps the wish. */
  keep(position: Position): void {
    this.#table.states.meet(position, false);
    this.#stamps[position] = this.#stampOf(position);
    this.onChange(Uint32Array.of(position));
  }

  /** When the value was made that the wish stands on, in milliseconds since the epoch. */
  stampAt(position: Position): number {
    const noted = this.#stamps[position] ?? 0;
    if (noted !== 0 || wishIn(this.#table.states.at(position)) === NONE) return noted;
    return (this.#stamps[position] = this.#stampOf(position));
  }

  close(): void {
    this.#dropNoting();
    this.#leave();
  }

  *#noteAll(): Generator<void, void> {
    for (let position = 0; position < this.#table.size; position += 1) {
      this.stampAt(position);
      if (position % STEP === 0) yield;
    }
  }

  #onRow(position: Position): void {
    if (!isChanged(this.#table.states.at(position))) return;
    const view = this.#view(position);
    if (view?.by !== undefined && this.#stampOf(position) !== this.#stamps[position]) {
      this.#table.states.meet(position, true);
    }
  }

  /** An item that nobody has spoken of has the first stamp of all. */
  #stampOf(position: Position): number {
    return Date.parse(this.#view(position)?.updated_at ?? '') || 1;
  }

  #view(position: Position): ItemView | undefined {
    const id = this.#table.idAt(position);
    return id === undefined ? undefined : this.#table.store.view(id);
  }
}
