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

  .until .address input {
    flex: 1 1 256px;
    min-inline-size: 0;
    min-block-size: 44px;
  }

  .until p.inner {
    margin-block: 4px 8px;
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

  /* It stays in the page, so that a screen reader announces what comes into it. */
  .body .problem:empty {
    margin: 0;
    padding: 0;
    border: 0;
  }
`;
