import type { Counter, Forms } from './counter.js';
import type { Dictionary, EditorDictionary } from './dictionary.js';

const ITEMS: Forms = { one: '# Angebot', other: '# Angebote' };
const CHANGES: Forms = { one: '# Änderung', other: '# Änderungen' };

export function dictionary({ number, counted }: Counter): Dictionary {
  return {
    available: 'Verfügbar',
    notAvailable: 'Nicht verfügbar',
    required: 'Schalten Sie dies ein, um fortzufahren.',
    notSetYet: 'Noch nicht festgelegt',
    asGiven: 'Wie von dieser Seite angegeben',
    truth: {
      'on-device': 'Auf diesem Gerät',
      received: 'Empfangen',
      'on-portal': 'Auf dem Portal',
      'needs-attention': 'Braucht Ihre Aufmerksamkeit',
    },
    waitingForNetwork: 'wartet auf eine Verbindung; lassen Sie diese Seite offen',
    notSentYet: 'lässt sich noch nicht senden; lassen Sie diese Seite offen',
    waitingForSignIn: 'wartet, bis Sie sich wieder anmelden',
    unsaved: 'Auf diesem Gerät nicht gespeichert: Lassen Sie diese Seite offen, bis die Änderung empfangen ist',
    tryAgain: 'Erneut versuchen',
    justNow: 'gerade eben',
    since: (ago, by) => (by === undefined ? `, ${ago}` : `, ${ago}, von \u2068${by}\u2069`),
    before: 'Vorher',
    you: 'Sie',
    now: 'Jetzt',
    changedBy: (by, name, value) => `\u2068${by}\u2069 hat \u2068${name}\u2069 auf „${value}“ gesetzt.`,
    changedByOthers: (count) =>
      counted(count, { one: 'Andere haben # Angebot geändert.', other: 'Andere haben # Angebote geändert.' }),
    keepMine: (value) => `Auf „${value}“ setzen`,
    takeTheirs: (value) => `„${value}“ lassen`,
    notDecided:
      'Nicht ausgeführt: Der Verfügbarkeitsdienst ist gerade nicht erreichbar. Nichts wurde geändert; wählen Sie erneut.',
    confirmQuestion: (name) => `„\u2068${name}\u2069“ auf nicht verfügbar setzen?`,
    confirmYes: 'Auf nicht verfügbar setzen',
    confirmNo: 'Verfügbar lassen',
    delayed(reason) {
      switch (reason) {
        case 'portal_unreachable':
          return 'das Portal ist nicht erreichbar; wir versuchen es weiter';
        case 'portal_busy':
          return 'das Portal ist ausgelastet; wir versuchen es weiter';
        case 'portal_error':
          return 'das Portal hat eine Störung; wir versuchen es weiter';
        case 'portal_credentials':
        case 'portal_refuses':
        case 'portal_unreadable':
          return 'das Portal nimmt unsere Verbindung nicht an; der Betreiber muss sich darum kümmern';
        case 'portal_confirms':
          return 'gesendet, die Bestätigung folgt';
        default:
          return 'unterwegs zum Portal';
      }
    },
    attention(reason) {
      switch (reason) {
        case 'item_refused':
          return 'Das Portal hat diese Änderung abgelehnt. Prüfen Sie, ob es das Angebot dort noch gibt, und versuchen Sie es dann erneut.';
        case 'item_unknown':
          return 'Sie dürfen dieses Angebot nicht ändern. Fragen Sie, wer Ihr Konto verwaltet.';
        case 'conflict':
          return 'Jemand anderes hat dieses Angebot geändert, bevor Ihre Änderung ankam. Welcher Wert soll gelten?';
        case 'unclaimed':
          return 'Auf diesem Gerät geändert, bevor jemand angemeldet war. Soll das gelten?';
        case 'permission_missing':
          return 'Sie dürfen dieses Angebot ansehen, aber nicht ändern. Fragen Sie, wer Ihr Konto verwaltet.';
        default:
          return 'Diese Änderung wurde nicht angenommen. Versuchen Sie es erneut; hilft das nicht, wenden Sie sich an den Support.';
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
          return 'Diese Seite darf den Verfügbarkeitsdienst nicht nutzen. Der Betreiber muss diese Adresse zulassen.';
        case 'session_unreachable':
        case 'session_unverifiable':
          return 'Ihre Anmeldung lässt sich gerade nicht prüfen. Änderungen bleiben auf diesem Gerät; wir versuchen es weiter.';
        case 'budget_spent':
          return 'Das war viel auf einmal. Der Rest bleibt auf diesem Gerät und wird gleich gesendet.';
        case 'overloaded':
        case 'storage_unavailable':
          return 'Der Verfügbarkeitsdienst kann gerade keine Änderungen speichern. Sie bleiben auf diesem Gerät; wir versuchen es weiter.';
        case 'not_deleted':
          return 'Ihre Änderungen ließen sich nicht von diesem Gerät löschen, deshalb sind Sie noch angemeldet. Sie werden gesendet, wenn Sie es erneut versuchen oder sich abmelden.';
        case 'permission_missing':
          return 'Sie dürfen diese Angebote nicht sehen. Fragen Sie, wer Ihr Konto verwaltet.';
        default:
          return 'Der Verfügbarkeitsdienst ist nicht erreichbar. Änderungen bleiben auf diesem Gerät; wir versuchen es weiter.';
      }
    },
    signedOut:
      'Sie sind abgemeldet. Melden Sie sich auf dieser Seite wieder an; Ihre Änderungen bleiben auf diesem Gerät.',
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
    empty: 'Noch keine Angebote. Sie erscheinen hier, sobald diese Seite oder der Verfügbarkeitsdienst sie nennt.',
    openCount: (count) =>
      counted(count, {
        one: '# Änderung ist noch nicht auf dem Portal',
        other: '# Änderungen sind noch nicht auf dem Portal',
      }),
    nothingOpen: 'Nichts wartet',
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
    readOnly: 'Sie dürfen ansehen, aber nicht ändern.',
  };
}

