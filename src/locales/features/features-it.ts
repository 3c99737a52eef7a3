import type { FeatureDictionary } from './feature-dictionary.js';

export const featuresIt: FeatureDictionary = {
  endOfDay: 'La fine di oggi',
  tomorrowMorning: 'Domani mattina, 9:00',
  dateAndTime: 'Una data e ora',
  untilISay: 'Quando lo cambio io',
  everyWeek: 'Ogni settimana, tutto il giorno',
  whileBusy: 'Ogni volta che un calendario è occupato',
  calendarAddress: 'Indirizzo del calendario (iCal)',
  calendarHint:
    'Altri siti di prenotazione e app lo chiamano “Esporta calendario” o “link iCal”. Viene letto ogni 15 minuti.',
  calendar: (host) => `Calendario di ${host}`,
  calendarFree: 'nessun periodo occupato',
  calendarFailed: (time) => `Illeggibile da ${time}. Valgono i periodi letti prima.`,
  feedProblem: {
    not_public: 'Questo indirizzo non è su internet pubblico.',
    unreachable: 'Nessuna risposta da questo indirizzo. Controllalo o riprova più tardi.',
    rejected: 'Questo indirizzo viene rifiutato. Copialo di nuovo.',
    too_large: 'Questo calendario è troppo grande.',
    unreadable: 'A questo indirizzo non c’è un calendario leggibile.',
  },
  setByHand: (time) => `cambiato a mano: resta così fino a ${time}`,
  scheduled: 'Impostato.',
  notScheduled(problem) {
    switch (problem) {
      case 'permission_missing':
      case 'item_unknown':
        return 'Non impostato: non puoi farlo. Chiedi a chi gestisce il tuo account.';
      case 'invalid_body':
        return 'Non impostato: scegli un momento futuro.';
      case 'too_many_feeds':
        return 'Non impostato: hai troppi calendari. Rimuovine prima uno.';
      default:
        return 'Non confermato: al momento non c’è connessione. Riprova; nulla viene impostato due volte.';
    }
  },
  partlyScheduled: (set, all) => `Impostato: ${set} su ${all}. Riprova per gli altri.`,
  removeSchedule: 'Rimuovi',
  closesAt: (time) => `chiude ${time}`,
  historyEmpty: 'Ancora nessuna modifica.',
  historyFailed(problem) {
    switch (problem) {
      case 'unreachable':
        return 'Nessuna connessione: ora non si può leggere la cronologia.';
      case 'permission_missing':
        return 'Non puoi vedere la cronologia. Chiedi a chi gestisce il tuo account.';
      default:
        return 'Ora non si può leggere la cronologia.';
    }
  },
  showMore: 'Mostra altro',
  outcome: {
    received: 'In arrivo',
    delivered: 'Sul portale',
    refused: 'Non accettata',
    conflict: 'Scelte diverse',
    superseded: 'Sostituita da una modifica successiva',
    discarded: 'Scartata',
  },
  person: 'Persona',
  day: 'Giorno',
  item: 'Offerta',
  itemsOfAct: 'Offerte',
  closedCount: (n) => `Chiuse: ${n}`,
  openedCount: (n) => `Aperte: ${n}`,
  leftAsTheyAre: 'Lasciate come sono',
  changedSince: 'modificata in seguito',
  changedSinceBy: (n) => `modificata in seguito da ${n}`,
  noEarlierValue: 'senza valore precedente',
  notListed: 'non in questo elenco',
  colleague: 'Una persona del team',
  bySchedule: (name) => `programma di ${name}`,
  listsTitle: 'Importa ed esporta',
  importHint:
    'Un’offerta per riga: il suo identificativo, oppure l’identificativo e sì o no. Vedi che cosa cambierebbe prima che cambi qualcosa.',
  paste: 'Scrivi gli identificativi o incolla righe da un foglio di calcolo',
  file: 'Oppure scegli un file CSV',
  fileUnreadable: 'Questo file non è leggibile.',
  checking: 'Controllo in corso…',
  otherwise: 'Un’offerta la cui riga non ha né sì né no',
  otherwiseNothing: 'viene solo aggiunta',
  otherwiseAvailable: 'diventa disponibile',
  otherwiseUnavailable: 'diventa non disponibile',
  verdict: { new: 'Nuove', changed: 'Modificate', same: 'Uguali', refused: 'Rifiutate' },
  fault: {
    id: 'Un identificativo ha da 1 a 200 caratteri, nessuno di controllo.',
    value: 'Non è né sì né no.',
    repeated: 'Una riga precedente ha lo stesso identificativo.',
    locked: 'Non puoi modificare questa offerta.',
    malformed: 'Manca una virgoletta.',
  },
  line: (line) => `Riga ${line}`,
  lineColumn: (line, column) => `Riga ${line}, colonna ${column}`,
  saveVerdicts: 'Salva questo controllo in un file',
  import: 'Importa',
  imported: 'Importato.',
  export: 'Esporta',
  exportAll: 'Tutte le offerte',
  exportListed: 'Offerte elencate',
  fileName: 'offerte',
  yes: ['sì', 'si', 's', 'vero'],
  no: ['falso'],
  heads: { id: [], available: ['disponibile'] },
};
