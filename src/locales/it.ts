import type { Counter, Forms } from './counter.js';
import type { Dictionary, EditorDictionary } from './dictionary.js';

const ITEMS: Forms = { one: '# offerta', other: '# offerte' };
const CHANGES: Forms = { one: '# modifica', other: '# modifiche' };

export function dictionary({ number, counted }: Counter, portal?: string): Dictionary {
  const [subject, on] = portal === undefined ? ['il portale', 'sul portale'] : [portal, `su ${portal}`];
  return {
    available: 'Disponibile',
    notAvailable: 'Non disponibile',
    required: 'Attiva questa opzione per continuare.',
    notSetYet: 'Non ancora impostato',
    checking: 'Verifica in corso…',
    notKnown: 'Nessuna connessione',
    guestsSee: (value) => `I clienti vedono ora: “${value}”.`,
    asGiven: 'Dal tuo sito, non ancora confermato',
    changedOnPortal: `Modificato ${on}`,
    truth: {
      'on-device': 'Salvato qui, non ancora inviato',
      received: `Inviato, ${subject} conferma a breve`,
      'on-portal': `Online ${on}`,
      'needs-attention': 'Non accettato: decidi tu',
    },
    waitingForNetwork: 'Salvato qui. Sarà inviato quando torna la connessione; tieni aperta questa pagina.',
    waitingForSignIn: 'Salvato qui. Sarà inviato quando accedi di nuovo.',
    notSentYet: 'Salvato qui. Non può ancora essere inviata; tieni aperta questa pagina.',
    unsaved: 'Non salvato su questo dispositivo: tieni aperta questa pagina finché non è inviato.',
    tryAgain: 'Riprova',
    sendAgain: 'Invia di nuovo',
    justNow: 'proprio ora',
    since: (ago, by) => (by === undefined ? `, ${ago}` : `, ${ago}, da \u2068${by}\u2069`),
    before: 'Prima',
    you: 'Tu',
    now: 'Ora',
    changedBy: (by, name, value) => `\u2068${by}\u2069 ha impostato \u2068${name}\u2069 su «${value}».`,
    changedByOthers: (count) => `Altre persone hanno modificato ${counted(count, ITEMS)}.`,
    keepMine: (value, by = 'tu') => `Imposta su “${value}” (\u2068${by}\u2069)`,
    takeTheirs: (value, by) => `Lascia “${value}”${by === undefined ? '' : ` (\u2068${by}\u2069)`}`,
    notDecided: 'Non eseguito: al momento non c’è connessione. Non è cambiato nulla; scegli di nuovo.',
    confirmQuestion: (name) => `Rendere «\u2068${name}\u2069» non disponibile?`,
    confirmYes: 'Rendi non disponibile',
    confirmNo: 'Lascia disponibile',
    delayed(reason) {
      switch (reason) {
        case 'portal_unreachable':
          return `Inviato, ma ${subject} non è raggiungibile. Continuiamo a provare.`;
        case 'portal_busy':
          return `Inviato, ma ${subject} è occupato. Continuiamo a provare.`;
        case 'portal_error':
          return `Inviato, ma ${subject} ha un guasto. Continuiamo a provare.`;
        case 'portal_credentials':
        case 'portal_refuses':
        case 'portal_unreadable':
          return `Inviato, ma ${subject} non accetta la nostra connessione. Il gestore deve occuparsene; la tua modifica è al sicuro.`;
        case 'portal_confirms':
          return 'Inviato, la conferma seguirà';
        default:
          return `Inviato, ${subject} conferma a breve`;
      }
    },
    attention(reason, you, other) {
      switch (reason) {
        case 'item_refused':
          return `Non accettato: ${subject} ha rifiutato questa modifica. Controlla che l’offerta esista ancora lì, poi invia di nuovo.`;
        case 'item_unknown':
          return 'Non accettato: non puoi modificare questa offerta. Chiedi a chi gestisce il tuo account.';
        case 'conflict':
          return `\u2068${you ?? 'Tu'}\u2069 e \u2068${other ?? 'un’altra persona'}\u2069: scelte diverse. Quale vale?`;
        case 'unclaimed':
          return 'Modificato su questo dispositivo prima di qualsiasi accesso. Deve valere?';
        case 'permission_missing':
          return 'Non accettato: puoi vedere questa offerta, ma non modificarla. Chiedi a chi gestisce il tuo account.';
        default:
          return 'Non accettato. Invia di nuovo; se non serve, chiedi assistenza.';
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
          return 'Questa pagina non può mostrare le tue offerte. Il suo gestore deve consentire questo indirizzo.';
        case 'session_unreachable':
        case 'session_unverifiable':
          return 'Al momento il tuo accesso non può essere verificato. Le tue modifiche sono al sicuro qui; continuiamo a provare.';
        case 'budget_spent':
          return 'Erano molte modifiche insieme. Il resto è al sicuro qui e parte tra un momento.';
        case 'overloaded':
        case 'storage_unavailable':
          return 'Al momento non si possono accettare modifiche. Le tue sono al sicuro qui; continuiamo a provare.';
        case 'not_deleted':
          return 'Non è stato possibile eliminare le tue modifiche da questo dispositivo, quindi l’accesso è ancora attivo. Partiranno quando riprovi o esci.';
        case 'permission_missing':
          return 'Non puoi vedere queste offerte. Chiedi a chi gestisce il tuo account.';
        default:
          return 'Nessuna connessione. Le tue modifiche sono al sicuro qui; continuiamo a provare.';
      }
    },
    signedOut: 'Non hai effettuato l’accesso. Accedi di nuovo su questa pagina; le tue modifiche sono al sicuro qui.',
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
    empty: 'Ancora nessuna offerta. Le offerte appaiono qui appena il tuo sito le indica.',
    openCount: (count) =>
      counted(count, {
        one: `# modifica non è ancora online ${on}`,
        other: `# modifiche non sono ancora online ${on}`,
      }),
    nothingOpen: `Tutto è aggiornato ${on}`,
    nothingWaiting: 'Nessuna modifica in attesa',
    unsavedCount: (count) =>
      counted(count, { one: '# modifica non ancora salvata', other: '# modifiche non ancora salvate' }),
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
    selectItem: (name) => `Seleziona \u2068${name}\u2069`,
    readOnly: 'Puoi vedere, ma non modificare.',
  };
}

