import type { Replies } from './sentences.ts'

/** Japanese. A character has three bytes: a reply of 140 has 46 of them. */
export const ja: Replies = {
  units: ['日', '時間', '分'],
  usage: {
    region: '地域',
    reason: '理由',
    code: 'コード',
    question: '質問',
    name: '名前',
    target: '種類|地域|#コード'
  },
  whichAlert: 'どの警報ですか? K7QFのようなコードが必要です。一覧は !alerts',
  noSuchCode: 'コード$の警報はありません。一覧は !alerts',
  notStored: 'ディスク障害で保存できず、再起動で失われます。',
  acknowledged: '#$1を$2に確認しました。',
  nothingFollows: '以後の通知は止めます。',
  acknowledgedBefore: '$1が$2に確認済み。',
  tooManyCommands: 'コマンドが多すぎます: 10分に$1件まで。$2以降に再度どうぞ。',
  tooManyQuestions: '質問が多すぎます: 10分に$1件まで。$2以降に再度どうぞ。',
  refused: {
    unproven: '拒否: ノードの鍵で暗号化されていないため、誰が送ったか分かりません。ファームウェア2.5以降が必要です。',
    other_key: '拒否: ノードの鍵が以前と違います。再設定したノードなら、Radiosページで古い鍵を消してもらってください。',
    new_key: '拒否: ノードの鍵が知られてから1日未満です。局のコードを使ってください。'
  },
  onlyAdmins: {
    ack: '確認できるのは管理者ノードだけです。',
    silence: '消音できるのは管理者ノードだけです。',
    ask: '図書に質問できるのは管理者ノードだけです。',
    hotspot: 'ホットスポットの切替は管理者ノードだけです。',
    who: 'ノードの位置を聞けるのは管理者ノードだけです。',
    claim: 'コードを請求できるのは管理者ノードだけです。'
  },
  sendDirect: 'コマンド !$ はDMで送ってください。',
  sendDirectAsNamesProveNothing: 'コマンド !$ はDMで。チャンネルの名前は証明になりません。',
  sendOnChannel: 'コマンド !$ はこの局のチャンネルで送ってください。',
  noClaim: 'この局は無線でコードを出しません。',
  claimCode: 'コード$1、1回限り、$2分有効: 局の /sign-in で新しいパスワードを設定。全員ログアウトします。',
  hotspot: {
    none: '切替できるホットスポットがありません。',
    unset: 'ホットスポットの名前とパスワードが未設定です。そのページで設定してください。',
    usage: '使い方: !hotspot on、!hotspot off、状態は !hotspot のみ。',
    switchingOn: 'ホットスポットをオンにします。結果は !hotspot',
    switchingOff: 'ホットスポットをオフにします。結果は !hotspot',
    state: 'ホットスポット$1: $2$3。',
    states: { on: 'オン', off: 'オフ', failed: '障害' },
    changing: '、切替中'
  },
  library: {
    perhaps: 'おそらく: ',
    notFound: '見つかりません。近いもの: $',
    page: 'p.$',
    nothing: 'その件は図書にありません。',
    none: 'この局に図書はありません。',
    ask: '何を知りたいですか? !ask 水を安全にする方法',
    closed: 'この局の図書は今は開けません。',
    empty: 'この局の図書は空です。',
    busy: '図書が応答しません。後でもう一度どうぞ。'
  },
  silence: {
    usage: '使い方: !silence 種類|地域|#コード 2h [理由]、最長7d。解除は !silence 名前 off',
    notImmediate: '切迫した危険は無線では消音できません。局のページでできます。',
    neither: '$という種類も地域もありません。',
    until: '$1を$2消音、切迫した危険は除く。',
    howToEnd: '解除は !silence $ off',
    wasNot: '$は消音されていません。',
    over: '$の消音を解除しました。'
  },
  who: {
    noArea: '#$: 描ける区域がなく、中に誰がいるか不明です。',
    inside: '#$1: 既知の位置$3件中$2件が区域内',
    insidePart: '#$1: 既知の位置$3件中$2件が描ける範囲内',
    untold: '。位置不明のノード: $。'
  },
  why: {
    noLongerStored: '#$: もう保存されていません。',
    acknowledged: '$1に$2が確認',
    notSent: '未送信',
    direct: 'DM',
    states: {
      queued: '待機',
      transmitting: '送信中',
      sent: '送信済',
      heard: '中継確認',
      delivered: '到達',
      unconfirmed: '未確認',
      held: '保留',
      suppressed: '未送信',
      merged: '統合',
      stood_down: '他局が送信',
      expired: '期限切れ',
      failed: '失敗',
      sent_unknown: '送信不明'
    },
    reasons: {
      off: '通知オフ',
      turn: '順番待ち',
      peer: '他局が送信',
      airtime: '送信時間の空きなし',
      again: '再試行',
      no_radio: '無線機の準備なし',
      no_answer: '無線機の応答なし',
      refused: '無線機が拒否',
      no_channel: '無線機にチャンネルなし',
      nobody_heard: '中継が聞こえない',
      too_late: '待ち時間切れ',
      quiet_hours: '夜間などの静音時間',
      cooldown: '前回からの間隔待ち',
      summary: 'まとめで送信',
      inhibited: 'より重大な警報あり',
      over: '終了',
      silenced: '消音',
      newer: '新しい情報あり',
      matrix_off: 'マトリクスオフ',
      same_text: '送信済みの内容',
      no_addressee: '宛先不明',
      server: 'サーバーが受け付けず',
      no_text: '文を作れない',
      outside: '区域外',
      unplaced: '場所不明',
      stale: '古い',
      known: '起動前から発表中',
      muted: 'セル消音',
      floor: '基準未満',
      no_route: '送信先なし'
    }
  },
  notice: {
    faults: {
      full: 'ディスク満杯',
      io: 'ディスクエラー',
      read_only: 'ディスク読取専用',
      gone: 'データフォルダなし',
      damaged: 'データベース破損'
    },
    nothingStored: '$、保存不可。',
    goesOut: '重大以上は送信、再起動後は重複も。',
    storesAgain: '$後に保存を再開。',
    madeAnew: 'データベース破損、再作成済み。ディスクを要点検。',
    timeUnknown: '時刻不明'
  },
  bands: {
    bands: '電波状況 $',
    stop: '。',
    noStorm: '擾乱なし',
    effects: { R: '昼側で短波減衰', S: '極域の短波不良', G: '短波不安定、オーロラ' },
    passes: '衛星通過 $',
    noPass: '$時間以内になし'
  }
}
