import { css } from '../stylesheet.js';

export const styles = css`
  :host {
    display: block;
    container-type: inline-size;
  }

  section {
    overflow: clip;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
  }

  header {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    justify-content: space-between;
    gap: 4px 16px;
    padding: 16px 20px;
    background: var(--_surface-soft);
    border-block-end: 1px solid var(--_line);
  }

  h2 {
    margin: 0;
    font-size: 18px;
    line-height: 1.3;
  }

  p {
    margin: 0;
  }

  .count {
    color: var(--_text-soft);
    font-size: 14px;
    font-variant-numeric: tabular-nums;
  }

  .list {
    margin: 0;
    padding: 0;
    list-style: none;
  }

  li {
    padding: 8px 20px 6px;
  }

  li + li {
    border-block-start: 1px solid var(--_line);
  }

  availability-toggle {
    --inventory-toggle-display: grid;
  }

  small {
    display: block;
    color: var(--_text-soft);
    font-size: 14px;
    font-weight: 400;
  }

  .quiet {
    padding: 16px 20px;
    color: var(--_text-soft);
  }

  .problem {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 8px 16px;
    padding: 12px 20px;
    border-block-end: 1px solid var(--_line);
    border-inline-start: 4px solid var(--_attention);
    color: var(--_text);
    overflow-wrap: anywhere;
  }

  .problem span {
    flex: 1 1 180px;
  }

  .again {
    min-block-size: 44px;
    padding: 6px 16px;
    border: 1px solid var(--_track-off);
    border-radius: 999px;
    background: var(--_surface);
    font-size: 14px;
  }

  .skeleton {
    display: grid;
    gap: 1px;
    padding: 0 20px 20px;
  }

  .skeleton i {
    block-size: 44px;
    margin-block-start: 12px;
    border-radius: 8px;
    background: var(--_surface-soft);
  }

  dialog {
    inline-size: min(420px, calc(100% - 32px));
    padding: 20px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_text);
  }

  dialog::backdrop {
    background: rgb(0 0 0 / 45%);
  }

  dialog .choices {
    display: flex;
    flex-direction: column;
    gap: 8px;
    margin-block-start: 16px;
  }

  @container (max-width: 420px) {
    header,
    li,
    .quiet,
    .problem {
      padding-inline: 14px;
    }
  }
`;
