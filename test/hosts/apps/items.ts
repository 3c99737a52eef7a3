import type { HostItemInput } from 'vendor-inventory-widget';

/** The items of the host, as its backend would list them. */
export const ITEMS: readonly HostItemInput[] = [
  { id: 'kayak-tour-1', label: 'Kayak tour, one person', group: 'Boats', available: true },
  { id: 'kayak-tour-2', label: 'Kayak tour, two people', group: 'Boats', available: true },
  { id: 'room-sea', label: 'Room with a view of the sea', group: 'Guest house', available: true },
];

/** An item that the host adds later. */
export const SAUNA: HostItemInput = { id: 'sauna', label: 'Sauna', group: 'Guest house', available: true };
