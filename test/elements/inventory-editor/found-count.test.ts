import { expect } from '@open-wc/testing';
import { FoundCount } from '../../../src/elements/inventory-editor/editing/outcome-announcer.js';
import { until } from '../../client/support/until.js';

describe('the announced number of search results', () => {
  it('is announced once the search is complete, even if it was restarted before', async () => {
    const heard: number[] = [];
    let looks = 0;
    const search = {
      isBusy: false,
      found: 11,
      get busy() {
        looks += 1;
        return this.isBusy;
      },
    };
    const say = (): void => void heard.push(search.found);
    const count = new FoundCount();
    count.ask({ filter: 'all' });
    count.isFound(search, say);

    Object.assign(search, { isBusy: true, found: 3 });
    await until(() => looks > 0, 'it would have been said');
    Object.assign(search, { isBusy: false, found: 12 });
    count.isFound(search, say);

    await until(() => heard.length > 0, 'it is announced');
    expect(heard).to.deep.equal([12]);
  });
});
