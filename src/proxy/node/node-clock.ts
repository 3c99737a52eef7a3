import { uptime } from 'node:os';
import { systemClock, type Clock } from '../runtime/clock.js';

/** The clocks of this machine, with the one that knows how long it has slept. */
export const nodeClock: Clock = { ...systemClock, sinceBoot: () => uptime() * 1000 };
