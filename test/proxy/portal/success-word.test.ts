import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UpdateOutcome } from '../../../src/proxy/portal/outcome.js';
import { answering, deliver, edit, GRANT, lanesTo } from '../../support/portal-by-profile.js';
import { body, servePortal, status, type Answer } from '../../support/portal-server.js';

const BY_SUCCESS = { success: { status: '/success' } };
const BY_CODE = { success: { status: '/code', taken: [0] }, errors: [{ code: '/code', message: '/message' }] };
const BY_ERROR = { success: { status: '/error', taken: [null] } };

const UNREADABLE: UpdateOutcome = { kind: 'held', reason: 'portal_unreadable' };
const BUSY: UpdateOutcome = { kind: 'retry', reason: 'portal_busy' };
const DELIVERED: UpdateOutcome = { kind: 'delivered' };

const refused = (code: string, portalMessage?: string): UpdateOutcome => ({
  kind: 'refused',
  code,
  ...(portalMessage !== undefined && { portalMessage }),
});

describe('a success response whose body says whether the call was accepted', () => {
  const answers: readonly (readonly [of: string, profile: object, answer: Answer, outcome: UpdateOutcome])[] = [
    ['yes', BY_SUCCESS, answering(200, { success: true }), DELIVERED],
    ['no', BY_SUCCESS, answering(200, { success: false }), refused('200 false')],
    [
      'no, and why',
      BY_SUCCESS,
      answering(200, { success: false, error: 'E_ITEM', errorMessage: 'unknown item' }),
      refused('200 E_ITEM', 'unknown item'),
    ],
    ['no, since it is busy', BY_SUCCESS, answering(200, { success: false, error: 429 }), BUSY],
    [
      'no, for a reason between 100 and 399',
      BY_SUCCESS,
      answering(200, { success: false, error: 301 }),
      refused('200 301'),
    ],
    ['neither', BY_SUCCESS, answering(200, { result: 'fine' }), UNREADABLE],
    ['nothing', BY_SUCCESS, status(204), UNREADABLE],
    ['its code for yes', BY_CODE, answering(200, { code: 0 }), DELIVERED],
    [
      'its code for no',
      BY_CODE,
      answering(200, { code: 7, message: 'no such item' }),
      refused('200 7', 'no such item'),
    ],
    [
      'a code that is a status',
      BY_CODE,
      answering(200, { code: 503, message: 'later' }),
      { kind: 'retry', reason: 'portal_error', portalMessage: 'later' },
    ],
    [
      'a code after which it may still act',
      BY_CODE,
      answering(200, { code: '504' }),
      { kind: 'unknown', reason: 'portal_error' },
    ],
    [
      'a status that the profile calls delivered',
      { ...BY_CODE, statuses: { '409': 'delivered' } },
      answering(200, { code: 409 }),
      refused('200 409'),
    ],
    ['no error', BY_ERROR, answering(200, { error: null, id: 1 }), DELIVERED],
    ['nothing of an error', BY_ERROR, answering(200, { id: 1 }), DELIVERED],
    ['nothing at all, where that is a yes', BY_ERROR, status(204), DELIVERED],
    [
      'an error that is an object',
      BY_ERROR,
      answering(200, { error: { code: 'E_ITEM' } }),
      refused('200 {"code":"E_ITEM"}'),
    ],
    ['no, in a web page', BY_SUCCESS, body('<p>"success": true</p>', 'text/html'), UNREADABLE],
    ['no, with a status that means delivered, whatever comes', believed(BY_SUCCESS), answering(200, {}), DELIVERED],
  ];
  for (const [what, profile, answer, expected] of answers) {
    it(`is read by the profile if it says ${what}`, async (t) => {
      const { outcome } = await deliver(t, profile, GRANT, answer);

      assert.deepEqual(outcome, expected);
    });
  }

  function believed(profile: object): object {
    return { ...profile, statuses: { '200': 'delivered' } };
  }

  it('causes a request with a new token if it says that this one is invalid', async (t) => {
    const portal = await servePortal(t, GRANT, answering(200, { code: 401 }), GRANT, answering(200, { code: 0 }));

    const outcome = await lanesTo(portal, BY_CODE)
      .connectionFor('')
      .update([edit('kayak')]);

    assert.deepEqual(outcome, DELIVERED);
    assert.equal(portal.seen.length, 4);
  });

  it('delays the next call by its RateLimit-Reset if it says that the portal is busy', async (t) => {
    const busy: Answer = (response) =>
      response.writeHead(200, { 'Content-Type': 'application/json', 'RateLimit-Reset': '7' }).end('{"code":429}');

    const { outcome } = await deliver(t, BY_CODE, GRANT, busy);

    assert.deepEqual(outcome, { ...BUSY, afterMs: 7_000 });
  });

  it('refuses only the rejected items that it names', async (t) => {
    const results = [{ id: 'canoe', status: 422 }];

    const { outcome } = await deliver(t, BY_SUCCESS, GRANT, answering(200, { success: false, results }));

    assert.deepEqual(outcome, {
      kind: 'delivered',
      refused: new Map([['canoe', '422']]),
      answeredIds: new Set(['canoe']),
    });
  });

  it('refuses the whole call if it names no rejected item', async (t) => {
    const results = [
      { id: 'kayak', status: 200 },
      { id: 'canoe', status: 200 },
    ];

    const { outcome } = await deliver(t, BY_SUCCESS, GRANT, answering(200, { success: false, results }));

    assert.deepEqual(outcome, refused('200 false'));
  });
});
