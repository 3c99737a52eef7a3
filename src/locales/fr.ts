import type { Counter, Forms } from './counter.js';
import type { Dictionary, EditorDictionary } from './dictionary.js';

const ITEMS: Forms = { one: '# offre', other: '# offres' };
const CHANGES: Forms = { one: '# modification', other: '# modifications' };

export function dictionary({ number, counted }: Counter): Dictionary {
  return {
    available: 'Disponible',
    notAvailable: 'Indisponible',
    required: 'Activez cette option pour continuer.',
    notSetYet: 'Pas encore défini',
    asGiven: 'Tel qu’indiqué par cette page',
    truth: {
      'on-device': 'Sur cet appareil',
      received: 'Reçu',
      'on-portal': 'Sur le portail',
      'needs-attention': 'Demande votre attention',
    },
    waitingForNetwork: 'en attente d’une connexion ; gardez cette page ouverte',
    notSentYet: 'ne peut pas encore être envoyée ; gardez cette page ouverte',
    waitingForSignIn: 'en attente de votre nouvelle connexion',
    unsaved: 'Pas enregistré sur cet appareil : gardez cette page ouverte jusqu’à la réception',
    tryAgain: 'Réessayer',
    justNow: 'à l’instant',
    since: (ago, by) => (by === undefined ? `, ${ago}` : `, ${ago}, par \u2068${by}\u2069`),
    before: 'Avant',
    you: 'Vous',
    now: 'Maintenant',
    changedBy: (by, name, value) => `\u2068${by}\u2069 a réglé \u2068${name}\u2069 sur « ${value} ».`,
    changedByOthers: (count) => `D’autres personnes ont modifié ${counted(count, ITEMS)}.`,
    keepMine: (value) => `Régler sur « ${value} »`,
    takeTheirs: (value) => `Laisser « ${value} »`,
    notDecided:
      'Non effectué : le service de disponibilité est injoignable pour le moment. Rien n’a changé ; choisissez à nouveau.',
    confirmQuestion: (name) => `Rendre « \u2068${name}\u2069 » indisponible ?`,
    confirmYes: 'Rendre indisponible',
    confirmNo: 'Laisser disponible',
    delayed(reason) {
      switch (reason) {
        case 'portal_unreachable':
          return 'le portail est injoignable ; nous continuons d’essayer';
        case 'portal_busy':
          return 'le portail est occupé ; nous continuons d’essayer';
        case 'portal_error':
          return 'le portail est en panne ; nous continuons d’essayer';
        case 'portal_credentials':
        case 'portal_refuses':
        case 'portal_unreadable':
          return 'le portail n’accepte pas notre connexion ; l’exploitant doit s’en occuper';
        case 'portal_confirms':
          return 'envoyé, la confirmation suivra';
        default:
          return 'en route vers le portail';
      }
    },
    attention(reason) {
      switch (reason) {
        case 'item_refused':
          return 'Le portail a refusé cette modification. Vérifiez que l’offre y existe encore, puis réessayez.';
        case 'item_unknown':
          return 'Vous ne pouvez pas modifier cette offre. Adressez-vous à la personne qui gère votre compte.';
        case 'conflict':
          return 'Quelqu’un d’autre a modifié cette offre avant l’arrivée de votre modification. Laquelle retenir ?';
        case 'unclaimed':
          return 'Modifié sur cet appareil avant toute connexion. Faut-il en tenir compte ?';
        case 'permission_missing':
          return 'Vous pouvez consulter cette offre, mais pas la modifier. Adressez-vous à la personne qui gère votre compte.';
        default:
          return 'Cette modification n’a pas été acceptée. Réessayez ; si cela ne suffit pas, contactez l’assistance.';
      }
    },
    connection(problem) {
      switch (problem) {
        case 'token_refused':
        case 'session_missing':
        case 'session_unreadable':
        case 'page_blocked':
          return 'Cette page n’est pas correctement configurée : les modifications ne peuvent pas encore être envoyées. Elles restent sur cet appareil. Prévenez l’exploitant de la page.';
        case 'origin_refused':
          return 'Cette page ne peut pas utiliser le service de disponibilité. Son exploitant doit autoriser cette adresse.';
        case 'session_unreachable':
        case 'session_unverifiable':
          return 'Votre connexion ne peut pas être vérifiée pour le moment. Les modifications restent sur cet appareil ; nous continuons d’essayer.';
        case 'budget_spent':
          return 'Cela faisait beaucoup à la fois. Le reste demeure sur cet appareil et partira dans un instant.';
        case 'overloaded':
        case 'storage_unavailable':
          return 'Le service de disponibilité ne peut pas enregistrer de modifications pour le moment. Elles restent sur cet appareil ; nous continuons d’essayer.';
        case 'not_deleted':
          return 'Vos modifications n’ont pas pu être supprimées de cet appareil : vous êtes donc toujours connecté. Elles partiront quand vous réessaierez ou vous déconnecterez.';
        case 'permission_missing':
          return 'Vous ne pouvez pas consulter ces offres. Adressez-vous à la personne qui gère votre compte.';
        default:
          return 'Le service de disponibilité est injoignable. Les modifications restent sur cet appareil ; nous continuons d’essayer.';
      }
    },
    signedOut:
      'Vous êtes déconnecté. Reconnectez-vous sur cette page ; vos modifications sont conservées sur cet appareil.',
    goodbye: 'Vous êtes déconnecté. Rien de vous n’est conservé sur cet appareil.',
    missingPart:
      'Cette liste n’est pas entièrement chargée et ne peut pas encore être modifiée. Vérifiez votre connexion.',
    missingProxy: 'Cet élément a besoin de l’adresse de son proxy : ajoutez proxy="https://…".',
    badItem: `Cet élément a besoin de l’identifiant de son offre : ajoutez item="…", de ${number(1)} à ${number(200)} caractères, sans caractère de contrôle.`,
    secretGiven: (attribute) =>
      `Cet élément a reçu ${attribute}="…", qui ressemble à un secret. Une page ne peut en garder aucun : retirez-le et changez-le partout où il sert.`,
    requestId: (id) => `Pour l’assistance : ${id}`,
    triedAgain: (time) => `Nouvel essai à ${time}.`,
    inventory: 'Disponibilité',
    loading: 'Chargement des offres…',
    empty: 'Pas encore d’offres. Elles apparaîtront dès que cette page ou le service de disponibilité les indiquera.',
    openCount: (count) =>
      counted(count, {
        one: '# modification n’est pas encore sur le portail',
        other: '# modifications ne sont pas encore sur le portail',
      }),
    nothingOpen: 'Rien en attente',
    columns: {
      item: 'Offre',
      group: 'Groupe',
      availability: 'Disponibilité',
      status: 'État',
      updated: 'Dernière modification',
    },
    total: (count) => counted(count, ITEMS),
    leftOut: (count) => `Non affiché, car les données de cette page sont erronées : ${counted(count, ITEMS)}`,
    counting: 'comptage…',
    selectEvery: 'Sélectionner toutes les offres affichées',
    readOnly: 'Vous pouvez consulter, mais pas modifier.',
  };
}

