import { expect } from '@open-wc/testing';
import { EditQueue } from '../../../src/client/queue/edit-queue.js';
import { TabChannel, type TabMessage } from '../../../src/client/browser/tab-channel.js';
import { afterThisTest } from '../support/clean-up.js';
import { ownersAtNewProxy } from '../support/owners.js';
import { until } from '../support/until.js';

/** As Firefox does to a page that it lets store nothing. */
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
  it('leaves a page alone, which still sees that another person is there', async () => {
    const { tab, anna, ben } = ownersAtNewProxy();
    const queue = new EditQueue(tab);
    forbidChannels();
    const channel = new TabChannel();
    queue.watch(channel, () => undefined);

    const isAnother = [await queue.adopt(anna), await queue.adopt(ben)];
    channel.post({ kind: 'items' });

    expect(isAnother).to.deep.equal([false, true]);
  });
});

/** A tab's channel, what it heard, and what another script of this origin posts there. */
function listen() {
  const { anna } = ownersAtNewProxy();
  const heard: TabMessage[] = [];
  const channel = new TabChannel();
  channel.listen((news) => heard.push(news));
  channel.join(anna);
  const other = new BroadcastChannel(`vendor-inventory ${anna}`);
  afterThisTest(() => {
    channel.leave();
    other.close();
  });
  return { heard, other };
}

describe('what another script says on the channel between tabs', () => {
  it('is heard only where it is a message of ours', async () => {
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

  it('is one message for all that comes above what tabs say in a second', async () => {
    const { heard, other } = listen();

    for (let count = 0; count < 1_000; count += 1) other.postMessage({ kind: 'items' });

    await until(() => heard.some(({ kind }) => kind === 'queue'), 'all rows are looked at');
    expect(heard.length).to.equal(201);
    other.postMessage({ kind: 'everything' });
    await until(() => heard.at(-1)?.kind === 'everything', 'the next message is heard');
  });
});
