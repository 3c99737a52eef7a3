import type { GroupCommit } from './sqlite-group-commit.js';
import type { SqlitePacking } from './sqlite-packing.js';
import type { Parcel, SqliteParcels } from './sqlite-parcels.js';

/** So few edits are unpacked for delivery at once, as soon as it looks; of more, what is in line leaves first. */
const FEW_EDITS = 2_000;
/** After a batch was answered: its caller, and whoever came with it, go first. */
const FIRST_PAUSE_MS = 5;
/** While batches keep coming, unpacking takes a tenth of the time. */
const PAUSE_PER_WORK = 9;
/** After the disk said no. */
const FAILED_PAUSE_MS = 1_000;

/**
 * When parcels are unpacked: before somebody needs to see what is in them, and else in the background, one after the
 * other. Each in a transaction of its own, so that others are served in between.
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

  async all(parcels: Iterable<Parcel>): Promise<void> {
    for (const parcel of parcels) await this.#unpack(parcel);
  }

  /** @param isIdle whether nothing that is unpacked could leave */
  async forDelivery(isIdle: () => boolean): Promise<void> {
    for (let parcel = this.#parcels.next(); parcel !== undefined; parcel = this.#parcels.next()) {
      if (this.#parcels.edits > FEW_EDITS && !isIdle()) return;
      await this.#unpack(parcel);
    }
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
    this.#packedMeanwhile = false;
    let pause = 0;
    let parcel: Parcel | undefined;
    try {
      parcel = this.#parcels.next();
      if (parcel !== undefined) await this.#unpack(parcel);
      if (this.#packedMeanwhile) pause = PAUSE_PER_WORK * (performance.now() - began);
    } catch {
      // Whoever needs the parcel hears what is wrong.
      pause = FAILED_PAUSE_MS;
    }
    this.#timer = undefined;
    if (this.mayBeNeeded) this.#after(pause);
    else if (parcel !== undefined) this.#onEmpty(parcel.vendor);
  }

  #unpack(parcel: Parcel): Promise<void> {
    return this.#writes.run(() => {
      this.#packing.unpack(parcel);
    });
  }
}
