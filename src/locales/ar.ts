import type { Dictionary } from './dictionary.js';

const plural = new Intl.PluralRules('ar');

/** Arabic has six plural categories. The texts for zero, one and two need no number; in the others it replaces `#`. */
type Forms = Readonly<Record<Intl.LDMLPluralRule, string>>;

const ITEMS: Forms = {
  zero: 'لا عناصر',
  one: 'عنصر واحد',
  two: 'عنصران',
  few: '# عناصر',
  many: '# عنصرًا',
  other: '# عنصر',
};

/** As the object of a verb, which Arabic puts into the accusative case. */
const ITEMS_AS_OBJECT: Forms = { ...ITEMS, one: 'عنصرًا واحدًا', two: 'عنصرين' };

const UNSAVED: Forms = {
  zero: 'كل التغييرات محفوظة',
  one: 'تغيير واحد لم يُحفظ بعد',
  two: 'تغييران لم يُحفظا بعد',
  few: '# تغييرات لم تُحفظ بعد',
  many: '# تغييرًا لم يُحفظ بعد',
  other: '# تغيير لم يُحفظ بعد',
};

const OPEN_CHANGES: Forms = {
  zero: 'كل التغييرات منشورة',
  one: 'تغيير واحد لم يُنشر بعد',
  two: 'تغييران لم يُنشرا بعد',
  few: '# تغييرات لم تُنشر بعد',
  many: '# تغييرًا لم يُنشر بعد',
  other: '# تغيير لم يُنشر بعد',
};

