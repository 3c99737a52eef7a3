import type { Counter, Forms } from './counter.js';
import type { Dictionary, EditorDictionary } from './dictionary.js';

const ITEMS: Forms = { one: '# oferta', other: '# ofertas' };
const CHANGES: Forms = { one: '# cambio', other: '# cambios' };

export function dictionary({ number, counted }: Counter, portal?: string): Dictionary {
  const [subject, on] = portal === undefined ? ['el portal', 'en el portal'] : [portal, `en ${portal}`];
  return {
    available: 'Disponible',
    notAvailable: 'No disponible',
    required: 'Active esta opción para continuar.',
    notSetYet: 'Aún sin definir',
    checking: 'Comprobando…',
    notKnown: 'Sin conexión',
    guestsSee: (value) => `Los clientes ven ahora: «${value}».`,
    asGiven: 'De su sitio web, aún sin confirmar',
    changedOnPortal: `Cambiado ${on}`,
    truth: {
      'on-device': 'Guardado aquí, aún sin enviar',
      received: `Enviado, ${subject} confirmará pronto`,
      'on-portal': `Publicado ${on}`,
      'needs-attention': 'No aceptado: usted decide',
    },
    waitingForNetwork: 'Guardado aquí. Se enviará cuando vuelva la conexión; mantenga abierta esta página.',
    waitingForSignIn: 'Guardado aquí. Se enviará cuando vuelva a iniciar sesión.',
    notSentYet: 'Guardado aquí. Aún no se puede enviar; mantenga abierta esta página.',
    unsaved: 'No guardado en este dispositivo: mantenga abierta esta página hasta que se envíe.',
    tryAgain: 'Reintentar',
    sendAgain: 'Enviar de nuevo',
    justNow: 'ahora mismo',
    since: (ago, by) => (by === undefined ? `, ${ago}` : `, ${ago}, por \u2068${by}\u2069`),
    before: 'Antes',
    you: 'Usted',
    now: 'Ahora',
    changedBy: (by, name, value) => `\u2068${by}\u2069 cambió \u2068${name}\u2069 a «${value}».`,
    changedByOthers: (count) => `Otras personas cambiaron ${counted(count, ITEMS)}.`,
    keepMine: (value, by = 'usted') => `Cambiar a «${value}» (\u2068${by}\u2069)`,
    takeTheirs: (value, by) => `Dejar «${value}»${by === undefined ? '' : ` (\u2068${by}\u2069)`}`,
    notDecided: 'No se hizo: ahora no hay conexión. Nada ha cambiado; elija de nuevo.',
    confirmQuestion: (name) => `¿Marcar «\u2068${name}\u2069» como no disponible?`,
    confirmYes: 'Marcar como no disponible',
    confirmNo: 'Dejar disponible',
    delayed(reason) {
      switch (reason) {
        case 'portal_unreachable':
          return `Enviado, pero ${subject} no responde. Seguimos intentándolo.`;
        case 'portal_busy':
          return `Enviado, pero ${subject} está ocupado. Seguimos intentándolo.`;
        case 'portal_error':
          return `Enviado, pero ${subject} tiene una avería. Seguimos intentándolo.`;
        case 'portal_credentials':
        case 'portal_refuses':
        case 'portal_unreadable':
          return `Enviado, pero ${subject} no acepta nuestra conexión. Su operador debe revisarlo; su cambio está a salvo.`;
        case 'portal_confirms':
          return 'Enviado, la confirmación llegará después';
        default:
          return `Enviado, ${subject} confirmará pronto`;
      }
    },
    attention(reason, you, other) {
      switch (reason) {
        case 'item_refused':
          return `No aceptado: ${subject} rechazó este cambio. Compruebe que la oferta sigue existiendo allí y envíelo de nuevo.`;
        case 'item_unknown':
          return 'No aceptado: no puede cambiar esta oferta. Consulte a quien administra su cuenta.';
        case 'conflict':
          return `\u2068${you ?? 'Usted'}\u2069 y \u2068${other ?? 'otra persona'}\u2069 eligieron valores distintos. ¿Cuál vale?`;
        case 'unclaimed':
          return 'Cambiado en este dispositivo antes de que alguien iniciara sesión. ¿Debe valer?';
        case 'permission_missing':
          return 'No aceptado: puede ver esta oferta, pero no cambiarla. Consulte a quien administra su cuenta.';
        default:
          return 'No aceptado. Envíelo de nuevo; si no funciona, pida ayuda.';
      }
    },
    connection(problem) {
      switch (problem) {
        case 'token_refused':
        case 'session_missing':
        case 'session_unreadable':
        case 'page_blocked':
          return 'Esta página no está bien configurada y los cambios aún no se pueden enviar. Quedan en este dispositivo. Avise a quien administra la página.';
        case 'origin_refused':
          return 'Esta página no puede mostrar sus ofertas. Su operador debe permitir esta dirección.';
        case 'session_unreachable':
        case 'session_unverifiable':
          return 'Ahora no se puede comprobar su sesión. Sus cambios están a salvo aquí; seguimos intentándolo.';
        case 'budget_spent':
          return 'Han sido muchos cambios a la vez. El resto está a salvo aquí y saldrá en un momento.';
        case 'overloaded':
        case 'storage_unavailable':
          return 'Ahora no se pueden aceptar cambios. Los suyos están a salvo aquí; seguimos intentándolo.';
        case 'not_deleted':
          return 'No se pudieron borrar sus cambios de este dispositivo, así que su sesión sigue abierta. Se enviarán cuando lo reintente o cierre la sesión.';
        case 'permission_missing':
          return 'No puede ver estas ofertas. Consulte a quien administra su cuenta.';
        default:
          return 'Sin conexión. Sus cambios están a salvo aquí; seguimos intentándolo.';
      }
    },
    signedOut: 'Su sesión está cerrada. Inicie sesión de nuevo en esta página; sus cambios están a salvo aquí.',
    goodbye: 'Su sesión está cerrada. No queda nada suyo en este dispositivo.',
    missingPart: 'Esta lista no se ha cargado por completo y aún no se puede cambiar. Compruebe su conexión.',
    missingProxy: 'Este elemento necesita la dirección de su proxy: añada proxy="https://…".',
    badItem: `Este elemento necesita el identificador de su oferta: añada item="…", de ${number(1)} a ${number(200)} caracteres, sin caracteres de control.`,
    secretGiven: (attribute) =>
      `Este elemento recibió ${attribute}="…", que parece un secreto. Una página no puede guardar ninguno: quítelo y cámbielo dondequiera que se use.`,
    requestId: (id) => `Para el soporte: ${id}`,
    triedAgain: (time) => `Se reintentó a las ${time}.`,
    inventory: 'Disponibilidad',
    loading: 'Cargando las ofertas…',
    empty: 'Aún no hay ofertas. Aparecerán aquí cuando su sitio web las indique.',
    openCount: (count) =>
      counted(count, { one: `# cambio aún no está publicado ${on}`, other: `# cambios aún no están publicados ${on}` }),
    nothingOpen: `Todo está al día ${on}`,
    nothingWaiting: 'No hay cambios pendientes',
    unsavedCount: (count) => counted(count, { one: '# cambio aún sin guardar', other: '# cambios aún sin guardar' }),
    columns: {
      item: 'Oferta',
      group: 'Grupo',
      availability: 'Disponibilidad',
      status: 'Estado',
      updated: 'Último cambio',
    },
    total: (count) => counted(count, ITEMS),
    leftOut: (count) => `No se muestra porque los datos de esta página tienen errores: ${counted(count, ITEMS)}`,
    counting: 'contando…',
    selectEvery: 'Seleccionar todas las ofertas de la lista',
    selectItem: (name) => `Seleccionar \u2068${name}\u2069`,
    readOnly: 'Puede ver, pero no cambiar.',
  };
}

