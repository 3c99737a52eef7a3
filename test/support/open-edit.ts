import type { ItemId, Timestamp } from '../../src/domain/item.js';
import type { OpenEdit } from '../../src/proxy/outbox/outbox.js';

/** An edit of the vendor `boat-tours` whose first attempt has just begun. */
export function openEdit(id: string, updated_at = '2026-11-21T08:30:00.000Z'): OpenEdit {
  return {
    id: id as ItemId,
    available: true,
    updated_at: updated_at as Timestamp,
    seq: 1,
    vendor: 'boat-tours',
    attempts: 1,
    isResend: false,
    followsUncertain: false,
  };
}
