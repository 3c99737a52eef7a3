import type { LitElement } from 'lit';
import type { InventoryEventHandlers } from 'vendor-inventory-widget';

/** What an element adds to every element. */
type Own<E> = Exclude<keyof E, keyof LitElement>;

/** The properties that a framework may set. */
export type Properties<E extends LitElement> = {
  [K in Own<E> as E[K] extends Promise<unknown> | ((...given: never[]) => unknown) ? never : K]?: E[K] | undefined;
};

/** `saveMode` as `save-mode`. */
type Hyphenated<S extends string> = S extends `${infer First}${infer Rest}`
  ? Rest extends Uncapitalize<Rest>
    ? `${Lowercase<First>}${Hyphenated<Rest>}`
    : `${Lowercase<First>}-${Hyphenated<Rest>}`
  : S;

/** The attributes whose names are not those of their properties. */
export type Attributes<E extends LitElement> = {
  [K in keyof Properties<E> & string as Hyphenated<K> extends K ? never : Hyphenated<K>]?:
    (Properties<E>[K] extends boolean | undefined ? boolean | '' : string | number) | undefined;
};

/** All that a tag in a template may be given: properties, attributes and `oninventory-…` handlers. */
export type ElementProps<E extends LitElement> = Properties<E> & Attributes<E> & InventoryEventHandlers;
