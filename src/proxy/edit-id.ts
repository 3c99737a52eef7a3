import { isEditId, type EditId } from '../domain/edit.js';

export function newEditId(): EditId {
  const id = crypto.randomUUID();
  if (!isEditId(id)) throw new TypeError('a UUID is an edit id');
  return id;
}
