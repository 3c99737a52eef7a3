import type * as decisions from './decisions.js';

export type Decisions = typeof decisions;

/** For what offers them, before it does: who is offered something can do it, with or without a network. */
export function loadDecisions(): Promise<Decisions> {
  return import('./decisions.js');
}
