// The tags in the JSX of Preact: `import type {} from 'vendor-inventory-widget/preact'` once.
import type { ClassAttributes, HTMLAttributes } from 'preact';
import type { LitElement } from 'lit';
import type { AvailabilityToggle, InventoryEditor } from 'vendor-inventory-widget';
import type { ElementProps } from './props.js';

type Tag<E extends LitElement> = Omit<HTMLAttributes<E>, keyof ElementProps<E>> & ClassAttributes<E> & ElementProps<E>;

declare module 'preact' {
  // eslint-disable-next-line no-restricted-syntax -- JSX is a namespace of the framework
  namespace JSX {
    interface IntrinsicElements {
      'inventory-editor': Tag<InventoryEditor>;
      'availability-toggle': Tag<AvailabilityToggle>;
    }
  }
}
