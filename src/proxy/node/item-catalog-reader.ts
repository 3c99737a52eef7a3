import { open } from 'node:fs/promises';
import { fieldErrors } from '../../contract/validation-errors.js';
import { itemsPage, type ItemsPage } from '../../contract/host-items.js';
import type { KnownItem } from '../../contract/widget.js';
import { readText } from '../runtime/read-body.js';
import type { CatalogPage } from '../access/item-catalog.js';
import { stripByteOrderMark } from './config/env-reader.js';
import { VENDOR_PLACEHOLDER, type CatalogLocation } from './config/proxy-config.js';
import { describeUnreachable } from './portal-fetch.js';

/** One list may have this much; what is over it is a mistake sooner than a vendor. */
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_ITEMS = 50_000;
const MOST_PAGES = 1_000;
const TIMEOUT_MS = 10_000;

/** There is no list to take. The message is the operator's to read, and quotes nothing of the source. */
export class InvalidCatalog extends Error {
  override readonly name = 'ItemsRefused';
}

/**
 * Reads one vendor's list of items, whole or not at all.
 *
 * @param version of the list that is known: the file's times, place and size, or the ETag of a URL (RFC 9110 section 8.8.3)
 * @returns `undefined` where that is still what the source says
 * @throws {InvalidCatalog} or the error of the file system
 */
export async function readCatalog(
  { kind, location }: CatalogLocation,
  vendor: string,
  version: string | undefined,
  call: typeof fetch = fetch,
): Promise<CatalogPage | undefined> {
  // Percent-encoding keeps a vendor's name from being a path, but for these two.
  if (vendor === '.' || vendor === '..') throw new InvalidCatalog('a vendor of this name cannot have a list');
  const place = location.replaceAll(VENDOR_PLACEHOLDER, encodeURIComponent(vendor));
  if (kind === 'file') return readListFile(place, version);
  try {
    return await readUrl(new URL(place), version, call);
  } catch (error) {
    // What fetch says of it is the same for all that may be wrong.
    throw error instanceof InvalidCatalog ? error : new InvalidCatalog(describeUnreachable(error), { cause: error });
  }
}

async function readListFile(path: string, version: string | undefined): Promise<CatalogPage | undefined> {
  const file = await open(path);
  try {
    const { mtimeMs, ctimeMs, ino, size } = await file.stat();
    // What copies or unpacks a file may give it the time of the one before; nobody sets when it was put there.
    const found = [mtimeMs, ctimeMs, ino, size].join(' ');
    if (found === version) return undefined;
    if (size > MOST_BYTES) throw new InvalidCatalog(`the list has more than ${String(MOST_BYTES)} bytes`);
    const { inventory, next } = parsePage(stripByteOrderMark(await file.readFile('utf8')));
    if (typeof next === 'string') throw new InvalidCatalog('a file has no next page');
    return { items: knownItems(inventory), version: found };
  } finally {
    await file.close();
  }
}

async function readUrl(url: URL, version: string | undefined, call: typeof fetch): Promise<CatalogPage | undefined> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const inventory: ItemsPage['inventory'] = [];
  let room = MOST_BYTES;
  let etag: string | undefined;
  let cursor: string | undefined;
  for (let pages = 0; pages === 0 || cursor !== undefined; pages += 1) {
    if (pages === MOST_PAGES) throw new InvalidCatalog(`the list has more than ${String(MOST_PAGES)} pages`);
    if (cursor !== undefined) url.searchParams.set('cursor', cursor);
    const headers = {
      Accept: 'application/json',
      ...(pages === 0 && version !== undefined && { 'If-None-Match': version }),
    };
    const response = await call(url, { headers, redirect: 'manual', signal });
    if (response.status === 304 && headers['If-None-Match'] !== undefined) return undefined;
    if (response.status !== 200) throw new InvalidCatalog(`the source answered ${String(response.status)}`);
    const text = await readText(response.body, room);
    room -= text.length;
    const page = parsePage(text);
    inventory.push(...page.inventory);
    if (typeof page.next === 'string' && page.next === cursor)
      throw new InvalidCatalog('a page names itself as the next');
    cursor = page.next ?? undefined;
    // The tag of the first page says nothing of the others.
    etag = pages === 0 && cursor === undefined ? (response.headers.get('ETag') ?? undefined) : undefined;
  }
  return { items: knownItems(inventory), version: etag };
}

function parsePage(text: string): ItemsPage {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new InvalidCatalog('the list is not JSON');
  }
  const page = itemsPage.safeParse(json);
  if (page.success) return page.data;
  const [first] = fieldErrors(page.error);
  throw new InvalidCatalog(`the list is of another shape, at ${first?.pointer ?? ''}: ${first?.message ?? ''}`);
}

function knownItems(inventory: ItemsPage['inventory']): KnownItem[] {
  if (inventory.length > MOST_ITEMS) throw new InvalidCatalog(`the list has more than ${String(MOST_ITEMS)} items`);
  return inventory.map(({ id, available, updated_at, label, group }) => ({
    id,
    ...(typeof available === 'boolean' && { available }),
    ...(typeof updated_at === 'string' && { updated_at }),
    ...(typeof label === 'string' && { label }),
    ...(typeof group === 'string' && { group }),
  }));
}
