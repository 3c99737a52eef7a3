import { portalTime } from '../../portal/portal-clock.js';
import type { PortalCalls } from '../../portal/portal-client.js';

/** Calls, and what their answers have told. */
export interface Watched {
  readonly fetch: PortalCalls['fetch'];
  /** The clock of the portal says 0 both where it agrees with ours and where no answer has told it. */
  readonly hasTold: () => boolean;
  /** Of the answer that came last. */
  readonly lastStatus: () => number;
}

export function watchAnswers(fetch: PortalCalls['fetch']): Watched {
  let told = false;
  let status = 0;
  return {
    async fetch(...call) {
      const answer = await fetch(...call);
      told ||= portalTime(answer.headers.get('Date')) !== undefined;
      ({ status } = answer);
      return answer;
    },
    hasTold: () => told,
    lastStatus: () => status,
  };
}
