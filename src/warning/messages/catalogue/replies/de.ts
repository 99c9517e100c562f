import type { Replies } from './sentences.ts'

/** German. */
export const de: Replies = {
  units: ['d', 'h', 'min'],
  usage: {
    region: 'Region',
    reason: 'Grund',
    code: 'CODE',
    question: 'FRAGE',
    name: 'NAME',
    target: 'FAMILIE|REGION|#CODE'
  },
  whichAlert: 'Welche Warnung? Ihren Code angeben, etwa K7QF. !alerts listet sie auf.',
  noSuchCode: 'Keine Warnung hat den Code $. !alerts listet sie auf.',
  notStored: 'Nicht gespeichert: der Datenträger versagt, ein Neustart vergisst es.',
  acknowledged: '#$1 bestätigt um $2.',
  nothingFollows: 'Es folgt nichts weiter.',
  acknowledgedBefore: '$1 hat um $2 schon bestätigt.',
  tooManyCommands: 'Zu viele Befehle: $1 in 10 Minuten. Wieder ab $2.',
  tooManyQuestions: 'Zu viele Fragen: $1 in 10 Minuten. Wieder ab $2.',
  refused: {
    unproven:
      'Abgelehnt: Der Text war nicht mit dem Schlüssel Ihres Knotens verschlüsselt, jeder kann ihn gesendet haben. Firmware ab 2.5 verwenden.',
    other_key:
      'Abgelehnt: Ihr Knoten hatte vorher einen anderen Schlüssel. Wurde er neu eingerichtet, vergisst der Betreiber den alten auf der Seite Funkgeräte.',
    new_key: 'Abgelehnt: Der Schlüssel Ihres Knotens ist hier noch keinen Tag bekannt. Den Code der Station verwenden.'
  },
  onlyAdmins: {
    ack: 'Bestätigen dürfen nur Admin-Knoten.',
    silence: 'Stummschalten dürfen nur Admin-Knoten.',
    ask: 'Die Bibliothek fragen dürfen nur Admin-Knoten.',
    hotspot: 'Den Hotspot schalten dürfen nur Admin-Knoten.',
    who: 'Fragen, wo Knoten sind, dürfen nur Admin-Knoten.',
    claim: 'Einen Code anfordern dürfen nur Admin-Knoten.'
  },
  sendDirect: 'Bitte !$ als Direktnachricht senden.',
  sendDirectAsNamesProveNothing: 'Bitte !$ als Direktnachricht: Auf einem Kanal beweist ein Name nichts.',
  sendOnChannel: 'Bitte !$ auf einem Kanal dieser Station senden.',
  noClaim: 'Über Funk gibt es hier keinen Code.',
  claimCode:
    'Code $1, gilt einmal, $2 min: /sign-in der Station öffnen, neue Passphrase wählen. Beendet alle Sitzungen.',
  hotspot: {
    none: 'Hier gibt es keinen Hotspot, der sich schalten lässt.',
    unset: 'Der Hotspot hat noch keinen Namen und keine Passphrase: auf seiner Seite wählen.',
    usage: 'Möglich: !hotspot on, !hotspot off, oder !hotspot allein für den Zustand.',
    switchingOn: 'Hotspot wird eingeschaltet. !hotspot sagt, ob es ging.',
    switchingOff: 'Hotspot wird ausgeschaltet. !hotspot sagt, ob es ging.',
    state: 'Hotspot$1: $2$3.',
    states: { on: 'an', off: 'aus', failed: 'gestört' },
    changing: ', wird gerade geschaltet'
  },
  library: {
    perhaps: 'Vielleicht: ',
    notFound: 'Nicht gefunden. Am nächsten: $',
    page: 'S.$',
    nothing: 'Dazu steht nichts in der Bibliothek.',
    none: 'Diese Station hat keine Bibliothek.',
    ask: 'Was möchten Sie wissen? !ask wie mache ich Wasser trinkbar',
    closed: 'Die Bibliothek dieser Station lässt sich zurzeit nicht öffnen.',
    empty: 'Die Bibliothek dieser Station ist leer.',
    busy: 'Die Bibliothek antwortet gerade nicht. Später noch einmal fragen.'
  },
  silence: {
    usage: 'Form: !silence FAMILIE|REGION|#CODE 2h [Grund], höchstens 7d. !silence NAME off beendet es.',
    notImmediate: 'Unmittelbare Gefahr lässt sich nicht über Funk stummschalten, nur auf den Seiten der Station.',
    neither: '$ ist hier weder Familie noch Region.',
    until: '$1 ist stumm $2, außer bei unmittelbarer Gefahr.',
    howToEnd: '!silence $ off beendet es.',
    wasNot: '$ war nicht stumm.',
    over: '$ ist wieder zu hören.'
  },
  who: {
    noArea: '#$: kein Gebiet, das sich hier zeichnen lässt; wer darin ist, weiß niemand.',
    inside: '#$1: $2 von $3 bekannten Positionen im Gebiet',
    insidePart: '#$1: $2 von $3 bekannten Positionen in dem Teil, der sich zeichnen lässt',
    untold: '. Knoten ohne Position: $.'
  },
  why: {
    noLongerStored: '#$: nicht mehr gespeichert.',
    acknowledged: 'bestätigt $1 von $2',
    notSent: 'nicht gesendet',
    direct: 'direkt',
    states: {
      queued: 'wartet',
      transmitting: 'wird gesendet',
      sent: 'gesendet',
      heard: 'gehört',
      delivered: 'angekommen',
      unconfirmed: 'unbestätigt',
      held: 'zurückgehalten',
      suppressed: 'nicht gesendet',
      merged: 'zusammengefasst',
      stood_down: 'von anderer Station gesagt',
      expired: 'verfallen',
      failed: 'gescheitert',
      sent_unknown: 'vielleicht gesendet'
    },
    reasons: {
      off: 'Benachrichtigungen aus',
      turn: 'noch nicht an der Reihe',
      peer: 'andere Station sagt es',
      airtime: 'keine Sendezeit frei',
      again: 'neuer Versuch',
      no_radio: 'Funkgerät nicht bereit',
      no_answer: 'Funkgerät antwortet nicht',
      refused: 'vom Funkgerät abgelehnt',
      no_channel: 'Kanal fehlt im Funkgerät',
      nobody_heard: 'keine Wiederholung gehört',
      too_late: 'zu lange gewartet',
      quiet_hours: 'Ruhezeit',
      cooldown: 'Pause nach der letzten',
      summary: 'kommt in der Übersicht',
      inhibited: 'schwerere Warnung gilt',
      over: 'vorbei',
      silenced: 'stummgeschaltet',
      newer: 'überholt',
      matrix_off: 'Matrix aus',
      same_text: 'schon gesagt',
      no_addressee: 'Empfänger unbekannt',
      server: 'Server nahm es nicht an',
      no_text: 'kein Text möglich',
      outside: 'außerhalb der Gebiete',
      unplaced: 'Ort unbekannt',
      stale: 'zu alt',
      known: 'galt schon beim Start',
      muted: 'Zelle stumm',
      floor: 'unter der Schwelle',
      no_route: 'kein Kanal vorgesehen'
    }
  },
  notice: {
    faults: {
      full: 'Datenträger voll',
      io: 'Datenträger fehlerhaft',
      read_only: 'Datenträger nur lesbar',
      gone: 'Datenordner fehlt',
      damaged: 'Datenbank beschädigt'
    },
    nothingStored: '$: nichts wird gespeichert.',
    goesOut: 'Ab kritisch wird gesendet, nach Neustart womöglich doppelt.',
    storesAgain: 'speichert wieder nach $.',
    madeAnew: 'hatte eine beschädigte Datenbank, sie ist neu angelegt. Datenträger prüfen.',
    timeUnknown: 'Zeit unbekannt'
  },
  bands: {
    bands: 'FUNKWETTER $',
    stop: '. ',
    noStorm: 'Kein Sturm',
    effects: { R: 'KW auf der Tagseite gestört', S: 'KW an den Polen schlecht', G: 'KW unruhig, Polarlicht' },
    passes: 'ÜBERFLÜGE $',
    noPass: 'keiner in $ h'
  }
}
