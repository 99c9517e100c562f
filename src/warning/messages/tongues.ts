/** A word before a time where an article comes between: `jusqu'à 18h45`, `jusqu'au 14 avr`. Each may hold `$` for the time. */
export interface TimeWords {
  /** Before an hour: `18:45`. */
  hour: string
  /** Before one o'clock, where that has an article of its own. */
  one?: string
  /** Before a day of the week: `sáb 07:00`. */
  day: string
  /** Before a day of a month: `14 abr`. */
  date: string
  /** Before midnight and noon in words. */
  name: string
}

/** One word for all, or each. */
export type TimeWord = string | TimeWords

/** The fixed words of a text in one tongue. */
export interface Tongue {
  /** Of WHAT: what became of it, and the colour of its level. */
  cancel: string
  ended: string
  update: string
  yellow: string
  orange: string
  red: string
  /** Of times. `$` stands for the time; without one the word stands before it. */
  until: TimeWord
  from: TimeWord
  since: TimeWord
  asOf: TimeWord
  updated: string
  furtherNotice: string
  midnight: string
  noon: string
  /** Sunday first. */
  days: string
  /** January first; '' where a date is written in figures. */
  months: string
  /** Behind the figure of a day. */
  dayMark?: string
  /** The places where a warning goes on of which a part ended. */
  stillOn: string
  /** Words for the levels in English names of products; a source with names of its own has none. */
  levels?: Readonly<Record<string, string>>
}

