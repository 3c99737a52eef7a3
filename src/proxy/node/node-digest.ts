import { hash } from 'node:crypto';
import type { Digest } from '../runtime/hash.js';

/** At once: the web's digest would take a way through another thread, which costs more than a small text does. */
export const nodeDigest = ((text) => hash('sha256', text)) satisfies Digest;
