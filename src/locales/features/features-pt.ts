import type { FeatureDictionary } from './feature-dictionary.js';

export const featuresPt: FeatureDictionary = {
  endOfDay: 'O fim de hoje',
  tomorrowMorning: 'Amanhã de manhã, 9:00',
  dateAndTime: 'Uma data e hora',
  untilISay: 'Eu mudar',
  everyWeek: 'Toda semana, o dia todo',
  whileBusy: 'Sempre que um calendário estiver ocupado',
  calendarAddress: 'Endereço do calendário (iCal)',
  calendarHint:
    'Outros sites de reservas e aplicativos o chamam de “Exportar calendário” ou “link iCal”. É lido a cada 15 minutos.',
  calendar: (host) => `Calendário de ${host}`,
  calendarFree: 'nenhum horário ocupado',
  calendarFailed: (time) => `Não pode ser lido desde ${time}. Valem os horários lidos antes.`,
  feedProblem: {
    not_public: 'Este endereço não está na internet pública.',
    unreachable: 'Nada responde neste endereço. Verifique-o ou tente mais tarde.',
    rejected: 'Este endereço é recusado. Copie-o de novo.',
    too_large: 'Este calendário é grande demais.',
    unreadable: 'Neste endereço não há um calendário que possa ser lido.',
  },
  setByHand: (time) => `alterado à mão: fica assim até ${time}`,
  scheduled: 'Definido.',
  notScheduled(problem) {
    switch (problem) {
      case 'permission_missing':
      case 'item_unknown':
        return 'Não definido: você não pode fazer isso. Pergunte a quem gerencia sua conta.';
      case 'invalid_body':
        return 'Não definido: escolha um momento futuro.';
      case 'too_many_feeds':
        return 'Não definido: há calendários demais. Remova um primeiro.';
      default:
        return 'Não confirmado: não há conexão agora. Tente de novo; nada é definido duas vezes.';
    }
  },
  partlyScheduled: (set, all) => `Definido: ${set} de ${all}. Tente de novo para os restantes.`,
  removeSchedule: 'Remover',
  closesAt: (time) => `fecha ${time}`,
  historyEmpty: 'Ainda sem alterações.',
  historyFailed(problem) {
    switch (problem) {
      case 'unreachable':
        return 'Sem ligação: o histórico não pode ser lido agora.';
      case 'permission_missing':
        return 'Não pode ver o histórico. Pergunte a quem gere a sua conta.';
      default:
        return 'O histórico não pode ser lido agora.';
    }
  },
  showMore: 'Mostrar mais',
  outcome: {
    received: 'A caminho',
    delivered: 'No portal',
    refused: 'Não aceite',
    conflict: 'Escolhas diferentes',
    superseded: 'Substituída por uma alteração posterior',
    discarded: 'Descartada',
  },
  person: 'Pessoa',
  day: 'Dia',
  item: 'Oferta',
  itemsOfAct: 'Ofertas',
  closedCount: (n) => `Fechadas: ${n}`,
  openedCount: (n) => `Abertas: ${n}`,
  leftAsTheyAre: 'Ficam como estão',
  changedSince: 'alterada depois',
  changedSinceBy: (n) => `alterada depois por ${n}`,
  noEarlierValue: 'sem valor anterior',
  notListed: 'não está nesta lista',
  colleague: 'Alguém da equipa',
  bySchedule: (name) => `programação de ${name}`,
  listsTitle: 'Importar e exportar',
  importHint:
    'Uma oferta em cada linha: o identificador, ou o identificador e sim ou não. Você vê o que mudaria antes que algo mude.',
  paste: 'Digite identificadores ou cole linhas de uma planilha',
  file: 'Ou escolha um arquivo CSV',
  fileUnreadable: 'Não é possível ler este arquivo.',
  checking: 'Verificando…',
  otherwise: 'Uma oferta cuja linha não tem sim nem não',
  otherwiseNothing: 'é apenas adicionada',
  otherwiseAvailable: 'fica disponível',
  otherwiseUnavailable: 'fica indisponível',
  verdict: { new: 'Novas', changed: 'Alteradas', same: 'Iguais', refused: 'Recusadas' },
  fault: {
    id: 'Um identificador tem de 1 a 200 caracteres, nenhum de controle.',
    value: 'Isto não é sim nem não.',
    repeated: 'Uma linha anterior tem o mesmo identificador.',
    locked: 'Você não pode alterar esta oferta.',
    malformed: 'Falta uma aspa.',
  },
  line: (line) => `Linha ${line}`,
  lineColumn: (line, column) => `Linha ${line}, coluna ${column}`,
  saveVerdicts: 'Salvar esta verificação em um arquivo',
  import: 'Importar',
  imported: 'Importado.',
  export: 'Exportar',
  exportAll: 'Todas as ofertas',
  exportListed: 'Ofertas da lista',
  fileName: 'ofertas',
  yes: ['sim', 's', 'verdadeiro'],
  no: ['não', 'nao', 'falso'],
  heads: { id: [], available: ['disponível'] },
};
