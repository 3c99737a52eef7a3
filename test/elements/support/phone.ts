import { expect } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
import type { InventoryEditor } from '../../../src/index.js';
import { afterThisTest } from '../../client/support/clean-up.js';

const DIRECTIONS = { en: 'ltr', de: 'ltr', ar: 'rtl' } as const;

export type PhoneLanguage = keyof typeof DIRECTIONS;

/** Declares a test for each language, on a page as narrow as the narrowest phones: 320 px. */
export function itOnAPhone(
  title: string,
  languages: readonly PhoneLanguage[],
  test: (language: PhoneLanguage) => Promise<void>,
): void {
  for (const language of languages) {
    it(`${title} in ${language}`, async () => {
      await setViewport({ width: 320, height: 640 });
      afterThisTest(() => setViewport({ width: 800, height: 600 }));
      await test(language);
    });
  }
}

export async function setLanguage(editor: InventoryEditor, language: PhoneLanguage): Promise<void> {
  editor.lang = language;
  editor.dir = DIRECTIONS[language];
  await editor.updateComplete;
}

/** @param box must not need to be scrolled sideways */
export async function expectAccessibleAndFitting(editor: InventoryEditor, box: HTMLElement | null): Promise<void> {
  await expect(editor).to.be.accessible();
  expect(box?.scrollWidth).to.be.at.most(box?.clientWidth ?? 0);
}
