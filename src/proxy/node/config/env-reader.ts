import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { faultLines } from '../../../contract/validation-errors.js';
import { findAddressFault } from '../../runtime/address-rules.js';

/** A bad setting ends the start with this code: EX_CONFIG of sysexits.h. */
export const EXIT_CONFIG = 78;

export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings';

  /** One line for each fault, all of them. */
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads settings one by one and collects what is wrong with them, so that an operator sees every fault in one start.
 * An empty value counts as absent, because that is what an unset variable in a compose file looks like.
 */
export class EnvReader {
  readonly #environment: Environment;
  /** A setting may be asked for more than once. */
  readonly #faults = new Set<string>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  fault(message: string): void {
    this.#faults.add(message);
  }

  /** Without blanks around it: an env file may leave some, or the line breaks of another system. Some keep quotes, too. */
  optional(name: string): string | undefined {
    const value = this.verbatim(name)?.trim();
    const bare = /^(["'])(.*)\1$/s.exec(value ?? '')?.[2]?.trim();
    if (bare !== undefined) this.fault(`${name} is in quotes, and they count as part of it: leave them out`);
    return (bare ?? value) || undefined;
  }

  /** Unchanged, every letter: a secret may have any. */
  verbatim(name: string): string | undefined {
    return this.#environment[name] || undefined;
  }

  /** The placeholder of a missing value never leaves this room: `finish` throws first. */
  required(name: string, meaning: string): string {
    const value = this.optional(name);
    if (value === undefined) this.fault(`${name} is missing: ${meaning}`);
    return value ?? '';
  }

  /** @param why the limits are what they are, where that is no matter of course */
  integer(name: string, fallback: number, min: number, max: number, why?: string): number {
    const value = this.optional(name);
    if (value === undefined) return fallback;
    const number = /^\d{1,12}$/.test(value) ? Number(value) : NaN;
    if (number >= min && number <= max) return number;
    const range = `${name} must be a whole number from ${String(min)} to ${String(max)}`;
    this.fault(why === undefined ? range : `${range}: ${why}`);
    return fallback;
  }

  oneOf<const T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const value = this.optional(name);
    if (value === undefined) return fallback;
    const found = choices.find((choice) => choice === value);
    if (found === undefined) this.fault(`${name} must be one of ${choices.join(', ')}`);
    return found ?? fallback;
  }

  /** An absolute https URL without user, query or fragment; plain http on loopback only. */
  url(name: string, text: string): URL | undefined {
    const fault = findAddressFault(text, { mayBePlain: false });
    if (fault === undefined) return new URL(text);
    this.fault(`${name} ${fault}`);
    return undefined;
  }

  /** Contents of a file without a byte order mark and without trailing line breaks. */
  file(name: string, path: string): string | undefined {
    return this.#read(path, (why) => `${name} cannot be read: ${path}: ${why}`);
  }

  /** The same of a file with secrets. Its path is never printed: one may have been pasted in its place. */
  secretFile(name: string, path: string): string | undefined {
    return this.#read(path, (why) => `${name} cannot be read: ${why}. It must be the path of a text file`);
  }

  /** A folder whose files are read later on, all of them. */
  folder(name: string, path: string): string {
    try {
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) expectReadable(path);
      else this.fault(`${name} cannot be read: ${path} is no folder`);
    } catch (error) {
      // A file of it, perhaps.
      const where = error instanceof Error && 'path' in error ? String(error.path) : path;
      this.fault(`${name} cannot be read: ${where}: ${whyUnreadable(error)}`);
    }
    return path;
  }

  json<T>(name: string, text: string, schema: z.core.$ZodType<T>): T | undefined {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      this.fault(text.trim() === '' ? `${name} is empty` : `${name} is not JSON${placeOf(error)}: ${JSON_RULES}`);
      return undefined;
    }
    const parsed = z.safeParse(schema, value);
    if (parsed.success) return parsed.data;
    for (const line of faultLines(name, parsed.error)) this.fault(line);
    return undefined;
  }

  /** @throws {InvalidSettings} when anything was wrong */
  finish(): void {
    if (this.#faults.size > 0) throw new InvalidSettings([...this.#faults]);
  }

  #read(path: string, faultOf: (why: string) => string): string | undefined {
    try {
      const bytes = readFileSync(path);
      // A mark of another encoding, or the zeros of one, would become letters of a secret.
      if (isUtf8(bytes) && !bytes.includes(0)) return stripByteOrderMark(bytes.toString()).replace(/[\r\n]+$/, '');
      this.fault(faultOf('it is saved in another encoding than UTF-8'));
      return undefined;
    } catch (error) {
      this.fault(faultOf(whyUnreadable(error)));
      return undefined;
    }
  }
}

const JSON_RULES = 'names and texts stand in double quotes; no comments, and no comma before } or ]';

/** Of the words of the parser only these: it quotes what it read, and a secret may stand there. */
function placeOf(error: unknown): string {
  const place = /\(line \d+ column \d+\)/.exec(String(error))?.[0];
  return place === undefined ? '' : ` ${place}`;
}

/** Some editors put a mark in front of all that they save as UTF-8. It is invisible, and no part of what they wrote. */
export function stripByteOrderMark(text: string): string {
  return text.replace(/^\ufeff/, '');
}

/** @throws the first error of the system */
function expectReadable(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) closeSync(openSync(join(entry.parentPath, entry.name), 'r'));
  }
}

/** In words of ours: those of Node quote the path. */
function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return `${WHY_UNREADABLE.get(code) ?? 'the system refuses it'} (${code})`;
}

const WHY_UNREADABLE: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'there is no such file'],
  ['ENAMETOOLONG', 'no file has so long a name'],
  ['ELOOP', 'its links go round in a circle'],
  ['ERR_INVALID_ARG_VALUE', 'no file has such a name'],
  ['EACCES', 'this user may not read it'],
  ['EPERM', 'this user may not read it'],
  ['EISDIR', 'it is a folder'],
]);
