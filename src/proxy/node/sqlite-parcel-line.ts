/** A batch that is not unpacked yet, without what is in it. */
export interface Parcel {
  /** Of its row. Given again once that is gone, so that a name of the past may lead to a parcel that never had it. */
  readonly id: number;
  readonly vendor: string;
  readonly lane: string;
  readonly bulk: 0 | 1;
  /** How many. */
  readonly edits: number;
  /** Of its row, in UTF-16 code units or in bytes of UTF-8. */
  readonly size: number;
  readonly acceptedAt: number;
}

/** The parcels of some vendors, each vendor's in the order of acceptance. */
class Turns {
  readonly #vendors = new Map<string, Map<number, Parcel>>();

  get isEmpty(): boolean {
    return this.#vendors.size === 0;
  }

  add(parcel: Parcel): void {
    const own = this.#vendors.get(parcel.vendor);
    if (own === undefined) this.#vendors.set(parcel.vendor, new Map([[parcel.id, parcel]]));
    else own.set(parcel.id, parcel);
  }

  remove({ id, vendor }: Parcel): void {
    const own = this.#vendors.get(vendor);
    if (own === undefined) return;
    own.delete(id);
    this.#vendors.delete(vendor);
    // At the end: the others have their turn first.
    if (own.size > 0) this.#vendors.set(vendor, own);
  }

  next(): Parcel | undefined {
    const own = this.#vendors.values().next().value;
    return own?.values().next().value;
  }

  of(vendor: string): Parcel[] {
    return [...(this.#vendors.get(vendor)?.values() ?? [])];
  }
}

/** What hands made, and bulk (`sending-order.ts`). */
interface Lane {
  readonly kinds: readonly [Turns, Turns];
  edits: number;
}

/** Parcels in the order in which they are unpacked: lane by lane what hands made before bulk, and the vendors in turn. */
export class ParcelLine {
  readonly #lanes = new Map<string, Lane>();
  readonly #byId = new Map<number, Parcel>();
  #edits = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get edits(): number {
    return this.#edits;
  }

  get parcels(): number {
    return this.#byId.size;
  }

  get lanes(): Iterable<string> {
    return this.#lanes.keys();
  }

  /** The one that was accepted first, as far as ids tell. */
  get oldest(): Parcel | undefined {
    return this.#byId.values().next().value;
  }

  editsIn(lane: string): number {
    return this.#lanes.get(lane)?.edits ?? 0;
  }

  has(id: number): boolean {
    return this.#byId.has(id);
  }

  get(id: number): Parcel | undefined {
    return this.#byId.get(id);
  }

  all(): Parcel[] {
    return [...this.#byId.values()];
  }

  of(vendor: string): Parcel[] {
    return [...this.#lanes.values()].flatMap(({ kinds }) => kinds.flatMap((turns) => turns.of(vendor)));
  }

  add(parcel: Parcel): void {
    const lane = this.#lanes.get(parcel.lane) ?? { kinds: [new Turns(), new Turns()], edits: 0 };
    this.#lanes.set(parcel.lane, lane);
    lane.kinds[parcel.bulk].add(parcel);
    lane.edits += parcel.edits;
    this.#byId.set(parcel.id, parcel);
    this.#edits += parcel.edits;
    this.#size += parcel.size;
  }

  remove(parcel: Parcel): void {
    const lane = this.#lanes.get(parcel.lane);
    if (lane === undefined || !this.#byId.delete(parcel.id)) return;
    lane.kinds[parcel.bulk].remove(parcel);
    lane.edits -= parcel.edits;
    this.#edits -= parcel.edits;
    this.#size -= parcel.size;
    this.#lanes.delete(parcel.lane);
    if (lane.edits > 0) this.#lanes.set(parcel.lane, lane);
  }

  clear(): void {
    this.#lanes.clear();
    this.#byId.clear();
    this.#edits = 0;
    this.#size = 0;
  }

  /** @param wanted default: the lane whose turn it is, and one with what hands made if there is one */
  next(wanted?: string): Parcel | undefined {
    const lanes = wanted === undefined ? [...this.#lanes.values()] : [this.#lanes.get(wanted)];
    for (const bulk of [0, 1] as const) {
      for (const lane of lanes) if (lane?.kinds[bulk].isEmpty === false) return lane.kinds[bulk].next();
    }
    return undefined;
  }
}
