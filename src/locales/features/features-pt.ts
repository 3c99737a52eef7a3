import type { FeatureDictionary } from './feature-dictionary.js';

export const featuresPt: FeatureDictionary = {
  endOfDay: 'O fim de hoje',
  tomorrowMorning: 'Amanhã de manhã, 9:00',
  dateAndTime: 'Uma data e hora',
  untilISay: 'Eu mudar',
  everyWeek: 'Toda semana, o dia todo',
  scheduled: 'Definido.',
  notScheduled(problem) {
    switch (problem) {
      case 'permission_missing':
      case 'item_unknown':
        return 'Não definido: você não pode fazer isso. Pergunte a quem gerencia sua conta.';
      case 'invalid_body':
        return 'Não definido: escolha um momento futuro.';
      default:
        return 'Não definido: o serviço não pode ser alcançado agora. Nada mudou; tente de novo.';
    }
  },
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
