import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { featuresEn } from '../../src/locales/features/features-en.js';
import { counterOf, type Counter, type Forms } from '../../src/locales/counter.js';
import { LANGUAGES, translationOf } from '../../src/locales/languages.js';

/** As far as lists go. */
const COUNTS = [0, 1, 2, 3, 4, 5, 11, 21, 100, 101, 1_000, 100_000];
const REASONS = [
  ['delayed', 'portal_unreachable', 'portal_busy', 'portal_error', 'portal_credentials', 'portal_confirms'],
  ['attention', 'item_refused', 'item_unknown', 'conflict', 'unclaimed', 'permission_missing'],
  ['connection', 'origin_refused', 'token_refused', 'session_unreachable', 'budget_spent', 'overloaded', 'not_deleted'],
] as const;

type Texts = Readonly<Record<string, unknown>>;
type Say = (...values: unknown[]) => unknown;

interface Said {
  readonly dictionary: Texts;
  readonly editorDictionary: Texts;
}

describe('the languages', () => {
  it('are those that the documents name', () => {
    assert.deepEqual(LANGUAGES, ['ar', 'de', 'el', 'es', 'fr', 'hi', 'id', 'it', 'ja', 'pt', 'tr']);
  });

  it('are found by every spelling of their tags', () => {
    for (const tag of ['ar-EG', 'AR', 'pt-BR', 'de-Latn-AT', 'in', 'ar-!']) assert.ok(translationOf(tag), tag);
    for (const tag of ['', 'en', 'zh-Hans', 'not a language', 'constructor'])
      assert.equal(translationOf(tag), undefined);
  });
});

