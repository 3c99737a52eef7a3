import type { Counter, Forms } from './counter.js';
import type { Dictionary, EditorDictionary } from './dictionary.js';

/** Indonesian has no plural. */
const ITEMS: Forms = { other: '# penawaran' };
const CHANGES: Forms = { other: '# perubahan' };

export function dictionary({ number, counted }: Counter, portal?: string): Dictionary {
  const [subject, on] = [portal ?? 'portal', `di ${portal ?? 'portal'}`];
  return {
    available: 'Tersedia',
    notAvailable: 'Tidak tersedia',
    required: 'Aktifkan ini untuk melanjutkan.',
    notSetYet: 'Belum diatur',
    checking: 'Memeriksa…',
    notKnown: 'Tidak ada koneksi',
    guestsSee: (value) => `Tamu sekarang melihat: “${value}”.`,
    asGiven: 'Dari situs web Anda, belum dikonfirmasi',
    changedOnPortal: `Diubah ${on}`,
    truth: {
      'on-device': 'Tersimpan di sini, belum dikirim',
      received: `Terkirim, ${subject} segera mengonfirmasi`,
      'on-portal': `Tayang ${on}`,
      'needs-attention': 'Tidak diterima: Anda yang memutuskan',
    },
    waitingForNetwork: 'Tersimpan di sini. Dikirim saat koneksi kembali; biarkan halaman ini terbuka.',
    waitingForSignIn: 'Tersimpan di sini. Dikirim saat Anda masuk kembali.',
    notSentYet: 'Tersimpan di sini. Belum dapat dikirim; biarkan halaman ini terbuka.',
    unsaved: 'Tidak tersimpan di perangkat ini: biarkan halaman ini terbuka sampai terkirim.',
    tryAgain: 'Coba lagi',
    sendAgain: 'Kirim lagi',
    justNow: 'baru saja',
    since: (ago, by) => (by === undefined ? `, ${ago}` : `, ${ago}, oleh \u2068${by}\u2069`),
    before: 'Sebelumnya',
    you: 'Anda',
    now: 'Sekarang',
    changedBy: (by, name, value) => `\u2068${by}\u2069 mengatur \u2068${name}\u2069 ke “${value}”.`,
    changedByOthers: (count) => `Orang lain mengubah ${counted(count, ITEMS)}.`,
    keepMine: (value, by = 'Anda') => `Atur ke “${value}” (\u2068${by}\u2069)`,
    takeTheirs: (value, by) => `Biarkan “${value}”${by === undefined ? '' : ` (\u2068${by}\u2069)`}`,
    notDecided: 'Tidak dilakukan: sekarang tidak ada koneksi. Tidak ada yang berubah; pilih lagi.',
    confirmQuestion: (name) => `Jadikan “\u2068${name}\u2069” tidak tersedia?`,
    confirmYes: 'Jadikan tidak tersedia',
    confirmNo: 'Tetap tersedia',
    delayed(reason) {
      switch (reason) {
        case 'portal_unreachable':
          return `Terkirim, tetapi ${subject} tidak dapat dihubungi. Kami terus mencoba.`;
        case 'portal_busy':
          return `Terkirim, tetapi ${subject} sedang sibuk. Kami terus mencoba.`;
        case 'portal_error':
          return `Terkirim, tetapi ${subject} mengalami gangguan. Kami terus mencoba.`;
        case 'portal_credentials':
        case 'portal_refuses':
        case 'portal_unreadable':
          return `Terkirim, tetapi ${subject} tidak menerima koneksi kami. Pengelolanya perlu memeriksa; perubahan Anda aman.`;
        case 'portal_confirms':
          return 'Terkirim, konfirmasi menyusul';
        default:
          return `Terkirim, ${subject} segera mengonfirmasi`;
      }
    },
    attention(reason, you, other) {
      switch (reason) {
        case 'item_refused':
          return `Tidak diterima: ${subject} menolak perubahan ini. Pastikan penawaran itu masih ada di sana, lalu kirim lagi.`;
        case 'item_unknown':
          return 'Tidak diterima: Anda tidak boleh mengubah penawaran ini. Tanyakan kepada pengelola akun Anda.';
        case 'conflict':
          return `\u2068${you ?? 'Anda'}\u2069 dan \u2068${other ?? 'orang lain'}\u2069 memilih berbeda. Mana yang berlaku?`;
        case 'unclaimed':
          return 'Diubah di perangkat ini sebelum ada yang masuk. Apakah ini berlaku?';
        case 'permission_missing':
          return 'Tidak diterima: Anda boleh melihat penawaran ini tetapi tidak mengubahnya. Tanyakan kepada pengelola akun Anda.';
        default:
          return 'Tidak diterima. Kirim lagi; jika tidak berhasil, mintalah bantuan.';
      }
    },
    connection(problem) {
      switch (problem) {
        case 'token_refused':
        case 'session_missing':
        case 'session_unreadable':
        case 'page_blocked':
          return 'Halaman ini belum diatur dengan benar, jadi perubahan belum dapat dikirim. Perubahan tetap di perangkat ini. Beri tahu pengelola halaman ini.';
        case 'origin_refused':
          return 'Halaman ini tidak boleh menampilkan penawaran Anda. Pengelolanya harus mengizinkan alamat ini.';
        case 'session_unreachable':
        case 'session_unverifiable':
          return 'Status masuk Anda tidak dapat diperiksa sekarang. Perubahan Anda aman di sini; kami terus mencoba.';
        case 'budget_spent':
          return 'Terlalu banyak sekaligus. Sisanya aman di sini dan segera dikirim.';
        case 'overloaded':
        case 'storage_unavailable':
          return 'Perubahan tidak dapat diterima sekarang. Perubahan Anda aman di sini; kami terus mencoba.';
        case 'not_deleted':
          return 'Perubahan Anda tidak dapat dihapus dari perangkat ini, jadi Anda masih masuk. Perubahan dikirim saat Anda mencoba lagi atau keluar.';
        case 'permission_missing':
          return 'Anda tidak boleh melihat penawaran ini. Tanyakan kepada pengelola akun Anda.';
        default:
          return 'Tidak ada koneksi. Perubahan Anda aman di sini; kami terus mencoba.';
      }
    },
    signedOut: 'Anda sudah keluar. Masuk lagi di halaman ini; perubahan Anda aman di sini.',
    goodbye: 'Anda sudah keluar. Tidak ada data Anda yang tersisa di perangkat ini.',
    missingPart: 'Daftar ini belum dimuat seluruhnya, jadi belum dapat diubah. Periksa koneksi Anda.',
    missingProxy: 'Elemen ini memerlukan alamat proksinya: tambahkan proxy="https://…".',
    badItem: `Elemen ini memerlukan id penawarannya: tambahkan item="…", ${number(1)} sampai ${number(200)} karakter, tanpa karakter kontrol.`,
    secretGiven: (attribute) =>
      `Elemen ini diberi ${attribute}="…", yang tampak seperti rahasia. Halaman tidak dapat menyimpan rahasia: hapus, dan ganti di mana pun dipakai.`,
    requestId: (id) => `Untuk bantuan: ${id}`,
    triedAgain: (time) => `Dicoba lagi pukul ${time}.`,
    inventory: 'Ketersediaan',
    loading: 'Memuat penawaran…',
    empty: 'Belum ada penawaran. Penawaran muncul di sini setelah situs web Anda menyebutkannya.',
    openCount: (count) => `${counted(count, CHANGES)} belum tayang ${on}`,
    nothingOpen: `Semua sudah terbaru ${on}`,
    nothingWaiting: 'Tidak ada perubahan yang menunggu',
    unsavedCount: (count) => counted(count, { other: '# perubahan belum disimpan' }),
    columns: {
      item: 'Penawaran',
      group: 'Grup',
      availability: 'Ketersediaan',
      status: 'Status',
      updated: 'Perubahan terakhir',
    },
    total: (count) => counted(count, ITEMS),
    leftOut: (count) => `Tidak ditampilkan karena data halaman ini salah: ${counted(count, ITEMS)}`,
    counting: 'menghitung…',
    selectEvery: 'Pilih semua penawaran dalam daftar',
    selectItem: (name) => `Pilih \u2068${name}\u2069`,
    readOnly: 'Anda boleh melihat tetapi tidak mengubah.',
  };
}

