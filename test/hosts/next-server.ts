import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { StartHost } from './host-visit.js';
import { FOLDER } from './installed.js';

/**
 * The host in Next as a process of its own.
 *
 * @param mode `dev` says on the console where the browser's first drawing differs from what the server has rendered
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
