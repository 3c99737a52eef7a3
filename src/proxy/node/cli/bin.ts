#!/usr/bin/env node
import { nodeVersionFault } from '../node-version.js';

// Without a listener, Node starts its debugger at this signal, for any program on this machine. As `--disable-sigusr1`,
// which not every Node that this runs on has.
process.on('SIGUSR1', () => undefined);

// No static import of more: an old Node may not even read the rest.
if (nodeVersionFault !== undefined) {
  process.stderr.write(`${nodeVersionFault}\n`);
  process.exitCode = 1;
} else {
  const { run } = await import('./cli.js');
  await run(process.argv.slice(2), process.env);
}
