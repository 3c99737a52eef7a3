import type { Counter, Forms } from './counter.js';
import type { Dictionary, EditorDictionary } from './dictionary.js';

const ITEMS: Forms = { one: '# oferta', other: '# ofertas' };
const CHANGES: Forms = { one: '# cambio', other: '# cambios' };

export function dictionary({ number, counted }: Counter): Dictionary {
  return {
    available: 'Disponible',
    notAvailable: 'No disponible',
    required: 'Active esta opción para continuar.',
    notSetYet: 'Aún sin definir',
    asGiven: 'Según indica esta página',
    truth: {
      'on-device': 'En este dispositivo',
      received: 'Recibido',
      'on-portal': 'En el portal',
      'needs-attention': 'Requiere su atención',
    },
    waitingForNetwork: 'esperando conexión; mantenga abierta esta página',
    notSentYet: 'aún no se puede enviar; mantenga abierta esta página',
    waitingForSignIn: 'esperando a que vuelva a iniciar sesión',
    unsaved: 'No guardado en este dispositivo: mantenga abierta esta página hasta que se reciba',
    tryAgain: 'Reintentar',
    justNow: 'ahora mismo',
    since: (ago, by) => (by === undefined ? `, ${ago}` : `, ${ago}, por \u2068${by}\u2069`),
    before: 'Antes',
    you: 'Usted',
    now: 'Ahora',
    changedBy: (by, name, value) => `\u2068${by}\u2069 cambió \u2068${name}\u2069 a «${value}».`,
    changedByOthers: (count) => `Otras personas cambiaron ${counted(count, ITEMS)}.`,
    keepMine: (value) => `Cambiar a «${value}»`,
    takeTheirs: (value) => `Dejar «${value}»`,
    notDecided:
      'No se hizo: ahora no se puede consultar el servicio de disponibilidad. Nada ha cambiado; elija de nuevo.',
    confirmQuestion: (name) => `¿Marcar «\u2068${name}\u2069» como no disponible?`,
    confirmYes: 'Marcar como no disponible',
    confirmNo: 'Dejar disponible',
    delayed(reason) {
      switch (reason) {
        case 'portal_unreachable':
          return 'no se puede acceder al portal; seguimos intentándolo';
        case 'portal_busy':
          return 'el portal está ocupado; seguimos intentándolo';
        case 'portal_error':
          return 'el portal tiene una avería; seguimos intentándolo';
        case 'portal_credentials':
        case 'portal_refuses':
        case 'portal_unreadable':
          return 'el portal no acepta nuestra conexión; el operador debe revisarlo';
        case 'portal_confirms':
          return 'enviado, la confirmación llegará después';
        default:
          return 'en camino al portal';
      }
    },
    attention(reason) {
      switch (reason) {
        case 'item_refused':
          return 'El portal rechazó este cambio. Compruebe que la oferta sigue existiendo allí y vuelva a intentarlo.';
        case 'item_unknown':
          return 'No puede cambiar esta oferta. Consulte a quien administra su cuenta.';
        case 'conflict':
          return 'Otra persona cambió esta oferta antes de que llegara su cambio. ¿Cuál debe valer?';
        case 'unclaimed':
          return 'Cambiado en este dispositivo antes de que alguien iniciara sesión. ¿Debe valer?';
        case 'permission_missing':
          return 'Puede ver esta oferta, pero no cambiarla. Consulte a quien administra su cuenta.';
        default:
          return 'Este cambio no fue aceptado. Vuelva a intentarlo; si no funciona, pida ayuda.';
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
          return 'Esta página no puede usar el servicio de disponibilidad. Su operador debe permitir esta dirección.';
        case 'session_unreachable':
        case 'session_unverifiable':
          return 'Ahora no se puede comprobar su sesión. Los cambios quedan en este dispositivo; seguimos intentándolo.';
        case 'budget_spent':
          return 'Han sido muchos cambios a la vez. El resto queda en este dispositivo y saldrá en un momento.';
        case 'overloaded':
        case 'storage_unavailable':
          return 'El servicio de disponibilidad no puede guardar cambios ahora. Quedan en este dispositivo; seguimos intentándolo.';
        case 'not_deleted':
          return 'No se pudieron borrar sus cambios de este dispositivo, así que su sesión sigue abierta. Se enviarán cuando lo reintente o cierre la sesión.';
        case 'permission_missing':
          return 'No puede ver estas ofertas. Consulte a quien administra su cuenta.';
        default:
          return 'No se puede acceder al servicio de disponibilidad. Los cambios quedan en este dispositivo; seguimos intentándolo.';
      }
    },
    signedOut: 'Su sesión está cerrada. Inicie sesión de nuevo en esta página; sus cambios quedan en este dispositivo.',
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
    empty: 'Aún no hay ofertas. Aparecerán aquí cuando esta página o el servicio de disponibilidad las indiquen.',
    openCount: (count) =>
      counted(count, {
        one: '# cambio aún no está en el portal',
        other: '# cambios aún no están en el portal',
      }),
    nothingOpen: 'Nada pendiente',
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
    readOnly: 'Puede ver, pero no cambiar.',
  };
}

