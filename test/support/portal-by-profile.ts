import type { TestContext } from 'node:test';
import { systemClock } from '../../src/proxy/runtime/clock.js';
import type { OpenEdit } from '../../src/proxy/outbox/outbox.js';
import type { UpdateOutcome } from '../../src/proxy/portal/outcome.js';
import { PortalClock } from '../../src/proxy/portal/clock-offset.js';
import { PortalCredentials, type PortalAccount } from '../../src/proxy/portal/credentials.js';
import { portalProfile } from '../../src/proxy/portal/profile.js';
import { Secret } from '../../src/proxy/runtime/secret.js';
import { meaningOf } from './meaning-of.js';
import { openEdit } from './open-edit.js';
import { body, servePortal, type Answer, type PortalServer } from './portal-server.js';

export const GRANT = body('{"access_token":"token-1","token_type":"Bearer","expires_in":3600}', 'application/json');

export const edit = (id: string): OpenEdit => openEdit(id, '2026-11-21T08:30:00.123Z');

export const answering = (code: number, answer: object): Answer => {
  return (response) => response.writeHead(code, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
};

export function lanesTo(
  portal: PortalServer,
  profile: object,
  account: Partial<PortalAccount> = {},
): PortalCredentials {
  const calls = {
    baseUrl: portal.url,
    profile: portalProfile.parse(profile),
    fetch,
    clock: systemClock,
    portalClock: new PortalClock(),
  };
  const credentials = [{ clientId: 'shared', clientSecret: new Secret('shared-secret') }];
  return new PortalCredentials({ baseUrl: portal.url, credentials, ...account }, calls, () => 0.5);
}

/** Sends two items in one call. */
export async function deliver(
  t: TestContext,
  profile: object,
  ...answers: readonly Answer[]
): Promise<{ portal: PortalServer; outcome: UpdateOutcome }> {
  const portal = await servePortal(t, ...answers);
  const lanes = lanesTo(portal, profile);
  const outcome = await lanes.connectionFor(lanes.laneOf('boat-tours')).update([edit('kayak'), edit('canoe')]);
  return { portal, outcome: meaningOf(outcome) };
}
