import type { Truth } from '../../domain/edit-state.js';
import { TRUTH_PATHS } from './truth-paths.js';

/** The four truths, a wish that is not saved yet, and a value that no edit stands behind. */
export type RowSign = Truth | 'changed' | 'given' | 'unset';

/** Path data on a 16 px grid: shapes that differ without colour, and one attribute to write when a row is recycled. */
export const SIGN_PATHS: Readonly<Record<RowSign, string>> = {
  ...TRUTH_PATHS,
  changed: 'M3 13l.6-2.8L11 2.8l2.2 2.2-7.4 7.4ZM9.6 4.2l2.2 2.2',
  given: 'M8 7.9v.2M4 7.9v.2M12 7.9v.2',
  unset: 'M5.75 6a2.25 2.25 0 1 1 3.2 2.05c-.6.3-.95.75-.95 1.45M8 12v.01',
};
