import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import * as v from 'valibot'
import { LIFECYCLES, type LookoutEvent } from '../../src/model/event.ts'
import { familyKeys } from '../../src/model/families.ts'
import { SEVERITIES } from '../../src/model/severity.ts'
import { parseTime } from '../../src/model/time.ts'
import { AppError } from '../../src/platform/errors.ts'
import { readEvents } from '../../src/warning/feeds/brokers/message.ts'
import { AlertSplitter } from '../../src/warning/feeds/cap/stream-splitter.ts'
import { kindOf } from '../../src/warning/feeds/create.ts'
import { parseFeedFile } from '../../src/warning/feeds/detect.ts'
import { ProductSplitter } from '../../src/warning/feeds/nws-text/splitter.ts'
import { sourceKindOf } from '../../src/warning/feeds/recognise.ts'
import { readSourceFile } from '../../src/warning/feeds/recorded.ts'
import { sourceSchema } from '../../src/warning/feeds/settings.ts'
import type { SourceReading } from '../../src/warning/feeds/source.ts'
import { composeMessage } from '../../src/warning/messages/compose.ts'
import { setup } from '../warning/feeds/geo-harness.ts'
import { STATION } from '../warning/messages/samples.ts'
import { type FeedCorpus, feedCorpus } from './fuzz-feed-corpus.ts'
import { FEED_WORDS } from './fuzz-feed-words.ts'
import { must, ofBytes, ofJson, ofText, type Parser } from './fuzz-parser.ts'

const FAMILIES = familyKeys()
const within = (value: number | null, most: number): boolean =>
  value === null || (Number.isFinite(value) && Math.abs(value) <= most)

/** The promises of every event, whoever made it (contract §2); `mayLackFamily`: it is asked about alone, and never becomes a message. */
export function soundEvent(event: LookoutEvent, mayLackFamily = false): void {
  const { id, source, title, lat, lon, circle, bbox } = event
  must(id !== '' && source !== '' && event.thread_id !== '', 'an event without id, source or thread')
  must(typeof title === 'string', 'a title that is no text')
  must(SEVERITIES.includes(event.severity), `a severity ${event.severity}`)
  must(LIFECYCLES.includes(event.lifecycle), `a lifecycle ${event.lifecycle}`)
  must(FAMILIES.has(event.family) || (mayLackFamily && event.family === ''), `a family ${event.family}`)
  for (const time of [event.sent_at, event.received_at, event.onset, event.expires])
    must(time === null || parseTime(time) !== null, 'a time that is none')
  // Longitudes count modulo 360.
  must(within(lat, 90) && within(lon, Number.MAX_VALUE), `a position ${lat} ${lon}`)
  must(
    circle === null || (within(circle.lat, 90) && within(circle.lon, Number.MAX_VALUE) && circle.radius_km >= 0),
    'a circle that is none'
  )
  must(bbox === null || bbox.every(Number.isFinite), 'a box that is none')
  must(
    [...event.zones, ...event.same, ...event.regions].every((one) => typeof one === 'string'),
    'a code that is no text'
  )
  must(Object.getPrototypeOf(event.data) === Object.prototype, 'data with another prototype')
}

/** Its texts never have more bytes than a packet, and nothing in them that a mesh may not see. */
function soundText(event: LookoutEvent, limitBytes: number): void {
  const request = { event, kind: 'new' as const, regions: [], station: STATION, limitBytes, targetBytes: limitBytes }
  const { parts } = composeMessage({ ...request, nowMs: parseTime(event.received_at) ?? 0, maxParts: 2 })
  for (const part of parts) {
    must(Buffer.byteLength(part) <= limitBytes, 'a text longer than its packet')
    must(!/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u.test(part) && !/^[/!@]/.test(part), 'a text that is not clean')
  }
}

/** Writing the texts of one event takes as long as reading three: one input in so many has them written, told by its own bytes. */
const TEXTS_ONCE_IN = 24
const LIMITS = [133, 228] as const

export function soundReading({ events }: Pick<SourceReading, 'events'>, input: string, mayLackFamily = false): void {
  for (const event of events) soundEvent(event, mayLackFamily)
  const [first] = events
  if (first === undefined || first.family === '') return
  const sum = crc32(input)
  if (sum % TEXTS_ONCE_IN === 0) soundText(first, LIMITS[Math.floor(sum / TEXTS_ONCE_IN) % 2] ?? 133)
}

