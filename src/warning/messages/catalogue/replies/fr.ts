import type { Replies } from './sentences.ts'

/** French. */
export const fr: Replies = {
  units: ['j', 'h', 'min'],
  usage: {
    region: 'région',
    reason: 'motif',
    code: 'CODE',
    question: 'QUESTION',
    name: 'NOM',
    target: 'FAMILLE|RÉGION|#CODE'
  },
  whichAlert: 'Quelle alerte? Donnez son code, p. ex. K7QF. !alerts les liste.',
  noSuchCode: "Aucune alerte n'a le code $. !alerts les liste.",
  notStored: "Non enregistré: disque défaillant, un redémarrage l'oublie.",
  acknowledged: '#$1 acquittée à $2.',
  nothingFollows: 'Plus de relance.',
  acknowledgedBefore: "$1 l'avait fait à $2.",
  tooManyCommands: 'Trop de commandes: $1 en 10 minutes. Réessayez à $2.',
  tooManyQuestions: 'Trop de questions: $1 en 10 minutes. Réessayez à $2.',
  refused: {
    unproven:
      "Refusé: ce texte n'était pas chiffré avec la clé de votre nœud, n'importe qui a pu l'envoyer. Il faut le firmware 2.5 ou plus récent.",
    other_key:
      "Refusé: votre nœud avait une autre clé. S'il a été reconfiguré, l'opérateur oublie l'ancienne à la page Radios.",
    new_key: "Refusé: la clé de votre nœud est connue ici depuis moins d'un jour. Utilisez le code de la station."
  },
  onlyAdmins: {
    ack: 'Seuls les nœuds admin peuvent acquitter.',
    silence: 'Seuls les nœuds admin peuvent mettre en silence.',
    ask: 'Seuls les nœuds admin peuvent interroger la bibliothèque.',
    hotspot: 'Seuls les nœuds admin peuvent commander le hotspot.',
    who: 'Seuls les nœuds admin peuvent demander où sont les nœuds.',
    claim: 'Seuls les nœuds admin peuvent demander un code.'
  },
  sendDirect: 'Envoyez !$ en message direct.',
  sendDirectAsNamesProveNothing: 'Envoyez !$ en message direct: sur un canal, un nom ne prouve rien.',
  sendOnChannel: 'Envoyez !$ sur un canal de cette station.',
  noClaim: "Aucun code n'est donné ici par radio.",
  claimCode:
    'Code $1, une seule fois, $2 min: ouvrez /sign-in sur la station, choisissez un mot de passe. Ferme toutes les sessions.',
  hotspot: {
    none: "Cette machine n'a pas de hotspot à commander.",
    unset: "Le hotspot n'a encore ni nom ni mot de passe: choisissez-les sur sa page.",
    usage: 'Usage: !hotspot on, !hotspot off, ou !hotspot seul pour son état.',
    switchingOn: 'Hotspot: mise en marche. !hotspot dira le résultat.',
    switchingOff: 'Hotspot: arrêt en cours. !hotspot dira le résultat.',
    state: 'Hotspot$1: $2$3.',
    states: { on: 'en marche', off: 'arrêté', failed: 'en panne' },
    changing: ', changement en cours'
  },
  library: {
    perhaps: 'Peut-être: ',
    notFound: 'Introuvable. Au plus près: $',
    page: 'p.$',
    nothing: "La bibliothèque n'en dit rien.",
    none: "Cette station n'a pas de bibliothèque.",
    ask: "Que voulez-vous savoir? !ask comment rendre l'eau potable",
    closed: "La bibliothèque de cette station ne s'ouvre pas pour le moment.",
    empty: 'La bibliothèque de cette station est vide.',
    busy: 'La bibliothèque ne répond pas. Redemandez plus tard.'
  },
  silence: {
    usage: 'Usage: !silence FAMILLE|RÉGION|#CODE 2h [motif], 7d au plus. !silence NOM off y met fin.',
    notImmediate: 'Un danger immédiat ne se met pas en silence par radio, seulement sur les pages de la station.',
    neither: "$ n'est ici ni une famille ni une région.",
    until: '$1 en silence $2, sauf danger immédiat.',
    howToEnd: '!silence $ off y met fin.',
    wasNot: "$ n'était pas en silence.",
    over: "$ n'est plus en silence."
  },
  who: {
    noArea: "#$: aucune zone traçable ici, on ne sait pas qui s'y trouve.",
    inside: '#$1: $2 des $3 positions connues dans la zone',
    insidePart: '#$1: $2 des $3 positions connues dans la partie traçable',
    untold: '. Nœuds sans position: $.'
  },
  why: {
    noLongerStored: "#$: n'est plus enregistrée.",
    acknowledged: 'acquittée $1 par $2',
    notSent: 'non envoyée',
    direct: 'direct',
    states: {
      queued: 'en attente',
      transmitting: "en cours d'envoi",
      sent: 'envoyée',
      heard: 'entendue',
      delivered: 'reçue',
      unconfirmed: 'non confirmée',
      held: 'retenue',
      suppressed: 'non envoyée',
      merged: 'regroupée',
      stood_down: 'dite par une autre station',
      expired: 'périmée',
      failed: 'échouée',
      sent_unknown: 'peut-être envoyée'
    },
    reasons: {
      off: 'notifications coupées',
      turn: 'attend son tour',
      peer: 'une autre station la dit',
      airtime: "temps d'antenne épuisé",
      again: 'nouvel essai',
      no_radio: 'radio pas prête',
      no_answer: 'radio sans réponse',
      refused: 'refusée par la radio',
      no_channel: 'canal absent de la radio',
      nobody_heard: 'aucune répétition entendue',
      too_late: 'attente trop longue',
      quiet_hours: 'heures calmes',
      cooldown: 'pause après la précédente',
      summary: 'viendra dans le résumé',
      inhibited: 'alerte plus grave en cours',
      over: 'terminée',
      silenced: 'mise en silence',
      newer: 'dépassée',
      matrix_off: 'matrice coupée',
      same_text: 'déjà dite',
      no_addressee: 'destinataire inconnu',
      server: "le serveur ne l'a pas prise",
      no_text: 'aucun texte possible',
      outside: 'hors des zones',
      unplaced: 'lieu inconnu',
      stale: 'trop ancienne',
      known: 'déjà en cours au démarrage',
      muted: 'cellule muette',
      floor: 'sous le seuil',
      no_route: 'aucun canal prévu'
    }
  },
  notice: {
    faults: {
      full: 'disque plein',
      io: 'erreurs de disque',
      read_only: 'disque en lecture seule',
      gone: 'dossier de données absent',
      damaged: 'base de données abîmée'
    },
    nothingStored: "$: rien n'est enregistré.",
    goesOut: 'Critique et plus part, peut-être en double.',
    storesAgain: 'enregistre de nouveau après $.',
    madeAnew: "avait une base de données abîmée et l'a recréée. Vérifiez le disque.",
    timeUnknown: 'heure inconnue'
  },
  bands: {
    bands: 'PROPAGATION $',
    stop: '. ',
    noStorm: 'Aucune tempête',
    effects: { R: 'HF affaiblie côté jour', S: 'HF polaire mauvaise', G: 'HF instable, aurores' },
    passes: 'PASSAGES $',
    noPass: 'aucun en $ h'
  }
}
