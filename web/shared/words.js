// The words of events, decisions and messages, for server and browser; docs/states.md explains them at length.

/** @typedef {import('../../src/model/delivery.ts').DeliveryState} DeliveryState */
/** @typedef {import('../../src/model/event.ts').Lifecycle} Lifecycle */
/** @typedef {import('../../src/warning/routing/decision.ts').Decision} Decision */
/** @typedef {import('../../src/warning/routing/decision.ts').TraceStep} TraceStep */
/** @typedef {import('../../src/model/severity.ts').Severity} Severity */
/** The look of a state: with the shapes of the style sheet, never by colour alone. @typedef {'good' | 'waiting' | 'bad' | ''} Tone */
/**
 * A text of the page in its language, `{name}` replaced; it stands written out where it is asked for.
 * @typedef {<T extends string>(text: string extends T ? never : T, values?: Record<string, string | number>) => string} Say
 */

/** @type {Readonly<Record<DeliveryState, Tone>>} */
const STATE_TONES = {
  queued: 'waiting',
  transmitting: 'waiting',
  sent: 'good',
  heard: 'good',
  delivered: 'good',
  unconfirmed: 'good',
  held: 'waiting',
  suppressed: '',
  stood_down: '',
  merged: '',
  expired: 'bad',
  failed: 'bad',
  sent_unknown: 'bad'
}

/** @param {DeliveryState} state */
export function toneOf(state) {
  return STATE_TONES[state]
}

/** @param {Say} t @returns {Readonly<Record<DeliveryState, string>>} */
export const stateNames = (t) => ({
  queued: t('Waiting its turn'),
  transmitting: t('Being sent'),
  sent: t('Sent'),
  heard: t('Heard'),
  delivered: t('Delivered'),
  unconfirmed: t('Sent, nobody heard repeating it'),
  held: t('Held'),
  suppressed: t('Withdrawn'),
  stood_down: t('Said by another station'),
  merged: t('Merged'),
  expired: t('Expired'),
  failed: t('Failed'),
  sent_unknown: t('Sent, outcome unknown')
})

/** @param {Say} t @returns {Readonly<Record<string, string>>} */
export const reasonNames = (t) => ({
  coalescing: t('waits for further pieces'),
  standby: t('listens whether another station says it'),
  standby_slot: t('waits for its turn among the stations'),
  heard_peer: t('another station was heard saying it'),
  pacing: t('pause between two texts'),
  airtime: t('waits for airtime'),
  channel_busy: t('the channel is busy'),
  next_part: t('the next part follows'),
  resend: t('no answer yet: offered again'),
  repeat: t('said again as a repeat'),
  no_radio: t('no radio'),
  radio_down: t('the radio is down'),
  no_channel: t('the radio has no such channel'),
  channel_disabled: t('the channel is disabled on the radio'),
  no_answer: t('no answer'),
  quiet_hours: t('quiet hours'),
  same_text: t('the channel heard these words already'),
  ended_quietly: t('it ended during the quiet hours'),
  ended_held: t('it ended while it was held'),
  summary: t('for the summary of what is in force'),
  queue_deadline: t('it waited until it was too late'),
  cancelled: t('the event was cancelled'),
  ended: t('the event ended'),
  interrupted: t('interrupted'),
  server_unavailable: t('the server does not answer'),
  server_refused: t('the server refused it'),
  below_min_severity: t('below the floor of the cell'),
  cooldown: t('cooling down'),
  duplicate: t('told already'),
  silenced: t('silenced'),
  muted: t('the cell is muted'),
  network_off: t('the matrix is off for this network'),
  inhibited: t('something graver is in force'),
  no_route: t('no cell, policy or rule'),
  outside: t('outside every area'),
  unlocated_weather: t('weather without a place'),
  unplaced: t('zones nobody here can place'),
  stale: t('too old'),
  expired: t('over'),
  cold_start: t('listed when its source started'),
  superseded: t('something newer was told'),
  notifications_off: t('notifications are off'),
  ended_by_time: t('ended by time'),
  nothing_to_cancel: t('nothing to cancel')
})

/** Reasons that only repeat what the state or the decision says. */
const SAYS_NOTHING = new Set(['nobody_heard', 'planned', 'cancel', 'pending', 'merged'])

