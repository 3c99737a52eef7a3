import type { Counter, Forms } from './counter.js';
import type { Dictionary, EditorDictionary } from './dictionary.js';

const ITEMS: Forms = { one: '# oferta', other: '# ofertas' };
const CHANGES: Forms = { one: '# alteração', other: '# alterações' };

export function dictionary({ number, counted }: Counter, portal?: string): Dictionary {
  const [subject, on] = portal === undefined ? ['o portal', 'no portal'] : [portal, `em ${portal}`];
  return {
    available: 'Disponível',
    notAvailable: 'Indisponível',
    required: 'Ative esta opção para continuar.',
    notSetYet: 'Ainda não definido',
    checking: 'Verificando…',
    notKnown: 'Sem conexão',
    guestsSee: (value) => `Os clientes veem agora: “${value}”.`,
    asGiven: 'Do seu site, ainda não confirmado',
    changedOnPortal: `Alterado ${on}`,
    truth: {
      'on-device': 'Guardado aqui, ainda não enviado',
      received: `Enviado, ${subject} confirma em breve`,
      'on-portal': `Publicado ${on}`,
      'needs-attention': 'Não aceito: você decide',
    },
    waitingForNetwork: 'Guardado aqui. Será enviado quando a conexão voltar; mantenha esta página aberta.',
    waitingForSignIn: 'Guardado aqui. Será enviado quando entrar novamente.',
    notSentYet: 'Guardado aqui. Ainda não pode ser enviada; mantenha esta página aberta.',
    unsaved: 'Não guardado neste dispositivo: mantenha esta página aberta até ser enviado.',
    tryAgain: 'Tentar novamente',
    sendAgain: 'Enviar novamente',
    justNow: 'agora mesmo',
    since: (ago, by) => (by === undefined ? `, ${ago}` : `, ${ago}, por \u2068${by}\u2069`),
    before: 'Antes',
    you: 'Você',
    now: 'Agora',
    changedBy: (by, name, value) => `\u2068${by}\u2069 mudou \u2068${name}\u2069 para “${value}”.`,
    changedByOthers: (count) => `Outras pessoas alteraram ${counted(count, ITEMS)}.`,
    keepMine: (value, by = 'você') => `Mudar para “${value}” (\u2068${by}\u2069)`,
    takeTheirs: (value, by) => `Deixar “${value}”${by === undefined ? '' : ` (\u2068${by}\u2069)`}`,
    notDecided: 'Não realizado: não há conexão agora. Nada mudou; escolha novamente.',
    confirmQuestion: (name) => `Tornar “\u2068${name}\u2069” indisponível?`,
    confirmYes: 'Tornar indisponível',
    confirmNo: 'Manter disponível',
    delayed(reason) {
      switch (reason) {
        case 'portal_unreachable':
          return `Enviado, mas não é possível acessar ${subject}. Continuamos tentando.`;
        case 'portal_busy':
          return `Enviado, mas ${subject} está ocupado. Continuamos tentando.`;
        case 'portal_error':
          return `Enviado, mas ${subject} tem uma falha. Continuamos tentando.`;
        case 'portal_credentials':
        case 'portal_refuses':
        case 'portal_unreadable':
          return `Enviado, mas ${subject} não aceita a nossa conexão. O operador precisa verificar; a sua alteração está segura.`;
        case 'portal_confirms':
          return 'Enviado, a confirmação virá depois';
        default:
          return `Enviado, ${subject} confirma em breve`;
      }
    },
    attention(reason, you, other) {
      switch (reason) {
        case 'item_refused':
          return `Não aceito: ${subject} recusou esta alteração. Verifique se a oferta ainda existe lá e envie novamente.`;
        case 'item_unknown':
          return 'Não aceito: você não pode alterar esta oferta. Fale com quem administra a sua conta.';
        case 'conflict':
          return `\u2068${you ?? 'Você'}\u2069 e \u2068${other ?? 'outra pessoa'}\u2069 escolheram valores diferentes. Qual vale?`;
        case 'unclaimed':
          return 'Alterado neste dispositivo antes de alguém entrar. Deve valer?';
        case 'permission_missing':
          return 'Não aceito: você pode ver esta oferta, mas não alterá-la. Fale com quem administra a sua conta.';
        default:
          return 'Não aceito. Envie novamente; se não resolver, peça suporte.';
      }
    },
    connection(problem) {
      switch (problem) {
        case 'token_refused':
        case 'session_missing':
        case 'session_unreadable':
        case 'page_blocked':
          return 'Esta página não está configurada corretamente e as alterações ainda não podem ser enviadas. Elas ficam neste dispositivo. Avise quem administra a página.';
        case 'origin_refused':
          return 'Esta página não pode mostrar as suas ofertas. O operador precisa permitir este endereço.';
        case 'session_unreachable':
        case 'session_unverifiable':
          return 'Não é possível verificar a sua sessão agora. As suas alterações estão seguras aqui; continuamos tentando.';
        case 'budget_spent':
          return 'Foram muitas alterações de uma vez. O resto está seguro aqui e será enviado em instantes.';
        case 'overloaded':
        case 'storage_unavailable':
          return 'Não é possível aceitar alterações agora. As suas estão seguras aqui; continuamos tentando.';
        case 'not_deleted':
          return 'Não foi possível apagar as suas alterações deste dispositivo, por isso a sua sessão continua aberta. Elas serão enviadas quando tentar novamente ou sair.';
        case 'permission_missing':
          return 'Você não pode ver estas ofertas. Fale com quem administra a sua conta.';
        default:
          return 'Sem conexão. As suas alterações estão seguras aqui; continuamos tentando.';
      }
    },
    signedOut: 'A sua sessão terminou. Entre novamente nesta página; as suas alterações estão seguras aqui.',
    goodbye: 'A sua sessão terminou. Nada seu fica neste dispositivo.',
    missingPart: 'Esta lista não foi carregada por completo e ainda não pode ser alterada. Verifique a sua conexão.',
    missingProxy: 'Este elemento precisa do endereço do seu proxy: acrescente proxy="https://…".',
    badItem: `Este elemento precisa do identificador da sua oferta: acrescente item="…", de ${number(1)} a ${number(200)} caracteres, sem caracteres de controle.`,
    secretGiven: (attribute) =>
      `Este elemento recebeu ${attribute}="…", que parece um segredo. Uma página não pode guardar nenhum: retire-o e troque-o onde estiver em uso.`,
    requestId: (id) => `Para o suporte: ${id}`,
    triedAgain: (time) => `Nova tentativa às ${time}.`,
    inventory: 'Disponibilidade',
    loading: 'Carregando as ofertas…',
    empty: 'Ainda não há ofertas. Elas aparecem aqui assim que o seu site as indicar.',
    openCount: (count) =>
      counted(count, {
        one: `# alteração ainda não está publicada ${on}`,
        other: `# alterações ainda não estão publicadas ${on}`,
      }),
    nothingOpen: `Tudo está em dia ${on}`,
    nothingWaiting: 'Nenhuma alteração pendente',
    unsavedCount: (count) =>
      counted(count, { one: '# alteração ainda não guardada', other: '# alterações ainda não guardadas' }),
    columns: {
      item: 'Oferta',
      group: 'Grupo',
      availability: 'Disponibilidade',
      status: 'Estado',
      updated: 'Última alteração',
    },
    total: (count) => counted(count, ITEMS),
    leftOut: (count) => `Não exibido porque os dados desta página contêm erros: ${counted(count, ITEMS)}`,
    counting: 'contando…',
    selectEvery: 'Selecionar todas as ofertas da lista',
    selectItem: (name) => `Selecionar \u2068${name}\u2069`,
    readOnly: 'Você pode ver, mas não alterar.',
  };
}

