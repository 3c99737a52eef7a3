/** Editing at scale: finding, selecting, drafts and dialogs, with their English words. Loaded after the first rows. */
export { editorEn } from '../../../locales/editor-en.js';
export { EditorTools } from './editor-controller.js';
