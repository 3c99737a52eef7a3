/** A profile as an operator writes it: only the settings that differ from the defaults. */
export interface ProfileSettings {
  readonly [section: string]: unknown;
}

/** The result of one attempt. */
export interface Attempt {
  readonly isDelivered: boolean;
  /** How far the attempt got: a later stage is progress. */
  readonly stage: Stage;
  /** The status that the portal meant, even if it answers every call with 200. */
  readonly status: number;
  /** `Allow` of the response. */
  readonly allow: string;
  /** The body, without secrets. */
  readonly message: string;
  /** Whether the body tells the result in a field `success`. */
  readonly tellsSuccess: boolean;
  readonly retryMs: number | undefined;
}

export type Stage = 'unanswered' | 'token' | 'path' | 'method' | 'authorization' | 'request' | 'content' | 'delivered';
interface Surroundings {
  readonly vendor?: string | undefined;
  readonly canPut: boolean;
  readonly baseUrl: string;
}

const PATHS = ['/v1/inventory', '/inventory', '/v1/inventory/updates', '/v1/inventory/items', '/api/v1/inventory'];
const VENDOR_PATHS = ['/v1/vendors/{vendor}/inventory', '/v1/{vendor}/inventory', '/vendors/{vendor}/inventory'];
const SCOPES = ['inventory', 'inventory:write', 'inventory.write', 'write'];
const HEADER_VALUES = ['1', '1.0', 'v1', '2'];
const AUTHORIZATIONS: readonly (readonly [header: string, prefix: string])[] = [
  ['Authorization', 'Bearer '],
  ['Authorization', ''],
  ['Authorization', 'Token '],
  ['X-Access-Token', ''],
  ['X-Auth-Token', ''],
  ['X-Api-Key', ''],
  ['X-Token', ''],
];

/**
 * The next changes to try, the likeliest first: those that the portal's message names, then those that portals are known to
 * need.
 */
export function proposals(reached: Attempt, settings: ProfileSettings, around: Surroundings): ProfileSettings[] {
  const early = reached.tellsSuccess && !('success' in settings) ? [{ success: { status: '/success' } }] : [];
  return [...early, ...byStage(reached, around)];
}

function byStage(reached: Attempt, around: Surroundings): ProfileSettings[] {
  switch (reached.stage) {
    case 'token':
      return tokenProposals(reached.message, around.baseUrl);
    case 'path':
    case 'method':
      return addressProposals(reached, around);
    case 'authorization':
      return [...authorizationProposals(reached.message), ...contentProposals(reached.message)];
    case 'request':
    case 'content':
      return contentProposals(reached.message);
    case 'unanswered':
    case 'delivered':
      return [];
  }
}

function tokenProposals(message: string, baseUrl: string): ProfileSettings[] {
  const scopes = SCOPES.map((scope) => ({ token: { extra_fields: { scope } } }));
  const audience = { token: { extra_fields: { audience: baseUrl } } };
  const bodies = [{ token: { body: 'form' } }, { token: { body: 'json' } }];
  if (/scope/i.test(message)) return [...scopes, ...bodies, audience];
  return /audience/i.test(message) ? [audience, ...bodies, ...scopes] : [...bodies, ...scopes, audience];
}

function addressProposals({ stage, allow }: Attempt, { vendor, canPut }: Surroundings): ProfileSettings[] {
  const methods = ['POST', 'PATCH', 'PUT'].filter((method) => method !== 'PUT' || canPut);
  const allowed = methods.filter((method) => allow.toUpperCase().split(/\W+/).includes(method));
  const byMethod = (allowed.length > 0 ? allowed : methods).map((method) => ({ update: { method } }));
  const paths = [...(vendor === undefined ? [] : VENDOR_PATHS), ...PATHS];
  const byPath = paths.map((path) => ({ update: { path } }));
  return stage === 'method' ? [...byMethod, ...byPath] : [...byPath, ...byMethod];
}

function authorizationProposals(message: string): ProfileSettings[] {
  const named = /\b(Authorization|X-[\w-]+)(?::\s*([\w-]+))?/i.exec(message);
  const own: (readonly [string, string])[] =
    named === null ? [] : [[named[1] ?? '', named[2] === undefined ? '' : `${named[2]} `]];
  return [...own, ...AUTHORIZATIONS].map(([header, prefix]) => ({ authorization: { header, prefix } }));
}

function contentProposals(message: string): ProfileSettings[] {
  const named = /\bheader[:\s"'`]+([\w-]+)/i.exec(message)?.[1] ?? /\b(X-[\w-]+|Idempotency-Key)\b/i.exec(message)?.[1];
  const isOnce = named !== undefined && /idempot|request-id|message-id/i.test(named);
  const byName =
    named === undefined || isOnce ? [] : HEADER_VALUES.map((value) => ({ update: { headers: { [named]: value } } }));
  const once = { idempotency: { header: isOnce ? named : 'Idempotency-Key' } };
  const stamps = [{ stamps: { precision: 'seconds' } }, { stamps: { precision: 'milliseconds' } }];
  const isAboutTime = /updated_at|seconds|time/i.test(message);
  return [
    ...(isAboutTime ? stamps : []),
    ...byName,
    once,
    ...(isAboutTime ? [] : stamps),
    { update: { headers: { 'Content-Type': 'application/json; charset=utf-8' } } },
  ];
}

/** Merges two profiles deeply; the second one takes precedence. */
export function mergeSettings(first: ProfileSettings, second: ProfileSettings): ProfileSettings {
  const merged: Record<string, unknown> = { ...first };
  for (const [name, value] of Object.entries(second)) {
    const before = merged[name];
    merged[name] = isSection(before) && isSection(value) ? mergeSettings(before, value) : value;
  }
  return merged;
}

function isSection(value: unknown): value is ProfileSettings {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
