import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Secret } from '../../../src/proxy/runtime/secret.js';
import { createTokenSeal } from '../../../src/proxy/portal/token-seal.js';

const TOKEN = new Secret('canary-of-the-portal-token');
const subject = { about: '["https://portal.example.com","guest-house"]', clientSecret: new Secret('portal-secret') };

describe('a sealed token', () => {
  it('opens with the same client secret, and reveals nothing', async () => {
    const sealed = await (await createTokenSeal(subject)).seal(TOKEN, 7);

    const opened = await (await createTokenSeal({ ...subject })).open(sealed, 7);

    assert.equal(opened?.reveal(), TOKEN.reveal());
    assert.ok(!Buffer.from(sealed).toString('latin1').includes('canary'));
  });

  it('looks different each time', async () => {
    const { seal } = await createTokenSeal(subject);

    const [one, other] = [await seal(TOKEN, 7), await seal(TOKEN, 7)];

    assert.notDeepEqual(one, other);
  });

  const strangers = {
    'who has another secret': { ...subject, clientSecret: new Secret('portal-secret-2') },
    'another credential of the same secret': { ...subject, about: '["https://portal.example.com","boat-tours"]' },
  };
  for (const [who, stranger] of Object.entries(strangers)) {
    it(`does not open with ${who}, and has another storage key`, async () => {
      const [own, other] = [await createTokenSeal(subject), await createTokenSeal(stranger)];

      const opened = await other.open(await own.seal(TOKEN, 7), 7);

      assert.equal(opened, undefined);
      assert.notEqual(own.place, other.place);
    });
  }

  it('does not open as another generation, with a changed bit, or truncated', async () => {
    const { seal, open } = await createTokenSeal(subject);
    const sealed = await seal(TOKEN, 7);

    const opened = [await open(sealed, 8), await open(sealed.slice(0, -1), 7), await open(new Uint8Array(3), 7)];
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = sealed.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      opened.push(await open(changed, 7));
    }

    assert.deepEqual(new Set(opened), new Set([undefined]));
  });

  it('has a storage key that reveals nothing about the secret', async () => {
    const { place } = await createTokenSeal(subject);

    assert.match(place, /^[0-9a-f]{64}$/);
  });
});
