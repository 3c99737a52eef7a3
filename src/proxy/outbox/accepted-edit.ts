import type { EditBatch } from '../../contract/widget.js';
import type { EditId } from '../../domain/edit.js';

/** As the page wrote it. Whom it gave no id has got one. */
export type AcceptedEdit = EditBatch['inventory'][number] & { readonly edit_id: EditId };
