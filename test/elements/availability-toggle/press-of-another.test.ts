import { expect } from '@open-wc/testing';
import '../../../src/index.js';
import { EditorTools } from '../../../src/elements/inventory-editor/editing/editor-controller.js';
import { afterThisTest } from '../../client/support/clean-up.js';
import { BOAT, KAYAK } from '../../client/support/items.js';
import { BEN, fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { row, untilStatus, workingEditor } from '../support/editor-page.js';

type Act = (...pressed: Parameters<EditorTools['act']>) => void;

/** Presses wait from now on, as on a slow network for the part that takes them. @returns lets them go on */
function holdPresses(): () => void {
  const { prototype } = EditorTools;
  const act = Reflect.get(prototype, 'act') as Act;
  const held: (() => void)[] = [];
  const letGo = (): void => {
    prototype.act = act;
    for (const press of held.splice(0)) press();
  };
  prototype.act = function (this: EditorTools, ...pressed) {
    held.push(() => void Reflect.apply(act, this, pressed));
  };
  afterThisTest(letGo);
  return letGo;
}

describe('a press that waits until the editor has loaded its code', () => {
  it('is dropped if another person has signed in by then', async () => {
    const proxy = fakeProxy();
    const items = [KAYAK, BOAT].map((id) => ({ id, available: true }));
    const editor = await workingEditor(proxy, items, { saveMode: 'auto' });
    const letGo = holdPresses();

    row(editor, KAYAK).control.click();
    proxy.person = BEN;
    const asked = proxy.heardOn('GET v1/inventory').length;
    await editor.refresh();
    await until(() => proxy.heardOn('GET v1/inventory').length > asked, 'the items of the other person are read');
    letGo();
    row(editor, BOAT).control.click();
    await untilStatus(editor, BOAT, 'Sent, ');

    expect(proxy.accepted.map(({ id }) => id)).to.deep.equal([BOAT]);
  });

  it('is carried out if the same person is still signed in', async () => {
    const proxy = fakeProxy();
    const editor = await workingEditor(proxy, [{ id: KAYAK, available: true }], { saveMode: 'auto' });
    const letGo = holdPresses();

    row(editor, KAYAK).control.click();
    await editor.refresh();
    letGo();

    await untilStatus(editor, KAYAK, 'Sent, ');
    expect(proxy.accepted.map(({ id }) => id)).to.deep.equal([KAYAK]);
  });
});