/** By the first part of a language code (BCP 47). English is what the texts are written in. */
export const FIXED = {
  de: {
    cancel: 'ENTWARNUNG',
    ended: 'BEENDET',
    update: 'NEU',
    yellow: 'GELB',
    orange: 'ORANGE',
    red: 'ROT',
    until: 'bis',
    from: 'ab',
    since: 'seit',
    asOf: 'Stand',
    updated: 'Stand',
    furtherNotice: 'bis auf Weiteres',
    midnight: 'Mitternacht',
    noon: '12:00',
    days: 'So Mo Di Mi Do Fr Sa',
    months: 'Jan Feb März Apr Mai Jun Jul Aug Sep Okt Nov Dez',
    dayMark: '.',
    stillOn: 'Weiter gilt',
    levels: { WARN: 'WARNUNG', ALERT: 'WARNUNG', WATCH: 'VORWARNUNG', ADV: 'HINWEIS', STMT: 'MELDUNG' }
  },
  es: {
    cancel: 'CANCELADO',
    ended: 'TERMINADO',
    update: 'ACT.',
    yellow: 'AMARILLO',
    orange: 'NARANJA',
    red: 'ROJO',
    until: { hour: 'hasta las', one: 'hasta la', day: 'hasta el', date: 'hasta el', name: 'hasta' },
    from: { hour: 'desde las', one: 'desde la', day: 'desde el', date: 'desde el', name: 'desde' },
    since: { hour: 'desde las', one: 'desde la', day: 'desde el', date: 'desde el', name: 'desde' },
    asOf: { hour: 'a las', one: 'a la', day: 'al', date: 'al', name: 'a' },
    updated: 'Act.',
    furtherNotice: 'hasta nuevo aviso',
    midnight: 'medianoche',
    noon: 'mediodía',
    days: 'dom lun mar mié jue vie sáb',
    months: 'ene feb mar abr may jun jul ago sep oct nov dic',
    stillOn: 'Sigue en'
  },
  fr: {
    cancel: 'ANNULÉ',
    ended: 'FIN',
    update: 'MÀJ',
    yellow: 'JAUNE',
    orange: 'ORANGE',
    red: 'ROUGE',
    until: { hour: "jusqu'à", day: "jusqu'à", date: "jusqu'au", name: "jusqu'à" },
    from: { hour: 'dès', day: 'dès', date: 'dès le', name: 'dès' },
    since: { hour: 'depuis', day: 'depuis', date: 'depuis le', name: 'depuis' },
    asOf: { hour: 'à', day: 'au', date: 'au', name: 'à' },
    updated: 'MÀJ',
    furtherNotice: "jusqu'à nouvel ordre",
    midnight: 'minuit',
    noon: 'midi',
    days: 'dim lun mar mer jeu ven sam',
    months: 'janv févr mars avr mai juin juil août sept oct nov déc',
    stillOn: 'Toujours'
  },
  it: {
    cancel: 'ANNULLATO',
    ended: 'TERMINATO',
    update: 'AGG.',
    yellow: 'GIALLO',
    orange: 'ARANCIONE',
    red: 'ROSSO',
    until: { hour: 'fino alle', one: "fino all'$", day: 'fino a', date: 'fino al', name: 'fino a' },
    from: { hour: 'dalle', one: "dall'$", day: 'da', date: 'dal', name: 'da' },
    since: { hour: 'dalle', one: "dall'$", day: 'da', date: 'dal', name: 'da' },
    asOf: { hour: 'alle', one: "all'$", day: 'a', date: 'al', name: 'a' },
    updated: 'Agg.',
    furtherNotice: 'fino a nuovo avviso',
    midnight: 'mezzanotte',
    noon: 'mezzogiorno',
    days: 'dom lun mar mer gio ven sab',
    months: 'gen feb mar apr mag giu lug ago set ott nov dic',
    stillOn: 'Ancora in vigore'
  },
  pt: {
    cancel: 'CANCELADO',
    ended: 'TERMINADO',
    update: 'ATUAL.',
    yellow: 'AMARELO',
    orange: 'LARANJA',
    red: 'VERMELHO',
    until: { hour: 'até às', one: 'até à', day: 'até', date: 'até', name: 'até' },
    from: { hour: 'desde as', one: 'desde a', day: 'desde', date: 'desde', name: 'desde' },
    since: { hour: 'desde as', one: 'desde a', day: 'desde', date: 'desde', name: 'desde' },
    asOf: { hour: 'às', one: 'à', day: 'em', date: 'em', name: 'à' },
    updated: 'Atual.',
    furtherNotice: 'até novo aviso',
    midnight: 'meia-noite',
    noon: 'meio-dia',
    days: 'dom seg ter qua qui sex sáb',
    months: 'jan fev mar abr mai jun jul ago set out nov dez',
    stillOn: 'Continua em'
  },
  nl: {
    cancel: 'INGETROKKEN',
    ended: 'BEËINDIGD',
    update: 'NIEUW',
    yellow: 'GEEL',
    orange: 'ORANJE',
    red: 'ROOD',
    until: 'tot',
    from: 'vanaf',
    since: 'sinds',
    asOf: 'stand',
    updated: 'Stand',
    furtherNotice: 'tot nader order',
    midnight: 'middernacht',
    noon: '12:00',
    days: 'zo ma di wo do vr za',
    months: 'jan feb mrt apr mei jun jul aug sep okt nov dec',
    stillOn: 'Blijft gelden'
  },
  pl: {
    cancel: 'ODWOŁANO',
    ended: 'ZAKOŃCZONO',
    update: 'AKT.',
    yellow: 'ŻÓŁTY',
    orange: 'POMARAŃCZOWY',
    red: 'CZERWONY',
    until: 'do',
    from: 'od',
    since: 'od',
    asOf: 'stan z',
    updated: 'Stan z',
    furtherNotice: 'do odwołania',
    midnight: '24:00',
    noon: '12:00',
    days: 'nd pn wt śr czw pt sob',
    months: 'sty lut mar kwi maj cze lip sie wrz paź lis gru',
    stillOn: 'Nadal'
  },
  // A source's tongue alone: no channel has it.
  no: {
    cancel: 'AVLYST',
    ended: 'OVER',
    update: 'OPPD.',
    yellow: 'GULT:',
    orange: 'ORANSJE:',
    red: 'RØDT:',
    until: 'til',
    from: 'fra',
    since: 'siden',
    asOf: 'pr.',
    updated: 'Oppdatert',
    furtherNotice: 'inntil videre',
    midnight: 'midnatt',
    noon: '12:00',
    days: 'søn man tir ons tor fre lør',
    months: 'jan feb mars april mai juni juli aug sep okt nov des',
    dayMark: '.',
    stillOn: 'Gjelder fortsatt'
  },
  ja: {
    cancel: '解除',
    ended: '終了',
    update: '更新',
    yellow: '黄',
    orange: '橙',
    red: '赤',
    until: '$まで',
    from: '$から',
    since: '$から',
    asOf: '$現在',
    updated: '$現在',
    furtherNotice: '当分の間',
    midnight: '24:00',
    noon: '12:00',
    days: '日 月 火 水 木 金 土',
    months: '',
    stillOn: '継続'
  }
} as const satisfies Readonly<Record<string, Tongue>>

export const TONGUES: ReadonlyMap<string, Tongue> = new Map(Object.entries<Tongue>(FIXED))
