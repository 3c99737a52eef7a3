import type { Counter, Forms } from './counter.js';
import type { Dictionary, EditorDictionary } from './dictionary.js';

/** In Turkish, the singular follows a number. */
const ITEMS: Forms = { one: '# teklif', other: '# teklif' };
const CHANGES: Forms = { one: '# değişiklik', other: '# değişiklik' };

export function dictionary({ number, counted }: Counter, portal?: string): Dictionary {
  const [subject, on] = portal === undefined ? ['portal', 'portalda'] : [portal, `${portal} üzerinde`];
  return {
    available: 'Müsait',
    notAvailable: 'Müsait değil',
    required: 'Devam etmek için bunu açın.',
    notSetYet: 'Henüz ayarlanmadı',
    checking: 'Denetleniyor…',
    notKnown: 'Bağlantı yok',
    guestsSee: (value) => `Konuklar şimdi şunu görüyor: “${value}”.`,
    asGiven: 'Web sitenizden, henüz onaylanmadı',
    changedOnPortal: `Değiştirildi: ${subject}`,
    truth: {
      'on-device': 'Buraya kaydedildi, henüz gönderilmedi',
      received: `Gönderildi, ${subject} birazdan onaylar`,
      'on-portal': `Yayında: ${subject}`,
      'needs-attention': 'Kabul edilmedi: siz karar verin',
    },
    waitingForNetwork: 'Buraya kaydedildi. Bağlantı gelince gönderilir; bu sayfayı açık tutun.',
    waitingForSignIn: 'Buraya kaydedildi. Yeniden oturum açınca gönderilir.',
    notSentYet: 'Buraya kaydedildi. Henüz gönderilemiyor; bu sayfayı açık tutun.',
    unsaved: 'Bu cihaza kaydedilmedi: gönderilene kadar bu sayfayı açık tutun.',
    tryAgain: 'Yeniden dene',
    sendAgain: 'Yeniden gönder',
    justNow: 'az önce',
    since: (ago, by) => (by === undefined ? `, ${ago}` : `, ${ago}, değiştiren: \u2068${by}\u2069`),
    before: 'Önce',
    you: 'Siz',
    now: 'Şimdi',
    changedBy: (by, name, value) => `\u2068${name}\u2069: “${value}”, değiştiren: \u2068${by}\u2069.`,
    changedByOthers: (count) => `Başkaları ${counted(count, ITEMS)} değiştirdi.`,
    keepMine: (value, by = 'siz') => `“${value}” olarak ayarla (\u2068${by}\u2069)`,
    takeTheirs: (value, by) => `“${value}” olarak bırak${by === undefined ? '' : ` (\u2068${by}\u2069)`}`,
    notDecided: 'Yapılamadı: şu anda bağlantı yok. Hiçbir şey değişmedi; yeniden seçin.',
    confirmQuestion: (name) => `“\u2068${name}\u2069” müsait değil yapılsın mı?`,
    confirmYes: 'Müsait değil yap',
    confirmNo: 'Müsait bırak',
    delayed(reason) {
      switch (reason) {
        case 'portal_unreachable':
          return `Gönderildi, ama ${subject} yanıt vermiyor. Denemeyi sürdürüyoruz.`;
        case 'portal_busy':
          return `Gönderildi, ama ${subject} meşgul. Denemeyi sürdürüyoruz.`;
        case 'portal_error':
          return `Gönderildi, ama ${subject} arızalı. Denemeyi sürdürüyoruz.`;
        case 'portal_credentials':
        case 'portal_refuses':
        case 'portal_unreadable':
          return `Gönderildi, ama ${subject} bağlantımızı kabul etmiyor. İşletmecinin ilgilenmesi gerekiyor; değişikliğiniz güvende.`;
        case 'portal_confirms':
          return 'Gönderildi, onay bekleniyor';
        default:
          return `Gönderildi, ${subject} birazdan onaylar`;
      }
    },
    attention(reason, you, other) {
      switch (reason) {
        case 'item_refused':
          return `Kabul edilmedi: ${subject} bu değişikliği reddetti. Teklifin orada hâlâ var olduğunu kontrol edin, sonra yeniden gönderin.`;
        case 'item_unknown':
          return 'Kabul edilmedi: bu teklifi değiştiremezsiniz. Hesabınızı yöneten kişiye sorun.';
        case 'conflict':
          return `\u2068${you ?? 'Siz'}\u2069 ve \u2068${other ?? 'başka biri'}\u2069 farklı seçti. Hangisi geçerli?`;
        case 'unclaimed':
          return 'Kimse oturum açmadan önce bu cihazda değiştirildi. Geçerli olsun mu?';
        case 'permission_missing':
          return 'Kabul edilmedi: bu teklifi görebilirsiniz ama değiştiremezsiniz. Hesabınızı yöneten kişiye sorun.';
        default:
          return 'Kabul edilmedi. Yeniden gönderin; işe yaramazsa destek isteyin.';
      }
    },
    connection(problem) {
      switch (problem) {
        case 'token_refused':
        case 'session_missing':
        case 'session_unreadable':
        case 'page_blocked':
          return 'Bu sayfa doğru kurulmamış, bu yüzden değişiklikler henüz gönderilemiyor. Bu cihazda kalırlar. Lütfen sayfanın yöneticisine bildirin.';
        case 'origin_refused':
          return 'Bu sayfa tekliflerinizi gösteremez. İşletmecinin bu adrese izin vermesi gerekiyor.';
        case 'session_unreachable':
        case 'session_unverifiable':
          return 'Oturumunuz şu anda doğrulanamıyor. Değişiklikleriniz burada güvende; denemeyi sürdürüyoruz.';
        case 'budget_spent':
          return 'Bir seferde çok fazla değişiklik oldu. Kalanı burada güvende ve birazdan gönderilir.';
        case 'overloaded':
        case 'storage_unavailable':
          return 'Şu anda değişiklik kabul edilemiyor. Sizinkiler burada güvende; denemeyi sürdürüyoruz.';
        case 'not_deleted':
          return 'Değişiklikleriniz bu cihazdan silinemedi, bu yüzden oturumunuz hâlâ açık. Yeniden denediğinizde veya oturumu kapattığınızda gönderilir.';
        case 'permission_missing':
          return 'Bu teklifleri göremezsiniz. Hesabınızı yöneten kişiye sorun.';
        default:
          return 'Bağlantı yok. Değişiklikleriniz burada güvende; denemeyi sürdürüyoruz.';
      }
    },
    signedOut: 'Oturumunuz kapalı. Bu sayfada yeniden oturum açın; değişiklikleriniz burada güvende.',
    goodbye: 'Oturumunuz kapatıldı. Bu cihazda size ait hiçbir şey kalmadı.',
    missingPart: 'Bu liste tam yüklenmedi ve henüz değiştirilemez. Bağlantınızı kontrol edin.',
    missingProxy: 'Bu öğenin vekil sunucu adresine ihtiyacı var: proxy="https://…" ekleyin.',
    badItem: `Bu öğenin teklif kimliğine ihtiyacı var: item="…" ekleyin, ${number(1)} ile ${number(200)} karakter arası, denetim karakteri olmadan.`,
    secretGiven: (attribute) =>
      `Bu öğeye ${attribute}="…" verildi ve bu bir sır gibi görünüyor. Bir sayfa sır saklayamaz: kaldırın ve kullanıldığı her yerde değiştirin.`,
    requestId: (id) => `Destek için: ${id}`,
    triedAgain: (time) => `Yeniden denendi: ${time}.`,
    inventory: 'Müsaitlik',
    loading: 'Teklifler yükleniyor…',
    empty: 'Henüz teklif yok. Web siteniz bildirdiğinde burada görünürler.',
    openCount: (count) =>
      counted(count, {
        one: `# değişiklik henüz ${on} yayında değil`,
        other: `# değişiklik henüz ${on} yayında değil`,
      }),
    nothingOpen: `Her şey ${on} güncel`,
    nothingWaiting: 'Bekleyen değişiklik yok',
    unsavedCount: (count) =>
      counted(count, { one: '# değişiklik henüz kaydedilmedi', other: '# değişiklik henüz kaydedilmedi' }),
    columns: { item: 'Teklif', group: 'Grup', availability: 'Müsaitlik', status: 'Durum', updated: 'Son değişiklik' },
    total: (count) => counted(count, ITEMS),
    leftOut: (count) => `Bu sayfanın hatalı verileri nedeniyle gösterilmiyor: ${counted(count, ITEMS)}`,
    counting: 'sayılıyor…',
    selectEvery: 'Listelenen tüm teklifleri seç',
    selectItem: (name) => `Seç: \u2068${name}\u2069`,
    readOnly: 'Görebilirsiniz ama değiştiremezsiniz.',
  };
}

