import type { Clock } from './clock.js';
import type { Outbox } from './outbox.js';
import type { ProxySession } from './session.js';

/** What a route may use. It is handed a session that has been proven, and a request that is no forgery. */
export interface RouteContext {
  readonly outbox: Outbox;
  readonly limits: { readonly maxBodyBytes: number; readonly maxEdits: number };
  readonly clock: Clock;
  readonly wake: () => void;
}

export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly answer: (request: Request, session: ProxySession, context: RouteContext) => Promise<Response>;
}
