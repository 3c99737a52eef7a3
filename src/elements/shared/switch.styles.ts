import { css } from 'lit';

/**
 * A switch as all elements draw it: a native checkbox that nobody sees, over the whole of what it switches, and beside it
 * in the tree `.value`, its state in words with the track after them. The sign on the thumb, a check or a bar, is cut out
 * of it.
 */
export const switchStyles = css`
  .switch {
    position: absolute;
    inset: 0;
    z-index: 1;
    inline-size: 100%;
    block-size: 100%;
    margin: 0;
    appearance: none;
    border-radius: 8px;
    cursor: pointer;
  }

  .value {
    position: relative;
    display: inline-flex;
    align-items: center;
    min-block-size: 44px;
    padding-inline-end: 54px;
    color: var(--_text-soft);
    font-size: 15px;
  }

  .value::before,
  .value::after {
    content: '';
    position: absolute;
    inset-inline-end: 0;
    box-sizing: border-box;
    inline-size: 46px;
    block-size: 28px;
    border: 1px solid transparent;
    border-radius: 99px;
    background: var(--_track-off);
  }

  .value::after {
    inset-inline-end: 22px;
    inline-size: 20px;
    block-size: 20px;
    border: 0;
    background: #fff;
    clip-path: path(evenodd, 'M10 0a10 10 0 1 1 0 20a10 10 0 1 1 0-20zM6 9h8v2h-8z');
  }

  .switch:checked ~ .value {
    color: var(--_text);
  }

  .switch:checked ~ .value::before {
    background: var(--_accent);
  }

  .switch:checked ~ .value::after {
    inset-inline-end: 4px;
    background: var(--_on-accent);
    clip-path: path(
      evenodd,
      'M10 0a10 10 0 1 1 0 20a10 10 0 1 1 0-20zM5 10.4 6.5 8.9 8.8 11.2 13.5 6.5 15 8 8.8 14.2z'
    );
  }

  .switch:hover:enabled ~ .value::before {
    filter: brightness(0.94);
  }

  .switch:disabled,
  .switch[aria-readonly] {
    cursor: not-allowed;
  }

  .switch:disabled ~ .value {
    opacity: 0.6;
  }

  @media (prefers-reduced-motion: no-preference) {
    .value::before,
    .value::after {
      transition: 140ms;
    }
  }

  @media (forced-colors: active) {
    .value::before {
      border-color: ButtonText;
      background: ButtonFace;
    }

    .value::after {
      background: ButtonText;
    }

    .switch:checked ~ .value::before {
      background: Highlight;
    }

    .switch:checked ~ .value::after {
      background: HighlightText;
    }

    .switch:disabled ~ .value {
      opacity: 1;
      color: GrayText;
    }

    .switch:disabled ~ .value::before {
      border-color: GrayText;
      background: ButtonFace;
    }

    .switch:disabled ~ .value::after {
      background: GrayText;
    }
  }
`;
