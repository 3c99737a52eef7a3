import { isEditId, type EditId } from '../../domain/edit.js';

export function newEditId(): EditId {
  const id = crypto.randomUUID();
  if (!isEditId(id)) throw new TypeError('a UUID is an edit id');
  return id;
}

/** 1 where a byte may stand in an edit id. */
const IN_EDIT_ID = new Uint8Array(256);
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-') {
  IN_EDIT_ID[letter.charCodeAt(0)] = 1;
}

export function isInEditId(byte = 0): boolean {
  return IN_EDIT_ID[byte] === 1;
}
