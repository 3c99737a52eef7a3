import fc from 'fast-check';
import type { Decision, Wish } from '../../support/delivery-stand.js';
import type { Weather } from '../../support/weather-portal.js';

export const GOOD = ['boat', 'kayak', 'sauna', 'workshop'];
export const REFUSED = 'cabin';
/** Something in front of the portal dislikes its id. */
export const BLOCKED = 'drop-table';
export const BAD: readonly string[] = [REFUSED, BLOCKED];
export const LOSSY: ReadonlySet<Weather> = new Set([
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
  | { readonly do: 'post'; readonly wishes: readonly Wish[] }
  | { readonly do: 'pass'; readonly milliseconds: number }
  | { readonly do: 'weather'; readonly weather: Weather }
  | { readonly do: 'down'; readonly down: boolean }
  | { readonly do: 'set clock' | 'set portal clock'; readonly by: number }
  | { readonly do: 'freeze portal clock'; readonly frozen: boolean }
  | { readonly do: 'expire tokens' | 'restart' | 'crash' };

const wish = fc.record({ id: fc.constantFrom(...GOOD, ...BAD), available: fc.boolean() });

export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('post' as const),
      wishes: fc.uniqueArray(wish, { minLength: 1, maxLength: 4, selector: ({ id }) => id }),
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
      do: fc.constant('weather' as const),
      weather: fc.constantFrom<Weather>('clear', 'unreachable', 'too many', 'a web page', 'answer slow', ...LOSSY),
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

/** What once ended otherwise, or is too rare to come up by itself. */
export const EXAMPLES: [Step[], number, number][] = [
  // A stamp that went ahead with our clock, which was set between two calls.
  [
    [
      { do: 'set clock', by: DAY },
      { do: 'post', wishes: [{ id: 'boat', available: false }] },
    ],
    0,
    0,
  ],
  // A wait that was planned by a clock which was set back before the next start.
  [
    [
      {
        do: 'post',
        wishes: [
          { id: REFUSED, available: false },
          { id: 'boat', available: false },
        ],
      },
      { do: 'set clock', by: -3_629_001 },
      { do: 'post', wishes: [{ id: 'boat', available: false }] },
      { do: 'restart' },
    ],
    0,
    0,
  ],
  // A doubt that was noted by a clock which was set back before the next start: the next value was said again until the
  // clock came to where it was.
  [
    [
      { do: 'weather', weather: 'a web page' },
      { do: 'post', wishes: [{ id: 'boat', available: false }] },
      { do: 'pass', milliseconds: 600 },
      { do: 'set clock', by: -10 * HOUR },
      { do: 'restart' },
      { do: 'weather', weather: 'clear' },
      { do: 'post', wishes: [{ id: 'boat', available: true }] },
    ],
    0.5,
    0,
  ],
  // An older value that lands after the newest one.
  [
    [
      { do: 'weather', weather: 'acts late' },
      { do: 'post', wishes: [{ id: 'boat', available: false }] },
      { do: 'pass', milliseconds: 300 },
      { do: 'weather', weather: 'clear' },
      { do: 'post', wishes: [{ id: 'boat', available: true }] },
    ],
    0.5,
    0,
  ],
  // A portal whose clock is set back by a day, and stands still.
  [
    [
      { do: 'post', wishes: [{ id: 'boat', available: false }] },
      { do: 'set portal clock', by: -DAY },
      { do: 'freeze portal clock', frozen: true },
      { do: 'post', wishes: [{ id: 'kayak', available: true }] },
      { do: 'pass', milliseconds: 6 * MINUTE },
      { do: 'restart' },
      {
        do: 'post',
        wishes: [
          { id: 'boat', available: true },
          { id: 'sauna', available: true },
        ],
      },
    ],
    0.5,
    0,
  ],
];
