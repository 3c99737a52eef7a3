import { css } from 'lit';

/** The same row where there is less room: the group beside the id, and then, as a card, no table at all. */
export const styles = css`
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
