import { css } from '../shared/stylesheet.js';

/** What a toggle with an item adds: its status line, two plain choices. */
export const itemStyles = css`
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
    margin-block: 4px;
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
    min-block-size: 22px;
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

  :host([density='compact']) .status {
    font-size: 13px;
  }

  :host([density='compact']) .brief {
    grid-area: 1 / 2;
  }

  .said,
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
    :host([density='compact']) .pill {
      min-block-size: 32px;
      padding-block: 2px;
    }
  }
`;
