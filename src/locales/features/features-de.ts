import type { FeatureDictionary } from './feature-dictionary.js';

export const featuresDe: FeatureDictionary = {
  endOfDay: 'Ende des heutigen Tages',
  tomorrowMorning: 'Morgen früh, 9:00',
  dateAndTime: 'Datum und Uhrzeit',
  untilISay: 'ich es ändere',
  everyWeek: 'Jede Woche, ganztägig am',
  whileBusy: 'Immer wenn ein Kalender belegt ist',
  calendarAddress: 'Adresse des Kalenders (iCal)',
  calendarHint:
    'Andere Buchungsseiten und Kalender-Apps nennen sie „Kalender exportieren“ oder „iCal-Link“. Sie wird alle 15 Minuten gelesen.',
  calendar: (host) => `Kalender von ${host}`,
  calendarFree: 'keine belegte Zeit bekannt',
  calendarFailed: (time) => `Seit ${time} nicht lesbar. Es gelten die Zeiten, die zuletzt gelesen wurden.`,
  feedProblem: {
    not_public: 'Diese Adresse liegt nicht im öffentlichen Internet.',
    unreachable: 'Unter dieser Adresse antwortet niemand. Prüfen Sie sie, oder versuchen Sie es später.',
    rejected: 'Diese Adresse wird abgelehnt. Kopieren Sie sie noch einmal.',
    too_large: 'Dieser Kalender ist zu groß.',
    unreadable: 'Unter dieser Adresse ist kein Kalender, oder er lässt sich nicht lesen.',
  },
  setByHand: (time) => `von Hand geändert: bleibt so bis ${time}`,
  scheduled: 'Es ist eingestellt.',
  notScheduled(problem) {
    switch (problem) {
      case 'permission_missing':
      case 'item_unknown':
        return 'Nicht eingestellt: Sie dürfen das nicht. Fragen Sie, wer Ihr Konto verwaltet.';
      case 'invalid_body':
        return 'Nicht eingestellt: Wählen Sie einen Zeitpunkt in der Zukunft.';
      case 'too_many_feeds':
        return 'Nicht eingestellt: Sie haben zu viele Kalender. Entfernen Sie zuerst einen.';
      default:
        return 'Nicht bestätigt: Gerade besteht keine Verbindung. Versuchen Sie es erneut; nichts wird doppelt eingestellt.';
    }
  },
  partlyScheduled: (set, all) => `Eingestellt: ${set} von ${all}. Versuchen Sie es für die übrigen erneut.`,
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
  person: 'Person',
  day: 'Tag',
  item: 'Angebot',
  itemsOfAct: 'Angebote',
  closedCount: (n) => `Geschlossen: ${n}`,
  openedCount: (n) => `Geöffnet: ${n}`,
  leftAsTheyAre: 'Bleiben, wie sie sind',
  changedSince: 'seither geändert',
  changedSinceBy: (n) => `seither geändert von ${n}`,
  noEarlierValue: 'hatte vorher keinen Wert',
  notListed: 'nicht in dieser Liste',
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
