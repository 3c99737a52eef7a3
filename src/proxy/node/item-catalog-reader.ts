import { open } from 'node:fs/promises';
import { fieldErrors } from '../../contract/validation-errors.js';
import { itemsPage, type ItemsPage } from '../../contract/host-items.js';
import type { CatalogItem } from '../../contract/widget.js';
import { readText } from '../runtime/read-body.js';
import { parseUntrustedJson } from '../runtime/untrusted-json.js';
import type { CatalogPage } from '../access/item-catalog.js';
import { stripByteOrderMark } from './config/env-reader.js';
import { VENDOR_PLACEHOLDER, type CatalogLocation } from './config/proxy-config.js';
import { describeUnreachable } from './portal-fetch.js';

/** A catalog beyond these limits is more likely a mistake than a vendor's real one. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_ITEMS = 50_000;
const MAX_PAGES = 1_000;
const TIMEOUT_MS = 10_000;

/** The catalog cannot be used. The message is for the operator, and quotes nothing of the source. */
export class InvalidCatalog extends Error {
  override readonly name = 'InvalidCatalog';
}

/**
 * Reads one vendor's catalog, as a whole or not at all.
 *
 * @param version version of the known catalog: times, inode and size of a file, or the ETag of a URL (RFC 9110 section 8.8.3)
 * @returns `undefined` if the source still has that version
 * @throws {InvalidCatalog} or the error of the file system
 */
export async function readCatalog(
  { kind, location, header }: CatalogLocation,
  vendor: string,
  version: string | undefined,
  call: typeof fetch = fetch,
): Promise<CatalogPage | undefined> {
  // Percent-encoding keeps the name of a vendor from changing the path, except for these two names.
  if (vendor === '.' || vendor === '..') throw new InvalidCatalog('a vendor of this name cannot have a list');
  const address = location.replaceAll(VENDOR_PLACEHOLDER, encodeURIComponent(vendor));
  if (kind === 'file') return readListFile(address, version);
  try {
    return await readUrl(new URL(address), header, version, call);
  } catch (error) {
    // fetch has one message for every network error, so the message comes from the innermost cause.
    throw error instanceof InvalidCatalog ? error : new InvalidCatalog(describeUnreachable(error), { cause: error });
  }
}

async function readListFile(path: string, version: string | undefined): Promise<CatalogPage | undefined> {
  const file = await open(path);
  try {
    const { mtimeMs, ctimeMs, ino, size } = await file.stat();
    // A program that copies or unpacks a file may set its mtime to that of the file before, but it cannot set the ctime.
    const foundVersion = [mtimeMs, ctimeMs, ino, size].join(' ');
    if (foundVersion === version) return undefined;
    if (size > MAX_BYTES) throw new InvalidCatalog(`the list has more than ${String(MAX_BYTES)} bytes`);
    const { inventory, next } = parsePage(stripByteOrderMark(await file.readFile('utf8')));
    if (typeof next === 'string') throw new InvalidCatalog('a file has no next page');
    return { items: toCatalogItems(inventory), version: foundVersion };
  } finally {
    await file.close();
  }
}

async function readUrl(
  url: URL,
  header: CatalogLocation['header'],
  version: string | undefined,
  call: typeof fetch,
): Promise<CatalogPage | undefined> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const inventory: ItemsPage['inventory'] = [];
  let bytesLeft = MAX_BYTES;
  let etag: string | undefined;
  let cursor: string | undefined;
  for (let pages = 0; pages === 0 || cursor !== undefined; pages += 1) {
    if (pages === MAX_PAGES) throw new InvalidCatalog(`the list has more than ${String(MAX_PAGES)} pages`);
    if (cursor !== undefined) url.searchParams.set('cursor', cursor);
    const headers = {
      Accept: 'application/json',
      ...(header && { [header.name]: header.value.reveal() }),
      ...(pages === 0 && version !== undefined && { 'If-None-Match': version }),
    };
    const response = await call(url, { headers, redirect: 'manual', signal });
    if (response.status === 304 && 'If-None-Match' in headers) return undefined;
    if (response.status !== 200) throw new InvalidCatalog(`the source answered ${String(response.status)}`);
    const text = await readText(response.body, bytesLeft);
    bytesLeft -= text.length;
    const page = parsePage(text);
    inventory.push(...page.inventory);
    if (typeof page.next === 'string' && page.next === cursor)
      throw new InvalidCatalog('a page names itself as the next');
    cursor = page.next ?? undefined;
    // The ETag of the first page does not cover the others, so a catalog of several pages has no version.
    etag = pages === 0 && cursor === undefined ? (response.headers.get('ETag') ?? undefined) : undefined;
  }
  return { items: toCatalogItems(inventory), version: etag };
}

function parsePage(text: string): ItemsPage {
  const json = parseUntrustedJson(text);
  if (json === undefined) throw new InvalidCatalog('the list is not JSON, or nested too deep');
  // Counted before validation, because a long list of entries of the wrong type would give one error for each entry.
  if (countItems(json) > MAX_ITEMS) throw tooManyItems();
  const page = itemsPage.safeParse(json);
  if (page.success) return page.data;
  const [first] = fieldErrors(page.error);
  throw new InvalidCatalog(`the list is of another shape, at ${first?.pointer ?? ''}: ${first?.message ?? ''}`);
}

function countItems(json: unknown): number {
  const inventory = typeof json === 'object' && json !== null && 'inventory' in json ? json.inventory : json;
  return Array.isArray(inventory) ? inventory.length : 0;
}

function tooManyItems(): InvalidCatalog {
  return new InvalidCatalog(`the list has more than ${String(MAX_ITEMS)} items`);
}

function toCatalogItems(inventory: ItemsPage['inventory']): CatalogItem[] {
  if (inventory.length > MAX_ITEMS) throw tooManyItems();
  return inventory.map(({ id, available, updated_at, label, group }) => ({
    id,
    ...(typeof available === 'boolean' && { available }),
    ...(typeof updated_at === 'string' && { updated_at }),
    ...(typeof label === 'string' && { label }),
    ...(typeof group === 'string' && { group }),
  }));
}
