/** Editing: search, selection, drafts and dialogs, with their English texts. This module is loaded after the first rows. */
export { editorEn } from '../../../locales/editor-en.js';
export { EditorTools } from './editor-controller.js';
