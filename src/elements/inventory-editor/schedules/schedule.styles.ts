import { css } from 'lit';

export const styles = css`
  .until {
    margin: 4px 0 8px;
    padding: 0;
    border: 0;
  }

  .until label {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    align-items: center;
    min-block-size: 44px;
  }

  .until :is([type='radio'], [type='checkbox']) {
    inline-size: 20px;
    min-block-size: 20px;
    margin: 0;
  }

  .until .inner {
    padding-inline-start: 28px;
  }

  .until [type='datetime-local'] {
    inline-size: auto;
    max-inline-size: 100%;
  }

  .until .unseen {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }

  .body .problem:not(:empty) {
    color: var(--_attention);
  }
`;
