#!/usr/bin/env node
// No static import: on an old Node the SQLite driver would crash the process before anybody could say why.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 13)) {
  process.stderr.write(`vendor-inventory needs Node.js 22.13 or newer; this is ${process.versions.node}\n`);
  process.exitCode = 1;
} else {
  const { run } = await import('./cli.js');
  await run(process.argv.slice(2), process.env);
}

export {};
