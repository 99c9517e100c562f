import { byteLength, cutToBytes } from './budget.ts'
import type { Draft } from './draft.ts'
import { cutDetail, cutWords, splitSentences, withoutStop } from './sentences.ts'
import { fitWhere } from './where.ts'

/** A fitted text and what it cost: optional segments that were dropped, and whether anything else was shortened. */
export interface Fitted {
  text: string
  dropped: string[]
  truncated: boolean
  /** Bytes of DETAIL and DO in it. */
  said: number
}

/** The texts of a message as they stand now. */
interface Texts {
  what: string
  subject: string
  facts: string
  where: string
  extra: string
  time: string
  detail: string
  do: string
  source: string
}

/** Optional segments in the order in which they are dropped. */
const DROPS = ['do', 'source', 'detail', 'extra', 'facts'] as const
/** Place names take this much, and more only when the rest of the message leaves room. */
const PLACES_BYTES = 40
/** WHERE keeps at least this much of a text whose title fills it. */
const LEAST_WHERE_BYTES = 16

function append(text: string, joint: string, piece: string): string {
  if (piece === '') return text
  if (text === '') return piece
  return text + (joint === '. ' && /[.!?]$/.test(text) ? ' ' : joint) + piece
}

function assemble(draft: Draft, texts: Texts): string {
  const detail = [draft.detailJoint, texts.detail] as const
  const time = [draft.time.joint, texts.time] as const
  const middle = draft.time.last ? [detail, time] : [time, detail]
  const pieces = [
    [' ', texts.subject],
    [' ', texts.facts],
    [draft.whereJoint, texts.where],
    [', ', texts.extra],
    ...middle,
    ['. ', texts.do],
    ['. ', texts.source]
  ] as const
  let text = texts.what
  for (const [joint, piece] of pieces) text = append(text, joint, piece)
  return text
}

const lengthOf = (draft: Draft, texts: Texts): number => byteLength(assemble(draft, texts))

/**
 * Writes a draft into `target` bytes. DO shortens and goes first, then all but the first sentence of DETAIL, then SOURCE, then
 * DETAIL, and last what saves lives; WHAT, WHERE and UNTIL never go and may use the bytes up to `limit`. `room` is what the whole may take when it is split
 * into parts; WHAT, WHERE and UNTIL then still fit in `limit`, that is, in the first part. Further place names fill it up to `names`.
 */
export function fitDraft(draft: Draft, target: number, limit: number, room = target, names = room): Fitted {
  const texts = mandatoryTexts(draft, target, limit)
  const whole = Math.max(room, lengthOf(draft, texts))
  const least = { ...texts }
  addOptional(draft, texts, whole)
  const spare = Math.min(whole, Math.max(names, lengthOf(draft, least))) - lengthOf(draft, texts)
  const where = widenWhere(draft, texts, Math.min(spare, limit - lengthOf(draft, least)))
  const full = fullTexts(draft)
  const shortened = (['what', 'subject', 'time', ...DROPS] as const).some(
    (role) => texts[role] !== '' && texts[role] !== full[role]
  )
  return {
    text: cutToBytes(assemble(draft, texts), Math.max(limit, room)).trimEnd(),
    dropped: DROPS.filter((role) => full[role] !== '' && texts[role] === ''),
    truncated: shortened || !where || (full.subject !== '' && texts.subject === ''),
    said: byteLength(texts.detail) + byteLength(texts.do)
  }
}

function fullTexts(draft: Draft): Texts {
  const { what, subject, facts, extra, detail, source } = draft
  return {
    what,
    subject,
    facts,
    where: '',
    extra,
    time: draft.time.variants[0] ?? '',
    detail,
    do: draft.guidance.join('. '),
    source
  }
}

