import type { FeatureDictionary } from './feature-dictionary.js';

export const featuresDe: FeatureDictionary = {
  endOfDay: 'Ende des heutigen Tages',
  tomorrowMorning: 'Morgen früh, 9:00',
  dateAndTime: 'Datum und Uhrzeit',
  untilISay: 'ich es ändere',
  everyWeek: 'Jede Woche, ganztägig am',
  scheduled: 'Es ist eingestellt.',
  notScheduled(problem) {
    switch (problem) {
      case 'permission_missing':
      case 'item_unknown':
        return 'Nicht eingestellt: Sie dürfen das nicht. Fragen Sie, wer Ihr Konto verwaltet.';
      case 'invalid_body':
        return 'Nicht eingestellt: Wählen Sie einen Zeitpunkt in der Zukunft.';
      default:
        return 'Nicht eingestellt: Der Verfügbarkeitsdienst ist gerade nicht erreichbar. Nichts wurde geändert; versuchen Sie es erneut.';
    }
  },
  removeSchedule: 'Entfernen',
  closesAt: (time) => `schließt ${time}`,
  historyEmpty: 'Noch keine Änderungen.',
  historyFailed(problem) {
    switch (problem) {
      case 'unreachable':
        return 'Keine Verbindung: Der Verlauf lässt sich gerade nicht lesen.';
      case 'permission_missing':
        return 'Sie dürfen den Verlauf nicht sehen. Fragen Sie die Person, die Ihr Konto verwaltet.';
      default:
        return 'Der Verlauf lässt sich gerade nicht lesen.';
    }
  },
  showMore: 'Mehr anzeigen',
  outcome: {
    received: 'Unterwegs',
    delivered: 'Auf dem Portal',
    refused: 'Nicht angenommen',
    conflict: 'Verschieden entschieden',
    superseded: 'Durch eine spätere Änderung ersetzt',
    discarded: 'Verworfen',
  },
  colleague: 'Jemand aus dem Team',
  bySchedule: (name) => `Zeitplan von ${name}`,
  listsTitle: 'Import und Export',
  importHint:
    'Ein Angebot pro Zeile: seine Kennung, oder seine Kennung und ja oder nein. Sie sehen, was sich ändern würde, bevor sich etwas ändert.',
  paste: 'Kennungen eingeben oder Zeilen aus einer Tabelle einfügen',
  file: 'Oder eine CSV-Datei wählen',
  fileUnreadable: 'Diese Datei lässt sich nicht lesen.',
  checking: 'Wird geprüft…',
  otherwise: 'Ein Angebot, in dessen Zeile weder ja noch nein steht,',
  otherwiseNothing: 'wird nur hinzugefügt',
  otherwiseAvailable: 'wird verfügbar',
  otherwiseUnavailable: 'wird nicht verfügbar',
  verdict: { new: 'Neu', changed: 'Geändert', same: 'Gleich', refused: 'Abgelehnt' },
  fault: {
    id: 'Eine Kennung hat 1 bis 200 Zeichen und keine Steuerzeichen.',
    value: 'Das ist weder ja noch nein.',
    repeated: 'Eine frühere Zeile hat dieselbe Kennung.',
    locked: 'Sie dürfen dieses Angebot nicht ändern.',
    malformed: 'Ein Anführungszeichen fehlt.',
  },
  line: (line) => `Zeile ${line}`,
  lineColumn: (line, column) => `Zeile ${line}, Spalte ${column}`,
  saveVerdicts: 'Diese Prüfung als Datei speichern',
  import: 'Importieren',
  imported: 'Importiert.',
  export: 'Export',
  exportAll: 'Alle Angebote',
  exportListed: 'Jetzt angezeigte Angebote',
  fileName: 'angebote',
  yes: ['ja', 'j', 'wahr', 'x'],
  no: ['nein', 'n', 'falsch'],
  heads: { id: [], available: ['verfügbar'] },
};
