import { expect } from '@open-wc/testing';
import { ApiError } from '../../../src/client/api/api-error.js';
import { createTokenSource, tokenFromFunction } from '../../../src/client/api/token-source.js';
import { hearWarnings } from '../support/console-warnings.js';
import { fakeTimeouts } from '../support/fake-timeouts.js';

/** A host that responds with a token each time the test says so. */
function slowHost() {
  const waiting: ((token: string) => void)[] = [];
  return {
    waiting,
    request: () => new Promise<string>((resolve) => waiting.push(resolve)),
  };
}

function countingHost() {
  let made = 0;
  return {
    request: () => {
      made += 1;
      return Promise.resolve(`token-${String(made)}`);
    },
    get made() {
      return made;
    },
  };
}

function storedTexts(): string[] {
  return [
    ...Object.values({ ...localStorage } as Record<string, string>),
    ...Object.values({ ...sessionStorage } as Record<string, string>),
    document.cookie,
  ];
}

describe('the embed token', () => {
  it('is requested once for any number of callers', async () => {
    const host = slowHost();
    const tokens = createTokenSource(host.request);

    const callers = Promise.all([tokens.token(), tokens.token(), tokens.token()]);
    host.waiting[0]?.('token-1');

    expect(await callers).to.deep.equal(['token-1', 'token-1', 'token-1']);
    expect(host.waiting).to.have.length(1);
  });

  it('is kept for the next caller', async () => {
    const host = countingHost();
    const tokens = createTokenSource(host.request);
    await tokens.token();

    const token = await tokens.token();

    expect(token).to.equal('token-1');
    expect(host.made).to.equal(1);
  });

  it('is in memory only: another source requests its own, and no storage has it', async () => {
    const host = countingHost();
    await createTokenSource(host.request).token();

    const token = await createTokenSource(host.request).token();

    expect(token).to.equal('token-2');
    expect(storedTexts().filter((text) => text.includes('token-'))).to.deep.equal([]);
  });

  it('is renewed once for all callers whose token was refused', async () => {
    const host = countingHost();
    const tokens = createTokenSource(host.request);
    const refused = await tokens.token();

    const renewed = await Promise.all([tokens.renew(refused), tokens.renew(refused), tokens.token()]);

    expect(renewed).to.deep.equal(['token-2', 'token-2', 'token-2']);
    expect(host.made).to.equal(2);
  });

  it('survives a slow caller whose older token was refused', async () => {
    const host = countingHost();
    const tokens = createTokenSource(host.request);
    const old = await tokens.token();
    await tokens.renew(old);

    const token = await tokens.renew(old);

    expect(token).to.equal('token-2');
    expect(host.made).to.equal(2);
  });

  it('is requested again after the host failed', async () => {
    let failed = false;
    const tokens = createTokenSource(() => {
      if (failed) return Promise.resolve('token-1');
      failed = true;
      return Promise.reject(new Error('the host is down'));
    });
    const failure = await tokens.token().catch((error: unknown) => error);

    const token = await tokens.token();

    expect(failure).to.be.an('error');
    expect(token).to.equal('token-1');
  });

  it('does not exist if the host uses its own cookies', async () => {
    const tokens = createTokenSource(undefined);

    expect(await tokens.token()).to.equal(undefined);
    expect(await tokens.renew(undefined)).to.equal(undefined);
  });
});