/** WHAT, WHERE and UNTIL: within the target if they can, else within the limit. */
function mandatoryTexts(draft: Draft, target: number, limit: number): Texts {
  const texts: Texts = { ...fullTexts(draft), facts: '', extra: '', detail: '', do: '', source: '' }
  const widest = fitWhere(draft.where, limit, PLACES_BYTES).text
  const least = Math.min(byteLength(widest), LEAST_WHERE_BYTES, Math.floor(limit / 4))
  for (const variant of draft.time.variants) {
    texts.time = variant
    if (lengthOf(draft, texts) + draft.whereJoint.length + least <= limit) break
  }
  shortenHead(draft, texts, limit - draft.whereJoint.length - least)
  for (const goal of [target, limit]) {
    const fitted = fitWhere(draft.where, whereRoom(draft, texts, goal), PLACES_BYTES)
    texts.where = fitted.text
    if (fitted.everyRegion && fitted.text !== '') break
    texts.where = goal === limit ? fitted.text : ''
  }
  return texts
}

function whereRoom(draft: Draft, texts: Texts, goal: number): number {
  return goal - lengthOf(draft, { ...texts, where: '' }) - draft.whereJoint.length
}

/** Cuts the name, then the hazard's own text, so that everything without WHERE fits in `limit`. */
function shortenHead(draft: Draft, texts: Texts, limit: number): void {
  for (const role of ['subject', 'what'] as const) {
    const excess = lengthOf(draft, { ...texts, where: '' }) - limit
    if (excess <= 0 || texts[role] === '') continue
    const room = Math.max(role === 'what' ? 1 : 0, byteLength(texts[role]) - excess)
    texts[role] = cutWords(texts[role], room) || cutToBytes(texts[role], room).trim()
  }
}

/** The shape of a shorter form of the optional segments: how many sentences, and whether the source is named. */
interface Form {
  detail: readonly string[]
  guidance: readonly string[]
  source: boolean
  /** The freedom to cut DETAIL inside its sentence: at a clause, or wherever it must. */
  cut: 'never' | 'at a clause' | 'anywhere'
}

/**
 * Adds what fits `room`. An instruction that saves lives stays longest; then come the first sentence of DETAIL, the source,
 * what DETAIL goes on to say, and other advice. A sentence that is not the first is told whole or not at all.
 */
function addOptional(draft: Draft, texts: Texts, room: number): void {
  const { facts, extra, source } = draft
  Object.assign(texts, { facts, extra })
  for (const { guidance, ...attempt } of attempts(draft)) {
    if (!fillForms({ ...draft, guidance }, texts, { room, ...attempt })) continue
    restore(draft, texts, room)
    return
  }
  Object.assign(texts, { detail: '', do: '', source })
  for (const role of ['source', 'extra', 'facts'] as const) {
    if (lengthOf(draft, texts) <= room) break
    texts[role] = ''
  }
  restore(draft, texts, room)
}

interface Attempt {
  guidance: string[]
  /** The number of calls that have to be in it. */
  calls: number
  /** The freedom to cut DETAIL: between words, at a clause, or not at all. */
  cut: 'anywhere' | 'at a clause' | 'never'
}

/**
 * With what saves lives, even where DETAIL must be cut for it, but rather without where to go than without where it is; with what
 * else a grave one asks for, where nothing is cut; without.
 */
function attempts({ urgent, grave, guidance }: Draft): Attempt[] {
  const brief = guidance.map((call, at) => (at < urgent ? briefCall(call) : call))
  const saving = (['at a clause', 'anywhere'] as const).flatMap((cut) =>
    [guidance, brief].map((said): Attempt => ({ guidance: said, calls: urgent, cut }))
  )
  const asked: Attempt[] = grave && guidance.length > 0 ? [{ guidance, calls: 1, cut: 'never' }] : []
  return [...(urgent > 0 ? saving : asked), { guidance, calls: 0, cut: 'anywhere' }]
}

/** `Leave immediately`, of `Leave immediately using K-15 north`. */
function briefCall(call: string): string {
  const brief = call.replace(
    /(?<=\b(?:evacuate|leave|immediately|now|at once))(?: (?:by way of|using|via|by|on|along|through|toward|to) .*)$/i,
    ''
  )
  return /\b(?:evacuate|leave)\b/i.test(brief) ? brief : call
}

