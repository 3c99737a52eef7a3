import { css, html, type TemplateResult } from 'lit';
import type { Truth } from '../../domain/edit-state.js';

/** Path data on a 16 px grid. Four shapes that differ without colour: a phone, a tray, a check in a circle, a triangle. */
const TRUTH_PATHS: Readonly<Record<Truth, string>> = {
  'on-device':
    'M6 1.5h4a1.5 1.5 0 0 1 1.5 1.5v10a1.5 1.5 0 0 1-1.5 1.5h-4a1.5 1.5 0 0 1-1.5-1.5v-10a1.5 1.5 0 0 1 1.5-1.5M7 12.25h2',
  received: 'M8 1.75v6.5M5.25 5.75 8 8.5l2.75-2.75M2 9.5v3.25c0 .7.55 1.25 1.25 1.25h9.5c.7 0 1.25-.55 1.25-1.25V9.5',
  'on-portal': 'M8 1.75a6.25 6.25 0 1 1-.01 0M5.25 8.25l1.9 1.9 3.6-4.15',
  'needs-attention': 'M8 2 14.5 13.5h-13L8 2ZM8 6.5v3.25M8 11.75v.01',
};

/** The four delivery statuses, a draft, a value that comes from no edit, and no value. */
export type RowSign = Truth | 'changed' | 'given' | 'unset';

/** Path data on a 16 px grid: shapes that differ without colour, so that recycling a row writes one attribute. */
export const SIGN_PATHS: Readonly<Record<RowSign, string>> = {
  ...TRUTH_PATHS,
  changed: 'M3 13l.6-2.8L11 2.8l2.2 2.2-7.4 7.4ZM9.6 4.2l2.2 2.2',
  given: 'M8 7.9v.2M4 7.9v.2M12 7.9v.2',
  unset: 'M5.75 6a2.25 2.25 0 1 1 3.2 2.05c-.6.3-.95.75-.95 1.45M8 12v.01',
};

export function truthIcon(truth: Truth): TemplateResult {
  return html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d=${TRUTH_PATHS[truth]} /></svg>`;
}

export const iconStyles = css`
  svg {
    flex: none;
    inline-size: 16px;
    block-size: 16px;
    margin-block-start: 2px;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
`;