export function editorDictionary({ number, counted }: Counter, portal?: string): EditorDictionary {
  const [subject, on] = portal === undefined ? ['Portal', 'portalda'] : [portal, `${portal} üzerinde`];
  const word = (available: boolean): string => (available ? 'müsait' : 'müsait değil');
  const leftAlone = (count: number): string =>
    count === 0
      ? ''
      : `; ${counted(count, ITEMS)} olduğu gibi kaldı: sonradan değişti, önceki değeri olmadan gönderildi veya bu sayfa reddetti`;
  return {
    number,
    changed: 'Henüz kaydedilmedi',
    met: 'Bu arada başka biri bunu değiştirdi: hangi değerin geçerli olduğunu seçin',
    search: 'Ada veya nota göre ara',
    filters: 'Göster',
    filter: {
      all: 'Tümü',
      available: 'Müsait',
      unavailable: 'Müsait değil',
      unknown: 'Ayarlanmadı',
      changed: 'Kaydedilmedi',
      waiting: 'Yolda',
      attention: 'Siz karar verin',
      conflict: 'Farklı seçildi',
    },
    sort: 'Sırala',
    sorted: {
      given: 'Verilen sıra',
      label: 'Ad',
      id: 'Kimlik',
      group: 'Grup',
      value: 'Müsaitlik',
      state: 'Durum',
      'changed-at': 'Son değişiklik',
    },
    reversed: (order) => `${order}, ters sırada`,
    allGroups: 'Tüm gruplar',
    noGroup: 'Grupsuz',
    groupCount: (available, all) => `${number(all)} tekliften ${number(available)} müsait`,
    found: (count) => (count === 0 ? 'Eşleşen teklif yok' : `${counted(count, ITEMS)} bulundu`),
    noMatch: 'Eşleşen teklif yok.',
    showAll: 'Tüm teklifleri göster',
    orderStale: 'Teklifler değişti: yeniden sırala',
    keys: 'Klavye',
    lists: 'Aktar',
    notLoaded: 'Bu yüklenemedi. Bağlantınızı denetleyip yeniden deneyin.',
    unavailableUntil: 'Şu zamana kadar müsait değil…',
    back: (time) => `dönüş ${time}`,
    setByHand: 'Elle değiştirildi: plan buna dokunmaz.',
    queue: (count) => `${counted(count, CHANGES)} yolda`,
    conflicts: (count) => `${counted(count, ITEMS)} için farklı seçim`,
    selected: (count) => `${number(count)} seçili`,
    selectAll: 'Eşleşenlerin tümünü seç',
    selectMatching: (count) => `Tümünü seç (${number(count)})`,
    clearSelection: 'Seçimi kaldır',
    setAvailable: (count) => counted(count, { one: 'Bunu aç', other: 'Bu # teklifi aç' }),
    setUnavailable: (count) => counted(count, { one: 'Bunu kapat', other: 'Bu # teklifi kapat' }),
    changes: (count) => counted(count, CHANGES),
    save: 'Kaydet',
    discard: 'Vazgeç',
    discarded: (count) => `${counted(count, CHANGES)} atıldı.`,
    undo: 'Geri al',
    redo: 'Yinele',
    undone: (changed, skipped) =>
      counted(changed, { one: '# satır geri alındı', other: '# satır geri alındı' }) + leftAlone(skipped),
    redone: (changed, skipped) =>
      counted(changed, { one: '# satır yeniden değiştirildi', other: '# satır yeniden değiştirildi' }) +
      leftAlone(skipped),
    saving: (saved, of) => `Kaydediliyor: ${number(saved)} / ${number(of)}`,
    cancel: 'İptal',
    close: 'Tamam',
    saveDone(saved, held, left) {
      const parts = [`${counted(saved, CHANGES)} gönderilecek`];
      if (held > 0) parts.push(`${number(held)} bekletildi: başkası değiştirdi ya da değiştirme izniniz yok`);
      if (left > 0) parts.push(`${number(left)} kaydedilmedi`);
      return `${parts.join('; ')}.`;
    },
    failed: (count) => `${counted(count, CHANGES)} kabul edilmedi`,
    retryFailed: (count) => `Yeniden gönder (${number(count)})`,
    drafts: (count, age) => `Kaydetmediğiniz ${counted(count, CHANGES)}, ${age}.`,
    draftsRefused: 'Bu tarayıcı bunları saklamıyor: sayfadan ayrılmadan önce kaydedin.',
    takeDrafts: 'Geri getir',
    draftsElsewhere: (count) =>
      `${counted(count, CHANGES)} bu listede olmayan tekliflere ait; onları içeren liste için saklanıyor.`,
    dropDrafts: 'Vazgeç',
    bulkTitle: (count, available) => `${counted(count, ITEMS)} ${available ? 'açılsın' : 'kapatılsın'} mı?`,
    bulkSame: (count, available) => `${number(count)} zaten ${word(available)}.`,
    fromTo: (from, to) => `“${from}” yerine “${to}”`,
    bulkLocked: (count) => `Değiştiremeyeceğiniz: ${counted(count, ITEMS)}.`,
    bulkNothing: 'Hiçbir şey değişmez.',
    bulkSet: (count, available) => `${number(count)} teklifi ${available ? 'aç' : 'kapat'}`,
    bulkDone: (count, available) => `${counted(count, ITEMS)} ${available ? 'açıldı' : 'kapatıldı'}.`,
    closeAll: 'Tümünü kapat',
    closeAllText: 'Şu anda müsait olan her şey. Daha sonra tam olarak bunları yeniden açabilirsiniz.',
    reopen: (count) => counted(count, { one: 'Bunu yeniden aç', other: 'Bu # teklifi yeniden aç' }),
    reopenText: 'Tümünü kapatmadan önce müsait olanlar, başka hiçbir şey.',
    closeGroupText: (group) =>
      `Şu anda \u2068${group}\u2069 grubunda müsait olan her şey. Daha sonra tam olarak bunları yeniden açabilirsiniz.`,
    reopenGroupText: (group) => `\u2068${group}\u2069 grubunu kapatmadan önce müsait olanlar, başka hiçbir şey.`,
    turnSkipped: (count) =>
      `${counted(count, ITEMS)} olduğu gibi kaldı, çünkü sonradan başka biri değiştirdi veya siz değiştiremezsiniz.`,
    closed: (count, age) => `${counted(count, ITEMS)} birlikte kapatıldı, ${age}.`,
    closedRefused: 'Bu tarayıcı bunları saklamıyor: sayfadan ayrılmadan önce yeniden açın.',
    keepClosed: 'Kapalı bırak',
    details: 'Ayrıntılar',
    id: 'Kimlik',
    note: 'Not',
    value: 'Müsaitlik',
    portalNow: `Şu anda ${on}`,
    lastChange: 'Son değişiklik',
    lastChanges: 'Son değişiklikler',
    by: (name) => `değiştiren: \u2068${name}\u2069`,
    conflictsText: 'İki kişi farklı seçti. Hangisi geçerli?',
    keepAllMine: 'Tümü için sizin seçiminizi kullan',
    takeAllTheirs: 'Tümünü şimdiki gibi bırak',
    queueTitle: `Henüz ${on} yayında olmayanlar`,
    queueEmpty: `Her şey ${on} güncel.`,
    notDiscarded: 'Atılamadı: gönderilmiş olabilir veya şu anda bağlantı yok.',
    conflictsTitle: 'Hangisinin geçerli olduğunu seç',
    retryAll: 'Tümünü yeniden gönder',
    more: (count) => `ve ${number(count)} tane daha`,
    keyList: [
      ['↑ ↓', 'Üst satır, alt satır'],
      ['← →', 'Önceki sütun, sonraki sütun'],
      ['Home, End', 'İlk, son sütun; Ctrl ile ilk, son satır'],
      ['Page Up, Page Down', 'Bir ekran yukarı, aşağı'],
      ['Space', 'Anahtarı çevir veya odaktakini etkinleştir'],
      ['Enter', 'Ayrıntılar'],
      ['Shift ↑ ↓', 'Satır seç'],
      ['Ctrl A', 'Eşleşenlerin tümünü seç'],
      ['Escape', 'Seçimi kaldır'],
      ['Ctrl Z, Ctrl Y', 'Geri al, yinele'],
      ['Ctrl S', 'Kaydet'],
      ['/', 'Ara'],
      ['?', 'Bu liste'],
    ],
    signOutUnsent: (count) => `${counted(count, CHANGES)} bu cihazdan çıkmadı.`,
    signOutSave: 'Kaydet ve oturumu kapat',
    signOutSend: 'Gönder ve oturumu kapat',
    signOutDelete: 'Sil ve oturumu kapat',
    signOutStay: 'Oturumu açık tut',
    signOutSends: 'Önce her şey gönderilir. Olmazsa hiçbir şey kaybolmaz ve oturumunuz açık kalır.',
    signOutDeletes: 'Bu değişiklikler kalıcı olarak silinir. Konuklar şimdi ne görüyorsa onu görmeye devam eder.',
    signOutRefused: 'Bunlar bu hâliyle gönderilemez: önce karar verin.',
    portalIsBack: `${subject} yeniden değişiklik kabul ediyor.`,
  };
}
