import type { Counter, Forms } from './counter.js';
import type { Dictionary, EditorDictionary } from './dictionary.js';

const ITEMS: Forms = { one: '# offre', other: '# offres' };
const CHANGES: Forms = { one: '# modification', other: '# modifications' };

export function dictionary({ number, counted }: Counter, portal?: string): Dictionary {
  const [subject, on] = portal === undefined ? ['le portail', 'sur le portail'] : [portal, `sur ${portal}`];
  return {
    available: 'Disponible',
    notAvailable: 'Indisponible',
    required: 'Activez cette option pour continuer.',
    notSetYet: 'Pas encore défini',
    checking: 'Vérification…',
    notKnown: 'Pas de connexion',
    guestsSee: (value) => `Les clients voient maintenant : « ${value} ».`,
    asGiven: 'De votre site, pas encore confirmé',
    changedOnPortal: `Modifié ${on}`,
    truth: {
      'on-device': 'Enregistré ici, pas encore envoyé',
      received: `Envoyé, ${subject} confirme bientôt`,
      'on-portal': `En ligne ${on}`,
      'needs-attention': 'Non accepté : à vous de décider',
    },
    waitingForNetwork: 'Enregistré ici. L’envoi se fera au retour de la connexion ; gardez cette page ouverte.',
    waitingForSignIn: 'Enregistré ici. L’envoi se fera quand vous vous reconnecterez.',
    notSentYet: 'Enregistré ici. Ne peut pas encore être envoyée ; gardez cette page ouverte.',
    unsaved: 'Pas enregistré sur cet appareil : gardez cette page ouverte jusqu’à l’envoi.',
    tryAgain: 'Réessayer',
    sendAgain: 'Renvoyer',
    justNow: 'à l’instant',
    since: (ago, by) => (by === undefined ? `, ${ago}` : `, ${ago}, par \u2068${by}\u2069`),
    before: 'Avant',
    you: 'Vous',
    now: 'Maintenant',
    changedBy: (by, name, value) => `\u2068${by}\u2069 a réglé \u2068${name}\u2069 sur « ${value} ».`,
    changedByOthers: (count) => `D’autres personnes ont modifié ${counted(count, ITEMS)}.`,
    keepMine: (value, by = 'vous') => `Régler sur « ${value} » (\u2068${by}\u2069)`,
    takeTheirs: (value, by) => `Laisser « ${value} »${by === undefined ? '' : ` (\u2068${by}\u2069)`}`,
    notDecided: 'Non effectué : pas de connexion pour le moment. Rien n’a changé ; choisissez à nouveau.',
    confirmQuestion: (name) => `Rendre « \u2068${name}\u2069 » indisponible ?`,
    confirmYes: 'Rendre indisponible',
    confirmNo: 'Laisser disponible',
    delayed(reason) {
      switch (reason) {
        case 'portal_unreachable':
          return `Envoyé, mais ${subject} est injoignable. Nous continuons d’essayer.`;
        case 'portal_busy':
          return `Envoyé, mais ${subject} est occupé. Nous continuons d’essayer.`;
        case 'portal_error':
          return `Envoyé, mais ${subject} est en panne. Nous continuons d’essayer.`;
        case 'portal_credentials':
        case 'portal_refuses':
        case 'portal_unreadable':
          return `Envoyé, mais ${subject} n’accepte pas notre connexion. Son exploitant doit s’en occuper ; votre modification est en sécurité.`;
        case 'portal_confirms':
          return 'Envoyé, la confirmation suivra';
        default:
          return `Envoyé, ${subject} confirme bientôt`;
      }
    },
    attention(reason, you, other) {
      switch (reason) {
        case 'item_refused':
          return `Non accepté : ${subject} a refusé cette modification. Vérifiez que l’offre y existe encore, puis renvoyez-la.`;
        case 'item_unknown':
          return 'Non accepté : vous ne pouvez pas modifier cette offre. Demandez à la personne qui gère votre compte.';
        case 'conflict':
          return `\u2068${you ?? 'Vous'}\u2069 et \u2068${other ?? 'une autre personne'}\u2069 ${you === undefined ? 'avez' : 'ont'} fait des choix différents. Lequel compte ?`;
        case 'unclaimed':
          return 'Modifié sur cet appareil avant toute connexion. Faut-il en tenir compte ?';
        case 'permission_missing':
          return 'Non accepté : vous pouvez voir cette offre, mais pas la modifier. Demandez à la personne qui gère votre compte.';
        default:
          return 'Non accepté. Renvoyez la modification ; si cela n’aide pas, demandez de l’aide.';
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
          return 'Cette page ne peut pas afficher vos offres. Son exploitant doit autoriser cette adresse.';
        case 'session_unreachable':
        case 'session_unverifiable':
          return 'Votre connexion ne peut pas être vérifiée pour le moment. Vos modifications sont en sécurité ici ; nous continuons d’essayer.';
        case 'budget_spent':
          return 'C’était beaucoup à la fois. Le reste est en sécurité ici et part dans un instant.';
        case 'overloaded':
        case 'storage_unavailable':
          return 'Les modifications ne peuvent pas être acceptées pour le moment. Les vôtres sont en sécurité ici ; nous continuons d’essayer.';
        case 'not_deleted':
          return 'Vos modifications n’ont pas pu être supprimées de cet appareil : vous êtes donc toujours connecté. Elles partiront quand vous réessaierez ou vous déconnecterez.';
        case 'permission_missing':
          return 'Vous ne pouvez pas consulter ces offres. Adressez-vous à la personne qui gère votre compte.';
        default:
          return 'Pas de connexion. Vos modifications sont en sécurité ici ; nous continuons d’essayer.';
      }
    },
    signedOut: 'Vous êtes déconnecté. Reconnectez-vous sur cette page ; vos modifications sont en sécurité ici.',
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
    empty: 'Pas encore d’offres. Elles apparaissent ici dès que votre site les indique.',
    openCount: (count) =>
      counted(count, {
        one: `# modification n’est pas encore en ligne ${on}`,
        other: `# modifications ne sont pas encore en ligne ${on}`,
      }),
    nothingOpen: `Tout est à jour ${on}`,
    nothingWaiting: 'Aucune modification en attente',
    unsavedCount: (count) =>
      counted(count, {
        one: '# modification pas encore enregistrée',
        other: '# modifications pas encore enregistrées',
      }),
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
    selectItem: (name) => `Sélectionner \u2068${name}\u2069`,
    readOnly: 'Vous pouvez consulter, mais pas modifier.',
  };
}

