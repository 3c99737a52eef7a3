// The tags in the JSX of Solid: `import type {} from 'vendor-inventory-widget/solid'` once.
import type { JSX } from 'solid-js';
import type { LitElement } from 'lit';
import type { AvailabilityToggle, InventoryEditor, InventoryEventMap } from 'vendor-inventory-widget';
import type { Attributes, Properties } from './props.js';

/** `prop:items` sets a property, and `on:inventory-change` listens. */
type Tag<E extends LitElement> = Omit<JSX.HTMLAttributes<E>, keyof Properties<E>> &
  Properties<E> &
  Attributes<E> & {
    [K in keyof Properties<E> & string as `prop:${K}`]?: Properties<E>[K];
  } & {
    [Name in keyof InventoryEventMap as `on:${Name}`]?: (event: InventoryEventMap[Name]) => void;
  };

declare module 'solid-js' {
  // eslint-disable-next-line no-restricted-syntax -- JSX is a namespace of the framework
  namespace JSX {
    interface IntrinsicElements {
      'inventory-editor': Tag<InventoryEditor>;
      'availability-toggle': Tag<AvailabilityToggle>;
    }
  }
}
