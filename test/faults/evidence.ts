import { appendFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folder of the setting files: the one place where a secret may lie. */
const SECRETS = 'secrets';

/**
 * What a run leaves behind: logs, answers and databases, in one folder, and the secrets that may be in none of them (F15).
 * A secret that came and went is known here too, as tokens do.
 */
export class Evidence {
  readonly folder: string;
  readonly #canaries = new Map<string, string>();

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

  mustNotAppear(name: string, secret: string): void {
    this.#canaries.set(secret, name);
  }

  /** @returns where a secret was found, plain or in base64, among other words or not, as sentences */
  findSecrets(): string[] {
    const needles = [...this.#canaries].flatMap(([secret, name]) =>
      spellingsOf(secret).map((text) => ({ name, text })),
    );
    return readdirSync(this.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(join(this.folder, SECRETS)))
      .flatMap((entry) => {
        const path = join(entry.parentPath, entry.name);
        const content = readFileSync(path, 'latin1');
        return needles
          .filter(({ text }) => content.includes(text))
          .map(({ name }) => `${name} is in ${path.slice(this.folder.length + 1)}`);
      });
  }

  get canaries(): number {
    return this.#canaries.size;
  }
}

/** Plain, and what is left of it in base64 wherever it stands among other bytes. */
function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const shifted = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The first and the last letter may hold bits of its neighbours.
    return text.slice(Math.ceil((before * 8) / 6), (before + bytes.length) % 3 === 0 ? text.length : -1);
  });
  const url = shifted.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([secret, ...shifted, ...url])];
}
