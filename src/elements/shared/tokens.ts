import { css } from 'lit';

/**
 * The design tokens that all elements share. Every value is a custom property with a fallback, so a theme of the host sets
 * `--inventory-…` on any ancestor. Light and dark follow the page's `color-scheme`.
 *
 * A rule of the host page overrides `:host`. Declarations that must not change are therefore on elements inside the shadow
 * root, which neither a reset nor `* { all: revert }` reaches. No size depends on the root's font size.
 */
export const tokens = css`
  :host {
    --_accent: var(--inventory-accent, light-dark(#0b6e4f, #4cc38a));
    --_on-accent: var(--inventory-on-accent, light-dark(#fff, #06251a));
    --_text: var(--inventory-text, light-dark(#1b2430, #e8edf3));
    --_text-soft: var(--inventory-text-soft, light-dark(#55606e, #a4b0be));
    --_surface: var(--inventory-surface, light-dark(#fff, #161c24));
    --_line: var(--inventory-line, light-dark(#d9dfe6, #323d4a));
    --_track-off: var(--inventory-track-off, light-dark(#6b7683, #8893a1));
    --_device: var(--inventory-on-device, light-dark(#8a5a00, #f0b849));
    --_received: var(--inventory-received, light-dark(#1f5fbf, #7db4ff));
    --_portal: var(--inventory-on-portal, light-dark(#0b6e4f, #4cc38a));
    --_attention: var(--inventory-needs-attention, light-dark(#b3261e, #ff9c94));
    --_focus: var(--inventory-focus, light-dark(#1f5fbf, #7db4ff));
    --_available: var(--inventory-available, var(--_accent));
    --_unavailable: var(--inventory-unavailable, var(--_track-off));
    --_on-unavailable: var(--inventory-on-unavailable, var(--_surface));
    --_radius: var(--inventory-radius, 12px);
    --_font: var(--inventory-font-size, 16px);
  }

  :host > * {
    font: 400 var(--_font) / 1.4 var(--inventory-font, system-ui, sans-serif);
    letter-spacing: 0;
    word-spacing: 0;
    word-break: normal;
    -webkit-text-fill-color: currentcolor;
    text-transform: none;
    text-indent: 0;
    text-align: start;
    text-shadow: none;
    white-space: normal;
    color: var(--_text);
  }

  @media (prefers-contrast: more) {
    :host {
      --_text-soft: var(--_text);
      --_line: var(--_track-off);
    }
  }

  :host([hidden]),
  [hidden] {
    display: none !important;
  }

  /* Without ::before and ::after, which would cost style work for each element and are rarely drawn. */
  * {
    box-sizing: border-box;
  }

  button {
    font: inherit;
    color: inherit;
    cursor: pointer;
  }

  :focus-visible {
    outline: 3px solid var(--_focus);
    outline-offset: 2px;
  }
`;
