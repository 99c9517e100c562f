import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatTime } from '../../src/model/time.ts'
import { fixture } from '../helpers/fixtures.ts'
import { EXPECTED } from '../warning/feeds/recordings.ts'
import { MADE } from './fuzz-feed-made.ts'
import { DAY_START, PROVIDED } from './sources-bodies.ts'

/** Valid bodies of every kind of source: those that the repository makes, and short cuts of the recordings where they are there. */

export interface FeedCorpus {
  kind: string
  settings: object
  now: string
  bodies: string[]
}

const LONGEST = 6000
/** Elements that documents of warnings repeat: one of each is enough for a case. */
const REPEATED = ['item', 'entry', 'situation', 'situationRecord', 'info', 'area', 'geocode', 'parameter', 'resource']
/** How much of a text is left, and how many lines of one that has no marks. */
const SHORT = [
  { letters: 240, lines: 25 },
  { letters: 60, lines: 12 }
] as const

/** The same body with one of everything, for the million: a case takes as long as its input. */
function withOneOfEach(text: string, { letters, lines }: (typeof SHORT)[number]): string {
  const start = text.trimStart()
  if (start.startsWith('{') || start.startsWith('[')) return JSON.stringify(fewOf(JSON.parse(text), 1, letters))
  if (!start.startsWith('<')) return text.split('\n').slice(0, lines).join('\n')
  let few = text
  for (const name of REPEATED)
    few = few.replace(
      new RegExp(
        `(<(?:[\\w-]+:)?${name}[\\s>][^]*?</(?:[\\w-]+:)?${name}>)(?:\\s*<((?:[\\w-]+:)?${name})[\\s>][^]*?</\\2>)+`,
        'g'
      ),
      '$1'
    )
  return few.replace(new RegExp(`(?<=>[^<]{${letters}})[^<]+`, 'g'), '')
}

/** The same recording with few of everything: a case takes as long as its input. */
function shortened(text: string): string {
  if (text.length <= LONGEST) return text
  const start = text.trimStart()
  if (start.startsWith('{') || start.startsWith('[')) return JSON.stringify(fewOf(JSON.parse(text), 3, 1200))
  if (!start.startsWith('<')) return text.split('\n').slice(0, 40).join('\n')
  const end = /<\/(?:item|entry|situation|info|area)>/g
  end.exec(text)
  end.exec(text)
  const last = Math.max(
    ...['</item>', '</entry>', '</situation>', '</info>', '</area>'].map((tag) => text.lastIndexOf(tag))
  )
  return end.lastIndex === 0
    ? text.slice(0, 4 * LONGEST)
    : text.slice(0, end.lastIndex) + text.slice(text.indexOf('>', last) + 1)
}

function fewOf(value: unknown, most: number, letters: number): unknown {
  if (Array.isArray(value)) {
    const isRing = typeof value[0] === 'number' || Array.isArray(value[0])
    return value.slice(0, isRing ? 8 : most).map((one) => fewOf(one, most, letters))
  }
  if (typeof value === 'string') return value.slice(0, letters)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fewOf(inner, most, letters)]))
}

/** Pushed kinds are read by tests of their own. */
const NOT_READ = new Set(['mqtt', 'nats', 'mesh_health', 'folder', 'cap_stream'])

/** Every kind that reads bodies, with at least one. */
export function feedCorpus(): FeedCorpus[] {
  const found = new Map<string, FeedCorpus>()
  const add = (kind: string, settings: object, now: string, body: string): void => {
    if (NOT_READ.has(kind)) return
    const one = found.get(kind) ?? { kind, settings, now, bodies: [] }
    const short = shortened(body)
    for (const text of new Set([short, ...SHORT.map((most) => withOneOfEach(short, most))]))
      if (!one.bodies.includes(text)) one.bodies.push(text)
    found.set(kind, one)
  }
  for (const [kind, settings, ...bodies] of MADE)
    for (const body of bodies) add(kind, settings, formatTime(DAY_START), body)
  for (const { source, bodies } of PROVIDED) {
    const { kind, ...settings } = source
    for (const [, body] of bodies) {
      const text = body()
      if (text !== null) add(String(kind), settings, formatTime(DAY_START), text)
    }
  }
  const root = fixture('feeds')
  for (const [file, { kind, settings = {}, now }] of root === null ? [] : Object.entries(EXPECTED))
    add(kind, settings, now, readFileSync(join(root ?? '', file), 'utf8'))
  for (const name of readdirSync(join(import.meta.dirname, '../golden/products')).slice(0, 12))
    add(
      'nws_text',
      { folder: 'inbox' },
      formatTime(DAY_START),
      readFileSync(join(import.meta.dirname, '../golden/products', name), 'utf8')
    )
  return [...found.values()]
}
