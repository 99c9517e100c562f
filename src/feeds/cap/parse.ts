import { isTestCode } from '../../events/classify.ts'
import { chainThreads, messageName } from '../../events/thread.ts'
import { formatTime, parseTime } from '../../events/time.ts'
import { AppError } from '../../lib/errors.ts'
import { type Bulletin, parseReferences, standingOf } from '../bulletin.ts'
import { type ParsedFeed, type ParseOptions, TEST_REASON } from '../feed.ts'
import { parseVtec } from '../vtec.ts'
import { childrenOf, childText, childTexts, type Element, parseXml } from '../xml.ts'
import { placeOf } from './area.ts'
import { eventCodes, parameters, toEvent } from './event.ts'

const FEED = 'CAP'

export interface CapOptions extends ParseOptions {
  /** `source` of the events, default `cap`. */
  source?: string
  /** Language to read, BCP 47, default `en`; `en` reads `en-US` too. */
  language?: string
}

/**
 * One CAP 1.1 or 1.2 `<alert>`, any namespace prefix, in one language. What is not actual and public is skipped.
 * Throws AppError `bad-input` for anything that is not a whole CAP document.
 */
export function parseCap(text: string, options: CapOptions): ParsedFeed {
  const alert = parseXml(text, FEED)
  if (alert.name !== 'alert') {
    throw new AppError('bad-input', `${FEED}: the document is a <${alert.name}>, not an <alert>.`)
  }
  const id = childText(alert, 'identifier')
  const sent = parseTime(childText(alert, 'sent'))
  const updated = sent === null ? null : formatTime(sent)
  const reason = unfit(alert, id, sent)
  if (reason !== null || sent === null) {
    return { kind: 'cap', events: [], skipped: [{ id, reason: reason ?? 'no time of sending' }], updated }
  }
  return { kind: 'cap', ...read(alert, id, sent, options), updated }
}

function unfit(alert: Element, id: string, sent: number | null): string | null {
  const status = childText(alert, 'status')
  const [type, scope] = [childText(alert, 'msgType'), childText(alert, 'scope')]
  if (status !== 'Actual')
    return ['Test', 'Exercise', 'Draft'].includes(status) ? TEST_REASON : `status ${status || 'missing'}`
  if (id === '' || childText(alert, 'sender') === '') return 'no identifier or no sender'
  if (sent === null) return 'no readable time of sending'
  if (!['Alert', 'Update', 'Cancel'].includes(type)) return `msgType ${type || 'missing'}`
  return scope === '' || scope === 'Public' ? null : `scope ${scope}`
}

function read(alert: Element, id: string, sent: number, options: CapOptions): Pick<ParsedFeed, 'events' | 'skipped'> {
  const infos = inLanguage(childrenOf(alert, 'info'), options.language ?? 'en')
  if (infos.some((info) => isTestCode(eventCodes(info, 'SAME'))))
    return { events: [], skipped: [{ id, reason: TEST_REASON }] }
  const running = infos.filter((info) => !isAllClear(info))
  const told = running.length === 0 ? infos : running
  const skipped = told.length === infos.length ? [] : [{ id, reason: 'all clear for a part of it; the rest goes on' }]
  const bare: Element = { name: 'info', text: '', children: [] }
  const events = distinct(told.length === 0 ? [bare] : told).map((info, index) => {
    const bulletin = bulletinOf(alert, info, id, sent)
    const standing = standingOf(bulletin)
    const allClear = isAllClear(info)
    // An all-clear that updates something is its end, in whatever words the sender's system puts it.
    const lifecycle = allClear && standing.lifecycle === 'update' ? 'cancel' : standing.lifecycle
    const event = toEvent({ info, bulletin, standing: { ...standing, lifecycle }, allClear, options })
    return { ...event, id: index === 0 ? id : `${id}#${index + 1}`, thread_id: threadOf(bulletin, standing) }
  })
  return { events, skipped }
}

/** Some senders repeat an info with nothing new in it but a postcode. The first one stays. */
function distinct(infos: readonly Element[]): Element[] {
  const byContent = new Map(infos.map((info) => [contentOf(info), info] as const).reverse())
  return infos.filter((info) => byContent.get(contentOf(info)) === info)
}

function contentOf(info: Element): string {
  const told = ['event', 'severity', 'urgency', 'expires', 'headline', 'description'].map((name) =>
    childText(info, name)
  )
  const { otherCodes: _, ...place } = placeOf(info)
  return JSON.stringify([told, place])
}

function isAllClear(info: Element): boolean {
  return childTexts(info, 'responseType').includes('AllClear')
}

function bulletinOf(alert: Element, info: Element, identifier: string, sent: number): Bulletin {
  const sender = childText(alert, 'sender')
  const references = parseReferences(childText(alert, 'references'))
  return {
    sender,
    identifier,
    sent,
    messageType: childText(alert, 'msgType'),
    event: childText(info, 'event'),
    // Some senders refer to themselves.
    references: references.filter((to) => to.identifier !== identifier || to.sender !== sender),
    vtec: parseVtec(parameters(info, 'VTEC').join('\n')),
    zones: placeOf(info).zones
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
