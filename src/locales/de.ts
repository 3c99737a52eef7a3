import type { Counter, Forms } from './counter.js';
import type { Dictionary, EditorDictionary } from './dictionary.js';

const ITEMS: Forms = { one: '# Angebot', other: '# Angebote' };
const CHANGES: Forms = { one: '# Änderung', other: '# Änderungen' };

export function dictionary({ number, counted }: Counter, portal?: string): Dictionary {
  const [subject, on] = portal === undefined ? ['das Portal', 'auf dem Portal'] : [portal, `auf ${portal}`];
  return {
    available: 'Verfügbar',
    notAvailable: 'Nicht verfügbar',
    required: 'Schalten Sie dies ein, um fortzufahren.',
    notSetYet: 'Noch nicht festgelegt',
    checking: 'Wird geprüft …',
    notKnown: 'Keine Verbindung',
    guestsSee: (value) => `Gäste sehen jetzt: „${value}“.`,
    asGiven: 'Von Ihrer Website, noch nicht bestätigt',
    changedOnPortal: `Geändert ${on}`,
    truth: {
      'on-device': 'Hier gespeichert, noch nicht gesendet',
      received: `Gesendet, ${subject} bestätigt bald`,
      'on-portal': `Live ${on}`,
      'needs-attention': 'Nicht angenommen: Sie entscheiden',
    },
    waitingForNetwork:
      'Hier gespeichert. Wird gesendet, sobald wieder eine Verbindung besteht; lassen Sie diese Seite offen.',
    waitingForSignIn: 'Hier gespeichert. Wird gesendet, sobald Sie sich wieder anmelden.',
    notSentYet: 'Hier gespeichert. Lässt sich noch nicht senden; lassen Sie diese Seite offen.',
    unsaved: 'Auf diesem Gerät nicht gespeichert: Lassen Sie diese Seite offen, bis die Änderung gesendet ist.',
    tryAgain: 'Erneut versuchen',
    sendAgain: 'Erneut senden',
    justNow: 'gerade eben',
    since: (ago, by) => (by === undefined ? `, ${ago}` : `, ${ago}, von \u2068${by}\u2069`),
    before: 'Vorher',
    you: 'Sie',
    now: 'Jetzt',
    changedBy: (by, name, value) => `\u2068${by}\u2069 hat \u2068${name}\u2069 auf „${value}“ gesetzt.`,
    changedByOthers: (count) =>
      counted(count, { one: 'Andere haben # Angebot geändert.', other: 'Andere haben # Angebote geändert.' }),
    keepMine: (value, by = 'Sie') => `Auf „${value}“ setzen (\u2068${by}\u2069)`,
    takeTheirs: (value, by) => `„${value}“ lassen${by === undefined ? '' : ` (\u2068${by}\u2069)`}`,
    notDecided: 'Nicht ausgeführt: Gerade besteht keine Verbindung. Nichts wurde geändert; wählen Sie erneut.',
    confirmQuestion: (name) => `„\u2068${name}\u2069“ auf nicht verfügbar setzen?`,
    confirmYes: 'Auf nicht verfügbar setzen',
    confirmNo: 'Verfügbar lassen',
    delayed(reason) {
      switch (reason) {
        case 'portal_unreachable':
          return `Gesendet, aber ${subject} ist nicht erreichbar. Wir versuchen es weiter.`;
        case 'portal_busy':
          return `Gesendet, aber ${subject} ist ausgelastet. Wir versuchen es weiter.`;
        case 'portal_error':
          return `Gesendet, aber ${subject} hat eine Störung. Wir versuchen es weiter.`;
        case 'portal_credentials':
        case 'portal_refuses':
        case 'portal_unreadable':
          return `Gesendet, aber ${subject} nimmt unsere Verbindung nicht an. Der Betreiber muss sich darum kümmern; Ihre Änderung ist sicher.`;
        case 'portal_confirms':
          return 'Gesendet, die Bestätigung folgt';
        default:
          return `Gesendet, ${subject} bestätigt bald`;
      }
    },
    attention(reason, you, other) {
      switch (reason) {
        case 'item_refused':
          return `Nicht angenommen: ${subject} hat diese Änderung abgelehnt. Prüfen Sie, ob es das Angebot dort noch gibt, und senden Sie sie dann erneut.`;
        case 'item_unknown':
          return 'Nicht angenommen: Sie dürfen dieses Angebot nicht ändern. Fragen Sie, wer Ihr Konto verwaltet.';
        case 'conflict':
          return `\u2068${you ?? 'Sie'}\u2069 und \u2068${other ?? 'jemand anderes'}\u2069 haben sich verschieden entschieden. Welcher Wert gilt?`;
        case 'unclaimed':
          return 'Auf diesem Gerät geändert, bevor jemand angemeldet war. Soll das gelten?';
        case 'permission_missing':
          return 'Nicht angenommen: Sie dürfen dieses Angebot ansehen, aber nicht ändern. Fragen Sie, wer Ihr Konto verwaltet.';
        default:
          return 'Nicht angenommen. Senden Sie die Änderung erneut; hilft das nicht, wenden Sie sich an den Support.';
      }
    },
    connection(problem) {
      switch (problem) {
        case 'token_refused':
        case 'session_missing':
        case 'session_unreadable':
        case 'page_blocked':
          return 'Diese Seite ist nicht richtig eingerichtet, deshalb lassen sich Änderungen noch nicht senden. Sie bleiben auf diesem Gerät. Bitte sagen Sie dem Betreiber der Seite Bescheid.';
        case 'origin_refused':
          return 'Diese Seite darf Ihre Angebote nicht zeigen. Ihr Betreiber muss diese Adresse zulassen.';
        case 'session_unreachable':
        case 'session_unverifiable':
          return 'Ihre Anmeldung lässt sich gerade nicht prüfen. Ihre Änderungen sind hier sicher; wir versuchen es weiter.';
        case 'budget_spent':
          return 'Das war viel auf einmal. Der Rest ist hier sicher und wird gleich gesendet.';
        case 'overloaded':
        case 'storage_unavailable':
          return 'Gerade können keine Änderungen angenommen werden. Ihre sind hier sicher; wir versuchen es weiter.';
        case 'not_deleted':
          return 'Ihre Änderungen ließen sich nicht von diesem Gerät löschen, deshalb sind Sie noch angemeldet. Sie werden gesendet, wenn Sie es erneut versuchen oder sich abmelden.';
        case 'permission_missing':
          return 'Sie dürfen diese Angebote nicht sehen. Fragen Sie, wer Ihr Konto verwaltet.';
        default:
          return 'Keine Verbindung. Ihre Änderungen sind hier sicher; wir versuchen es weiter.';
      }
    },
    signedOut: 'Sie sind abgemeldet. Melden Sie sich auf dieser Seite wieder an; Ihre Änderungen sind hier sicher.',
    goodbye: 'Sie sind abgemeldet. Auf diesem Gerät bleibt nichts von Ihnen.',
    missingPart:
      'Diese Liste ist nicht vollständig geladen und lässt sich noch nicht ändern. Prüfen Sie Ihre Verbindung.',
    missingProxy: 'Dieses Element braucht die Adresse seines Proxys: Ergänzen Sie proxy="https://…".',
    badItem: `Dieses Element braucht die Kennung seines Angebots: Ergänzen Sie item="…", ${number(1)} bis ${number(200)} Zeichen, keine Steuerzeichen.`,
    secretGiven: (attribute) =>
      `Dieses Element hat ${attribute}="…" erhalten, und das sieht nach einem Geheimnis aus. Eine Seite kann keines bewahren: Entfernen Sie es, und ändern Sie es überall, wo es gilt.`,
    requestId: (id) => `Für den Support: ${id}`,
    triedAgain: (time) => `Erneut versucht um ${time}.`,
    inventory: 'Verfügbarkeit',
    loading: 'Angebote werden geladen …',
    empty: 'Noch keine Angebote. Sie erscheinen hier, sobald Ihre Website sie nennt.',
    openCount: (count) =>
      counted(count, { one: `# Änderung ist noch nicht live ${on}`, other: `# Änderungen sind noch nicht live ${on}` }),
    nothingOpen: `Alles ist ${on} auf dem neuesten Stand`,
    nothingWaiting: 'Keine Änderungen warten',
    unsavedCount: (count) =>
      counted(count, {
        one: '# Änderung ist noch nicht gespeichert',
        other: '# Änderungen sind noch nicht gespeichert',
      }),
    columns: {
      item: 'Angebot',
      group: 'Gruppe',
      availability: 'Verfügbarkeit',
      status: 'Status',
      updated: 'Letzte Änderung',
    },
    total: (count) => counted(count, ITEMS),
    leftOut: (count) => `Wegen fehlerhafter Daten dieser Seite nicht angezeigt: ${counted(count, ITEMS)}`,
    counting: 'wird gezählt …',
    selectEvery: 'Alle aufgeführten Angebote auswählen',
    selectItem: (name) => `\u2068${name}\u2069 auswählen`,
    readOnly: 'Sie dürfen ansehen, aber nicht ändern.',
  };
}