export function editorDictionary({ number, counted }: Counter): EditorDictionary {
  const word = (available: boolean): string => (available ? 'disponible' : 'indisponible');
  const leftAlone = (count: number): string =>
    count === 0
      ? ''
      : ` ; ${counted(count, ITEMS)} sans changement : modification ultérieure, envoi sans valeur antérieure, ou refus de cette page`;
  return {
    number,
    changed: 'Pas encore enregistré',
    met: 'Quelqu’un d’autre a modifié ceci entre-temps : choisissez la valeur à retenir',
    search: 'Rechercher par nom ou identifiant',
    filters: 'Afficher',
    filter: {
      all: 'Tout',
      available: 'Disponible',
      unavailable: 'Indisponible',
      unknown: 'Non défini',
      changed: 'Modifié',
      waiting: 'En attente',
      attention: 'Demande votre attention',
      conflict: 'En conflit',
    },
    sort: 'Trier par',
    sorted: {
      given: 'Ordre d’origine',
      label: 'Nom',
      id: 'Identifiant',
      state: 'État',
      'changed-at': 'Dernière modification',
    },
    found: (count) =>
      count === 0
        ? 'Aucune offre ne correspond'
        : counted(count, { one: '# offre trouvée', other: '# offres trouvées' }),
    noMatch: 'Aucune offre ne correspond.',
    showAll: 'Afficher toutes les offres',
    orderStale: 'Des offres ont changé : trier à nouveau',
    keys: 'Clavier',
    lists: 'Importer, exporter',
    notLoaded: 'Le chargement a échoué. Vérifiez votre connexion et réessayez.',
    queue: (count) => `${number(count)} en attente`,
    conflicts: (count) => counted(count, { one: '# conflit', other: '# conflits' }),
    selected: (count) => counted(count, { one: '# sélectionnée', other: '# sélectionnées' }),
    selectAll: 'Sélectionner tous les résultats',
    selectMatching: (count) => `Tout sélectionner (${number(count)})`,
    clearSelection: 'Effacer la sélection',
    setAvailable: 'Rendre disponible',
    setUnavailable: 'Rendre indisponible',
    changes: (count) => counted(count, CHANGES),
    save: 'Enregistrer',
    discard: 'Abandonner',
    discarded: (count) => counted(count, { one: '# modification abandonnée.', other: '# modifications abandonnées.' }),
    undo: 'Annuler',
    redo: 'Rétablir',
    undone: (changed, skipped) =>
      counted(changed, { one: '# ligne annulée', other: '# lignes annulées' }) + leftAlone(skipped),
    redone: (changed, skipped) =>
      counted(changed, { one: '# ligne rétablie', other: '# lignes rétablies' }) + leftAlone(skipped),
    saving: (saved, of) => `Enregistrement : ${number(saved)} sur ${number(of)}`,
    cancel: 'Annuler',
    close: 'Fermer',
    saveDone(saved, held, left) {
      const parts = [counted(saved, { one: '# modification sera envoyée', other: '# modifications seront envoyées' })];
      if (held > 0) parts.push(counted(held, { one: '# retenue', other: '# retenues' }));
      if (left > 0) parts.push(counted(left, { one: '# non tentée', other: '# non tentées' }));
      return `${parts.join(' ; ')}.`;
    },
    failed: (count) =>
      counted(count, {
        one: '# modification n’a pas été acceptée',
        other: '# modifications n’ont pas été acceptées',
      }),
    retryFailed: (count) => `Réessayer les échecs (${number(count)})`,
    drafts: (count, age) =>
      counted(count, { one: '# modification non enregistrée', other: '# modifications non enregistrées' }) +
      `, ${age}.`,
    draftsRefused: 'Ce navigateur ne les conserve pas : enregistrez avant de quitter la page.',
    takeDrafts: 'Reprendre',
    draftsElsewhere: (count) =>
      counted(count, {
        one: '# modification concerne une offre absente de cette liste ; elle est conservée pour la liste qui la contient.',
        other:
          '# modifications concernent des offres absentes de cette liste ; elles sont conservées pour la liste qui les contient.',
      }),
    dropDrafts: 'Abandonner',
    bulkTitle: (count, available) =>
      counted(count, {
        one: `Rendre # offre ${word(available)} ?`,
        other: `Rendre # offres ${word(available)}s ?`,
      }),
    bulkSame: (count, available) =>
      counted(count, { one: `# est déjà ${word(available)}.`, other: `# sont déjà ${word(available)}s.` }),
    bulkLocked: (count) =>
      counted(count, { one: '# que vous ne pouvez pas modifier.', other: '# que vous ne pouvez pas modifier.' }),
    bulkNothing: 'Rien ne changerait.',
    bulkSet: (count, available) => `Rendre ${available ? 'disponible' : 'indisponible'} (${number(count)})`,
    bulkDone: (count, available) =>
      counted(count, {
        one: `# offre rendue ${word(available)}.`,
        other: `# offres rendues ${word(available)}s.`,
      }),
    closeAll: 'Tout fermer',
    closeAllText: 'Tout ce qui est disponible maintenant. Vous pourrez rouvrir exactement cela plus tard.',
    reopen: 'Rouvrir',
    reopenText: 'Ce qui était disponible avant que vous ne fermiez tout, et rien d’autre.',
    turnSkipped: (count) =>
      `${counted(count, ITEMS)} sans changement, car quelqu’un d’autre a modifié la valeur depuis ou vous ne pouvez pas la modifier.`,
    closed: (count, age) => counted(count, { one: '# offre fermée', other: '# offres fermées ensemble' }) + `, ${age}.`,
    closedRefused: 'Ce navigateur ne les conserve pas : rouvrez-les avant de quitter la page.',
    keepClosed: 'Laisser fermé',
    details: 'Détails',
    id: 'Identifiant',
    note: 'Note',
    value: 'Valeur',
    lastChange: 'Dernière modification',
    by: (name) => `par \u2068${name}\u2069`,
    conflictsText: 'Deux valeurs s’opposent. Choisissez celle à retenir.',
    base: 'Avant',
    mine: 'Vous',
    theirs: 'Maintenant',
    keepMine: 'Garder la mienne',
    takeTheirs: 'Prendre l’autre',
    keepAllMine: 'Garder toutes les miennes',
    takeAllTheirs: 'Prendre toutes les autres',
    queueTitle: 'Ce qui n’est pas encore sur le portail',
    queueEmpty: 'Rien en attente.',
    notDiscarded:
      'Non abandonné : la modification a peut-être déjà quitté cet appareil, ou le service de disponibilité est injoignable pour le moment.',
    conflictsTitle: 'Modifications en conflit',
    retry: 'Réessayer',
    retryAll: 'Tout réessayer',
    more: (count) => counted(count, { one: 'et # autre', other: 'et # autres' }),
    keyList: [
      ['↑ ↓', 'Ligne précédente, suivante'],
      ['← →', 'Colonne précédente, suivante'],
      ['Home, End', 'Première, dernière colonne ; avec Ctrl, première, dernière ligne'],
      ['Page Up, Page Down', 'Un écran vers le haut, vers le bas'],
      ['Space', 'Basculer l’interrupteur, ou activer l’élément ciblé'],
      ['Shift ↑ ↓', 'Sélectionner des lignes'],
      ['Ctrl A', 'Sélectionner tous les résultats'],
      ['Escape', 'Effacer la sélection'],
      ['Ctrl Z, Ctrl Y', 'Annuler, rétablir'],
      ['Ctrl S', 'Enregistrer'],
      ['/', 'Rechercher'],
      ['?', 'Cette liste'],
    ],
    signOutUnsent: (count) =>
      counted(count, {
        one: '# modification n’a pas quitté cet appareil.',
        other: '# modifications n’ont pas quitté cet appareil.',
      }),
    signOutSend: 'Essayer d’envoyer à nouveau',
    signOutDelete: 'Supprimer et se déconnecter',
    signOutStay: 'Rester connecté',
    portalIsBack: 'Le portail accepte à nouveau les modifications.',
  };
}
