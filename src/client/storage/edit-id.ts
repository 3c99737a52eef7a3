import type { EditId } from '../../domain/edit.js';

/** 128 random bits. `crypto.randomUUID` is missing on insecure origins such as a plain-http intranet. */
export function newEditId(): EditId {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') as EditId;
}
