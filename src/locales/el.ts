import type { Counter, Forms } from './counter.js';
import type { Dictionary, EditorDictionary } from './dictionary.js';

const ITEMS: Forms = { one: '# προσφορά', other: '# προσφορές' };
const CHANGES: Forms = { one: '# αλλαγή', other: '# αλλαγές' };

export function dictionary({ number, counted }: Counter, portal?: string): Dictionary {
  const [subject, on] = portal === undefined ? ['η πύλη', 'στην πύλη'] : [portal, `στο ${portal}`];
  return {
    available: 'Διαθέσιμο',
    notAvailable: 'Μη διαθέσιμο',
    required: 'Ενεργοποιήστε το για να συνεχίσετε.',
    notSetYet: 'Δεν έχει οριστεί ακόμη',
    checking: 'Έλεγχος…',
    notKnown: 'Δεν υπάρχει σύνδεση',
    guestsSee: (value) => `Οι πελάτες βλέπουν τώρα: «${value}».`,
    asGiven: 'Από τον ιστότοπό σας, χωρίς επιβεβαίωση ακόμη',
    changedOnPortal: `Άλλαξε ${on}`,
    truth: {
      'on-device': 'Αποθηκεύτηκε εδώ, δεν στάλθηκε ακόμη',
      received: `Στάλθηκε, ${subject} επιβεβαιώνει σύντομα`,
      'on-portal': `Ενεργό ${on}`,
      'needs-attention': 'Δεν έγινε δεκτό: εσείς αποφασίζετε',
    },
    waitingForNetwork: 'Αποθηκεύτηκε εδώ. Θα σταλεί όταν επανέλθει η σύνδεση· κρατήστε ανοιχτή αυτή τη σελίδα.',
    waitingForSignIn: 'Αποθηκεύτηκε εδώ. Θα σταλεί όταν συνδεθείτε ξανά.',
    notSentYet: 'Αποθηκεύτηκε εδώ. Δεν μπορεί ακόμη να σταλεί· κρατήστε ανοιχτή αυτή τη σελίδα.',
    unsaved: 'Δεν αποθηκεύτηκε σε αυτή τη συσκευή: κρατήστε ανοιχτή αυτή τη σελίδα μέχρι να σταλεί.',
    tryAgain: 'Δοκιμή ξανά',
    sendAgain: 'Νέα αποστολή',
    justNow: 'μόλις τώρα',
    since: (ago, by) => (by === undefined ? `, ${ago}` : `, ${ago}, από: \u2068${by}\u2069`),
    before: 'Πριν',
    you: 'Εσείς',
    now: 'Τώρα',
    changedBy: (by, name, value) => `\u2068${name}\u2069: «${value}», από: \u2068${by}\u2069.`,
    changedByOthers: (count) => `Άλλοι άλλαξαν ${counted(count, ITEMS)}.`,
    keepMine: (value, by = 'εσείς') => `Ορισμός σε «${value}» (\u2068${by}\u2069)`,
    takeTheirs: (value, by) => `Να μείνει «${value}»${by === undefined ? '' : ` (\u2068${by}\u2069)`}`,
    notDecided: 'Δεν έγινε: δεν υπάρχει σύνδεση τώρα. Τίποτα δεν άλλαξε· επιλέξτε ξανά.',
    confirmQuestion: (name) => `Να γίνει μη διαθέσιμο: «\u2068${name}\u2069»;`,
    confirmYes: 'Να γίνει μη διαθέσιμο',
    confirmNo: 'Να μείνει διαθέσιμο',
    delayed(reason) {
      switch (reason) {
        case 'portal_unreachable':
          return `Στάλθηκε, αλλά ${subject} δεν απαντά. Συνεχίζουμε να προσπαθούμε.`;
        case 'portal_busy':
          return `Στάλθηκε, αλλά ${subject} έχει φόρτο. Συνεχίζουμε να προσπαθούμε.`;
        case 'portal_error':
          return `Στάλθηκε, αλλά ${subject} έχει βλάβη. Συνεχίζουμε να προσπαθούμε.`;
        case 'portal_credentials':
        case 'portal_refuses':
        case 'portal_unreadable':
          return `Στάλθηκε, αλλά ${subject} δεν δέχεται τη σύνδεσή μας. Πρέπει να το δει ο διαχειριστής· η αλλαγή σας είναι ασφαλής.`;
        case 'portal_confirms':
          return 'Στάλθηκε, ακολουθεί επιβεβαίωση';
        default:
          return `Στάλθηκε, ${subject} επιβεβαιώνει σύντομα`;
      }
    },
    attention(reason, you, other) {
      switch (reason) {
        case 'item_refused':
          return `Δεν έγινε δεκτό: ${subject} απέρριψε αυτή την αλλαγή. Ελέγξτε ότι η προσφορά υπάρχει ακόμη εκεί και στείλτε την ξανά.`;
        case 'item_unknown':
          return 'Δεν έγινε δεκτό: δεν μπορείτε να αλλάξετε αυτή την προσφορά. Ρωτήστε όποιον διαχειρίζεται τον λογαριασμό σας.';
        case 'conflict':
          return `\u2068${you ?? 'Εσείς'}\u2069 και \u2068${other ?? 'κάποιος άλλος'}\u2069: διαφορετικές επιλογές. Ποια ισχύει;`;
        case 'unclaimed':
          return 'Άλλαξε σε αυτή τη συσκευή πριν συνδεθεί κανείς. Να ισχύσει;';
        case 'permission_missing':
          return 'Δεν έγινε δεκτό: μπορείτε να δείτε αυτή την προσφορά, αλλά όχι να την αλλάξετε. Ρωτήστε όποιον διαχειρίζεται τον λογαριασμό σας.';
        default:
          return 'Δεν έγινε δεκτό. Στείλτε το ξανά· αν δεν βοηθήσει, ζητήστε υποστήριξη.';
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
          return 'Αυτή η σελίδα δεν μπορεί να δείξει τις προσφορές σας. Ο διαχειριστής της πρέπει να επιτρέψει αυτή τη διεύθυνση.';
        case 'session_unreachable':
        case 'session_unverifiable':
          return 'Η σύνδεσή σας δεν μπορεί να ελεγχθεί τώρα. Οι αλλαγές σας είναι ασφαλείς εδώ· συνεχίζουμε να προσπαθούμε.';
        case 'budget_spent':
          return 'Ήταν πολλές αλλαγές μαζί. Οι υπόλοιπες είναι ασφαλείς εδώ και στέλνονται σε λίγο.';
        case 'overloaded':
        case 'storage_unavailable':
          return 'Τώρα δεν μπορούν να γίνουν δεκτές αλλαγές. Οι δικές σας είναι ασφαλείς εδώ· συνεχίζουμε να προσπαθούμε.';
        case 'not_deleted':
          return 'Οι αλλαγές σας δεν διαγράφηκαν από αυτή τη συσκευή, οπότε είστε ακόμη συνδεδεμένοι. Στέλνονται όταν δοκιμάσετε ξανά ή αποσυνδεθείτε.';
        case 'permission_missing':
          return 'Δεν μπορείτε να δείτε αυτές τις προσφορές. Ρωτήστε όποιον διαχειρίζεται τον λογαριασμό σας.';
        default:
          return 'Δεν υπάρχει σύνδεση. Οι αλλαγές σας είναι ασφαλείς εδώ· συνεχίζουμε να προσπαθούμε.';
      }
    },
    signedOut: 'Έχετε αποσυνδεθεί. Συνδεθείτε ξανά σε αυτή τη σελίδα· οι αλλαγές σας είναι ασφαλείς εδώ.',
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
    empty: 'Δεν υπάρχουν ακόμη προσφορές. Εμφανίζονται εδώ μόλις τις δώσει ο ιστότοπός σας.',
    openCount: (count) =>
      counted(count, {
        one: `# αλλαγή δεν είναι ακόμη ενεργή ${on}`,
        other: `# αλλαγές δεν είναι ακόμη ενεργές ${on}`,
      }),
    nothingOpen: `Όλα είναι ενημερωμένα ${on}`,
    nothingWaiting: 'Καμία αλλαγή σε αναμονή',
    unsavedCount: (count) =>
      counted(count, { one: '# αλλαγή δεν έχει αποθηκευτεί ακόμη', other: '# αλλαγές δεν έχουν αποθηκευτεί ακόμη' }),
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
    selectItem: (name) => `Επιλογή: \u2068${name}\u2069`,
    readOnly: 'Μπορείτε να βλέπετε, αλλά όχι να αλλάζετε.',
  };
}

