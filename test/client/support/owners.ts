import { newEditId } from '../../../src/client/storage/edit-id.js';
import { ownerOf, provisionalOwner } from '../../../src/client/storage/queue-owner.js';

/** Of rows behind a proxy that no other test knows: whom a tab has not learnt yet, and two people of one vendor. */
export function ownersAtNewProxy(): Readonly<Record<'tab' | 'anna' | 'ben', string>> {
  const proxy = `https://${crypto.randomUUID()}.proxy.test/`;
  return {
    tab: provisionalOwner(proxy, newEditId),
    anna: ownerOf(proxy, { vendor: 'harbour-tours', subject: 'anna' }),
    ben: ownerOf(proxy, { vendor: 'harbour-tours', subject: 'ben' }),
  };
}
