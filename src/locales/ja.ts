import type { Counter, Forms } from './counter.js';
import type { Dictionary, EditorDictionary } from './dictionary.js';

/** Japanese has no plural; a counter word follows the number. */
const ITEMS: Forms = { other: '#件' };
const CHANGES: Forms = { other: '変更#件' };

export function dictionary({ number, counted }: Counter, portal?: string): Dictionary {
  const subject = portal ?? 'ポータル';
  return {
    available: '利用可',
    notAvailable: '利用不可',
    required: '続けるにはオンにしてください。',
    notSetYet: '未設定',
    checking: '確認中…',
    notKnown: '接続がありません',
    guestsSee: (value) => `お客様には現在「${value}」と表示されています。`,
    asGiven: 'あなたのサイトの値（未確認）',
    changedOnPortal: `${subject}で変更済み`,
    truth: {
      'on-device': 'ここに保存済み、未送信',
      received: `送信済み、${subject}の確認待ち`,
      'on-portal': `${subject}に公開中`,
      'needs-attention': '受け付けられませんでした。あなたの判断が必要です',
    },
    waitingForNetwork: 'ここに保存しました。接続が戻ると送信します。このページを開いたままにしてください。',
    waitingForSignIn: 'ここに保存しました。再ログインすると送信します。',
    notSentYet: 'ここに保存しました。まだ送信できません。このページを開いたままにしてください。',
    unsaved: 'この端末に保存されていません。送信されるまでこのページを開いたままにしてください。',
    tryAgain: '再試行',
    sendAgain: '再送信',
    justNow: 'たった今',
    since: (ago, by) => (by === undefined ? `、${ago}` : `、${ago}、変更者: \u2068${by}\u2069`),
    before: '変更前',
    you: 'あなた',
    now: '現在',
    changedBy: (by, name, value) => `\u2068${by}\u2069さんが「\u2068${name}\u2069」を「${value}」にしました。`,
    changedByOthers: (count) => `ほかの人が${counted(count, ITEMS)}を変更しました。`,
    keepMine: (value, by = 'あなた') => `「${value}」にする (\u2068${by}\u2069)`,
    takeTheirs: (value, by) => `「${value}」のままにする${by === undefined ? '' : ` (\u2068${by}\u2069)`}`,
    notDecided: '実行できませんでした。現在接続がありません。何も変わっていません。もう一度選んでください。',
    confirmQuestion: (name) => `「\u2068${name}\u2069」を利用不可にしますか？`,
    confirmYes: '利用不可にする',
    confirmNo: '利用可のままにする',
    delayed(reason) {
      switch (reason) {
        case 'portal_unreachable':
          return `送信済みですが、${subject}に接続できません。再試行を続けます。`;
        case 'portal_busy':
          return `送信済みですが、${subject}が混み合っています。再試行を続けます。`;
        case 'portal_error':
          return `送信済みですが、${subject}に障害があります。再試行を続けます。`;
        case 'portal_credentials':
        case 'portal_refuses':
        case 'portal_unreadable':
          return `送信済みですが、${subject}が接続を受け付けません。運用担当者の確認が必要です。変更は安全に保管されています。`;
        case 'portal_confirms':
          return '送信済み、確認を待っています';
        default:
          return `送信済み、${subject}の確認待ち`;
      }
    },
    attention(reason, you, other) {
      switch (reason) {
        case 'item_refused':
          return `受け付けられませんでした。${subject}がこの変更を拒否しました。項目がまだあるか確認してから、再送信してください。`;
        case 'item_unknown':
          return '受け付けられませんでした。この項目は変更できません。アカウントの管理者に問い合わせてください。';
        case 'conflict':
          return `\u2068${you ?? 'あなた'}\u2069と\u2068${other ?? 'ほかの人'}\u2069の選択が異なります。どちらを有効にしますか？`;
        case 'unclaimed':
          return '誰もログインしていないときに、この端末で変更されました。有効にしますか？';
        case 'permission_missing':
          return '受け付けられませんでした。この項目は閲覧できますが、変更できません。アカウントの管理者に問い合わせてください。';
        default:
          return '受け付けられませんでした。再送信し、解決しない場合はサポートに連絡してください。';
      }
    },
    connection(problem) {
      switch (problem) {
        case 'token_refused':
        case 'session_missing':
        case 'session_unreadable':
        case 'page_blocked':
          return 'このページの設定が正しくないため、まだ変更を送信できません。変更はこの端末に残ります。ページの管理者に知らせてください。';
        case 'origin_refused':
          return 'このページはあなたの項目を表示できません。運用担当者がこのアドレスを許可する必要があります。';
        case 'session_unreachable':
        case 'session_unverifiable':
          return '現在ログインを確認できません。変更はここに安全に保存されています。再試行を続けます。';
        case 'budget_spent':
          return '一度に多くの変更がありました。残りはここに安全に保存され、まもなく送信されます。';
        case 'overloaded':
        case 'storage_unavailable':
          return '現在変更を受け付けられません。変更はここに安全に保存されています。再試行を続けます。';
        case 'not_deleted':
          return '変更をこの端末から削除できなかったため、まだログイン中です。再試行するかログアウトすると送信されます。';
        case 'permission_missing':
          return 'この在庫は閲覧できません。アカウントの管理者に問い合わせてください。';
        default:
          return '接続がありません。変更はここに安全に保存されています。再試行を続けます。';
      }
    },
    signedOut: 'ログアウトしています。このページで再度ログインしてください。変更はここに安全に保存されています。',
    goodbye: 'ログアウトしました。この端末にあなたのデータは残っていません。',
    missingPart: '一覧の読み込みが完了していないため、まだ変更できません。接続を確認してください。',
    missingProxy: 'この要素にはプロキシのアドレスが必要です。proxy="https://…" を追加してください。',
    badItem: `この要素には項目の ID が必要です。item="…" を追加してください（${number(1)}～${number(200)}文字、制御文字は不可）。`,
    secretGiven: (attribute) =>
      `この要素に ${attribute}="…" が指定されていますが、秘密の値のようです。ページでは秘密を守れません。削除し、使用箇所で変更してください。`,
    requestId: (id) => `サポート用: ${id}`,
    triedAgain: (time) => `${time}に再試行しました。`,
    inventory: '在庫',
    loading: '在庫を読み込んでいます…',
    empty: '項目はまだありません。あなたのサイトが項目を示すと、ここに表示されます。',
    openCount: (count) => `${counted(count, CHANGES)}が${subject}に未公開`,
    nothingOpen: `${subject}はすべて最新です`,
    nothingWaiting: '未送信の変更はありません',
    unsavedCount: (count) => counted(count, { other: '変更#件が未保存です' }),
    columns: { item: '項目', group: 'グループ', availability: '利用可否', status: '状態', updated: '最終更新' },
    total: (count) => counted(count, ITEMS),
    leftOut: (count) => `このページのデータに誤りがあるため表示されません: ${counted(count, ITEMS)}`,
    counting: '集計中…',
    selectEvery: '表示中のすべての項目を選択',
    selectItem: (name) => `「\u2068${name}\u2069」を選択`,
    readOnly: '閲覧できますが、変更できません。',
  };
}

