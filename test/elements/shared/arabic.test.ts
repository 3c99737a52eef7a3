import { expect } from '@open-wc/testing';
import '../../../src/index.js';
import { ar } from '../../../src/locales/ar.js';
import { editorAr } from '../../../src/locales/editor-ar.js';
import { editorEn } from '../../../src/locales/editor-en.js';
import { enConfirm } from '../../../src/locales/en.js';
import { type ItemId, toTimestamp } from '../../../src/domain/item.js';
import { KAYAK, LONG_AGO } from '../../client/support/items.js';
import { fakeProxy } from '../../client/support/fake-proxy.js';
import { until } from '../../client/support/until.js';
import { dialog, placeOf, press, row, workingEditor } from '../support/editor-page.js';
import { readyToggle } from '../support/on-page.js';

/** One of each of the six ways to count, in the order of `Six`. */
const COUNTS = [0, 1, 2, 3, 11, 100];
type Six = readonly [zero: string, one: string, two: string, few: string, many: string, other: string];

/** With the digits of this file: which ones Arabic has where no region is said, is the browser's to know. */
const LATIN = 'ar-u-nu-latn';
const [words, editor] = [ar(LATIN), editorAr(LATIN)];

const ITEMS: Six = ['لا عناصر', 'عنصر واحد', 'عنصران', '3 عناصر', '11 عنصرًا', '100 عنصر'];

function around(before: string, counted: Six, after: string): string[] {
  return counted.map((each) => `${before}${each}${after}`);
}

describe('the six Arabic plural forms', () => {
  const SENTENCES: readonly (readonly [name: string, say: (count: number) => string, said: readonly string[]])[] = [
    ['all items', words.total, ITEMS],
    [
      'changes that are not on the portal',
      words.openCount,
      [
        'كل التغييرات منشورة على البوابة',
        'تغيير واحد لم يُنشر بعد على البوابة',
        'تغييران لم يُنشرا بعد على البوابة',
        '3 تغييرات لم تُنشر بعد على البوابة',
        '11 تغييرًا لم يُنشر بعد على البوابة',
        '100 تغيير لم يُنشر بعد على البوابة',
      ],
    ],
    [
      'what others changed, as an object',
      words.changedByOthers,
      around('غيّر آخرون ', ['لا عناصر', 'عنصرًا واحدًا', 'عنصرين', '3 عناصر', '11 عنصرًا', '100 عنصر'], '.'),
    ],
    ['what matches', editor.found, ['لا عنصر مطابق', ...around('مطابق: ', ITEMS, '').slice(1)]],
    [
      'drafts of an earlier visit',
      (count) => editor.drafts(count, 'قبل لحظات'),
      around(
        '',
        [
          'لا تغييرات لم تحفظها',
          'تغيير واحد لم تحفظه',
          'تغييران لم تحفظهما',
          '3 تغييرات لم تحفظها',
          '11 تغييرًا لم تحفظه',
          '100 تغيير لم تحفظه',
        ],
        '، قبل لحظات.',
      ),
    ],
    [
      'a question before many become available',
      (count) => editor.bulkTitle(count, true),
      [
        'لا عناصر لفتحها',
        'هل تريد فتح عنصر واحد؟',
        'هل تريد فتح عنصرين؟',
        'هل تريد فتح 3 عناصر؟',
        'هل تريد فتح 11 عنصرًا؟',
        'هل تريد فتح 100 عنصر؟',
      ],
    ],
    [
      'a question before many become unavailable',
      (count) => editor.bulkTitle(count, false),
      [
        'لا عناصر لإغلاقها',
        'هل تريد إغلاق عنصر واحد؟',
        'هل تريد إغلاق عنصرين؟',
        'هل تريد إغلاق 3 عناصر؟',
        'هل تريد إغلاق 11 عنصرًا؟',
        'هل تريد إغلاق 100 عنصر؟',
      ],
    ],
    [
      'the answer that makes them available',
      (count) => editor.bulkSet(count, true),
      ['فتح', 'فتحه', 'فتحهما', 'فتحها (3)', 'فتحها (11)', 'فتحها (100)'],
    ],
    [
      'the answer that makes them unavailable',
      (count) => editor.bulkSet(count, false),
      ['إغلاق', 'إغلاقه', 'إغلاقهما', 'إغلاقها (3)', 'إغلاقها (11)', 'إغلاقها (100)'],
    ],
    ['what was set', (count) => editor.bulkDone(count, true), around('فُتح: ', ITEMS, '.')],
    ['what was so already', (count) => editor.bulkSame(count, false), around('غير متاح بالفعل: ', ITEMS, '.')],
    ['what may not be changed', editor.bulkLocked, around('لا يُسمح لك بتغييره: ', ITEMS, '.')],
    [
      'what closing all leaves alone',
      editor.turnSkipped,
      around('بقي كما هو: ', ITEMS, '، بسبب تغيير لاحق من شخص آخر أو لأنه لا يُسمح لك بالتغيير.'),
    ],
    [
      'what is discarded',
      editor.discarded,
      around('تم التجاهل: ', ['لا تغييرات', 'تغيير واحد', 'تغييران', '3 تغييرات', '11 تغييرًا', '100 تغيير'], '.'),
    ],
    ['what is taken back', (count) => editor.undone(count, 0), around('تم التراجع: ', ITEMS, '')],
    [
      'what is made again, and what not',
      (count) => editor.redone(3, count),
      [
        'تمت الإعادة: 3 عناصر',
        ...around(
          'تمت الإعادة: 3 عناصر؛ بقي كما هو: ',
          ITEMS,
          '، بسبب تغيير لاحق، أو لأنه أُرسل ولم تكن له قيمة سابقة، أو لأن هذه الصفحة رفضته',
        ).slice(1),
      ],
    ],
    [
      'what has not left this device',
      editor.signOutUnsent,
      [
        'لا تغييرات لم تغادر هذا الجهاز.',
        'تغيير واحد لم يغادر هذا الجهاز.',
        'تغييران لم يغادرا هذا الجهاز.',
        '3 تغييرات لم تغادر هذا الجهاز.',
        '11 تغييرًا لم يغادر هذا الجهاز.',
        '100 تغيير لم يغادر هذا الجهاز.',
      ],
    ],
    [
      'how many more there are',
      editor.more,
      ['ولا غيرها', 'وواحد غيرها', 'واثنان غيرها', 'و3 غيرها', 'و11 غيرها', 'و100 غيرها'],
    ],
  ];

  for (const [name, say, said] of SENTENCES) {
    it(name, () => {
      expect(COUNTS.map(say)).to.deep.equal(said);
    });
  }
});

