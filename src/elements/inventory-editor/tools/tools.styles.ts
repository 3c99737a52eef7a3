import { css } from 'lit';

export const styles = css`
  .tools {
    padding: 0 var(--_pad) calc(var(--_space) * 3);
  }

  /* Only needed once the rows can be used. */
  .scroller {
    scroll-padding-block-start: 40px;
  }

  .row > :focus-visible,
  .head :focus-visible {
    outline-offset: -4px;
  }

  /* Around words that are as high as their cell, and not through them. */
  .row > :is(.group, .time):focus-visible {
    outline-offset: 1px;
  }

  /* Nothing that is seen: what is drawn from the one to the other keeps its bounds, and Chromium its layers. */
  .act,
  .row:not([data-unset]) .time:not(:empty) {
    min-block-size: 20px;
    background: linear-gradient(#0000 0 0);
  }

  .head .by {
    min-block-size: 40px;
    max-inline-size: 100%;
    overflow-wrap: anywhere;
  }

  .head .by:hover {
    color: var(--_text);
    text-decoration: underline;
  }

  /* Which way a column is sorted is in words for who hears it: the arrow has none. */
  .by::after {
    content: '\\2195';
    content: '\\2195' / '';
    margin-inline-start: 4px;
    opacity: 0.5;
  }

  [aria-sort] .by {
    color: var(--_text);
    font-weight: 600;
  }

  [aria-sort] .by::after {
    opacity: 1;
  }

  [aria-sort='ascending'] .by::after {
    content: '\\2191';
    content: '\\2191' / '';
  }

  [aria-sort='descending'] .by::after {
    content: '\\2193';
    content: '\\2193' / '';
  }

  [data-hide~='groups'] .of-group,
  [data-hide~='filters'] .of-group {
    display: none;
  }

  .of-group select {
    max-inline-size: 200px;
  }

  .row.heading {
    display: flex;
    background: var(--_surface-soft);
  }

  .heading > :not(.lead) {
    display: none;
  }

  .lead {
    flex: 1;
    min-inline-size: 0;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 16px;
    padding-inline-start: 12px;
  }

  .lead .fold {
    display: flex;
    align-items: center;
    gap: 12px;
    min-block-size: 44px;
    font-size: var(--_font);
    font-weight: 650;
    overflow-wrap: anywhere;
  }

  .fold svg {
    margin: 0;
  }

  [aria-expanded='true'] > svg {
    rotate: 180deg;
  }

  .lead .open {
    color: var(--_text-soft);
  }

  .turn {
    flex: 1 1 auto;
    display: flex;
    flex-wrap: wrap;
    justify-content: end;
    gap: 8px;
  }

  .lead .plain {
    padding: 4px 14px;
    border-width: 1px;
    border-style: solid;
    background: var(--_surface);
  }

  .lead .plain:hover {
    background: var(--_hover);
  }

  /* It is in sight wherever the list is scrolled, so nothing has to move for it. */
  .head button {
    scroll-margin-block-start: -40px;
  }

  /* A browser that rounds lets rows be seen in a hair's breadth above. */
  .head .row {
    box-shadow: 0 -1px var(--_surface-soft);
  }

  .line,
  .chips {
    display: flex;
    gap: calc(var(--_space) * 2);
    align-items: center;
  }

  /* The words of some languages are half as long again as those of English. */
  .line {
    flex-wrap: wrap;
  }

  .chips {
    flex-wrap: wrap;
    margin-block-start: 8px;
    margin-inline: calc(-1 * var(--_pad));
    padding: 3px var(--_pad);
    overflow-x: auto;
    scroll-padding-inline: 8px;
    scrollbar-width: none;
  }

  .actions {
    display: flex;
    flex-wrap: wrap;
    gap: inherit;
  }

  .search {
    flex: 1 1 240px;
    min-inline-size: min(240px, 100%);
  }

  input,
  select {
    min-block-size: 44px;
    border: 1px solid var(--_track-off);
    border-radius: var(--_control);
    background: var(--_surface);
    color: inherit;
    font: inherit;
  }

  input {
    inline-size: 100%;
    padding: 6px 14px;
  }

  input::placeholder {
    color: var(--_text-soft);
    opacity: 1;
  }

  select {
    padding: 6px 8px;
    font-size: var(--_small);
    text-overflow: ellipsis;
  }

  .sort {
    flex: none;
    color: var(--_text-soft);
    font-size: var(--_small);
  }

  .sort select {
    color: var(--_text);
  }

  .quiet-button,
  .link {
    flex: none;
    min-block-size: 44px;
    padding: 6px 10px;
    border: 0;
    border-radius: var(--_control);
    background: none;
    font-size: var(--_small);
  }

  .link {
    text-decoration: underline;
    text-underline-offset: 3px;
  }

  .quiet-button:disabled {
    cursor: default;
    opacity: 0.45;
  }

  .quiet-button:not(:disabled):hover,
  .plain:hover,
  .chip:hover {
    background: var(--_hover);
  }

  .chip {
    flex: none;
    min-block-size: 36px;
    padding: 3px 12px;
    border: var(--_border);
    border-radius: var(--_pill);
    background: var(--_surface);
    font-size: var(--_small);
  }

  .chip span {
    margin-inline-start: 4px;
    color: var(--_text-soft);
    font-weight: 500;
    font-variant-numeric: tabular-nums;
  }

  .chip[aria-pressed='true'] {
    border-color: var(--_accent);
    box-shadow: inset 0 0 0 1px var(--_accent);
    font-weight: 600;
  }

  .chip.stale {
    border-style: dashed;
    border-color: var(--_track-off);
  }

  .bars {
    position: sticky;
    z-index: 2;
    inset-block-end: 0;
    background: var(--_surface);
  }

  /* As high as they are, they would leave nothing of the list in sight: a page that is enlarged by four. */
  @media (max-height: 400px) {
    .bars {
      position: static;
    }
  }

  .bar,
  .none {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }

  .bar {
    padding: calc(var(--_space) * 2.5) var(--_pad);
    border-block-start: var(--_border);
    font-variant-numeric: tabular-nums;
  }

  .bar span {
    flex: 1 1 90px;
    font-weight: 550;
  }

  .bar.trouble {
    border-inline-start: 4px solid var(--_attention);
  }

  .bar.trouble span {
    flex-basis: 200px;
  }

  /* The check is two gradients of the box's own background: another box or layer in each row would cost layout. */
  .pick [aria-checked='true']::before {
    --_stripe: #0000 calc(50% - 1.4px), var(--_on-accent) calc(50% - 0.8px) calc(50% + 0.8px), #0000 calc(50% + 1.4px);
    border-color: var(--_accent);
    background:
      linear-gradient(135deg, var(--_stripe)) 4.5px 3px / 8px 8px no-repeat,
      linear-gradient(45deg, var(--_stripe)) 2.5px 7px / 4px 4px no-repeat,
      var(--_accent);
  }

  .pick [aria-checked='mixed']::before {
    border-color: var(--_accent);
    background: linear-gradient(var(--_accent) 0 0) center / 10px 3px no-repeat;
  }

  progress {
    flex: 1 1 120px;
    accent-color: var(--_accent);
  }

  @container (max-width: 760px) {
    .chips {
      flex-wrap: nowrap;
    }

    .search {
      flex-basis: 100%;
    }

    /* Beside another choice if the longest option of both has room, and on a line of its own if not. */
    .sort {
      display: flex;
      flex: 1 1 auto;
      gap: 4px;
      align-items: center;
      min-inline-size: 0;
      max-inline-size: 100%;
    }

    .sort select {
      flex: 1 1 auto;
      min-inline-size: 0;
      max-inline-size: 100%;
    }

    /* A card has the height for two lines beside what turns the group. */
    .lead {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto;
      align-content: center;
    }

    .lead .open {
      padding-inline-start: 28px;
    }

    .turn {
      grid-area: 1 / 2 / 3;
      flex-direction: column;
      align-items: end;
    }

    .keys {
      display: none;
    }

    .actions {
      flex-basis: 100%;
    }

    .bar {
      gap: 6px;
      padding-block: 8px;
    }

    .bar .link {
      padding-inline: 6px;
    }
  }

  @container (max-width: 520px) {
    /* The count and its links have a line, and the two deeds the next one. */
    .bar[part='selection'] > span {
      flex: 1 1 auto;
    }

    .bar[part='selection']::before {
      content: '';
      flex-basis: 100%;
      order: 1;
    }

    .bar[part='selection'] .plain {
      order: 1;
    }

    /* And so has a sentence, above two buttons of one width. */
    :is([part='closed'], [part='drafts']) > span,
    .save > span:not(.brief) {
      flex: 1 0 100%;
    }

    /* All that can be done about it is in the dialog, too: on a phone the list keeps its room. */
    .bar.trouble button ~ button {
      display: none;
    }

    .bar.trouble span {
      flex: 1 1 60%;
      font-size: 14px;
    }

    /* "Save" is not left alone on a line below: a few words can have two lines, a sentence cannot. A relational
       rule would restyle the rows with each step of a scroll. */
    .save .brief {
      flex-basis: 60px;
    }

    .bar[part='selection'] .plain,
    :is([part='closed'], [part='drafts']) > button,
    .save > span:not(.brief) ~ button {
      flex: 1 1 40%;
    }

    /* The order says what it is by its words. */
    .sort span {
      position: absolute;
      inline-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
    }

    .line {
      gap: 8px 4px;
    }

    .line .quiet-button {
      padding-inline: 7px;
    }
  }

  @media (forced-colors: active) {
    /* The signs are gradients, and those are taken away where colours are forced. */
    .pick button::before,
    .act [aria-checked]::before {
      --_track-off: ButtonFace;
      --_accent: Highlight;
      --_on-accent: HighlightText;
      border-color: ButtonText;
      forced-color-adjust: none;
    }

    .act [aria-checked='false']::before {
      --_thumb: ButtonText;
    }

    .chip[aria-pressed='true'] {
      outline: 2px solid Highlight;
    }
  }
`;
