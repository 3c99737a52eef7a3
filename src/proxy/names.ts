/**
 * Two hashes of 32 bits for each name, one after the other, for this process alone. Two names may have the same: whoever
 * goes by them looks closer where they are.
 */
export type Names = Int32Array;

/** What a batch names: its items, its edits, and the key that it came under. Each kind has names of its own. */
export interface Named {
  readonly items?: readonly string[];
  readonly edits?: readonly string[];
  readonly key?: NamedKey | undefined;
}

export interface NamedKey {
  readonly vendor: string;
  readonly subject: string;
  readonly key: string;
}

/** In one place for all copies of this module that a process may have: what one has noted, another asks about. */
const SECRETS = Symbol.for('vendor-inventory-widget.names');
const shared = globalThis as { [SECRETS]?: Int32Array };
const OF_ITEM = 0x1b873593;
const OF_EDIT = 0x2545f491;
const OF_KEY = 0x3c6ef372;

export function namesOf({ items = [], edits = [], key }: Named): Names {
  const secrets = secretsOfProcess();
  const names = new Int32Array(2 * (items.length + edits.length + (key === undefined ? 0 : 1)));
  let at = 0;
  for (const item of items) at = hashInto(names, at, item, OF_ITEM, secrets);
  for (const edit of edits) at = hashInto(names, at, edit, OF_EDIT, secrets);
  if (key !== undefined) hashInto(names, at, nameOfKey(key), OF_KEY, secrets);
  return names;
}

/** Nobody can look for names that have the same: they would fill one corner of a table. */
function secretsOfProcess(): Int32Array {
  return (shared[SECRETS] ??= crypto.getRandomValues(new Int32Array(2)));
}

/** No part of it holds a line break: nobody's key is another's. */
function nameOfKey({ key, vendor, subject }: NamedKey): string {
  return `${key}\n${vendor}\n${subject}`;
}

/** FNV-1a from a secret start, and a walk with a secret factor; each mixed so that every bit counts (MurmurHash3, fmix32). */
function hashInto(names: Names, at: number, name: string, seed: number, [first = 0, second = 0]: Int32Array): number {
  let [one, other] = [first ^ seed, seed];
  const factor = second | 1;
  for (let index = 0; index < name.length; index += 1) {
    const unit = name.charCodeAt(index);
    one = Math.imul(one ^ unit, 0x01000193);
    other = Math.imul(other, factor) + unit;
  }
  names[at] = mixed(one);
  names[at + 1] = mixed(other ^ name.length);
  return at + 2;
}

function mixed(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}

/** Some of them. @param which counted from 0 */
export function someOf(names: Names, which: readonly number[]): Names {
  const some = new Int32Array(2 * which.length);
  which.forEach((nth, at) => {
    some[2 * at] = names[2 * nth] ?? 0;
    some[2 * at + 1] = names[2 * nth + 1] ?? 0;
  });
  return some;
}
