import { css } from 'lit';

export const styles = css`
  .history b {
    display: block;
    font-weight: 550;
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
`;