describe('a name in a sentence', () => {
  const NAME = '2-kayak';

  for (const [language, sentences] of [
    ['English', [enConfirm.confirmQuestion(NAME), editorEn().by(NAME)]],
    ['Arabic', [words.confirmQuestion(NAME), words.changedBy(NAME, NAME, ''), words.since('', NAME), editor.by(NAME)]],
  ] as const) {
    it(`is isolated from the direction of the text around it in ${language}`, () => {
      for (const sentence of sentences) {
        const rest = sentence.replaceAll(`\u2068${NAME}\u2069`, '');

        expect(rest).not.to.equal(sentence);
        expect(rest).not.to.include(NAME);
      }
    });
  }

  it('may be an attribute name', () => {
    expect(words.secretGiven('api-key')).to.include('\u2068api-key="…"\u2069');
    expect(words.missingProxy).to.include('\u2068proxy="https://…"\u2069');
    expect(words.badItem).to.include('\u2068item="…"\u2069');
  });
});

describe('a name beside a text', () => {
  const ITEM = { id: '2-kayak', group: '3 bays', note: '4 oars' };
  const CONFLICT = {
    id: ITEM.id as ItemId,
    available: true,
    state: 'conflict',
    reason: 'conflict',
    by: '5-ann',
  } as const;

  /** @returns whether its first letter, a digit, stands on the left: it is read as it is written, on an Arabic page too */
  function isKept(within: Element, name: string): boolean {
    const nodes = document.createTreeWalker(within, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode() !== null) {
      const text = nodes.currentNode as Text;
      if (text.data === name) return placeOf(text, 0) < placeOf(text, name.length - 1);
    }
    throw new Error(`it does not say ${name}`);
  }

  it('is isolated from the direction of the text around it in the details', async () => {
    const editor = await workingEditor(fakeProxy(), [ITEM], { lang: 'ar', dir: 'rtl' });

    row(editor, ITEM.id).part('.truth button').click();
    const details = await dialog(editor);
    const [title, facts] = [details.querySelector('h3'), details.querySelector('dl')];

    expect(title && isKept(title, ITEM.id)).to.equal(true);
    for (const name of Object.values(ITEM)) expect(facts && isKept(facts, name), name).to.equal(true);
  });

  it('is isolated from the text around it in the conflict dialog', async () => {
    const proxy = fakeProxy();
    proxy.knows(CONFLICT);
    const editor = await workingEditor(proxy, [ITEM], { lang: 'ar', dir: 'rtl' });

    await press(editor, editorAr('ar').conflictsTitle);
    const list = await dialog(editor);

    for (const name of [ITEM.id, CONFLICT.by]) expect(isKept(list, name), name).to.equal(true);
  });

  it('is isolated from the text around it in the conflict of a toggle', async () => {
    const proxy = fakeProxy();
    const theirs = { available: false, updated_at: LONG_AGO };
    proxy.knows({ ...CONFLICT, id: KAYAK, theirs });
    const toggle = await readyToggle(proxy);
    Object.assign(toggle, { lang: 'ar', dir: 'rtl' });
    const told = (): Element | null => toggle.renderRoot.querySelector('dl');
    await until(() => told()?.textContent.includes(words.now), 'both are told in Arabic');
    const sides = told();

    expect(sides && isKept(sides, CONFLICT.by)).to.equal(true);
  });
});

