import * as z from 'zod/mini';
import type { PortalCredential } from '../../portal/portal-client.js';
import type { PortalAccount } from '../../portal/credentials.js';
import { portalProfile, type PortalProfile } from '../../portal/profile.js';
import { Secret } from '../../runtime/secret.js';
import type { EnvReader } from './env-reader.js';

/** The portal's address, our credentials there and its behavior. Read at start, and again on SIGHUP. */
export interface PortalConfig {
  readonly account: PortalAccount;
  readonly profile: PortalProfile;
}

const secretText = z.string().check(z.minLength(1));

/** Credentials by vendor. `client_secrets`: the one to try first, then one that may still be valid during a rotation. */
const credentialsFile = z.record(
  z.string().check(z.minLength(1), z.maxLength(200)),
  z.strictObject({ client_id: secretText, client_secrets: z.array(secretText).check(z.minLength(1), z.maxLength(2)) }),
);

export function readPortalConfig(reader: EnvReader): PortalConfig {
  const base = reader.required('PORTAL_BASE_URL', "the portal's base address");
  const url = base === '' ? undefined : reader.url('PORTAL_BASE_URL', base);
  const byVendor = readCredentials(reader);
  const credentials = byVendor === undefined || hasOwn(reader) ? readOwn(reader) : [];
  const profile = readProfile(reader);
  if (byVendor !== undefined && !profile.update.path.includes('{vendor}')) expectApart(reader, credentials, byVendor);
  return {
    account: { baseUrl: (url?.href ?? '').replace(/\/+$/, ''), credentials, byVendor },
    profile,
  };
}

/**
 * Rejects a credential that is used twice. A vendor in the table may use any item id, and only its own credential separates
 * its items from those of other vendors.
 */
function expectApart(
  reader: EnvReader,
  shared: readonly PortalCredential[],
  byVendor: ReadonlyMap<string, readonly PortalCredential[]>,
): void {
  const known = new Set(shared.map(({ clientId }) => clientId));
  for (const [vendor, [first]] of byVendor) {
    if (first !== undefined && known.has(first.clientId)) {
      reader.fault(
        `PORTAL_CREDENTIALS_FILE gives ${JSON.stringify(vendor)} a client_id that others have: they would have its items`,
      );
    }
    known.add(first?.clientId ?? '');
  }
}

/** Whether the shared credential is set. With a table by vendor it may be left out. */
function hasOwn(reader: EnvReader): boolean {
  return ['PORTAL_CLIENT_ID', 'PORTAL_CLIENT_SECRET', 'PORTAL_CLIENT_SECRET_FILE'].some(
    (name) => reader.verbatim(name) !== undefined,
  );
}

function readOwn(reader: EnvReader): PortalCredential[] {
  const clientId = reader.required('PORTAL_CLIENT_ID', 'the client identifier that the portal generated for you');
  return readSecrets(reader).map((secret) => ({ clientId, clientSecret: new Secret(secret) }));
}

/** Reads the client secrets. A file may hold two lines during a rotation; the first is tried first. */
function readSecrets(reader: EnvReader): string[] {
  // A trailing line break is not part of the secret, as in a file: an env file may leave one.
  const value = reader.verbatim('PORTAL_CLIENT_SECRET')?.replace(/[\r\n]+$/, '');
  const path = reader.optional('PORTAL_CLIENT_SECRET_FILE');
  if ((value === undefined) === (path === undefined)) {
    reader.fault('set exactly one of PORTAL_CLIENT_SECRET and PORTAL_CLIENT_SECRET_FILE: the secret of the portal');
    return [];
  }
  if (value !== undefined) {
    if (value.trim() === '') reader.fault('PORTAL_CLIENT_SECRET is blank');
    return [value];
  }
  const text = reader.secretFile('PORTAL_CLIENT_SECRET_FILE', path ?? '');
  if (text === undefined) return [];
  const secrets = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  if (secrets.length === 0) reader.fault('PORTAL_CLIENT_SECRET_FILE is empty');
  if (secrets.length > 2) reader.fault('PORTAL_CLIENT_SECRET_FILE holds more than two lines');
  return secrets;
}

function readCredentials(reader: EnvReader): ReadonlyMap<string, readonly PortalCredential[]> | undefined {
  const path = reader.optional('PORTAL_CREDENTIALS_FILE');
  const text = path === undefined ? undefined : reader.secretFile('PORTAL_CREDENTIALS_FILE', path);
  const table = text === undefined ? undefined : reader.json('PORTAL_CREDENTIALS_FILE', text, credentialsFile);
  if (table === undefined) return undefined;
  return new Map(
    Object.entries(table).map(([vendor, { client_id, client_secrets }]) => [
      vendor,
      client_secrets.map((secret) => ({ clientId: client_id, clientSecret: new Secret(secret) })),
    ]),
  );
}

function readProfile(reader: EnvReader): PortalProfile {
  const path = reader.optional('PORTAL_PROFILE');
  const text = path === undefined ? '{}' : (reader.file('PORTAL_PROFILE', path) ?? '{}');
  return reader.json('PORTAL_PROFILE', text, portalProfile) ?? portalProfile.parse({});
}
