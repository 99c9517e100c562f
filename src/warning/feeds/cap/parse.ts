import { isTestCode } from '../../../model/classify.ts'
import { because, type Reason } from '../../../model/reason.ts'
import type { Severity } from '../../../model/severity.ts'
import { chainThreads, messageName } from '../../../model/thread.ts'
import { formatTime } from '../../../model/time.ts'
import { AppError } from '../../../platform/errors.ts'
import { type ParsedFeed, type ParseOptions, TEST_REASON } from '../feed.ts'
import { type Bulletin, parseReferences, standingOf } from '../reading/bulletin.ts'
import { looseTime } from '../reading/loose.ts'
import { parseVtec } from '../reading/vtec.ts'
import { childrenOf, childText, childTexts, type Element, parseXml } from '../reading/xml.ts'
import { placeOf } from './area.ts'
import { type CapParts, eventCodes, levelOf, parameters, toEvent } from './event.ts'
import { otherTongues, wordsIn } from './tongues.ts'

const FEED = 'CAP'

export interface CapOptions extends ParseOptions {
  /** `source` of the events, default `cap`. */
  source?: string
  /** Language to read, BCP 47, default `en`; `en` reads `en-US` too. */
  language?: string
  /** The hours from its effect for which an alert without `expires` is taken to hold; default 24. */
  defaultExpiresHours?: number
  /** The CAP category of an alert that names none; default `Other`. */
  category?: string
  /** Of a network with a scale of its own: the level, or null for an info that says that nothing is to be expected. */
  level?: (info: Element, byCap: Severity) => Severity | null
}

/**
 * One CAP 1.1 or 1.2 `<alert>`, any namespace prefix, in one language. What is not actual and public is skipped.
 * Throws AppError `bad-input` for anything that is not a whole CAP document.
 */
export function parseCap(text: string, options: CapOptions): ParsedFeed {
  const alert = parseXml(text, FEED)
  if (alert.name !== 'alert') {
    throw new AppError('bad-input', because('body_no_alert', { feed: FEED, root: alert.name }))
  }
  const sent = looseTime(childText(alert, 'sent'))
  return { kind: 'cap', ...readAlertElement(alert, options), updated: sent === null ? null : formatTime(sent) }
}

/** The events of one `<alert>` element. Never throws: what cannot be told is skipped with its reason. */
export function readAlertElement(alert: Element, options: CapOptions): Pick<ParsedFeed, 'events' | 'skipped'> {
  const id = childText(alert, 'identifier')
  const sent = looseTime(childText(alert, 'sent'))
  const reason = unfit(alert, id, sent)
  if (reason !== null || sent === null)
    return { events: [], skipped: [{ id, reason: reason ?? because('no_time_of_sending') }] }
  return read(alert, id, sent, options)
}

function unfit(alert: Element, id: string, sent: number | null): Reason | null {
  const [status, type, scope] = [word(alert, 'status'), word(alert, 'msgType'), word(alert, 'scope')]
  if (status !== 'Actual') return ['Test', 'Exercise', 'Draft'].includes(status) ? TEST_REASON : otherStatus(status)
  if (id === '' || childText(alert, 'sender') === '') return because('no_identifier_or_sender')
  if (sent === null) return because('no_readable_sent')
  if (!['Alert', 'Update', 'Cancel'].includes(type))
    return type === '' ? because('msg_type_missing') : because('other_msg_type', { type })
  return scope === '' || scope === 'Public' ? null : because('other_scope', { scope })
}

const otherStatus = (status: string): Reason =>
  status === '' ? because('status_missing') : because('other_status', { status })

/** A word of an enumeration in the spelling of CAP: some senders write it in capitals. */
function word(element: Element, name: string): string {
  const text = childText(element, name)
  return `${text.charAt(0).toUpperCase()}${text.slice(1).toLowerCase()}`
}

