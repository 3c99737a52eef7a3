import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeJwt, SignJWT } from 'jose';
import { VERSION } from '../../../src/contract/version.js';
import { PERMISSIONS, PERSON_HEADER, personNamed, session } from '../../../src/contract/widget.js';
import { ROUTES } from '../../../src/proxy/app.js';
import { expectProblem } from '../../support/expect-problem.js';
import type { SqliteOutbox } from '../../../src/proxy/node/database/sqlite/outbox-sqlite.js';
import { openProxy } from '../../support/open-proxy.js';
import { embedToken, SESSION_SECRET } from '../../support/page-request.js';
import { VirtualClock } from '../../support/virtual-clock.js';

describe('the session route', () => {
  it('returns the person, their permissions, the limits, the expiry and the time of the proxy', async (t) => {
    const { ask, clock } = openProxy(t, { limits: { maxEdits: 7, maxBodyBytes: 2048 } });
    const token = await embedToken({ name: 'Ada Lovelace', permissions: ['view', 'bulk'], lifetimeSeconds: 300 });

    const answer = await ask('GET', '/v1/session', { token });

    const told = session.parse(await answer.json());
    const lifetime = Date.parse(told.expires_at) - clock.wall();
    assert.ok(Math.abs(lifetime - 300_000) < 10_000, `expires in ${lifetime} ms`);
    assert.deepEqual(told, {
      vendor: 'boat-tours',
      subject: 'ada',
      name: 'Ada Lovelace',
      permissions: ['view', 'bulk'],
      limits: { max_edits: 7, max_body_bytes: 2048 },
      server_time: new Date(clock.wall()).toISOString(),
      expires_at: told.expires_at,
      version: VERSION,
    });
  });

  it('returns no name if the host gave none, and needs no permission', async (t) => {
    const { ask } = openProxy(t);

    const answer = await ask('GET', '/v1/session', { token: await embedToken({ permissions: [] }) });

    const told = session.parse(await answer.json());
    assert.equal('name' in told, false);
    assert.deepEqual(told.permissions, []);
  });
});

