import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { minimalSettings } from './minimal-settings.js';
import { embedToken, HOST_ORIGIN, pageRequest, PROXY_URL } from './page-request.js';
import { Command, type CommandOptions } from './run-command.js';
import { scratchFolder } from './scratch-folder.js';

export interface StartedProxy {
  readonly command: Command;
  readonly url: string;
  /** Sends one batch that sets these items to available. @returns the status of the response */
  send(...ids: readonly string[]): Promise<number>;
  /** Resolves once the proxy accepts no connection, which is its first reaction to a signal to stop. */
  hasStoppedListening(): Promise<void>;
}

/** Starts `vendor-inventory proxy` as an operator does, with a portal of the test. `undefined` leaves a setting out. */
export async function startProxyProcess(
  t: TestContext,
  changes: Readonly<Record<string, string | undefined>>,
  options: Pick<CommandOptions, 'node'> = {},
): Promise<StartedProxy> {
  const settings = {
    ...minimalSettings(),
    PORT: '0',
    METRICS_PORT: 'off',
    DATABASE_URL: `file:${join(scratchFolder(), 'inventory.sqlite')}`,
    SESSION_AUDIENCE: PROXY_URL,
    PUBLIC_URL: PROXY_URL,
    ALLOWED_ORIGINS: HOST_ORIGIN,
    ...changes,
  };
  const environment = Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const command = new Command(t, ['proxy'], { ...options, environment });
  const [, url = ''] = await command.says(/"address":"(http:[^"]+)","msg":"proxy listens"/);
  return {
    command,
    url,
    async send(...ids) {
      const inventory = ids.map((id) => ({ id, available: true, updated_at: '2026-11-21T08:30:00.000Z' }));
      const { headers } = pageRequest('POST', '/v1/inventory', { token: await embedToken() });
      const body = JSON.stringify({ inventory });
      return (await fetch(`${url}/v1/inventory`, { method: 'POST', headers, body })).status;
    },
    async hasStoppedListening() {
      const isListening = (): Promise<boolean> =>
        // Uses a new connection, because an open one still works.
        fetch(`${url}/healthz`, { headers: { Connection: 'close' } }).then(
          () => true,
          () => false,
        );
      while (await isListening());
    },
  };
}
