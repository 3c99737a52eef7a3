import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { StartHost } from './host-visit.js';
import { FOLDER } from './installed.js';

/**
 * Starts the Next host as a process.
 *
 * @param mode `dev` logs where the first rendering of the browser differs from that of the server
 */
export function startNext(mode: 'start' | 'dev'): StartHost {
  return async (port) => {
    const program = join(FOLDER, 'node_modules/next/dist/bin/next');
    const child = spawn(process.execPath, [program, mode, '--port', String(port), '--hostname', 'localhost'], {
      cwd: join(FOLDER, 'next'),
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: '1' },
    });
    const gone = once(child, 'exit');
    let said = '';
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('Ready in')) resolve();
      });
      child.once('exit', () => {
        reject(new Error(`next ${mode} ended: ${said}`));
      });
    });
    return async () => {
      child.kill('SIGTERM');
      await gone;
    };
  };
}
