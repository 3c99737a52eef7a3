import type { EditorStore } from './editor-types.js';
import { isProvisional } from '../storage/queue-owner.js';
import type { Wish } from '../store/create-edits.js';

/** Edits that go to the browser's disk together. */
const CHUNK = 1_000;

type Store = Pick<EditorStore, 'mayEdit' | 'view' | 'setSome' | 'snapshot'>;

/**
 * Takes many wishes, and leaves out what an item is already. Resolves when storage has answered; whoever leaves the page
 * before is asked, because what is still to be taken is nowhere but here.
 */
export async function setMany(store: Store, wishes: Iterable<Wish>): Promise<void> {
  const done = new AbortController();
  addEventListener('beforeunload', (event) => void event.preventDefault(), { signal: done.signal });
  await takeAll(store, wishes).finally(() => void done.abort());
}

async function takeAll(store: Store, wishes: Iterable<Wish>): Promise<void> {
  const { owner } = store.snapshot;
  let chunk: Wish[] = [];
  const began = Date.now();
  let overruledFrom = Infinity;
  for (const wish of wishes) {
    // Between two chunks somebody may have signed out.
    if (!store.mayEdit(wish.id) || isSo(store, wish) || isWishedSince(store, wish, overruledFrom)) continue;
    chunk.push(wish);
    if (chunk.length < CHUNK) continue;
    await store.setSome(chunk);
    // It was not their wish.
    if (!isProvisional(owner) && store.snapshot.owner !== owner) return;
    // While they are written a person may wish something else.
    overruledFrom = began;
    chunk = [];
  }
  if (chunk.length > 0) await store.setSome(chunk);
}

/** The portal has what is wished, and nothing of it is on its way. That the host's page says so is no reason to send nothing. */
function isSo(store: Store, { id, available }: Wish): boolean {
  const { available: known, truth, writing } = store.view(id);
  return known === available && writing !== true && truth === 'on-portal';
}

/** @param moment in milliseconds since the epoch, by this device's clock */
function isWishedSince(store: Store, { id }: Wish, moment: number): boolean {
  const { truth, writing, updated_at = '' } = store.view(id);
  return (writing === true || truth === 'on-device') && Date.parse(updated_at) >= moment;
}
