import { expect } from '@open-wc/testing';
import { FoundCount } from '../../src/elements/inventory-editor/found-count.js';
import { until } from '../client/until.js';

describe('the count of what a person looks for', () => {
  it('is said once all is found, where the search has begun anew before it was', async () => {
    const search = { busy: false, found: 11 };
    const heard: number[] = [];
    const say = (): void => void heard.push(search.found);
    const count = new FoundCount();
    count.ask({ filter: 'all' });
    count.isFound(search, say);

    Object.assign(search, { busy: true, found: 3 });
    await new Promise((resolve) => setTimeout(resolve));
    Object.assign(search, { busy: false, found: 12 });
    count.isFound(search, say);

    await until(() => heard.length > 0, 'it is said');
    expect(heard).to.deep.equal([12]);
  });
});
