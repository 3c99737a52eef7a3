let address: string | undefined;

/** The drop-in calls this with where its script came from. Entries from npm have no such place. */
export function setDefaultProxy(url: string): void {
  address = url;
}

export function defaultProxy(): string | undefined {
  return address;
}
