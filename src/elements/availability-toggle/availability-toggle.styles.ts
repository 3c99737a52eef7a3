import { css } from 'lit';

export const styles = css`
  :host {
    display: inline-flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 16px;
    min-inline-size: min(260px, 100%);
  }

  .label {
    flex: 1 1 130px;
    min-inline-size: 0;
    overflow-wrap: anywhere;
    font-weight: 550;
  }

  .switch {
    display: inline-flex;
    align-items: center;
    gap: 10px;
    min-block-size: 44px;
    padding: 0;
    border: 0;
    border-radius: 8px;
    background: none;
    text-align: start;
  }

  .track {
    flex: none;
    inline-size: 46px;
    block-size: 28px;
    padding: 3px;
    border: 1px solid transparent;
    border-radius: 999px;
    background: var(--_track-off);
    transition: background-color 140ms ease;
  }

  .thumb {
    display: block;
    inline-size: 20px;
    block-size: 20px;
    border-radius: 50%;
    background: #fff;
    box-shadow: 0 1px 2px rgb(0 0 0 / 0.3);
    transition: margin-inline-start 140ms ease;
  }

  [aria-checked='true'] .track {
    background: var(--_accent);
  }

  [aria-checked='true'] .thumb {
    margin-inline-start: 18px;
    background: var(--_on-accent);
  }

  .value {
    min-inline-size: 100px;
    font-size: 15px;
  }

  .choices {
    margin-block: 4px;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }

  .choice,
  .again {
    min-block-size: 44px;
    padding: 6px 14px;
    border: 1px solid var(--_track-off);
    border-radius: 999px;
    background: var(--_surface);
    color: var(--_text);
    font-size: 14px;
  }

  .again {
    min-block-size: 36px;
    padding-block: 3px;
  }

  button:not(:disabled, [aria-disabled='true']):hover .track,
  .choice:not(:disabled):hover,
  .again:hover {
    filter: brightness(0.94);
  }

  button:disabled,
  button[aria-disabled='true'] {
    cursor: not-allowed;
  }

  button:disabled {
    opacity: 0.6;
  }

  .status {
    flex: 1 0 100%;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 12px;
    min-block-size: 22px;
    color: var(--_text-soft);
    font-size: 14px;
  }

  #status {
    flex: 1 1 180px;
    display: inline-flex;
    align-items: start;
    gap: 6px;
  }

  #status svg {
    margin-block-start: 2px;
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

  @media (prefers-reduced-motion: reduce) {
    .track,
    .thumb {
      transition: none;
    }
  }

  @media (forced-colors: active) {
    .track {
      border-color: ButtonText;
      background: ButtonFace;
    }

    .thumb {
      background: ButtonText;
    }

    [aria-checked='true'] .track {
      background: Highlight;
    }

    [aria-checked='true'] .thumb {
      background: HighlightText;
    }
  }
`;
