import type { EditorDictionary } from './dictionary.js';

const plural = new Intl.PluralRules('ar');

/** As in `ar.ts`. The two files share no module, because each is loaded alone. */
type Forms = Readonly<Record<Intl.LDMLPluralRule, string>>;

const ITEMS: Forms = {
  zero: 'لا عناصر',
  one: 'عنصر واحد',
  two: 'عنصران',
  few: '# عناصر',
  many: '# عنصرًا',
  other: '# عنصر',
};

const CHANGES: Forms = {
  zero: 'لا تغييرات',
  one: 'تغيير واحد',
  two: 'تغييران',
  few: '# تغييرات',
  many: '# تغييرًا',
  other: '# تغيير',
};

const UNSENT: Forms = {
  zero: 'لا تغييرات لم تغادر هذا الجهاز.',
  one: 'تغيير واحد لم يغادر هذا الجهاز.',
  two: 'تغييران لم يغادرا هذا الجهاز.',
  few: '# تغييرات لم تغادر هذا الجهاز.',
  many: '# تغييرًا لم يغادر هذا الجهاز.',
  other: '# تغيير لم يغادر هذا الجهاز.',
};

const DRAFTS: Forms = {
  zero: 'لا تغييرات لم تحفظها',
  one: 'تغيير واحد لم تحفظه',
  two: 'تغييران لم تحفظهما',
  few: '# تغييرات لم تحفظها',
  many: '# تغييرًا لم تحفظه',
  other: '# تغيير لم تحفظه',
};

/** The question whether to open or close items. Its wording agrees with their number. */
const QUESTION: Readonly<Record<'available' | 'unavailable', Forms>> = {
  available: {
    zero: 'لا عناصر لفتحها',
    one: 'هل تريد فتح عنصر واحد؟',
    two: 'هل تريد فتح عنصرين؟',
    few: 'هل تريد فتح # عناصر؟',
    many: 'هل تريد فتح # عنصرًا؟',
    other: 'هل تريد فتح # عنصر؟',
  },
  unavailable: {
    zero: 'لا عناصر لإغلاقها',
    one: 'هل تريد إغلاق عنصر واحد؟',
    two: 'هل تريد إغلاق عنصرين؟',
    few: 'هل تريد إغلاق # عناصر؟',
    many: 'هل تريد إغلاق # عنصرًا؟',
    other: 'هل تريد إغلاق # عنصر؟',
  },
};

/** The button that answers it. */
const SET: typeof QUESTION = {
  available: {
    zero: 'فتح',
    one: 'فتحه',
    two: 'فتحهما',
    few: 'فتحها (#)',
    many: 'فتحها (#)',
    other: 'فتحها (#)',
  },
  unavailable: {
    zero: 'إغلاق',
    one: 'إغلاقه',
    two: 'إغلاقهما',
    few: 'إغلاقها (#)',
    many: 'إغلاقها (#)',
    other: 'إغلاقها (#)',
  },
};

/** A button for the items that were closed together. */
const REOPEN: Forms = {
  zero: 'إعادة الفتح',
  one: 'إعادة فتحه',
  two: 'إعادة فتحهما',
  few: 'إعادة فتحها (#)',
  many: 'إعادة فتحها (#)',
  other: 'إعادة فتحها (#)',
};

const MORE: Forms = {
  zero: 'ولا غيرها',
  one: 'وواحد غيرها',
  two: 'واثنان غيرها',
  few: 'و# غيرها',
  many: 'و# غيرها',
  other: 'و# غيرها',
};

const word = (available: boolean): string => (available ? 'متاح' : 'غير متاح');