export function editorDictionary({ number, counted }: Counter): EditorDictionary {
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
    search: 'Buscar por nombre o identificador',
    filters: 'Mostrar',
    filter: {
      all: 'Todo',
      available: 'Disponible',
      unavailable: 'No disponible',
      unknown: 'Sin definir',
      changed: 'Cambiado',
      waiting: 'Pendiente',
      attention: 'Requiere su atención',
      conflict: 'En conflicto',
    },
    sort: 'Ordenar por',
    sorted: {
      given: 'Orden original',
      label: 'Nombre',
      id: 'Identificador',
      state: 'Estado',
      'changed-at': 'Último cambio',
    },
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
    queue: (count) => counted(count, { one: '# pendiente', other: '# pendientes' }),
    conflicts: (count) => counted(count, { one: '# conflicto', other: '# conflictos' }),
    selected: (count) => counted(count, { one: '# seleccionada', other: '# seleccionadas' }),
    selectAll: 'Seleccionar todas las que coinciden',
    selectMatching: (count) => `Seleccionar todas (${number(count)})`,
    clearSelection: 'Quitar la selección',
    setAvailable: 'Marcar como disponible',
    setUnavailable: 'Marcar como no disponible',
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
    close: 'Cerrar',
    saveDone(saved, held, left) {
      const parts = [counted(saved, { one: 'Se enviará # cambio', other: 'Se enviarán # cambios' })];
      if (held > 0) parts.push(counted(held, { one: '# retenido', other: '# retenidos' }));
      if (left > 0) parts.push(counted(left, { one: '# sin intentar', other: '# sin intentar' }));
      return `${parts.join('; ')}.`;
    },
    failed: (count) => counted(count, { one: '# cambio no fue aceptado', other: '# cambios no fueron aceptados' }),
    retryFailed: (count) => `Reintentar los fallidos (${number(count)})`,
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
      counted(count, {
        one: `¿Marcar # oferta como ${word(available)}?`,
        other: `¿Marcar # ofertas como ${words(available)}?`,
      }),
    bulkSame: (count, available) =>
      counted(count, { one: `# ya está ${word(available)}.`, other: `# ya están ${words(available)}.` }),
    bulkLocked: (count) => `${counted(count, ITEMS)} que no puede cambiar.`,
    bulkNothing: 'Nada cambiaría.',
    bulkSet: (count, available) => `Marcar como ${word(available)} (${number(count)})`,
    bulkDone: (count, available) =>
      counted(count, {
        one: `# oferta marcada como ${word(available)}.`,
        other: `# ofertas marcadas como ${words(available)}.`,
      }),
    closeAll: 'Cerrar todo',
    closeAllText: 'Todo lo que está disponible ahora. Más tarde podrá abrir exactamente eso de nuevo.',
    reopen: 'Abrir de nuevo',
    reopenText: 'Lo que estaba disponible antes de cerrarlo todo, y nada más.',
    turnSkipped: (count) =>
      `${counted(count, ITEMS)} sin tocar, por un cambio posterior de otra persona o porque usted no puede cambiarlo.`,
    closed: (count, age) =>
      counted(count, { one: '# oferta cerrada', other: '# ofertas cerradas juntas' }) + `, ${age}.`,
    closedRefused: 'Este navegador no las conserva: ábralas de nuevo antes de salir de la página.',
    keepClosed: 'Dejar cerrado',
    details: 'Detalles',
    id: 'Identificador',
    note: 'Nota',
    value: 'Valor',
    lastChange: 'Último cambio',
    by: (name) => `por \u2068${name}\u2069`,
    conflictsText: 'Hay dos valores enfrentados. Elija cuál vale.',
    base: 'Antes',
    mine: 'Usted',
    theirs: 'Ahora',
    keepMine: 'Conservar el mío',
    takeTheirs: 'Tomar el otro',
    keepAllMine: 'Conservar todos los míos',
    takeAllTheirs: 'Tomar todos los otros',
    queueTitle: 'Lo que aún no está en el portal',
    queueEmpty: 'Nada pendiente.',
    notDiscarded:
      'No se descartó: quizá ya salió de este dispositivo, o ahora no se puede consultar el servicio de disponibilidad.',
    conflictsTitle: 'Cambios en conflicto',
    retry: 'Reintentar',
    retryAll: 'Reintentar todo',
    more: (count) => `y ${number(count)} más`,
    keyList: [
      ['↑ ↓', 'Fila anterior, siguiente'],
      ['← →', 'Columna anterior, siguiente'],
      ['Home, End', 'Primera, última columna; con Ctrl, primera, última fila'],
      ['Page Up, Page Down', 'Una pantalla arriba, abajo'],
      ['Space', 'Mover el interruptor o activar lo enfocado'],
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
    signOutSend: 'Intentar enviar de nuevo',
    signOutDelete: 'Borrar y cerrar sesión',
    signOutStay: 'Mantener la sesión',
    portalIsBack: 'El portal vuelve a aceptar cambios.',
  };
}
