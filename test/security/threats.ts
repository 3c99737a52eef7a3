/** A test by its file below test/ and a part of its title that occurs in that file. */
export type NamedTest = readonly [file: string, title: string];

export interface Threat {
  readonly attacker: string;
  readonly tests: readonly NamedTest[];
}

/** The threats, and the tests of each defence. `test/architecture/threats.test.ts` checks that these tests exist. */
export const THREATS: Readonly<Record<string, Threat>> = {
  T1: {
    attacker: 'other script in the host’s page acts as the person',
    tests: [
      ['security/hostile-page.test.ts', 'intercepts the embed token: this risk remains'],
      ['security/hostile-page.test.ts', 'finds neither that token nor a secret stored in the page'],
      ['security/hostile-page.test.ts', 'writes with that token no more than the person may in a minute'],
      ['proxy/http/write-budgets.test.ts', 'of a person is a number of edits per minute'],
      ['journeys/one-toggle.test.ts', 'gives the page neither the client secret nor the portal token'],
    ],
  },
  T2: {
    attacker: 'a page of another site forges a request',
    tests: [
      ['security/cross-site.test.ts', "from ${name === EVIL ? 'another site'"],
      ['proxy/http/defences.test.ts', 'before routing, a request is rejected'],
      ['proxy/http/cors.test.ts', 'of another origin to ${path} returns no CORS header'],
      ['proxy/routes/public-routes.test.ts', 'allows GET and HEAD only: ${method} ${path}'],
    ],
  },
  T3: {
    attacker: 'a page of a sibling below the same domain forges a request',
    tests: [
      ['security/cross-site.test.ts', 'a sibling below the same domain'],
      ['proxy/http/defences.test.ts', 'by a link, a frame or an image of a sibling'],
    ],
  },
  T4: {
    attacker: 'a vendor edits or sees another’s items',
    tests: [
      ['proxy/delivery/two-worlds.test.ts', 'gets the same responses whatever another vendor does'],
      [
        'proxy/delivery/two-vendors-one-credential.test.ts',
        'delays no edit of another vendor on the same credential, however long that goes on',
      ],
      ['proxy/access/vendor-isolation.test.ts', 'each vendor gets what it posted, and nothing of the other'],
      [
        'proxy/access/vendor-isolation.test.ts',
        'an item of another vendor and one outside the session get the same response',
      ],
      ['proxy/access/list-ownership.test.ts', 'an id of another vendor is refused before any list was read'],
      ['proxy/access/list-ownership.test.ts', 'guesses at listed ids spend the budget'],
      ['proxy/routes/event-stream.test.ts', 'sends no event about another vendor or an item outside the session'],
      ['proxy/outbox/two-people.test.ts', 'learns neither the edit of another person nor its author'],
      ['proxy/access/permissions.test.ts', 'gets the indices of the other items in a batch'],
    ],
  },
  T5: {
    attacker: 'an embed token is stolen or forged',
    tests: [
      ['proxy/access/embed-token.test.ts', 'an embed token is refused with one and the same answer, with'],
      ['proxy/access/embed-token.test.ts', 'a stolen embed token is refused with the same answer'],
      ['proxy/access/embed-token-keys.test.ts', 'rejects an HS256 token whose secret is the public key'],
      ['proxy/access/embed-token-keys.test.ts', 'does not fetch keys from the jku or x5u address of a token'],
      ['proxy/routes/session-route.test.ts', 'revokes the token at every route'],
      ['proxy/routes/session-route.test.ts', 'revokes every earlier token of the person'],
      ['proxy/routes/session-route.test.ts', 'survives a restart, even if the clock was ahead'],
      ['proxy/node/cli/command.test.ts', 'does not start the debugger at SIGUSR1'],
      ['proxy/http/write-budgets.test.ts', 'an address with many invalid sessions'],
    ],
  },
  T6: {
    attacker: 'an item is named so that its name runs as script',
    tests: [
      ['security/hostile-data.test.ts', 'are shown as text, and create no element'],
      ['security/hostile-data.test.ts', 'cause no violation, though the policy reports one for innerHTML'],
      ['security/printed-policy.test.ts', 'delivers a change to the portal, without a violation of its policy'],
      ['journeys/one-toggle.test.ts', 'works under the strict content security policy with Trusted Types'],
      ['proxy/http/any-request.test.ts', 'as a body gets receipts or a client error, and never a server error'],
    ],
  },
  T7: {
    attacker: 'the script is replaced by another one',
    tests: [
      ['security/integrity.test.ts', 'is identical to the served script, byte for byte'],
      ['security/integrity.test.ts', 'does not run a script with one additional byte'],
      ['security/printed-policy.test.ts', 'a host page with the tag and policy that the check prints'],
    ],
  },
  T8: {
    attacker: 'the proxy is made to call another server, or to send its token there',
    tests: [
      ['proxy/access/one-destination.test.ts', 'go to two addresses of the portal only, for ten thousand ids'],
      ['proxy/access/one-destination.test.ts', 'keep the name of a vendor in one segment of the path'],
      ['proxy/portal/portal-client.test.ts', 'a redirect is not followed, and the token is sent nowhere else'],
      ['proxy/portal/token-request.test.ts', 'does not follow a redirect, so that the secret reaches only the portal'],
      ['proxy/node/calendar/calendar-source.test.ts', 'must not be a private address, by name or number'],
      [
        'proxy/node/calendar/calendar-source.test.ts',
        'must not have a name that resolves to a private address the second time',
      ],
      ['proxy/node/calendar/calendar-source.test.ts', 'must not redirect to ${location}'],
      [
        'proxy/node/calendar/calendar-source.test.ts',
        'is fetched without cookies, credentials, referrer or origin, and parsed',
      ],
    ],
  },
  T9: {
    attacker: 'headers are smuggled, or forged as if a gateway had set them',
    tests: [
      ['proxy/node/server/raw-requests.test.ts', 'a request at a real socket is rejected as a whole with'],
      ['proxy/node/server/raw-requests.test.ts', 'a request at a real socket is rejected if it repeats'],
      ['proxy/node/server/raw-requests.test.ts', 'the proxy ignores a header that an untrusted gateway or client sets'],
      [
        'proxy/node/server/raw-requests.test.ts',
        'gets exactly the headers of the proxy, and no value of a page or gateway',
      ],
      ['proxy/node/server/over-the-wire.test.ts', 'refuses a request with ${what}'],
      ['proxy/node/server/client-address.test.ts', 'the address of a request'],
    ],
  },
  T10: {
    attacker: 'the portal, an impostor of it, or the server of a vendor’s calendar sends a malicious response',
    tests: [
      ['proxy/portal/portal-words.test.ts', 'no text of the portal reaches a page if the portal'],
      ['proxy/portal/portal-client.test.ts', 'an endless body is read up to a megabyte'],
      ['proxy/portal/token-request.test.ts', 'and reveals neither secret nor token'],
      ['proxy/node/portal/read-items.test.ts', 'nothing but brackets'],
      [
        'proxy/routes/client-clocks.test.ts',
        'is ignored if its Date header is ${date}, whose timestamps would make all later edits older',
      ],
      ['proxy/node/calendar/calendar-source.test.ts', 'is not read beyond a megabyte, counted after decompression'],
      [
        'proxy/node/calendar/calendar-source.test.ts',
        'is given up after a time limit if its recurrence rule never ends',
      ],
      ['proxy/node/calendar/busy-times.test.ts', 'is rejected as a whole'],
    ],
  },
  T11: {
    attacker: 'an unauthorised person reads the logs',
    tests: [
      ['proxy/runtime/secret.test.ts', 'a secret that is printed'],
      ['proxy/access/embed-token.test.ts', 'has the reason of a refusal, and never the token'],
      ['proxy/node/cli/command.test.ts', 'delivers an edit, serves the script, and reveals no secret'],
      ['journeys/one-toggle.test.ts', 'gives the page neither the client secret nor the portal token'],
    ],
  },
  T12: {
    attacker: 'too many or too large requests are sent',
    tests: [
      ['proxy/routes/bad-requests.test.ts', 'body_too_large'],
      ['proxy/routes/bad-requests.test.ts', 'too_many_edits'],
      ['proxy/node/server/over-the-wire.test.ts', 'stops reading a chunked body that exceeds the limit'],
      ['proxy/http/write-budgets.test.ts', 'the write budget'],
      ['proxy/http/high-water.test.ts', 'a proxy with too many waiting edits'],
      [
        'proxy/routes/many-reads.test.ts',
        'gets budget_spent beyond the limit until a response was read, without an effect on other people',
      ],
      ['proxy/routes/many-reads.test.ts', 'reads only the rows that it returns'],
      ['proxy/routes/many-reads.test.ts', 'read the outbox once for each change, however many streams there are'],
      ['proxy/node/server/over-the-wire.test.ts', 'closes the longest idle connection of an address'],
    ],
  },
  T13: {
    attacker: 'the next person uses the same browser',
    tests: [
      ['security/next-person.test.ts', 'sees nothing of an edit that another person left unsent on this device'],
      ['security/next-person.test.ts', 'finds nothing after the other person has signed out'],
      ['client/store/sign-out.test.ts', 'lets the next person sign in, who sees nothing of the first'],
      ['client/store/store-people.test.ts', 'another person who signs in'],
    ],
  },
  T14: {
    attacker: 'an invisible frame captures a click',
    tests: [
      ['security/framed.test.ts', 'shows an error page of the browser instead of ${path} of the proxy'],
      ['security/framed.test.ts', 'shows an error page of the browser instead of the demo'],
      ['proxy/http/answer-headers.test.ts', 'the security headers are set on'],
    ],
  },
  T15: {
    attacker: 'a wrong clock sends a timestamp of the future',
    tests: [['proxy/routes/client-clocks.test.ts', 'stamped by the proxy, and a later edit of a correct clock wins']],
  },
  T16: {
    attacker: 'the operator or the integrator makes a mistake',
    tests: [
      ['proxy/node/config/refused-settings.test.ts', 'an invalid setting'],
      ['proxy/node/cli/command.test.ts', 'prints every invalid setting, a line each, and exits with 78'],
      ['elements/shared/secret-attribute.test.ts', 'an element with an attribute whose name suggests a secret'],
    ],
  },
};
