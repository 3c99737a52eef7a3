import type { Random } from './random.js';

/** A change of a file, with its position in the trace. */
export type DiskEvent = { readonly position: number; readonly name: string } & (
  | { readonly kind: 'create' | 'unlink' }
  | { readonly kind: 'write'; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly size: number }
  /** A sync that returned at `position`. It does not cover writes after `began`. */
  | { readonly kind: 'sync'; readonly began: number }
  /** As on Linux: data that a failed sync could not write is dropped, and no later sync tries again. */
  | { readonly kind: 'failed sync'; readonly began: number }
  | { readonly kind: 'sync folder'; readonly began: number }
);

type Change = Extract<DiskEvent, { kind: 'write' | 'truncate' }>;

interface Inode {
  readonly durable: Content;
  pending: Change[];
}

/** The file that a name refers to from a position on. */
interface Entry {
  readonly position: number;
  readonly inode: Inode | undefined;
}

/** How much of the unsynced data remains after a power cut. */
export const FATES = ['all', 'nothing', 'the first ones', 'some', 'some pages', 'some sectors'] as const;
export type Fate = (typeof FATES)[number];

/** The smallest part of a write that the disk stores atomically. */
const PIECE: Partial<Record<Fate, number>> = { 'some pages': 4096, 'some sectors': 512 };

/**
 * One folder on a disk whose power may fail. Synced data remains. Of later changes any subset may remain: each write,
 * or part of it, each created or removed name, in any combination, and a file may have grown without its content
 * (zeros).
 *
 * It promises less than file systems do (ext4 keeps the order of names), so what survives here survives there.
 */
export class SimulatedDisk {
  readonly #entries = new Map<string, Entry[]>();

  apply(event: DiskEvent): void {
    const inode = this.#inode(event.name);
    switch (event.kind) {
      case 'create':
        this.#entry(event.name).push({ position: event.position, inode: { durable: new Content(), pending: [] } });
        return;
      case 'unlink':
        this.#entry(event.name).push({ position: event.position, inode: undefined });
        return;
      case 'sync folder':
        for (const [name, entries] of this.#entries) {
          const later = entries.filter(({ position }) => position >= event.began);
          this.#entries.set(name, entries.slice(Math.max(entries.length - later.length - 1, 0)));
        }
        return;
      case 'sync':
        if (inode === undefined) return;
        for (const change of inode.pending) if (change.position < event.began) inode.durable.apply(change);
        inode.pending = inode.pending.filter(({ position }) => position >= event.began);
        return;
      case 'failed sync':
        if (inode !== undefined) inode.pending = inode.pending.filter(({ position }) => position >= event.began);
        return;
      case 'write':
      case 'truncate':
        inode?.pending.push(event);
    }
  }

  /** The unsynced changes of a file. */
  pendingIn(name: string): number {
    return this.#inode(name)?.pending.length ?? 0;
  }

  /** @returns a possible state after a power cut now, as content by name */
  cut(fate: Fate, random: Random): ReadonlyMap<string, Buffer> {
    const found = [...this.#entries].map(([name, entries]): [string, Buffer | undefined] => {
      const { inode } = fate === 'all' ? entries.at(-1)! : fate === 'nothing' ? entries[0]! : random.pick(entries);
      return [name, inode && remains(inode, fate, random)];
    });
    return new Map(found.filter((entry): entry is [string, Buffer] => entry[1] !== undefined));
  }

  #inode(name: string): Inode | undefined {
    return this.#entries.get(name)?.at(-1)?.inode;
  }

  #entry(name: string): Entry[] {
    const known = this.#entries.get(name);
    if (known !== undefined) return known;
    // An unknown name has referred to no file before.
    const entries = [{ position: -1, inode: undefined }];
    this.#entries.set(name, entries);
    return entries;
  }
}

function remains({ durable, pending }: Inode, fate: Fate, random: Random): Buffer {
  if (fate === 'nothing') return durable.bytes;
  const first = fate === 'the first ones' ? random.below(pending.length + 1) : pending.length;
  const kept = pending.slice(0, first).flatMap((change) => {
    if (fate === 'all' || fate === 'the first ones') return [change];
    return piecesOf(change, PIECE[fate] ?? Infinity).filter(() => random.below(2) === 0);
  });
  const content = new Content(durable.bytes);
  for (const change of kept) content.apply(change);
  const grown = pending.reduce((size, change) => (change.kind === 'write' ? Math.max(size, endOf(change)) : size), 0);
  if (fate.startsWith('some') && random.below(4) === 0) content.grow(grown);
  return content.bytes;
}

function piecesOf(change: Change, size: number): Change[] {
  if (change.kind === 'truncate' || size === Infinity) return [change];
  const pieces: Change[] = [];
  for (let at = change.at; at < endOf(change);) {
    const next = Math.min((Math.floor(at / size) + 1) * size, endOf(change));
    pieces.push({ ...change, at, bytes: change.bytes.subarray(at - change.at, next - change.at) });
    at = next;
  }
  return pieces;
}

function endOf({ at, bytes }: Extract<Change, { kind: 'write' }>): number {
  return at + bytes.length;
}

/** The bytes of a file, which are changed in place. */
class Content {
  #room: Buffer;
  #length: number;

  constructor(from: Uint8Array = new Uint8Array()) {
    this.#room = Buffer.from(from);
    this.#length = from.length;
  }

  get bytes(): Buffer {
    return this.#room.subarray(0, this.#length);
  }

  apply(change: Change): void {
    if (change.kind === 'write') {
      this.grow(endOf(change));
      change.bytes.copy(this.#room, change.at);
    } else {
      this.grow(change.size);
      this.#room.fill(0, change.size);
      this.#length = change.size;
    }
  }

  /** Extends the file with zeros. It never shrinks it. */
  grow(size: number): void {
    if (size <= this.#length) return;
    if (size > this.#room.length) this.#room = Buffer.concat([this.bytes], Math.max(size, this.#room.length * 2));
    this.#length = size;
  }
}
