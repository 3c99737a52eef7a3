import { expect } from '@open-wc/testing';
import '../../../src/index.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { hear, many, part, partText, pressKeys, search, total, workingEditor } from '../support/editor-page.js';

const COUNT = 100_000;

describe('selecting all while a search is running', () => {
  it('includes all matching items once they are counted, and offers no action before that', async () => {
    const editor = await workingEditor(fakeProxy(), many(COUNT));
    const heard = hear(editor);
    const box = editor.renderRoot.querySelector<HTMLElement>('.head [role=checkbox]');
    const bars: string[] = [];
    await search(editor, 'item');
    expect(total(editor)).to.match(/^counting/);

    box?.click();
    await editor.updateComplete;
    bars.push(partText(editor, 'selection'));
    await until(() => !total(editor).startsWith('counting'), 'all is found');
    await until(() => !partText(editor, 'selection').startsWith('counting'), 'all is selected');
    bars.push(partText(editor, 'selection'));

    expect(bars[0])
      .to.match(/^counting/)
      .and.not.contain('Set');
    expect(bars[1]).to.match(/^100,000 selected .*Open these 100,000$/);
    expect(heard.filter((text) => text.endsWith('selected'))).to.deep.equal(['100,000 selected']);
  });

  it('is cancelled by Escape', async () => {
    const editor = await workingEditor(fakeProxy(), many(COUNT));
    const box = editor.renderRoot.querySelector<HTMLElement>('.head [role=checkbox]');
    await search(editor, 'item');
    box?.click();
    editor.renderRoot.querySelector<HTMLElement>('.sheet [tabindex="0"]')?.focus();
    await pressKeys('Escape');

    await until(() => !total(editor).startsWith('counting'), 'all is found');

    expect(part(editor, 'selection')).to.equal(null);
  });
});