export function editorDictionary({ number, counted }: Counter, portal?: string): EditorDictionary {
  const [subject, on] = [portal ?? 'Portal', `di ${portal ?? 'portal'}`];
  const word = (available: boolean): string => (available ? 'tersedia' : 'tidak tersedia');
  const leftAlone = (count: number): string =>
    count === 0
      ? ''
      : `; ${counted(count, ITEMS)} dibiarkan: diubah setelahnya, dikirim tanpa nilai sebelumnya, atau ditolak halaman ini`;
  return {
    number,
    changed: 'Belum disimpan',
    met: 'Sementara itu orang lain mengubah ini: pilih nilai yang berlaku',
    search: 'Cari menurut nama atau catatan',
    filters: 'Tampilkan',
    filter: {
      all: 'Semua',
      available: 'Tersedia',
      unavailable: 'Tidak tersedia',
      unknown: 'Belum diatur',
      changed: 'Belum disimpan',
      waiting: 'Dalam perjalanan',
      attention: 'Anda memutuskan',
      conflict: 'Pilihan berbeda',
    },
    sort: 'Urutkan',
    sorted: {
      given: 'Urutan asli',
      label: 'Nama',
      id: 'Id',
      group: 'Grup',
      value: 'Ketersediaan',
      state: 'Status',
      'changed-at': 'Perubahan terakhir',
    },
    reversed: (order) => `${order}, terbalik`,
    allGroups: 'Semua grup',
    noGroup: 'Tanpa grup',
    groupCount: (available, all) => `${number(available)} dari ${number(all)} tersedia`,
    found: (count) => (count === 0 ? 'Tidak ada yang cocok' : `${counted(count, ITEMS)} cocok`),
    noMatch: 'Tidak ada yang cocok.',
    showAll: 'Tampilkan semua penawaran',
    orderStale: 'Penawaran berubah: urutkan lagi',
    keys: 'Papan ketik',
    lists: 'Impor, ekspor',
    notLoaded: 'Ini tidak dapat dimuat. Periksa koneksi Anda dan coba lagi.',
    unavailableUntil: 'Tidak tersedia sampai…',
    back: (time) => `kembali ${time}`,
    setByHand: 'Diubah manual: jadwal membiarkannya.',
    queue: (count) => `${counted(count, CHANGES)} dalam perjalanan`,
    conflicts: (count) => `${counted(count, ITEMS)} dengan pilihan berbeda`,
    selected: (count) => `${number(count)} dipilih`,
    selectAll: 'Pilih semua yang cocok',
    selectMatching: (count) => `Pilih semua (${number(count)})`,
    clearSelection: 'Hapus pilihan',
    setAvailable: (count) => counted(count, { other: 'Buka # ini' }),
    setUnavailable: (count) => counted(count, { other: 'Tutup # ini' }),
    changes: (count) => counted(count, CHANGES),
    save: 'Simpan',
    discard: 'Buang',
    discarded: (count) => `${counted(count, CHANGES)} dibuang.`,
    undo: 'Urungkan',
    redo: 'Ulangi',
    undone: (changed, skipped) => counted(changed, { other: '# baris dikembalikan' }) + leftAlone(skipped),
    redone: (changed, skipped) => counted(changed, { other: '# baris diubah lagi' }) + leftAlone(skipped),
    saving: (saved, of) => `Menyimpan: ${number(saved)} dari ${number(of)}`,
    cancel: 'Batal',
    close: 'Selesai',
    saveDone(saved, held, left) {
      const parts = [`${counted(saved, CHANGES)} akan dikirim`];
      if (held > 0) parts.push(`${number(held)} ditahan: diubah orang lain, atau tidak boleh Anda ubah`);
      if (left > 0) parts.push(`${number(left)} belum disimpan`);
      return `${parts.join('; ')}.`;
    },
    failed: (count) => `${counted(count, CHANGES)} tidak diterima`,
    retryFailed: (count) => `Kirim lagi ${number(count)}`,
    drafts: (count, age) => `${counted(count, CHANGES)} yang belum Anda simpan, ${age}.`,
    draftsRefused: 'Tidak disimpan peramban ini: simpan sebelum meninggalkan halaman.',
    takeDrafts: 'Ambil kembali',
    draftsElsewhere: (count) =>
      `${counted(count, CHANGES)} milik penawaran di luar daftar ini, dan disimpan untuk daftar yang memuatnya.`,
    dropDrafts: 'Buang',
    bulkTitle: (count, available) => `${available ? 'Buka' : 'Tutup'} ${counted(count, ITEMS)}?`,
    bulkSame: (count, available) => `${number(count)} sudah ${word(available)}.`,
    fromTo: (from, to) => `“${from}” menjadi “${to}”`,
    bulkLocked: (count) => `${counted(count, ITEMS)} tidak boleh Anda ubah.`,
    bulkNothing: 'Tidak ada yang akan berubah.',
    bulkSet: (count, available) => `${available ? 'Buka' : 'Tutup'} ${number(count)}`,
    bulkDone: (count, available) => `${counted(count, ITEMS)} ${available ? 'dibuka' : 'ditutup'}.`,
    closeAll: 'Tutup semua',
    closeAllText: 'Semua yang tersedia sekarang. Nanti Anda dapat membuka persis itu lagi.',
    reopen: (count) => counted(count, { other: 'Buka lagi # ini' }),
    reopenText: 'Yang tersedia sebelum semua ditutup, dan tidak ada yang lain.',
    closeGroupText: (group) =>
      `Semua di \u2068${group}\u2069 yang tersedia sekarang. Nanti Anda dapat membuka persis itu lagi.`,
    reopenGroupText: (group) => `Yang tersedia di \u2068${group}\u2069 sebelum ditutup, dan tidak ada yang lain.`,
    turnSkipped: (count) =>
      `${counted(count, ITEMS)} dibiarkan, karena orang lain mengubahnya setelah itu atau Anda tidak boleh mengubahnya.`,
    closed: (count, age) => `${counted(count, ITEMS)} ditutup bersama, ${age}.`,
    closedRefused: 'Tidak disimpan peramban ini: buka lagi sebelum meninggalkan halaman.',
    keepClosed: 'Biarkan tertutup',
    details: 'Rincian',
    id: 'Id',
    note: 'Catatan',
    value: 'Ketersediaan',
    portalNow: `Sekarang ${on}`,
    lastChange: 'Perubahan terakhir',
    lastChanges: 'Riwayat perubahan',
    by: (name) => `oleh \u2068${name}\u2069`,
    conflictsText: 'Dua orang memilih berbeda. Mana yang berlaku?',
    keepAllMine: 'Pakai pilihan Anda untuk semua',
    takeAllTheirs: 'Biarkan semua seperti sekarang',
    queueTitle: `Belum tayang ${on}`,
    queueEmpty: `Semua sudah terbaru ${on}.`,
    notDiscarded: 'Tidak dibuang: mungkin sudah terkirim, atau sekarang tidak ada koneksi.',
    conflictsTitle: 'Pilih yang berlaku',
    retryAll: 'Kirim semua lagi',
    more: (count) => `dan ${number(count)} lainnya`,
    keyList: [
      ['↑ ↓', 'Baris di atas, di bawah'],
      ['← →', 'Kolom sebelumnya, berikutnya'],
      ['Home, End', 'Kolom pertama, terakhir; dengan Ctrl baris pertama, terakhir'],
      ['Page Up, Page Down', 'Satu layar ke atas, ke bawah'],
      ['Space', 'Ubah sakelar, atau aktifkan yang terfokus'],
      ['Enter', 'Rincian'],
      ['Shift ↑ ↓', 'Pilih baris'],
      ['Ctrl A', 'Pilih semua yang cocok'],
      ['Escape', 'Hapus pilihan'],
      ['Ctrl Z, Ctrl Y', 'Urungkan, ulangi'],
      ['Ctrl S', 'Simpan'],
      ['/', 'Cari'],
      ['?', 'Daftar ini'],
    ],
    signOutUnsent: (count) => `${counted(count, CHANGES)} belum meninggalkan perangkat ini.`,
    signOutSave: 'Simpan dan keluar',
    signOutSend: 'Kirim dan keluar',
    signOutDelete: 'Hapus dan keluar',
    signOutStay: 'Tetap masuk',
    signOutSends: 'Semuanya dikirim lebih dahulu. Jika gagal, tidak ada yang hilang dan Anda tetap masuk.',
    signOutDeletes: 'Perubahan ini hilang selamanya. Tamu tetap melihat yang mereka lihat sekarang.',
    signOutRefused: 'Ini tidak dapat dikirim begitu saja: putuskan dahulu.',
    portalIsBack: `${subject} menerima perubahan lagi.`,
  };
}
