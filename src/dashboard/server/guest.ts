import type { LookoutEvent } from '../../model/event.ts'
import { REASON_PARAMS, type Reason, type ReasonValue } from '../../model/reason.ts'
import type { Language } from '../../model/words/languages.ts'
import { sentenceOf } from '../../model/words/sentences.ts'

/** Whoever an answer is for: the language, and whether it is somebody who may only read (contract §10). */
export interface Asker {
  language: Language
  isGuest: boolean
}

const HIDDEN = '…'

/** Values of reasons that say where something of this station is: an address, a device, a file, a node, an account. */
const PLACES: ReadonlySet<string> = new Set([
  ...['host', 'port', 'link', 'where', 'address', 'redirect', 'proxy', 'url', 'topic', 'topics', 'subjects', 'stream'],
  ...['path', 'folder', 'file', 'usb', 'serial', 'serials', 'client', 'durable', 'user', 'recipient', 'recipients'],
  ...['node', 'contact', 'sender', 'sample', 'sentence']
])

/** A scheme has at most 16 letters: a long word costs no time. Before the last @ stands a name and a password, whatever it holds. */
const URLS = /\b([a-z][a-z0-9+.-]{0,15}:\/\/)(?:[^\s/"'\\<>]*@)?([^\s/?#"'\\<>()@]*)[^\s"'\\<>()]*/gi
const IN_WORDS: readonly [RegExp, string][] = [
  // Said by the system: the name comes behind the code.
  [/\b(ENOTFOUND|EAI_AGAIN|ECONN[A-Z]+|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EADDR[A-Z]+|ENOENT|EACCES)\b[^,;]*/g, '$1'],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g, HIDDEN],
  [/\[?\b(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{1,4}\b\]?(?::\d{1,5})?/gi, HIDDEN],
  [/\b[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}:\d{1,5}\b/g, HIDDEN],
  [/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,8}/g, HIDDEN],
  [/![0-9a-f]{8}\b/gi, HIDDEN],
  [/\b[0-9a-f]{12,}\b/gi, HIDDEN],
  [/(?<![\w<:/.])~?\/[\w.@:+-]+(?:\/[\w.@:+-]*)*/g, HIDDEN]
]

/** Of every address no more than scheme and host. */
export function publicUrls(text: string): string {
  return text.includes('://') ? text.replace(URLS, '$1$2') : text
}

/** An event whose addresses are no more than scheme and host. */
export function publicEvent(event: LookoutEvent): LookoutEvent {
  const text = JSON.stringify(event)
  return text.includes('://') ? JSON.parse(publicUrls(text)) : event
}

/** Somebody's words without the places of this station that stand in them; of addresses scheme and host. */
function publicWords(text: string): string {
  let told = ''
  let from = 0
  for (const match of text.matchAll(URLS)) {
    told += `${withoutPlaces(text.slice(from, match.index))}${match[1] ?? ''}${match[2] ?? ''}`
    from = match.index + match[0].length
  }
  return told + withoutPlaces(text.slice(from))
}

function withoutPlaces(text: string): string {
  let told = text
  for (const [pattern, instead] of IN_WORDS) told = told.replace(pattern, instead)
  return told
}

/** The reason as a guest may know it: numbers, times and the program's own words as they are. */
export function publicReason<Known extends Reason>(reason: Known): Known {
  const kinds: Readonly<Record<string, string>> = REASON_PARAMS[reason.code]
  const params = Object.entries(reason.params).map(([name, value]) => [name, publicValue(name, kinds[name], value)])
  return { ...reason, params: Object.fromEntries(params) }
}

function publicValue(name: string, kind: string | undefined, value: ReasonValue): ReasonValue {
  if (typeof value === 'object' && 'code' in value) return publicReason(value)
  if (typeof value === 'object') return value.map((one) => publicPart(name, one))
  if (typeof value === 'number' || kind === 'word') return value
  return publicPart(name, value)
}

function publicPart(name: string, value: string): string
function publicPart(name: string, value: string | Reason): string | Reason
function publicPart(name: string, value: string | Reason): string | Reason {
  if (typeof value !== 'string') return publicReason(value)
  return PLACES.has(name) ? HIDDEN : publicWords(value)
}

/** The sentence of a reason, for whoever asks. */
export function toldTo(reason: Reason, { language, isGuest }: Asker): string {
  return sentenceOf(isGuest ? publicReason(reason) : reason, language)
}

/** The author of an order: nodes and accounts are the operator's to know. */
export function authorFor(author: string, { isGuest }: Pick<Asker, 'isGuest'>): string {
  return isGuest && author !== 'operator' ? HIDDEN : author
}
