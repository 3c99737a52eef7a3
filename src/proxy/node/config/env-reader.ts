import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { faultLines } from '../../../contract/validation-errors.js';
import { findAddressFault } from '../../runtime/address-rules.js';

/** Exit code after an invalid setting: EX_CONFIG of sysexits.h. */
export const EXIT_CONFIG = 78;

export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings';

  /** One line for each fault. */
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
  /** A set, because a setting may be read more than once. */
  readonly #faults = new Set<string>();

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  fault(message: string): void {
    this.#faults.add(message);
  }

  /** The value without surrounding white space, which an env file may leave, as it may leave quotes or CRLF line breaks. */
  optional(name: string): string | undefined {
    const value = this.verbatim(name)?.trim();
    const bare = /^(["'])(.*)\1$/s.exec(value ?? '')?.[2]?.trim();
    if (bare !== undefined) this.fault(`${name} is in quotes, and they count as part of it: leave them out`);
    return (bare ?? value) || undefined;
  }

  /** The unchanged value, because a secret may contain any character. */
  verbatim(name: string): string | undefined {
    return this.#environment[name] || undefined;
  }

  /** Returns an empty placeholder for a missing value. It is never used, because `finish` throws first. */
  required(name: string, meaning: string): string {
    const value = this.optional(name);
    if (value === undefined) this.fault(`${name} is missing: ${meaning}`);
    return value ?? '';
  }

  /** @param why reason for the limits, if it is not obvious */
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

  /** Accepts an absolute https URL without user, query or fragment; plain http only on loopback. */
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

  /** The same for a file with secrets. Its path is never printed, because a secret may have been pasted in its place. */
  secretFile(name: string, path: string): string | undefined {
    return this.#read(path, (why) => `${name} cannot be read: ${why}. It must be the path of a text file`);
  }

  /** A folder whose files are all read later. */
  folder(name: string, path: string): string {
    try {
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) expectReadable(path);
      else this.fault(`${name} cannot be read: ${path} is no folder`);
    } catch (error) {
      // The error may name a file in the folder.
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

  /** @throws {InvalidSettings} if any setting was invalid */
  finish(): void {
    if (this.#faults.size > 0) throw new InvalidSettings([...this.#faults]);
  }

  #read(path: string, faultOf: (why: string) => string): string | undefined {
    try {
      const bytes = readFileSync(path);
      // The byte order mark of another encoding, or its zero bytes, would become characters of a secret.
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

/**
 * The position of a JSON syntax error. The rest of the parser's message is not used: it quotes its input, which may be a
 * secret.
 */
function placeOf(error: unknown): string {
  const place = /\(line \d+ column \d+\)/.exec(String(error))?.[0];
  return place === undefined ? '' : ` ${place}`;
}

/** Some editors put a byte order mark in front of UTF-8 text. It is invisible and not part of the content. */
export function stripByteOrderMark(text: string): string {
  return text.replace(/^\ufeff/, '');
}

/** @throws the first error of the file system */
function expectReadable(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) closeSync(openSync(join(entry.parentPath, entry.name), 'r'));
  }
}

/** Describes the error by its code, because the messages of Node quote the path. */
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
