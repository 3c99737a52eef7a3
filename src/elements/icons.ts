import { html, svg, type TemplateResult } from 'lit/html.js';
import type { Truth } from '../domain/truth.js';
import { css } from './stylesheet.js';

/** Drawn on a 16 px grid. Four shapes that differ without colour: a phone, a tray, a check in a circle, a triangle. */
const SHAPES: Readonly<Record<Truth, TemplateResult<2>>> = {
  'on-device': svg`<rect x="4.5" y="1.5" width="7" height="13" rx="1.5" /><path d="M7 12.25h2" />`,
  received: svg`<path d="M8 1.75v6.5M5.25 5.75 8 8.5l2.75-2.75M2 9.5v3.25c0 .7.55 1.25 1.25 1.25h9.5c.7 0 1.25-.55 1.25-1.25V9.5" />`,
  'on-portal': svg`<circle cx="8" cy="8" r="6.25" /><path d="m5.25 8.25 1.9 1.9 3.6-4.15" />`,
  'needs-attention': svg`<path d="M8 2 14.5 13.5h-13L8 2ZM8 6.5v3.25M8 11.75v.01" />`,
};

export function truthIcon(truth: Truth): TemplateResult {
  return html`<svg viewBox="0 0 16 16" aria-hidden="true">${SHAPES[truth]}</svg>`;
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
