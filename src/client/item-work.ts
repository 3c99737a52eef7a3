/** What a person does to the items of a table: one part, loaded when the first rows are drawn. */
export { Closings } from './closings.js';
export { DraftKeeper } from './draft-keeper.js';
export { ItemDraft } from './item-draft.js';
export { ItemFilter } from './item-filter.js';
export { ItemSelection } from './item-selection.js';