/** @param tag a variety of Arabic (BCP 47); numbers and times differ by region in the same way */
export function ar(tag: string, portal?: string): Dictionary {
  const [subject, on] = portal === undefined ? ['البوابة', 'على البوابة'] : [portal, `على ${portal}`];
  const number = numbersOf(tag);
  const counted = (count: number, forms: Forms): string =>
    forms[plural.select(count)].replace('#', number.format(count));
  return {
    available: 'متاح',
    notAvailable: 'غير متاح',
    required: 'فعّل هذا الخيار للمتابعة.',
    notSetYet: 'لم يُضبط بعد',
    checking: 'جارٍ التحقق…',
    notKnown: 'لا اتصال',
    guestsSee: (value) => `يرى الضيوف الآن: «${value}».`,
    asGiven: 'من موقعك، ولم يُؤكَّد بعد',
    changedOnPortal: `عُدّل ${on}`,
    truth: {
      'on-device': 'محفوظ هنا ولم يُرسَل بعد',
      received: `أُرسل، والتأكيد من ${subject} قريبًا`,
      'on-portal': `منشور ${on}`,
      'needs-attention': 'لم يُقبل: القرار لك',
    },
    waitingForNetwork: 'محفوظ هنا. يُرسَل حين يعود الاتصال؛ أبقِ هذه الصفحة مفتوحة.',
    waitingForSignIn: 'محفوظ هنا. يُرسَل حين تسجّل الدخول من جديد.',
    notSentYet: 'محفوظ هنا. لا يمكن إرساله بعد؛ أبقِ هذه الصفحة مفتوحة.',
    unsaved: 'غير محفوظ على هذا الجهاز: أبقِ هذه الصفحة مفتوحة حتى يُرسَل.',
    tryAgain: 'حاول مرة أخرى',
    sendAgain: 'أرسل مرة أخرى',
    justNow: 'قبل لحظات',
    since: (ago, by) => (by === undefined ? `، ${ago}` : `، ${ago}، بواسطة \u2068${by}\u2069`),
    before: 'سابقًا',
    you: 'أنت',
    now: 'الآن',
    changedBy: (by, name, value) => `ضُبط العنصر «\u2068${name}\u2069» على «${value}» بواسطة \u2068${by}\u2069.`,
    changedByOthers: (count) => `غيّر آخرون ${counted(count, ITEMS_AS_OBJECT)}.`,
    keepMine: (value, by = 'أنت') => `اجعله «${value}» (\u2068${by}\u2069)`,
    takeTheirs: (value, by) => `اتركه «${value}»${by === undefined ? '' : ` (\u2068${by}\u2069)`}`,
    notDecided: 'لم يُنفَّذ ذلك: لا اتصال الآن. لم يتغيّر شيء؛ اختر مرة أخرى.',
    confirmQuestion: (name) => `هل تريد جعل «\u2068${name}\u2069» غير متاح؟`,
    confirmYes: 'اجعله غير متاح',
    confirmNo: 'أبقِه متاحًا',
    delayed(reason) {
      switch (reason) {
        case 'portal_unreachable':
          return `أُرسل، لكن تعذّر الوصول إلى ${subject}. نواصل المحاولة.`;
        case 'portal_busy':
          return `أُرسل، لكن الضغط كبير على ${subject} الآن. نواصل المحاولة.`;
        case 'portal_error':
          return `أُرسل، لكن في ${subject} عطل. نواصل المحاولة.`;
        case 'portal_credentials':
        case 'portal_refuses':
        case 'portal_unreadable':
          return `أُرسل، لكن اتصالنا غير مقبول لدى ${subject}. على المشغّل أن يتحقق من الأمر؛ تغييرك محفوظ.`;
        case 'portal_confirms':
          return 'أُرسل، والتأكيد سيتبع';
        default:
          return `أُرسل، والتأكيد من ${subject} قريبًا`;
      }
    },
    attention(reason, you, other) {
      switch (reason) {
        case 'item_refused':
          return `لم يُقبل: رُفض هذا التغيير من ${subject}. تأكد من أن العنصر ما زال موجودًا هناك، ثم أرسله مرة أخرى.`;
        case 'item_unknown':
          return 'لم يُقبل: لا يُسمح لك بتغيير هذا العنصر. اسأل من يدير حسابك.';
        case 'conflict':
          return `\u2068${you ?? 'أنت'}\u2069 و\u2068${other ?? 'شخص آخر'}\u2069: اختياران مختلفان. أيّهما نعتمد؟`;
        case 'unclaimed':
          return 'تغيّر على هذا الجهاز قبل أن يسجّل أحد الدخول. هل نعتمد ذلك؟';
        case 'permission_missing':
          return 'لم يُقبل: يمكنك الاطلاع على هذا العنصر دون تغييره. اسأل من يدير حسابك.';
        default:
          return 'لم يُقبل هذا التغيير. أرسله مرة أخرى، وإن لم ينفع ذلك فاطلب الدعم.';
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
          return 'لا يُسمح لهذه الصفحة بعرض عناصرك. على المشغّل أن يسمح بهذا العنوان.';
        case 'session_unreachable':
        case 'session_unverifiable':
          return 'تعذّر التحقق من تسجيل دخولك الآن. تغييراتك محفوظة هنا؛ نواصل المحاولة.';
        case 'budget_spent':
          return 'كان ذلك كثيرًا دفعة واحدة. الباقي محفوظ هنا ويُرسَل بعد لحظات.';
        case 'overloaded':
        case 'storage_unavailable':
          return 'لا يمكن قبول التغييرات الآن. تغييراتك محفوظة هنا؛ نواصل المحاولة.';
        case 'not_deleted':
          return 'تعذّر حذف تغييراتك من هذا الجهاز، فما زلت مسجّل الدخول. تُرسَل عندما تحاول مرة أخرى أو تسجّل الخروج.';
        case 'permission_missing':
          return 'لا يُسمح لك بالاطلاع على هذا المخزون. اسأل من يدير حسابك.';
        default:
          return 'لا اتصال. تغييراتك محفوظة هنا؛ نواصل المحاولة.';
      }
    },
    signedOut: 'تم تسجيل خروجك. سجّل الدخول من جديد في هذه الصفحة؛ تغييراتك محفوظة هنا.',
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
    empty: 'لا توجد عناصر بعد. تظهر العناصر هنا حالما يذكرها موقعك.',
    openCount: (count) => `${counted(count, OPEN_CHANGES)} ${on}`,
    nothingOpen: `كل شيء محدَّث ${on}`,
    nothingWaiting: 'لا توجد تغييرات في الانتظار',
    unsavedCount: (count) => counted(count, UNSAVED),
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
    selectItem: (name) => `تحديد \u2068${name}\u2069`,
    readOnly: 'يمكنك الاطلاع دون التغيير.',
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
