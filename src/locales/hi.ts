import type { Counter, Forms } from './counter.js';
import type { Dictionary, EditorDictionary } from './dictionary.js';

const ITEMS: Forms = { one: '# आइटम', other: '# आइटम' };
const CHANGES: Forms = { one: '# बदलाव', other: '# बदलाव' };

export function dictionary({ number, counted }: Counter, portal?: string): Dictionary {
  const subject = portal ?? 'पोर्टल';
  return {
    available: 'उपलब्ध',
    notAvailable: 'उपलब्ध नहीं',
    required: 'आगे बढ़ने के लिए इसे चालू करें।',
    notSetYet: 'अभी तय नहीं',
    checking: 'जाँच हो रही है…',
    notKnown: 'कनेक्शन नहीं',
    guestsSee: (value) => `मेहमानों को अभी दिखता है: “${value}”।`,
    asGiven: 'आपकी वेबसाइट से, अभी पुष्टि नहीं हुई',
    changedOnPortal: `${subject} पर बदला गया`,
    truth: {
      'on-device': 'यहाँ सहेजा गया, अभी भेजा नहीं गया',
      received: `भेजा गया, ${subject} जल्द पुष्टि करेगा`,
      'on-portal': `${subject} पर लाइव`,
      'needs-attention': 'स्वीकार नहीं हुआ: आप तय करें',
    },
    waitingForNetwork: 'यहाँ सहेजा गया। कनेक्शन लौटते ही भेजा जाएगा; यह पेज खुला रखें।',
    waitingForSignIn: 'यहाँ सहेजा गया। आपके फिर से साइन इन करने पर भेजा जाएगा।',
    notSentYet: 'यहाँ सहेजा गया। अभी भेजा नहीं जा सकता; यह पेज खुला रखें।',
    unsaved: 'इस डिवाइस पर सहेजा नहीं गया: भेजे जाने तक यह पेज खुला रखें।',
    tryAgain: 'फिर कोशिश करें',
    sendAgain: 'फिर भेजें',
    justNow: 'अभी-अभी',
    since: (ago, by) => (by === undefined ? `, ${ago}` : `, ${ago}, \u2068${by}\u2069 द्वारा`),
    before: 'पहले',
    you: 'आप',
    now: 'अब',
    changedBy: (by, name, value) => `\u2068${by}\u2069 ने \u2068${name}\u2069 को “${value}” किया।`,
    changedByOthers: (count) => `दूसरों ने ${counted(count, ITEMS)} बदले।`,
    keepMine: (value, by = 'आप') => `“${value}” करें (\u2068${by}\u2069)`,
    takeTheirs: (value, by) => `“${value}” रहने दें${by === undefined ? '' : ` (\u2068${by}\u2069)`}`,
    notDecided: 'नहीं हुआ: अभी कनेक्शन नहीं है। कुछ नहीं बदला; फिर से चुनें।',
    confirmQuestion: (name) => `“\u2068${name}\u2069” को अनुपलब्ध करें?`,
    confirmYes: 'अनुपलब्ध करें',
    confirmNo: 'उपलब्ध रखें',
    delayed(reason) {
      switch (reason) {
        case 'portal_unreachable':
          return `भेजा गया, लेकिन ${subject} से संपर्क नहीं हो पा रहा। हम कोशिश कर रहे हैं।`;
        case 'portal_busy':
          return `भेजा गया, लेकिन ${subject} व्यस्त है। हम कोशिश कर रहे हैं।`;
        case 'portal_error':
          return `भेजा गया, लेकिन ${subject} में खराबी है। हम कोशिश कर रहे हैं।`;
        case 'portal_credentials':
        case 'portal_refuses':
        case 'portal_unreadable':
          return `भेजा गया, लेकिन ${subject} हमारा कनेक्शन स्वीकार नहीं कर रहा। संचालक को देखना होगा; आपका बदलाव सुरक्षित है।`;
        case 'portal_confirms':
          return 'भेजा गया, पुष्टि आना बाकी है';
        default:
          return `भेजा गया, ${subject} जल्द पुष्टि करेगा`;
      }
    },
    attention(reason, you, other) {
      switch (reason) {
        case 'item_refused':
          return `स्वीकार नहीं हुआ: ${subject} ने यह बदलाव अस्वीकार किया। देखें कि आइटम वहाँ अब भी है, फिर दोबारा भेजें।`;
        case 'item_unknown':
          return 'स्वीकार नहीं हुआ: आप यह आइटम नहीं बदल सकते। अपने खाते के प्रबंधक से पूछें।';
        case 'conflict':
          return `\u2068${you ?? 'आप'}\u2069 और \u2068${other ?? 'किसी और'}\u2069 ने अलग-अलग चुना। कौन सा मान्य हो?`;
        case 'unclaimed':
          return 'किसी के साइन इन करने से पहले इस डिवाइस पर बदला गया। क्या इसे मान्य करें?';
        case 'permission_missing':
          return 'स्वीकार नहीं हुआ: आप यह आइटम देख सकते हैं, बदल नहीं सकते। अपने खाते के प्रबंधक से पूछें।';
        default:
          return 'स्वीकार नहीं हुआ। फिर भेजें; काम न बने तो सहायता लें।';
      }
    },
    connection(problem) {
      switch (problem) {
        case 'token_refused':
        case 'session_missing':
        case 'session_unreadable':
        case 'page_blocked':
          return 'यह पेज सही ढंग से सेट नहीं है, इसलिए बदलाव अभी भेजे नहीं जा सकते। वे इस डिवाइस पर रहेंगे। कृपया पेज के संचालक को बताएँ।';
        case 'origin_refused':
          return 'यह पेज आपके आइटम नहीं दिखा सकता। संचालक को इस पते की अनुमति देनी होगी।';
        case 'session_unreachable':
        case 'session_unverifiable':
          return 'आपके साइन इन की जाँच अभी नहीं हो सकती। आपके बदलाव यहाँ सुरक्षित हैं; हम कोशिश कर रहे हैं।';
        case 'budget_spent':
          return 'एक साथ बहुत सारे बदलाव हुए। बाकी यहाँ सुरक्षित हैं और थोड़ी देर में भेजे जाएँगे।';
        case 'overloaded':
        case 'storage_unavailable':
          return 'अभी बदलाव स्वीकार नहीं हो सकते। आपके बदलाव यहाँ सुरक्षित हैं; हम कोशिश कर रहे हैं।';
        case 'not_deleted':
          return 'आपके बदलाव इस डिवाइस से हटाए नहीं जा सके, इसलिए आप अब भी साइन इन हैं। फिर कोशिश करने या साइन आउट करने पर वे भेजे जाएँगे।';
        case 'permission_missing':
          return 'आप ये आइटम नहीं देख सकते। अपने खाते के प्रबंधक से पूछें।';
        default:
          return 'कनेक्शन नहीं है। आपके बदलाव यहाँ सुरक्षित हैं; हम कोशिश कर रहे हैं।';
      }
    },
    signedOut: 'आप साइन आउट हैं। इस पेज पर फिर साइन इन करें; आपके बदलाव यहाँ सुरक्षित हैं।',
    goodbye: 'आप साइन आउट हो गए। इस डिवाइस पर आपका कुछ भी नहीं बचा है।',
    missingPart: 'यह सूची पूरी लोड नहीं हुई, इसलिए अभी बदली नहीं जा सकती। अपना कनेक्शन जाँचें।',
    missingProxy: 'इस एलिमेंट को अपने प्रॉक्सी का पता चाहिए: proxy="https://…" जोड़ें।',
    badItem: `इस एलिमेंट को अपने आइटम की आईडी चाहिए: item="…" जोड़ें, ${number(1)} से ${number(200)} अक्षर, बिना कंट्रोल कैरेक्टर के।`,
    secretGiven: (attribute) =>
      `इस एलिमेंट को ${attribute}="…" दिया गया है, जो कोई गोपनीय मान लगता है। पेज गोपनीयता नहीं रख सकता: इसे हटाएँ और जहाँ उपयोग हो वहाँ बदलें।`,
    requestId: (id) => `सहायता के लिए: ${id}`,
    triedAgain: (time) => `${time} पर फिर कोशिश की गई।`,
    inventory: 'उपलब्धता',
    loading: 'आइटम लोड हो रहे हैं…',
    empty: 'अभी कोई आइटम नहीं। जब आपकी वेबसाइट बताएगी, वे यहाँ दिखेंगे।',
    openCount: (count) =>
      counted(count, { one: `# बदलाव अभी ${subject} पर लाइव नहीं है`, other: `# बदलाव अभी ${subject} पर लाइव नहीं हैं` }),
    nothingOpen: `${subject} पर सब कुछ अद्यतन है`,
    nothingWaiting: 'कोई बदलाव बाकी नहीं',
    unsavedCount: (count) => counted(count, { one: '# बदलाव अभी सहेजा नहीं गया', other: '# बदलाव अभी सहेजे नहीं गए' }),
    columns: { item: 'आइटम', group: 'समूह', availability: 'उपलब्धता', status: 'स्थिति', updated: 'पिछला बदलाव' },
    total: (count) => counted(count, ITEMS),
    leftOut: (count) => `इस पेज के गलत डेटा के कारण नहीं दिखाए गए: ${counted(count, ITEMS)}`,
    counting: 'गिनती हो रही है…',
    selectEvery: 'सूची के सभी आइटम चुनें',
    selectItem: (name) => `\u2068${name}\u2069 चुनें`,
    readOnly: 'आप देख सकते हैं, बदल नहीं सकते।',
  };
}