describe('a sign-out', () => {
  it('revokes the token at every route', async (t) => {
    const { ask } = openProxy(t);
    const token = await embedToken();

    const ended = await ask('DELETE', '/v1/session', { token, body: '{}' });

    assert.equal(ended.status, 204);
    for (const { method, path } of ROUTES) {
      await expectProblem(
        await ask(method, path, { token, ...(method !== 'GET' && { body: '{}' }) }),
        'session_required',
      );
    }
  });

  it('rejects a batch whose body was still arriving', async (t) => {
    const { ask, outbox } = openProxy(t);
    const token = await embedToken();
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const [page, bytes] = [writable.getWriter(), new TextEncoder()];
    const asked = ask('POST', '/v1/inventory', { token, body: readable });
    // Taken in once the body is read, which is after the session was proven.
    await page.write(bytes.encode('{"inventory":[{"id":"kayak","available":true,'));

    await ask('DELETE', '/v1/session', { token, body: '{}' });
    await page.write(bytes.encode('"updated_at":"2026-11-21T08:30:00.000Z"}]}'));
    await page.close();

    await expectProblem(await asked, 'session_required');
    assert.equal(await outbox.nextDueAt(), undefined);
  });

  it('revokes every earlier token of the person, and none of another person', async (t) => {
    const { ask, clock } = openProxy(t);
    const [here, otherTab, otherPerson, otherVendor] = await Promise.all([
      embedToken(),
      embedToken({ name: 'Ada' }),
      embedToken({ subject: 'bea' }),
      embedToken({ vendor: 'pottery' }),
    ]);
    await clock.pass(2_000);

    await ask('DELETE', '/v1/session', { token: here, body: '{}' });

    await expectProblem(await ask('GET', '/v1/session', { token: otherTab }), 'session_required');
    for (const token of [otherPerson, otherVendor]) {
      assert.equal((await ask('GET', '/v1/session', { token })).status, 200);
    }
  });

  it('does not affect a token of the same person that was issued later', async (t) => {
    const { ask, clock } = openProxy(t);
    const before = await embedToken();
    await ask('DELETE', '/v1/session', { token: before, body: '{}' });
    await clock.pass(2_000);
    const after = await signedLater(2);

    const answer = await ask('GET', '/v1/session', { token: after });

    assert.equal(answer.status, 200);
  });

  it('revokes tokens of a host whose clock is ahead', async (t) => {
    const { ask } = openProxy(t);
    const [otherTab, here] = [await signedLater(40), await embedToken()];
    // A token of any other person shows how late it is at the host.
    await ask('GET', '/v1/session', { token: await signedLater(41, { subject: 'bea' }) });

    await ask('DELETE', '/v1/session', { token: here, body: '{}' });

    await expectProblem(await ask('GET', '/v1/session', { token: otherTab }), 'session_required');
  });

  it('revokes tokens that were issued before the clock was set back', async (t) => {
    const { ask, clock } = openProxy(t);
    const otherTab = await embedToken();
    await clock.pass(2_000);
    clock.setWallBy(-50_000);

    await ask('DELETE', '/v1/session', { token: await embedToken(), body: '{}' });
    clock.setWallBy(50_000);

    await expectProblem(await ask('GET', '/v1/session', { token: otherTab }), 'session_required');
  });

  it('survives a restart, even if the clock was ahead when the proxy started', async (t) => {
    const before = openProxy(t);
    const outbox = before.outbox as SqliteOutbox;
    const otherTab = await embedToken();
    const clock = new VirtualClock(Date.now() + 2_000);
    const first = openProxy(t, { outbox, clock, endedSessions: outbox.endedSessions(clock) });
    await first.ask('DELETE', '/v1/session', { token: await embedToken(), body: '{}' });
    const ahead = new VirtualClock(Date.now() + 3_600_000);

    const after = openProxy(t, { outbox, clock: ahead, endedSessions: outbox.endedSessions(ahead) });
    ahead.setWallBy(-3_600_000);

    await expectProblem(await after.ask('GET', '/v1/session', { token: otherTab }), 'session_required');
  });

  it('lasts as long as the token would have been valid', async (t) => {
    const { ask, clock } = openProxy(t);
    const token = await embedToken({ lifetimeSeconds: 300 });
    await ask('DELETE', '/v1/session', { token, body: '{}' });

    await clock.pass(350_000);
    await ask('DELETE', '/v1/session', { token: await embedToken({ lifetimeSeconds: 900 }), body: '{}' });

    await expectProblem(await ask('GET', '/v1/session', { token }), 'session_required');
  });
});

describe('a page that names the person whom it expects to be signed in', () => {
  it('is answered when they are, whatever their name', async (t) => {
    const { ask } = openProxy(t);
    const person = { vendor: 'Töpferei, „木“', subject: 'zoë@example.com/%2C' };

    const answer = await ask('GET', '/v1/inventory', {
      token: await embedToken(person),
      headers: { [PERSON_HEADER]: personNamed(person) },
    });

    assert.equal(answer.status, 200);
  });

  it('is rejected by every route when another person has signed in since', async (t) => {
    const { ask } = openProxy(t);
    const [anna, ben] = ['anna', 'ben'].map((subject) => ({ vendor: 'boat-tours', subject }));
    const token = await embedToken({ ...ben, permissions: [...PERMISSIONS] });
    assert.ok(anna);

    for (const { method, path } of ROUTES) {
      const headers = { [PERSON_HEADER]: personNamed(anna) };
      await expectProblem(
        await ask(method, path, { token, headers, ...(method !== 'GET' && { body: '{}' }) }),
        'session_changed',
      );
    }
  });

  it('does not confuse a vendor and subject with others that join to the same text', () => {
    const names = [
      personNamed({ vendor: 'a,b', subject: 'c' }),
      personNamed({ vendor: 'a', subject: 'b,c' }),
      personNamed({ vendor: 'a%2Cb', subject: 'c' }),
    ];

    assert.equal(new Set(names).size, 3);
  });
});

/** A token as the host signs it so many seconds from now. */
async function signedLater(seconds: number, claims: Parameters<typeof embedToken>[0] = {}): Promise<string> {
  const payload = decodeJwt(await embedToken(claims));
  const iat = (payload.iat ?? 0) + seconds;
  return new SignJWT({ ...payload, iat, exp: iat + 600, jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(SESSION_SECRET));
}
