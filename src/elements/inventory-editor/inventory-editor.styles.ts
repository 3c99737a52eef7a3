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
