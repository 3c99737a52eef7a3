import type { PropertyDeclarations } from 'lit';

/**
 * The properties that a page may set on the editor. A table, because a decorator for each adds half a kilobyte to the
 * script.
 */
export const attributes: PropertyDeclarations = {
  proxy: {},
  session: {},
  getSession: { attribute: false },
  portalName: { attribute: 'portal-name' },
  hide: {},
  heading: {},
  headingLevel: { attribute: 'heading-level', type: Number },
  variant: { reflect: true, useDefault: true },
  view: { reflect: true, useDefault: true },
  items: { attribute: false },
  saveMode: { attribute: 'save-mode' },
  readonly: { type: Boolean, reflect: true },
  disabled: { type: Boolean, reflect: true },
  density: { reflect: true, useDefault: true },
  timeZone: { attribute: 'time-zone' },
  strings: { attribute: false },
};
