/** SHA-256 of a text in UTF-8, or of its bytes, as lowercase hexadecimal digits. */
export type Digest = (text: string | Uint8Array) => string | Promise<string>;

/** What every web platform has. A server that can do it at once hands its own to the proxy: this one crosses threads. */
export const webDigest: Digest = async (text) => {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text.slice();
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
};
