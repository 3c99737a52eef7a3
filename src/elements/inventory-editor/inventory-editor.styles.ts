import { css } from 'lit';

/** The styles of the list and its frame, which are there before anything else is loaded. */
export const styles = css`
  :host {
    display: block;
    min-inline-size: 0;
    --_surface-soft: var(--inventory-surface-soft, light-dark(#f4f6f8, #1f2731));
    --_hover: var(--inventory-hover, var(--_surface-soft));
    --_selected: var(--inventory-selected, color-mix(in srgb, var(--_accent) 9%, transparent));
    --_danger: var(--inventory-danger, var(--_attention));
    --_control: var(--inventory-radius-control, 10px);
    --_pill: var(--inventory-radius-pill, 999px);
    --_picture: var(--inventory-radius-picture, 6px);
    --_space: var(--inventory-space, 4px);
    --_border: var(--inventory-border-width, 1px) solid var(--_line);
    --_small: calc(var(--_font) * 0.875);
  }

  /*
   * Inside the shadow root, where no reset of a page reaches it. A container has no intrinsic width, which a flex row or a float
   * asks for, so it gets one here.
   */
  :host > div {
    container-type: inline-size;
    contain-intrinsic-inline-size: 320px;
  }

  section {
    --_row: max(60px, calc(var(--_font) * 3.75));
    --_pad: calc(var(--_space) * 5);
    overflow: clip;
    border: var(--_border);
    border-radius: var(--_radius);
    background: var(--_surface);
    /* For all: each size, weight and kind of digits is another font, and the first picture waits for each. */
    font-variant-numeric: tabular-nums;
  }

  :host([density='compact']) section {
    --_row: max(46px, calc(var(--_font) * 2.875));
  }

  /* For a thumb, and for a tablet on a counter. */
  :host([density='touch']) section {
    --_row: max(76px, calc(var(--_font) * 4.75));
  }

  :host([variant='plain']) section {
    --_pad: 0px;
    border: 0;
    border-radius: 0;
    background: none;
  }

  /* It still names the list. */
  [data-hide~='title'] h2 {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }

  [data-hide~='search'] .search,
  [data-hide~='filters'] .chips,
  [data-hide~='sort'] .sort,
  [data-hide~='groups'] .group,
  [data-hide~='status'] :is(.truth, .head .row > :nth-child(5)),
  [data-hide~='updated'] .time {
    display: none;
  }

  [data-hide~='groups'] {
    --_group-column: 0px;
  }

  [data-hide~='status'] {
    --_status-column: 0px;
  }

  [data-hide~='updated'] {
    --_time-column: 0px;
  }

  /* A heading names the group of all items below it. */
  [data-hide~='groups'] small::after,
  [data-grouped] small::after {
    content: none !important;
  }

  header {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 2px calc(var(--_space) * 3);
    padding: calc(var(--_space) * 4) var(--_pad) calc(var(--_space) * 2.5);
  }

  h2 {
    margin: 0;
    font-size: calc(var(--_font) * 1.125);
    line-height: 1.3;
  }

  p {
    margin: 0;
  }

  .count,
  .total {
    color: var(--_text-soft);
    font-size: var(--_small);
  }

  .count {
    margin-inline-start: auto;
  }

  .tools {
    min-block-size: 102px;
  }

  /* Chromium scrolls an element on its compositor, without painting each frame, only if it has an opaque background. */
  .scroller {
    position: relative;
    background: var(--_surface);
    max-block-size: var(--inventory-list-height, min(70vh, 720px));
    overflow: hidden auto;
    border-block-start: var(--_border);
  }

  .sheet {
    position: relative;
    contain: strict;
  }

  /* A page that is enlarged by four: it scrolls as a whole, and no list of two rows in it. */
  @media (max-height: 400px) {
    .scroller {
      max-block-size: none;
    }
  }

  .quiet {
    padding: calc(var(--_space) * 4) var(--_pad);
    color: var(--_text-soft);
  }

  .problem {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 8px 16px;
    margin-block-end: 12px;
    padding: 12px var(--_pad);
    border-block: var(--_border);
    border-inline-start: 4px solid var(--_attention);
    overflow-wrap: anywhere;
  }

  .problem span {
    flex: 1 1 180px;
  }

  .plain {
    min-block-size: 44px;
    padding: 6px 16px;
    border: 1px solid var(--_track-off);
    border-radius: var(--_pill);
    background: var(--_surface);
    font-size: var(--_small);
  }

  .strong {
    min-block-size: 44px;
    padding: 6px 20px;
    border: 1px solid transparent;
    border-radius: var(--_pill);
    background: var(--_accent);
    color: var(--_on-accent);
    font-size: calc(var(--_font) * 0.9375);
    font-weight: 600;
  }

  .strong:hover {
    filter: brightness(0.94);
  }

  /* One colour for what becomes unavailable and one for what becomes available: those of the switch. */
  .plain.closes {
    border-color: var(--_unavailable);
  }

  .plain.opens {
    border-color: var(--_available);
  }

  .strong.closes {
    background: var(--_unavailable);
    color: var(--_on-unavailable);
  }

  .strong.opens {
    background: var(--_available);
  }

  .skeleton i {
    display: block;
    block-size: 44px;
    margin: 0 var(--_pad) 14px;
    border-radius: 8px;
    background: var(--_surface-soft);
  }

  .live-region {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }

  @container (max-width: 760px) {
    section {
      --_row: 112px;
      --_pad: calc(var(--_space) * 3.5);
    }

    :host([density='compact']) section {
      --_row: 100px;
    }

    .count {
      flex-basis: 100%;
      margin-inline-start: 0;
    }
  }

  /* Two choices of two lines each, below a status of two: as much as a person may space them. */
  /* Where its longer texts take two lines, all below it stays where it is. */
  @container (max-width: 520px) {
    header .count {
      min-block-size: 2lh;
    }
  }

  @container (max-width: 300px) {
    section,
    :host([density]) section {
      --_row: 140px;
    }
  }
`;

