import './elements/availability-toggle/define.js';
import './elements/inventory-editor/define.js';

export { AvailabilityToggle } from './elements/availability-toggle/availability-toggle.js';
export { InventoryEditor } from './elements/inventory-editor/inventory-editor.js';
export {
  InventoryChangeEvent,
  InventoryErrorEvent,
  InventoryReadyEvent,
  InventoryReceiptEvent,
  InventorySavedEvent,
  InventorySessionExpiredEvent,
} from './elements/events.js';
export type { InventoryEventHandlers, InventoryEventMap } from './elements/events.js';
export type { EditorTexts, ImportReport } from './elements/inventory-editor/editor-context.js';
export type { ToggleTexts } from './locales/dictionary.js';
export type { FeatureDictionary as FeatureTexts } from './locales/features/feature-dictionary.js';
export type { HostItemInput } from './contract/host-items.js';
export type { Item, ItemId, Timestamp } from './domain/item.js';
export type { Edit, EditId } from './domain/edit.js';
export type { Truth } from './domain/edit-state.js';
