import 'vendor-inventory-widget';
import type { EditorTexts, FeatureTexts } from 'vendor-inventory-widget';

const texts: Partial<EditorTexts & FeatureTexts> = { inventory: 'Our rooms', listsTitle: 'Lists' };

const editor = document.createElement('inventory-editor');
editor.saveMode = 'auto';
editor.strings = texts;
editor.addEventListener('inventory-error', (event) => console.log(event.code.length));
document.addEventListener('inventory-receipt', (event) => console.log(event.truth));
// @ts-expect-error an invalid value
editor.saveMode = 'sometimes';
