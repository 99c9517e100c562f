import { DELIVERY_STATES, type DeliveryState } from '../../../../model/delivery.ts'
import type { Replies } from './sentences.ts'

const ownWords = Object.fromEntries(DELIVERY_STATES.map((state) => [state, state])) as Record<DeliveryState, string>

/** English. States and reasons are the words of docs/states.md. */
export const en: Replies = {
  units: ['d', 'h', 'm'],
  usage: {
    region: 'region',
    reason: 'reason',
    code: 'CODE',
    question: 'QUESTION',
    name: 'NAME',
    target: 'FAMILY|REGION|#CODE'
  },
  whichAlert: 'Which alert? Give its code, such as K7QF. !alerts lists them.',
  noSuchCode: 'No alert has the code $. !alerts lists them.',
  notStored: 'Not stored: the disk fails, a restart forgets it.',
  acknowledged: '#$1 acknowledged $2.',
  nothingFollows: 'Escalation stopped.',
  acknowledgedBefore: '$1 did so at $2.',
  tooManyCommands: 'Too many commands: $1 in 10 minutes. Ask again at $2.',
  tooManyQuestions: 'Too many questions: $1 in 10 minutes. Ask again at $2.',
  refused: {
    unproven:
      'Refused: this text was not encrypted with your node key, so anybody may have sent it. Use firmware 2.5 or newer.',
    other_key:
      'Refused: your node had another key before. If it was set up anew, the operator forgets the old key on the page Radios.',
    new_key: 'Refused: the key of your node is known here for less than a day. Use the claim code of the station.'
  },
  onlyAdmins: {
    ack: 'Only admin nodes may acknowledge.',
    silence: 'Only admin nodes may silence.',
    ask: 'Only admin nodes may ask the library.',
    hotspot: 'Only admin nodes may switch the hotspot.',
    who: 'Only admin nodes may ask where nodes are.',
    claim: 'Only admin nodes may ask for a code.'
  },
  sendDirect: 'Send !$ as a direct message.',
  sendDirectAsNamesProveNothing: 'Send !$ as a direct message: on a channel a name proves nothing.',
  sendOnChannel: 'Send !$ on a channel of this station.',
  noClaim: 'No code is given here by radio.',
  claimCode:
    'Code $1, for one use in $2 min: open /sign-in on the station and choose a new passphrase. It ends all sessions.',
  hotspot: {
    none: 'Nothing on this machine switches a hotspot.',
    unset: 'The hotspot has no name and pass phrase yet: choose them on its page.',
    usage: 'Use: !hotspot on, !hotspot off, or !hotspot alone for its state.',
    switchingOn: 'Hotspot: switching on. !hotspot tells how it went.',
    switchingOff: 'Hotspot: switching off. !hotspot tells how it went.',
    state: 'Hotspot$1 $2$3.',
    states: { on: 'on', off: 'off', failed: 'failed' },
    changing: ', being changed'
  },
  library: {
    perhaps: 'Perhaps: ',
    notFound: 'Not found. Nearest: $',
    page: 'p$',
    nothing: 'The library has nothing about that.',
    none: 'This station keeps no library.',
    ask: 'What do you want to know? !ask how do I make water safe',
    closed: 'The library of this station cannot be opened at present.',
    empty: 'The library of this station is empty.',
    busy: 'The library does not answer now. Ask again later.'
  },
  silence: {
    usage: 'Use: !silence FAMILY|REGION|#CODE 2h [reason], at most 7d. !silence NAME off ends it.',
    notImmediate: 'Immediate alerts cannot be silenced over the radio. The dashboard can.',
    neither: '$ is neither a family nor a region here.',
    until: '$1 is silent $2, except immediate alerts.',
    howToEnd: '!silence $ off ends it.',
    wasNot: '$ was not silenced.',
    over: '$ is heard again.'
  },
  who: {
    noArea: '#$: no area that can be drawn here, so nobody can tell who is inside.',
    inside: '#$1: $2 of $3 known positions inside',
    insidePart: '#$1: $2 of $3 known positions inside the part that can be drawn',
    untold: '. $ nodes told none.'
  },
  why: {
    noLongerStored: '#$: no longer stored.',
    acknowledged: 'acked $1 by $2',
    notSent: 'not sent',
    direct: 'DM',
    states: ownWords,
    reasons: null
  },
  notice: {
    faults: {
      full: 'disk full',
      io: 'disk errors',
      read_only: 'disk read-only',
      gone: 'data folder gone',
      damaged: 'database damaged'
    },
    nothingStored: '$: nothing stored.',
    goesOut: 'Critical and above goes out, perhaps twice after a restart.',
    storesAgain: 'stores again after $.',
    madeAnew: 'had a damaged database and has made it anew. Doubt the disk.',
    timeUnknown: 'time unknown'
  },
  bands: {
    bands: 'BANDS $',
    stop: '. ',
    noStorm: 'No storm',
    effects: { R: 'HF fades on the day side', S: 'polar HF poor', G: 'HF unsettled, aurora' },
    passes: 'PASSES $',
    noPass: 'none in $ h'
  }
}
