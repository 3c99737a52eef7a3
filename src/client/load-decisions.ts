import type * as trouble from './trouble.js';

export type Decisions = typeof trouble;

/** For what offers them, before it does: who is offered something can do it, with or without a network. */
export function loadDecisions(): Promise<Decisions> {
  return import('./trouble.js');
}