export function editorDictionary({ number, counted }: Counter, portal?: string): EditorDictionary {
  const [subject, on] = portal === undefined ? ['Η πύλη', 'στην πύλη'] : [portal, `στο ${portal}`];
  const word = (available: boolean): string => (available ? 'διαθέσιμο' : 'μη διαθέσιμο');
  const leftAlone = (count: number): string =>
    count === 0
      ? ''
      : `· έμειναν ως έχουν: ${counted(count, ITEMS)}, λόγω μεταγενέστερης αλλαγής, αποστολής χωρίς προηγούμενη τιμή ή άρνησης αυτής της σελίδας`;
  return {
    number,
    changed: 'Δεν αποθηκεύτηκε ακόμη',
    met: 'Στο μεταξύ το άλλαξε κάποιος άλλος: επιλέξτε ποια τιμή ισχύει',
    search: 'Αναζήτηση με όνομα ή σημείωση',
    filters: 'Εμφάνιση',
    filter: {
      all: 'Όλα',
      available: 'Διαθέσιμα',
      unavailable: 'Μη διαθέσιμα',
      unknown: 'Χωρίς τιμή',
      changed: 'Χωρίς αποθήκευση',
      waiting: 'Καθ’ οδόν',
      attention: 'Εσείς αποφασίζετε',
      conflict: 'Διαφορετική επιλογή',
    },
    sort: 'Ταξινόμηση',
    sorted: {
      given: 'Αρχική σειρά',
      label: 'Όνομα',
      id: 'Αναγνωριστικό',
      group: 'Ομάδα',
      value: 'Διαθεσιμότητα',
      state: 'Κατάσταση',
      'changed-at': 'Τελευταία αλλαγή',
    },
    reversed: (order) => `${order}, αντίστροφα`,
    allGroups: 'Όλες οι ομάδες',
    noGroup: 'Χωρίς ομάδα',
    groupCount: (available, all) => `Διαθέσιμα: ${number(available)} από ${number(all)}`,
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
    unavailableUntil: 'Μη διαθέσιμο μέχρι…',
    back: (time) => `επιστρέφει ${time}`,
    setByHand: 'Άλλαξε με το χέρι: το πρόγραμμα το αφήνει έτσι.',
    queue: (count) => counted(count, { one: '# αλλαγή καθ’ οδόν', other: '# αλλαγές καθ’ οδόν' }),
    conflicts: (count) =>
      counted(count, { one: '# προσφορά με διαφορετικές επιλογές', other: '# προσφορές με διαφορετικές επιλογές' }),
    selected: (count) => counted(count, { one: '# επιλεγμένη', other: '# επιλεγμένες' }),
    selectAll: 'Επιλογή όλων όσων ταιριάζουν',
    selectMatching: (count) => `Επιλογή όλων (${number(count)})`,
    clearSelection: 'Καθαρισμός επιλογής',
    setAvailable: (count) => counted(count, { one: 'Άνοιγμα αυτής', other: 'Άνοιγμα αυτών των #' }),
    setUnavailable: (count) => counted(count, { one: 'Κλείσιμο αυτής', other: 'Κλείσιμο αυτών των #' }),
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
    close: 'Τέλος',
    saveDone(saved, held, left) {
      const parts = [counted(saved, { one: 'Θα σταλεί # αλλαγή', other: 'Θα σταλούν # αλλαγές' })];
      if (held > 0)
        parts.push(
          counted(held, {
            one: '# κρατήθηκε: άλλαξε από κάποιον άλλον ή δεν μπορείτε να την αλλάξετε',
            other: '# κρατήθηκαν: άλλαξαν από κάποιον άλλον ή δεν μπορείτε να τις αλλάξετε',
          }),
        );
      if (left > 0) parts.push(counted(left, { one: '# χωρίς αποθήκευση', other: '# χωρίς αποθήκευση' }));
      return `${parts.join('· ')}.`;
    },
    failed: (count) => counted(count, { one: '# αλλαγή δεν έγινε δεκτή', other: '# αλλαγές δεν έγιναν δεκτές' }),
    retryFailed: (count) => `Νέα αποστολή (${number(count)})`,
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
    bulkTitle: (count, available) =>
      counted(
        count,
        available
          ? { one: 'Να ανοίξει # προσφορά;', other: 'Να ανοίξουν # προσφορές;' }
          : { one: 'Να κλείσει # προσφορά;', other: 'Να κλείσουν # προσφορές;' },
      ),
    bulkSame: (count, available) => `Ήδη «${word(available)}»: ${counted(count, ITEMS)}.`,
    fromTo: (from, to) => `«${from}» γίνεται «${to}»`,
    bulkLocked: (count) => `Δεν μπορείτε να αλλάξετε: ${counted(count, ITEMS)}.`,
    bulkNothing: 'Δεν θα άλλαζε τίποτα.',
    bulkSet: (count, available) => `${available ? 'Άνοιγμα' : 'Κλείσιμο'} (${number(count)})`,
    bulkDone: (count, available) =>
      counted(
        count,
        available
          ? { one: 'Άνοιξε # προσφορά.', other: 'Άνοιξαν # προσφορές.' }
          : { one: 'Έκλεισε # προσφορά.', other: 'Έκλεισαν # προσφορές.' },
      ),
    closeAll: 'Κλείσιμο όλων',
    closeAllText: 'Ό,τι είναι διαθέσιμο τώρα. Αργότερα μπορείτε να ανοίξετε ξανά ακριβώς αυτά.',
    reopen: (count) => counted(count, { one: 'Άνοιγμα ξανά', other: 'Άνοιγμα ξανά αυτών των #' }),
    reopenText: 'Ό,τι ήταν διαθέσιμο πριν κλείσουν όλα, και τίποτε άλλο.',
    closeGroupText: (group) =>
      `Ό,τι είναι διαθέσιμο τώρα στην ομάδα \u2068${group}\u2069. Αργότερα μπορείτε να ανοίξετε ξανά ακριβώς αυτά.`,
    reopenGroupText: (group) => `Ό,τι ήταν διαθέσιμο στην ομάδα \u2068${group}\u2069 πριν κλείσει, και τίποτε άλλο.`,
    turnSkipped: (count) =>
      `Έμειναν ως έχουν: ${counted(count, ITEMS)}, επειδή τις άλλαξε κάποιος άλλος στο μεταξύ ή δεν μπορείτε να τις αλλάξετε.`,
    closed: (count, age) =>
      counted(count, { one: 'Έκλεισε # προσφορά', other: 'Έκλεισαν μαζί # προσφορές' }) + `, ${age}.`,
    closedRefused: 'Αυτός ο φυλλομετρητής δεν τις κρατά: ανοίξτε τις ξανά πριν φύγετε από τη σελίδα.',
    keepClosed: 'Να μείνουν κλειστά',
    details: 'Λεπτομέρειες',
    id: 'Αναγνωριστικό',
    note: 'Σημείωση',
    value: 'Διαθεσιμότητα',
    portalNow: `Τώρα ${on}`,
    lastChange: 'Τελευταία αλλαγή',
    lastChanges: 'Τελευταίες αλλαγές',
    by: (name) => `από: \u2068${name}\u2069`,
    conflictsText: 'Δύο άτομα επέλεξαν διαφορετικά. Ποια επιλογή ισχύει;',
    keepAllMine: 'Η δική σας επιλογή για όλες',
    takeAllTheirs: 'Να μείνουν όλες όπως είναι τώρα',
    queueTitle: `Όχι ακόμη ενεργά ${on}`,
    queueEmpty: `Όλα είναι ενημερωμένα ${on}.`,
    notDiscarded: 'Δεν απορρίφθηκε: ίσως έχει ήδη σταλεί, ή δεν υπάρχει σύνδεση τώρα.',
    conflictsTitle: 'Επιλογή του τι ισχύει',
    retryAll: 'Νέα αποστολή όλων',
    more: (count) => `και ${number(count)} ακόμη`,
    keyList: [
      ['↑ ↓', 'Προηγούμενη, επόμενη γραμμή'],
      ['← →', 'Προηγούμενη, επόμενη στήλη'],
      ['Home, End', 'Πρώτη, τελευταία στήλη· με Ctrl πρώτη, τελευταία γραμμή'],
      ['Page Up, Page Down', 'Μία οθόνη πάνω, κάτω'],
      ['Space', 'Αλλαγή του διακόπτη ή ενεργοποίηση όσου έχει την εστίαση'],
      ['Enter', 'Λεπτομέρειες'],
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
    signOutSave: 'Αποθήκευση και αποσύνδεση',
    signOutSend: 'Αποστολή και αποσύνδεση',
    signOutDelete: 'Διαγραφή και αποσύνδεση',
    signOutStay: 'Παραμονή σε σύνδεση',
    signOutSends: 'Πρώτα στέλνονται όλα. Αν δεν γίνει, τίποτα δεν χάνεται και παραμένετε σε σύνδεση.',
    signOutDeletes: 'Αυτές οι αλλαγές χάνονται οριστικά. Οι πελάτες συνεχίζουν να βλέπουν ό,τι βλέπουν τώρα.',
    signOutRefused: 'Αυτές δεν μπορούν να σταλούν έτσι: αποφασίστε πρώτα.',
    portalIsBack: `${subject} δέχεται ξανά αλλαγές.`,
  };
}