describe("the host's own function for a token", () => {
  async function failureOf(getSession: () => Promise<string>): Promise<ApiError> {
    const failure = await tokenFromFunction(getSession)().catch((error: unknown) => error);
    if (failure instanceof ApiError) return failure;
    throw new Error(`no failure but ${String(failure)}`);
  }

  it('passes its token on', async () => {
    expect(await tokenFromFunction(() => Promise.resolve('token-1'))()).to.equal('token-1');
  });

  it('is reported on the console with its fault', async () => {
    const heard = hearWarnings();

    await failureOf(() => Promise.reject(new TypeError('user is undefined')));

    expect(heard).to.deep.equal(['getSession TypeError: user is undefined']);
  });

  it('may reject, which counts as an unreachable host, and may be called again', async () => {
    const cause = new TypeError('Failed to fetch');

    const failure = await failureOf(() => Promise.reject(cause));

    expect(failure).to.include({ code: 'session_unreachable', message: 'TypeError: Failed to fetch' });
  });

  it('may throw at once', async () => {
    const failure = await failureOf(() => {
      throw new Error('the host has a bug');
    });

    expect(failure).to.include({ code: 'session_unreachable' });
  });

  for (const [name, code, given] of [
    ['undefined', 'session_refused', undefined],
    ['null', 'session_refused', null],
    ['an empty text', 'session_refused', ''],
    ['an object', 'session_unreadable', { token: 'token-1' }],
    ['a number', 'session_unreadable', 7],
  ] as const) {
    it(`that returns ${name} fails with ${code}, and its result is not quoted`, async () => {
      const failure = await failureOf(() => Promise.resolve(given as unknown as string));

      expect(failure).to.include({ code });
      expect(failure.message).not.to.include('token-1');
    });
  }
});

describe('a token that is about to expire', () => {
  /** A source whose time the test moves, and whose token is good for ten minutes. */
  async function agingToken(host: { request: () => Promise<string> }) {
    let now = 0;
    const tokens = createTokenSource(host.request, () => now);
    tokens.setLifetime(await tokens.token(), 600_000);
    return {
      tokens,
      pass(milliseconds: number) {
        now += milliseconds;
      },
    };
  }

  it('is renewed before that, and is used until the new one arrives', async () => {
    const host = countingHost();
    const { tokens, pass } = await agingToken(host);

    pass(449_999);
    const young = await tokens.token();
    pass(1);
    const old = await tokens.token();
    const renewed = await tokens.token();

    expect([young, old, renewed]).to.deep.equal(['token-1', 'token-1', 'token-2']);
    expect(host.made).to.equal(2);
  });

  it('stays in use if the host has no new one, and the host is not asked at every call', async () => {
    const first = countingHost();
    let asked = 0;
    const host = {
      request: () => {
        asked += 1;
        return asked === 1 ? first.request() : Promise.reject(new ApiError('session_refused', 'signed out'));
      },
    };
    const { tokens, pass } = await agingToken(host);
    pass(500_000);

    const served = [await tokens.token(), await tokens.token(), await tokens.token()];

    expect(served).to.deep.equal(['token-1', 'token-1', 'token-1']);
    expect(asked).to.equal(2);
  });

  it('is forgotten when the person signs out, and so is one in flight', async () => {
    const host = slowHost();
    const tokens = createTokenSource(host.request);
    const onItsWay = tokens.token();
    tokens.forget();
    host.waiting[0]?.('token-of-before');
    await onItsWay;

    const next = tokens.token();
    host.waiting[1]?.('token-of-after');

    expect(await next).to.equal('token-of-after');
  });

  it('is requested once for the next person, though the previous one arrives after that', async () => {
    const host = slowHost();
    const tokens = createTokenSource(host.request);
    const onItsWay = tokens.token();
    tokens.forget();
    const next = tokens.token();
    host.waiting[0]?.('token-of-before');
    await onItsWay;

    const another = tokens.token();
    host.waiting[1]?.('token-of-after');

    expect(await Promise.all([next, another])).to.deep.equal(['token-of-after', 'token-of-after']);
    expect(host.waiting).to.have.length(2);
  });
});

describe('a function of the host', () => {
  it('that never settles times out', async () => {
    const { asked, end } = fakeTimeouts();
    const ask = tokenFromFunction(() => new Promise<string>(() => undefined));

    const failure = ask().catch((error: unknown) => error);
    end();

    expect(await failure).to.include({ code: 'session_unreachable' });
    expect(asked).to.deep.equal([15_000]);
  });
});