async function feed({ kind, settings, now, bodies }: FeedCorpus): Promise<Parser> {
  const reader = await kindOf(kind)
  const parsed = v.parse(sourceSchema, { kind, ...settings })
  const read = (text: string): void => {
    const tools = setup(kind).tools(Date.parse(now))
    soundReading(reader.read(Buffer.from(text), parsed as never, tools), text)
  }
  const made = { name: `feed-${kind}`, covers: [`warning/feeds ${kind}`], corpus: bodies, words: FEED_WORDS, run: read }
  return bodies.every((body) => /^\s*[[{]/.test(body)) ? ofJson(made) : ofText(made)
}

const parts = (demo: string): string => readFileSync(join(import.meta.dirname, '../../demo', demo), 'utf8')

async function others(corpora: readonly FeedCorpus[]): Promise<Parser[]> {
  const caps = corpora.filter(({ kind }) => kind === 'cap').flatMap(({ bodies }) => bodies)
  const texts = corpora.filter(({ kind }) => kind === 'nws_text').flatMap(({ bodies }) => bodies)
  const all = corpora.map(({ bodies }) => bodies[0] ?? '')
  const event = { id: 'a', source: 'b', title: 'Smoke over the valley', family: 'fire', lat: 44, lon: -114 }
  const receivedAt = Date.parse('2026-03-01T22:00:00Z')
  const mapping = { fields: { id: '/id', title: '/title', family: { value: 'fire' }, lat: '/lat', sent_at: '/at' } }
  const origin = { source: 'mesh', receivedAt, publishedAt: null, families: FAMILIES }
  return [
    ofJson({
      name: 'broker-message',
      covers: ['warning/feeds/brokers/message.ts readEvents'],
      corpus: [event, [event, { ...event, id: 'c' }], { ...event, family: undefined }, '{"type":"Feature"}'],
      words: FEED_WORDS,
      run: (text) => {
        const rules = { mapping: undefined, family: 'fire', keepSource: false }
        const { events } = readEvents(Buffer.from(text), rules, origin)
        must(
          events.every(({ source, thread_id }) => source === 'mesh' && thread_id.startsWith('mesh:')),
          'a stranger speaks for another source'
        )
        soundReading({ events }, text)
        soundReading(
          readEvents(Buffer.from(text), { ...rules, mapping: mapping as never, keepSource: true }, origin),
          text
        )
      }
    }),
    ofText({
      name: 'feed-file',
      covers: [
        'recorded.ts readAnyFeed',
        'recorded.ts readSourceFile',
        'detect.ts parseFeedFile',
        'recognise.ts sourceKindOf'
      ].map((one) => `warning/feeds/${one}`),
      corpus: [
        ...all,
        JSON.stringify(event),
        `${JSON.stringify(event)}\n${JSON.stringify(event)}`,
        ...['tornado-warning.json', 'evacuation.xml', 'earthquakes.json'].map(parts)
      ],
      words: FEED_WORDS,
      run: async (text) => {
        sourceKindOf(text)
        const found = await readSourceFile(Buffer.from(text), { receivedAt }).catch(refusedOnly)
        if (found !== null) soundReading(found, text)
        // A Feature of a file may name no family: `explain` then tells of its place alone.
        soundReading(parseFeedFile(text, { receivedAt }), text, true)
      }
    }),
    ofBytes({
      name: 'cap-stream',
      covers: ['warning/feeds/cap/stream-splitter.ts AlertSplitter'],
      corpus: caps.map((one) => Buffer.from(one)),
      run: (bytes) => sameInTwo(() => new AlertSplitter(), bytes)
    }),
    ofBytes({
      name: 'text-stream',
      covers: ['warning/feeds/nws-text/splitter.ts ProductSplitter'],
      corpus: texts.map((one) => Buffer.from(`\u0001\r\r\n000 \r\r\n${one}\u0003`)),
      run: (bytes) => {
        const splitter = new ProductSplitter()
        const found = [...splitter.push(bytes), ...splitter.flush()]
        must(Buffer.concat(found).length <= bytes.length, 'more bytes came out than went in')
      }
    })
  ]
}

function sameInTwo(make: () => { push(bytes: Uint8Array): Uint8Array[] }, bytes: Uint8Array): void {
  const cut = bytes.length < 2 ? 0 : (bytes[1] ?? 0) % bytes.length
  const halves = make()
  const found = [...halves.push(bytes.subarray(0, cut)), ...halves.push(bytes.subarray(cut))]
  must(Buffer.concat(make().push(bytes)).equals(Buffer.concat(found)), 'a stream cut in two gives other messages')
}

/** Parsers of all that sources publish. */
export async function feedParsers(): Promise<Parser[]> {
  const corpora = feedCorpus()
  return [...(await Promise.all(corpora.map(feed))), ...(await others(corpora))]
}

function refusedOnly(error: unknown): null {
  if (error instanceof AppError) return null
  throw error
}
