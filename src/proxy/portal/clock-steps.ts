import type { Clock } from '../runtime/clock.js';

/** Two clocks are never read at one moment, and the time since the start of a machine may be told in whole seconds. */
const NOISE_MS = 2_000;

/**
 * Sees when somebody sets the wall clock, as NTP does after a bad start. While a machine sleeps its wall clock goes on and
 * the monotonic one stands still, which looks the same; the time since it started tells the two apart.
 *
 * @returns asked, by how many milliseconds the wall clock was set ahead (negative: back) since it was asked last; 0 where
 * the clock cannot say
 */
export function watchClockSteps(clock: Clock): () => number {
  const read = () => ({ wall: clock.wall(), monotonic: clock.monotonic(), sinceBoot: clock.sinceBoot?.() });
  let before = read();

  return () => {
    const passed = clock.wall() - before.wall;
    // Cheap, and right but for sleep: every stamp asks.
    if (Math.abs(passed - (clock.monotonic() - before.monotonic)) < NOISE_MS) return 0;
    const now = read();
    const set =
      now.sinceBoot === undefined || before.sinceBoot === undefined
        ? 0
        : now.wall - before.wall - (now.sinceBoot - before.sinceBoot);
    before = now;
    return Math.abs(set) < NOISE_MS ? 0 : Math.round(set);
  };
}
