import { css } from 'lit';

/** Tiles for phones and tablets: as many side by side as fit into the width of the editor. */
export const styles = css`
  :host([view='grid']) section {
    --_columns: 2;
    --_gap: calc(var(--_space) * 3);
    --_picture-height: 0px;
    --_row: calc(var(--_picture-height) + var(--_gap) + max(176px, var(--_font) * 11));
  }

  :host([view='grid']) .pictured {
    --_picture-height: 112px;
    --_row: calc(var(--_picture-height) + var(--_gap) + max(176px, var(--_font) * 11));
  }

  :host([view='grid'][density='touch']) .pictured {
    --_picture-height: 160px;
  }

  :host([view='grid']) .row.heading {
    min-block-size: max(60px, calc(var(--_font) * 3.75));
  }

  .tiles {
    position: absolute;
    inset-inline: 0;
    min-block-size: var(--_row);
    contain: layout style;
    display: grid;
    grid-template-columns: repeat(var(--_columns), minmax(0, 1fr));
    gap: var(--_gap);
    padding: calc(var(--_gap) / 2) max(var(--_gap), var(--_pad));
  }

  .tile {
    position: relative;
    contain: layout style paint;
    display: flex;
    flex-direction: column;
    gap: 2px;
    padding: 8px 12px;
    border: var(--_border);
    border-radius: var(--_radius);
    background: var(--_surface);
    font-size: var(--_small);
  }

  .tile[aria-selected='true'] {
    border-color: var(--_accent);
    background: linear-gradient(var(--_selected) 0 0) var(--_surface);
    box-shadow: inset 0 0 0 1px var(--_accent);
  }

  .tile button {
    padding: 0;
    border: 0;
    background: none;
    text-align: start;
  }

  .tile button[aria-disabled='true'],
  .tile button:disabled {
    cursor: not-allowed;
  }

  .tile:focus-visible {
    outline-offset: -3px;
  }

  /* Over the picture, on a ground of its own. */
  .tile > .pick {
    position: absolute;
    inset-block-start: 0;
    inset-inline-start: 0;
  }

  .tile .pick button::before {
    scale: 1.2;
  }

  .tile .pick [aria-checked='false']::before {
    background: var(--_surface);
  }

  .tile > .name {
    display: block;
    flex: none;
    padding: 0;
  }

  .tile .name > :not(.picture) {
    display: block;
    max-inline-size: none;
    /* Each has a direction of its own, and all begin at the same side. */
    text-align: match-parent;
  }

  .tile .name span {
    padding-inline-start: 34px;
    hyphens: auto;
  }

  .pictured .tile .name span {
    padding-inline-start: 0;
  }

  .tile .picture {
    display: block;
    inline-size: calc(100% + 24px);
    min-block-size: var(--_picture-height);
    max-block-size: var(--_picture-height);
    margin: -8px -12px 8px;
    border-radius: 0;
  }

  .tile small::after {
    content: attr(data-group);
  }

  .tile > .group {
    display: none;
  }

  .tile > .truth {
    padding: 0;
  }

  .sheet .tile .truth button {
    inline-size: 100%;
    min-block-size: 44px;
    align-content: start;
  }

  .tile > .time {
    padding-inline-start: 24px;
    text-align: start;
  }

  /* At the foot of each, wherever the words above end. */
  .tile > .act {
    order: 1;
    margin: auto 0 0;
    flex-direction: row;
  }

  .tile [role='switch'] {
    display: flex;
    align-items: center;
    gap: 10px;
    inline-size: 100%;
    min-block-size: 44px;
    border-radius: 8px;
  }

  .tile[data-unset] .act button {
    flex: 1 1 auto;
    min-block-size: 44px;
    padding: 4px 10px;
    border: 1px solid var(--_track-off);
    border-radius: var(--_pill);
    text-align: center;
  }

  .tile button:disabled,
  :not(.locked) > .sheet .tile [aria-disabled='true'] {
    opacity: 0.6;
  }

  :host([view='grid']) .head .row {
    display: flex;
  }

  /* The check box of the head has no column below it, so it says what it is for. */
  :host([view='grid']) .head .pick button {
    display: flex;
    align-items: center;
    gap: 8px;
    inline-size: auto;
    padding-inline: 12px;
  }

  :host([view='grid']) .head .pick button::after {
    content: attr(aria-label);
    content: attr(aria-label) / '';
    font-size: var(--_small);
  }

  :host([view='grid']) .locked .head {
    display: none;
  }

  @container (max-width: 300px) {
    :host([view='grid']) section {
      --_columns: 1;
    }
  }

  @container (min-width: 560px) {
    :host([view='grid']) section {
      --_columns: 3;
    }

    :host([view='grid']) .pictured {
      --_picture-height: 150px;
    }
  }

  @container (min-width: 860px) {
    :host([view='grid']) section {
      --_columns: 4;
    }
  }

  @container (min-width: 1120px) {
    :host([view='grid']) section {
      --_columns: 5;
    }
  }
`;
