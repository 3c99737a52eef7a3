import type { FeatureDictionary } from './feature-dictionary.js';

export const featuresTr: FeatureDictionary = {
  endOfDay: 'Bugünün sonu',
  tomorrowMorning: 'Yarın sabah, 9:00',
  dateAndTime: 'Bir tarih ve saat',
  untilISay: 'Ben değiştirene kadar',
  everyWeek: 'Her hafta, tüm gün',
  whileBusy: 'Bir takvim dolu olduğunda',
  calendarAddress: 'Takvimin adresi (iCal)',
  calendarHint:
    'Diğer rezervasyon siteleri ve takvim uygulamaları buna “Takvimi dışa aktar” veya “iCal bağlantısı” der. 15 dakikada bir okunur.',
  calendar: (host) => `${host} takvimi`,
  calendarFree: 'bilinen dolu zaman yok',
  calendarFailed: (time) => `${time} zamanından beri okunamıyor. Daha önce okunan zamanlar geçerlidir.`,
  feedProblem: {
    not_public: 'Bu adres genel internette değil.',
    unreachable: 'Bu adreste yanıt yok. Adresi denetleyin ya da sonra yeniden deneyin.',
    rejected: 'Bu adres reddediliyor. Yeniden kopyalayın.',
    too_large: 'Bu takvim çok büyük.',
    unreadable: 'Bu adreste okunabilen bir takvim yok.',
  },
  setByHand: (time) => `elle değiştirildi: ${time} zamanına kadar böyle kalır`,
  scheduled: 'Ayarlandı.',
  notScheduled(problem) {
    switch (problem) {
      case 'permission_missing':
      case 'item_unknown':
        return 'Ayarlanmadı: bunu yapamazsınız. Hesabınızı yönetene sorun.';
      case 'invalid_body':
        return 'Ayarlanmadı: gelecekte bir zaman seçin.';
      case 'too_many_feeds':
        return 'Ayarlanmadı: çok fazla takviminiz var. Önce birini kaldırın.';
      default:
        return 'Onaylanmadı: şu anda bağlantı yok. Yeniden deneyin; hiçbir şey iki kez ayarlanmaz.';
    }
  },
  partlyScheduled: (set, all) => `Ayarlandı: ${all} öğeden ${set}. Kalanlar için yeniden deneyin.`,
  removeSchedule: 'Kaldır',
  closesAt: (time) => `kapanış ${time}`,
  historyEmpty: 'Henüz değişiklik yok.',
  historyFailed(problem) {
    switch (problem) {
      case 'unreachable':
        return 'Bağlantı yok: geçmiş şu anda okunamıyor.';
      case 'permission_missing':
        return 'Geçmişi göremezsiniz. Hesabınızı yöneten kişiye sorun.';
      default:
        return 'Geçmiş şu anda okunamıyor.';
    }
  },
  showMore: 'Daha fazla göster',
  outcome: {
    received: 'Yolda',
    delivered: 'Portalda',
    refused: 'Kabul edilmedi',
    conflict: 'Farklı seçimler',
    superseded: 'Sonraki bir değişiklikle değiştirildi',
    discarded: 'Vazgeçildi',
  },
  person: 'Kişi',
  day: 'Gün',
  item: 'Öğe',
  itemsOfAct: 'Öğeler',
  closedCount: (n) => `Kapatılan: ${n}`,
  openedCount: (n) => `Açılan: ${n}`,
  leftAsTheyAre: 'Olduğu gibi kalanlar',
  changedSince: 'sonradan değişti',
  changedSinceBy: (n) => `sonradan değiştiren: ${n}`,
  noEarlierValue: 'önceden değeri yoktu',
  notListed: 'bu listede yok',
  colleague: 'Bir çalışma arkadaşı',
  bySchedule: (name) => `${name} kişisinin planı`,
  listsTitle: 'İçe ve dışa aktar',
  importHint:
    'Her satırda bir teklif: kimliği ya da kimliği ve evet veya hayır. Bir şey değişmeden önce neyin değişeceğini görürsünüz.',
  paste: 'Kimlikleri yazın veya bir hesap tablosundan satır yapıştırın',
  file: 'Veya bir CSV dosyası seçin',
  fileUnreadable: 'Bu dosya okunamıyor.',
  checking: 'Denetleniyor…',
  otherwise: 'Satırında evet ya da hayır olmayan teklif',
  otherwiseNothing: 'yalnızca eklenir',
  otherwiseAvailable: 'müsait olur',
  otherwiseUnavailable: 'müsait olmaz',
  verdict: { new: 'Yeni', changed: 'Değişen', same: 'Aynı', refused: 'Reddedilen' },
  fault: {
    id: 'Bir kimlik 1 ile 200 karakter arasındadır ve denetim karakteri içermez.',
    value: 'Bu ne evet ne hayır.',
    repeated: 'Önceki bir satırda aynı kimlik var.',
    locked: 'Bu teklifi değiştiremezsiniz.',
    malformed: 'Bir tırnak işareti eksik.',
  },
  line: (line) => `Satır ${line}`,
  lineColumn: (line, column) => `Satır ${line}, sütun ${column}`,
  saveVerdicts: 'Bu denetimi dosya olarak kaydet',
  import: 'İçe aktar',
  imported: 'İçe aktarıldı.',
  export: 'Dışa aktar',
  exportAll: 'Tüm teklifler',
  exportListed: 'Listelenen teklifler',
  fileName: 'teklifler',
  yes: ['evet', 'e', 'doğru'],
  no: ['hayır', 'h', 'yanlış'],
  heads: { id: [], available: ['müsait'] },
};
