import { css } from 'lit';

export const styles = css`
  .history b {
    display: block;
    font-weight: 550;
    overflow-wrap: anywhere;
  }

  .history :is(.closes, .opens)::before {
    content: '';
    display: inline-block;
    inline-size: 10px;
    block-size: 10px;
    margin-inline-end: 8px;
    border-radius: 50%;
    background: var(--_unavailable);
  }

  .history .opens::before {
    background: var(--_available);
  }

  .history span {
    color: var(--_text-soft);
    overflow-wrap: anywhere;
  }

  .history em {
    font-style: normal;
  }

  .filters {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(100%, 130px), 1fr));
    gap: 8px 12px;
    margin-block: 4px 12px;
  }

  .filters label {
    display: flex;
    flex-direction: column;
    gap: 2px;
  }

  .filters span {
    color: var(--_text-soft);
    font-size: var(--_small);
  }

  .filters :is(select, input) {
    box-sizing: border-box;
    inline-size: 100%;
    min-inline-size: 0;
    min-block-size: 44px;
    padding: 6px 10px;
    border: 1px solid var(--_line);
    border-radius: 8px;
    background: var(--_surface);
    color: inherit;
    font: inherit;
  }

  .acts {
    display: flex;
    flex-wrap: wrap;
    gap: 0 20px;
  }

  /* In line with the text above, in spite of the room around what is pressed. */
  .acts {
    margin-inline-start: -10px;
  }

  .items-of-act {
    padding-inline-start: 14px;
    border-inline-start: 3px solid var(--_line);
  }
`;
