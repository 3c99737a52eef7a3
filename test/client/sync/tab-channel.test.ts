import { expect } from '@open-wc/testing';
import { EditQueue } from '../../../src/client/queue/edit-queue.js';
import { TabChannel, type TabMessage } from '../../../src/client/browser/tab-channel.js';
import { afterThisTest } from '../support/clean-up.js';
import { ownersAtNewProxy } from '../support/owners.js';
import { until } from '../support/until.js';

/** Refuses channels, as Firefox does on a page that may store nothing. */
function forbidChannels(): void {
  const { BroadcastChannel } = globalThis;
  globalThis.BroadcastChannel = class extends BroadcastChannel {
    constructor(name: string) {
      super(name);
      this.close();
      throw new DOMException('The operation is insecure.', 'SecurityError');
    }
  };
  afterThisTest(() => (globalThis.BroadcastChannel = BroadcastChannel));
}

describe('a browser that refuses a channel between tabs', () => {
  it('does not break a page, which still notices that another person has signed in', async () => {
    const { tab, anna, ben } = ownersAtNewProxy();
    const queue = new EditQueue(tab);
    forbidChannels();
    const channel = new TabChannel();
    queue.watch(channel, () => undefined);

    const isAnother = [await queue.setOwner(anna), await queue.setOwner(ben)];
    channel.post({ kind: 'items' });

    expect(isAnother).to.deep.equal([false, true]);
  });
});

/** A tab's channel, the messages that it received, and the channel of another script of this origin. */
function listen() {
  const { anna } = ownersAtNewProxy();
  const heard: TabMessage[] = [];
  const channel = new TabChannel();
  channel.listen((changedByOthers) => heard.push(changedByOthers));
  channel.join(anna);
  const other = new BroadcastChannel(`vendor-inventory ${anna}`);
  afterThisTest(() => {
    channel.leave();
    other.close();
  });
  return { heard, other };
}

describe('a message of another script on the channel between tabs', () => {
  it('is received only if it is valid', async () => {
    const { heard, other } = listen();
    const round: { self?: unknown } = {};
    round.self = round;
    const ids = Array.from({ length: 1_001 }, (_, at) => `e${String(at)}`);

    for (const message of [
      null,
      'items',
      7n,
      round,
      { kind: 'items' },
      { kind: 'queue' },
      { kind: 'queue', edits: [7] },
    ])
      other.postMessage(message);
    other.postMessage({ kind: 'settled', edits: ids });
    other.postMessage({ kind: 'settled', edits: ['e1'] });

    await until(() => heard.length > 1, 'both messages are heard');
    expect(heard).to.deep.equal([{ kind: 'items' }, { kind: 'settled', edits: ['e1'] }]);
  });

  it('is replaced, beyond the limit for a second, by one message for all', async () => {
    const { heard, other } = listen();

    for (let count = 0; count < 1_000; count += 1) other.postMessage({ kind: 'items' });

    await until(() => heard.some(({ kind }) => kind === 'queue'), 'all rows are looked at');
    expect(heard.length).to.equal(201);
    other.postMessage({ kind: 'everything' });
    await until(() => heard.at(-1)?.kind === 'everything', 'the next message is heard');
  });
});
