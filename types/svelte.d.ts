// The tags in the templates of Svelte 5: `import type {} from 'vendor-inventory-widget/svelte'` once.
import type { HTMLAttributes } from 'svelte/elements';
import type { LitElement } from 'lit';
import type { AvailabilityToggle, InventoryEditor } from 'vendor-inventory-widget';
import type { ElementProps } from './props.js';

type Tag<E extends LitElement> = Omit<HTMLAttributes<E>, keyof ElementProps<E>> & ElementProps<E>;

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'inventory-editor': Tag<InventoryEditor>;
    'availability-toggle': Tag<AvailabilityToggle>;
  }
}
