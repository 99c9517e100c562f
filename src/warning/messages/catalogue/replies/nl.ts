import type { Replies } from './sentences.ts'

/** Dutch. */
export const nl: Replies = {
  units: ['d', 'u', 'min'],
  usage: {
    region: 'regio',
    reason: 'reden',
    code: 'CODE',
    question: 'VRAAG',
    name: 'NAAM',
    target: 'FAMILIE|REGIO|#CODE'
  },
  whichAlert: 'Welke waarschuwing? Geef de code, bijv. K7QF. !alerts toont ze.',
  noSuchCode: 'Geen waarschuwing heeft de code $. !alerts toont ze.',
  notStored: 'Niet opgeslagen: de schijf faalt, een herstart vergeet het.',
  acknowledged: '#$1 bevestigd om $2.',
  nothingFollows: 'Er volgt niets meer.',
  acknowledgedBefore: '$1 deed dat al om $2.',
  tooManyCommands: 'Te veel opdrachten: $1 in 10 minuten. Probeer het weer om $2.',
  tooManyQuestions: 'Te veel vragen: $1 in 10 minuten. Probeer het weer om $2.',
  refused: {
    unproven:
      'Geweigerd: deze tekst was niet versleuteld met de sleutel van uw node, iedereen kan hem gestuurd hebben. Gebruik firmware 2.5 of nieuwer.',
    other_key:
      'Geweigerd: uw node had eerder een andere sleutel. Is hij opnieuw ingesteld, dan vergeet de beheerder de oude op de pagina Radios.',
    new_key: 'Geweigerd: de sleutel van uw node is hier nog geen dag bekend. Gebruik de code van het station.'
  },
  onlyAdmins: {
    ack: 'Alleen admin-nodes mogen bevestigen.',
    silence: 'Alleen admin-nodes mogen dempen.',
    ask: 'Alleen admin-nodes mogen de bibliotheek iets vragen.',
    hotspot: 'Alleen admin-nodes mogen de hotspot schakelen.',
    who: 'Alleen admin-nodes mogen vragen waar nodes zijn.',
    claim: 'Alleen admin-nodes mogen een code vragen.'
  },
  sendDirect: 'Stuur !$ als direct bericht.',
  sendDirectAsNamesProveNothing: 'Stuur !$ als direct bericht: op een kanaal bewijst een naam niets.',
  sendOnChannel: 'Stuur !$ op een kanaal van dit station.',
  noClaim: 'Via de radio worden hier geen codes gegeven.',
  claimCode:
    'Code $1, eenmalig, $2 min: open /sign-in op het station en kies een nieuw wachtwoord. Beëindigt alle sessies.',
  hotspot: {
    none: 'Hier is geen hotspot om te schakelen.',
    unset: 'De hotspot heeft nog geen naam en wachtwoord: kies ze op de pagina ervan.',
    usage: 'Gebruik: !hotspot on, !hotspot off, of alleen !hotspot voor de stand.',
    switchingOn: 'Hotspot gaat aan. !hotspot zegt hoe het ging.',
    switchingOff: 'Hotspot gaat uit. !hotspot zegt hoe het ging.',
    state: 'Hotspot$1: $2$3.',
    states: { on: 'aan', off: 'uit', failed: 'storing' },
    changing: ', wordt geschakeld'
  },
  library: {
    perhaps: 'Misschien: ',
    notFound: 'Niet gevonden. Dichtstbij: $',
    page: 'p.$',
    nothing: 'De bibliotheek zegt daar niets over.',
    none: 'Dit station heeft geen bibliotheek.',
    ask: 'Wat wilt u weten? !ask hoe maak ik water drinkbaar',
    closed: 'De bibliotheek van dit station is nu niet te openen.',
    empty: 'De bibliotheek van dit station is leeg.',
    busy: 'De bibliotheek antwoordt nu niet. Vraag het later weer.'
  },
  silence: {
    usage: 'Gebruik: !silence FAMILIE|REGIO|#CODE 2h [reden], hoogstens 7d. !silence NAAM off beëindigt het.',
    notImmediate: "Direct gevaar is via de radio niet te dempen, alleen op de pagina's van het station.",
    neither: '$ is hier geen familie en geen regio.',
    until: '$1 is gedempt $2, behalve bij direct gevaar.',
    howToEnd: '!silence $ off beëindigt het.',
    wasNot: '$ was niet gedempt.',
    over: '$ is weer te horen.'
  },
  who: {
    noArea: '#$: geen gebied dat hier te tekenen is, dus onbekend wie erin is.',
    inside: '#$1: $2 van $3 bekende posities in het gebied',
    insidePart: '#$1: $2 van $3 bekende posities in het deel dat te tekenen is',
    untold: '. Nodes zonder positie: $.'
  },
  why: {
    noLongerStored: '#$: niet meer opgeslagen.',
    acknowledged: 'bevestigd $1 door $2',
    notSent: 'niet verzonden',
    direct: 'direct',
    states: {
      queued: 'wacht',
      transmitting: 'wordt verzonden',
      sent: 'verzonden',
      heard: 'gehoord',
      delivered: 'aangekomen',
      unconfirmed: 'onbevestigd',
      held: 'vastgehouden',
      suppressed: 'niet verzonden',
      merged: 'samengevoegd',
      stood_down: 'door ander station gezegd',
      expired: 'verlopen',
      failed: 'mislukt',
      sent_unknown: 'misschien verzonden'
    },
    reasons: {
      off: 'meldingen uit',
      turn: 'wacht op zijn beurt',
      peer: 'ander station zegt het',
      airtime: 'geen zendtijd over',
      again: 'nieuwe poging',
      no_radio: 'radio niet gereed',
      no_answer: 'radio antwoordt niet',
      refused: 'geweigerd door de radio',
      no_channel: 'kanaal ontbreekt op de radio',
      nobody_heard: 'geen herhaling gehoord',
      too_late: 'te lang gewacht',
      quiet_hours: 'stille uren',
      cooldown: 'pauze na de vorige',
      summary: 'komt in het overzicht',
      inhibited: 'er geldt een ernstigere',
      over: 'voorbij',
      silenced: 'gedempt',
      newer: 'achterhaald',
      matrix_off: 'matrix uit',
      same_text: 'al gezegd',
      no_addressee: 'ontvanger onbekend',
      server: 'de server nam het niet aan',
      no_text: 'geen tekst mogelijk',
      outside: 'buiten de gebieden',
      unplaced: 'plaats onbekend',
      stale: 'te oud',
      known: 'gold al bij de start',
      muted: 'cel gedempt',
      floor: 'onder de drempel',
      no_route: 'geen kanaal ingesteld'
    }
  },
  notice: {
    faults: {
      full: 'schijf vol',
      io: 'schijffouten',
      read_only: 'schijf alleen leesbaar',
      gone: 'gegevensmap ontbreekt',
      damaged: 'database beschadigd'
    },
    nothingStored: '$: niets wordt opgeslagen.',
    goesOut: 'Kritiek en erger gaat uit, na herstart misschien dubbel.',
    storesAgain: 'slaat weer op na $.',
    madeAnew: 'had een beschadigde database en maakte die opnieuw. Controleer de schijf.',
    timeUnknown: 'tijd onbekend'
  },
  bands: {
    bands: 'PROPAGATIE $',
    stop: '. ',
    noStorm: 'Geen storm',
    effects: { R: 'HF zwak aan de dagzijde', S: 'HF bij de polen slecht', G: 'HF onrustig, poollicht' },
    passes: 'OVERGANGEN $',
    noPass: 'geen in $ u'
  }
}
