import { css } from 'lit';

/**
 * The switch of all elements: a transparent native checkbox over the whole control, and beside it `.value`, the state as
 * text with the track after it. The sign on the thumb, a check or a bar, is cut out of the thumb. The checkbox has a small
 * radius, because a larger one would let clicks on its corners through.
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
    border-radius: 2px;
    cursor: pointer;
    touch-action: pan-y pinch-zoom;
  }

  /* Gives the column of the value the width of the longer word, so that the track stays where it is. */
  .widest {
    display: grid;
    block-size: 0;
    padding-inline-end: 54px;
    font-size: 15px;
    visibility: hidden;
  }

  .value {
    position: relative;
    display: inline-flex;
    align-items: center;
    justify-self: end;
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
    background: var(--_unavailable);
  }

  .value::after {
    inset-inline-end: 22px;
    inline-size: 20px;
    block-size: 20px;
    border: 0;
    background: #fff;
    clip-path: path(evenodd, 'M10 0a10 10 0 1 1 0 20a10 10 0 1 1 0-20zM6 9h8v2h-8z');
  }

  .value.on {
    color: var(--_text);
  }

  .value.on::before {
    background: var(--_available);
  }

  .value.on::after {
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
      transition: var(--inventory-motion, 140ms);
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

    .value.on::before {
      background: Highlight;
    }

    .value.on::after {
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
