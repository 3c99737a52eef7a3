import { idsOf, type Edit } from '../../domain/edit.js';
import { toTimestamp } from '../../domain/item.js';
import type { EditBatch, Receipt } from '../../contract/widget.js';
import { newEditId } from '../storage/edit-id.js';
import type { OwnedEdit, ProxyClient } from './proxy-client.js';
import { ProxyFailure } from './proxy-failure.js';

/** What the page says to the proxy about edits. Loaded when there are rows: nobody has an edit to send before. */
export interface EditCalls {
  /** Hints that something changed, as server-sent events, until the session ends. @param last id of the last one heard */
  events(last: string | undefined, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
  /** Resolves once the proxy's disk has all of them. Edits of anybody but the person who is signed in are never sent. */
  send(edits: readonly OwnedEdit[], keepalive?: boolean): Promise<Receipt[]>;
  receipts(edits: readonly Pick<Edit, 'edit_id'>[]): Promise<Receipt[]>;
}

export function editCalls({ ask, open }: Pick<ProxyClient, 'ask' | 'open'>): EditCalls {
  return {
    async events(last, signal) {
      // EventSource could not send the token.
      const headers = { Accept: 'text/event-stream', ...(last !== undefined && { 'Last-Event-ID': last }) };
      const { body, headers: told } = await open('v1/events', { headers, signal });
      // A page instead, of somebody between us, ends at once and would be asked for again at once.
      if (body !== null && told.get('Content-Type')?.startsWith('text/event')) return body;
      throw new ProxyFailure('unreadable');
    },
    send(edits, keepalive = false) {
      const body: EditBatch = {
        // In the order that the proxy digests them in; JSON leaves out what is not there.
        inventory: edits.map(({ id, available, updated_at, base, edit_id, label }) => ({
          id,
          available,
          updated_at,
          base,
          edit_id,
          label,
        })),
        sent_at: toTimestamp(Date.now()),
      };
      // The edit ids make a repeated batch harmless; the key only has to be new.
      const headers = { 'Idempotency-Key': newEditId() };
      const sent = { method: 'POST', json: body, headers, keepalive } as const;
      return ask('v1/inventory', sent, edits);
    },
    receipts(edits) {
      return ask('v1/receipts', { query: { ids: idsOf(edits).join() } });
    },
  };
}
