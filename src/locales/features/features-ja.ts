import type { FeatureDictionary } from './feature-dictionary.js';

export const featuresJa: FeatureDictionary = {
  endOfDay: '今日の終わり',
  tomorrowMorning: '明日の朝 9:00',
  dateAndTime: '日時を指定',
  untilISay: '自分で変更するまで',
  everyWeek: '毎週、終日',
  whileBusy: 'カレンダーに予定がある間',
  calendarAddress: 'カレンダーのアドレス (iCal)',
  calendarHint:
    'ほかの予約サイトやカレンダーアプリでは「カレンダーをエクスポート」や「iCal リンク」と呼ばれています。15 分ごとに読み込みます。',
  calendar: (host) => `${host} のカレンダー`,
  calendarFree: '予定はありません',
  calendarFailed: (time) => `${time} から読み込めません。前に読み込んだ予定が有効です。`,
  feedProblem: {
    not_public: 'このアドレスは公開されたインターネット上にありません。',
    unreachable: 'このアドレスから応答がありません。確認するか、後でもう一度お試しください。',
    rejected: 'このアドレスは拒否されました。もう一度コピーしてください。',
    too_large: 'このカレンダーは大きすぎます。',
    unreadable: 'このアドレスに読み込めるカレンダーがありません。',
  },
  setByHand: (time) => `手動で変更済み：${time} までこのまま`,
  scheduled: '設定しました。',
  notScheduled(problem) {
    switch (problem) {
      case 'permission_missing':
      case 'item_unknown':
        return '設定できません。権限がありません。アカウントの管理者に確認してください。';
      case 'invalid_body':
        return '設定できません。これから先の日時を選んでください。';
      case 'too_many_feeds':
        return '設定できません。カレンダーが多すぎます。先に一つ削除してください。';
      default:
        return '確認できません。現在接続がありません。もう一度お試しください。二重に設定されることはありません。';
    }
  },
  partlyScheduled: (set, all) => `${all}件中${set}件を設定しました。残りはもう一度お試しください。`,
  removeSchedule: '削除',
  closesAt: (time) => `${time} に休止`,
  historyEmpty: 'まだ変更はありません。',
  historyFailed(problem) {
    switch (problem) {
      case 'unreachable':
        return '接続がないため、今は履歴を読み込めません。';
      case 'permission_missing':
        return '履歴を見る権限がありません。アカウントの管理者にお問い合わせください。';
      default:
        return '今は履歴を読み込めません。';
    }
  },
  showMore: 'さらに表示',
  outcome: {
    received: '送信中',
    delivered: 'ポータルに反映済み',
    refused: '受け付けられませんでした',
    conflict: '選択が異なります',
    superseded: '後の変更に置き換え',
    discarded: '破棄',
  },
  person: '担当者',
  day: '日付',
  item: '項目',
  itemsOfAct: '項目',
  closedCount: (n) => `受付停止: ${n}件`,
  openedCount: (n) => `受付再開: ${n}件`,
  leftAsTheyAre: '変更しない項目',
  changedSince: 'その後変更されました',
  changedSinceBy: (n) => `その後${n}が変更しました`,
  noEarlierValue: '以前の値がありません',
  notListed: 'この一覧にありません',
  colleague: 'チームの誰か',
  bySchedule: (name) => `${name}の予定`,
  listsTitle: 'インポートとエクスポート',
  importHint:
    '1 行に 1 項目。ID だけ、または ID と「はい」か「いいえ」を入力します。変更の前に、変わる内容を確認できます。',
  paste: 'ID を入力するか、表計算ソフトの行を貼り付けてください',
  file: 'または CSV ファイルを選択',
  fileUnreadable: 'このファイルは読み取れません。',
  checking: '確認中…',
  otherwise: '「はい」も「いいえ」もない行の項目',
  otherwiseNothing: '追加だけする',
  otherwiseAvailable: '利用可にする',
  otherwiseUnavailable: '利用不可にする',
  verdict: { new: '新規', changed: '変更', same: '同じ', refused: '拒否' },
  fault: {
    id: 'ID は 1 ～ 200 文字で、制御文字は使えません。',
    value: '「はい」でも「いいえ」でもありません。',
    repeated: '前の行に同じ ID があります。',
    locked: 'この項目は変更できません。',
    malformed: '引用符が足りません。',
  },
  line: (line) => `${line} 行目`,
  lineColumn: (line, column) => `${line} 行目、${column} 列目`,
  saveVerdicts: 'この確認結果をファイルに保存',
  import: 'インポート',
  imported: 'インポートしました。',
  export: 'エクスポート',
  exportAll: 'すべての項目',
  exportListed: '表示中の項目',
  fileName: 'inventory',
  yes: ['はい', '有', '可', '○'],
  no: ['いいえ', '無', '不可', '×'],
  heads: { id: [], available: [] },
};
