import fc from 'fast-check';
import type { Decision, EditRequest } from '../../support/delivery-fixture.js';
import type { NetworkFault } from '../../support/unreliable-portal.js';

export const GOOD = ['boat', 'kayak', 'sauna', 'workshop'];
export const REFUSED = 'cabin';
/** A firewall in front of the portal rejects its id. */
export const BLOCKED = 'drop-table';
export const BAD: readonly string[] = [REFUSED, BLOCKED];
export const LOSSY: ReadonlySet<NetworkFault> = new Set([
  'request lost',
  'answer late',
  'answer lost',
  'answer cut short',
  'acts late',
]);

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export type Step =
  | { readonly do: 'decide'; readonly what: Decision; readonly back: number }
  | { readonly do: 'post'; readonly requests: readonly EditRequest[] }
  | { readonly do: 'pass'; readonly milliseconds: number }
  | { readonly do: 'network fault'; readonly networkFault: NetworkFault }
  | { readonly do: 'down'; readonly down: boolean }
  | { readonly do: 'set clock' | 'set portal clock'; readonly by: number }
  | { readonly do: 'freeze portal clock'; readonly frozen: boolean }
  | { readonly do: 'expire tokens' | 'restart' | 'crash' };

const request = fc.record({ id: fc.constantFrom(...GOOD, ...BAD), available: fc.boolean() });

export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('post' as const),
      requests: fc.uniqueArray(request, { minLength: 1, maxLength: 4, selector: ({ id }) => id }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      milliseconds: fc.constantFrom(1, 300, 600, 4000, 11_000, MINUTE, 6 * MINUTE),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('network fault' as const),
      networkFault: fc.constantFrom<NetworkFault>(
        'none',
        'unreachable',
        'too many',
        'a web page',
        'answer slow',
        ...LOSSY,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('down' as const), down: fc.boolean() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constantFrom('set clock' as const, 'set portal clock' as const),
      by: fc.integer({ min: -DAY, max: DAY }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('freeze portal clock' as const), frozen: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('expire tokens', 'restart', 'crash') }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('decide' as const),
      what: fc.constantFrom<Decision>('retry', 'discard', 'discard'),
      back: fc.nat({ max: 3 }),
    }),
  },
);

/** Lives that once failed, or are too rare to occur at random. */
export const EXAMPLES: [Step[], number, number][] = [
  // A timestamp ahead of the portal, because our clock was set between two calls.
  [
    [
      { do: 'set clock', by: DAY },
      { do: 'post', requests: [{ id: 'boat', available: false }] },
    ],
    0,
    0,
  ],
  // A wait set by a clock that was set back before the next start.
  [
    [
      {
        do: 'post',
        requests: [
          { id: REFUSED, available: false },
          { id: 'boat', available: false },
        ],
      },
      { do: 'set clock', by: -3_629_001 },
      { do: 'post', requests: [{ id: 'boat', available: false }] },
      { do: 'restart' },
    ],
    0,
    0,
  ],
  // An uncertain outcome was recorded by a clock that was set back before the next start: the next value was resent until
  // the clock reached the recorded time.
  [
    [
      { do: 'network fault', networkFault: 'a web page' },
      { do: 'post', requests: [{ id: 'boat', available: false }] },
      { do: 'pass', milliseconds: 600 },
      { do: 'set clock', by: -10 * HOUR },
      { do: 'restart' },
      { do: 'network fault', networkFault: 'none' },
      { do: 'post', requests: [{ id: 'boat', available: true }] },
    ],
    0.5,
    0,
  ],
  // An older value that arrives after the newest one.
  [
    [
      { do: 'network fault', networkFault: 'acts late' },
      { do: 'post', requests: [{ id: 'boat', available: false }] },
      { do: 'pass', milliseconds: 300 },
      { do: 'network fault', networkFault: 'none' },
      { do: 'post', requests: [{ id: 'boat', available: true }] },
    ],
    0.5,
    0,
  ],
  // A portal whose clock is set back by a day, and is frozen.
  [
    [
      { do: 'post', requests: [{ id: 'boat', available: false }] },
      { do: 'set portal clock', by: -DAY },
      { do: 'freeze portal clock', frozen: true },
      { do: 'post', requests: [{ id: 'kayak', available: true }] },
      { do: 'pass', milliseconds: 6 * MINUTE },
      { do: 'restart' },
      {
        do: 'post',
        requests: [
          { id: 'boat', available: true },
          { id: 'sauna', available: true },
        ],
      },
    ],
    0.5,
    0,
  ],
];
