import type { Counter, Forms } from './counter.js';
import type { Dictionary, EditorDictionary } from './dictionary.js';

/** After a number, Turkish has the singular. */
const ITEMS: Forms = { one: '# teklif', other: '# teklif' };
const CHANGES: Forms = { one: '# değişiklik', other: '# değişiklik' };

export function dictionary({ number, counted }: Counter): Dictionary {
  return {
    available: 'Müsait',
    notAvailable: 'Müsait değil',
    required: 'Devam etmek için bunu açın.',
    notSetYet: 'Henüz ayarlanmadı',
    asGiven: 'Bu sayfanın bildirdiği gibi',
    truth: {
      'on-device': 'Bu cihazda',
      received: 'Alındı',
      'on-portal': 'Portalda',
      'needs-attention': 'Dikkatinizi gerektiriyor',
    },
    waitingForNetwork: 'bağlantı bekleniyor; bu sayfayı açık tutun',
    notSentYet: 'henüz gönderilemiyor; bu sayfayı açık tutun',
    waitingForSignIn: 'yeniden oturum açmanız bekleniyor',
    unsaved: 'Bu cihaza kaydedilmedi: alınana kadar bu sayfayı açık tutun',
    tryAgain: 'Yeniden dene',
    justNow: 'az önce',
    since: (ago, by) => (by === undefined ? `, ${ago}` : `, ${ago}, değiştiren: \u2068${by}\u2069`),
    before: 'Önce',
    you: 'Siz',
    now: 'Şimdi',
    changedBy: (by, name, value) => `\u2068${name}\u2069: “${value}”, değiştiren: \u2068${by}\u2069.`,
    changedByOthers: (count) => `Başkaları ${counted(count, ITEMS)} değiştirdi.`,
    keepMine: (value) => `“${value}” olarak ayarla`,
    takeTheirs: (value) => `“${value}” olarak bırak`,
    notDecided: 'Yapılamadı: müsaitlik hizmetine şu anda ulaşılamıyor. Hiçbir şey değişmedi; yeniden seçin.',
    confirmQuestion: (name) => `“\u2068${name}\u2069” müsait değil yapılsın mı?`,
    confirmYes: 'Müsait değil yap',
    confirmNo: 'Müsait bırak',
    delayed(reason) {
      switch (reason) {
        case 'portal_unreachable':
          return 'portala ulaşılamıyor; denemeyi sürdürüyoruz';
        case 'portal_busy':
          return 'portal meşgul; denemeyi sürdürüyoruz';
        case 'portal_error':
          return 'portalda bir arıza var; denemeyi sürdürüyoruz';
        case 'portal_credentials':
        case 'portal_refuses':
        case 'portal_unreadable':
          return 'portal bağlantımızı kabul etmiyor; işletmecinin ilgilenmesi gerekiyor';
        case 'portal_confirms':
          return 'gönderildi, onay bekleniyor';
        default:
          return 'portala gidiyor';
      }
    },
    attention(reason) {
      switch (reason) {
        case 'item_refused':
          return 'Portal bu değişikliği reddetti. Teklifin orada hâlâ var olduğunu kontrol edin, sonra yeniden deneyin.';
        case 'item_unknown':
          return 'Bu teklifi değiştiremezsiniz. Hesabınızı yöneten kişiye sorun.';
        case 'conflict':
          return 'Değişikliğiniz ulaşmadan önce başka biri bu teklifi değiştirdi. Hangisi geçerli olsun?';
        case 'unclaimed':
          return 'Kimse oturum açmadan önce bu cihazda değiştirildi. Geçerli olsun mu?';
        case 'permission_missing':
          return 'Bu teklifi görebilirsiniz ama değiştiremezsiniz. Hesabınızı yöneten kişiye sorun.';
        default:
          return 'Bu değişiklik kabul edilmedi. Yeniden deneyin; işe yaramazsa destek isteyin.';
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
          return 'Bu sayfa müsaitlik hizmetini kullanamaz. İşletmecinin bu adrese izin vermesi gerekiyor.';
        case 'session_unreachable':
        case 'session_unverifiable':
          return 'Oturumunuz şu anda doğrulanamıyor. Değişiklikler bu cihazda kalır; denemeyi sürdürüyoruz.';
        case 'budget_spent':
          return 'Bir seferde çok fazla değişiklik oldu. Kalanı bu cihazda durur ve birazdan gönderilir.';
        case 'overloaded':
        case 'storage_unavailable':
          return 'Müsaitlik hizmeti şu anda değişiklik kaydedemiyor. Değişiklikler bu cihazda kalır; denemeyi sürdürüyoruz.';
        case 'not_deleted':
          return 'Değişiklikleriniz bu cihazdan silinemedi, bu yüzden oturumunuz hâlâ açık. Yeniden denediğinizde veya oturumu kapattığınızda gönderilir.';
        case 'permission_missing':
          return 'Bu teklifleri göremezsiniz. Hesabınızı yöneten kişiye sorun.';
        default:
          return 'Müsaitlik hizmetine ulaşılamıyor. Değişiklikler bu cihazda kalır; denemeyi sürdürüyoruz.';
      }
    },
    signedOut: 'Oturumunuz kapalı. Bu sayfada yeniden oturum açın; değişiklikleriniz bu cihazda saklanıyor.',
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
    empty: 'Henüz teklif yok. Bu sayfa veya müsaitlik hizmeti bildirdiğinde burada görünürler.',
    openCount: (count) =>
      counted(count, { one: '# değişiklik henüz portalda değil', other: '# değişiklik henüz portalda değil' }),
    nothingOpen: 'Bekleyen yok',
    columns: { item: 'Teklif', group: 'Grup', availability: 'Müsaitlik', status: 'Durum', updated: 'Son değişiklik' },
    total: (count) => counted(count, ITEMS),
    leftOut: (count) => `Bu sayfanın hatalı verileri nedeniyle gösterilmiyor: ${counted(count, ITEMS)}`,
    counting: 'sayılıyor…',
    selectEvery: 'Listelenen tüm teklifleri seç',
    readOnly: 'Görebilirsiniz ama değiştiremezsiniz.',
  };
}