function read(alert: Element, id: string, sent: number, options: CapOptions): Pick<ParsedFeed, 'events' | 'skipped'> {
  const all = childrenOf(alert, 'info')
  const infos = inLanguage(all, options.language ?? 'en')
  const others = otherTongues(all, infos)
  if (infos.some((info) => isTestCode(eventCodes(info)))) return { events: [], skipped: [{ id, reason: TEST_REASON }] }
  const views = infos.map((info) => viewOf(info, alert, id, sent, options))
  const running = views.filter(({ allClear }) => !allClear)
  const told = running.length === 0 ? views : running
  const skipped = told.length === views.length ? [] : [{ id, reason: because('partly_all_clear') }]
  const bare = viewOf({ name: 'info', text: '', children: [] }, alert, id, sent, options)
  const chosen = distinct(told.length === 0 ? [bare] : told)
  if (chosen.some((view) => view.level === null && view.standing.lifecycle === 'new'))
    return { events: [], skipped: [{ id, reason: because('nothing_expected') }] }
  const events = chosen.map((view, index) => {
    const event = toEvent({ ...view, options })
    const tongues = others(view.info).map(({ language, info }) => {
      const said = toEvent({ ...viewOf(info, alert, id, sent, options), options })
      return [language, wordsIn(said, info)] as const
    })
    if (tongues.length > 0) event.data.tongues = Object.fromEntries(tongues)
    return { ...event, id: index === 0 ? id : `${id}#${index + 1}`, thread_id: threadOf(view.bulletin, view.standing) }
  })
  return { events, skipped }
}

/** One info, and how it is to be read. `level` is null when its network says that nothing is to be expected. */
type View = Pick<CapParts, 'info' | 'bulletin' | 'standing' | 'allClear' | 'level'>

function viewOf(info: Element, alert: Element, id: string, sent: number, options: CapOptions): View {
  const bulletin = bulletinOf(alert, info, id, sent)
  const standing = standingOf(bulletin)
  const cleared = isAllClear(info)
  const byCap = levelOf({ info, bulletin, standing, allClear: cleared })
  const level = options.level === undefined || info.children.length === 0 ? byCap : options.level(info, byCap)
  const allClear = cleared || level === null
  // An all-clear that updates something is its end, in whatever words the sender's system puts it.
  const lifecycle = allClear && standing.lifecycle === 'update' ? 'cancel' : standing.lifecycle
  return { info, bulletin, standing: { ...standing, lifecycle }, allClear, level }
}

/** Some senders repeat an info with nothing new in it but a postcode. The first one stays. */
function distinct(views: readonly View[]): View[] {
  if (views.length < 2) return [...views]
  const firsts = new Map(views.map((view) => [contentOf(view.info), view] as const).reverse())
  const kept = new Set(firsts.values())
  return views.filter((view) => kept.has(view))
}

function contentOf(info: Element): string {
  const told = ['event', 'severity', 'urgency', 'expires', 'headline', 'description'].map((name) =>
    childText(info, name)
  )
  const { otherCodes: _, ...place } = placeOf(info)
  return JSON.stringify([told, place])
}

function isAllClear(info: Element): boolean {
  return childTexts(info, 'responseType').some((text) => text.toLowerCase() === 'allclear')
}

function bulletinOf(alert: Element, info: Element, identifier: string, sent: number): Bulletin {
  const sender = childText(alert, 'sender')
  const references = parseReferences(childText(alert, 'references'))
  const { zones, same } = placeOf(info)
  return {
    sender,
    identifier,
    sent,
    messageType: word(alert, 'msgType'),
    event: childText(info, 'event'),
    // Some senders refer to themselves.
    references: references.filter((to) => to.identifier !== identifier || to.sender !== sender),
    vtec: parseVtec(parameters(info, 'VTEC').join('\n')),
    zones: zones.length === 0 ? same : zones
  }
}

function threadOf(bulletin: Bulletin, standing: { own: string; vtec: unknown }): string {
  if (standing.vtec !== null) return standing.own
  const { sender, identifier } = bulletin
  return chainThreads([{ ...bulletin, own: standing.own }]).get(messageName(sender, identifier)) ?? standing.own
}

/** Infos in the wanted language, else in English, else in that of the first. CAP 1.2: without `language` it is en-US. */
function inLanguage(infos: readonly Element[], wanted: string): Element[] {
  const speaking = (language: string): Element[] => infos.filter((info) => speaks(languageOf(info), language))
  const [first] = infos
  if (first === undefined) return []
  const candidates = [speaking(wanted), speaking('en'), infos.filter((info) => languageOf(info) === languageOf(first))]
  const chosen = candidates.find((list) => list.length > 0) ?? []
  // Of two regional variants of a language (en-CA, en-US) one is enough.
  const exact = chosen[0] === undefined ? '' : languageOf(chosen[0])
  return chosen.filter((info) => languageOf(info) === exact)
}

function languageOf(info: Element): string {
  return (childText(info, 'language') || 'en-US').toLowerCase()
}

function speaks(language: string, wanted: string): boolean {
  return language === wanted.toLowerCase() || language.startsWith(`${wanted.toLowerCase()}-`)
}
