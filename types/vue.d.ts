// The tags in the templates of Vue 3: `import type {} from 'vendor-inventory-widget/vue'` once.
import type { DefineComponent, HTMLAttributes } from 'vue';
import type { LitElement } from 'lit';
import type { AvailabilityToggle, InventoryEditor, InventoryEventMap } from 'vendor-inventory-widget';
import type { Attributes, Properties } from './props.js';

/** `@inventory-change` is the property `onInventoryChange` of a template. */
type Listeners = {
  [Name in keyof InventoryEventMap as `on${Pascal<Name>}`]?: (event: InventoryEventMap[Name]) => void;
};

type Pascal<S extends string> = S extends `${infer First}-${infer Rest}`
  ? `${Capitalize<First>}${Pascal<Rest>}`
  : Capitalize<S>;

type Tag<E extends LitElement> = DefineComponent<
  Omit<HTMLAttributes, keyof Properties<E>> & Properties<E> & Attributes<E> & Listeners
>;

declare module 'vue' {
  interface GlobalComponents {
    'inventory-editor': Tag<InventoryEditor>;
    'availability-toggle': Tag<AvailabilityToggle>;
  }
}