export function editorDictionary({ number, counted }: Counter, portal?: string): EditorDictionary {
  const subject = portal ?? 'ポータル';
  const word = (available: boolean): string => (available ? '利用可' : '利用不可');
  const leftAlone = (count: number): string =>
    count === 0
      ? ''
      : `。${counted(count, ITEMS)}はそのままです（その後の変更、変更前の値なしでの送信、またはこのページによる拒否）`;
  return {
    number,
    changed: '未保存',
    met: 'その間にほかの人が変更しました。有効にする値を選んでください',
    search: '名前またはメモで検索',
    filters: '表示',
    filter: {
      all: 'すべて',
      available: '利用可',
      unavailable: '利用不可',
      unknown: '未設定',
      changed: '未保存',
      waiting: '送信中',
      attention: 'あなたの判断が必要',
      conflict: '選択が異なる',
    },
    sort: '並べ替え',
    sorted: {
      given: '元の順序',
      label: '名前',
      id: 'ID',
      group: 'グループ',
      value: '利用可否',
      state: '状態',
      'changed-at': '最終更新',
    },
    reversed: (order) => `${order}（逆順）`,
    allGroups: 'すべてのグループ',
    noGroup: 'グループなし',
    groupCount: (available, all) => `${number(all)}件中${number(available)}件が利用可`,
    found: (count) => (count === 0 ? '一致する項目はありません' : `${counted(count, ITEMS)}が一致`),
    noMatch: '一致する項目はありません。',
    showAll: 'すべての項目を表示',
    orderStale: '項目が変わりました。並べ替え直す',
    keys: 'キーボード',
    lists: 'インポート・エクスポート',
    notLoaded: '読み込めませんでした。接続を確認して、もう一度お試しください。',
    unavailableUntil: '利用不可の期限…',
    back: (time) => `${time} に再開`,
    setByHand: '手動で変更しました。予定による変更はされません。',
    queue: (count) => `${counted(count, CHANGES)}を送信中`,
    conflicts: (count) => `選択が異なる項目${counted(count, ITEMS)}`,
    selected: (count) => `${counted(count, ITEMS)}を選択中`,
    selectAll: '一致するすべてを選択',
    selectMatching: (count) => `すべて選択（${number(count)}）`,
    clearSelection: '選択を解除',
    setAvailable: (count) => counted(count, { other: 'この#件を開く' }),
    setUnavailable: (count) => counted(count, { other: 'この#件を閉じる' }),
    changes: (count) => counted(count, CHANGES),
    save: '保存',
    discard: '破棄',
    discarded: (count) => `${counted(count, CHANGES)}を破棄しました。`,
    undo: '元に戻す',
    redo: 'やり直す',
    undone: (changed, skipped) => `${counted(changed, ITEMS)}を元に戻しました${leftAlone(skipped)}`,
    redone: (changed, skipped) => `${counted(changed, ITEMS)}を再度変更しました${leftAlone(skipped)}`,
    saving: (saved, of) => `保存中: ${number(of)}件中${number(saved)}件`,
    cancel: 'キャンセル',
    close: '完了',
    saveDone(saved, held, left) {
      const parts = [`${counted(saved, CHANGES)}を送信します`];
      if (held > 0) parts.push(`保留${counted(held, ITEMS)}（ほかの人が変更したか、変更する権限がありません）`);
      if (left > 0) parts.push(`未保存${counted(left, ITEMS)}`);
      return `${parts.join('、')}。`;
    },
    failed: (count) => `${counted(count, CHANGES)}が受け付けられませんでした`,
    retryFailed: (count) => `${counted(count, ITEMS)}を再送信`,
    drafts: (count, age) => `未保存の${counted(count, CHANGES)}（${age}）。`,
    draftsRefused: 'このブラウザーでは保持されません。ページを離れる前に保存してください。',
    takeDrafts: '復元',
    draftsElsewhere: (count) =>
      `${counted(count, CHANGES)}はこの一覧にない項目のもので、その項目を含む一覧のために保持されます。`,
    dropDrafts: '破棄',
    bulkTitle: (count, available) => `${counted(count, ITEMS)}を${available ? '開き' : '閉じ'}ますか？`,
    bulkSame: (count, available) => `${counted(count, ITEMS)}はすでに${word(available)}です。`,
    fromTo: (from, to) => `「${from}」から「${to}」へ`,
    bulkLocked: (count) => `${counted(count, ITEMS)}は変更できません。`,
    bulkNothing: '変更はありません。',
    bulkSet: (count, available) => `${counted(count, ITEMS)}を${available ? '開く' : '閉じる'}`,
    bulkDone: (count, available) => `${counted(count, ITEMS)}を${available ? '開きました' : '閉じました'}。`,
    closeAll: 'すべて閉じる',
    closeAllText: '現在利用可のすべての項目です。後で同じ項目だけを再び開けます。',
    reopen: (count) => counted(count, { other: 'この#件を再び開く' }),
    reopenText: 'すべて閉じる前に利用可だった項目だけです。',
    closeGroupText: (group) =>
      `「\u2068${group}\u2069」で現在利用可のすべての項目です。後で同じ項目だけを再び開けます。`,
    reopenGroupText: (group) => `「\u2068${group}\u2069」を閉じる前に利用可だった項目だけです。`,
    turnSkipped: (count) =>
      `${counted(count, ITEMS)}はそのままです。その後ほかの人が変更したか、変更する権限がありません。`,
    closed: (count, age) => `${counted(count, ITEMS)}をまとめて閉じました（${age}）。`,
    closedRefused: 'このブラウザーでは保持されません。ページを離れる前に再び開いてください。',
    keepClosed: '閉じたままにする',
    details: '詳細',
    id: 'ID',
    note: 'メモ',
    value: '利用可否',
    portalNow: `${subject}の現在の表示`,
    lastChange: '最終変更',
    lastChanges: '最近の変更',
    by: (name) => `変更者: \u2068${name}\u2069`,
    conflictsText: '二人の選択が異なります。どちらを有効にしますか？',
    keepAllMine: 'すべてあなたの選択にする',
    takeAllTheirs: 'すべて現在のままにする',
    queueTitle: `${subject}に未公開の変更`,
    queueEmpty: `${subject}はすべて最新です。`,
    notDiscarded: '破棄できませんでした。すでに送信されたか、現在接続がありません。',
    conflictsTitle: '有効にする値を選ぶ',
    retryAll: 'すべて再送信',
    more: (count) => `ほか${counted(count, ITEMS)}`,
    keyList: [
      ['↑ ↓', '上の行、下の行'],
      ['← →', '前の列、次の列'],
      ['Home, End', '最初の列、最後の列。Ctrl を押しながらで最初の行、最後の行'],
      ['Page Up, Page Down', '一画面上、一画面下'],
      ['Space', 'スイッチを切り替える、またはフォーカス中の操作を実行'],
      ['Enter', '詳細'],
      ['Shift ↑ ↓', '行を選択'],
      ['Ctrl A', '一致するすべてを選択'],
      ['Escape', '選択を解除'],
      ['Ctrl Z, Ctrl Y', '元に戻す、やり直す'],
      ['Ctrl S', '保存'],
      ['/', '検索'],
      ['?', 'この一覧'],
    ],
    signOutUnsent: (count) => `${counted(count, CHANGES)}がこの端末から未送信です。`,
    signOutSave: '保存してログアウト',
    signOutSend: '送信してログアウト',
    signOutDelete: '削除してログアウト',
    signOutStay: 'ログインしたままにする',
    signOutSends: '先にすべて送信します。送信できない場合は何も失われず、ログインしたままになります。',
    signOutDeletes: 'これらの変更は完全に失われます。お客様への表示は今のままです。',
    signOutRefused: 'これらはこのままでは送信できません。先に選択してください。',
    portalIsBack: `${subject}が再び変更を受け付けています。`,
  };
}
