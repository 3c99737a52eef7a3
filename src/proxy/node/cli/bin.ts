#!/usr/bin/env node
import { nodeVersionFault } from '../node-version.js';
import type { Output } from './cli.js';

// Without a listener, Node starts its debugger at SIGUSR1, for any program on this machine. The flag `--disable-sigusr1`
// would do the same, but not every supported Node has it.
process.on('SIGUSR1', () => undefined);

// The rest is imported dynamically, because an old Node may not even parse it.
if (nodeVersionFault !== undefined) {
  process.stderr.write(`${nodeVersionFault}\n`);
  process.exitCode = 1;
} else {
  const { run } = await import('./cli.js');
  const code = await run(process.argv.slice(2), process.env, processOutput());
  if (code !== 0) process.exitCode = code;
}

function processOutput(): Output {
  const closing = new AbortController();
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    const isFirst = !closing.signal.aborted;
    closing.abort();
    // A closed pipe is fine: its reader, such as `head`, has enough. Any other error, such as a full disk, is reported
    // once.
    if (error.code === 'EPIPE' || !isFirst) return;
    process.exitCode ||= 1;
    process.stderr.write(`not all of the output could be written: ${error.message}\n`);
  });
  return {
    print: (text) => void process.stdout.write(text),
    printError: (text) => void process.stderr.write(text),
    closed: closing.signal,
  };
}
