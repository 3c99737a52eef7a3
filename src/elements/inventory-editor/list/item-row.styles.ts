import { css } from 'lit';

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

  .row button:disabled,
  .row button[aria-disabled='true'] {
    cursor: not-allowed;
  }

  .row[aria-selected='true'] {
    background: color-mix(in srgb, var(--_accent) 9%, transparent);
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
    min-block-size: 36px;
    max-block-size: 36px;
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
    display: flex;
    align-items: center;
    gap: 10px;
    min-block-size: 44px;
    border-radius: 8px;
  }

  /* The thumb stands where the padding leaves room: a box for it, and a clip for its sign, would be more for each frame. */
  .act [aria-checked]::before {
    --_track: var(--_track-off);
    --_thumb: #fff;
    --_sign: linear-gradient(var(--_track) 0 0) center / 8px 2px;
    content: '';
    flex: none;
    inline-size: 20px;
    block-size: 20px;
    padding: 3px;
    padding-inline-end: 21px;
    border: 1px solid transparent;
    border-radius: 99px;
    background: var(--_sign), radial-gradient(var(--_thumb) 9.6px, #0000 10.2px), var(--_track);
    background-origin: content-box;
    background-repeat: no-repeat;
    forced-color-adjust: none;
  }

  .act [aria-checked='true']::before {
    --_track: var(--_accent);
    --_thumb: var(--_on-accent);
    --_stripe: #0000 calc(50% - 1.4px), var(--_track) calc(50% - 0.8px) calc(50% + 0.8px), #0000 calc(50% + 1.4px);
    --_sign:
      linear-gradient(135deg, var(--_stripe)) 8px 6.5px / 7px 7px,
      linear-gradient(45deg, var(--_stripe)) 5px 9.5px / 4px 4px;
    padding-inline: 21px 3px;
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

  /* Not in a list that is only to be looked at: what is faint cannot be read as well. */
  .row button:disabled,
  :not(.locked) > .sheet [aria-disabled='true'] {
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
    overflow: visible;
  }

  .truth span {
    overflow-wrap: anywhere;
  }

  /* Those that may be long: a box that is cut at a line takes longer than the rest of its row. */
  [data-sign='on-device'] .truth span,
  [data-sign='received'] .truth span,
  [data-sign='needs-attention'] .truth span {
    display: -webkit-box;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }

  [data-sign='given'] .truth,
  [data-sign='unset'] .truth {
    color: var(--_text-soft);
  }

  [data-sign='changed'] .truth,
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
`;
