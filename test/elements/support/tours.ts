import { BOAT, CABIN, KAYAK } from '../../client/support/items.js';

/** Three items in a host's list, all of them available. */
export const TOURS = [
  { id: KAYAK, label: 'Kayak tour', available: true },
  { id: BOAT, label: 'Boat tour', available: true },
  { id: CABIN, label: 'Cabin', available: true },
];

export const BOAT_CLOSED = TOURS.map((item) => (item.id === BOAT ? { ...item, available: false } : item));

/** The boat has no value. */
export const BOAT_UNSET = [
  { id: KAYAK, label: 'Kayak tour', available: true },
  { id: BOAT, label: 'Boat tour' },
  { id: CABIN, label: 'Cabin', available: true },
];
