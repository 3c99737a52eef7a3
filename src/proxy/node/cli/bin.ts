#!/usr/bin/env node
import { nodeVersionFault } from '../node-version.js';

// No static import of more: an old Node may not even read the rest.
if (nodeVersionFault !== undefined) {
  process.stderr.write(`${nodeVersionFault}\n`);
  process.exitCode = 1;
} else {
  const { run } = await import('./cli.js');
  await run(process.argv.slice(2), process.env);
}
