import { expect } from '@open-wc/testing';
import { EDITOR_STATES } from '../support/editor-states.js';
import { FEATURE_STATES } from '../support/feature-states.js';
import { StatePage, type Look } from '../support/state-page.js';
import { TOGGLE_STATES } from '../support/toggle-states.js';

const LOOKS: readonly Look[] = [
  { name: 'in light colours', scheme: 'light', dir: 'ltr' },
  { name: 'in dark colours', scheme: 'dark', dir: 'ltr' },
  { name: 'from right to left', scheme: 'light', dir: 'rtl' },
];

for (const look of LOOKS) {
  describe(`accessible according to axe, ${look.name}, is`, () => {
    for (const [name, arrange] of Object.entries(TOGGLE_STATES)) {
      it(`a toggle ${name}`, async () => {
        const toggle = await arrange(new StatePage(look));

        await expect(toggle).to.be.accessible();
      });
    }

    for (const [name, arrange] of Object.entries({ ...EDITOR_STATES, ...FEATURE_STATES })) {
      it(`an editor ${name}`, async () => {
        const editor = await arrange(new StatePage(look));

        await expect(editor).to.be.accessible();
      });
    }
  });
}
