import type { Counter, Forms } from './counter.js';
import type { Dictionary, EditorDictionary } from './dictionary.js';

const ITEMS: Forms = { one: '# προσφορά', other: '# προσφορές' };
const CHANGES: Forms = { one: '# αλλαγή', other: '# αλλαγές' };

export function dictionary({ number, counted }: Counter): Dictionary {
  return {
    available: 'Διαθέσιμο',
    notAvailable: 'Μη διαθέσιμο',
    required: 'Ενεργοποιήστε το για να συνεχίσετε.',
    notSetYet: 'Δεν έχει οριστεί ακόμη',
    asGiven: 'Όπως το δίνει αυτή η σελίδα',
    truth: {
      'on-device': 'Σε αυτή τη συσκευή',
      received: 'Ελήφθη',
      'on-portal': 'Στην πύλη',
      'needs-attention': 'Χρειάζεται την προσοχή σας',
    },
    waitingForNetwork: 'αναμονή για σύνδεση· κρατήστε ανοιχτή αυτή τη σελίδα',
    notSentYet: 'δεν μπορεί ακόμη να σταλεί· κρατήστε ανοιχτή αυτή τη σελίδα',
    waitingForSignIn: 'αναμονή να συνδεθείτε ξανά',
    unsaved: 'Δεν αποθηκεύτηκε σε αυτή τη συσκευή: κρατήστε ανοιχτή αυτή τη σελίδα μέχρι να ληφθεί',
    tryAgain: 'Δοκιμή ξανά',
    justNow: 'μόλις τώρα',
    since: (ago, by) => (by === undefined ? `, ${ago}` : `, ${ago}, από: \u2068${by}\u2069`),
    before: 'Πριν',
    you: 'Εσείς',
    now: 'Τώρα',
    changedBy: (by, name, value) => `\u2068${name}\u2069: «${value}», από: \u2068${by}\u2069.`,
    changedByOthers: (count) => `Άλλοι άλλαξαν ${counted(count, ITEMS)}.`,
    keepMine: (value) => `Ορισμός σε «${value}»`,
    takeTheirs: (value) => `Να μείνει «${value}»`,
    notDecided: 'Δεν έγινε: η υπηρεσία διαθεσιμότητας δεν απαντά τώρα. Τίποτα δεν άλλαξε· επιλέξτε ξανά.',
    confirmQuestion: (name) => `Να γίνει μη διαθέσιμο: «\u2068${name}\u2069»;`,
    confirmYes: 'Να γίνει μη διαθέσιμο',
    confirmNo: 'Να μείνει διαθέσιμο',
    delayed(reason) {
      switch (reason) {
        case 'portal_unreachable':
          return 'η πύλη δεν απαντά· συνεχίζουμε να προσπαθούμε';
        case 'portal_busy':
          return 'η πύλη είναι απασχολημένη· συνεχίζουμε να προσπαθούμε';
        case 'portal_error':
          return 'η πύλη έχει βλάβη· συνεχίζουμε να προσπαθούμε';
        case 'portal_credentials':
        case 'portal_refuses':
        case 'portal_unreadable':
          return 'η πύλη δεν δέχεται τη σύνδεσή μας· πρέπει να το δει ο διαχειριστής';
        case 'portal_confirms':
          return 'στάλθηκε, ακολουθεί επιβεβαίωση';
        default:
          return 'καθ’ οδόν προς την πύλη';
      }
    },
    attention(reason) {
      switch (reason) {
        case 'item_refused':
          return 'Η πύλη απέρριψε αυτή την αλλαγή. Ελέγξτε ότι η προσφορά υπάρχει ακόμη εκεί και δοκιμάστε ξανά.';
        case 'item_unknown':
          return 'Δεν μπορείτε να αλλάξετε αυτή την προσφορά. Ρωτήστε όποιον διαχειρίζεται τον λογαριασμό σας.';
        case 'conflict':
          return 'Κάποιος άλλος άλλαξε αυτή την προσφορά πριν φτάσει η αλλαγή σας. Ποια να ισχύσει;';
        case 'unclaimed':
          return 'Άλλαξε σε αυτή τη συσκευή πριν συνδεθεί κανείς. Να ισχύσει;';
        case 'permission_missing':
          return 'Μπορείτε να δείτε αυτή την προσφορά, αλλά όχι να την αλλάξετε. Ρωτήστε όποιον διαχειρίζεται τον λογαριασμό σας.';
        default:
          return 'Αυτή η αλλαγή δεν έγινε δεκτή. Δοκιμάστε ξανά· αν δεν βοηθήσει, ζητήστε υποστήριξη.';
      }
    },
    connection(problem) {
      switch (problem) {
        case 'token_refused':
        case 'session_missing':
        case 'session_unreadable':
        case 'page_blocked':
          return 'Αυτή η σελίδα δεν είναι σωστά ρυθμισμένη και οι αλλαγές δεν μπορούν ακόμη να σταλούν. Μένουν σε αυτή τη συσκευή. Ενημερώστε τον διαχειριστή της σελίδας.';
        case 'origin_refused':
          return 'Αυτή η σελίδα δεν μπορεί να χρησιμοποιήσει την υπηρεσία διαθεσιμότητας. Ο διαχειριστής της πρέπει να επιτρέψει αυτή τη διεύθυνση.';
        case 'session_unreachable':
        case 'session_unverifiable':
          return 'Η σύνδεσή σας δεν μπορεί να ελεγχθεί τώρα. Οι αλλαγές μένουν σε αυτή τη συσκευή· συνεχίζουμε να προσπαθούμε.';
        case 'budget_spent':
          return 'Ήταν πολλά μαζί. Τα υπόλοιπα μένουν σε αυτή τη συσκευή και στέλνονται σε λίγο.';
        case 'overloaded':
        case 'storage_unavailable':
          return 'Η υπηρεσία διαθεσιμότητας δεν μπορεί να αποθηκεύσει αλλαγές τώρα. Μένουν σε αυτή τη συσκευή· συνεχίζουμε να προσπαθούμε.';
        case 'not_deleted':
          return 'Οι αλλαγές σας δεν διαγράφηκαν από αυτή τη συσκευή, οπότε είστε ακόμη συνδεδεμένοι. Στέλνονται όταν δοκιμάσετε ξανά ή αποσυνδεθείτε.';
        case 'permission_missing':
          return 'Δεν μπορείτε να δείτε αυτές τις προσφορές. Ρωτήστε όποιον διαχειρίζεται τον λογαριασμό σας.';
        default:
          return 'Η υπηρεσία διαθεσιμότητας δεν απαντά. Οι αλλαγές μένουν σε αυτή τη συσκευή· συνεχίζουμε να προσπαθούμε.';
      }
    },
    signedOut: 'Έχετε αποσυνδεθεί. Συνδεθείτε ξανά σε αυτή τη σελίδα· οι αλλαγές σας μένουν σε αυτή τη συσκευή.',
    goodbye: 'Έχετε αποσυνδεθεί. Τίποτα δικό σας δεν μένει σε αυτή τη συσκευή.',
    missingPart: 'Η λίστα δεν φορτώθηκε ολόκληρη και δεν μπορεί ακόμη να αλλάξει. Ελέγξτε τη σύνδεσή σας.',
    missingProxy: 'Αυτό το στοιχείο χρειάζεται τη διεύθυνση του διακομιστή μεσολάβησης: προσθέστε proxy="https://…".',
    badItem: `Αυτό το στοιχείο χρειάζεται το αναγνωριστικό της προσφοράς: προσθέστε item="…", από ${number(1)} έως ${number(200)} χαρακτήρες, χωρίς χαρακτήρες ελέγχου.`,
    secretGiven: (attribute) =>
      `Σε αυτό το στοιχείο δόθηκε ${attribute}="…", που μοιάζει με μυστικό. Μια σελίδα δεν μπορεί να κρατήσει κανένα: αφαιρέστε το και αλλάξτε το όπου χρησιμοποιείται.`,
    requestId: (id) => `Για υποστήριξη: ${id}`,
    triedAgain: (time) => `Νέα προσπάθεια στις ${time}.`,
    inventory: 'Διαθεσιμότητα',
    loading: 'Φόρτωση προσφορών…',
    empty: 'Δεν υπάρχουν ακόμη προσφορές. Εμφανίζονται εδώ μόλις τις δώσει αυτή η σελίδα ή η υπηρεσία διαθεσιμότητας.',
    openCount: (count) =>
      counted(count, {
        one: '# αλλαγή δεν είναι ακόμη στην πύλη',
        other: '# αλλαγές δεν είναι ακόμη στην πύλη',
      }),
    nothingOpen: 'Τίποτα σε αναμονή',
    columns: {
      item: 'Προσφορά',
      group: 'Ομάδα',
      availability: 'Διαθεσιμότητα',
      status: 'Κατάσταση',
      updated: 'Τελευταία αλλαγή',
    },
    total: (count) => counted(count, ITEMS),
    leftOut: (count) => `Δεν εμφανίζονται λόγω εσφαλμένων δεδομένων αυτής της σελίδας: ${counted(count, ITEMS)}`,
    counting: 'μέτρηση…',
    selectEvery: 'Επιλογή όλων των προσφορών της λίστας',
    readOnly: 'Μπορείτε να βλέπετε, αλλά όχι να αλλάζετε.',
  };
}

