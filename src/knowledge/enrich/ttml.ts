import { type SaxesAttributePlain, SaxesParser } from 'saxes'
import { because } from '../../model/reason.ts'
import { AppError, errorText } from '../../platform/errors.ts'

/** A document says otherwise in `ttp:frameRate` and `ttp:tickRate` (TTML2, §7.2). */
const FRAME_RATE = 30
const MOST_CUES = 100_000
const MOST_DEPTH = 64

interface Rates {
  frame: number
  tick: number
}

interface Shown {
  start: number
  end: number
  text: string
}

/** True for what begins like a document of TTML. */
export function looksLikeTtml(head: string): boolean {
  return /^\ufeff?\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--[\s\S]{0,2000}?-->\s*)?<(?:\w{1,20}:)?tt[\s>]/.test(head)
}

/**
 * Captions in TTML (W3C, also called DFXP; as in IMSC and EBU-TT-D) as WebVTT: what every `p` shows and when, without regions and styles.
 * Times count from the element around them where that has a begin of its own. @throws AppError `invalid` for what is no such document.
 */
export function vttOfTtml(text: string): string {
  const shown: Shown[] = []
  try {
    read(text, (one) => {
      if (shown.length < MOST_CUES) shown.push(one)
    })
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('invalid', because('captions_not_xml', { said: errorText(error) }), { cause: error })
  }
  const cues = shown
    .sort((a, b) => a.start - b.start)
    .map((one) => `${clock(one.start)} --> ${clock(one.end)}\n${one.text}\n`)
  return `WEBVTT\n\n${cues.join('\n')}`
}

interface Open {
  start: number
  end: number
}

function read(text: string, show: (one: Shown) => void): void {
  const parser = new SaxesParser({ xmlns: false })
  const rates: Rates = { frame: FRAME_RATE, tick: 1 }
  const open: Open[] = []
  let words: string | null = null
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length > MOST_DEPTH) throw new AppError('invalid', because('captions_not_xml', { said: 'depth' }))
    const tag = localName(name)
    if (open.length === 0) readRates(attributes, rates, tag)
    open.push(timesOf(attributes, open.at(-1) ?? { start: 0, end: Number.POSITIVE_INFINITY }, rates))
    if (tag === 'p') words = ''
    else if (tag === 'br' && words !== null) words += '\n'
  })
  const say = (said: string): void => {
    if (words !== null) words += said
  }
  parser.on('text', say)
  parser.on('cdata', say)
  parser.on('closetag', ({ name }) => {
    const times = open.pop()
    if (localName(name) !== 'p' || words === null || times === undefined) return
    const lines = words.split('\n').map((line) => line.replace(/\s+/g, ' ').trim())
    const kept = lines.filter((line) => line !== '').join('\n')
    if (kept !== '')
      show({ start: times.start, end: Number.isFinite(times.end) ? times.end : times.start, text: escaped(kept) })
    words = null
  })
  parser.write(text.replace(/^\ufeff/, '').trimStart()).close()
}

type Attributes = Readonly<Record<string, SaxesAttributePlain['value']>>

function readRates(attributes: Attributes, rates: Rates, tag: string): void {
  if (tag !== 'tt') throw new AppError('invalid', because('captions_not_ttml', { tag }))
  for (const [name, value] of Object.entries(attributes)) {
    const rate = Number(value)
    if (!(rate > 0)) continue
    if (localName(name) === 'frameRate') rates.frame = rate
    if (localName(name) === 'tickRate') rates.tick = rate
  }
}

function timesOf(attributes: Attributes, around: Open, rates: Rates): Open {
  const begin = secondsOf(attributes['begin'], rates)
  const end = secondsOf(attributes['end'], rates)
  const lasts = secondsOf(attributes['dur'], rates)
  const start = around.start + (begin ?? 0)
  const until = end === null ? Number.POSITIVE_INFINITY : around.start + end
  return { start, end: Math.max(start, Math.min(until, lasts === null ? around.end : start + lasts, around.end)) }
}

/** A time expression (TTML2, §12.3.1); null where there is none that can be read. */
function secondsOf(value: string | undefined, { frame, tick }: Rates): number | null {
  const clockTime = /^\s*(\d{1,4}):(\d\d):(\d\d)(?:\.(\d{1,9})|:(\d{1,3})(?:\.\d+)?)?\s*$/.exec(value ?? '')
  if (clockTime !== null) {
    const [, hours, minutes, seconds, part = '', frames = '0'] = clockTime
    const whole = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
    return whole + Number(`0.${part || '0'}`) + Number(frames) / frame
  }
  const offset = /^\s*(\d{1,12}(?:\.\d{1,9})?)(h|ms|m|s|f|t)\s*$/.exec(value ?? '')
  if (offset === null) return null
  const [, amount, unit] = offset
  const sizes: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001, f: 1 / frame, t: 1 / tick }
  return Number(amount) * (sizes[unit ?? ''] ?? 1)
}

function clock(seconds: number): string {
  const ms = Math.round(seconds * 1000)
  const two = (value: number): string => String(value).padStart(2, '0')
  const rest = String(ms % 1000).padStart(3, '0')
  return `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)}.${rest}`
}

/** Signs that would look like the markup of WebVTT are written as entities. */
const escaped = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)
