const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/** What to say where this Node is older than package.json promises: the SQLite driver would crash the process without a word. */
export const nodeVersionFault: string | undefined =
  major < 22 || (major === 22 && minor < 13)
    ? `vendor-inventory needs Node.js 22.13 or newer; this is ${process.versions.node}`
    : undefined;
