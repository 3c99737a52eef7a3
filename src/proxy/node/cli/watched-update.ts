import { readText } from '../../runtime/read-body.js';
import { bounded } from '../../portal/portal-answer.js';
import { TOKEN_PATH, type PortalCalls } from '../../portal/portal-client.js';
import type { PortalAccount } from '../../portal/credentials.js';
import { MAX_ANSWER_BYTES } from '../../portal/portal-request.js';
import { Secret, secretsOutOf } from '../../runtime/secret.js';

/** A fetch that remembers of the last update whether it was sent, and how its answer began. */
export interface WatchedUpdate {
  readonly fetch: typeof fetch;
  readonly isSent: () => boolean;
  /** In visible ASCII, without the secrets that a portal may say back; empty where nothing was said. */
  readonly said: () => string;
}

export function watchUpdate(calls: PortalCalls, { credentials, byVendor }: PortalAccount): WatchedUpdate {
  const secrets = [...credentials, ...[...(byVendor?.values() ?? [])].flat()].map(({ clientSecret }) => clientSecret);
  let isSent = false;
  let said = '';
  return {
    async fetch(...call) {
      // Whatever asks for no token is the update.
      const isUpdate = call[0] !== calls.baseUrl + TOKEN_PATH;
      isSent ||= isUpdate;
      const answer = await calls.fetch(...call);
      if (isUpdate) {
        const text = await readText(answer.clone().body, MAX_ANSWER_BYTES, 'lenient');
        said = inOneLine(secretsOutOf(text, [...secrets, tokenOf(call, calls)]));
      }
      return answer;
    },
    isSent: () => isSent,
    said: () => said,
  };
}

function tokenOf([, request]: Parameters<typeof fetch>, { profile }: PortalCalls): Secret {
  const { header, prefix } = profile.authorization;
  return new Secret((new Headers(request?.headers).get(header) ?? '').slice(prefix.length));
}

function inOneLine(text: string): string {
  return bounded(text.trim().replace(/\s+/g, ' '));
}
