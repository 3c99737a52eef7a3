import type { Truth } from '../../domain/edit-state.js';

/** Path data on a 16 px grid. Four shapes that differ without colour: a phone, a tray, a check in a circle, a triangle. */
export const TRUTH_PATHS: Readonly<Record<Truth, string>> = {
  'on-device':
    'M6 1.5h4a1.5 1.5 0 0 1 1.5 1.5v10a1.5 1.5 0 0 1-1.5 1.5h-4a1.5 1.5 0 0 1-1.5-1.5v-10a1.5 1.5 0 0 1 1.5-1.5M7 12.25h2',
  received: 'M8 1.75v6.5M5.25 5.75 8 8.5l2.75-2.75M2 9.5v3.25c0 .7.55 1.25 1.25 1.25h9.5c.7 0 1.25-.55 1.25-1.25V9.5',
  'on-portal': 'M8 1.75a6.25 6.25 0 1 1-.01 0M5.25 8.25l1.9 1.9 3.6-4.15',
  'needs-attention': 'M8 2 14.5 13.5h-13L8 2ZM8 6.5v3.25M8 11.75v.01',
};
