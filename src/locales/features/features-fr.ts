import type { FeatureDictionary } from './feature-dictionary.js';

export const featuresFr: FeatureDictionary = {
  endOfDay: 'La fin de la journée',
  tomorrowMorning: 'Demain matin, 9:00',
  dateAndTime: 'Une date et une heure',
  untilISay: 'Ce que je le change',
  everyWeek: 'Chaque semaine, toute la journée',
  whileBusy: 'Chaque fois qu’un calendrier est occupé',
  calendarAddress: 'Adresse du calendrier (iCal)',
  calendarHint:
    'Les autres sites de réservation et les agendas l’appellent « Exporter le calendrier » ou « lien iCal ». Elle est lue toutes les 15 minutes.',
  calendar: (host) => `Calendrier de ${host}`,
  calendarFree: 'aucune période occupée connue',
  calendarFailed: (time) => `Illisible depuis ${time}. Les périodes lues auparavant s’appliquent.`,
  feedProblem: {
    not_public: 'Cette adresse n’est pas sur l’internet public.',
    unreachable: 'Rien ne répond à cette adresse. Vérifiez-la ou réessayez plus tard.',
    rejected: 'Cette adresse est refusée. Copiez-la à nouveau.',
    too_large: 'Ce calendrier est trop grand.',
    unreadable: 'Il n’y a pas de calendrier lisible à cette adresse.',
  },
  setByHand: (time) => `modifié à la main : inchangé jusqu’à ${time}`,
  scheduled: 'C’est réglé.',
  notScheduled(problem) {
    switch (problem) {
      case 'permission_missing':
      case 'item_unknown':
        return 'Non réglé : vous ne pouvez pas le faire. Demandez à la personne qui gère votre compte.';
      case 'invalid_body':
        return 'Non réglé : choisissez un moment à venir.';
      case 'too_many_feeds':
        return 'Non réglé : vous avez trop de calendriers. Retirez-en un d’abord.';
      default:
        return 'Non confirmé : pas de connexion pour le moment. Réessayez ; rien n’est réglé deux fois.';
    }
  },
  partlyScheduled: (set, all) => `Réglé : ${set} sur ${all}. Réessayez pour le reste.`,
  removeSchedule: 'Retirer',
  closesAt: (time) => `ferme ${time}`,
  historyEmpty: 'Aucune modification pour le moment.',
  historyFailed(problem) {
    switch (problem) {
      case 'unreachable':
        return 'Pas de connexion : l’historique ne peut pas être lu maintenant.';
      case 'permission_missing':
        return 'Vous ne pouvez pas voir l’historique. Demandez à la personne qui gère votre compte.';
      default:
        return 'L’historique ne peut pas être lu maintenant.';
    }
  },
  showMore: 'Afficher plus',
  outcome: {
    received: 'En route',
    delivered: 'Sur le portail',
    refused: 'Non acceptée',
    conflict: 'Choix différents',
    superseded: 'Remplacée par une modification ultérieure',
    discarded: 'Abandonnée',
  },
  person: 'Personne',
  day: 'Jour',
  item: 'Offre',
  itemsOfAct: 'Offres',
  closedCount: (n) => `Fermées : ${n}`,
  openedCount: (n) => `Ouvertes : ${n}`,
  leftAsTheyAre: 'Laissées telles quelles',
  changedSince: 'modifiée depuis',
  changedSinceBy: (n) => `modifiée depuis par ${n}`,
  noEarlierValue: 'sans valeur auparavant',
  notListed: 'absente de cette liste',
  colleague: 'Une personne de l’équipe',
  bySchedule: (name) => `programmation de ${name}`,
  listsTitle: 'Importer et exporter',
  importHint:
    'Une offre par ligne : son identifiant, ou son identifiant et oui ou non. Vous voyez ce qui changerait avant que rien ne change.',
  paste: 'Saisissez des identifiants ou collez des lignes d’un tableur',
  file: 'Ou choisissez un fichier CSV',
  fileUnreadable: 'Ce fichier est illisible.',
  checking: 'Vérification…',
  otherwise: 'Une offre dont la ligne n’a ni oui ni non',
  otherwiseNothing: 'est seulement ajoutée',
  otherwiseAvailable: 'devient disponible',
  otherwiseUnavailable: 'devient indisponible',
  verdict: { new: 'Nouvelles', changed: 'Modifiées', same: 'Identiques', refused: 'Refusées' },
  fault: {
    id: 'Un identifiant a de 1 à 200 caractères, sans caractère de contrôle.',
    value: 'Ce n’est ni oui ni non.',
    repeated: 'Une ligne précédente a le même identifiant.',
    locked: 'Vous ne pouvez pas modifier cette offre.',
    malformed: 'Il manque un guillemet.',
  },
  line: (line) => `Ligne ${line}`,
  lineColumn: (line, column) => `Ligne ${line}, colonne ${column}`,
  saveVerdicts: 'Enregistrer cette vérification dans un fichier',
  import: 'Importer',
  imported: 'Importé.',
  export: 'Exporter',
  exportAll: 'Toutes les offres',
  exportListed: 'Offres affichées',
  fileName: 'offres',
  yes: ['oui', 'o', 'vrai'],
  no: ['non', 'faux'],
  heads: { id: [], available: ['disponible'] },
};
