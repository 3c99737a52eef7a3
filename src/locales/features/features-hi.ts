import type { FeatureDictionary } from './feature-dictionary.js';

export const featuresHi: FeatureDictionary = {
  endOfDay: 'आज का अंत',
  tomorrowMorning: 'कल सुबह, 9:00',
  dateAndTime: 'तारीख और समय',
  untilISay: 'जब तक मैं न बदलूँ',
  everyWeek: 'हर हफ़्ते, पूरे दिन',
  whileBusy: 'जब भी कोई कैलेंडर व्यस्त हो',
  calendarAddress: 'कैलेंडर का पता (iCal)',
  calendarHint: 'दूसरी बुकिंग साइटें और कैलेंडर ऐप इसे “कैलेंडर निर्यात” या “iCal लिंक” कहते हैं। इसे हर 15 मिनट में पढ़ा जाता है।',
  calendar: (host) => `${host} का कैलेंडर`,
  calendarFree: 'कोई व्यस्त समय नहीं',
  calendarFailed: (time) => `${time} से पढ़ा नहीं जा सकता। पहले पढ़े गए समय लागू हैं।`,
  feedProblem: {
    not_public: 'यह पता सार्वजनिक इंटरनेट पर नहीं है।',
    unreachable: 'इस पते से कोई जवाब नहीं। इसे जाँचें या बाद में कोशिश करें।',
    rejected: 'यह पता अस्वीकार हुआ। इसे फिर से कॉपी करें।',
    too_large: 'यह कैलेंडर बहुत बड़ा है।',
    unreadable: 'इस पते पर पढ़ने योग्य कैलेंडर नहीं है।',
  },
  setByHand: (time) => `हाथ से बदला गया: ${time} तक ऐसा ही रहेगा`,
  scheduled: 'सेट हो गया।',
  notScheduled(problem) {
    switch (problem) {
      case 'permission_missing':
      case 'item_unknown':
        return 'सेट नहीं हुआ: आपको इसकी अनुमति नहीं है। अपने खाते के प्रबंधक से पूछें।';
      case 'invalid_body':
        return 'सेट नहीं हुआ: आने वाला समय चुनें।';
      case 'too_many_feeds':
        return 'सेट नहीं हुआ: बहुत अधिक कैलेंडर हैं। पहले एक हटाएँ।';
      default:
        return 'पुष्टि नहीं हुई: अभी कनेक्शन नहीं है। फिर कोशिश करें; कुछ भी दो बार सेट नहीं होता।';
    }
  },
  partlyScheduled: (set, all) => `सेट हुआ: ${all} में से ${set}। बाकी के लिए फिर कोशिश करें।`,
  removeSchedule: 'हटाएँ',
  closesAt: (time) => `${time} को बंद`,
  historyEmpty: 'अभी कोई बदलाव नहीं।',
  historyFailed(problem) {
    switch (problem) {
      case 'unreachable':
        return 'कनेक्शन नहीं है: इतिहास अभी पढ़ा नहीं जा सकता।';
      case 'permission_missing':
        return 'आप इतिहास नहीं देख सकते। अपने खाते के प्रबंधक से पूछें।';
      default:
        return 'इतिहास अभी पढ़ा नहीं जा सकता।';
    }
  },
  showMore: 'और दिखाएँ',
  outcome: {
    received: 'रास्ते में',
    delivered: 'पोर्टल पर',
    refused: 'स्वीकार नहीं हुआ',
    conflict: 'अलग-अलग चुनाव',
    superseded: 'बाद के बदलाव ने इसकी जगह ली',
    discarded: 'छोड़ा गया',
  },
  person: 'व्यक्ति',
  day: 'दिन',
  item: 'आइटम',
  itemsOfAct: 'आइटम',
  closedCount: (n) => `बंद किए: ${n}`,
  openedCount: (n) => `खोले: ${n}`,
  leftAsTheyAre: 'जैसे हैं वैसे ही रहेंगे',
  changedSince: 'बाद में बदला गया',
  changedSinceBy: (n) => `बाद में ${n} ने बदला`,
  noEarlierValue: 'पहले कोई मान नहीं था',
  notListed: 'इस सूची में नहीं है',
  colleague: 'टीम का कोई सदस्य',
  bySchedule: (name) => `${name} का शेड्यूल`,
  listsTitle: 'आयात और निर्यात',
  importHint: 'हर पंक्ति में एक आइटम: उसकी आईडी, या उसकी आईडी और हाँ या नहीं। कुछ भी बदलने से पहले आप देखते हैं कि क्या बदलेगा।',
  paste: 'आईडी लिखें, या स्प्रेडशीट की पंक्तियाँ चिपकाएँ',
  file: 'या CSV फ़ाइल चुनें',
  fileUnreadable: 'यह फ़ाइल पढ़ी नहीं जा सकती।',
  checking: 'जाँच हो रही है…',
  otherwise: 'जिस आइटम की पंक्ति में हाँ या नहीं न हो',
  otherwiseNothing: 'वह केवल जोड़ा जाएगा',
  otherwiseAvailable: 'वह उपलब्ध होगा',
  otherwiseUnavailable: 'वह अनुपलब्ध होगा',
  verdict: { new: 'नए', changed: 'बदले', same: 'वही', refused: 'अस्वीकृत' },
  fault: {
    id: 'आईडी में 1 से 200 अक्षर होते हैं, कोई नियंत्रण अक्षर नहीं।',
    value: 'यह न हाँ है, न नहीं।',
    repeated: 'पहले की एक पंक्ति में यही आईडी है।',
    locked: 'आप यह आइटम नहीं बदल सकते।',
    malformed: 'एक उद्धरण चिह्न कम है।',
  },
  line: (line) => `पंक्ति ${line}`,
  lineColumn: (line, column) => `पंक्ति ${line}, स्तंभ ${column}`,
  saveVerdicts: 'इस जाँच को फ़ाइल में सहेजें',
  import: 'आयात करें',
  imported: 'आयात हुआ।',
  export: 'निर्यात',
  exportAll: 'सभी आइटम',
  exportListed: 'सूची में दिख रहे आइटम',
  fileName: 'inventory',
  yes: ['हाँ', 'हां'],
  no: ['नहीं', 'अनुपलब्ध'],
  heads: { id: ['आईडी'], available: ['उपलब्ध'] },
};
