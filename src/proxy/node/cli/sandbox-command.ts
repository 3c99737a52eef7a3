import { createSandboxPortal } from '../../../sandbox/sandbox-portal.js';
import { listen } from '../server/http-server.js';
import { EnvReader, type Environment } from '../config/env-reader.js';

const DEFAULT_SECRET = 'sandbox-secret';

/**
 * `vendor-inventory sandbox`: runs the sandbox portal alone, as the portal of a host or a test.
 *
 * @returns a function that stops it
 */
export async function startSandbox(
  environment: Environment,
  print: (text: string) => void,
): Promise<() => Promise<void>> {
  const reader = new EnvReader(environment);
  const host = reader.optional('HOST') ?? '127.0.0.1';
  const port = reader.integer('PORT', 8081, 0, 65535);
  const clientId = reader.optional('PORTAL_CLIENT_ID') ?? 'sandbox-client';
  const clientSecret = reader.verbatim('PORTAL_CLIENT_SECRET') ?? DEFAULT_SECRET;
  reader.finish();
  const portal = createSandboxPortal({ clientId, clientSecret });
  const server = await listen((request) => portal.fetch(request), { host, port });
  print(`sandbox portal listens on ${server.origin}\n`);
  const shownSecret = clientSecret === DEFAULT_SECRET ? DEFAULT_SECRET : '...';
  print(`A proxy that fits it:

  vendor-inventory secret > session-secret
  PORTAL_BASE_URL=${server.origin} PORTAL_CLIENT_ID=${clientId} PORTAL_CLIENT_SECRET=${shownSecret} \\
    SESSION_ISSUER=http://localhost:3000 SESSION_SECRET_FILE=session-secret \\
    ALLOWED_ORIGINS=http://localhost:3000 vendor-inventory proxy

SESSION_ISSUER and ALLOWED_ORIGINS name your page, here http://localhost:3000.
`);
  return () => server.close();
}
