/**
 * The kinds of message there are (docs/interface.md §6), and the questions that are asked of a kind. Whoever has to tell messages apart
 * asks here; docs/states.md is drawn from it.
 */

/** Reasons of messages that wait for the end of something else than a radio: quiet hours, a cooldown, the first listings after a start. */
export const HOLD_REASONS = ['quiet_hours', 'cooldown', 'summary', 'inhibited'] as const
export type HoldReason = (typeof HOLD_REASONS)[number]

/** The ways on which an alert comes to a channel. */
export const ALERT_PATHS = ['matrix', 'toggle', 'rule', 'escalation', 'reminder', 'fallback'] as const
export type AlertPath = (typeof ALERT_PATHS)[number]

/** Texts that are final when they are stored, and speak of no event. */
export const FINAL_KINDS = ['reply', 'broadcast', 'test', 'notice', 'alert_packet', 'waypoint'] as const
export type FinalKind = (typeof FINAL_KINDS)[number]

/** The news of an event, or a word of it that is said again. */
export interface AlertContent {
  kind: 'alert'
  says: 'new' | 'update'
  path: AlertPath
}

/** A message, by what it holds. */
export type MessageContent =
  | AlertContent
  | { kind: 'end' }
  | { kind: 'digest'; of: HoldReason }
  | { [Kind in FinalKind]: { kind: Kind } }[FinalKind]
export type ContentKind = MessageContent['kind']

interface Traits {
  /**
   * Where its words come from: its event or its members, composed at the first attempt and free again when a radio refuses them; or
   * `given`, final from the beginning.
   */
  words: 'event' | 'members' | 'given'
  /** It is held while notifications are off, and its failure is one of the station. */
  notifies: boolean
  /** It is refused while nothing can be stored: no warning waits for it. */
  needsStorage: boolean
}

export const CONTENT_TRAITS = {
  alert: { words: 'event', notifies: true, needsStorage: false },
  end: { words: 'event', notifies: true, needsStorage: false },
  digest: { words: 'members', notifies: true, needsStorage: false },
  reply: { words: 'given', notifies: false, needsStorage: false },
  broadcast: { words: 'given', notifies: true, needsStorage: true },
  test: { words: 'given', notifies: true, needsStorage: true },
  notice: { words: 'given', notifies: true, needsStorage: false },
  alert_packet: { words: 'given', notifies: true, needsStorage: false },
  waypoint: { words: 'given', notifies: true, needsStorage: false }
} as const satisfies Record<ContentKind, Traits>
export const CONTENT_KINDS = Object.keys(CONTENT_TRAITS) as ContentKind[]

/** It speaks of one event, and is over with it. */
export function isOfOneEvent({ kind }: MessageContent): boolean {
  return CONTENT_TRAITS[kind].words === 'event'
}

/** Its words are made when it is tried, and made anew when a radio has refused them. */
export function isComposed({ kind }: MessageContent): boolean {
  return CONTENT_TRAITS[kind].words !== 'given'
}

/** It says again what goes on, hours later: nobody is rung for it. */
export function isReminder(content: MessageContent): boolean {
  return content.kind === 'alert' && content.path === 'reminder'
}

/** The news that a message is to its listener, in the word of texts and of the API. */
export const MESSAGE_KINDS = ['new', 'update', 'cancel'] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** The way a message came: of an alert its own, of others their kind. A word of the API and of the stored row. */
export const MESSAGE_PATHS = [...ALERT_PATHS, 'cancel', 'digest', ...FINAL_KINDS] as const
export type MessagePath = (typeof MESSAGE_PATHS)[number]

/** An alert as a decision plans it. */
export type AlertWords = { kind: AlertContent['says']; path: AlertPath }
/** An alert or an end as a decision plans it. */
export type Told = AlertWords | { kind: 'cancel'; path: 'cancel' }

/** The two words of a message. */
export interface ContentWords {
  kind: MessageKind
  path: MessagePath
}

export function wordsOf(content: MessageContent): ContentWords {
  switch (content.kind) {
    case 'alert':
      return { kind: content.says, path: content.path }
    case 'end':
      return { kind: 'cancel', path: 'cancel' }
    case 'digest':
    case 'reply':
    case 'broadcast':
    case 'test':
    case 'notice':
    case 'alert_packet':
    case 'waypoint':
      return { kind: 'new', path: content.kind }
  }
}

/** The kind of the messages that came on a way. */
export const KIND_OF_PATH = {
  matrix: 'alert',
  toggle: 'alert',
  rule: 'alert',
  escalation: 'alert',
  reminder: 'alert',
  fallback: 'alert',
  cancel: 'end',
  digest: 'digest',
  reply: 'reply',
  broadcast: 'broadcast',
  test: 'test',
  notice: 'notice',
  alert_packet: 'alert_packet',
  waypoint: 'waypoint'
} as const satisfies Record<MessagePath, ContentKind>

/** The content of what a decision plans. */
export function contentOf(told: Told): AlertContent | { kind: 'end' } {
  return told.kind === 'cancel' ? { kind: 'end' } : { kind: 'alert', says: told.kind, path: told.path }
}

/** The content by the words of a stored row; null where they make none: no version wrote them. */
export function contentFrom(kind: string, path: string, of: string | null): MessageContent | null {
  const known = MESSAGE_PATHS.find((one) => one === path)
  if (known === undefined) return null
  switch (known) {
    case 'matrix':
    case 'toggle':
    case 'rule':
    case 'escalation':
    case 'reminder':
    case 'fallback':
      return kind === 'new' || kind === 'update' ? { kind: 'alert', says: kind, path: known } : null
    case 'cancel':
      return { kind: 'end' }
    case 'digest': {
      const reason = HOLD_REASONS.find((one) => one === of)
      return reason === undefined ? null : { kind: 'digest', of: reason }
    }
    case 'reply':
    case 'broadcast':
    case 'test':
    case 'notice':
    case 'alert_packet':
    case 'waypoint':
      return { kind: known }
  }
}
