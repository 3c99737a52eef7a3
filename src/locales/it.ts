import type { Counter, Forms } from './counter.js';
import type { Dictionary, EditorDictionary } from './dictionary.js';

const ITEMS: Forms = { one: '# offerta', other: '# offerte' };
const CHANGES: Forms = { one: '# modifica', other: '# modifiche' };

export function dictionary({ number, counted }: Counter): Dictionary {
  return {
    available: 'Disponibile',
    notAvailable: 'Non disponibile',
    required: 'Attiva questa opzione per continuare.',
    notSetYet: 'Non ancora impostato',
    asGiven: 'Come indicato da questa pagina',
    truth: {
      'on-device': 'Su questo dispositivo',
      received: 'Ricevuto',
      'on-portal': 'Sul portale',
      'needs-attention': 'Richiede attenzione',
    },
    waitingForNetwork: 'in attesa di connessione; tieni aperta questa pagina',
    notSentYet: 'non può ancora essere inviata; tieni aperta questa pagina',
    waitingForSignIn: 'in attesa del tuo nuovo accesso',
    unsaved: 'Non salvato su questo dispositivo: tieni aperta questa pagina finché non è ricevuto',
    tryAgain: 'Riprova',
    justNow: 'proprio ora',
    since: (ago, by) => (by === undefined ? `, ${ago}` : `, ${ago}, da \u2068${by}\u2069`),
    before: 'Prima',
    you: 'Tu',
    now: 'Ora',
    changedBy: (by, name, value) => `\u2068${by}\u2069 ha impostato \u2068${name}\u2069 su «${value}».`,
    changedByOthers: (count) => `Altre persone hanno modificato ${counted(count, ITEMS)}.`,
    keepMine: (value) => `Imposta su «${value}»`,
    takeTheirs: (value) => `Lascia «${value}»`,
    notDecided:
      'Non eseguito: il servizio di disponibilità al momento non è raggiungibile. Nulla è cambiato; scegli di nuovo.',
    confirmQuestion: (name) => `Rendere «\u2068${name}\u2069» non disponibile?`,
    confirmYes: 'Rendi non disponibile',
    confirmNo: 'Lascia disponibile',
    delayed(reason) {
      switch (reason) {
        case 'portal_unreachable':
          return 'il portale non è raggiungibile; continuiamo a provare';
        case 'portal_busy':
          return 'il portale è occupato; continuiamo a provare';
        case 'portal_error':
          return 'il portale ha un guasto; continuiamo a provare';
        case 'portal_credentials':
        case 'portal_refuses':
        case 'portal_unreadable':
          return 'il portale non accetta la nostra connessione; il gestore deve occuparsene';
        case 'portal_confirms':
          return 'inviato, la conferma seguirà';
        default:
          return 'in viaggio verso il portale';
      }
    },
    attention(reason) {
      switch (reason) {
        case 'item_refused':
          return 'Il portale ha rifiutato questa modifica. Verifica che l’offerta esista ancora lì, poi riprova.';
        case 'item_unknown':
          return 'Non puoi modificare questa offerta. Chiedi a chi gestisce il tuo account.';
        case 'conflict':
          return 'Un’altra persona ha modificato questa offerta prima che arrivasse la tua modifica. Quale deve valere?';
        case 'unclaimed':
          return 'Modificato su questo dispositivo prima di qualsiasi accesso. Deve valere?';
        case 'permission_missing':
          return 'Puoi vedere questa offerta, ma non modificarla. Chiedi a chi gestisce il tuo account.';
        default:
          return 'Questa modifica non è stata accettata. Riprova; se non basta, chiedi assistenza.';
      }
    },
    connection(problem) {
      switch (problem) {
        case 'token_refused':
        case 'session_missing':
        case 'session_unreadable':
        case 'page_blocked':
          return 'Questa pagina non è configurata correttamente e le modifiche non possono ancora partire. Restano su questo dispositivo. Avvisa chi gestisce la pagina.';
        case 'origin_refused':
          return 'Questa pagina non può usare il servizio di disponibilità. Il gestore deve consentire questo indirizzo.';
        case 'session_unreachable':
        case 'session_unverifiable':
          return 'Il tuo accesso al momento non può essere verificato. Le modifiche restano su questo dispositivo; continuiamo a provare.';
        case 'budget_spent':
          return 'Erano molte modifiche insieme. Il resto rimane su questo dispositivo e parte tra un attimo.';
        case 'overloaded':
        case 'storage_unavailable':
          return 'Il servizio di disponibilità al momento non può salvare modifiche. Restano su questo dispositivo; continuiamo a provare.';
        case 'not_deleted':
          return 'Non è stato possibile eliminare le tue modifiche da questo dispositivo, quindi l’accesso è ancora attivo. Partiranno quando riprovi o esci.';
        case 'permission_missing':
          return 'Non puoi vedere queste offerte. Chiedi a chi gestisce il tuo account.';
        default:
          return 'Il servizio di disponibilità non è raggiungibile. Le modifiche restano su questo dispositivo; continuiamo a provare.';
      }
    },
    signedOut: 'Sei uscito. Accedi di nuovo in questa pagina; le tue modifiche restano su questo dispositivo.',
    goodbye: 'Sei uscito. Su questo dispositivo non resta nulla di tuo.',
    missingPart:
      'Questo elenco non è stato caricato del tutto e non può ancora essere modificato. Controlla la connessione.',
    missingProxy: 'Questo elemento ha bisogno dell’indirizzo del suo proxy: aggiungi proxy="https://…".',
    badItem: `Questo elemento ha bisogno dell’identificativo della sua offerta: aggiungi item="…", da ${number(1)} a ${number(200)} caratteri, senza caratteri di controllo.`,
    secretGiven: (attribute) =>
      `Questo elemento ha ricevuto ${attribute}="…", che sembra un segreto. Una pagina non può custodirne: toglilo e cambialo ovunque sia in uso.`,
    requestId: (id) => `Per l’assistenza: ${id}`,
    triedAgain: (time) => `Nuovo tentativo alle ${time}.`,
    inventory: 'Disponibilità',
    loading: 'Caricamento delle offerte…',
    empty: 'Ancora nessuna offerta. Appariranno qui quando questa pagina o il servizio di disponibilità le indicano.',
    openCount: (count) =>
      counted(count, {
        one: '# modifica non è ancora sul portale',
        other: '# modifiche non sono ancora sul portale',
      }),
    nothingOpen: 'Nulla in attesa',
    columns: {
      item: 'Offerta',
      group: 'Gruppo',
      availability: 'Disponibilità',
      status: 'Stato',
      updated: 'Ultima modifica',
    },
    total: (count) => counted(count, ITEMS),
    leftOut: (count) => `Non mostrato perché i dati di questa pagina contengono errori: ${counted(count, ITEMS)}`,
    counting: 'conteggio…',
    selectEvery: 'Seleziona tutte le offerte elencate',
    readOnly: 'Puoi vedere, ma non modificare.',
  };
}

