import { css } from 'lit';

/** The list and the shell around it: what is there before anything else is loaded. */
export const styles = css`
  :host {
    display: block;
    min-inline-size: 0;
    --_surface-soft: var(--inventory-surface-soft, light-dark(#f4f6f8, #1f2731));
  }

  /*
   * Inside, where no reset of a page reaches it. Who asks how wide it would be (a flex row, a float) is told a width: a
   * container has none by what is in it.
   */
  :host > div {
    container-type: inline-size;
    contain-intrinsic-inline-size: 320px;
  }

  section {
    --_row: 60px;
    --_pad: 20px;
    overflow: clip;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    /* For all: each size, weight and kind of digits is another font, and the first picture waits for each. */
    font-variant-numeric: tabular-nums;
  }

  :host([density='compact']) section {
    --_row: 46px;
  }

  header {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 2px 12px;
    padding: 16px var(--_pad) 10px;
  }

  h2 {
    margin: 0;
    font-size: 18px;
    line-height: 1.3;
  }

  p {
    margin: 0;
  }

  .count,
  .total {
    color: var(--_text-soft);
    font-size: 14px;
  }

  .count {
    margin-inline-start: auto;
  }

  .tools {
    min-block-size: 102px;
  }

  /* Only what has a ground of its own is scrolled by Chromium's compositor, and not painted anew in each frame. */
  .scroller {
    position: relative;
    background: var(--_surface);
    max-block-size: var(--inventory-list-height, min(70vh, 720px));
    overflow: hidden auto;
    border-block-start: 1px solid var(--_line);
  }

  .sheet {
    position: relative;
    contain: strict;
  }

  .quiet {
    padding: 16px var(--_pad);
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
    border-block: 1px solid var(--_line);
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
    border-radius: 999px;
    background: var(--_surface);
    font-size: 14px;
  }

  .strong {
    min-block-size: 44px;
    padding: 6px 20px;
    border: 1px solid transparent;
    border-radius: 999px;
    background: var(--_accent);
    color: var(--_on-accent);
    font-size: 15px;
    font-weight: 600;
  }

  .strong:hover {
    filter: brightness(0.94);
  }

  .skeleton i {
    display: block;
    block-size: 44px;
    margin: 0 var(--_pad) 14px;
    border-radius: 8px;
    background: var(--_surface-soft);
  }

  .said {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }

  @container (max-width: 760px) {
    section {
      --_row: 112px;
      --_pad: 14px;
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
  @container (max-width: 300px) {
    section,
    :host([density]) section {
      --_row: 140px;
    }
  }
`;

/** The same row where there is less room: the group beside the id, and then, as a card, no table at all. */
export const cardStyles = css`
  @container (max-width: 960px) {
    .row {
      grid-template-columns: 44px minmax(0, 4fr) 204px minmax(0, 2fr) 104px;
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
      padding-block: 6px 4px;
      padding-inline: 4px var(--_pad);
      row-gap: 0;
      column-gap: 4px;
    }

    /* A card has no columns to name. Who comes to its check box by keyboard sees where they are, over the first card. */
    .head {
      block-size: 0;
    }

    .head .row {
      display: flex;
    }

    .head .row:not(:focus-within) {
      clip-path: inset(50%);
    }

    .pick {
      grid-area: pick;
    }

    .name {
      grid-area: name;
    }

    .act {
      grid-area: act;
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
      padding-block: 0;
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
      grid-area: truth;
      padding-inline-start: 12px;
    }

    .truth button {
      min-block-size: 38px;
    }

    :host([density='compact']) .truth button {
      min-block-size: 26px;
    }

    .row[data-unset] .truth button {
      min-block-size: 24px;
    }

    :host([density='compact']) [data-unset] .act button {
      min-block-size: 30px;
    }

    .time {
      grid-area: time;
    }
  }
`;
