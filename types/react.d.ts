// The tags in the JSX of React 19: `import type {} from 'vendor-inventory-widget/react'` once.
import type { HTMLAttributes, RefAttributes } from 'react';
import type { LitElement } from 'lit';
import type { AvailabilityToggle, InventoryEditor } from 'vendor-inventory-widget';
import type { ElementProps } from './props.js';

type Tag<E extends LitElement> = Omit<HTMLAttributes<E>, keyof ElementProps<E>> & RefAttributes<E> & ElementProps<E>;

declare module 'react' {
  // eslint-disable-next-line no-restricted-syntax -- JSX is a namespace of the framework
  namespace JSX {
    interface IntrinsicElements {
      'inventory-editor': Tag<InventoryEditor>;
      'availability-toggle': Tag<AvailabilityToggle>;
    }
  }
}
