import { css } from '../shared/stylesheet.js';

/* A page's reset beats :host, and the parts would fall out of their places: hence !important, on these places only. */
export const styles = css`
  :host {
    display: var(--inventory-toggle-display, inline-grid) !important;
    grid-template-columns: minmax(0, 1fr) auto auto !important;
    align-items: center !important;
    gap: 6px 12px !important;
    position: relative !important;
  }

  .switch {
    grid-area: 1 / 1 / 2 / -1;
  }

  .label {
    display: block;
    overflow-wrap: anywhere;
    font-weight: 550;
  }

  .value {
    grid-area: 1 / 3;
  }

  :host([density='compact']) > * {
    font-size: 14px;
  }

  :host([density='compact']) .value {
    padding-inline-end: 44px;
    font-size: 13px;
  }

  :host([density='compact']) .value::before,
  :host([density='compact']) .value::after {
    zoom: 0.8;
  }

  @media (pointer: fine) {
    :host([density='compact']) .value {
      min-block-size: 32px;
    }
  }
`;
