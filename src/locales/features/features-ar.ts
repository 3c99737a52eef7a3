import type { FeatureDictionary } from './feature-dictionary.js';

export const featuresAr: FeatureDictionary = {
  endOfDay: 'نهاية اليوم',
  tomorrowMorning: 'صباح الغد، 9:00',
  dateAndTime: 'تاريخ ووقت',
  untilISay: 'أن أغيّره بنفسي',
  everyWeek: 'كل أسبوع، طوال اليوم في',
  whileBusy: 'كلما كان التقويم مشغولًا',
  calendarAddress: 'عنوان التقويم (iCal)',
  calendarHint: 'تسميه مواقع الحجز وتطبيقات التقويم الأخرى «تصدير التقويم» أو «رابط iCal». يُقرأ كل 15 دقيقة.',
  calendar: (host) => `تقويم ${host}`,
  calendarFree: 'لا وقت مشغولًا معروفًا',
  calendarFailed: (time) => `تتعذّر قراءته منذ ${time}. تسري الأوقات التي قُرئت من قبل.`,
  feedProblem: {
    not_public: 'هذا العنوان ليس على الإنترنت العام.',
    unreachable: 'لا يجيب شيء على هذا العنوان. تحقّق منه أو أعد المحاولة لاحقًا.',
    rejected: 'هذا العنوان مرفوض. انسخه مرة أخرى.',
    too_large: 'هذا التقويم كبير جدًا.',
    unreadable: 'لا يوجد تقويم يمكن قراءته على هذا العنوان.',
  },
  setByHand: (time) => `غُيّر يدويًا: يبقى كذلك حتى ${time}`,
  scheduled: 'تم الضبط.',
  notScheduled(problem) {
    switch (problem) {
      case 'permission_missing':
      case 'item_unknown':
        return 'لم يُضبط: لا يُسمح لك بهذا. اسأل من يدير حسابك.';
      case 'invalid_body':
        return 'لم يُضبط: اختر وقتًا لم يأتِ بعد.';
      case 'too_many_feeds':
        return 'لم يُضبط: لديك تقاويم كثيرة. أزل واحدًا أولًا.';
      default:
        return 'لم يتأكد: لا اتصال الآن. أعد المحاولة؛ لن يُضبط شيء مرتين.';
    }
  },
  partlyScheduled: (set, all) => `ضُبط: ${set} من ${all}. أعد المحاولة للباقي.`,
  removeSchedule: 'إزالة',
  closesAt: (time) => `يُغلق ${time}`,
  historyEmpty: 'لا تغييرات بعد.',
  historyFailed(problem) {
    switch (problem) {
      case 'unreachable':
        return 'لا اتصال: تتعذّر قراءة السجل الآن.';
      case 'permission_missing':
        return 'لا يُسمح لك برؤية السجل. اسأل من يدير حسابك.';
      default:
        return 'تتعذّر قراءة السجل الآن.';
    }
  },
  showMore: 'عرض المزيد',
  outcome: {
    received: 'في الطريق',
    delivered: 'على البوابة',
    refused: 'لم يُقبل',
    conflict: 'اختيار مختلف',
    superseded: 'حلّ محله تغيير لاحق',
    discarded: 'أُلغي',
  },
  person: 'الشخص',
  day: 'اليوم',
  item: 'العنصر',
  itemsOfAct: 'العناصر',
  closedCount: (n) => `أُغلق: ${n}`,
  openedCount: (n) => `فُتح: ${n}`,
  leftAsTheyAre: 'تبقى كما هي',
  changedSince: 'تغيّر بعد ذلك',
  changedSinceBy: (n) => `غيّره بعد ذلك ${n}`,
  noEarlierValue: 'لم تكن له قيمة من قبل',
  notListed: 'ليس في هذه القائمة',
  colleague: 'أحد الزملاء',
  bySchedule: (name) => `جدول ${name}`,
  listsTitle: 'استيراد وتصدير',
  importHint: 'عنصر واحد في كل سطر: معرّفه، أو معرّفه ونعم أو لا. ترى ما سيتغيّر قبل أن يتغيّر أي شيء.',
  paste: 'اكتب المعرّفات، أو الصق صفوفًا من جدول بيانات',
  file: 'أو اختر ملف CSV',
  fileUnreadable: 'تتعذّر قراءة هذا الملف.',
  checking: 'جارٍ التحقق…',
  otherwise: 'العنصر الذي ليس في سطره نعم أو لا',
  otherwiseNothing: 'يُضاف فقط',
  otherwiseAvailable: 'يصبح متاحًا',
  otherwiseUnavailable: 'يصبح غير متاح',
  verdict: { new: 'جديد', changed: 'متغيّر', same: 'كما هو', refused: 'مرفوض' },
  fault: {
    id: 'المعرّف من 1 إلى 200 حرف، وليس فيه أحرف تحكّم.',
    value: 'هذا ليس نعم ولا لا.',
    repeated: 'المعرّف نفسه موجود في سطر سابق.',
    locked: 'لا يُسمح لك بتغيير هذا العنصر.',
    malformed: 'علامة اقتباس ناقصة.',
  },
  line: (line) => `السطر ${line}`,
  lineColumn: (line, column) => `السطر ${line}، العمود ${column}`,
  saveVerdicts: 'حفظ هذا التحقق في ملف',
  import: 'استيراد',
  imported: 'تم الاستيراد.',
  export: 'تصدير',
  exportAll: 'كل العناصر',
  exportListed: 'العناصر المعروضة الآن',
  fileName: 'inventory',
  yes: ['نعم', 'صح', 'صحيح'],
  no: ['لا', 'خطأ'],
  heads: { id: [], available: ['متاح'] },
};
