import { expect } from '@open-wc/testing';
import { foldText } from '../../../src/client/editor/fold-text.js';

describe('a folded text', () => {
  for (const [kind, written, typed] of [
    ['case', 'Seehaus', 'seeHAUS'],
    ['accents', 'Crème brûlée', 'creme brulee'],
    ['the German sharp s', 'Große Straße', 'grosse strasse'],
    ['the capital sharp s', 'GROẞE', 'grosse'],
    ['the Polish l', 'Łódź', 'lodz'],
    ['the Danish o', 'Smørrebrød', 'smorrebrod'],
    ['the Croatian d', 'Đakovo', 'dakovo'],
    ['the French oe', 'Sacré-Cœur', 'sacre-coeur'],
    ['the Danish ae', 'Ærø', 'aero'],
    ['the Turkish i', 'Ilıca İskelesi', 'ilica iskelesi'],
    ['the Greek final sigma', 'ΚΉΠΟΣ', 'κηποσ'],
    ['soft hyphens', 'Garten\u00adzimmer', 'gartenzimmer'],
    ['zero-width characters', 'Gar\u200bten\u200d\ufeff', 'garten'],
    ['the Arabic tatweel', 'غـــرفة', 'غرفة'],
    ['Arabic vowel signs', 'غُرْفَة', 'غرفة'],
    ['typographic apostrophes', 'L’Étoile', "l'etoile"],
    ['full-width letters and digits', 'Ｒｏｏｍ　１２', 'room 12'],
    ['ligatures', 'oﬀice', 'office'],
  ] as const) {
    it(`is the same with and without ${kind}`, () => {
      expect(foldText(written)).to.equal(foldText(typed));
    });
  }

  it('keeps the letters by which two words differ', () => {
    expect(foldText('Haus 1')).not.to.equal(foldText('Haus 2'));
    expect(foldText('か')).not.to.equal(foldText('き'));
    expect(foldText('दिन')).not.to.equal('');
  });
});