export function editorDictionary({ number, counted }: Counter, portal?: string): EditorDictionary {
  const [subject, on] = portal === undefined ? ['O portal', 'no portal'] : [portal, `em ${portal}`];
  const word = (available: boolean): string => (available ? 'disponível' : 'indisponível');
  const words = (available: boolean): string => (available ? 'disponíveis' : 'indisponíveis');
  const leftAlone = (count: number): string =>
    count === 0
      ? ''
      : `; ${counted(count, ITEMS)} sem mudança: alteração posterior, envio sem valor anterior ou recusa desta página`;
  return {
    number,
    changed: 'Ainda não guardado',
    met: 'Outra pessoa alterou isto entretanto: escolha qual valor vale',
    search: 'Procurar por nome ou nota',
    filters: 'Mostrar',
    filter: {
      all: 'Tudo',
      available: 'Disponível',
      unavailable: 'Indisponível',
      unknown: 'Não definido',
      changed: 'Não guardado',
      waiting: 'A caminho',
      attention: 'Você decide',
      conflict: 'Escolha diferente',
    },
    sort: 'Ordenar por',
    sorted: {
      given: 'Ordem original',
      label: 'Nome',
      id: 'Identificador',
      group: 'Grupo',
      value: 'Disponibilidade',
      state: 'Estado',
      'changed-at': 'Última alteração',
    },
    reversed: (order) => `${order}, invertido`,
    allGroups: 'Todos os grupos',
    noGroup: 'Sem grupo',
    groupCount: (available, all) => `Disponíveis: ${number(available)} de ${number(all)}`,
    found: (count) =>
      count === 0
        ? 'Nenhuma oferta corresponde'
        : counted(count, { one: '# oferta encontrada', other: '# ofertas encontradas' }),
    noMatch: 'Nenhuma oferta corresponde.',
    showAll: 'Mostrar todas as ofertas',
    orderStale: 'Houve mudanças nas ofertas: ordenar novamente',
    keys: 'Teclado',
    lists: 'Importar, exportar',
    notLoaded: 'Não foi possível carregar. Verifique sua conexão e tente de novo.',
    unavailableUntil: 'Indisponível até…',
    back: (time) => `volta ${time}`,
    setByHand: 'Alterado à mão: a programação o deixa assim.',
    queue: (count) => counted(count, { one: '# alteração a caminho', other: '# alterações a caminho' }),
    conflicts: (count) =>
      counted(count, { one: '# oferta com escolhas diferentes', other: '# ofertas com escolhas diferentes' }),
    selected: (count) => counted(count, { one: '# selecionada', other: '# selecionadas' }),
    selectAll: 'Selecionar todos os resultados',
    selectMatching: (count) => `Selecionar tudo (${number(count)})`,
    clearSelection: 'Limpar seleção',
    setAvailable: (count) => counted(count, { one: 'Abrir esta', other: 'Abrir estas #' }),
    setUnavailable: (count) => counted(count, { one: 'Fechar esta', other: 'Fechar estas #' }),
    changes: (count) => counted(count, CHANGES),
    save: 'Guardar',
    discard: 'Descartar',
    discarded: (count) => counted(count, { one: '# alteração descartada.', other: '# alterações descartadas.' }),
    undo: 'Desfazer',
    redo: 'Refazer',
    undone: (changed, skipped) =>
      counted(changed, { one: '# linha desfeita', other: '# linhas desfeitas' }) + leftAlone(skipped),
    redone: (changed, skipped) =>
      counted(changed, { one: '# linha refeita', other: '# linhas refeitas' }) + leftAlone(skipped),
    saving: (saved, of) => `Guardando: ${number(saved)} de ${number(of)}`,
    cancel: 'Cancelar',
    close: 'Concluir',
    saveDone(saved, held, left) {
      const parts = [counted(saved, { one: '# alteração será enviada', other: '# alterações serão enviadas' })];
      if (held > 0)
        parts.push(
          counted(held, {
            one: '# retida: alterada por outra pessoa, ou sem permissão para alterar',
            other: '# retidas: alteradas por outra pessoa, ou sem permissão para alterar',
          }),
        );
      if (left > 0) parts.push(counted(left, { one: '# não guardada', other: '# não guardadas' }));
      return `${parts.join('; ')}.`;
    },
    failed: (count) => counted(count, { one: '# alteração não foi aceita', other: '# alterações não foram aceitas' }),
    retryFailed: (count) => `Enviar novamente (${number(count)})`,
    drafts: (count, age) =>
      counted(count, { one: '# alteração não guardada', other: '# alterações não guardadas' }) + `, ${age}.`,
    draftsRefused: 'Este navegador não as conserva: guarde antes de sair da página.',
    takeDrafts: 'Recuperar',
    draftsElsewhere: (count) =>
      counted(count, {
        one: '# alteração é de uma oferta que não está nesta lista; fica guardada para a lista que a contém.',
        other: '# alterações são de ofertas que não estão nesta lista; ficam guardadas para a lista que as contém.',
      }),
    dropDrafts: 'Descartar',
    bulkTitle: (count, available) =>
      counted(
        count,
        available
          ? { one: 'Abrir # oferta?', other: 'Abrir # ofertas?' }
          : { one: 'Fechar # oferta?', other: 'Fechar # ofertas?' },
      ),
    bulkSame: (count, available) =>
      counted(count, { one: `# já está ${word(available)}.`, other: `# já estão ${words(available)}.` }),
    fromTo: (from, to) => `“${from}” passa a “${to}”`,
    bulkLocked: (count) => `${counted(count, ITEMS)} que você não pode alterar.`,
    bulkNothing: 'Nada mudaria.',
    bulkSet: (count, available) => `${available ? 'Abrir' : 'Fechar'} ${number(count)}`,
    bulkDone: (count, available) =>
      counted(
        count,
        available
          ? { one: '# oferta aberta.', other: '# ofertas abertas.' }
          : { one: '# oferta fechada.', other: '# ofertas fechadas.' },
      ),
    closeAll: 'Fechar tudo',
    closeAllText: 'Tudo o que está disponível agora. Mais tarde, você pode reabrir exatamente isso.',
    reopen: (count) => counted(count, { one: 'Reabrir esta', other: 'Reabrir estas #' }),
    reopenText: 'O que estava disponível antes de fechar tudo, e nada mais.',
    closeGroupText: (group) =>
      `Tudo o que está disponível agora em \u2068${group}\u2069. Mais tarde, você pode reabrir exatamente isso.`,
    reopenGroupText: (group) => `O que estava disponível em \u2068${group}\u2069 antes de fechar, e nada mais.`,
    turnSkipped: (count) =>
      `${counted(count, ITEMS)} sem mudança, por alteração posterior de outra pessoa ou porque você não pode alterar.`,
    closed: (count, age) =>
      counted(count, { one: '# oferta fechada', other: '# ofertas fechadas juntas' }) + `, ${age}.`,
    closedRefused: 'Este navegador não as conserva: reabra-as antes de sair da página.',
    keepClosed: 'Manter fechado',
    details: 'Detalhes',
    id: 'Identificador',
    note: 'Nota',
    value: 'Disponibilidade',
    portalNow: `Agora ${on}`,
    lastChange: 'Última alteração',
    lastChanges: 'Últimas alterações',
    by: (name) => `por \u2068${name}\u2069`,
    conflictsText: 'Duas pessoas escolheram valores diferentes. Qual vale?',
    keepAllMine: 'Usar a sua escolha para todas',
    takeAllTheirs: 'Deixar todas como estão agora',
    queueTitle: `Ainda não publicado ${on}`,
    queueEmpty: `Tudo está em dia ${on}.`,
    notDiscarded: 'Não descartado: talvez já tenha sido enviado, ou não há conexão agora.',
    conflictsTitle: 'Escolher qual vale',
    retryAll: 'Enviar tudo novamente',
    more: (count) => `e mais ${number(count)}`,
    keyList: [
      ['↑ ↓', 'Linha anterior, seguinte'],
      ['← →', 'Coluna anterior, seguinte'],
      ['Home, End', 'Primeira, última coluna; com Ctrl, primeira, última linha'],
      ['Page Up, Page Down', 'Uma tela acima, abaixo'],
      ['Space', 'Mover o interruptor ou ativar o que tem o foco'],
      ['Enter', 'Detalhes'],
      ['Shift ↑ ↓', 'Selecionar linhas'],
      ['Ctrl A', 'Selecionar todos os resultados'],
      ['Escape', 'Limpar seleção'],
      ['Ctrl Z, Ctrl Y', 'Desfazer, refazer'],
      ['Ctrl S', 'Guardar'],
      ['/', 'Procurar'],
      ['?', 'Esta lista'],
    ],
    signOutUnsent: (count) =>
      counted(count, {
        one: '# alteração não saiu deste dispositivo.',
        other: '# alterações não saíram deste dispositivo.',
      }),
    signOutSave: 'Guardar e sair',
    signOutSend: 'Enviar e sair',
    signOutDelete: 'Apagar e sair',
    signOutStay: 'Continuar com a sessão',
    signOutSends: 'Primeiro tudo é enviado. Se não for possível, nada se perde e a sessão continua aberta.',
    signOutDeletes: 'Estas alterações perdem-se para sempre. Os clientes continuam a ver o que veem agora.',
    signOutRefused: 'Estas não podem ser enviadas assim: decida primeiro.',
    portalIsBack: `${subject} voltou a aceitar alterações.`,
  };
}
