import type { Replies } from './sentences.ts'

/** Italian. */
export const it: Replies = {
  units: ['g', 'h', 'min'],
  usage: {
    region: 'regione',
    reason: 'motivo',
    code: 'CODICE',
    question: 'DOMANDA',
    name: 'NOME',
    target: 'FAMIGLIA|REGIONE|#CODICE'
  },
  whichAlert: 'Quale allerta? Indicare il codice, ad es. K7QF. !alerts le elenca.',
  noSuchCode: 'Nessuna allerta ha il codice $. !alerts le elenca.',
  notStored: 'Non salvato: il disco è guasto, un riavvio lo dimentica.',
  acknowledged: '#$1 confermata alle $2.',
  nothingFollows: 'Non segue altro.',
  acknowledgedBefore: '$1 lo ha già fatto alle $2.',
  tooManyCommands: 'Troppi comandi: $1 in 10 minuti. Riprovare alle $2.',
  tooManyQuestions: 'Troppe domande: $1 in 10 minuti. Riprovare alle $2.',
  refused: {
    unproven:
      'Rifiutato: il testo non era cifrato con la chiave del suo nodo, chiunque può averlo inviato. Serve il firmware 2.5 o più recente.',
    other_key:
      "Rifiutato: il suo nodo aveva prima un'altra chiave. Se è stato riconfigurato, l'operatore dimentica la vecchia nella pagina Radios.",
    new_key: 'Rifiutato: la chiave del suo nodo è nota qui da meno di un giorno. Usare il codice della stazione.'
  },
  onlyAdmins: {
    ack: 'Solo i nodi admin possono confermare.',
    silence: 'Solo i nodi admin possono mettere in silenzio.',
    ask: 'Solo i nodi admin possono interrogare la biblioteca.',
    hotspot: "Solo i nodi admin possono accendere o spegnere l'hotspot.",
    who: 'Solo i nodi admin possono chiedere dove sono i nodi.',
    claim: 'Solo i nodi admin possono chiedere un codice.'
  },
  sendDirect: 'Inviare !$ come messaggio diretto.',
  sendDirectAsNamesProveNothing: 'Inviare !$ come messaggio diretto: su un canale un nome non prova nulla.',
  sendOnChannel: 'Inviare !$ su un canale di questa stazione.',
  noClaim: 'Qui non si danno codici via radio.',
  claimCode:
    'Codice $1, un solo uso, $2 min: aprire /sign-in sulla stazione e scegliere una nuova password. Chiude tutte le sessioni.',
  hotspot: {
    none: 'Questa macchina non ha un hotspot da accendere o spegnere.',
    unset: "L'hotspot non ha ancora nome e password: sceglierli nella sua pagina.",
    usage: 'Uso: !hotspot on, !hotspot off, o solo !hotspot per lo stato.',
    switchingOn: "Hotspot: in accensione. !hotspot dirà com'è andata.",
    switchingOff: "Hotspot: in spegnimento. !hotspot dirà com'è andata.",
    state: 'Hotspot$1: $2$3.',
    states: { on: 'acceso', off: 'spento', failed: 'guasto' },
    changing: ', in corso di modifica'
  },
  library: {
    perhaps: 'Forse: ',
    notFound: 'Non trovato. Il più vicino: $',
    page: 'p.$',
    nothing: 'La biblioteca non ne parla.',
    none: 'Questa stazione non ha una biblioteca.',
    ask: "Che cosa vuole sapere? !ask come rendere potabile l'acqua",
    closed: 'La biblioteca di questa stazione al momento non si apre.',
    empty: 'La biblioteca di questa stazione è vuota.',
    busy: 'La biblioteca ora non risponde. Chiedere più tardi.'
  },
  silence: {
    usage: 'Uso: !silence FAMIGLIA|REGIONE|#CODICE 2h [motivo], massimo 7d. !silence NOME off lo termina.',
    notImmediate: 'Il pericolo immediato non si silenzia via radio, solo dalle pagine della stazione.',
    neither: '$ qui non è né famiglia né regione.',
    until: '$1 in silenzio $2, salvo pericolo immediato.',
    howToEnd: '!silence $ off lo termina.',
    wasNot: '$ non era in silenzio.',
    over: '$ non è più in silenzio.'
  },
  who: {
    noArea: '#$: nessuna area che si possa disegnare, non si sa chi vi si trova.',
    inside: "#$1: $2 di $3 posizioni note nell'area",
    insidePart: '#$1: $2 di $3 posizioni note nella parte che si può disegnare',
    untold: '. Nodi senza posizione: $.'
  },
  why: {
    noLongerStored: '#$: non più salvata.',
    acknowledged: 'confermata $1 da $2',
    notSent: 'non inviata',
    direct: 'diretto',
    states: {
      queued: 'in attesa',
      transmitting: 'in invio',
      sent: 'inviata',
      heard: 'sentita',
      delivered: 'ricevuta',
      unconfirmed: 'non confermata',
      held: 'trattenuta',
      suppressed: 'non inviata',
      merged: 'raggruppata',
      stood_down: "detta da un'altra stazione",
      expired: 'scaduta',
      failed: 'fallita',
      sent_unknown: 'forse inviata'
    },
    reasons: {
      off: 'notifiche spente',
      turn: 'attende il turno',
      peer: "la dice un'altra stazione",
      airtime: 'tempo di trasmissione esaurito',
      again: 'nuovo tentativo',
      no_radio: 'radio non pronta',
      no_answer: 'la radio non risponde',
      refused: 'rifiutata dalla radio',
      no_channel: 'canale assente nella radio',
      nobody_heard: 'nessuna ripetizione sentita',
      too_late: 'attesa troppo lunga',
      quiet_hours: 'ore di quiete',
      cooldown: 'pausa dopo la precedente',
      summary: 'verrà nel riepilogo',
      inhibited: "vale un'allerta più grave",
      over: 'finita',
      silenced: 'messa in silenzio',
      newer: 'superata',
      matrix_off: 'matrice spenta',
      same_text: 'già detta',
      no_addressee: 'destinatario ignoto',
      server: "il server non l'ha accettata",
      no_text: 'nessun testo possibile',
      outside: 'fuori dalle aree',
      unplaced: 'luogo ignoto',
      stale: 'troppo vecchia',
      known: "già in corso all'avvio",
      muted: 'cella muta',
      floor: 'sotto la soglia',
      no_route: 'nessun canale previsto'
    }
  },
  notice: {
    faults: {
      full: 'disco pieno',
      io: 'errori del disco',
      read_only: 'disco in sola lettura',
      gone: 'cartella dati assente',
      damaged: 'database danneggiato'
    },
    nothingStored: '$: nulla viene salvato.',
    goesOut: 'Critico e oltre parte, forse due volte dopo un riavvio.',
    storesAgain: 'salva di nuovo dopo $.',
    madeAnew: 'aveva il database danneggiato e lo ha ricreato. Controllare il disco.',
    timeUnknown: 'ora ignota'
  },
  bands: {
    bands: 'PROPAGAZIONE $',
    stop: '. ',
    noStorm: 'Nessuna tempesta',
    effects: { R: 'HF debole sul lato diurno', S: 'HF polare scarsa', G: 'HF instabile, aurore' },
    passes: 'PASSAGGI $',
    noPass: 'nessuno in $ h'
  }
}
