import type { EditorDictionary } from './dictionary.js';

const plural = new Intl.PluralRules('ar');

/** As in `ar.ts`, with which it shares no module: each is loaded alone. */
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

/** Whether to set so many items, and to what: the word for it agrees with how many there are. */
const QUESTION: Readonly<Record<'available' | 'unavailable', Forms>> = {
  available: {
    zero: 'لا عناصر لتغييرها',
    one: 'هل تريد جعل عنصر واحد متاحًا؟',
    two: 'هل تريد جعل عنصرين متاحين؟',
    few: 'هل تريد جعل # عناصر متاحة؟',
    many: 'هل تريد جعل # عنصرًا متاحة؟',
    other: 'هل تريد جعل # عنصر متاحة؟',
  },
  unavailable: {
    zero: 'لا عناصر لتغييرها',
    one: 'هل تريد جعل عنصر واحد غير متاح؟',
    two: 'هل تريد جعل عنصرين غير متاحين؟',
    few: 'هل تريد جعل # عناصر غير متاحة؟',
    many: 'هل تريد جعل # عنصرًا غير متاحة؟',
    other: 'هل تريد جعل # عنصر غير متاحة؟',
  },
};

/** The answer to it. */
const SET: typeof QUESTION = {
  available: {
    zero: 'اجعلها متاحة',
    one: 'اجعله متاحًا',
    two: 'اجعلهما متاحين',
    few: 'اجعلها متاحة (#)',
    many: 'اجعلها متاحة (#)',
    other: 'اجعلها متاحة (#)',
  },
  unavailable: {
    zero: 'اجعلها غير متاحة',
    one: 'اجعله غير متاح',
    two: 'اجعلهما غير متاحين',
    few: 'اجعلها غير متاحة (#)',
    many: 'اجعلها غير متاحة (#)',
    other: 'اجعلها غير متاحة (#)',
  },
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

/** @param tag of a kind of Arabic (BCP 47): numbers are written as the times beside them, which differ by region */
export function editorAr(tag: string): EditorDictionary {
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
    search: 'ابحث بالاسم أو المعرّف أو المجموعة أو الملاحظة',
    filters: 'عرض',
    filter: {
      all: 'الكل',
      available: 'متاح',
      unavailable: 'غير متاح',
      unknown: 'لم يُضبط',
      changed: 'تم تغييره',
      waiting: 'قيد الانتظار',
      attention: 'يحتاج إلى انتباهك',
      conflict: 'متعارض',
    },
    sort: 'ترتيب حسب',
    sorted: {
      given: 'الترتيب الأصلي',
      label: 'الاسم',
      id: 'المعرّف',
      state: 'الحالة',
      'changed-at': 'آخر تحديث',
    },
    found: (count) => (count === 0 ? 'لا عنصر مطابق' : `مطابق: ${counted(count, ITEMS)}`),
    noMatch: 'لا عنصر مطابق.',
    showAll: 'عرض كل العناصر',
    orderStale: 'تغيّرت عناصر: أعد الترتيب',
    keys: 'لوحة المفاتيح',
    lists: 'استيراد وتصدير',
    notLoaded: 'تعذّر تحميل هذا الجزء. تحقّق من اتصالك ثم أعد المحاولة.',
    queue: (count) => `قيد الانتظار: ${number.format(count)}`,
    conflicts: (count) => `متعارض: ${counted(count, CHANGES)}`,
    selected: (count) => `محدّد: ${number.format(count)}`,
    selectAll: 'تحديد كل المطابق',
    selectMatching: (count) => `تحديد الكل (${number.format(count)})`,
    clearSelection: 'إلغاء التحديد',
    setAvailable: 'اجعلها متاحة',
    setUnavailable: 'اجعلها غير متاحة',
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
    close: 'إغلاق',
    saveDone(saved, held, left) {
      const parts = [`للإرسال: ${counted(saved, CHANGES)}`];
      if (held > 0) parts.push(`موقوف: ${number.format(held)}`);
      if (left > 0) parts.push(`لم تُجرَ محاولة حفظه: ${number.format(left)}`);
      return `${parts.join('؛ ')}.`;
    },
    failed: (count) => `لم يُقبل: ${counted(count, CHANGES)}`,
    retryFailed: (count) => `أعد محاولة ما لم يُقبل (${number.format(count)})`,
    drafts: (count, age) => `${counted(count, DRAFTS)}، ${age}.`,
    draftsRefused: 'لا يحتفظ بها هذا المتصفح: احفظ قبل مغادرة الصفحة.',
    takeDrafts: 'استرجاع',
    draftsElsewhere: (count) =>
      `لعناصر ليست في هذه القائمة: ${counted(count, CHANGES)}، ويُحتفظ بها للقائمة التي تضمّها.`,
    dropDrafts: 'تجاهل التغييرات',
    bulkTitle: (count, available) => counted(count, QUESTION[available ? 'available' : 'unavailable']),
    bulkSame: (count, available) => `${word(available)} بالفعل: ${counted(count, ITEMS)}.`,
    bulkLocked: (count) => `لا يُسمح لك بتغييره: ${counted(count, ITEMS)}.`,
    bulkNothing: 'لن يتغيّر شيء.',
    bulkSet: (count, available) => counted(count, SET[available ? 'available' : 'unavailable']),
    bulkDone: (count, available) => `ضُبط على «${word(available)}»: ${counted(count, ITEMS)}.`,
    closeAll: 'إغلاق الكل',
    closeAllText: 'كل ما هو متاح الآن. يمكنك لاحقًا إعادة فتح ذلك بعينه.',
    reopen: 'إعادة الفتح',
    reopenText: 'ما كان متاحًا قبل إغلاق الكل، ولا شيء سواه.',
    turnSkipped: (count) =>
      `بقي كما هو: ${counted(count, ITEMS)}، بسبب تغيير لاحق من شخص آخر أو لأنه لا يُسمح لك بالتغيير.`,
    closed: (count, age) => `أُغلق معًا ${counted(count, ITEMS)}، ${age}.`,
    closedRefused: 'لا يحتفظ بها هذا المتصفح: أعد فتحها قبل مغادرة الصفحة.',
    keepClosed: 'إبقاؤها مغلقة',
    details: 'التفاصيل',
    id: 'المعرّف',
    note: 'ملاحظة',
    value: 'القيمة',
    lastChange: 'آخر تغيير',
    by: (name) => `بواسطة \u2068${name}\u2069`,
    conflictsText: 'قيمتان متعارضتان. اختر أيّهما نعتمد.',
    base: 'سابقًا',
    mine: 'أنت',
    theirs: 'الآن',
    keepMine: 'أبقِ ما اخترتُه',
    takeTheirs: 'خذ ما اختاره غيري',
    keepAllMine: 'أبقِ كل ما اخترتُه',
    takeAllTheirs: 'خذ كل ما اختاره غيري',
    queueTitle: 'ما ليس على البوابة بعد',
    queueEmpty: 'لا شيء قيد الانتظار.',
    notDiscarded: 'لم يُلغَ التغيير: ربما غادر هذا الجهاز بالفعل، أو لا يمكن سؤال خدمة المخزون الآن.',
    conflictsTitle: 'تغييرات متعارضة',
    retry: 'حاول مرة أخرى',
    retryAll: 'أعد المحاولة للكل',
    more: (count) => counted(count, MORE),
    keyList: [
      ['↑ ↓', 'الصف السابق، الصف التالي'],
      ['← →', 'العمود التالي، العمود السابق'],
      ['Home, End', 'أول عمود، آخر عمود؛ ومع Ctrl أول صف، آخر صف'],
      ['Page Up, Page Down', 'شاشة إلى أعلى، إلى أسفل'],
      ['Space', 'تبديل حالة التوفر، أو تفعيل ما عليه التركيز'],
      ['Shift ↑ ↓', 'تحديد الصفوف'],
      ['Ctrl A', 'تحديد كل المطابق'],
      ['Escape', 'إلغاء التحديد'],
      ['Ctrl Z, Ctrl Y', 'تراجع، إعادة'],
      ['Ctrl S', 'حفظ'],
      ['/', 'بحث'],
      ['؟', 'هذه القائمة'],
    ],
    signOutUnsent: (count) => counted(count, UNSENT),
    signOutSend: 'حاول الإرسال مرة أخرى',
    signOutDelete: 'احذف وسجّل الخروج',
    signOutStay: 'البقاء دون تسجيل الخروج',
    portalIsBack: 'عادت البوابة تستقبل التغييرات.',
  };
}

/** A page may say any nonsense in `lang`: times are English then. */
function numbersOf(tag: string): Intl.NumberFormat {
  try {
    return new Intl.NumberFormat(tag);
  } catch {
    return new Intl.NumberFormat('en');
  }
}
