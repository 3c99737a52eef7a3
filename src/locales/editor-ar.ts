import type { EditorDictionary } from './editor-dictionary.js';

const plural = new Intl.PluralRules('ar');
const number = new Intl.NumberFormat('ar');

type Forms = Readonly<Record<'zero' | 'one' | 'two' | 'few' | 'many' | 'other', string>>;

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
  zero: 'لا تغييرات على هذا الجهاز.',
  one: 'تغيير واحد لم يغادر هذا الجهاز.',
  two: 'تغييران لم يغادرا هذا الجهاز.',
  few: '# تغييرات لم تغادر هذا الجهاز.',
  many: '# تغييرًا لم يغادر هذا الجهاز.',
  other: '# تغيير لم يغادر هذا الجهاز.',
};

function counted(count: number, forms: Forms): string {
  return forms[plural.select(count)].replace('#', number.format(count));
}

const leftAlone = (count: number): string =>
  count === 0 ? '' : `؛ تُرك ${number.format(count)}: تغيّر منذ ذلك الحين أو لم تكن له قيمة من قبل`;

const word = (available: boolean): string => (available ? 'متاح' : 'غير متاح');

export const editorAr: EditorDictionary = {
  changed: 'لم يُحفظ بعد',
  met: 'غيّر شخص آخر هذا العنصر في هذه الأثناء: اختر القيمة المعتمدة',
  search: 'ابحث بالاسم أو المعرّف',
  filters: 'عرض',
  filter: {
    all: 'الكل',
    available: 'متاح',
    unavailable: 'غير متاح',
    unknown: 'غير محدّد',
    changed: 'مُعدّل',
    waiting: 'قيد الانتظار',
    attention: 'يحتاج انتباهك',
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
  discard: 'تجاهل',
  undo: 'تراجع',
  redo: 'إعادة',
  undone: (changed, skipped) => `أُعيد: ${counted(changed, ITEMS)}${leftAlone(skipped)}`,
  redone: (changed, skipped) => `غُيّر من جديد: ${counted(changed, ITEMS)}${leftAlone(skipped)}`,
  saving: (saved, of) => `جارٍ الحفظ: ${number.format(saved)} من ${number.format(of)}`,
  cancel: 'إلغاء',
  close: 'إغلاق',
  saveDone(saved, held, left) {
    const parts = [`في الطريق: ${counted(saved, CHANGES)}`];
    if (held > 0) parts.push(`موقوف: ${number.format(held)}`);
    if (left > 0) parts.push(`لم يُحاول: ${number.format(left)}`);
    return `${parts.join('؛ ')}.`;
  },
  failed: (count) => `لم يُقبل: ${counted(count, CHANGES)}`,
  retryFailed: (count) => `أعد محاولة ${number.format(count)}`,
  drafts: (count, age) => `لم تحفظ ${counted(count, CHANGES)}، ${age}.`,
  draftsRefused: 'لا يحتفظ بها هذا المتصفح: احفظ قبل مغادرة الصفحة.',
  takeDrafts: 'استرجاع',
  dropDrafts: 'تجاهل',
  bulkTitle: (count, available) => `جعل ${counted(count, ITEMS)}: ${word(available)}؟`,
  bulkSame: (count, available) => `${word(available)} من قبل: ${number.format(count)}.`,
  bulkLocked: (count) => `لا يحق لك تغييره: ${number.format(count)}.`,
  bulkNothing: 'لن يتغيّر شيء.',
  bulkSet: (count, available) => `اجعل ${number.format(count)}: ${word(available)}`,
  bulkDone: (count, available) => `${word(available)} الآن: ${counted(count, ITEMS)}.`,
  closeAll: 'إغلاق الكل',
  closeAllText: 'كل ما هو متاح الآن. يمكنك لاحقًا إعادة فتح ذلك بعينه.',
  reopen: 'إعادة الفتح',
  reopenText: 'ما كان متاحًا قبل إغلاق الكل، ولا شيء سواه.',
  turnSkipped: (count) =>
    `تُرك دون تغيير، لأن شخصًا آخر غيّره منذ ذلك الحين أو لا يحق لك تغييره: ${number.format(count)}.`,
  closed: (count, age) => `أُغلق معًا ${counted(count, ITEMS)}، ${age}.`,
  closedRefused: 'لا يحتفظ بها هذا المتصفح: أعد فتحها قبل مغادرة الصفحة.',
  keepClosed: 'إبقاؤها مغلقة',
  details: 'التفاصيل',
  id: 'المعرّف',
  note: 'ملاحظة',
  value: 'القيمة',
  lastChange: 'آخر تغيير',
  by: (name) => `بواسطة \u2068${name}\u2069`,
  unknown: 'غير معروف',
  conflictsText: 'قيمتان متعارضتان. اختر أيّهما نعتمد.',
  base: 'من قبل',
  mine: 'أنت',
  theirs: 'الآن',
  keepMine: 'أبقِ قيمتي',
  takeTheirs: 'خذ قيمتهم',
  keepAllMine: 'أبقِ كل قيمي',
  takeAllTheirs: 'خذ كل قيمهم',
  queueTitle: 'ما ليس على البوابة بعد',
  queueEmpty: 'لا شيء ينتظر.',
  notDiscarded: 'لم يُتجاهل: ربما غادر هذا الجهاز بالفعل، أو لا يمكن سؤال خدمة المخزون الآن.',
  conflictsTitle: 'تغييرات متعارضة',
  retry: 'حاول مجددًا',
  retryAll: 'حاول الكل مجددًا',
  more: (count) => `و${number.format(count)} غيرها`,
  keyList: [
    ['↑ ↓', 'الصف السابق، الصف التالي'],
    ['← →', 'العمود المجاور'],
    ['Home, End', 'أول عمود وآخره؛ مع Ctrl أول صف وآخره'],
    ['Page Up, Page Down', 'شاشة إلى أعلى، إلى أسفل'],
    ['Space', 'يقلب المفتاح أو ما يقف عليه المؤشر'],
    ['Shift ↑ ↓', 'تحديد الصفوف'],
    ['Ctrl A', 'تحديد كل المطابق'],
    ['Escape', 'إلغاء التحديد'],
    ['Ctrl Z, Ctrl Y', 'تراجع، إعادة'],
    ['Ctrl S', 'حفظ'],
    ['/', 'بحث'],
    ['?', 'هذه القائمة'],
  ],
  signOutUnsent: (count) => counted(count, UNSENT),
  signOutSend: 'حاول الإرسال مرة أخرى',
  signOutDelete: 'احذف وسجّل الخروج',
  signOutStay: 'ابقَ مسجّلًا',
  toolsMissing: 'تعذّر تحميل جزء من هذه القائمة. حاول مجددًا.',
};