for (const language of LANGUAGES) {
  describe(`the texts in ${language}`, () => {
    it('are all there', async () => {
      const [own, arabic] = [await textsOf(language), await textsOf('ar')];

      for (const part of ['dictionary', 'editorDictionary'] as const) {
        assert.deepEqual(keysOf(own[part]), keysOf(arabic[part]));
      }
    });

    it('have all that is loaded with a feature, in words of their own', async () => {
      const features = (await translationOf(language)?.featureDictionary(language)) as unknown as Texts;

      assert.deepEqual(keysOf(withoutLists(features)), keysOf(withoutLists(featuresEn as unknown as Texts)));
      const same = Object.entries(withoutLists(features)).filter(([name, text]) => {
        if (typeof text !== 'function') return text === featuresEn[name as keyof typeof featuresEn];
        assert.doesNotMatch(String((text as Say)('3', '4')), /undefined|\[object/, name);
        return false;
      });
      assert.ok(same.length < 4, `as in English: ${same.map(([name]) => name).join()}`);
    });

    it('say something of every count, with every plural form of the language', async () => {
      const { dictionary, editorDictionary } = await textsOf(language);

      for (const [name, text] of [...Object.entries(dictionary), ...Object.entries(editorDictionary)]) {
        if (typeof text !== 'function') continue;
        for (const count of COUNTS) {
          const said = (text as Say)(...exampleArguments(name, count));

          assert.equal(typeof said, 'string', name);
          assert.doesNotMatch(String(said), /#|undefined|NaN|\[object/, `${name} of ${String(count)}`);
        }
      }
    });

    it('name the portal as the page does, and by a common noun where the page gives no name', async () => {
      const [named, unnamed] = [await textsOf(language, 'Craftmarket'), await textsOf(language)];

      for (const say of [
        ({ dictionary }: Said) => (dictionary['truth'] as Texts)['on-portal'],
        ({ dictionary }: Said) => (dictionary['truth'] as Texts)['received'],
        ({ dictionary }: Said) => dictionary['nothingOpen'],
        ({ dictionary }: Said) => (dictionary['openCount'] as Say)(2),
        ({ dictionary }: Said) => (dictionary['delayed'] as Say)('portal_busy'),
        ({ dictionary }: Said) => (dictionary['attention'] as Say)('item_refused'),
        ({ editorDictionary }: Said) => editorDictionary['queueTitle'],
        ({ editorDictionary }: Said) => editorDictionary['portalIsBack'],
      ]) {
        assert.match(String(say(named)), /Craftmarket/);
        assert.doesNotMatch(String(say(unnamed)), /Craftmarket|undefined/);
      }
    });

    it('say of a save why changes are held back, and call the rest as its filter does', async () => {
      const { editorDictionary } = await textsOf(language);
      const saveDone = editorDictionary['saveDone'] as Say;
      const { changed } = editorDictionary['filter'] as Readonly<Record<string, string>>;

      const [all, held, left] = [
        [3, 0, 0],
        [3, 2, 0],
        [3, 0, 2],
      ].map((counts) => String(saveDone(...counts)));

      assert.ok((held?.length ?? 0) - (all?.length ?? 0) > 25, held);
      const stem = (changed ?? '').toLocaleLowerCase(language).slice(0, 7);
      assert.ok(left?.toLocaleLowerCase(language).includes(stem), `${left ?? ''} has “${stem}”`);
    });

    it('tell each reason apart from the others', async () => {
      const { dictionary } = await textsOf(language);

      for (const [name, ...codes] of REASONS) {
        const said = [undefined, ...codes].map((code) => (dictionary[name] as Say)(code));

        assert.equal(new Set(said).size, said.length, name);
      }
    });
  });
}

async function textsOf(language: string, portal?: string): Promise<Said> {
  const translation = translationOf(language);
  assert.ok(translation);
  if (language === 'ar') {
    const [dictionary, editorDictionary] = [translation.dictionary, translation.editorDictionary];
    return {
      dictionary: (await dictionary(language))(portal) as unknown as Texts,
      editorDictionary: (await editorDictionary(language))(portal) as unknown as Texts,
    };
  }
  const file = (await import(`../../src/locales/${language}.js`)) as Readonly<
    Record<'dictionary' | 'editorDictionary', (counter: Counter, portal?: string) => unknown>
  >;
  const counter = strictCounter(language);
  return {
    dictionary: file.dictionary(counter, portal) as Texts,
    editorDictionary: file.editorDictionary(counter, portal) as Texts,
  };
}

/** Refuses a text that lacks a plural form which a list can need. */
function strictCounter(language: string): Counter {
  const plural = new Intl.PluralRules(language);
  const needed = new Set(COUNTS.map((count) => plural.select(count)));
  const { number, counted } = counterOf(language);
  return {
    number,
    counted(count, forms: Forms) {
      for (const form of needed) assert.ok(forms[form] !== undefined, `“${forms.other}” has no form “${form}”`);
      return counted(count, forms);
    },
  };
}

/** How many words a language has for one thing is its own. */
function withoutLists(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).filter(([name, text]) => name !== 'heads' && !Array.isArray(text)));
}

function keysOf(texts: Texts): string[] {
  return Object.entries(texts)
    .flatMap(([name, text]) =>
      typeof text === 'object' && text !== null ? Object.keys(text).map((key) => `${name}.${key}`) : [name],
    )
    .sort();
}

/** Of numbers where a text counts, and of names elsewhere. */
function exampleArguments(name: string, count: number): unknown[] {
  switch (name) {
    case 'bulkTitle':
    case 'bulkSame':
    case 'bulkSet':
    case 'bulkDone':
      return [count, count % 2 === 0];
    case 'undone':
    case 'redone':
    case 'saving':
    case 'groupCount':
    case 'saveDone':
      return [count, count, count];
    case 'drafts':
    case 'closed':
      return [count, 'gestern'];
    case 'fromTo':
      return ['an', 'aus'];
    case 'changedBy':
      return ['Ada', 'Sauna', 'an'];
    case 'since':
      return ['gestern', count === 0 ? undefined : 'Ada'];
    case 'back':
    case 'confirmQuestion':
    case 'by':
    case 'keepMine':
    case 'takeTheirs':
    case 'requestId':
    case 'triedAgain':
    case 'secretGiven':
      return ['Ada'];
    case 'delayed':
    case 'attention':
    case 'connection':
      return [undefined];
    default:
      return [count];
  }
}
