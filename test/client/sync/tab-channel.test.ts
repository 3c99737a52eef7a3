import { expect } from '@open-wc/testing';
import { EditQueue } from '../../../src/client/queue/edit-queue.js';
import { TabChannel } from '../../../src/client/browser/tab-channel.js';
import { afterThisTest } from '../support/clean-up.js';
import { ownersAtNewProxy } from '../support/owners.js';

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
    channel.tell({ kind: 'items' });

    expect(isAnother).to.deep.equal([false, true]);
  });
});
