import type { FeatureDictionary } from './feature-dictionary.js';

export const featuresEl: FeatureDictionary = {
  endOfDay: 'Το τέλος της σημερινής ημέρας',
  tomorrowMorning: 'Αύριο το πρωί, 9:00',
  dateAndTime: 'Ημερομηνία και ώρα',
  untilISay: 'Να το αλλάξω',
  everyWeek: 'Κάθε εβδομάδα, όλη την ημέρα',
  whileBusy: 'Όποτε ένα ημερολόγιο είναι κατειλημμένο',
  calendarAddress: 'Διεύθυνση του ημερολογίου (iCal)',
  calendarHint:
    'Άλλοι ιστότοποι κρατήσεων και εφαρμογές την ονομάζουν «Εξαγωγή ημερολογίου» ή «σύνδεσμος iCal». Διαβάζεται κάθε 15 λεπτά.',
  calendar: (host) => `Ημερολόγιο του ${host}`,
  calendarFree: 'καμία κατειλημμένη ώρα',
  calendarFailed: (time) => `Δεν διαβάζεται από ${time}. Ισχύουν οι ώρες που διαβάστηκαν πριν.`,
  feedProblem: {
    not_public: 'Αυτή η διεύθυνση δεν είναι στο δημόσιο διαδίκτυο.',
    unreachable: 'Τίποτα δεν απαντά σε αυτή τη διεύθυνση. Ελέγξτε την ή δοκιμάστε αργότερα.',
    rejected: 'Αυτή η διεύθυνση απορρίπτεται. Αντιγράψτε την ξανά.',
    too_large: 'Αυτό το ημερολόγιο είναι πολύ μεγάλο.',
    unreadable: 'Σε αυτή τη διεύθυνση δεν υπάρχει αναγνώσιμο ημερολόγιο.',
  },
  setByHand: (time) => `άλλαξε με το χέρι: μένει έτσι έως ${time}`,
  scheduled: 'Ορίστηκε.',
  notScheduled(problem) {
    switch (problem) {
      case 'permission_missing':
      case 'item_unknown':
        return 'Δεν ορίστηκε: δεν επιτρέπεται. Ρωτήστε όποιον διαχειρίζεται τον λογαριασμό σας.';
      case 'invalid_body':
        return 'Δεν ορίστηκε: επιλέξτε μελλοντική ώρα.';
      case 'too_many_feeds':
        return 'Δεν ορίστηκε: έχετε πάρα πολλά ημερολόγια. Αφαιρέστε πρώτα ένα.';
      default:
        return 'Δεν επιβεβαιώθηκε: δεν υπάρχει σύνδεση τώρα. Δοκιμάστε ξανά· τίποτα δεν ορίζεται δύο φορές.';
    }
  },
  partlyScheduled: (set, all) => `Ορίστηκε: ${set} από ${all}. Δοκιμάστε ξανά για τα υπόλοιπα.`,
  removeSchedule: 'Κατάργηση',
  closesAt: (time) => `κλείνει ${time}`,
  historyEmpty: 'Καμία αλλαγή ακόμη.',
  historyFailed(problem) {
    switch (problem) {
      case 'unreachable':
        return 'Χωρίς σύνδεση: το ιστορικό δεν μπορεί να διαβαστεί τώρα.';
      case 'permission_missing':
        return 'Δεν μπορείτε να δείτε το ιστορικό. Ρωτήστε όποιον διαχειρίζεται τον λογαριασμό σας.';
      default:
        return 'Το ιστορικό δεν μπορεί να διαβαστεί τώρα.';
    }
  },
  showMore: 'Εμφάνιση περισσότερων',
  outcome: {
    received: 'Καθ’ οδόν',
    delivered: 'Στην πύλη',
    refused: 'Δεν έγινε δεκτή',
    conflict: 'Διαφορετικές επιλογές',
    superseded: 'Αντικαταστάθηκε από νεότερη αλλαγή',
    discarded: 'Απορρίφθηκε',
  },
  person: 'Άτομο',
  day: 'Ημέρα',
  item: 'Στοιχείο',
  itemsOfAct: 'Στοιχεία',
  closedCount: (n) => `Έκλεισαν: ${n}`,
  openedCount: (n) => `Άνοιξαν: ${n}`,
  leftAsTheyAre: 'Μένουν όπως είναι',
  changedSince: 'άλλαξε στο μεταξύ',
  changedSinceBy: (n) => `άλλαξε στο μεταξύ από: ${n}`,
  noEarlierValue: 'δεν είχε τιμή πριν',
  notListed: 'δεν υπάρχει σε αυτή τη λίστα',
  colleague: 'Ένα μέλος της ομάδας',
  bySchedule: (name) => `πρόγραμμα: ${name}`,
  listsTitle: 'Εισαγωγή και εξαγωγή',
  importHint:
    'Μία προσφορά σε κάθε γραμμή: το αναγνωριστικό της, ή το αναγνωριστικό της και ναι ή όχι. Βλέπετε τι θα άλλαζε πριν αλλάξει κάτι.',
  paste: 'Πληκτρολογήστε αναγνωριστικά ή επικολλήστε γραμμές από υπολογιστικό φύλλο',
  file: 'Ή επιλέξτε αρχείο CSV',
  fileUnreadable: 'Δεν είναι δυνατή η ανάγνωση αυτού του αρχείου.',
  checking: 'Έλεγχος…',
  otherwise: 'Μια προσφορά χωρίς ναι ή όχι στη γραμμή της',
  otherwiseNothing: 'μόνο προστίθεται',
  otherwiseAvailable: 'γίνεται διαθέσιμη',
  otherwiseUnavailable: 'γίνεται μη διαθέσιμη',
  verdict: { new: 'Νέες', changed: 'Αλλαγμένες', same: 'Ίδιες', refused: 'Απορρίφθηκαν' },
  fault: {
    id: 'Ένα αναγνωριστικό έχει 1 έως 200 χαρακτήρες και κανέναν χαρακτήρα ελέγχου.',
    value: 'Αυτό δεν είναι ούτε ναι ούτε όχι.',
    repeated: 'Προηγούμενη γραμμή έχει το ίδιο αναγνωριστικό.',
    locked: 'Δεν μπορείτε να αλλάξετε αυτή την προσφορά.',
    malformed: 'Λείπει ένα εισαγωγικό.',
  },
  line: (line) => `Γραμμή ${line}`,
  lineColumn: (line, column) => `Γραμμή ${line}, στήλη ${column}`,
  saveVerdicts: 'Αποθήκευση αυτού του ελέγχου σε αρχείο',
  import: 'Εισαγωγή',
  imported: 'Έγινε εισαγωγή.',
  export: 'Εξαγωγή',
  exportAll: 'Όλες οι προσφορές',
  exportListed: 'Οι προσφορές της λίστας',
  fileName: 'inventory',
  yes: ['ναι', 'αληθές', 'true'],
  no: ['όχι', 'οχι', 'ψευδές', 'false'],
  heads: { id: [], available: ['διαθέσιμη', 'διαθέσιμο'] },
};
