import { css } from '../stylesheet.js';

/** A row, as cells of a table. Its height is the list's `--_row`. */
export const styles = css`
  .row {
    position: absolute;
    inset-inline: 0;
    block-size: var(--_row);
    contain: strict;
    display: grid;
    grid-template-columns: 44px minmax(0, 2.4fr) minmax(0, 1.2fr) 204px minmax(0, 2fr) 104px;
    column-gap: 12px;
    align-items: center;
    padding-inline: calc(var(--_pad) - 12px) var(--_pad);
    font-size: 14px;
    border-block-end: 1px solid var(--_line);
  }

  .head {
    position: sticky;
    z-index: 1;
    inset-block-start: 0;
    block-size: 40px;
  }

  .head .row {
    block-size: 40px;
    background: var(--_surface-soft);
    color: var(--_text-soft);
  }

  .name {
    display: grid;
    place-items: center start;
    grid-template-columns: auto minmax(0, 1fr);
  }

  .name > :not(img) {
    grid-column: 2;
  }

  /* Each has a direction of its own, so that "2-kayak" is read so, and cut at its end; it stands where the page begins. */
  .name > :not(img),
  .group {
    justify-self: start;
    unicode-bidi: plaintext;
    max-inline-size: 100%;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  .name span {
    font-size: 16px;
    font-weight: 550;
  }

  .name img {
    grid-row: 1 / 3;
    margin-inline-end: 12px;
    border-radius: 6px;
    object-fit: cover;
  }

  small,
  .group,
  .time {
    color: var(--_text-soft);
    font-size: 14px;
  }

  .time {
    text-align: end;
  }

  .row button {
    padding: 0;
    border: 0;
    background: none;
    text-align: start;
  }

  .pick button {
    display: grid;
    place-items: center;
    inline-size: 44px;
    block-size: 44px;
    border-radius: 8px;
  }

  .pick button::before {
    content: '';
    box-sizing: border-box;
    inline-size: 18px;
    block-size: 18px;
    border: 1.75px solid var(--_track-off);
    border-radius: 5px;
  }

  .locked .pick {
    visibility: hidden;
  }

  .act {
    display: flex;
    gap: 6px;
  }

  .row [role='switch'] {
    position: relative;
    min-block-size: 44px;
    padding-inline-start: 56px;
    border-radius: 8px;
  }

  [role='switch']::before,
  [role='switch']::after {
    content: '';
    position: absolute;
    inset-block-start: 8px;
    inset-inline-start: 0;
    box-sizing: border-box;
    inline-size: 46px;
    block-size: 28px;
    border: 1px solid transparent;
    border-radius: 99px;
    background: var(--_track-off);
  }

  /* The thumb, with a sign that is cut out of it: a bar, or a check. */
  [role='switch']::after {
    inset-block-start: 12px;
    inset-inline-start: 4px;
    inline-size: 20px;
    block-size: 20px;
    border: 0;
    background: #fff;
    clip-path: path(evenodd, 'M10 0a10 10 0 1 1 0 20a10 10 0 1 1 0-20zM6 9h8v2h-8z');
  }

  [role='switch'][aria-checked='true']::before {
    background: var(--_accent);
  }

  [role='switch'][aria-checked='true']::after {
    inset-inline-start: 22px;
    background: var(--_on-accent);
    clip-path: path(
      evenodd,
      'M10 0a10 10 0 1 1 0 20a10 10 0 1 1 0-20zM5 10.4 6.5 8.9 8.8 11.2 13.5 6.5 15 8 8.8 14.2z'
    );
  }

  .row[data-unset] .act button {
    min-block-size: 36px;
    padding: 4px 10px;
    border: 1px solid var(--_track-off);
    border-radius: 999px;
    font-size: 13px;
  }

  :host([density='compact']) .row[data-unset] .act button {
    padding-block: 2px;
  }

  .row button:disabled {
    opacity: 0.6;
  }

  .truth button {
    display: flex;
    gap: 8px;
    align-items: center;
    max-inline-size: 100%;
    min-block-size: 44px;
    border-radius: 8px;
    line-height: 1.4;
  }

  svg {
    flex: none;
    inline-size: 16px;
    block-size: 16px;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
  }

  .truth span {
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow-wrap: anywhere;
  }

  [data-sign='given'] .truth,
  [data-sign='unset'] .truth {
    color: var(--_text-soft);
  }

  [data-sign='on-device'] .truth {
    color: var(--_device);
  }

  [data-sign='received'] .truth {
    color: var(--_received);
  }

  [data-sign='on-portal'] .truth {
    color: var(--_portal);
  }

  [data-sign='needs-attention'] .truth {
    color: var(--_attention);
  }

  @media (forced-colors: active) {
    .pick button::before,
    [role='switch']::before {
      border-color: ButtonText;
      background: ButtonFace;
    }

    [role='switch']::after {
      background: ButtonText;
    }

    [role='switch'][aria-checked='true']::before {
      background: Highlight;
    }

    [role='switch'][aria-checked='true']::after {
      background: HighlightText;
    }
  }
`;
