let address: string | undefined;

/** The drop-in calls this with the address of its script. A page that uses the npm package has no such address. */
export function setDefaultProxy(url: string): void {
  address = url;
}

export function defaultProxy(): string | undefined {
  return address;
}
