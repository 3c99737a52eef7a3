import type { Counter, Forms } from './counter.js';
import type { Dictionary, EditorDictionary } from './dictionary.js';

/** Indonesian has no plural. */
const ITEMS: Forms = { other: '# penawaran' };
const CHANGES: Forms = { other: '# perubahan' };

export function dictionary({ number, counted }: Counter): Dictionary {
  return {
    available: 'Tersedia',
    notAvailable: 'Tidak tersedia',
    required: 'Aktifkan ini untuk melanjutkan.',
    notSetYet: 'Belum diatur',
    asGiven: 'Sesuai dengan halaman ini',
    truth: {
      'on-device': 'Di perangkat ini',
      received: 'Diterima',
      'on-portal': 'Di portal',
      'needs-attention': 'Perlu perhatian Anda',
    },
    waitingForNetwork: 'menunggu koneksi; biarkan halaman ini terbuka',
    notSentYet: 'belum dapat dikirim; biarkan halaman ini terbuka',
    waitingForSignIn: 'menunggu Anda masuk kembali',
    unsaved: 'Tidak tersimpan di perangkat ini: biarkan halaman ini terbuka sampai diterima',
    tryAgain: 'Coba lagi',
    justNow: 'baru saja',
    since: (ago, by) => (by === undefined ? `, ${ago}` : `, ${ago}, oleh \u2068${by}\u2069`),
    before: 'Sebelumnya',
    you: 'Anda',
    now: 'Sekarang',
    changedBy: (by, name, value) => `\u2068${by}\u2069 mengatur \u2068${name}\u2069 ke “${value}”.`,
    changedByOthers: (count) => `Orang lain mengubah ${counted(count, ITEMS)}.`,
    keepMine: (value) => `Atur ke “${value}”`,
    takeTheirs: (value) => `Biarkan “${value}”`,
    notDecided:
      'Tidak dilakukan: layanan ketersediaan tidak dapat dihubungi sekarang. Tidak ada yang berubah; pilih lagi.',
    confirmQuestion: (name) => `Jadikan “\u2068${name}\u2069” tidak tersedia?`,
    confirmYes: 'Jadikan tidak tersedia',
    confirmNo: 'Tetap tersedia',
    delayed(reason) {
      switch (reason) {
        case 'portal_unreachable':
          return 'portal tidak dapat dihubungi; kami terus mencoba';
        case 'portal_busy':
          return 'portal sedang sibuk; kami terus mencoba';
        case 'portal_error':
          return 'portal mengalami gangguan; kami terus mencoba';
        case 'portal_credentials':
        case 'portal_refuses':
        case 'portal_unreadable':
          return 'portal tidak menerima koneksi kami; pengelola perlu memeriksanya';
        case 'portal_confirms':
          return 'terkirim, konfirmasi menyusul';
        default:
          return 'dalam perjalanan ke portal';
      }
    },
    attention(reason) {
      switch (reason) {
        case 'item_refused':
          return 'Portal menolak perubahan ini. Pastikan penawaran itu masih ada di sana, lalu coba lagi.';
        case 'item_unknown':
          return 'Anda tidak boleh mengubah penawaran ini. Tanyakan kepada pengelola akun Anda.';
        case 'conflict':
          return 'Orang lain mengubah penawaran ini sebelum perubahan Anda tiba. Mana yang berlaku?';
        case 'unclaimed':
          return 'Diubah di perangkat ini sebelum ada yang masuk. Apakah ini berlaku?';
        case 'permission_missing':
          return 'Anda boleh melihat penawaran ini tetapi tidak mengubahnya. Tanyakan kepada pengelola akun Anda.';
        default:
          return 'Perubahan ini tidak diterima. Coba lagi; jika tidak berhasil, mintalah bantuan.';
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
          return 'Halaman ini tidak boleh memakai layanan ketersediaan. Pengelolanya harus mengizinkan alamat ini.';
        case 'session_unreachable':
        case 'session_unverifiable':
          return 'Status masuk Anda tidak dapat diperiksa sekarang. Perubahan tetap di perangkat ini; kami terus mencoba.';
        case 'budget_spent':
          return 'Terlalu banyak sekaligus. Sisanya tetap di perangkat ini dan segera dikirim.';
        case 'overloaded':
        case 'storage_unavailable':
          return 'Layanan ketersediaan tidak dapat menyimpan perubahan sekarang. Perubahan tetap di perangkat ini; kami terus mencoba.';
        case 'not_deleted':
          return 'Perubahan Anda tidak dapat dihapus dari perangkat ini, jadi Anda masih masuk. Perubahan dikirim saat Anda mencoba lagi atau keluar.';
        case 'permission_missing':
          return 'Anda tidak boleh melihat penawaran ini. Tanyakan kepada pengelola akun Anda.';
        default:
          return 'Layanan ketersediaan tidak dapat dihubungi. Perubahan tetap di perangkat ini; kami terus mencoba.';
      }
    },
    signedOut: 'Anda sudah keluar. Masuk lagi di halaman ini; perubahan Anda tersimpan di perangkat ini.',
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
    empty: 'Belum ada penawaran. Penawaran muncul di sini setelah disebutkan halaman ini atau layanan ketersediaan.',
    openCount: (count) => `${counted(count, CHANGES)} belum ada di portal`,
    nothingOpen: 'Tidak ada yang menunggu',
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
    readOnly: 'Anda boleh melihat tetapi tidak mengubah.',
  };
}