export function editorDictionary({ number, counted }: Counter): EditorDictionary {
  const word = (available: boolean): string => (available ? 'disponibile' : 'non disponibile');
  const words = (available: boolean): string => (available ? 'disponibili' : 'non disponibili');
  const leftAlone = (count: number): string =>
    count === 0
      ? ''
      : `; ${counted(count, ITEMS)} senza cambiamenti: modifica successiva, invio senza valore precedente o rifiuto di questa pagina`;
  return {
    number,
    changed: 'Non ancora salvato',
    met: 'Nel frattempo un’altra persona ha modificato questo valore: scegli quale vale',
    search: 'Cerca per nome o identificativo',
    filters: 'Mostra',
    filter: {
      all: 'Tutto',
      available: 'Disponibile',
      unavailable: 'Non disponibile',
      unknown: 'Non impostato',
      changed: 'Modificato',
      waiting: 'In attesa',
      attention: 'Richiede attenzione',
      conflict: 'In conflitto',
    },
    sort: 'Ordina per',
    sorted: {
      given: 'Ordine originale',
      label: 'Nome',
      id: 'Identificativo',
      state: 'Stato',
      'changed-at': 'Ultima modifica',
    },
    found: (count) =>
      count === 0
        ? 'Nessuna offerta corrisponde'
        : counted(count, { one: '# offerta trovata', other: '# offerte trovate' }),
    noMatch: 'Nessuna offerta corrisponde.',
    showAll: 'Mostra tutte le offerte',
    orderStale: 'Alcune offerte sono cambiate: riordina',
    keys: 'Tastiera',
    lists: 'Importa, esporta',
    notLoaded: 'Caricamento non riuscito. Controlla la connessione e riprova.',
    queue: (count) => `${number(count)} in attesa`,
    conflicts: (count) => counted(count, { one: '# conflitto', other: '# conflitti' }),
    selected: (count) => counted(count, { one: '# selezionata', other: '# selezionate' }),
    selectAll: 'Seleziona tutti i risultati',
    selectMatching: (count) => `Seleziona tutto (${number(count)})`,
    clearSelection: 'Annulla selezione',
    setAvailable: 'Rendi disponibile',
    setUnavailable: 'Rendi non disponibile',
    changes: (count) => counted(count, CHANGES),
    save: 'Salva',
    discard: 'Scarta',
    discarded: (count) => counted(count, { one: '# modifica scartata.', other: '# modifiche scartate.' }),
    undo: 'Annulla',
    redo: 'Ripeti',
    undone: (changed, skipped) =>
      counted(changed, { one: '# riga ripristinata', other: '# righe ripristinate' }) + leftAlone(skipped),
    redone: (changed, skipped) =>
      counted(changed, { one: '# riga modificata di nuovo', other: '# righe modificate di nuovo' }) +
      leftAlone(skipped),
    saving: (saved, of) => `Salvataggio: ${number(saved)} di ${number(of)}`,
    cancel: 'Annulla',
    close: 'Chiudi',
    saveDone(saved, held, left) {
      const parts = [counted(saved, { one: '# modifica verrà inviata', other: '# modifiche verranno inviate' })];
      if (held > 0) parts.push(counted(held, { one: '# trattenuta', other: '# trattenute' }));
      if (left > 0) parts.push(counted(left, { one: '# non tentata', other: '# non tentate' }));
      return `${parts.join('; ')}.`;
    },
    failed: (count) =>
      counted(count, { one: '# modifica non è stata accettata', other: '# modifiche non sono state accettate' }),
    retryFailed: (count) => `Riprova quelle non riuscite (${number(count)})`,
    drafts: (count, age) =>
      counted(count, { one: '# modifica non salvata', other: '# modifiche non salvate' }) + `, ${age}.`,
    draftsRefused: 'Questo browser non le conserva: salva prima di lasciare la pagina.',
    takeDrafts: 'Riprendi',
    draftsElsewhere: (count) =>
      counted(count, {
        one: '# modifica riguarda un’offerta che non è in questo elenco; è conservata per l’elenco che la contiene.',
        other:
          '# modifiche riguardano offerte che non sono in questo elenco; sono conservate per l’elenco che le contiene.',
      }),
    dropDrafts: 'Scarta',
    bulkTitle: (count, available) =>
      counted(count, {
        one: `Rendere # offerta ${word(available)}?`,
        other: `Rendere # offerte ${words(available)}?`,
      }),
    bulkSame: (count, available) =>
      counted(count, { one: `# è già ${word(available)}.`, other: `# sono già ${words(available)}.` }),
    bulkLocked: (count) => `${counted(count, ITEMS)} che non puoi modificare.`,
    bulkNothing: 'Non cambierebbe nulla.',
    bulkSet: (count, available) => `Rendi ${available ? 'disponibile' : 'non disponibile'} (${number(count)})`,
    bulkDone: (count, available) =>
      counted(count, {
        one: `# offerta resa ${word(available)}.`,
        other: `# offerte rese ${words(available)}.`,
      }),
    closeAll: 'Chiudi tutto',
    closeAllText: 'Tutto ciò che ora è disponibile. Più tardi potrai riaprire esattamente questo.',
    reopen: 'Riapri',
    reopenText: 'Ciò che era disponibile prima che chiudessi tutto, e nient’altro.',
    turnSkipped: (count) =>
      `${counted(count, ITEMS)} senza cambiamenti, per una modifica successiva di un’altra persona o perché non puoi modificare.`,
    closed: (count, age) =>
      counted(count, { one: '# offerta chiusa', other: '# offerte chiuse insieme' }) + `, ${age}.`,
    closedRefused: 'Questo browser non le conserva: riaprile prima di lasciare la pagina.',
    keepClosed: 'Lascia chiuso',
    details: 'Dettagli',
    id: 'Identificativo',
    note: 'Nota',
    value: 'Valore',
    lastChange: 'Ultima modifica',
    by: (name) => `da \u2068${name}\u2069`,
    conflictsText: 'Due valori sono in contrasto. Scegli quale vale.',
    base: 'Prima',
    mine: 'Tu',
    theirs: 'Ora',
    keepMine: 'Tieni il mio',
    takeTheirs: 'Prendi l’altro',
    keepAllMine: 'Tieni tutti i miei',
    takeAllTheirs: 'Prendi tutti gli altri',
    queueTitle: 'Ciò che non è ancora sul portale',
    queueEmpty: 'Nulla in attesa.',
    notDiscarded:
      'Non scartato: forse ha già lasciato questo dispositivo, o il servizio di disponibilità al momento non è raggiungibile.',
    conflictsTitle: 'Modifiche in conflitto',
    retry: 'Riprova',
    retryAll: 'Riprova tutto',
    more: (count) => counted(count, { one: 'e # altra', other: 'e altre #' }),
    keyList: [
      ['↑ ↓', 'Riga precedente, successiva'],
      ['← →', 'Colonna precedente, successiva'],
      ['Home, End', 'Prima, ultima colonna; con Ctrl prima, ultima riga'],
      ['Page Up, Page Down', 'Una schermata in su, in giù'],
      ['Space', 'Sposta l’interruttore o attiva ciò che ha il focus'],
      ['Shift ↑ ↓', 'Seleziona righe'],
      ['Ctrl A', 'Seleziona tutti i risultati'],
      ['Escape', 'Annulla selezione'],
      ['Ctrl Z, Ctrl Y', 'Annulla, ripeti'],
      ['Ctrl S', 'Salva'],
      ['/', 'Cerca'],
      ['?', 'Questo elenco'],
    ],
    signOutUnsent: (count) =>
      counted(count, {
        one: '# modifica non ha lasciato questo dispositivo.',
        other: '# modifiche non hanno lasciato questo dispositivo.',
      }),
    signOutSend: 'Prova di nuovo a inviare',
    signOutDelete: 'Elimina ed esci',
    signOutStay: 'Non uscire',
    portalIsBack: 'Il portale accetta di nuovo le modifiche.',
  };
}
