#!/usr/bin/env node
import { nodeFault } from '../node-version.js';

// No static import of more: an old Node may not even read the rest.
if (nodeFault !== undefined) {
  process.stderr.write(`${nodeFault}\n`);
  process.exitCode = 1;
} else {
  const { run } = await import('./cli.js');
  await run(process.argv.slice(2), process.env);
}
