import { expect } from '@open-wc/testing';
import { whileSendingAlone } from '../../../src/client/browser/tab-locks.js';
import { afterThisTest } from '../support/clean-up.js';
import { fakeTimeouts } from '../support/fake-timeouts.js';
import { until } from '../support/until.js';

function somebody(): string {
  return crypto.randomUUID();
}

/** A tab that is frozen in the middle of sending. */
async function freezeATabOf(owner: string): Promise<void> {
  let thaw = (): void => undefined;
  const frozen = new Promise<void>((resolve) => {
    thaw = resolve;
  });
  afterThisTest(() => {
    thaw();
  });
  let holds = false;
  void whileSendingAlone(owner, () => {
    holds = true;
    return frozen;
  });
  await until(() => holds, 'the frozen tab sends');
}

describe('the sender lock', () => {
  it('lets one tab of a person send at a time', async () => {
    const owner = somebody();
    const log: string[] = [];
    const send = (tab: string) =>
      whileSendingAlone(owner, async () => {
        log.push(`${tab} starts`);
        await Promise.resolve();
        log.push(`${tab} ends`);
      });

    await Promise.all([send('first'), send('second')]);

    expect(log).to.deep.equal(['first starts', 'first ends', 'second starts', 'second ends']);
  });

  it('does not make one person wait for another', async () => {
    await freezeATabOf(somebody());
    let sent = false;

    await whileSendingAlone(somebody(), () => {
      sent = true;
      return Promise.resolve();
    });

    expect(sent).to.equal(true);
  });

  it('waits for a frozen tab for five seconds at most', async () => {
    const owner = somebody();
    await freezeATabOf(owner);
    const { asked, end } = fakeTimeouts();
    let sent = false;
    const sending = whileSendingAlone(owner, () => {
      sent = true;
      return Promise.resolve();
    });
    const sentAtOnce = sent;

    end();
    await sending;

    expect(asked).to.deep.equal([5_000]);
    expect(sentAtOnce).to.equal(false);
    expect(sent).to.equal(true);
  });

  it('does not retry a request that fails', async () => {
    let tries = 0;

    const failure = await whileSendingAlone(somebody(), () => {
      tries += 1;
      return Promise.reject(new Error('no network'));
    }).catch((error: unknown) => error);

    expect(failure).to.be.an('error').with.property('message', 'no network');
    expect(tries).to.equal(1);
  });

  it('sends without a lock if the browser has no locks', async () => {
    Object.defineProperty(navigator, 'locks', { value: undefined, configurable: true });
    afterThisTest(() => {
      Reflect.deleteProperty(navigator, 'locks');
    });
    let sent = false;

    await whileSendingAlone(somebody(), () => {
      sent = true;
      return Promise.resolve();
    });

    expect(sent).to.equal(true);
  });
});