/** @param tag a variety of Arabic (BCP 47); numbers and times differ by region in the same way */
export function editorAr(tag: string, portal?: string): EditorDictionary {
  const [subject, on] = portal === undefined ? ['البوابة', 'على البوابة'] : [portal, `على ${portal}`];
  const number = numbersOf(tag);
  const counted = (count: number, forms: Forms): string =>
    forms[plural.select(count)].replace('#', number.format(count));
  const leftAlone = (count: number): string =>
    count === 0
      ? ''
      : `؛ بقي كما هو: ${counted(count, ITEMS)}، بسبب تغيير لاحق، أو لأنه أُرسل ولم تكن له قيمة سابقة، أو لأن هذه الصفحة رفضته`;
  return {
    number: (count) => number.format(count),
    changed: 'لم يُحفظ بعد',
    met: 'غيّر شخص آخر هذا العنصر في هذه الأثناء: اختر القيمة المعتمدة',
    search: 'ابحث بالاسم أو الملاحظة',
    filters: 'عرض',
    filter: {
      all: 'الكل',
      available: 'متاح',
      unavailable: 'غير متاح',
      unknown: 'لم يُضبط',
      changed: 'لم يُحفظ',
      waiting: 'في الطريق',
      attention: 'القرار لك',
      conflict: 'اختيار مختلف',
    },
    sort: 'ترتيب حسب',
    sorted: {
      given: 'الترتيب الأصلي',
      label: 'الاسم',
      id: 'المعرّف',
      group: 'المجموعة',
      value: 'التوفر',
      state: 'الحالة',
      'changed-at': 'آخر تحديث',
    },
    reversed: (order) => `${order}، معكوسًا`,
    allGroups: 'كل المجموعات',
    noGroup: 'بلا مجموعة',
    groupCount: (available, all) => `متاح: ${number.format(available)} من ${number.format(all)}`,
    found: (count) => (count === 0 ? 'لا عنصر مطابق' : `مطابق: ${counted(count, ITEMS)}`),
    noMatch: 'لا عنصر مطابق.',
    showAll: 'عرض كل العناصر',
    orderStale: 'تغيّرت عناصر: أعد الترتيب',
    keys: 'لوحة المفاتيح',
    lists: 'استيراد وتصدير',
    notLoaded: 'تعذّر تحميل هذا الجزء. تحقّق من اتصالك ثم أعد المحاولة.',
    unavailableUntil: 'غير متاح حتى…',
    back: (time) => `يعود ${time}`,
    setByHand: 'غُيّر يدويًا: يتركه الجدول كما هو.',
    queue: (count) => `في الطريق: ${counted(count, CHANGES)}`,
    conflicts: (count) => `اختيار مختلف: ${counted(count, ITEMS)}`,
    selected: (count) => `محدّد: ${number.format(count)}`,
    selectAll: 'تحديد كل المطابق',
    selectMatching: (count) => `تحديد الكل (${number.format(count)})`,
    clearSelection: 'إلغاء التحديد',
    setAvailable: (count) => counted(count, SET.available),
    setUnavailable: (count) => counted(count, SET.unavailable),
    changes: (count) => counted(count, CHANGES),
    save: 'حفظ',
    discard: 'تجاهل التغيير',
    discarded: (count) => `تم التجاهل: ${counted(count, CHANGES)}.`,
    undo: 'تراجع',
    redo: 'إعادة',
    undone: (changed, skipped) => `تم التراجع: ${counted(changed, ITEMS)}${leftAlone(skipped)}`,
    redone: (changed, skipped) => `تمت الإعادة: ${counted(changed, ITEMS)}${leftAlone(skipped)}`,
    saving: (saved, of) => `جارٍ الحفظ: ${number.format(saved)} من ${number.format(of)}`,
    cancel: 'إلغاء',
    close: 'تم',
    saveDone(saved, held, left) {
      const parts = [`للإرسال: ${counted(saved, CHANGES)}`];
      if (held > 0) parts.push(`موقوف: ${number.format(held)} (غيّره شخص آخر، أو لا يحق لك تغييره)`);
      if (left > 0) parts.push(`لم يُحفظ: ${number.format(left)}`);
      return `${parts.join('؛ ')}.`;
    },
    failed: (count) => `لم يُقبل: ${counted(count, CHANGES)}`,
    retryFailed: (count) => `أرسل مرة أخرى (${number.format(count)})`,
    drafts: (count, age) => `${counted(count, DRAFTS)}، ${age}.`,
    draftsRefused: 'لا يحتفظ بها هذا المتصفح: احفظ قبل مغادرة الصفحة.',
    takeDrafts: 'استرجاع',
    draftsElsewhere: (count) =>
      `لعناصر ليست في هذه القائمة: ${counted(count, CHANGES)}، ويُحتفظ بها للقائمة التي تضمّها.`,
    dropDrafts: 'تجاهل التغييرات',
    bulkTitle: (count, available) => counted(count, QUESTION[available ? 'available' : 'unavailable']),
    bulkSame: (count, available) => `${word(available)} بالفعل: ${counted(count, ITEMS)}.`,
    fromTo: (from, to) => `«${from}» يصبح «${to}»`,
    bulkLocked: (count) => `لا يُسمح لك بتغييره: ${counted(count, ITEMS)}.`,
    bulkNothing: 'لن يتغيّر شيء.',
    bulkSet: (count, available) => counted(count, SET[available ? 'available' : 'unavailable']),
    bulkDone: (count, available) => `${available ? 'فُتح' : 'أُغلق'}: ${counted(count, ITEMS)}.`,
    closeAll: 'إغلاق الكل',
    closeAllText: 'كل ما هو متاح الآن. يمكنك لاحقًا إعادة فتح ذلك بعينه.',
    reopen: (count) => counted(count, REOPEN),
    reopenText: 'ما كان متاحًا قبل إغلاق الكل، ولا شيء سواه.',
    closeGroupText: (group) => `كل ما هو متاح الآن في \u2068${group}\u2069. يمكنك لاحقًا إعادة فتح ذلك بعينه.`,
    reopenGroupText: (group) => `ما كان متاحًا في \u2068${group}\u2069 قبل إغلاقه، ولا شيء سواه.`,
    turnSkipped: (count) =>
      `بقي كما هو: ${counted(count, ITEMS)}، بسبب تغيير لاحق من شخص آخر أو لأنه لا يُسمح لك بالتغيير.`,
    closed: (count, age) => `أُغلق معًا ${counted(count, ITEMS)}، ${age}.`,
    closedRefused: 'لا يحتفظ بها هذا المتصفح: أعد فتحها قبل مغادرة الصفحة.',
    keepClosed: 'إبقاؤها مغلقة',
    details: 'التفاصيل',
    id: 'المعرّف',
    note: 'ملاحظة',
    value: 'التوفر',
    portalNow: `الآن ${on}`,
    lastChange: 'آخر تغيير',
    lastChanges: 'آخر التغييرات',
    by: (name) => `بواسطة \u2068${name}\u2069`,
    conflictsText: 'اختار شخصان قيمتين مختلفتين. أيّهما نعتمد؟',
    keepAllMine: 'اعتماد اختيارك للكل',
    takeAllTheirs: 'ترك الكل كما هو الآن',
    queueTitle: `ما لم يُنشر بعد ${on}`,
    queueEmpty: `كل شيء محدَّث ${on}.`,
    notDiscarded: 'لم يُلغَ التغيير: ربما أُرسل بالفعل، أو لا اتصال الآن.',
    conflictsTitle: 'اختر ما نعتمده',
    retryAll: 'أرسل الكل مرة أخرى',
    more: (count) => counted(count, MORE),
    keyList: [
      ['↑ ↓', 'الصف السابق، الصف التالي'],
      ['← →', 'العمود التالي، العمود السابق'],
      ['Home, End', 'أول عمود، آخر عمود؛ ومع Ctrl أول صف، آخر صف'],
      ['Page Up, Page Down', 'شاشة إلى أعلى، إلى أسفل'],
      ['Space', 'تبديل حالة التوفر، أو تفعيل ما عليه التركيز'],
      ['Enter', 'التفاصيل'],
      ['Shift ↑ ↓', 'تحديد الصفوف'],
      ['Ctrl A', 'تحديد كل المطابق'],
      ['Escape', 'إلغاء التحديد'],
      ['Ctrl Z, Ctrl Y', 'تراجع، إعادة'],
      ['Ctrl S', 'حفظ'],
      ['/', 'بحث'],
      ['؟', 'هذه القائمة'],
    ],
    signOutUnsent: (count) => counted(count, UNSENT),
    signOutSave: 'احفظ وسجّل الخروج',
    signOutSend: 'أرسل وسجّل الخروج',
    signOutDelete: 'احذف وسجّل الخروج',
    signOutStay: 'البقاء دون تسجيل الخروج',
    signOutSends: 'يُرسَل كل شيء أولًا. إن تعذّر ذلك فلن يضيع شيء وتبقى مسجّل الدخول.',
    signOutDeletes: 'تضيع هذه التغييرات نهائيًا. يستمر الضيوف في رؤية ما يرونه الآن.',
    signOutRefused: 'لا يمكن إرسال هذه كما هي: اتخذ قرارك بشأنها أولًا.',
    portalIsBack: `عاد قبول التغييرات لدى ${subject}.`,
  };
}

/** A page may give an invalid `lang`. Numbers are then formatted as in English. */
function numbersOf(tag: string): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(tag);
  } catch {
    return new Intl.NumberFormat('en');
  }
}
