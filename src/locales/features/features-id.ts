import type { FeatureDictionary } from './feature-dictionary.js';

export const featuresId: FeatureDictionary = {
  endOfDay: 'Akhir hari ini',
  tomorrowMorning: 'Besok pagi, 9:00',
  dateAndTime: 'Tanggal dan waktu',
  untilISay: 'Saya mengubahnya',
  everyWeek: 'Setiap minggu, sepanjang hari',
  whileBusy: 'Setiap kali kalender terisi',
  calendarAddress: 'Alamat kalender (iCal)',
  calendarHint:
    'Situs pemesanan dan aplikasi kalender lain menyebutnya “Ekspor kalender” atau “tautan iCal”. Dibaca setiap 15 menit.',
  calendar: (host) => `Kalender dari ${host}`,
  calendarFree: 'tidak ada waktu terisi',
  calendarFailed: (time) => `Tidak dapat dibaca sejak ${time}. Waktu yang dibaca sebelumnya berlaku.`,
  feedProblem: {
    not_public: 'Alamat ini tidak ada di internet publik.',
    unreachable: 'Tidak ada jawaban di alamat ini. Periksa atau coba lagi nanti.',
    rejected: 'Alamat ini ditolak. Salin lagi.',
    too_large: 'Kalender ini terlalu besar.',
    unreadable: 'Di alamat ini tidak ada kalender yang dapat dibaca.',
  },
  setByHand: (time) => `diubah manual: tetap begitu sampai ${time}`,
  scheduled: 'Sudah diatur.',
  notScheduled(problem) {
    switch (problem) {
      case 'permission_missing':
      case 'item_unknown':
        return 'Tidak diatur: Anda tidak boleh melakukan ini. Tanyakan kepada pengelola akun Anda.';
      case 'invalid_body':
        return 'Tidak diatur: pilih waktu yang akan datang.';
      case 'too_many_feeds':
        return 'Tidak diatur: kalender Anda terlalu banyak. Hapus satu dulu.';
      default:
        return 'Belum dipastikan: sekarang tidak ada koneksi. Coba lagi; tidak ada yang diatur dua kali.';
    }
  },
  partlyScheduled: (set, all) => `Diatur: ${set} dari ${all}. Coba lagi untuk sisanya.`,
  removeSchedule: 'Hapus',
  closesAt: (time) => `tutup ${time}`,
  historyEmpty: 'Belum ada perubahan.',
  historyFailed(problem) {
    switch (problem) {
      case 'unreachable':
        return 'Tidak ada koneksi: riwayat tidak dapat dibaca sekarang.';
      case 'permission_missing':
        return 'Anda tidak boleh melihat riwayat. Tanyakan kepada pengelola akun Anda.';
      default:
        return 'Riwayat tidak dapat dibaca sekarang.';
    }
  },
  showMore: 'Tampilkan lagi',
  outcome: {
    received: 'Dalam perjalanan',
    delivered: 'Di portal',
    refused: 'Tidak diterima',
    conflict: 'Pilihan berbeda',
    superseded: 'Digantikan perubahan berikutnya',
    discarded: 'Dibuang',
  },
  person: 'Orang',
  day: 'Hari',
  item: 'Item',
  itemsOfAct: 'Item',
  closedCount: (n) => `Ditutup: ${n}`,
  openedCount: (n) => `Dibuka: ${n}`,
  leftAsTheyAre: 'Dibiarkan seperti sekarang',
  changedSince: 'diubah setelah itu',
  changedSinceBy: (n) => `diubah setelah itu oleh ${n}`,
  noEarlierValue: 'sebelumnya tanpa nilai',
  notListed: 'tidak ada di daftar ini',
  colleague: 'Rekan kerja',
  bySchedule: (name) => `jadwal ${name}`,
  listsTitle: 'Impor dan ekspor',
  importHint:
    'Satu penawaran di setiap baris: id-nya, atau id-nya dan ya atau tidak. Anda melihat apa yang akan berubah sebelum ada yang berubah.',
  paste: 'Ketik id, atau tempelkan baris dari lembar sebar',
  file: 'Atau pilih berkas CSV',
  fileUnreadable: 'Berkas ini tidak dapat dibaca.',
  checking: 'Memeriksa…',
  otherwise: 'Penawaran yang barisnya tanpa ya atau tidak',
  otherwiseNothing: 'hanya ditambahkan',
  otherwiseAvailable: 'menjadi tersedia',
  otherwiseUnavailable: 'menjadi tidak tersedia',
  verdict: { new: 'Baru', changed: 'Berubah', same: 'Sama', refused: 'Ditolak' },
  fault: {
    id: 'Id terdiri dari 1 sampai 200 karakter, tanpa karakter kontrol.',
    value: 'Ini bukan ya dan bukan tidak.',
    repeated: 'Baris sebelumnya memiliki id yang sama.',
    locked: 'Anda tidak boleh mengubah penawaran ini.',
    malformed: 'Ada tanda kutip yang kurang.',
  },
  line: (line) => `Baris ${line}`,
  lineColumn: (line, column) => `Baris ${line}, kolom ${column}`,
  saveVerdicts: 'Simpan pemeriksaan ini sebagai berkas',
  import: 'Impor',
  imported: 'Sudah diimpor.',
  export: 'Ekspor',
  exportAll: 'Semua penawaran',
  exportListed: 'Penawaran yang ditampilkan',
  fileName: 'penawaran',
  yes: ['ya', 'y', 'benar'],
  no: ['tidak', 't', 'salah'],
  heads: { id: [], available: ['tersedia'] },
};
