/**
 * Checks an address from the settings: an absolute http(s) URL without user, query or fragment.
 *
 * @param options `mayBePlain`: whether `http:` is allowed for other machines than this one
 * @returns what is wrong, as the end of a sentence that begins with the name of the setting
 */
export function findAddressFault(text: string, { mayBePlain }: { readonly mayBePlain: boolean }): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The parts of a parsed URL hide an empty query and an empty fragment.
  const isPlain = url !== undefined && url.username === '' && url.password === '' && !/[?#]/.test(text);
  if (!isPlain || !['http:', 'https:'].includes(url.protocol)) {
    return 'must be an absolute http or https URL without user, query or fragment';
  }
  if (!mayBePlain && url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return 'must be https: plain http is for loopback addresses only';
  }
  return undefined;
}

/** Whether requests to this host stay on this machine. @param hostname as `URL` gives it */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Checks an address that a vendor gave: https, without a user. Which host it leads to is known only after its name is
 * resolved, so the caller checks that as well (`node/calendar/public-fetch.ts`).
 *
 * @returns what is wrong, as the end of a sentence
 */
export function findFeedAddressFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === '';
  return isPlain ? undefined : 'expected an https URL without user';
}

/** Whether the text is an origin as browsers write it: no path, no slash at the end, no star. */
export function isExactOrigin(text: string): boolean {
  // The URL parser accepts a star or a semicolon in a host name, and no browser ever sends one.
  return /^https?:\/\/[^*;]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
