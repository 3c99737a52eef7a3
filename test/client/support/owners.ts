import { newEditId } from '../../../src/client/storage/edit-id.js';
import { toOwner, createProvisionalOwner } from '../../../src/client/storage/queue-owner.js';

/** Owners at a proxy of this test alone: a tab that does not know its person, and two people of one vendor. */
export function ownersAtNewProxy(): Readonly<Record<'tab' | 'anna' | 'ben', string>> {
  const proxy = `https://${crypto.randomUUID()}.proxy.test/`;
  return {
    tab: createProvisionalOwner(proxy, newEditId),
    anna: toOwner(proxy, { vendor: 'harbour-tours', subject: 'anna' }),
    ben: toOwner(proxy, { vendor: 'harbour-tours', subject: 'ben' }),
  };
}
