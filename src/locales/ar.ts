import type { Dictionary } from './dictionary.js';

const plural = new Intl.PluralRules('ar');

/** Arabic counts in six ways; none, one and two are words and need no number, which stands where the others have a `#`. */
type Forms = Readonly<Record<Intl.LDMLPluralRule, string>>;

const ITEMS: Forms = {
  zero: 'لا عناصر',
  one: 'عنصر واحد',
  two: 'عنصران',
  few: '# عناصر',
  many: '# عنصرًا',
  other: '# عنصر',
};

/** As what somebody does something to, which Arabic says in another case. */
const ITEMS_AS_OBJECT: Forms = { ...ITEMS, one: 'عنصرًا واحدًا', two: 'عنصرين' };

const OPEN_CHANGES: Forms = {
  zero: 'كل التغييرات على البوابة',
  one: 'تغيير واحد ليس على البوابة بعد',
  two: 'تغييران ليسا على البوابة بعد',
  few: '# تغييرات ليست على البوابة بعد',
  many: '# تغييرًا ليس على البوابة بعد',
  other: '# تغيير ليس على البوابة بعد',
};

/** @param tag of a kind of Arabic (BCP 47): numbers are written as the times beside them, which differ by region */
export function ar(tag: string): Dictionary {
  const number = numbersOf(tag);
  const counted = (count: number, forms: Forms): string =>
    forms[plural.select(count)].replace('#', number.format(count));
  return {
    available: 'متاح',
    notAvailable: 'غير متاح',
    required: 'فعّل هذا الخيار للمتابعة.',
    notSetYet: 'لم يُضبط بعد',
    asGiven: 'كما ورد في هذه الصفحة',
    truth: {
      'on-device': 'على هذا الجهاز',
      received: 'تم الاستلام',
      'on-portal': 'على البوابة',
      'needs-attention': 'يحتاج إلى انتباهك',
    },
    waitingForNetwork: 'في انتظار الاتصال؛ أبقِ هذه الصفحة مفتوحة',
    notSentYet: 'لا يمكن إرساله بعد؛ أبقِ هذه الصفحة مفتوحة',
    waitingForSignIn: 'في انتظار تسجيل دخولك من جديد',
    unsaved: 'غير مخزَّن على هذا الجهاز: أبقِ هذه الصفحة مفتوحة حتى يتم الاستلام',
    tryAgain: 'حاول مرة أخرى',
    justNow: 'قبل لحظات',
    since: (ago, by) => (by === undefined ? `، ${ago}` : `، ${ago}، بواسطة \u2068${by}\u2069`),
    before: 'سابقًا',
    you: 'أنت',
    now: 'الآن',
    changedBy: (by, name, value) => `ضُبط العنصر «\u2068${name}\u2069» على «${value}» بواسطة \u2068${by}\u2069.`,
    changedByOthers: (count) => `غيّر آخرون ${counted(count, ITEMS_AS_OBJECT)}.`,
    keepMine: (value) => `اجعله «${value}»`,
    takeTheirs: (value) => `اتركه «${value}»`,
    notDecided: 'لم يُنفَّذ ذلك: لا يمكن سؤال خدمة المخزون الآن. لم يتغيّر شيء؛ اختر مرة أخرى.',
    confirmQuestion: (name) => `هل تريد جعل «\u2068${name}\u2069» غير متاح؟`,
    confirmYes: 'اجعله غير متاح',
    confirmNo: 'أبقِه متاحًا',
    delayed(reason) {
      switch (reason) {
        case 'portal_unreachable':
          return 'تعذّر الوصول إلى البوابة؛ نواصل المحاولة';
        case 'portal_busy':
          return 'البوابة مشغولة؛ نواصل المحاولة';
        case 'portal_error':
          return 'في البوابة عطل؛ نواصل المحاولة';
        case 'portal_credentials':
        case 'portal_refuses':
        case 'portal_unreadable':
          return 'البوابة لا تقبل اتصالنا؛ على المشغّل أن يتحقق من الأمر';
        case 'portal_confirms':
          return 'أُرسل، والتأكيد سيتبع';
        default:
          return 'في الطريق إلى البوابة';
      }
    },
    attention(reason) {
      switch (reason) {
        case 'item_refused':
          return 'رفضت البوابة هذا التغيير. تأكد من أن العنصر ما زال موجودًا هناك، ثم حاول مرة أخرى.';
        case 'item_unknown':
          return 'لا يُسمح لك بتغيير هذا العنصر. اسأل من يدير حسابك.';
        case 'conflict':
          return 'غيّر شخص آخر هذا العنصر قبل وصول تغييرك. أيّهما نعتمد؟';
        case 'unclaimed':
          return 'تغيّر على هذا الجهاز قبل أن يسجّل أحد الدخول. هل نعتمد ذلك؟';
        case 'permission_missing':
          return 'يمكنك الاطلاع على هذا العنصر دون تغييره. اسأل من يدير حسابك.';
        default:
          return 'لم يُقبل هذا التغيير. حاول مرة أخرى، وإن لم ينفع ذلك فاطلب الدعم.';
      }
    },
    connection(problem) {
      switch (problem) {
        case 'token_refused':
        case 'session_missing':
        case 'session_unreadable':
        case 'page_blocked':
          return 'هذه الصفحة غير مُعدّة بشكل صحيح، لذلك لا يمكن إرسال التغييرات بعد. تبقى التغييرات على هذا الجهاز. يُرجى إبلاغ المسؤول عن الصفحة.';
        case 'origin_refused':
          return 'لا يُسمح لهذه الصفحة باستخدام خدمة المخزون. على المشغّل أن يسمح بهذا العنوان.';
        case 'session_unreachable':
        case 'session_unverifiable':
          return 'تعذّر التحقق من تسجيل دخولك الآن. تبقى التغييرات على هذا الجهاز؛ نواصل المحاولة.';
        case 'budget_spent':
          return 'كان ذلك كثيرًا دفعة واحدة. يبقى الباقي على هذا الجهاز ويُرسَل بعد لحظات.';
        case 'overloaded':
        case 'storage_unavailable':
          return 'لا تستطيع خدمة المخزون تخزين التغييرات الآن. تبقى التغييرات على هذا الجهاز؛ نواصل المحاولة.';
        case 'not_deleted':
          return 'تعذّر حذف تغييراتك من هذا الجهاز، فما زلت مسجّل الدخول. تُرسَل عندما تحاول مرة أخرى أو تسجّل الخروج.';
        case 'permission_missing':
          return 'لا يُسمح لك بالاطلاع على هذا المخزون. اسأل من يدير حسابك.';
        default:
          return 'تعذّر الوصول إلى خدمة المخزون. تبقى التغييرات على هذا الجهاز؛ نواصل المحاولة.';
      }
    },
    signedOut: 'تم تسجيل خروجك. سجّل الدخول من جديد في هذه الصفحة؛ تبقى تغييراتك على هذا الجهاز.',
    goodbye: 'تم تسجيل خروجك. لا يبقى شيء من بياناتك على هذا الجهاز.',
    missingPart: 'لم تُحمَّل هذه القائمة بالكامل، فلا يمكن تغييرها بعد. تحقق من الاتصال.',
    missingProxy: 'يحتاج هذا المكوّن إلى عنوان الوكيل: أضف \u2068proxy="https://…"\u2069.',
    badItem: `يحتاج هذا المكوّن إلى معرّف عنصره: أضف \u2068item="…"\u2069، من ${number.format(1)} إلى ${number.format(200)} حرف، دون محارف تحكم.`,
    secretGiven: (attribute) =>
      `أُعطي هذا المكوّن \u2068${attribute}="…"\u2069، ويبدو أنه سرّ. لا تستطيع صفحة أن تحفظ سرًّا: احذفه، وغيّره حيث يُستخدم.`,
    requestId: (id) => `للدعم: \u2068${id}\u2069`,
    triedAgain: (time) => `أُعيدت المحاولة في ${time}.`,
    inventory: 'المخزون',
    loading: 'جارٍ تحميل المخزون…',
    empty: 'لا توجد عناصر بعد. تظهر العناصر هنا حالما تذكرها هذه الصفحة أو خدمة المخزون.',
    openCount: (count) => counted(count, OPEN_CHANGES),
    nothingOpen: 'لا شيء قيد الانتظار',
    columns: {
      item: 'العنصر',
      group: 'المجموعة',
      availability: 'التوفر',
      status: 'الحالة',
      updated: 'آخر تحديث',
    },
    total: (count) => counted(count, ITEMS),
    leftOut: (count) => `لم تُعرض بسبب خطأ في بيانات هذه الصفحة: ${counted(count, ITEMS)}`,
    counting: 'جارٍ العدّ…',
    selectEvery: 'تحديد كل العناصر المعروضة',
    readOnly: 'يمكنك الاطلاع دون التغيير.',
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
