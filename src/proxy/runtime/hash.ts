/** SHA-256 of a text in UTF-8, or of its bytes, as lowercase hexadecimal digits. */
export type Digest = (text: string | Uint8Array) => string | Promise<string>;

/** Web Crypto, which every platform has. It hashes on another thread; a platform that can hash at once passes its own. */
export const webDigest: Digest = async (text) => {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text.slice();
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
};