export function editorDictionary({ number, counted }: Counter): EditorDictionary {
  const word = (available: boolean): string => (available ? 'tersedia' : 'tidak tersedia');
  const leftAlone = (count: number): string =>
    count === 0
      ? ''
      : `; ${counted(count, ITEMS)} dibiarkan: diubah setelahnya, dikirim tanpa nilai sebelumnya, atau ditolak halaman ini`;
  return {
    number,
    changed: 'Belum disimpan',
    met: 'Sementara itu orang lain mengubah ini: pilih nilai yang berlaku',
    search: 'Cari menurut nama atau id',
    filters: 'Tampilkan',
    filter: {
      all: 'Semua',
      available: 'Tersedia',
      unavailable: 'Tidak tersedia',
      unknown: 'Belum diatur',
      changed: 'Diubah',
      waiting: 'Menunggu',
      attention: 'Perlu perhatian',
      conflict: 'Bertentangan',
    },
    sort: 'Urutkan',
    sorted: {
      given: 'Urutan asli',
      label: 'Nama',
      id: 'Id',
      state: 'Status',
      'changed-at': 'Perubahan terakhir',
    },
    found: (count) => (count === 0 ? 'Tidak ada yang cocok' : `${counted(count, ITEMS)} cocok`),
    noMatch: 'Tidak ada yang cocok.',
    showAll: 'Tampilkan semua penawaran',
    orderStale: 'Penawaran berubah: urutkan lagi',
    keys: 'Papan ketik',
    lists: 'Impor, ekspor',
    notLoaded: 'Ini tidak dapat dimuat. Periksa koneksi Anda dan coba lagi.',
    queue: (count) => `${number(count)} menunggu`,
    conflicts: (count) => counted(count, { other: '# pertentangan' }),
    selected: (count) => `${number(count)} dipilih`,
    selectAll: 'Pilih semua yang cocok',
    selectMatching: (count) => `Pilih semua (${number(count)})`,
    clearSelection: 'Hapus pilihan',
    setAvailable: 'Jadikan tersedia',
    setUnavailable: 'Jadikan tidak tersedia',
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
    close: 'Tutup',
    saveDone(saved, held, left) {
      const parts = [`${counted(saved, CHANGES)} akan dikirim`];
      if (held > 0) parts.push(`${number(held)} ditahan`);
      if (left > 0) parts.push(`${number(left)} tidak dicoba`);
      return `${parts.join('; ')}.`;
    },
    failed: (count) => `${counted(count, CHANGES)} tidak diterima`,
    retryFailed: (count) => `Coba lagi yang gagal (${number(count)})`,
    drafts: (count, age) => `${counted(count, CHANGES)} yang belum Anda simpan, ${age}.`,
    draftsRefused: 'Tidak disimpan peramban ini: simpan sebelum meninggalkan halaman.',
    takeDrafts: 'Ambil kembali',
    draftsElsewhere: (count) =>
      `${counted(count, CHANGES)} milik penawaran di luar daftar ini, dan disimpan untuk daftar yang memuatnya.`,
    dropDrafts: 'Buang',
    bulkTitle: (count, available) => `Jadikan ${counted(count, ITEMS)} ${word(available)}?`,
    bulkSame: (count, available) => `${number(count)} sudah ${word(available)}.`,
    bulkLocked: (count) => `${counted(count, ITEMS)} tidak boleh Anda ubah.`,
    bulkNothing: 'Tidak ada yang akan berubah.',
    bulkSet: (count, available) => `Jadikan ${number(count)} ${word(available)}`,
    bulkDone: (count, available) => `${counted(count, ITEMS)} dijadikan ${word(available)}.`,
    closeAll: 'Tutup semua',
    closeAllText: 'Semua yang tersedia sekarang. Nanti Anda dapat membuka persis itu lagi.',
    reopen: 'Buka lagi',
    reopenText: 'Yang tersedia sebelum Anda menutup semua, dan tidak ada yang lain.',
    turnSkipped: (count) =>
      `${counted(count, ITEMS)} dibiarkan, karena orang lain mengubahnya setelah itu atau Anda tidak boleh mengubahnya.`,
    closed: (count, age) => `${counted(count, ITEMS)} ditutup bersama, ${age}.`,
    closedRefused: 'Tidak disimpan peramban ini: buka lagi sebelum meninggalkan halaman.',
    keepClosed: 'Biarkan tertutup',
    details: 'Rincian',
    id: 'Id',
    note: 'Catatan',
    value: 'Nilai',
    lastChange: 'Perubahan terakhir',
    by: (name) => `oleh \u2068${name}\u2069`,
    conflictsText: 'Dua nilai bertentangan. Pilih yang berlaku.',
    base: 'Sebelumnya',
    mine: 'Anda',
    theirs: 'Sekarang',
    keepMine: 'Pertahankan milik saya',
    takeTheirs: 'Ambil yang lain',
    keepAllMine: 'Pertahankan semua milik saya',
    takeAllTheirs: 'Ambil semua yang lain',
    queueTitle: 'Yang belum ada di portal',
    queueEmpty: 'Tidak ada yang menunggu.',
    notDiscarded:
      'Tidak dibuang: mungkin sudah meninggalkan perangkat ini, atau layanan ketersediaan tidak dapat dihubungi sekarang.',
    conflictsTitle: 'Perubahan yang bertentangan',
    retry: 'Coba lagi',
    retryAll: 'Coba semua lagi',
    more: (count) => `dan ${number(count)} lainnya`,
    keyList: [
      ['↑ ↓', 'Baris di atas, di bawah'],
      ['← →', 'Kolom sebelumnya, berikutnya'],
      ['Home, End', 'Kolom pertama, terakhir; dengan Ctrl baris pertama, terakhir'],
      ['Page Up, Page Down', 'Satu layar ke atas, ke bawah'],
      ['Space', 'Ubah sakelar, atau aktifkan yang terfokus'],
      ['Shift ↑ ↓', 'Pilih baris'],
      ['Ctrl A', 'Pilih semua yang cocok'],
      ['Escape', 'Hapus pilihan'],
      ['Ctrl Z, Ctrl Y', 'Urungkan, ulangi'],
      ['Ctrl S', 'Simpan'],
      ['/', 'Cari'],
      ['?', 'Daftar ini'],
    ],
    signOutUnsent: (count) => `${counted(count, CHANGES)} belum meninggalkan perangkat ini.`,
    signOutSend: 'Coba kirim lagi',
    signOutDelete: 'Hapus dan keluar',
    signOutStay: 'Tetap masuk',
    portalIsBack: 'Portal menerima perubahan lagi.',
  };
}
