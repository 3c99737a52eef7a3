import type { SvelteHTMLElements } from 'svelte/elements';
import type {} from 'vendor-inventory-widget/svelte';

export const editor: SvelteHTMLElements['inventory-editor'] = {
  session: '/inventory-session',
  saveMode: 'auto',
  items: [{ id: 'kayak', available: true }],
  class: 'inventory',
  'oninventory-error': (event) => console.log(event.code.length),
};
export const toggle: SvelteHTMLElements['availability-toggle'] = { item: 'kayak', disabled: true };
// @ts-expect-error an invalid value
export const wrong: SvelteHTMLElements['inventory-editor'] = { saveMode: 'sometimes' };