export function editorDictionary({ number, counted }: Counter, portal?: string): EditorDictionary {
  const [subject, on] = portal === undefined ? ['Il portale', 'sul portale'] : [portal, `su ${portal}`];
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
    search: 'Cerca per nome o nota',
    filters: 'Mostra',
    filter: {
      all: 'Tutto',
      available: 'Disponibile',
      unavailable: 'Non disponibile',
      unknown: 'Non impostato',
      changed: 'Non salvato',
      waiting: 'In viaggio',
      attention: 'Decidi tu',
      conflict: 'Scelte diverse',
    },
    sort: 'Ordina per',
    sorted: {
      given: 'Ordine originale',
      label: 'Nome',
      id: 'Identificativo',
      group: 'Gruppo',
      value: 'Disponibilità',
      state: 'Stato',
      'changed-at': 'Ultima modifica',
    },
    reversed: (order) => `${order}, al contrario`,
    allGroups: 'Tutti i gruppi',
    noGroup: 'Senza gruppo',
    groupCount: (available, all) => `Disponibili: ${number(available)} su ${number(all)}`,
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
    unavailableUntil: 'Non disponibile fino a…',
    back: (time) => `torna ${time}`,
    setByHand: 'Cambiato a mano: il programma lo lascia così.',
    queue: (count) => counted(count, { one: '# modifica in viaggio', other: '# modifiche in viaggio' }),
    conflicts: (count) =>
      counted(count, { one: '# offerta con scelte diverse', other: '# offerte con scelte diverse' }),
    selected: (count) => counted(count, { one: '# selezionata', other: '# selezionate' }),
    selectAll: 'Seleziona tutti i risultati',
    selectMatching: (count) => `Seleziona tutto (${number(count)})`,
    clearSelection: 'Annulla selezione',
    setAvailable: (count) => counted(count, { one: 'Apri questa', other: 'Apri queste #' }),
    setUnavailable: (count) => counted(count, { one: 'Chiudi questa', other: 'Chiudi queste #' }),
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
    close: 'Fine',
    saveDone(saved, held, left) {
      const parts = [counted(saved, { one: '# modifica verrà inviata', other: '# modifiche verranno inviate' })];
      if (held > 0)
        parts.push(
          counted(held, {
            one: '# trattenuta: modificata da un’altra persona, o che non puoi modificare',
            other: '# trattenute: modificate da un’altra persona, o che non puoi modificare',
          }),
        );
      if (left > 0) parts.push(counted(left, { one: '# non salvata', other: '# non salvate' }));
      return `${parts.join('; ')}.`;
    },
    failed: (count) =>
      counted(count, { one: '# modifica non è stata accettata', other: '# modifiche non sono state accettate' }),
    retryFailed: (count) => `Invia di nuovo (${number(count)})`,
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
      counted(
        count,
        available
          ? { one: 'Aprire # offerta?', other: 'Aprire # offerte?' }
          : { one: 'Chiudere # offerta?', other: 'Chiudere # offerte?' },
      ),
    bulkSame: (count, available) =>
      counted(count, { one: `# è già ${word(available)}.`, other: `# sono già ${words(available)}.` }),
    fromTo: (from, to) => `“${from}” diventa “${to}”`,
    bulkLocked: (count) => `${counted(count, ITEMS)} che non puoi modificare.`,
    bulkNothing: 'Non cambierebbe nulla.',
    bulkSet: (count, available) => `${available ? 'Apri' : 'Chiudi'} ${number(count)}`,
    bulkDone: (count, available) =>
      counted(
        count,
        available
          ? { one: '# offerta aperta.', other: '# offerte aperte.' }
          : { one: '# offerta chiusa.', other: '# offerte chiuse.' },
      ),
    closeAll: 'Chiudi tutto',
    closeAllText: 'Tutto ciò che ora è disponibile. Più tardi potrai riaprire esattamente questo.',
    reopen: (count) => counted(count, { one: 'Riapri questa', other: 'Riapri queste #' }),
    reopenText: 'Ciò che era disponibile prima che tutto venisse chiuso, e nient’altro.',
    closeGroupText: (group) =>
      `Tutto ciò che ora è disponibile in \u2068${group}\u2069. Più tardi potrai riaprire esattamente questo.`,
    reopenGroupText: (group) =>
      `Ciò che era disponibile in \u2068${group}\u2069 prima che venisse chiuso, e nient’altro.`,
    turnSkipped: (count) =>
      `${counted(count, ITEMS)} senza cambiamenti, per una modifica successiva di un’altra persona o perché non puoi modificare.`,
    closed: (count, age) =>
      counted(count, { one: '# offerta chiusa', other: '# offerte chiuse insieme' }) + `, ${age}.`,
    closedRefused: 'Questo browser non le conserva: riaprile prima di lasciare la pagina.',
    keepClosed: 'Lascia chiuso',
    details: 'Dettagli',
    id: 'Identificativo',
    note: 'Nota',
    value: 'Disponibilità',
    portalNow: `Ora ${on}`,
    lastChange: 'Ultima modifica',
    lastChanges: 'Ultime modifiche',
    by: (name) => `da \u2068${name}\u2069`,
    conflictsText: 'Due persone hanno scelto diversamente. Quale scelta vale?',
    keepAllMine: 'Usa la tua scelta per tutte',
    takeAllTheirs: 'Lascia tutte come sono ora',
    queueTitle: `Non ancora online ${on}`,
    queueEmpty: `Tutto è aggiornato ${on}.`,
    notDiscarded: 'Non scartato: forse è già stato inviato, o al momento non c’è connessione.',
    conflictsTitle: 'Scegli quale vale',
    retryAll: 'Invia tutto di nuovo',
    more: (count) => counted(count, { one: 'e # altra', other: 'e altre #' }),
    keyList: [
      ['↑ ↓', 'Riga precedente, successiva'],
      ['← →', 'Colonna precedente, successiva'],
      ['Home, End', 'Prima, ultima colonna; con Ctrl prima, ultima riga'],
      ['Page Up, Page Down', 'Una schermata in su, in giù'],
      ['Space', 'Sposta l’interruttore o attiva ciò che ha il focus'],
      ['Enter', 'Dettagli'],
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
    signOutSave: 'Salva ed esci',
    signOutSend: 'Invia ed esci',
    signOutDelete: 'Elimina ed esci',
    signOutStay: 'Non uscire',
    signOutSends: 'Prima viene inviato tutto. Se non riesce, nulla va perso e la sessione resta aperta.',
    signOutDeletes: 'Queste modifiche vanno perse per sempre. I clienti continuano a vedere ciò che vedono ora.',
    signOutRefused: 'Queste non si possono inviare così: prima decidi.',
    portalIsBack: `${subject} accetta di nuovo le modifiche.`,
  };
}
