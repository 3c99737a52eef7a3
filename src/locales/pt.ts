import type { Counter, Forms } from './counter.js';
import type { Dictionary, EditorDictionary } from './dictionary.js';

const ITEMS: Forms = { one: '# oferta', other: '# ofertas' };
const CHANGES: Forms = { one: '# alteração', other: '# alterações' };

export function dictionary({ number, counted }: Counter): Dictionary {
  return {
    available: 'Disponível',
    notAvailable: 'Indisponível',
    required: 'Ative esta opção para continuar.',
    notSetYet: 'Ainda não definido',
    asGiven: 'Como indicado por esta página',
    truth: {
      'on-device': 'Neste dispositivo',
      received: 'Recebido',
      'on-portal': 'No portal',
      'needs-attention': 'Precisa da sua atenção',
    },
    waitingForNetwork: 'à espera de conexão; mantenha esta página aberta',
    notSentYet: 'ainda não pode ser enviada; mantenha esta página aberta',
    waitingForSignIn: 'à espera de que entre novamente',
    unsaved: 'Não guardado neste dispositivo: mantenha esta página aberta até ser recebido',
    tryAgain: 'Tentar novamente',
    justNow: 'agora mesmo',
    since: (ago, by) => (by === undefined ? `, ${ago}` : `, ${ago}, por \u2068${by}\u2069`),
    before: 'Antes',
    you: 'Você',
    now: 'Agora',
    changedBy: (by, name, value) => `\u2068${by}\u2069 mudou \u2068${name}\u2069 para “${value}”.`,
    changedByOthers: (count) => `Outras pessoas alteraram ${counted(count, ITEMS)}.`,
    keepMine: (value) => `Mudar para “${value}”`,
    takeTheirs: (value) => `Deixar “${value}”`,
    notDecided:
      'Não realizado: não é possível consultar o serviço de disponibilidade agora. Nada mudou; escolha novamente.',
    confirmQuestion: (name) => `Tornar “\u2068${name}\u2069” indisponível?`,
    confirmYes: 'Tornar indisponível',
    confirmNo: 'Manter disponível',
    delayed(reason) {
      switch (reason) {
        case 'portal_unreachable':
          return 'não é possível acessar o portal; continuamos tentando';
        case 'portal_busy':
          return 'o portal está ocupado; continuamos tentando';
        case 'portal_error':
          return 'o portal tem uma falha; continuamos tentando';
        case 'portal_credentials':
        case 'portal_refuses':
        case 'portal_unreadable':
          return 'o portal não aceita a nossa conexão; o operador precisa verificar';
        case 'portal_confirms':
          return 'enviado, a confirmação virá depois';
        default:
          return 'a caminho do portal';
      }
    },
    attention(reason) {
      switch (reason) {
        case 'item_refused':
          return 'O portal recusou esta alteração. Verifique se a oferta ainda existe lá e tente novamente.';
        case 'item_unknown':
          return 'Você não pode alterar esta oferta. Fale com quem administra a sua conta.';
        case 'conflict':
          return 'Outra pessoa alterou esta oferta antes de a sua alteração chegar. Qual deve valer?';
        case 'unclaimed':
          return 'Alterado neste dispositivo antes de alguém entrar. Deve valer?';
        case 'permission_missing':
          return 'Você pode ver esta oferta, mas não alterá-la. Fale com quem administra a sua conta.';
        default:
          return 'Esta alteração não foi aceita. Tente novamente; se não resolver, peça suporte.';
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
          return 'Esta página não pode usar o serviço de disponibilidade. O operador precisa permitir este endereço.';
        case 'session_unreachable':
        case 'session_unverifiable':
          return 'Não é possível verificar a sua sessão agora. As alterações ficam neste dispositivo; continuamos tentando.';
        case 'budget_spent':
          return 'Foram muitas alterações de uma vez. O resto fica neste dispositivo e será enviado em instantes.';
        case 'overloaded':
        case 'storage_unavailable':
          return 'O serviço de disponibilidade não pode guardar alterações agora. Elas ficam neste dispositivo; continuamos tentando.';
        case 'not_deleted':
          return 'Não foi possível apagar as suas alterações deste dispositivo, por isso a sua sessão continua aberta. Elas serão enviadas quando tentar novamente ou sair.';
        case 'permission_missing':
          return 'Você não pode ver estas ofertas. Fale com quem administra a sua conta.';
        default:
          return 'Não é possível acessar o serviço de disponibilidade. As alterações ficam neste dispositivo; continuamos tentando.';
      }
    },
    signedOut: 'A sua sessão terminou. Entre novamente nesta página; as suas alterações ficam neste dispositivo.',
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
    empty: 'Ainda não há ofertas. Elas aparecem aqui assim que esta página ou o serviço de disponibilidade as indicar.',
    openCount: (count) =>
      counted(count, {
        one: '# alteração ainda não está no portal',
        other: '# alterações ainda não estão no portal',
      }),
    nothingOpen: 'Nada pendente',
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
    readOnly: 'Você pode ver, mas não alterar.',
  };
}

