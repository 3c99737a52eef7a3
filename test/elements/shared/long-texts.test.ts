import { expect, fixture, html } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
import type { AvailabilityToggle, InventoryEditor } from '../../../src/index.js';
import { editorEn } from '../../../src/locales/editor-en.js';
import { featuresEn } from '../../../src/locales/features/features-en.js';
import { enConfirm, enConflict, enList, enToggle } from '../../../src/locales/en.js';
import { afterThisTest } from '../../client/support/clean-up.js';
import { findCutTexts } from '../support/cut-texts.js';
import { doubleTexts } from '../support/doubled-texts.js';
import { EDITOR_STATES } from '../support/editor-states.js';
import { FEATURE_STATES } from '../support/feature-states.js';
import { StatePage } from '../support/state-page.js';
import { TOGGLE_STATES } from '../support/toggle-states.js';

/** English is a short language: others need up to twice the room for a short text. */
const STRINGS = doubleTexts({ ...enToggle(), ...enConflict, ...enConfirm, ...enList(), ...editorEn() });
// What comes with a feature has no property for own texts.
Object.assign(featuresEn, doubleTexts(featuresEn));

type State = (page: StatePage) => Promise<AvailabilityToggle | InventoryEditor>;

const STATES: readonly (readonly [element: string, states: Readonly<Record<string, State>>])[] = [
  ['a toggle', TOGGLE_STATES],
  ['an editor', { ...EDITOR_STATES, ...FEATURE_STATES }],
];

const LOOK = { name: 'in light colours', scheme: 'light', dir: 'ltr' } as const;

for (const width of [375, 1280]) {
  describe(`texts of double length, on a page of ${String(width)} px, are not cut off in`, () => {
    for (const [element, states] of STATES) {
      for (const [name, arrange] of Object.entries(states)) {
        it(`${element} ${name}`, async () => {
          await setViewport({ width, height: 800 });
          afterThisTest(() => setViewport({ width: 800, height: 600 }));
          const shown = await arrange(new StatePage(LOOK));

          shown.strings = STRINGS;
          await shown.updateComplete;
          await new Promise(requestAnimationFrame);

          expect(findCutTexts(shown).join('\n')).to.equal('');
        });
      }
    }
  });
}

describe('the detection of texts that are cut off', () => {
  it('finds a text that is wider than its box, and one that its box clips', async () => {
    const element = await fixture<HTMLElement>(
      html`<div style="font: 16px/20px monospace">
        <p style="inline-size: 40px; white-space: nowrap">wider than its box</p>
        <p style="block-size: 20px; inline-size: 80px; overflow: hidden">of two lines</p>
        <p>whole</p>
      </div>`,
    );

    const found = findCutTexts(element).map((line) => line.split('"')[1]);
    expect(found).to.deep.equal(['wider than its box', 'of two lines']);
  });
});