export function editorDictionary({ number, counted }: Counter): EditorDictionary {
  const word = (available: boolean): string => (available ? 'müsait' : 'müsait değil');
  const leftAlone = (count: number): string =>
    count === 0
      ? ''
      : `; ${counted(count, ITEMS)} olduğu gibi kaldı: sonradan değişti, önceki değeri olmadan gönderildi veya bu sayfa reddetti`;
  return {
    number,
    changed: 'Henüz kaydedilmedi',
    met: 'Bu arada başka biri bunu değiştirdi: hangi değerin geçerli olduğunu seçin',
    search: 'Ada veya kimliğe göre ara',
    filters: 'Göster',
    filter: {
      all: 'Tümü',
      available: 'Müsait',
      unavailable: 'Müsait değil',
      unknown: 'Ayarlanmadı',
      changed: 'Değiştirildi',
      waiting: 'Bekliyor',
      attention: 'Dikkat gerektiriyor',
      conflict: 'Çakışıyor',
    },
    sort: 'Sırala',
    sorted: {
      given: 'Verilen sıra',
      label: 'Ad',
      id: 'Kimlik',
      state: 'Durum',
      'changed-at': 'Son değişiklik',
    },
    found: (count) => (count === 0 ? 'Eşleşen teklif yok' : `${counted(count, ITEMS)} bulundu`),
    noMatch: 'Eşleşen teklif yok.',
    showAll: 'Tüm teklifleri göster',
    orderStale: 'Teklifler değişti: yeniden sırala',
    keys: 'Klavye',
    lists: 'Aktar',
    notLoaded: 'Bu yüklenemedi. Bağlantınızı denetleyip yeniden deneyin.',
    queue: (count) => `${number(count)} bekliyor`,
    conflicts: (count) => counted(count, { one: '# çakışma', other: '# çakışma' }),
    selected: (count) => `${number(count)} seçili`,
    selectAll: 'Eşleşenlerin tümünü seç',
    selectMatching: (count) => `Tümünü seç (${number(count)})`,
    clearSelection: 'Seçimi kaldır',
    setAvailable: 'Müsait yap',
    setUnavailable: 'Müsait değil yap',
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
    close: 'Kapat',
    saveDone(saved, held, left) {
      const parts = [`${counted(saved, CHANGES)} gönderilecek`];
      if (held > 0) parts.push(`${number(held)} bekletildi`);
      if (left > 0) parts.push(`${number(left)} denenmedi`);
      return `${parts.join('; ')}.`;
    },
    failed: (count) => `${counted(count, CHANGES)} kabul edilmedi`,
    retryFailed: (count) => `Başarısız olanları yeniden dene (${number(count)})`,
    drafts: (count, age) => `Kaydetmediğiniz ${counted(count, CHANGES)}, ${age}.`,
    draftsRefused: 'Bu tarayıcı bunları saklamıyor: sayfadan ayrılmadan önce kaydedin.',
    takeDrafts: 'Geri getir',
    draftsElsewhere: (count) =>
      `${counted(count, CHANGES)} bu listede olmayan tekliflere ait; onları içeren liste için saklanıyor.`,
    dropDrafts: 'Vazgeç',
    bulkTitle: (count, available) => `${counted(count, ITEMS)} ${word(available)} yapılsın mı?`,
    bulkSame: (count, available) => `${number(count)} zaten ${word(available)}.`,
    bulkLocked: (count) => `Değiştiremeyeceğiniz: ${counted(count, ITEMS)}.`,
    bulkNothing: 'Hiçbir şey değişmez.',
    bulkSet: (count, available) => `${number(count)} teklifi ${word(available)} yap`,
    bulkDone: (count, available) => `${counted(count, ITEMS)} ${word(available)} yapıldı.`,
    closeAll: 'Tümünü kapat',
    closeAllText: 'Şu anda müsait olan her şey. Daha sonra tam olarak bunları yeniden açabilirsiniz.',
    reopen: 'Yeniden aç',
    reopenText: 'Tümünü kapatmadan önce müsait olanlar, başka hiçbir şey.',
    turnSkipped: (count) =>
      `${counted(count, ITEMS)} olduğu gibi kaldı, çünkü sonradan başka biri değiştirdi veya siz değiştiremezsiniz.`,
    closed: (count, age) => `${counted(count, ITEMS)} birlikte kapatıldı, ${age}.`,
    closedRefused: 'Bu tarayıcı bunları saklamıyor: sayfadan ayrılmadan önce yeniden açın.',
    keepClosed: 'Kapalı bırak',
    details: 'Ayrıntılar',
    id: 'Kimlik',
    note: 'Not',
    value: 'Değer',
    lastChange: 'Son değişiklik',
    by: (name) => `değiştiren: \u2068${name}\u2069`,
    conflictsText: 'İki değer çakışıyor. Hangisinin geçerli olduğunu seçin.',
    base: 'Önce',
    mine: 'Siz',
    theirs: 'Şimdi',
    keepMine: 'Benimkini tut',
    takeTheirs: 'Diğerini al',
    keepAllMine: 'Benimkilerin tümünü tut',
    takeAllTheirs: 'Diğerlerinin tümünü al',
    queueTitle: 'Henüz portalda olmayanlar',
    queueEmpty: 'Bekleyen yok.',
    notDiscarded: 'Atılamadı: bu cihazdan çıkmış olabilir veya müsaitlik hizmetine şu anda ulaşılamıyor.',
    conflictsTitle: 'Çakışan değişiklikler',
    retry: 'Yeniden dene',
    retryAll: 'Tümünü yeniden dene',
    more: (count) => `ve ${number(count)} tane daha`,
    keyList: [
      ['↑ ↓', 'Üst satır, alt satır'],
      ['← →', 'Önceki sütun, sonraki sütun'],
      ['Home, End', 'İlk, son sütun; Ctrl ile ilk, son satır'],
      ['Page Up, Page Down', 'Bir ekran yukarı, aşağı'],
      ['Space', 'Anahtarı çevir veya odaktakini etkinleştir'],
      ['Shift ↑ ↓', 'Satır seç'],
      ['Ctrl A', 'Eşleşenlerin tümünü seç'],
      ['Escape', 'Seçimi kaldır'],
      ['Ctrl Z, Ctrl Y', 'Geri al, yinele'],
      ['Ctrl S', 'Kaydet'],
      ['/', 'Ara'],
      ['?', 'Bu liste'],
    ],
    signOutUnsent: (count) => `${counted(count, CHANGES)} bu cihazdan çıkmadı.`,
    signOutSend: 'Yeniden göndermeyi dene',
    signOutDelete: 'Sil ve oturumu kapat',
    signOutStay: 'Oturumu açık tut',
    portalIsBack: 'Portal yeniden değişiklik kabul ediyor.',
  };
}
