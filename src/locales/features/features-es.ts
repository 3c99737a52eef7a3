import type { FeatureDictionary } from './feature-dictionary.js';

export const featuresEs: FeatureDictionary = {
  endOfDay: 'El final de hoy',
  tomorrowMorning: 'Mañana por la mañana, 9:00',
  dateAndTime: 'Una fecha y hora',
  untilISay: 'Que lo cambie',
  everyWeek: 'Cada semana, todo el día',
  whileBusy: 'Siempre que un calendario esté ocupado',
  calendarAddress: 'Dirección del calendario (iCal)',
  calendarHint:
    'Otras páginas de reservas y aplicaciones la llaman «Exportar calendario» o «enlace iCal». Se lee cada 15 minutos.',
  calendar: (host) => `Calendario de ${host}`,
  calendarFree: 'sin horas ocupadas',
  calendarFailed: (time) => `No se puede leer desde ${time}. Valen las horas leídas antes.`,
  feedProblem: {
    not_public: 'Esta dirección no está en el internet público.',
    unreachable: 'Nada responde en esta dirección. Compruébela o inténtelo más tarde.',
    rejected: 'Esta dirección se rechaza. Cópiela de nuevo.',
    too_large: 'Este calendario es demasiado grande.',
    unreadable: 'En esta dirección no hay un calendario que se pueda leer.',
  },
  setByHand: (time) => `cambiado a mano: queda así hasta ${time}`,
  scheduled: 'Queda fijado.',
  notScheduled(problem) {
    switch (problem) {
      case 'permission_missing':
      case 'item_unknown':
        return 'No se fijó: no puede hacer esto. Pregunte a quien gestiona su cuenta.';
      case 'invalid_body':
        return 'No se fijó: elija una hora futura.';
      case 'too_many_feeds':
        return 'No se fijó: tiene demasiados calendarios. Quite uno primero.';
      default:
        return 'Sin confirmar: ahora no hay conexión. Inténtelo de nuevo; nada se fija dos veces.';
    }
  },
  partlyScheduled: (set, all) => `Fijado: ${set} de ${all}. Inténtelo de nuevo para el resto.`,
  removeSchedule: 'Quitar',
  closesAt: (time) => `cierra ${time}`,
  historyEmpty: 'Aún no hay cambios.',
  historyFailed(problem) {
    switch (problem) {
      case 'unreachable':
        return 'Sin conexión: ahora no se puede leer el historial.';
      case 'permission_missing':
        return 'No puede ver el historial. Pregunte a quien administra su cuenta.';
      default:
        return 'Ahora no se puede leer el historial.';
    }
  },
  showMore: 'Mostrar más',
  outcome: {
    received: 'En camino',
    delivered: 'En el portal',
    refused: 'No aceptado',
    conflict: 'Elección distinta',
    superseded: 'Sustituido por un cambio posterior',
    discarded: 'Descartado',
  },
  person: 'Persona',
  day: 'Día',
  item: 'Oferta',
  itemsOfAct: 'Ofertas',
  closedCount: (n) => `Cerradas: ${n}`,
  openedCount: (n) => `Abiertas: ${n}`,
  leftAsTheyAre: 'Se dejan como están',
  changedSince: 'cambiada después',
  changedSinceBy: (n) => `cambiada después por ${n}`,
  noEarlierValue: 'sin valor anterior',
  notListed: 'no está en esta lista',
  colleague: 'Alguien del equipo',
  bySchedule: (name) => `programación de ${name}`,
  listsTitle: 'Importar y exportar',
  importHint:
    'Una oferta en cada línea: su identificador, o su identificador y sí o no. Verá lo que cambiaría antes de que cambie nada.',
  paste: 'Escriba identificadores o pegue filas de una hoja de cálculo',
  file: 'O elija un archivo CSV',
  fileUnreadable: 'No se puede leer este archivo.',
  checking: 'Comprobando…',
  otherwise: 'Una oferta cuya línea no tiene sí ni no',
  otherwiseNothing: 'solo se añade',
  otherwiseAvailable: 'pasa a estar disponible',
  otherwiseUnavailable: 'pasa a no estar disponible',
  verdict: { new: 'Nuevas', changed: 'Cambiadas', same: 'Iguales', refused: 'Rechazadas' },
  fault: {
    id: 'Un identificador tiene de 1 a 200 caracteres, ninguno de control.',
    value: 'Esto no es sí ni no.',
    repeated: 'Una línea anterior tiene el mismo identificador.',
    locked: 'No puede cambiar esta oferta.',
    malformed: 'Falta una comilla.',
  },
  line: (line) => `Línea ${line}`,
  lineColumn: (line, column) => `Línea ${line}, columna ${column}`,
  saveVerdicts: 'Guardar esta comprobación en un archivo',
  import: 'Importar',
  imported: 'Importado.',
  export: 'Exportar',
  exportAll: 'Todas las ofertas',
  exportListed: 'Ofertas de la lista',
  fileName: 'ofertas',
  yes: ['sí', 'si', 's', 'verdadero'],
  no: ['falso'],
  heads: { id: [], available: ['disponible'] },
};
