import type { GlobalComponents } from 'vue';
import type {} from 'vendor-inventory-widget/vue';

/** The properties that the template compiler looks up for a tag. */
type PropsOf<Tag extends keyof GlobalComponents> = InstanceType<GlobalComponents[Tag]>['$props'];

export const editor: PropsOf<'inventory-editor'> = {
  session: '/inventory-session',
  saveMode: 'auto',
  'time-zone': 'Europe/Athens',
  items: [{ id: 'kayak', available: true }],
  class: 'inventory',
  onInventoryError: (event) => console.log(event.code.length),
};
export const toggle: PropsOf<'availability-toggle'> = { item: 'kayak', disabled: true };
// @ts-expect-error an invalid value
export const wrong: PropsOf<'inventory-editor'> = { saveMode: 'sometimes' };
