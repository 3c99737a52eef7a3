import { listOf, type Numbers } from '../../domain/bit-set.js';
import { ofRow, type PerRow } from '../../domain/draft.js';
import { isChanged, NONE, valueIn, wishIn, type Code } from '../../domain/stand.js';
import type { BulkPlan } from './bulk-plan.js';
import { changedStates } from './changed-states.js';
import type { Position } from './editor-types.js';
import { BASE_SHIFT, type Bits } from './item-bits.js';
import type { ItemTable } from './item-table.js';
import { workOff, STEP, type Pace } from '../browser/idle-work.js';
import { WishStamps } from './wish-stamps.js';
import { withGround, withWish } from './with-wish.js';

/** The value that a person saw when the wish was made, and when that was made, in milliseconds since the epoch. */
export interface Ground {
  readonly base: Code;
  readonly stamp: number;
}

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
  readonly #stamps: WishStamps;
  #dropNoting: () => void = () => undefined;

  constructor(table: ItemTable, pace: Pace) {
    this.#table = table;
    this.#pace = pace;
    this.#stamps = new WishStamps(table.size);
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

  /** @param ground what each wish stands on, where that is not the value of now */
  set(rows: Uint32Array, wishes: PerRow, ground?: readonly Ground[]): void {
    const { states } = this.#table;
    rows.forEach((position) => {
      if (!isChanged(states.at(position))) this.#stamps.put(position, 0);
    });
    if (typeof wishes === 'number' && rows.length > STEP)
      states.take(changedStates(states, rows, (bits) => withWish(bits, wishes as Code)));
    else
      rows.forEach((position, at) => {
        states.put(position, withWish(states.at(position), ofRow(wishes, at) as Code));
      });
    if (ground !== undefined)
      rows.forEach((position, at) => {
        const stoodOn = ground[at];
        if (stoodOn !== undefined) this.#standOn(position, stoodOn);
      });
    this.#note(rows);
  }

  /** What was planned. */
  take({ rows, fresh, after }: BulkPlan): void {
    this.#table.states.take(after);
    this.#stamps.forget(fresh);
    this.#note(rows);
  }

  /** The person has seen the other value and keeps the wish. */
  keep(position: Position): void {
    const { states } = this.#table;
    const bits = states.at(position);
    states.put(position, withGround(bits, valueIn(bits), false));
    this.#stamps.put(position, this.#stampOf(position));
    this.onChange(Uint32Array.of(position));
  }

  /** What the wish stands on. */
  groundOf(position: Position): Ground {
    const bits = this.#table.states.at(position);
    let stamp = this.#stamps.at(position);
    if (stamp === 0 && wishIn(bits) !== NONE) this.#stamps.put(position, (stamp = this.#stampOf(position)));
    return { base: valueIn(bits >> BASE_SHIFT), stamp };
  }

  close(): void {
    this.#dropNoting();
    this.#leave();
  }

  #note(rows: Numbers): void {
    if (rows.length <= STEP) listOf(rows).forEach((position) => this.groundOf(position));
    else {
      this.#dropNoting();
      this.#dropNoting = workOff(this.#noteAll(), this.#pace, () => undefined);
    }
    this.onChange(rows);
  }

  *#noteAll(): Generator<void, void> {
    for (let position = 0; position < this.#table.size; position += 1) {
      this.groundOf(position);
      if (position % STEP === 0) yield;
    }
  }

  #onRow(position: Position): void {
    const bits = this.#table.states.at(position);
    if (!isChanged(bits)) {
      const truth = wishIn(bits) === NONE ? undefined : this.#table.row(position)?.view.truth;
      // It has come true: by a later word of the store it would come back, and be saved over that.
      if (truth === 'received' || truth === 'on-portal') this.set(Uint32Array.of(position), NONE);
      return;
    }
    const ground = this.groundOf(position);
    // While the proxy's listing comes in, it tells of old words too: the value that was seen is no news.
    if (!this.#table.complete && valueIn(bits) === ground.base) this.#stamps.put(position, this.#stampOf(position));
    else this.#standOn(position, ground);
  }

  /** A wish has met somebody's word where the value is another one, or was made anew by somebody who is known. */
  #standOn(position: Position, { base, stamp }: Ground): void {
    const { states } = this.#table;
    const bits = states.at(position);
    if (!isChanged(bits)) return;
    const isAnew = this.#table.row(position)?.view.by !== undefined && stamp !== this.#stampOf(position);
    const value = valueIn(bits);
    this.#stamps.put(position, stamp);
    states.put(position, withGround(bits, base, isAnew || (value !== NONE && value !== base)));
  }

  /** An item that nobody has spoken of has the first stamp of all. */
  #stampOf(position: Position): number {
    return Date.parse(String(this.#table.facts(position)?.updated_at)) || 1;
  }
}
