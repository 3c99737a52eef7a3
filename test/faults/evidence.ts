import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the setting files: the only place where a secret is allowed. */
const SECRETS = 'secrets';

/**
 * The files of a run in one folder: logs, responses and databases, and the secrets that none of them may contain (F15).
 * Short-lived secrets such as tokens are included.
 */
export class Evidence {
  readonly folder: string;
  readonly #canaries = new Map<string, string>();
  readonly #last: (() => Promise<void>)[] = [];

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(join(folder, SECRETS), { recursive: true });
  }

  /** A path for something that the run writes. */
  path(name: string): string {
    return join(this.folder, name);
  }

  /** A path for a setting that is a secret. */
  secretPath(name: string): string {
    return join(this.folder, SECRETS, name);
  }

  note(file: string, text: string | Uint8Array): void {
    appendFileSync(this.path(file), text);
  }

  /** Adds a note that is written at the end of the run, before the processes are stopped. */
  noteAtEnd(note: () => Promise<void>): void {
    this.#last.push(note);
  }

  async noteLast(): Promise<void> {
    for (const note of this.#last.splice(0)) await note();
  }

  mustNotAppear(name: string, secret: string): void {
    this.#canaries.set(secret, name);
  }

  /** @returns a sentence for each file that contains a secret, in plain text or in base64 at any alignment */
  findSecrets(): string[] {
    const needles = [...this.#canaries].flatMap(([secret, name]) =>
      spellingsOf(secret).map((text) => ({ name, text })),
    );
    const find = finderOf(needles);
    return readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(join(this.folder, SECRETS)))
      .flatMap((entry) => {
        const path = join(entry.parentPath, entry.name);
        const where = path.slice(this.folder.length + 1);
        return find(readFileSync(path)).map(({ name }) => `${name} is in ${where}`);
      });
  }

  get canaries(): number {
    return this.#canaries.size;
  }
}

/** The plain text, and its base64 encodings at any alignment among other bytes. */
function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const shifted = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and the last character may contain bits of neighbouring bytes.
    return text.slice(Math.ceil((before * 8) / 6), (before + bytes.length) % 3 === 0 ? text.length : -1);
  });
  const url = shifted.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([secret, ...shifted, ...url])];
}

interface Needle {
  readonly name: string;
  readonly text: string;
}

const WINDOW = 8;

/** Searches for thousands of texts in one pass (Rabin-Karp), because a run issues a token for nearly every fault. */
function finderOf(needles: readonly Needle[]): (content: Buffer) => Needle[] {
  const byStart = new Map<number, (Needle & { readonly bytes: Buffer })[]>();
  for (const needle of needles) {
    const bytes = Buffer.from(needle.text, 'latin1');
    if (bytes.length < WINDOW) throw new Error(`${needle.name} is too short to search for`);
    let hash = 0;
    for (const byte of bytes.subarray(0, WINDOW)) hash = (Math.imul(hash, 31) + byte) | 0;
    byStart.set(hash, [...(byStart.get(hash) ?? []), { ...needle, bytes }]);
  }
  const mayStart = new Uint8Array(2 ** 16);
  for (const hash of byStart.keys()) mayStart[hash & 0xffff] = 1;
  // 31 to the power of the window, in 32 bits.
  const leaving = Array.from({ length: WINDOW }).reduce<number>((power) => Math.imul(power, 31), 1);

  return (content) => {
    const found = new Set<Needle>();
    let hash = 0;
    for (let at = 0; at < content.length; at += 1) {
      hash = (Math.imul(hash, 31) + (content[at] ?? 0)) | 0;
      if (at >= WINDOW) hash = (hash - Math.imul(leaving, content[at - WINDOW] ?? 0)) | 0;
      if (mayStart[hash & 0xffff] === 0) continue;
      const start = at - WINDOW + 1;
      for (const needle of byStart.get(hash) ?? []) {
        if (content.subarray(start, start + needle.bytes.length).equals(needle.bytes)) found.add(needle);
      }
    }
    return [...found];
  };
}