export function editorDictionary({ number, counted }: Counter, portal?: string): EditorDictionary {
  const [subject, on] = portal === undefined ? ['Das Portal', 'auf dem Portal'] : [portal, `auf ${portal}`];
  const word = (available: boolean): string => (available ? 'verfügbar' : 'nicht verfügbar');
  const leftAlone = (count: number): string =>
    count === 0
      ? ''
      : `; ${number(count)} nicht verändert: seitdem geändert, ohne vorherigen Wert gesendet oder von dieser Seite abgelehnt`;
  return {
    number,
    changed: 'Noch nicht gespeichert',
    met: 'Jemand anderes hat dies inzwischen geändert: Wählen Sie, welcher Wert gilt',
    search: 'Nach Name oder Notiz suchen',
    filters: 'Anzeigen',
    filter: {
      all: 'Alle',
      available: 'Verfügbar',
      unavailable: 'Nicht verfügbar',
      unknown: 'Nicht festgelegt',
      changed: 'Nicht gespeichert',
      waiting: 'Unterwegs',
      attention: 'Sie entscheiden',
      conflict: 'Verschieden entschieden',
    },
    sort: 'Sortieren nach',
    sorted: {
      given: 'Vorgegebene Reihenfolge',
      label: 'Name',
      id: 'Kennung',
      group: 'Gruppe',
      value: 'Verfügbarkeit',
      state: 'Status',
      'changed-at': 'Letzte Änderung',
    },
    reversed: (order) => `${order}, umgekehrt`,
    allGroups: 'Alle Gruppen',
    noGroup: 'Ohne Gruppe',
    groupCount: (available, all) => `${number(available)} von ${number(all)} verfügbar`,
    found: (count) =>
      count === 0 ? 'Kein Treffer' : counted(count, { one: '# Angebot gefunden', other: '# Angebote gefunden' }),
    noMatch: 'Kein Treffer.',
    showAll: 'Alle Angebote anzeigen',
    orderStale: 'Angebote haben sich geändert: neu sortieren',
    keys: 'Tastatur',
    lists: 'Import, Export',
    notLoaded: 'Das konnte nicht geladen werden. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    unavailableUntil: 'Nicht verfügbar bis…',
    back: (time) => `zurück ${time}`,
    setByHand: 'Von Hand geändert: Der Zeitplan lässt es so.',
    queue: (count) => counted(count, { one: '# Änderung unterwegs', other: '# Änderungen unterwegs' }),
    conflicts: (count) =>
      counted(count, { one: '# Angebot verschieden entschieden', other: '# Angebote verschieden entschieden' }),
    selected: (count) => `${number(count)} ausgewählt`,
    selectAll: 'Alle Treffer auswählen',
    selectMatching: (count) => `Alle ${number(count)} auswählen`,
    clearSelection: 'Auswahl aufheben',
    setAvailable: (count) => counted(count, { one: 'Dieses öffnen', other: 'Diese # öffnen' }),
    setUnavailable: (count) => counted(count, { one: 'Dieses schließen', other: 'Diese # schließen' }),
    changes: (count) => counted(count, CHANGES),
    save: 'Speichern',
    discard: 'Verwerfen',
    discarded: (count) => `${counted(count, CHANGES)} verworfen.`,
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    undone: (changed, skipped) =>
      counted(changed, { one: '# Zeile zurückgesetzt', other: '# Zeilen zurückgesetzt' }) + leftAlone(skipped),
    redone: (changed, skipped) =>
      counted(changed, { one: '# Zeile erneut geändert', other: '# Zeilen erneut geändert' }) + leftAlone(skipped),
    saving: (saved, of) => `Wird gespeichert: ${number(saved)} von ${number(of)}`,
    cancel: 'Abbrechen',
    close: 'Fertig',
    saveDone(saved, held, left) {
      const parts = [counted(saved, { one: '# Änderung wird gesendet', other: '# Änderungen werden gesendet' })];
      if (held > 0)
        parts.push(`${number(held)} zurückgehalten: von jemand anderem geändert, oder Sie dürfen sie nicht ändern`);
      if (left > 0) parts.push(`${number(left)} nicht gespeichert`);
      return `${parts.join('; ')}.`;
    },
    failed: (count) =>
      counted(count, { one: '# Änderung wurde nicht angenommen', other: '# Änderungen wurden nicht angenommen' }),
    retryFailed: (count) => `${number(count)} erneut senden`,
    drafts: (count, age) => `${counted(count, CHANGES)}, die Sie nicht gespeichert haben, ${age}.`,
    draftsRefused: 'Dieser Browser bewahrt sie nicht auf: Speichern Sie, bevor Sie die Seite verlassen.',
    takeDrafts: 'Übernehmen',
    draftsElsewhere: (count) =>
      counted(count, {
        one: '# Änderung betrifft ein Angebot, das nicht in dieser Liste ist; sie wird für dessen Liste aufbewahrt.',
        other:
          '# Änderungen betreffen Angebote, die nicht in dieser Liste sind; sie werden für deren Liste aufbewahrt.',
      }),
    dropDrafts: 'Verwerfen',
    bulkTitle: (count, available) =>
      counted(
        count,
        available
          ? { one: '# Angebot öffnen?', other: '# Angebote öffnen?' }
          : { one: '# Angebot schließen?', other: '# Angebote schließen?' },
      ),
    bulkSame: (count, available) =>
      counted(count, { one: `# ist schon ${word(available)}.`, other: `# sind schon ${word(available)}.` }),
    fromTo: (from, to) => `„${from}“ wird „${to}“`,
    bulkLocked: (count) => `${number(count)} dürfen Sie nicht ändern.`,
    bulkNothing: 'Es würde sich nichts ändern.',
    bulkSet: (count, available) => `${number(count)} ${available ? 'öffnen' : 'schließen'}`,
    bulkDone: (count, available) => `${counted(count, ITEMS)} ${available ? 'geöffnet' : 'geschlossen'}.`,
    closeAll: 'Alles schließen',
    closeAllText: 'Alles, was jetzt verfügbar ist. Sie können später genau das wieder öffnen.',
    reopen: (count) => counted(count, { one: 'Dieses wieder öffnen', other: 'Diese # wieder öffnen' }),
    reopenText: 'Was verfügbar war, bevor alles geschlossen wurde, und sonst nichts.',
    closeGroupText: (group) =>
      `Alles in \u2068${group}\u2069, was jetzt verfügbar ist. Sie können später genau das wieder öffnen.`,
    reopenGroupText: (group) =>
      `Was in \u2068${group}\u2069 verfügbar war, bevor es geschlossen wurde, und sonst nichts.`,
    turnSkipped: (count) =>
      `${number(count)} nicht verändert, weil jemand anderes sie seitdem geändert hat oder Sie sie nicht ändern dürfen.`,
    closed: (count, age) => `${counted(count, ITEMS)} zusammen geschlossen, ${age}.`,
    closedRefused: 'Dieser Browser bewahrt sie nicht auf: Öffnen Sie sie wieder, bevor Sie die Seite verlassen.',
    keepClosed: 'Geschlossen lassen',
    details: 'Details',
    id: 'Kennung',
    note: 'Notiz',
    value: 'Verfügbarkeit',
    portalNow: `Jetzt ${on}`,
    lastChange: 'Letzte Änderung',
    lastChanges: 'Letzte Änderungen',
    by: (name) => `von \u2068${name}\u2069`,
    conflictsText: 'Zwei Personen haben sich verschieden entschieden. Welcher Wert gilt?',
    keepAllMine: 'Für alle Ihre Wahl nehmen',
    takeAllTheirs: 'Alle lassen, wie sie jetzt sind',
    queueTitle: `Noch nicht live ${on}`,
    queueEmpty: `Alles ist ${on} auf dem neuesten Stand.`,
    notDiscarded:
      'Nicht verworfen: Die Änderung ist vielleicht schon gesendet, oder es besteht gerade keine Verbindung.',
    conflictsTitle: 'Wählen, was gilt',
    retryAll: 'Alle erneut senden',
    more: (count) => `und ${number(count)} weitere`,
    keyList: [
      ['↑ ↓', 'Vorige, nächste Zeile'],
      ['← →', 'Vorige, nächste Spalte'],
      ['Home, End', 'Erste, letzte Spalte; mit Ctrl erste, letzte Zeile'],
      ['Page Up, Page Down', 'Eine Seite nach oben, unten'],
      ['Space', 'Schalter umlegen oder auslösen, was den Fokus hat'],
      ['Enter', 'Details'],
      ['Shift ↑ ↓', 'Zeilen auswählen'],
      ['Ctrl A', 'Alle Treffer auswählen'],
      ['Escape', 'Auswahl aufheben'],
      ['Ctrl Z, Ctrl Y', 'Rückgängig, wiederholen'],
      ['Ctrl S', 'Speichern'],
      ['/', 'Suchen'],
      ['?', 'Diese Liste'],
    ],
    signOutUnsent: (count) =>
      counted(count, {
        one: '# Änderung hat dieses Gerät noch nicht verlassen.',
        other: '# Änderungen haben dieses Gerät noch nicht verlassen.',
      }),
    signOutSave: 'Speichern und abmelden',
    signOutSend: 'Senden und abmelden',
    signOutDelete: 'Löschen und abmelden',
    signOutStay: 'Angemeldet bleiben',
    signOutSends: 'Zuerst wird alles gesendet. Gelingt das nicht, geht nichts verloren, und Sie bleiben angemeldet.',
    signOutDeletes: 'Diese Änderungen sind endgültig verloren. Gäste sehen weiter, was sie jetzt sehen.',
    signOutRefused: 'Diese lassen sich so nicht senden: Entscheiden Sie zuerst darüber.',
    portalIsBack: `${subject} nimmt wieder Änderungen an.`,
  };
}