export function editorDictionary({ number, counted }: Counter): EditorDictionary {
  const word = (available: boolean): string => (available ? 'διαθέσιμο' : 'μη διαθέσιμο');
  const leftAlone = (count: number): string =>
    count === 0
      ? ''
      : `· έμειναν ως έχουν: ${counted(count, ITEMS)}, λόγω μεταγενέστερης αλλαγής, αποστολής χωρίς προηγούμενη τιμή ή άρνησης αυτής της σελίδας`;
  return {
    number,
    changed: 'Δεν αποθηκεύτηκε ακόμη',
    met: 'Στο μεταξύ το άλλαξε κάποιος άλλος: επιλέξτε ποια τιμή ισχύει',
    search: 'Αναζήτηση με όνομα ή αναγνωριστικό',
    filters: 'Εμφάνιση',
    filter: {
      all: 'Όλα',
      available: 'Διαθέσιμα',
      unavailable: 'Μη διαθέσιμα',
      unknown: 'Χωρίς τιμή',
      changed: 'Αλλαγμένα',
      waiting: 'Σε αναμονή',
      attention: 'Χρειάζονται προσοχή',
      conflict: 'Σε σύγκρουση',
    },
    sort: 'Ταξινόμηση',
    sorted: {
      given: 'Αρχική σειρά',
      label: 'Όνομα',
      id: 'Αναγνωριστικό',
      state: 'Κατάσταση',
      'changed-at': 'Τελευταία αλλαγή',
    },
    found: (count) =>
      count === 0
        ? 'Δεν ταιριάζει καμία προσφορά'
        : counted(count, { one: 'Βρέθηκε # προσφορά', other: 'Βρέθηκαν # προσφορές' }),
    noMatch: 'Δεν ταιριάζει καμία προσφορά.',
    showAll: 'Εμφάνιση όλων των προσφορών',
    orderStale: 'Κάποιες προσφορές άλλαξαν: νέα ταξινόμηση',
    keys: 'Πληκτρολόγιο',
    lists: 'Εισαγωγή, εξαγωγή',
    notLoaded: 'Δεν ήταν δυνατή η φόρτωση. Ελέγξτε τη σύνδεσή σας και δοκιμάστε ξανά.',
    queue: (count) => `${number(count)} σε αναμονή`,
    conflicts: (count) => counted(count, { one: '# σύγκρουση', other: '# συγκρούσεις' }),
    selected: (count) => counted(count, { one: '# επιλεγμένη', other: '# επιλεγμένες' }),
    selectAll: 'Επιλογή όλων όσων ταιριάζουν',
    selectMatching: (count) => `Επιλογή όλων (${number(count)})`,
    clearSelection: 'Καθαρισμός επιλογής',
    setAvailable: 'Να γίνουν διαθέσιμα',
    setUnavailable: 'Να γίνουν μη διαθέσιμα',
    changes: (count) => counted(count, CHANGES),
    save: 'Αποθήκευση',
    discard: 'Απόρριψη',
    discarded: (count) => counted(count, { one: 'Απορρίφθηκε # αλλαγή.', other: 'Απορρίφθηκαν # αλλαγές.' }),
    undo: 'Αναίρεση',
    redo: 'Επανάληψη',
    undone: (changed, skipped) =>
      counted(changed, { one: 'Αναιρέθηκε # γραμμή', other: 'Αναιρέθηκαν # γραμμές' }) + leftAlone(skipped),
    redone: (changed, skipped) =>
      counted(changed, { one: 'Άλλαξε ξανά # γραμμή', other: 'Άλλαξαν ξανά # γραμμές' }) + leftAlone(skipped),
    saving: (saved, of) => `Αποθήκευση: ${number(saved)} από ${number(of)}`,
    cancel: 'Άκυρο',
    close: 'Κλείσιμο',
    saveDone(saved, held, left) {
      const parts = [counted(saved, { one: 'Θα σταλεί # αλλαγή', other: 'Θα σταλούν # αλλαγές' })];
      if (held > 0) parts.push(counted(held, { one: '# κρατήθηκε', other: '# κρατήθηκαν' }));
      if (left > 0) parts.push(counted(left, { one: '# δεν δοκιμάστηκε', other: '# δεν δοκιμάστηκαν' }));
      return `${parts.join('· ')}.`;
    },
    failed: (count) => counted(count, { one: '# αλλαγή δεν έγινε δεκτή', other: '# αλλαγές δεν έγιναν δεκτές' }),
    retryFailed: (count) => `Δοκιμή ξανά όσων απέτυχαν (${number(count)})`,
    drafts: (count, age) =>
      counted(count, { one: '# αλλαγή που δεν αποθηκεύσατε', other: '# αλλαγές που δεν αποθηκεύσατε' }) + `, ${age}.`,
    draftsRefused: 'Αυτός ο φυλλομετρητής δεν τις κρατά: αποθηκεύστε πριν φύγετε από τη σελίδα.',
    takeDrafts: 'Επαναφορά',
    draftsElsewhere: (count) =>
      counted(count, {
        one: '# αλλαγή αφορά προσφορά που δεν είναι σε αυτή τη λίστα και φυλάσσεται για τη λίστα που την έχει.',
        other: '# αλλαγές αφορούν προσφορές που δεν είναι σε αυτή τη λίστα και φυλάσσονται για τη λίστα που τις έχει.',
      }),
    dropDrafts: 'Απόρριψη',
    bulkTitle: (count, available) => `${counted(count, ITEMS)}: να γίνει «${word(available)}»;`,
    bulkSame: (count, available) => `Ήδη «${word(available)}»: ${counted(count, ITEMS)}.`,
    bulkLocked: (count) => `Δεν μπορείτε να αλλάξετε: ${counted(count, ITEMS)}.`,
    bulkNothing: 'Δεν θα άλλαζε τίποτα.',
    bulkSet: (count, available) => `Ορισμός σε «${word(available)}» (${number(count)})`,
    bulkDone: (count, available) => `${counted(count, ITEMS)}: τώρα «${word(available)}».`,
    closeAll: 'Κλείσιμο όλων',
    closeAllText: 'Ό,τι είναι διαθέσιμο τώρα. Αργότερα μπορείτε να ανοίξετε ξανά ακριβώς αυτά.',
    reopen: 'Άνοιγμα ξανά',
    reopenText: 'Ό,τι ήταν διαθέσιμο πριν τα κλείσετε όλα, και τίποτε άλλο.',
    turnSkipped: (count) =>
      `Έμειναν ως έχουν: ${counted(count, ITEMS)}, επειδή τις άλλαξε κάποιος άλλος στο μεταξύ ή δεν μπορείτε να τις αλλάξετε.`,
    closed: (count, age) =>
      counted(count, { one: 'Έκλεισε # προσφορά', other: 'Έκλεισαν μαζί # προσφορές' }) + `, ${age}.`,
    closedRefused: 'Αυτός ο φυλλομετρητής δεν τις κρατά: ανοίξτε τις ξανά πριν φύγετε από τη σελίδα.',
    keepClosed: 'Να μείνουν κλειστά',
    details: 'Λεπτομέρειες',
    id: 'Αναγνωριστικό',
    note: 'Σημείωση',
    value: 'Τιμή',
    lastChange: 'Τελευταία αλλαγή',
    by: (name) => `από: \u2068${name}\u2069`,
    conflictsText: 'Δύο τιμές συγκρούονται. Επιλέξτε ποια ισχύει.',
    base: 'Πριν',
    mine: 'Εσείς',
    theirs: 'Τώρα',
    keepMine: 'Να μείνει η δική μου',
    takeTheirs: 'Να ισχύσει η άλλη',
    keepAllMine: 'Να μείνουν όλες οι δικές μου',
    takeAllTheirs: 'Να ισχύσουν όλες οι άλλες',
    queueTitle: 'Όσα δεν είναι ακόμη στην πύλη',
    queueEmpty: 'Τίποτα σε αναμονή.',
    notDiscarded: 'Δεν απορρίφθηκε: ίσως έχει ήδη φύγει από τη συσκευή, ή η υπηρεσία διαθεσιμότητας δεν απαντά τώρα.',
    conflictsTitle: 'Αλλαγές σε σύγκρουση',
    retry: 'Δοκιμή ξανά',
    retryAll: 'Δοκιμή όλων ξανά',
    more: (count) => `και ${number(count)} ακόμη`,
    keyList: [
      ['↑ ↓', 'Προηγούμενη, επόμενη γραμμή'],
      ['← →', 'Προηγούμενη, επόμενη στήλη'],
      ['Home, End', 'Πρώτη, τελευταία στήλη· με Ctrl πρώτη, τελευταία γραμμή'],
      ['Page Up, Page Down', 'Μία οθόνη πάνω, κάτω'],
      ['Space', 'Αλλαγή του διακόπτη ή ενεργοποίηση όσου έχει την εστίαση'],
      ['Shift ↑ ↓', 'Επιλογή γραμμών'],
      ['Ctrl A', 'Επιλογή όλων όσων ταιριάζουν'],
      ['Escape', 'Καθαρισμός επιλογής'],
      ['Ctrl Z, Ctrl Y', 'Αναίρεση, επανάληψη'],
      ['Ctrl S', 'Αποθήκευση'],
      ['/', 'Αναζήτηση'],
      ['?', 'Αυτή η λίστα'],
    ],
    signOutUnsent: (count) =>
      counted(count, {
        one: '# αλλαγή δεν έχει φύγει από αυτή τη συσκευή.',
        other: '# αλλαγές δεν έχουν φύγει από αυτή τη συσκευή.',
      }),
    signOutSend: 'Νέα προσπάθεια αποστολής',
    signOutDelete: 'Διαγραφή και αποσύνδεση',
    signOutStay: 'Παραμονή σε σύνδεση',
    portalIsBack: 'Η πύλη δέχεται ξανά αλλαγές.',
  };
}