/** Writes the fullest form that fits, with at least the first `calls` sentences of guidance. Answers whether one did. */
function fillForms(
  draft: Draft,
  texts: Texts,
  { room, calls, cut }: Omit<Attempt, 'guidance'> & { room: number }
): boolean {
  for (const form of formsOf(draft, calls, room)) {
    texts.detail = withoutStop(form.detail.join(' '))
    texts.do = form.guidance.join('. ')
    texts.source = form.source ? draft.source : ''
    if (fitsCut(draft, texts, { room, freedoms: [form.cut, cut] })) return true
  }
  texts.detail = ''
  return calls > 0 && cut === 'anywhere' && lengthOf(draft, texts) <= room
}

/** Cuts DETAIL to `room` as freely as both allow. Answers whether the text fits and DETAIL still says something. */
function fitsCut(
  draft: Draft,
  texts: Texts,
  { room, freedoms }: { room: number; freedoms: readonly Attempt['cut'][] }
): boolean {
  const excess = lengthOf(draft, texts) - room
  if (excess <= 0) return true
  if (freedoms.includes('never')) return false
  texts.detail = cutDetail(texts.detail, byteLength(texts.detail) - excess)
  if (freedoms.includes('at a clause') && texts.detail.endsWith('...')) return false
  return texts.detail !== '' && lengthOf(draft, texts) <= room
}

/** The forms of a message from the fullest to the first sentence of DETAIL alone, which may be cut; those that `room` bytes never hold left out. */
function formsOf({ detail, guidance, source }: Draft, calls: number, room: number): Form[] {
  const all = splitSentences(detail)
  const sentences = all.slice(0, countWithin(all, room))
  const named = { source: source !== '', cut: 'never' } as const
  const whole = (count: number): Form => ({ ...named, detail: all, guidance: guidance.slice(0, count) })
  const most = sentences.length < all.length ? 0 : countWithin(guidance, room)
  const fuller = guidance.flatMap((_, at) => {
    const count = guidance.length - at + calls
    return at < calls || count > most ? [] : [whole(count)]
  })
  const least = guidance.slice(0, calls)
  const shorter = [...sentences.keys()]
    .reverse()
    .map((last): Form => ({ ...named, detail: all.slice(0, last + 1), guidance: least }))
  return [
    ...fuller,
    whole(calls),
    ...shorter.slice(0, -1),
    ...figuresIn(all, least),
    ...shorter.slice(-1),
    { detail: all.slice(0, 1), guidance: least, source: false, cut: 'anywhere' }
  ]
}

/** `Heavy snow.` alone leaves out how much: the second sentence, cut at a clause, before the first alone. */
function figuresIn([first = '', second = '']: readonly string[], guidance: readonly string[]): Form[] {
  if (/\d/.test(first) || !/\d/.test(second)) return []
  return [{ detail: [first, second], guidance, source: false, cut: 'at a clause' }]
}

/**
 * The number of them that a text of `room` bytes may hold: all before the last of these surely find room by themselves.
 */
function countWithin(sentences: readonly string[], room: number): number {
  let used = 0
  const first = sentences.findIndex((sentence) => {
    used += byteLength(sentence) + 1
    return used > room
  })
  return first < 0 ? sentences.length : first + 1
}

/** A cut or a loss of DETAIL may make room again for what went before it. */
function restore(draft: Draft, texts: Texts, room: number): void {
  if (texts.source === '' && lengthOf(draft, { ...texts, source: draft.source }) <= room) texts.source = draft.source
  if (texts.do !== '') return
  for (let count = draft.guidance.length; count >= 0; count--) {
    texts.do = draft.guidance.slice(0, count).join('. ')
    if (lengthOf(draft, texts) <= room) return
  }
}

/** Gives room that is left over to place names. Answers whether every name is there. */
function widenWhere(draft: Draft, texts: Texts, spare: number): boolean {
  const room = byteLength(texts.where) + Math.max(0, spare)
  const fitted = fitWhere(draft.where, room, Math.max(PLACES_BYTES, room))
  if (byteLength(fitted.text) >= byteLength(texts.where)) texts.where = fitted.text
  return fitted.full
}
