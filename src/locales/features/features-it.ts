import type { FeatureDictionary } from './feature-dictionary.js';

export const featuresIt: FeatureDictionary = {
  endOfDay: 'La fine di oggi',
  tomorrowMorning: 'Domani mattina, 9:00',
  dateAndTime: 'Una data e ora',
  untilISay: 'Quando lo cambio io',
  everyWeek: 'Ogni settimana, tutto il giorno',
  scheduled: 'Impostato.',
  notScheduled(problem) {
    switch (problem) {
      case 'permission_missing':
      case 'item_unknown':
        return 'Non impostato: non puoi farlo. Chiedi a chi gestisce il tuo account.';
      case 'invalid_body':
        return 'Non impostato: scegli un momento futuro.';
      default:
        return 'Non impostato: il servizio ora non è raggiungibile. Non è cambiato nulla; riprova.';
    }
  },
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
