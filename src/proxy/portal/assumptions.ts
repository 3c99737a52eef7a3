import { resolvePointer } from './answer.js';
import type { PortalProfile } from './profile.js';

/** The source of a fact about the portal: its document, our default, or the operator's profile. */
export type Origin = 'documented' | 'assumed' | 'set';

export interface Assumption {
  readonly point: string;
  readonly value: string;
  readonly origin: Origin;
  /** The setting of the profile, if there is one. */
  readonly setting?: string | undefined;
}

const DOCUMENTED: readonly (readonly [point: string, value: string])[] = [
  ['token request', 'POST {base_url}/v1/oauth/token with client_id, client_secret, grant_type'],
  ['inventory object', '{"inventory": [{"id", "available", "updated_at"}]}'],
  ['updated_at', 'ISO 8601 UTC'],
];

/**
 * Every point that the portal's document leaves open, with the settings of the profile that answer it. A test checks
 * that all settings are here.
 */
const OPEN: readonly (readonly [point: string, settings: readonly string[]])[] = [
  ['update method and path', ['/update/method', '/update/path', '/update/headers']],
  ['token request body', ['/token/body', '/token/extra_fields']],
  ['token lifetime', ['/token/fallback_lifetime_seconds', '/token/renewal_margin_seconds']],
  ['how the token is sent', ['/authorization/header', '/authorization/prefix']],
  ['what a success says', ['/success/status', '/success/taken', '/success/accepted']],
  ['accepted is not delivered', ['/confirmation/after_ms']],
  ['answers for single items', ['/results/list', '/results/id', '/results/status', '/results/taken']],
  ['error body', ['/errors']],
  ['meaning of statuses', ['/statuses']],
  ['limits', ['/limits/items', '/limits/bytes', '/limits/in_flight', '/limits/calls_per_second']],
  ['time-outs', ['/timeouts/connect_ms', '/timeouts/call_ms']],
  ['stamps', ['/stamps/precision', '/stamps/tolerance_ms']],
  ['idempotency key', ['/idempotency/header']],
  [
    "the portal's own list",
    [
      ...[
        'path',
        'method',
        'headers',
        'paging',
        'parameter',
        'first_page',
        'cursor',
        'items',
        'id',
        'available',
        'updated_at',
      ],
      ...['label', 'every_seconds', 'vendor'],
    ].map((setting) => `/listing/${setting}`),
  ],
];

/** @param given the profile as the operator wrote it, before defaults */
export function listAssumptions(profile: PortalProfile, given: unknown): Assumption[] {
  const documented = DOCUMENTED.map(([point, value]): Assumption => ({ point, value, origin: 'documented' }));
  const open = OPEN.flatMap(([point, settings]) =>
    settings.filter(isInForce).map((pointer): Assumption => {
      const value = resolvePointer(profile, pointer);
      const origin = resolvePointer(given, pointer) === undefined ? 'assumed' : 'set';
      return { point, value: value === undefined ? 'off' : JSON.stringify(value), origin, setting: dotted(pointer) };
    }),
  );
  return [...documented, ...open];

  /** If no list is read, only `listing.path` is shown. */
  function isInForce(pointer: string): boolean {
    return profile.listing !== undefined || pointer === '/listing/path' || !pointer.startsWith('/listing/');
  }
}

function dotted(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.');
}
