const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/** The message for a Node older than package.json requires: there the SQLite driver crashes the process without a message. */
export const nodeVersionFault: string | undefined =
  major < 22 || (major === 22 && minor < 13)
    ? `vendor-inventory needs Node.js 22.13 or newer; this is ${process.versions.node}`
    : undefined;