describe('an editor on an Arabic page', () => {
  it('uses Arabic for any form of the tag ar, and not for a longer tag that begins so', async () => {
    const list = await workingEditor(fakeProxy(), [{ id: KAYAK, label: 'Kayak tour', available: true }]);
    const says = (text: string): Promise<void> =>
      until(() => list.renderRoot.querySelector('input')?.placeholder === text, `it says ${text}`);

    list.lang = 'AR-eg';
    await says(editor.search);
    list.lang = 'arn';
    await says(editorEn().search);
  });
});

describe('an Arabic page uses one set of digits', () => {
  for (const [lang, mine, other] of [
    ['ar-EG', /[٠-٩]/, /[0-9]/],
    ['ar-MA', /[0-9]/, /[٠-٩]/],
    // No tag, yet a page may say so.
    ['ar-!', /[0-9]/, /[٠-٩]/],
  ] as const) {
    it(`for lang="${lang}"`, async () => {
      const proxy = fakeProxy();
      proxy.knows({ id: KAYAK, available: true, updated_at: toTimestamp(Date.now() - 5 * 60_000) });
      const list = await workingEditor(proxy, [
        { id: KAYAK, label: 'جولة' },
        ...['أ', 'ب', 'ت'].map((id) => ({ id, label: id, available: true })),
      ]);

      list.lang = lang;
      await until(() => shown('.total') !== '4 items', 'it speaks Arabic');
      await until(() => shown('.chip').includes('الكل'), 'its tools, too');
      row(list, 'أ').pick();
      row(list, 'ب').pick();
      row(list, 'ت').pick();
      await until(() => list.renderRoot.querySelector('[part=selection]'), 'they are selected');

      function shown(part: string): string {
        return list.renderRoot.querySelector(part)?.textContent ?? '';
      }
      const parts = ['.total', '.chip', '[part=selection]']
        .map(shown)
        .concat(row(list, KAYAK).part('.time').textContent);

      for (const part of parts) {
        expect(part).to.match(mine);
        expect(part).not.to.match(other);
      }
    });
  }
});

describe('an Arabic page', () => {
  it('shows no English text before the first Arabic one', async () => {
    const { url } = fakeProxy();
    const editor = Object.assign(document.createElement('inventory-editor'), { lang: 'ar-YE', proxy: url, items: [] });
    const toggle = Object.assign(document.createElement('availability-toggle'), {
      lang: 'ar-SD',
      proxy: url,
      item: KAYAK,
    });

    document.body.append(editor, toggle);
    await Promise.all([editor.updateComplete, toggle.updateComplete]);
    const texts = [editor, toggle].map(({ shadowRoot }) => shadowRoot?.textContent ?? '');
    editor.remove();
    toggle.remove();

    for (const text of texts) expect(text).to.match(/\p{Script=Arabic}/u);
    expect(texts.join()).not.to.match(/Availability|Loading|Available|Not set/);
  });
});
