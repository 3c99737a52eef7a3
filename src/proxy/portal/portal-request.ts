import type { PortalAnswer } from './answer-form.js';
import { readText } from '../runtime/read-body.js';
import { watchClockSteps } from './clock-steps.js';
import type { Clock } from '../runtime/clock.js';
import type { PortalClock } from './portal-clock.js';
import type { PortalProfile } from './profile.js';

export const MAX_ANSWER_BYTES = 1024 * 1024;

/** What a request to the portal travels by. */
export interface PortalWire {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly profile: Pick<PortalProfile, 'timeouts'>;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly portalClock: PortalClock;
}

/** One request, and its whole answer. What it tells of the portal's clock is noted. */
export async function send(
  calls: PortalWire,
  path: string,
  method: string,
  request: { readonly headers: Record<string, string>; readonly body: string },
): Promise<PortalAnswer> {
  const { clock, portalClock } = calls;
  const sent = clock.wall();
  const setSince = watchClockSteps(clock);
  const response = await calls.fetch(calls.baseUrl + path, {
    method,
    headers: eachOnce({ Accept: 'application/json', ...request.headers }),
    body: request.body,
    redirect: 'manual',
    signal: AbortSignal.timeout(calls.profile.timeouts.call_ms),
  });
  // Somebody may have set our clock meanwhile: half way between two clocks is no time at all.
  portalClock.observe(response.headers.get('Date'), sent + setSince(), clock.wall());
  // A status line alone is no promise: only the whole answer counts.
  const text = await readText(response.body, MAX_ANSWER_BYTES, 'lenient');
  return { status: response.status, headers: response.headers, text, at: clock.wall() };
}

/** Case does not count in a header's name, and fetch would join two values: the profile may write one as it likes. */
function eachOnce(headers: Readonly<Record<string, string>>): Record<string, string> {
  const byName = new Map(Object.entries(headers).map((header) => [header[0].toLowerCase(), header]));
  return Object.fromEntries(byName.values());
}