/**
 * A reason in words; null for one that adds nothing. A word nobody foresaw is shown as it is.
 * @param {string | null} reason
 * @param {Say} t
 */
export function reasonName(reason, t) {
  if (reason === null || reason === '' || SAYS_NOTHING.has(reason)) return null
  const names = reasonNames(t)
  return Object.hasOwn(names, reason) ? (names[reason] ?? reason) : reason.replaceAll('_', ' ')
}

/** @param {Say} t @returns {Readonly<Record<Severity, string>>} */
export const severityNames = (t) => ({
  immediate: t('Immediate danger'),
  critical: t('Critical'),
  priority: t('Priority'),
  routine: t('Routine')
})

/** As the matrix names its floors. @param {Say} t @returns {Readonly<Record<Severity, string>>} */
export const floorNames = (t) => ({
  immediate: t('immediate'),
  critical: t('critical'),
  priority: t('priority'),
  routine: t('routine')
})

/** @param {Say} t @returns {Readonly<Record<Decision['kind'], string>>} */
export const decisionNames = (t) => ({
  send: t('Planned'),
  silent: t('Ended silently'),
  suppressed: t('Suppressed'),
  dropped: t('Dropped'),
  recorded: t('Recorded only'),
  unrouted: t('Not routed')
})

/**
 * @param {string} decision
 * @param {Say} t
 */
export function decisionName(decision, t) {
  /** @type {Readonly<Record<string, string>>} */
  const names = decisionNames(t)
  return Object.hasOwn(names, decision) ? (names[decision] ?? decision) : decision
}

/** @param {Say} t @returns {Readonly<Record<Lifecycle, string>>} */
export const lifecycleNames = (t) => ({
  new: t('new'),
  update: t('update'),
  cancel: t('cancelled'),
  expire: t('ended')
})

/** @param {Say} t @returns {Readonly<Record<TraceStep['stage'], string>>} */
export const stageNames = (t) => ({
  identity: t('Is it known already?'),
  clock: t('Was the clock set?'),
  storage: t('Were rows of lookout.db lost?'),
  thread: t('Which event does it belong to?'),
  tag: t('Which regions does it touch?'),
  gate: t('Does it concern the coverage?'),
  switch: t('Are notifications on?'),
  lifecycle: t('Is it an end, or late?'),
  cold_start: t('Was it there when its source started?'),
  staleness: t('Is it still news?'),
  matrix: t('Which cells match?'),
  toggle: t('Does the family policy send it?'),
  rule: t('Does a rule send it?'),
  destination: t('Where do policy and rules send it?'),
  silence: t('Is it silenced?'),
  inhibit: t('Is something graver in force?'),
  quiet: t('Are these quiet hours?'),
  cooldown: t('Does the region cool down?'),
  dedup: t('Was it told already?'),
  plan: t('What is sent?'),
  escalation: t('Has anybody acknowledged it?'),
  reminder: t('Does it still go on?'),
  fallback: t('Did the other network get through?')
})

/** @param {Say} t @returns {Readonly<Record<TraceStep['outcome'], string>>} */
export const outcomeNames = (t) => ({
  pass: t('passed'),
  stop: t('stopped'),
  match: t('matches'),
  skip: t('not'),
  send: t('planned'),
  merge: t('joined'),
  note: t('note')
})

/** @type {Readonly<Record<TraceStep['outcome'], Tone>>} */
export const OUTCOME_TONES = {
  pass: 'good',
  stop: 'bad',
  match: 'good',
  skip: '',
  send: '',
  merge: 'waiting',
  note: ''
}

/** Both networks by their names, which are the same in every language. */
export const NETWORK_NAMES = /** @type {const} */ ({ mt: 'Meshtastic', mc: 'MeshCore' })

/** How a radio is reached. @param {string} link @param {Say} t */
export const linkName = (link, t) =>
  link === 'simulated' ? t('simulated') : link === 'serial' ? t('serial') : link.toUpperCase()

/** `mt` as people say it; `email` says enough. @param {string} transport */
export const networkName = (transport) =>
  transport === 'mt' || transport === 'mc' ? NETWORK_NAMES[transport] : transport
