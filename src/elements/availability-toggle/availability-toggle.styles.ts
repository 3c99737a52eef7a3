import { css } from 'lit';

/* A page's reset beats :host, and the parts would fall out of their places: hence !important, on these places only. */
export const styles = css`
  :host {
    display: var(--inventory-toggle-display, inline-grid) !important;
    grid-template-columns: minmax(0, 1fr) auto auto !important;
    align-items: center !important;
    column-gap: 12px !important;
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

  .value,
  .widest {
    grid-area: 1 / 3;
  }

  /* The icon of a brief status has a place of its own, and the track stays where it is when that is more than an icon. */
  :host([density='compact'][item]) {
    grid-template-columns: minmax(0, 1fr) 16px auto !important;
  }

  :host([density='compact']) > * {
    font-size: 14px;
  }

  :host([density='compact']) .value,
  :host([density='compact']) .widest {
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

  .choices,
  .status {
    grid-column: 1 / -1;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    overflow-wrap: anywhere;
  }

  .choices {
    padding-block: 4px;
  }

  /* What it says never makes the toggle wider, which would move the switch: it has this width where there is room. */
  .status,
  .conflict {
    contain: inline-size;
    contain-intrinsic-inline-size: 260px;
  }

  .pill {
    min-block-size: 44px;
    padding: 4px 16px;
    border: 1px solid var(--_track-off);
    border-radius: 99px;
    background: var(--_surface);
    font-size: 14px;
  }

  .pill:hover:not(:disabled, [aria-disabled]) {
    filter: brightness(0.94);
  }

  .pill:disabled,
  .pill[aria-disabled] {
    opacity: 0.6;
    cursor: not-allowed;
  }

  .status {
    flex: 1 0 100%;
    gap: 2px 12px;
    min-block-size: 28px;
    padding-block-start: 6px;
    color: var(--_text-soft);
    font-size: 14px;
  }

  #status {
    display: inline-flex;
    gap: 6px;
    vertical-align: top;
  }

  .line {
    flex: 1 1 180px;
    margin-block-end: 4px;
    text-wrap: pretty;
  }

  time {
    color: var(--_text-soft);
  }

  [data-truth='on-device'] {
    color: var(--_device);
  }

  [data-truth='received'] {
    color: var(--_received);
  }

  [data-truth='on-portal'] {
    color: var(--_portal);
  }

  [data-truth='needs-attention'],
  [data-truth='problem'] {
    color: var(--_attention);
  }

  :host(:state(unknown)) {
    display: flex !important;
    flex-wrap: wrap !important;
  }

  :host(:state(unknown)) .label {
    flex: 1 1 130px;
  }

  :host(:state(unknown)) .status,
  :host([density='compact']) .status {
    contain-intrinsic-inline-size: none;
  }

  :host([density='compact']) .status {
    font-size: 13px;
  }

  :host([density='compact']) .brief {
    grid-area: 1 / 2;
    min-block-size: 0;
    padding: 0;
  }

  .live-region,
  :host([density='compact']) .brief #status > span,
  :host([density='compact']) .brief time {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  @media (forced-colors: active) {
    .pill:disabled {
      opacity: 1;
    }
  }

  @media (pointer: fine) {
    :host([density='compact']) .pill:not(.choice) {
      min-block-size: 32px;
      padding-block: 2px;
    }
  }

  .conflict {
    grid-column: 1 / -1;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    padding-block: 8px 6px;
    color: var(--_text);
    overflow-wrap: anywhere;
  }

  .conflict dl {
    flex: 1 0 100%;
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 2px 12px;
    margin: 0;
    font-size: 15px;
  }

  .conflict [role='status'] {
    flex: 1 0 100%;
    color: var(--_attention);
  }

  /* It exists before it has a text, without taking space. */
  .conflict [role='status']:empty {
    position: absolute;
  }

  .conflict dt {
    color: var(--_text-soft);
  }

  .conflict dd {
    margin: 0;
  }

  dialog {
    inline-size: min(400px, calc(100% - 32px));
    padding: 20px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_text);
  }

  /* Moved within the page, it stays open without being modal. */
  dialog:not(:modal) {
    display: none;
  }

  dialog::backdrop {
    background: rgb(0 0 0 / 45%);
  }

  dialog p {
    margin: 0 0 16px;
    font-weight: 550;
    overflow-wrap: anywhere;
  }

  dialog div {
    display: flex;
    flex-wrap: wrap;
    justify-content: end;
    gap: 8px;
  }

  dialog button {
    min-block-size: 44px;
    padding: 4px 18px;
    border: 1px solid var(--_track-off);
    border-radius: 99px;
    background: none;
    font-size: 15px;
  }

  dialog .yes {
    border-color: transparent;
    background: var(--_unavailable);
    color: var(--_on-unavailable);
  }
`;
