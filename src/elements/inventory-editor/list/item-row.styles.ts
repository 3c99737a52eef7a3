import { css } from 'lit';

/** A row as cells of a table. It is as high as the list's `--_row`, or higher if its texts have more lines. */
export const styles = css`
  .row {
    position: absolute;
    inset-inline: 0;
    min-block-size: var(--_row);
    contain: layout style paint;
    display: grid;
    grid-template-columns:
      44px minmax(0, 2.4fr) var(--_group-column, minmax(0, 1.2fr)) calc(var(--_font) * 12.75)
      var(--_status-column, minmax(0, 2.4fr)) var(--_time-column, calc(var(--_font) * 6.5));
    column-gap: calc(var(--_space) * 3);
    align-items: center;
    padding-inline: max(0px, var(--_pad) - 12px) var(--_pad);
    font-size: var(--_small);
    border-block-end: var(--_border);
  }

  /* Each cell stays in its column if the page hides another one. */
  .row > :nth-child(3) {
    grid-column: 3;
  }

  .row > :nth-child(4) {
    grid-column: 4;
  }

  .row > :nth-child(5) {
    grid-column: 5;
  }

  .row > :nth-child(6) {
    grid-column: 6;
  }

  .row button:disabled,
  .row button[aria-disabled='true'] {
    cursor: not-allowed;
  }

  .row[aria-selected='true'] {
    background: var(--_selected);
  }

  .head {
    position: sticky;
    z-index: 1;
    inset-block-start: 0;
  }

  .head .row {
    position: relative;
    min-block-size: 40px;
    background: var(--_surface-soft);
    color: var(--_text-soft);
  }

  .name {
    padding-block: 2px;
    display: grid;
    place-items: center start;
    grid-template-columns: auto minmax(0, 1fr);
  }

  .sheet .name {
    cursor: pointer;
  }

  .sheet .name:hover span {
    text-decoration: underline;
    text-underline-offset: 3px;
  }

  .name > :not(.picture) {
    grid-column: 2;
  }

  /* Each text has a direction of its own, so that "2-kayak" is not reordered; it starts at the side where the page starts. */
  .name > :not(.picture),
  .group {
    justify-self: start;
    unicode-bidi: plaintext;
    max-inline-size: 100%;
    overflow-wrap: anywhere;
  }

  .name span {
    font-size: var(--_font);
    line-height: 1.3;
    font-weight: 550;
  }

  /* The background shows if a picture is missing or broken, and while it loads. */
  .picture {
    grid-row: 1 / 3;
    inline-size: 36px;
    min-block-size: 36px;
    max-block-size: 36px;
    background: var(--_surface-soft);
    box-shadow: inset 0 0 0 1px var(--_line);
    margin-inline-end: 12px;
    border-radius: var(--_picture);
    object-fit: cover;
  }

  small,
  .group,
  .time {
    color: var(--_text-soft);
    font-size: var(--_small);
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
    flex-wrap: wrap;
    gap: 6px;
  }

  .row [role='switch'] {
    display: flex;
    align-items: center;
    gap: 10px;
    min-block-size: 44px;
    border-radius: 8px;
  }

  /* The padding places the thumb: a box of its own and a clip for its sign would cost more in each frame. */
  .act [aria-checked]::before {
    --_track: var(--_unavailable);
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
    --_track: var(--_available);
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
    border-radius: var(--_pill);
    font-size: calc(var(--_font) * 0.8125);
  }

  /* Two choices that stand below each other keep off the lines around them. */
  @container (min-width: 761px) {
    [data-unset] .act {
      padding-block: 6px;
    }
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
    display: grid;
    grid-template-columns: 16px minmax(0, 1fr);
    gap: 8px;
    align-content: center;
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
    /* Beside the first line. */
    margin-block-start: 4px;
  }

  /* A reason is shown whole at every width. */
  .truth span {
    padding-block: 2px;
    hyphens: auto;
    overflow-wrap: anywhere;
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