export function editorDictionary({ number, counted }: Counter): EditorDictionary {
  const word = (available: boolean): string => (available ? 'verfügbar' : 'nicht verfügbar');
  const leftAlone = (count: number): string =>
    count === 0
      ? ''
      : `; ${number(count)} nicht verändert: seitdem geändert, ohne vorherigen Wert gesendet oder von dieser Seite abgelehnt`;
  return {
    number,
    changed: 'Noch nicht gespeichert',
    met: 'Jemand anderes hat dies inzwischen geändert: Wählen Sie, welcher Wert gilt',
    search: 'Nach Name oder Kennung suchen',
    filters: 'Anzeigen',
    filter: {
      all: 'Alle',
      available: 'Verfügbar',
      unavailable: 'Nicht verfügbar',
      unknown: 'Nicht festgelegt',
      changed: 'Geändert',
      waiting: 'Wartend',
      attention: 'Braucht Aufmerksamkeit',
      conflict: 'Widersprüchlich',
    },
    sort: 'Sortieren nach',
    sorted: {
      given: 'Vorgegebene Reihenfolge',
      label: 'Name',
      id: 'Kennung',
      state: 'Status',
      'changed-at': 'Letzte Änderung',
    },
    found: (count) =>
      count === 0 ? 'Kein Treffer' : counted(count, { one: '# Angebot gefunden', other: '# Angebote gefunden' }),
    noMatch: 'Kein Treffer.',
    showAll: 'Alle Angebote anzeigen',
    orderStale: 'Angebote haben sich geändert: neu sortieren',
    keys: 'Tastatur',
    lists: 'Import, Export',
    notLoaded: 'Das konnte nicht geladen werden. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    queue: (count) => `${number(count)} wartend`,
    conflicts: (count) => counted(count, { one: '# Konflikt', other: '# Konflikte' }),
    selected: (count) => `${number(count)} ausgewählt`,
    selectAll: 'Alle Treffer auswählen',
    selectMatching: (count) => `Alle ${number(count)} auswählen`,
    clearSelection: 'Auswahl aufheben',
    setAvailable: 'Auf verfügbar setzen',
    setUnavailable: 'Auf nicht verfügbar setzen',
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
    close: 'Schließen',
    saveDone(saved, held, left) {
      const parts = [counted(saved, { one: '# Änderung wird gesendet', other: '# Änderungen werden gesendet' })];
      if (held > 0) parts.push(`${number(held)} zurückgehalten`);
      if (left > 0) parts.push(`${number(left)} nicht versucht`);
      return `${parts.join('; ')}.`;
    },
    failed: (count) =>
      counted(count, { one: '# Änderung wurde nicht angenommen', other: '# Änderungen wurden nicht angenommen' }),
    retryFailed: (count) => `${number(count)} fehlgeschlagene erneut versuchen`,
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
    bulkTitle: (count, available) => `${counted(count, ITEMS)} auf „${word(available)}“ setzen?`,
    bulkSame: (count, available) =>
      counted(count, { one: `# ist schon ${word(available)}.`, other: `# sind schon ${word(available)}.` }),
    bulkLocked: (count) => `${number(count)} dürfen Sie nicht ändern.`,
    bulkNothing: 'Es würde sich nichts ändern.',
    bulkSet: (count, available) => `${number(count)} auf „${word(available)}“ setzen`,
    bulkDone: (count, available) => `${counted(count, ITEMS)} auf „${word(available)}“ gesetzt.`,
    closeAll: 'Alles schließen',
    closeAllText: 'Alles, was jetzt verfügbar ist. Sie können später genau das wieder öffnen.',
    reopen: 'Wieder öffnen',
    reopenText: 'Was verfügbar war, bevor Sie alles geschlossen haben, und sonst nichts.',
    turnSkipped: (count) =>
      `${number(count)} nicht verändert, weil jemand anderes sie seitdem geändert hat oder Sie sie nicht ändern dürfen.`,
    closed: (count, age) => `${counted(count, ITEMS)} zusammen geschlossen, ${age}.`,
    closedRefused: 'Dieser Browser bewahrt sie nicht auf: Öffnen Sie sie wieder, bevor Sie die Seite verlassen.',
    keepClosed: 'Geschlossen lassen',
    details: 'Details',
    id: 'Kennung',
    note: 'Notiz',
    value: 'Wert',
    lastChange: 'Letzte Änderung',
    by: (name) => `von \u2068${name}\u2069`,
    conflictsText: 'Zwei Werte widersprechen sich. Wählen Sie, welcher gilt.',
    base: 'Vorher',
    mine: 'Sie',
    theirs: 'Jetzt',
    keepMine: 'Meinen Wert behalten',
    takeTheirs: 'Anderen Wert übernehmen',
    keepAllMine: 'Alle meine Werte behalten',
    takeAllTheirs: 'Alle anderen Werte übernehmen',
    queueTitle: 'Was noch nicht auf dem Portal ist',
    queueEmpty: 'Nichts wartet.',
    notDiscarded:
      'Nicht verworfen: Die Änderung hat dieses Gerät vielleicht schon verlassen, oder der Verfügbarkeitsdienst ist gerade nicht erreichbar.',
    conflictsTitle: 'Widersprüchliche Änderungen',
    retry: 'Erneut versuchen',
    retryAll: 'Alle erneut versuchen',
    more: (count) => `und ${number(count)} weitere`,
    keyList: [
      ['↑ ↓', 'Vorige, nächste Zeile'],
      ['← →', 'Vorige, nächste Spalte'],
      ['Home, End', 'Erste, letzte Spalte; mit Ctrl erste, letzte Zeile'],
      ['Page Up, Page Down', 'Eine Seite nach oben, unten'],
      ['Space', 'Schalter umlegen oder auslösen, was den Fokus hat'],
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
    signOutSend: 'Erneut senden',
    signOutDelete: 'Löschen und abmelden',
    signOutStay: 'Angemeldet bleiben',
    portalIsBack: 'Das Portal nimmt wieder Änderungen an.',
  };
}
