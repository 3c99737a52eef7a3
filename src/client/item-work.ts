/** What a person does to the items of a table: one part, loaded when the first rows are drawn. */
export { Closings } from './editor/saved-closure.js';
export { DraftKeeper } from './editor/draft-autosave.js';
export { ItemDraft } from './editor/draft.js';
export { ItemFilter } from './editor/filter.js';
export { ItemSelection } from './editor/selection.js';
