import { css } from 'lit';

export const styles = css`
  dialog {
    inline-size: min(520px, calc(100% - 24px));
    max-block-size: min(80vh, 720px);
    padding: 0;
    border: var(--_border);
    border-radius: var(--_radius);
    background: var(--_surface);
    color: var(--_text);
    box-shadow: var(--inventory-shadow, 0 12px 40px rgb(0 0 0 / 25%));
  }

  dialog[open] {
    display: flex;
    flex-direction: column;
  }

  dialog::backdrop {
    background: rgb(0 0 0 / 45%);
  }

  /* It keeps the focus until it is closed: without a box it would lose it, and the keyboard be nowhere for a moment. */
  .leaving,
  .leaving::backdrop {
    opacity: 0;
  }

  h3 {
    margin: 0;
    padding: calc(var(--_space) * 4.5) calc(var(--_space) * 5) calc(var(--_space) * 2);
    font-size: calc(var(--_font) * 1.125);
    line-height: 1.3;
    overflow-wrap: anywhere;
  }

  .body {
    flex: 1;
    overflow: auto;
    padding: 0 calc(var(--_space) * 5);
    /* What scrolls takes the focus, and the dialog has no room around it. */
    outline-offset: -3px;
  }

  /* The title and the choices alone may be as high as the window: all of it scrolls then. */
  @media (max-height: 400px) {
    .body {
      flex: none;
    }
  }

  dialog > .quiet:empty {
    padding-block: 0;
  }

  .body p {
    margin-block: 4px 8px;
  }

  dialog > .choices {
    display: flex;
    flex-wrap: wrap;
    justify-content: end;
    gap: 8px;
    padding: calc(var(--_space) * 3.5) calc(var(--_space) * 5) calc(var(--_space) * 4.5);
  }

  dl {
    display: grid;
    grid-template-columns: fit-content(44%) minmax(0, 1fr);
    align-items: baseline;
    gap: 6px 16px;
    margin: 8px 0;
  }

  dt {
    color: var(--_text-soft);
    font-size: var(--_small);
  }

  dd {
    margin: 0;
    overflow-wrap: anywhere;
  }

  .picture {
    display: block;
    max-inline-size: 100%;
    max-block-size: 220px;
    margin-block: 4px 12px;
    border-radius: var(--_picture);
    object-fit: cover;
  }

  dt.value {
    align-self: center;
  }

  .facts [role='switch'] {
    display: flex;
    align-items: center;
    gap: 10px;
    min-block-size: 44px;
    text-align: start;
    padding: 0;
    border: 0;
    border-radius: 8px;
    background: none;
  }

  .facts [aria-disabled='true'] {
    opacity: 0.6;
    cursor: not-allowed;
  }

  /* Too narrow for two columns. */
  @media (max-width: 340px) {
    .facts {
      grid-template-columns: minmax(0, 1fr);
      row-gap: 0;
    }

    .facts dd {
      margin-block-end: 8px;
    }
  }

  .answers {
    display: block;
  }

  .answers dt {
    color: inherit;
    font-weight: 600;
  }

  .answers dd {
    margin-block-end: 8px;
  }

  .note {
    white-space: pre-line;
  }

  kbd {
    box-decoration-break: clone;
    padding: 1px 7px;
    border: 1px solid var(--_line);
    border-radius: 6px;
    background: var(--_surface-soft);
    font: inherit;
    font-size: var(--_small);
  }

  .listing {
    margin: 0;
    padding: 0;
    list-style: none;
  }

  .listing li {
    padding-block: 10px;
    border-block-end: var(--_border);
  }

  .listing span {
    display: block;
    font-size: var(--_small);
  }

  h4 {
    display: flex;
    align-items: baseline;
    gap: 8px;
    margin: 12px 0 2px;
    font-size: var(--_small);
    font-weight: 600;
    overflow-wrap: anywhere;
  }

  h4:is(.closes, .opens)::before {
    content: '';
    flex: none;
    inline-size: 10px;
    block-size: 10px;
    border-radius: 50%;
    background: var(--_unavailable);
  }

  h4.opens::before {
    background: var(--_available);
  }

  .listing + p {
    margin-block-start: 8px;
  }

  .names li {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0 16px;
    padding-block: 6px;
    overflow-wrap: anywhere;
  }

  .names span {
    color: var(--_text-soft);
  }

  .body .trouble {
    padding-inline-start: 10px;
    border-inline-start: 4px solid var(--_attention);
  }

  .danger {
    border-color: var(--_danger);
    color: var(--_danger);
  }

  .listing .choices {
    display: flex;
    gap: 8px;
    margin-block-start: 6px;
  }

  .listing .choices:empty {
    display: none;
  }

  dialog [data-sign='on-device'] {
    color: var(--_device);
  }

  dialog [data-sign='received'] {
    color: var(--_received);
  }

  dialog [data-sign='on-portal'] {
    color: var(--_portal);
  }

  dialog [data-sign='needs-attention'] {
    color: var(--_attention);
  }
`;
