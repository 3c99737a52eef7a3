import { defineOnce } from '../shared/define-once.js';
import '../availability-toggle/define.js';
import { InventoryEditor } from './inventory-editor.js';

defineOnce('inventory-editor', InventoryEditor);
