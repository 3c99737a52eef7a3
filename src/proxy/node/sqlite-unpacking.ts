import type { GroupCommit } from './sqlite-group-commit.js';
import type { SqlitePacking } from './sqlite-packing.js';
import type { Parcel } from './sqlite-parcel-line.js';
import type { SqliteParcels } from './sqlite-parcels.js';

/** The most that a transaction unpacks, but for a parcel that has more: others are served in between. */
const EDITS_AT_ONCE = 250;
/** After a batch was answered: its caller, and whoever came with it, go first. */
const FIRST_PAUSE_MS = 5;
/** While batches keep coming, unpacking takes a hundredth of the time, and more the more there is. */
const PAUSE_PER_WORK = 99;
/** After the disk said no. */
const FAILED_PAUSE_MS = 1_000;

/**
 * When parcels are unpacked: before somebody needs to see what is in them, and else in the background, those that hands
 * made first.
 */
export class SqliteUnpacking {
  readonly #parcels: SqliteParcels;
  readonly #packing: SqlitePacking;
  readonly #writes: GroupCommit;
  readonly #onEmpty: (vendor: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #packedMeanwhile = false;
  #ended = false;

  /** @param onEmpty hears of a vendor whose edits may leave now, when the last parcel has been unpacked in the background */
  constructor(parcels: SqliteParcels, packing: SqlitePacking, writes: GroupCommit, onEmpty: (vendor: string) => void) {
    this.#parcels = parcels;
    this.#packing = packing;
    this.#writes = writes;
    this.#onEmpty = onEmpty;
  }

  /** Asks no disk. */
  get mayBeNeeded(): boolean {
    return this.#parcels.mayBe;
  }

  get isNeeded(): boolean {
    return this.#parcels.edits > 0;
  }

  /** Unpacks what a vendor, or everybody, has now; what comes meanwhile is not waited for. */
  allOf(vendor: string | undefined): Promise<void> {
    return this.all(this.#parcels.of(vendor));
  }

  async all(parcels: readonly Parcel[]): Promise<void> {
    let some: Parcel[] = [];
    let edits = 0;
    for (const parcel of parcels) {
      some.push(parcel);
      edits += parcel.edits;
      if (edits < EDITS_AT_ONCE) continue;
      await this.#unpack(some);
      [some, edits] = [[], 0];
    }
    if (some.length > 0) await this.#unpack(some);
  }

  /** For whoever looks for a lane with work: of each lane that has nothing in line, what it takes. */
  async forLanes(hasLine: (lane: string) => boolean): Promise<void> {
    for (const lane of this.#parcels.lanes) {
      while (this.#parcels.editsIn(lane) > 0 && !hasLine(lane)) await this.#unpackNext(lane);
    }
  }

  /**
   * For whoever works off a lane: what hands made leaves before bulk, so that at each look as much of it is unpacked as may
   * leave; of bulk where there is less in line.
   */
  async forLook(lane: string, most: number, isInLine: () => boolean): Promise<void> {
    const next = this.#parcels.next(lane);
    if (next === undefined) return;
    const isMuch = this.#parcels.editsIn(lane) > EDITS_AT_ONCE;
    if (next.bulk === 0 || !isMuch || !isInLine()) await this.#unpackNext(lane, most);
  }

  /** Goes on in the background until there are no more. */
  inBackground(): void {
    this.#packedMeanwhile = true;
    if (this.mayBeNeeded) this.#after(FIRST_PAUSE_MS);
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  #after(milliseconds: number): void {
    if (this.#timer !== undefined || this.#ended) return;
    this.#timer = setTimeout(() => {
      void this.#step();
    }, milliseconds);
    // Nobody waits for it: what is left is unpacked by the next process.
    this.#timer.unref();
  }

  async #step(): Promise<void> {
    const began = performance.now();
    const isBusy = this.#packedMeanwhile;
    this.#packedMeanwhile = false;
    let pause = 0;
    let parcel: Parcel | undefined;
    try {
      parcel = this.#parcels.next();
      if (parcel !== undefined) await this.#unpackNext();
      if (isBusy) pause = this.#pausePerWork() * (performance.now() - began);
    } catch {
      // Whoever needs the parcel hears what is wrong.
      pause = FAILED_PAUSE_MS;
    }
    this.#timer = undefined;
    if (this.mayBeNeeded) this.#after(pause);
    else if (parcel !== undefined) this.#onEmpty(parcel.vendor);
  }

  /** None where there is no room for more: what comes is then unpacked at the pace at which it comes. */
  #pausePerWork(): number {
    return PAUSE_PER_WORK * (1 - this.#parcels.fullness);
  }

  /** @param lane default: any @param least of edits, where there are as many */
  #unpackNext(lane?: string, least = EDITS_AT_ONCE): Promise<void> {
    return this.#writes.run(() => {
      let edits = 0;
      for (let next = this.#parcels.next(lane); next !== undefined; next = this.#parcels.next(lane)) {
        if (edits >= least || (edits > 0 && edits + next.edits > EDITS_AT_ONCE)) return;
        this.#packing.unpack(next);
        edits += next.edits;
      }
    });
  }

  #unpack(parcels: readonly Parcel[]): Promise<void> {
    return this.#writes.run(() => {
      for (const parcel of parcels) this.#packing.unpack(parcel);
    });
  }
}