export function editorDictionary({ number, counted }: Counter): EditorDictionary {
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
    search: 'Procurar por nome ou identificador',
    filters: 'Mostrar',
    filter: {
      all: 'Tudo',
      available: 'Disponível',
      unavailable: 'Indisponível',
      unknown: 'Não definido',
      changed: 'Alterado',
      waiting: 'Pendente',
      attention: 'Precisa da sua atenção',
      conflict: 'Em conflito',
    },
    sort: 'Ordenar por',
    sorted: {
      given: 'Ordem original',
      label: 'Nome',
      id: 'Identificador',
      state: 'Estado',
      'changed-at': 'Última alteração',
    },
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
    queue: (count) => counted(count, { one: '# pendente', other: '# pendentes' }),
    conflicts: (count) => counted(count, { one: '# conflito', other: '# conflitos' }),
    selected: (count) => counted(count, { one: '# selecionada', other: '# selecionadas' }),
    selectAll: 'Selecionar todos os resultados',
    selectMatching: (count) => `Selecionar tudo (${number(count)})`,
    clearSelection: 'Limpar seleção',
    setAvailable: 'Tornar disponível',
    setUnavailable: 'Tornar indisponível',
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
    close: 'Fechar',
    saveDone(saved, held, left) {
      const parts = [counted(saved, { one: '# alteração será enviada', other: '# alterações serão enviadas' })];
      if (held > 0) parts.push(counted(held, { one: '# retida', other: '# retidas' }));
      if (left > 0) parts.push(counted(left, { one: '# não tentada', other: '# não tentadas' }));
      return `${parts.join('; ')}.`;
    },
    failed: (count) => counted(count, { one: '# alteração não foi aceita', other: '# alterações não foram aceitas' }),
    retryFailed: (count) => `Tentar novamente as que falharam (${number(count)})`,
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
      counted(count, {
        one: `Tornar # oferta ${word(available)}?`,
        other: `Tornar # ofertas ${words(available)}?`,
      }),
    bulkSame: (count, available) =>
      counted(count, { one: `# já está ${word(available)}.`, other: `# já estão ${words(available)}.` }),
    bulkLocked: (count) => `${counted(count, ITEMS)} que você não pode alterar.`,
    bulkNothing: 'Nada mudaria.',
    bulkSet: (count, available) => `Tornar ${word(available)} (${number(count)})`,
    bulkDone: (count, available) =>
      counted(count, {
        one: `# oferta agora ${word(available)}.`,
        other: `# ofertas agora ${words(available)}.`,
      }),
    closeAll: 'Fechar tudo',
    closeAllText: 'Tudo o que está disponível agora. Mais tarde, você pode reabrir exatamente isso.',
    reopen: 'Reabrir',
    reopenText: 'O que estava disponível antes de fechar tudo, e nada mais.',
    turnSkipped: (count) =>
      `${counted(count, ITEMS)} sem mudança, por alteração posterior de outra pessoa ou porque você não pode alterar.`,
    closed: (count, age) =>
      counted(count, { one: '# oferta fechada', other: '# ofertas fechadas juntas' }) + `, ${age}.`,
    closedRefused: 'Este navegador não as conserva: reabra-as antes de sair da página.',
    keepClosed: 'Manter fechado',
    details: 'Detalhes',
    id: 'Identificador',
    note: 'Nota',
    value: 'Valor',
    lastChange: 'Última alteração',
    by: (name) => `por \u2068${name}\u2069`,
    conflictsText: 'Há dois valores em conflito. Escolha qual vale.',
    base: 'Antes',
    mine: 'Você',
    theirs: 'Agora',
    keepMine: 'Manter o meu',
    takeTheirs: 'Usar o outro',
    keepAllMine: 'Manter todos os meus',
    takeAllTheirs: 'Usar todos os outros',
    queueTitle: 'O que ainda não está no portal',
    queueEmpty: 'Nada pendente.',
    notDiscarded:
      'Não descartado: talvez já tenha saído deste dispositivo, ou não é possível consultar o serviço de disponibilidade agora.',
    conflictsTitle: 'Alterações em conflito',
    retry: 'Tentar novamente',
    retryAll: 'Tentar tudo novamente',
    more: (count) => `e mais ${number(count)}`,
    keyList: [
      ['↑ ↓', 'Linha anterior, seguinte'],
      ['← →', 'Coluna anterior, seguinte'],
      ['Home, End', 'Primeira, última coluna; com Ctrl, primeira, última linha'],
      ['Page Up, Page Down', 'Uma tela acima, abaixo'],
      ['Space', 'Mover o interruptor ou ativar o que tem o foco'],
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
    signOutSend: 'Tentar enviar novamente',
    signOutDelete: 'Apagar e sair',
    signOutStay: 'Continuar com a sessão',
    portalIsBack: 'O portal voltou a aceitar alterações.',
  };
}