/** On paper: every row with its texts, in the order of the list, and nothing to press. */
export const printStyles = css`
  @media print {
    .tools,
    .bars,
    .problem .plain,
    .lead .turn,
    .lead svg,
    .by::after,
    .act [aria-checked]::before {
      display: none !important;
    }

    .pick,
    [data-unset] .act {
      visibility: hidden;
    }

    .scroller {
      max-block-size: none;
      overflow: visible;
    }

    .sheet {
      block-size: auto !important;
      contain: none;
    }

    .sheet > .row,
    .sheet > .tiles {
      position: static;
      min-block-size: 0;
      padding-block: 4px;
      break-inside: avoid;
    }

    .sheet button {
      min-block-size: 0 !important;
    }
  }
`;

/** The same row with less room: first the group moves beside the id, then the table becomes a list of cards. */
export const cardStyles = css`
  @container (max-width: 960px) {
    .row {
      grid-template:
        'pick name act truth' auto
        'pick name act time' auto / 44px minmax(0, 3fr) 196px minmax(0, 3fr);
      align-content: center;
    }

    .pick {
      grid-area: pick;
    }

    .name {
      grid-area: name;
    }

    .sheet .row > .act {
      grid-area: act;
    }

    .sheet .row > .truth {
      grid-area: truth;
    }

    /* Below the text of the status. */
    .sheet .row > .time {
      grid-area: time;
    }

    .head .row > * {
      grid-column: auto;
    }

    .sheet .time {
      padding-inline-start: 24px;
      text-align: start;
    }

    .head .row {
      grid-template: minmax(40px, auto) / 44px minmax(0, 3fr) 196px minmax(0, 3fr);
    }

    /* Two heads over one column, as its two lines are. */
    .head .row > :nth-child(n + 5) {
      grid-area: 1 / 4;
      max-inline-size: calc(50% - 6px);
    }

    .head .time {
      justify-self: end;
    }

    .head .pick {
      grid-area: auto;
    }

    .sheet .truth button {
      min-block-size: 24px;
    }

    .group {
      display: none;
    }

    .name small::after {
      content: attr(data-group);
    }
  }

  @container (max-width: 760px) {
    .row {
      grid-template:
        'pick name act' 1fr
        'truth truth time' auto / 44px minmax(0, 1fr) auto;
      padding-block: 5px 4px;
      padding-inline: 4px var(--_pad);
      row-gap: 2px;
      column-gap: 4px;
    }

    /* A card has no columns to name. Who comes to its check box by keyboard sees where they are, over the first card. */
    .head {
      block-size: 0;
    }

    .head .row {
      display: flex;
      position: absolute;
      block-size: 40px;
    }

    .head .row:not(:focus-within) {
      clip-path: inset(50%);
    }

    .act {
      flex-direction: column;
    }

    .row [role='switch'] {
      flex-direction: column;
      align-items: end;
      gap: 4px;
      padding-block-start: 8px;
      text-align: end;
    }

    /* Two choices stand beside the status where there is room for both, and below it where there is not. */
    .row[data-unset] {
      display: flex;
      flex-wrap: wrap;
      align-content: space-evenly;
      padding-block: 4px;
    }

    [data-unset] .name {
      flex: 1 0 calc(100% - 48px);
      min-inline-size: 0;
    }

    [data-unset] .act {
      order: 1;
      flex-direction: row;
      margin-inline-start: auto;
    }

    .truth {
      padding-inline-start: 12px;
    }

    .sheet .truth button {
      min-block-size: 38px;
    }

    :host([density='compact']) .sheet .truth button {
      min-block-size: 26px;
    }

    .sheet .row[data-unset] .truth button {
      min-block-size: 24px;
    }

    :host([density='compact']) [data-unset] .act button {
      min-block-size: 30px;
    }

    .sheet .time {
      padding-inline-start: 0;
      text-align: end;
    }
  }
`;
