import { css } from 'lit';

export const styles = css`
  .import label {
    display: block;
    margin-block: 10px;
  }

  .import textarea {
    display: block;
    box-sizing: border-box;
    inline-size: 100%;
    margin-block-start: 4px;
    padding: 8px 10px;
    border: 1px solid var(--_line);
    border-radius: 8px;
    background: var(--_surface);
    color: inherit;
    font: inherit;
    resize: vertical;
  }

  .import input[type='file'] {
    display: block;
    max-inline-size: 100%;
    min-block-size: 44px;
    margin-block-start: 4px;
    font: inherit;
  }

  .import select {
    min-block-size: 44px;
    max-inline-size: 100%;
    font: inherit;
  }

  .checking {
    display: flex;
    align-items: center;
    gap: 10px;
  }

  .checking progress {
    flex: 1;
    min-inline-size: 0;
  }

  .verdicts li {
    padding-block: 6px;
    overflow-wrap: anywhere;
  }

  .verdicts [data-verdict='refused'] span {
    color: var(--_attention);
  }

  .export {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    margin-block: 12px 4px;
    padding-block-start: 10px;
    border-block-start: 1px solid var(--_line);
  }

  .export h4 {
    flex-basis: 100%;
    margin: 0;
    font-size: 16px;
  }
`;