export function editorDictionary({ number, counted }: Counter, portal?: string): EditorDictionary {
  const [subject, on] = portal === undefined ? ['Le portail', 'sur le portail'] : [portal, `sur ${portal}`];
  const word = (available: boolean): string => (available ? 'disponible' : 'indisponible');
  const leftAlone = (count: number): string =>
    count === 0
      ? ''
      : ` ; ${counted(count, ITEMS)} sans changement : modification ultérieure, envoi sans valeur antérieure, ou refus de cette page`;
  return {
    number,
    changed: 'Pas encore enregistré',
    met: 'Quelqu’un d’autre a modifié ceci entre-temps : choisissez la valeur à retenir',
    search: 'Rechercher par nom ou note',
    filters: 'Afficher',
    filter: {
      all: 'Tout',
      available: 'Disponible',
      unavailable: 'Indisponible',
      unknown: 'Non défini',
      changed: 'Non enregistré',
      waiting: 'En route',
      attention: 'À vous de décider',
      conflict: 'Choix différents',
    },
    sort: 'Trier par',
    sorted: {
      given: 'Ordre d’origine',
      label: 'Nom',
      id: 'Identifiant',
      group: 'Groupe',
      value: 'Disponibilité',
      state: 'État',
      'changed-at': 'Dernière modification',
    },
    reversed: (order) => `${order}, à l’envers`,
    allGroups: 'Tous les groupes',
    noGroup: 'Sans groupe',
    groupCount: (available, all) => `Disponibles : ${number(available)} sur ${number(all)}`,
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
    unavailableUntil: 'Indisponible jusqu’à…',
    back: (time) => `de retour ${time}`,
    setByHand: 'Modifié à la main : la programmation n’y touche plus.',
    queue: (count) => counted(count, { one: '# modification en route', other: '# modifications en route' }),
    conflicts: (count) =>
      counted(count, { one: '# offre avec des choix différents', other: '# offres avec des choix différents' }),
    selected: (count) => counted(count, { one: '# sélectionnée', other: '# sélectionnées' }),
    selectAll: 'Sélectionner tous les résultats',
    selectMatching: (count) => `Tout sélectionner (${number(count)})`,
    clearSelection: 'Effacer la sélection',
    setAvailable: (count) => counted(count, { one: 'Ouvrir celle-ci', other: 'Ouvrir ces #' }),
    setUnavailable: (count) => counted(count, { one: 'Fermer celle-ci', other: 'Fermer ces #' }),
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
    close: 'Terminé',
    saveDone(saved, held, left) {
      const parts = [counted(saved, { one: '# modification sera envoyée', other: '# modifications seront envoyées' })];
      if (held > 0)
        parts.push(
          counted(held, {
            one: '# retenue : modifiée par quelqu’un d’autre, ou que vous ne pouvez pas modifier',
            other: '# retenues : modifiées par quelqu’un d’autre, ou que vous ne pouvez pas modifier',
          }),
        );
      if (left > 0) parts.push(counted(left, { one: '# non enregistrée', other: '# non enregistrées' }));
      return `${parts.join(' ; ')}.`;
    },
    failed: (count) =>
      counted(count, {
        one: '# modification n’a pas été acceptée',
        other: '# modifications n’ont pas été acceptées',
      }),
    retryFailed: (count) => `Renvoyer (${number(count)})`,
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
      counted(
        count,
        available
          ? { one: 'Ouvrir # offre ?', other: 'Ouvrir # offres ?' }
          : { one: 'Fermer # offre ?', other: 'Fermer # offres ?' },
      ),
    bulkSame: (count, available) =>
      counted(count, { one: `# est déjà ${word(available)}.`, other: `# sont déjà ${word(available)}s.` }),
    fromTo: (from, to) => `« ${from} » devient « ${to} »`,
    bulkLocked: (count) =>
      counted(count, { one: '# que vous ne pouvez pas modifier.', other: '# que vous ne pouvez pas modifier.' }),
    bulkNothing: 'Rien ne changerait.',
    bulkSet: (count, available) => `${available ? 'Ouvrir' : 'Fermer'} (${number(count)})`,
    bulkDone: (count, available) =>
      counted(
        count,
        available
          ? { one: '# offre ouverte.', other: '# offres ouvertes.' }
          : { one: '# offre fermée.', other: '# offres fermées.' },
      ),
    closeAll: 'Tout fermer',
    closeAllText: 'Tout ce qui est disponible maintenant. Vous pourrez rouvrir exactement cela plus tard.',
    reopen: (count) => counted(count, { one: 'Rouvrir celle-ci', other: 'Rouvrir ces #' }),
    reopenText: 'Ce qui était disponible avant que tout ne soit fermé, et rien d’autre.',
    closeGroupText: (group) =>
      `Tout ce qui est disponible maintenant dans \u2068${group}\u2069. Vous pourrez rouvrir exactement cela plus tard.`,
    reopenGroupText: (group) =>
      `Ce qui était disponible dans \u2068${group}\u2069 avant sa fermeture, et rien d’autre.`,
    turnSkipped: (count) =>
      `${counted(count, ITEMS)} sans changement, car quelqu’un d’autre a modifié la valeur depuis ou vous ne pouvez pas la modifier.`,
    closed: (count, age) => counted(count, { one: '# offre fermée', other: '# offres fermées ensemble' }) + `, ${age}.`,
    closedRefused: 'Ce navigateur ne les conserve pas : rouvrez-les avant de quitter la page.',
    keepClosed: 'Laisser fermé',
    details: 'Détails',
    id: 'Identifiant',
    note: 'Note',
    value: 'Disponibilité',
    portalNow: `Maintenant ${on}`,
    lastChange: 'Dernière modification',
    lastChanges: 'Dernières modifications',
    by: (name) => `par \u2068${name}\u2069`,
    conflictsText: 'Deux personnes ont fait des choix différents. Lequel compte ?',
    keepAllMine: 'Utiliser votre choix pour toutes',
    takeAllTheirs: 'Tout laisser tel quel',
    queueTitle: `Pas encore en ligne ${on}`,
    queueEmpty: `Tout est à jour ${on}.`,
    notDiscarded: 'Non annulé : c’est peut-être déjà envoyé, ou il n’y a pas de connexion pour le moment.',
    conflictsTitle: 'Choisir ce qui compte',
    retryAll: 'Tout renvoyer',
    more: (count) => counted(count, { one: 'et # autre', other: 'et # autres' }),
    keyList: [
      ['↑ ↓', 'Ligne précédente, suivante'],
      ['← →', 'Colonne précédente, suivante'],
      ['Home, End', 'Première, dernière colonne ; avec Ctrl, première, dernière ligne'],
      ['Page Up, Page Down', 'Un écran vers le haut, vers le bas'],
      ['Space', 'Basculer l’interrupteur, ou activer l’élément ciblé'],
      ['Enter', 'Détails'],
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
    signOutSave: 'Enregistrer et se déconnecter',
    signOutSend: 'Envoyer et se déconnecter',
    signOutDelete: 'Supprimer et se déconnecter',
    signOutStay: 'Rester connecté',
    signOutSends: 'Tout est d’abord envoyé. En cas d’échec, rien n’est perdu et vous restez connecté.',
    signOutDeletes:
      'Ces modifications sont perdues définitivement. Les clients continuent de voir ce qu’ils voient maintenant.',
    signOutRefused: 'Celles-ci ne peuvent pas être envoyées telles quelles : décidez d’abord.',
    portalIsBack: `${subject} accepte de nouveau les modifications.`,
  };
}