export function editorDictionary({ number, counted }: Counter, portal?: string): EditorDictionary {
  const [subject, on] = portal === undefined ? ['El portal', 'en el portal'] : [portal, `en ${portal}`];
  const word = (available: boolean): string => (available ? 'disponible' : 'no disponible');
  const words = (available: boolean): string => (available ? 'disponibles' : 'no disponibles');
  const leftAlone = (count: number): string =>
    count === 0
      ? ''
      : `; ${counted(count, ITEMS)} sin tocar: cambio posterior, envío sin valor anterior o rechazo de esta página`;
  return {
    number,
    changed: 'Aún sin guardar',
    met: 'Otra persona cambió esto mientras tanto: elija qué valor vale',
    search: 'Buscar por nombre o nota',
    filters: 'Mostrar',
    filter: {
      all: 'Todo',
      available: 'Disponible',
      unavailable: 'No disponible',
      unknown: 'Sin definir',
      changed: 'Sin guardar',
      waiting: 'En camino',
      attention: 'Usted decide',
      conflict: 'Elección distinta',
    },
    sort: 'Ordenar por',
    sorted: {
      given: 'Orden original',
      label: 'Nombre',
      id: 'Identificador',
      group: 'Grupo',
      value: 'Disponibilidad',
      state: 'Estado',
      'changed-at': 'Último cambio',
    },
    reversed: (order) => `${order}, al revés`,
    allGroups: 'Todos los grupos',
    noGroup: 'Sin grupo',
    groupCount: (available, all) => `Disponibles: ${number(available)} de ${number(all)}`,
    found: (count) =>
      count === 0
        ? 'Ninguna oferta coincide'
        : counted(count, { one: '# oferta coincide', other: '# ofertas coinciden' }),
    noMatch: 'Ninguna oferta coincide.',
    showAll: 'Mostrar todas las ofertas',
    orderStale: 'Han cambiado ofertas: ordenar de nuevo',
    keys: 'Teclado',
    lists: 'Importar, exportar',
    notLoaded: 'No se pudo cargar. Compruebe su conexión e inténtelo de nuevo.',
    unavailableUntil: 'No disponible hasta…',
    back: (time) => `vuelve ${time}`,
    setByHand: 'Cambiado a mano: la programación lo deja así.',
    queue: (count) => counted(count, { one: '# cambio en camino', other: '# cambios en camino' }),
    conflicts: (count) =>
      counted(count, { one: '# oferta con elección distinta', other: '# ofertas con elección distinta' }),
    selected: (count) => counted(count, { one: '# seleccionada', other: '# seleccionadas' }),
    selectAll: 'Seleccionar todas las que coinciden',
    selectMatching: (count) => `Seleccionar todas (${number(count)})`,
    clearSelection: 'Quitar la selección',
    setAvailable: (count) => counted(count, { one: 'Abrir esta', other: 'Abrir estas #' }),
    setUnavailable: (count) => counted(count, { one: 'Cerrar esta', other: 'Cerrar estas #' }),
    changes: (count) => counted(count, CHANGES),
    save: 'Guardar',
    discard: 'Descartar',
    discarded: (count) => counted(count, { one: '# cambio descartado.', other: '# cambios descartados.' }),
    undo: 'Deshacer',
    redo: 'Rehacer',
    undone: (changed, skipped) =>
      counted(changed, { one: '# fila deshecha', other: '# filas deshechas' }) + leftAlone(skipped),
    redone: (changed, skipped) =>
      counted(changed, { one: '# fila rehecha', other: '# filas rehechas' }) + leftAlone(skipped),
    saving: (saved, of) => `Guardando: ${number(saved)} de ${number(of)}`,
    cancel: 'Cancelar',
    close: 'Listo',
    saveDone(saved, held, left) {
      const parts = [counted(saved, { one: 'Se enviará # cambio', other: 'Se enviarán # cambios' })];
      if (held > 0)
        parts.push(
          counted(held, {
            one: '# retenido: lo cambió otra persona o usted no puede cambiarlo',
            other: '# retenidos: los cambió otra persona o usted no puede cambiarlos',
          }),
        );
      if (left > 0) parts.push(counted(left, { one: '# sin guardar', other: '# sin guardar' }));
      return `${parts.join('; ')}.`;
    },
    failed: (count) => counted(count, { one: '# cambio no fue aceptado', other: '# cambios no fueron aceptados' }),
    retryFailed: (count) => `Enviar de nuevo (${number(count)})`,
    drafts: (count, age) =>
      counted(count, { one: '# cambio que no guardó', other: '# cambios que no guardó' }) + `, ${age}.`,
    draftsRefused: 'Este navegador no los conserva: guarde antes de salir de la página.',
    takeDrafts: 'Recuperar',
    draftsElsewhere: (count) =>
      counted(count, {
        one: '# cambio es de una oferta que no está en esta lista; se conserva para la lista que la contiene.',
        other: '# cambios son de ofertas que no están en esta lista; se conservan para la lista que las contiene.',
      }),
    dropDrafts: 'Descartar',
    bulkTitle: (count, available) =>
      counted(
        count,
        available
          ? { one: '¿Abrir # oferta?', other: '¿Abrir # ofertas?' }
          : { one: '¿Cerrar # oferta?', other: '¿Cerrar # ofertas?' },
      ),
    bulkSame: (count, available) =>
      counted(count, { one: `# ya está ${word(available)}.`, other: `# ya están ${words(available)}.` }),
    fromTo: (from, to) => `«${from}» pasa a «${to}»`,
    bulkLocked: (count) => `${counted(count, ITEMS)} que no puede cambiar.`,
    bulkNothing: 'Nada cambiaría.',
    bulkSet: (count, available) => `${available ? 'Abrir' : 'Cerrar'} ${number(count)}`,
    bulkDone: (count, available) =>
      counted(
        count,
        available
          ? { one: '# oferta abierta.', other: '# ofertas abiertas.' }
          : { one: '# oferta cerrada.', other: '# ofertas cerradas.' },
      ),
    closeAll: 'Cerrar todo',
    closeAllText: 'Todo lo que está disponible ahora. Más tarde podrá abrir exactamente eso de nuevo.',
    reopen: (count) => counted(count, { one: 'Reabrir esta', other: 'Reabrir estas #' }),
    reopenText: 'Lo que estaba disponible antes de cerrarlo todo, y nada más.',
    closeGroupText: (group) =>
      `Todo lo que está disponible ahora en \u2068${group}\u2069. Más tarde podrá abrir exactamente eso de nuevo.`,
    reopenGroupText: (group) => `Lo que estaba disponible en \u2068${group}\u2069 antes de cerrarlo, y nada más.`,
    turnSkipped: (count) =>
      `${counted(count, ITEMS)} sin tocar, por un cambio posterior de otra persona o porque usted no puede cambiarlo.`,
    closed: (count, age) =>
      counted(count, { one: '# oferta cerrada', other: '# ofertas cerradas juntas' }) + `, ${age}.`,
    closedRefused: 'Este navegador no las conserva: ábralas de nuevo antes de salir de la página.',
    keepClosed: 'Dejar cerrado',
    details: 'Detalles',
    id: 'Identificador',
    note: 'Nota',
    value: 'Disponibilidad',
    portalNow: `Ahora ${on}`,
    lastChange: 'Último cambio',
    lastChanges: 'Últimos cambios',
    by: (name) => `por \u2068${name}\u2069`,
    conflictsText: 'Dos personas eligieron valores distintos. ¿Cuál vale?',
    keepAllMine: 'Usar su elección para todas',
    takeAllTheirs: 'Dejar todas como están ahora',
    queueTitle: `Aún sin publicar ${on}`,
    queueEmpty: `Todo está al día ${on}.`,
    notDiscarded: 'No se descartó: quizá ya se envió, o ahora no hay conexión.',
    conflictsTitle: 'Elegir cuál vale',
    retryAll: 'Enviar todo de nuevo',
    more: (count) => `y ${number(count)} más`,
    keyList: [
      ['↑ ↓', 'Fila anterior, siguiente'],
      ['← →', 'Columna anterior, siguiente'],
      ['Home, End', 'Primera, última columna; con Ctrl, primera, última fila'],
      ['Page Up, Page Down', 'Una pantalla arriba, abajo'],
      ['Space', 'Mover el interruptor o activar lo enfocado'],
      ['Enter', 'Detalles'],
      ['Shift ↑ ↓', 'Seleccionar filas'],
      ['Ctrl A', 'Seleccionar todas las que coinciden'],
      ['Escape', 'Quitar la selección'],
      ['Ctrl Z, Ctrl Y', 'Deshacer, rehacer'],
      ['Ctrl S', 'Guardar'],
      ['/', 'Buscar'],
      ['?', 'Esta lista'],
    ],
    signOutUnsent: (count) =>
      counted(count, {
        one: '# cambio no ha salido de este dispositivo.',
        other: '# cambios no han salido de este dispositivo.',
      }),
    signOutSave: 'Guardar y cerrar sesión',
    signOutSend: 'Enviar y cerrar sesión',
    signOutDelete: 'Borrar y cerrar sesión',
    signOutStay: 'Mantener la sesión',
    signOutSends: 'Primero se envía todo. Si no se puede, no se pierde nada y la sesión sigue abierta.',
    signOutDeletes: 'Estos cambios se pierden para siempre. Los clientes siguen viendo lo que ven ahora.',
    signOutRefused: 'Estos no se pueden enviar así: decida antes sobre ellos.',
    portalIsBack: `${subject} vuelve a aceptar cambios.`,
  };
}