export function editorDictionary({ number, counted }: Counter, portal?: string): EditorDictionary {
  const subject = portal ?? 'पोर्टल';
  const word = (available: boolean): string => (available ? 'उपलब्ध' : 'अनुपलब्ध');
  const leftAlone = (count: number): string =>
    count === 0
      ? ''
      : `; ${counted(count, ITEMS)} वैसे ही रहे: बाद में बदले गए, पिछले मान के बिना भेजे गए, या इस पेज ने अस्वीकार किए`;
  return {
    number,
    changed: 'अभी सहेजा नहीं गया',
    met: 'इस बीच किसी और ने इसे बदला: चुनें कि कौन सा मान मान्य हो',
    search: 'नाम या टिप्पणी से खोजें',
    filters: 'दिखाएँ',
    filter: {
      all: 'सभी',
      available: 'उपलब्ध',
      unavailable: 'उपलब्ध नहीं',
      unknown: 'तय नहीं',
      changed: 'सहेजा नहीं गया',
      waiting: 'रास्ते में',
      attention: 'आप तय करें',
      conflict: 'अलग-अलग चुना गया',
    },
    sort: 'क्रम',
    sorted: {
      given: 'मूल क्रम',
      label: 'नाम',
      id: 'आईडी',
      group: 'समूह',
      value: 'उपलब्धता',
      state: 'स्थिति',
      'changed-at': 'पिछला बदलाव',
    },
    reversed: (order) => `${order}, उल्टे क्रम में`,
    allGroups: 'सभी समूह',
    noGroup: 'बिना समूह',
    groupCount: (available, all) => `${number(all)} में से ${number(available)} उपलब्ध`,
    found: (count) => (count === 0 ? 'कोई आइटम मेल नहीं खाता' : `${counted(count, ITEMS)} मिले`),
    noMatch: 'कोई आइटम मेल नहीं खाता।',
    showAll: 'सभी आइटम दिखाएँ',
    orderStale: 'आइटम बदल गए हैं: फिर से क्रम लगाएँ',
    keys: 'कीबोर्ड',
    lists: 'आयात, निर्यात',
    notLoaded: 'यह लोड नहीं हो सका। अपना कनेक्शन जाँचें और फिर कोशिश करें।',
    unavailableUntil: 'कब तक अनुपलब्ध…',
    back: (time) => `${time} को वापस`,
    setByHand: 'हाथ से बदला गया: शेड्यूल इसे नहीं छुएगा।',
    queue: (count) => counted(count, { one: '# बदलाव रास्ते में', other: '# बदलाव रास्ते में' }),
    conflicts: (count) => counted(count, { one: '# आइटम पर अलग-अलग चुनाव', other: '# आइटम पर अलग-अलग चुनाव' }),
    selected: (count) => `${number(count)} चुने गए`,
    selectAll: 'मेल खाने वाले सभी चुनें',
    selectMatching: (count) => `सभी ${number(count)} चुनें`,
    clearSelection: 'चयन हटाएँ',
    setAvailable: (count) => counted(count, { one: 'इसे खोलें', other: 'ये # खोलें' }),
    setUnavailable: (count) => counted(count, { one: 'इसे बंद करें', other: 'ये # बंद करें' }),
    changes: (count) => counted(count, CHANGES),
    save: 'सहेजें',
    discard: 'छोड़ें',
    discarded: (count) => counted(count, { one: '# बदलाव छोड़ा गया।', other: '# बदलाव छोड़े गए।' }),
    undo: 'पूर्ववत करें',
    redo: 'फिर से करें',
    undone: (changed, skipped) =>
      counted(changed, { one: '# पंक्ति पहले जैसी की गई', other: '# पंक्तियाँ पहले जैसी की गईं' }) + leftAlone(skipped),
    redone: (changed, skipped) =>
      counted(changed, { one: '# पंक्ति फिर बदली गई', other: '# पंक्तियाँ फिर बदली गईं' }) + leftAlone(skipped),
    saving: (saved, of) => `सहेजा जा रहा है: ${number(of)} में से ${number(saved)}`,
    cancel: 'रद्द करें',
    close: 'ठीक है',
    saveDone(saved, held, left) {
      const parts = [counted(saved, { one: '# बदलाव भेजा जाएगा', other: '# बदलाव भेजे जाएँगे' })];
      if (held > 0) parts.push(`${number(held)} रोके गए: किसी और ने बदले, या आप इन्हें बदल नहीं सकते`);
      if (left > 0) parts.push(`सहेजा नहीं गया: ${number(left)}`);
      return `${parts.join('; ')}।`;
    },
    failed: (count) => counted(count, { one: '# बदलाव स्वीकार नहीं हुआ', other: '# बदलाव स्वीकार नहीं हुए' }),
    retryFailed: (count) => `${number(count)} फिर भेजें`,
    drafts: (count, age) => `${counted(count, CHANGES)} जो आपने नहीं सहेजे, ${age}।`,
    draftsRefused: 'यह ब्राउज़र इन्हें नहीं रखता: पेज छोड़ने से पहले सहेजें।',
    takeDrafts: 'वापस लाएँ',
    draftsElsewhere: (count) =>
      `${counted(count, CHANGES)} ऐसे आइटम के हैं जो इस सूची में नहीं हैं; वे उस सूची के लिए रखे गए हैं जिसमें वे आइटम हैं।`,
    dropDrafts: 'छोड़ें',
    bulkTitle: (count, available) => `${counted(count, ITEMS)} ${available ? 'खोलें' : 'बंद करें'}?`,
    bulkSame: (count, available) => `${number(count)} पहले से ${word(available)}।`,
    fromTo: (from, to) => `“${from}” की जगह “${to}”`,
    bulkLocked: (count) => `${counted(count, ITEMS)} आप नहीं बदल सकते।`,
    bulkNothing: 'कुछ नहीं बदलेगा।',
    bulkSet: (count, available) => `${number(count)} ${available ? 'खोलें' : 'बंद करें'}`,
    bulkDone: (count, available) => `${counted(count, ITEMS)} ${available ? 'खोले' : 'बंद किए'} गए।`,
    closeAll: 'सब बंद करें',
    closeAllText: 'वह सब जो अभी उपलब्ध है। बाद में आप ठीक उन्हीं को फिर खोल सकते हैं।',
    reopen: (count) => counted(count, { one: 'इसे फिर खोलें', other: 'ये # फिर खोलें' }),
    reopenText: 'जो सब बंद करने से पहले उपलब्ध था, और कुछ नहीं।',
    closeGroupText: (group) => `\u2068${group}\u2069 में वह सब जो अभी उपलब्ध है। बाद में आप ठीक उन्हीं को फिर खोल सकते हैं।`,
    reopenGroupText: (group) => `\u2068${group}\u2069 में जो बंद करने से पहले उपलब्ध था, और कुछ नहीं।`,
    turnSkipped: (count) => `${counted(count, ITEMS)} वैसे ही रहे, क्योंकि बाद में किसी और ने उन्हें बदला या आप उन्हें नहीं बदल सकते।`,
    closed: (count, age) => `${counted(count, ITEMS)} एक साथ बंद किए गए, ${age}।`,
    closedRefused: 'यह ब्राउज़र इन्हें नहीं रखता: पेज छोड़ने से पहले फिर खोलें।',
    keepClosed: 'बंद रखें',
    details: 'विवरण',
    id: 'आईडी',
    note: 'टिप्पणी',
    value: 'उपलब्धता',
    portalNow: `अभी ${subject} पर`,
    lastChange: 'पिछला बदलाव',
    lastChanges: 'पिछले बदलाव',
    by: (name) => `\u2068${name}\u2069 द्वारा`,
    conflictsText: 'दो लोगों ने अलग-अलग चुना। कौन सा मान्य हो?',
    keepAllMine: 'सभी के लिए आपका चुनाव',
    takeAllTheirs: 'सभी को अभी जैसा रहने दें',
    queueTitle: `जो अभी ${subject} पर लाइव नहीं है`,
    queueEmpty: `${subject} पर सब कुछ अद्यतन है।`,
    notDiscarded: 'छोड़ा नहीं गया: शायद भेजा जा चुका है, या अभी कनेक्शन नहीं है।',
    conflictsTitle: 'चुनें कि कौन सा मान्य हो',
    retryAll: 'सभी फिर भेजें',
    more: (count) => `और ${number(count)}`,
    keyList: [
      ['↑ ↓', 'ऊपर की पंक्ति, नीचे की पंक्ति'],
      ['← →', 'पिछला कॉलम, अगला कॉलम'],
      ['Home, End', 'पहला, आख़िरी कॉलम; Ctrl के साथ पहली, आख़िरी पंक्ति'],
      ['Page Up, Page Down', 'एक स्क्रीन ऊपर, नीचे'],
      ['Space', 'स्विच बदलें, या फ़ोकस वाला बटन दबाएँ'],
      ['Enter', 'विवरण'],
      ['Shift ↑ ↓', 'पंक्तियाँ चुनें'],
      ['Ctrl A', 'मेल खाने वाले सभी चुनें'],
      ['Escape', 'चयन हटाएँ'],
      ['Ctrl Z, Ctrl Y', 'पूर्ववत करें, फिर से करें'],
      ['Ctrl S', 'सहेजें'],
      ['/', 'खोजें'],
      ['?', 'यह सूची'],
    ],
    signOutUnsent: (count) =>
      counted(count, { one: '# बदलाव इस डिवाइस से नहीं गया है।', other: '# बदलाव इस डिवाइस से नहीं गए हैं।' }),
    signOutSave: 'सहेजें और साइन आउट करें',
    signOutSend: 'भेजें और साइन आउट करें',
    signOutDelete: 'हटाएँ और साइन आउट करें',
    signOutStay: 'साइन इन रहें',
    signOutSends: 'पहले सब कुछ भेजा जाता है। न भेजा जा सके तो कुछ नहीं खोता और आप साइन इन रहते हैं।',
    signOutDeletes: 'ये बदलाव हमेशा के लिए खो जाते हैं। मेहमानों को वही दिखता रहेगा जो अभी दिखता है।',
    signOutRefused: 'ये ऐसे नहीं भेजे जा सकते: पहले इन पर फ़ैसला करें।',
    portalIsBack: `${subject} फिर बदलाव स्वीकार कर रहा है।`,
  };
}
