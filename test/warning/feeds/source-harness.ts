import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import * as v from 'valibot'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { canonicalJson } from '../../../src/platform/bytes/canonical-json.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { coverageSchema } from '../../../src/warning/coverage/settings.ts'
import type { SourceSettings } from '../../../src/warning/feeds/common-settings.ts'
import type {
  Fetched,
  FetchRequest,
  PollTools,
  ReadTools,
  SourceKind,
  SourceMemory,
  SourceReading
} from '../../../src/warning/feeds/source.ts'
import { composeMessage } from '../../../src/warning/messages/compose.ts'
import type { StationConfig } from '../../../src/warning/station-settings.ts'
import { stationSchema } from '../../../src/warning/station-settings.ts'
import { needsFixture } from '../../helpers/fixtures.ts'

/** A memory as the core gives one: what goes in comes out as JSON would bring it back. */
export class MapMemory implements SourceMemory {
  readonly #values = new Map<string, string>()

  get(key: string): unknown {
    const text = this.#values.get(key)
    return text === undefined ? undefined : JSON.parse(text)
  }

  set(key: string, value: unknown): void {
    this.#values.set(key, canonicalJson(value))
  }

  delete(key: string): void {
    this.#values.delete(key)
  }

  entries(prefix: string): [string, unknown][] {
    const found = [...this.#values].filter(([key]) => key.startsWith(prefix))
    return found.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, text]) => [key, JSON.parse(text)])
  }

  keys(prefix: string): string[] {
    return [...this.#values.keys()].filter((key) => key.startsWith(prefix)).sort()
  }

  get dump(): string {
    return JSON.stringify([...this.#values].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

export function tools(change: Partial<ReadTools> & { areas?: unknown[] } = {}): ReadTools {
  const { areas = [], ...rest } = change
  return {
    source: 'test',
    receivedAt: Date.parse('2026-08-01T12:00:00Z'),
    memory: new MapMemory(),
    station: v.parse(stationSchema, {}),
    coverage: v.parse(coverageSchema, { areas }),
    inForce: () => [],
    ...rest
  }
}

/** Tools of a poll whose requests `answer` answers: a body, null for unchanged, or an error to reject with. */
export function pollTools(
  answer: (request: FetchRequest) => string | Uint8Array | null | Error,
  change: Parameters<typeof tools>[0] = {}
): PollTools & { asked: FetchRequest[] } {
  const asked: FetchRequest[] = []
  return {
    ...tools(change),
    asked,
    signal: new AbortController().signal,
    async fetch(request): Promise<Fetched> {
      asked.push(request)
      const body = answer(request)
      if (body instanceof Error) throw body
      if (body === null) return { state: 'unchanged' }
      return { state: 'new', body: bytes(body), contentType: 'application/json', url: request.url }
    }
  }
}

export function bytes(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? new TextEncoder().encode(body) : body
}

/** `title` of an event as `id lifecycle` pairs, to compare whole readings at a glance. */
export function lives(reading: SourceReading | 'unchanged'): string[] {
  return reading === 'unchanged' ? ['unchanged'] : reading.events.map(({ id, lifecycle }) => `${id} ${lifecycle}`)
}

export function fixtureBytes(t: Tap.Test, path: string): Uint8Array | null {
  const file = needsFixture(t, path)
  return file === null ? null : readFileSync(file)
}

const STATION: StationConfig = v.parse(stationSchema, {
  timezone: 'America/Denver',
  anchors: [{ name: 'Ontario OR', lat: 44.0266, lon: -116.9629 }]
})

/** The text that the mesh would read at `now`, within 140 bytes. */
export function textOf(event: LookoutEvent, now: string, kind: 'new' | 'update' | 'cancel' = 'new'): string {
  const request = { event, kind, regions: event.regions, station: STATION, limitBytes: 140, targetBytes: 140 }
  return composeMessage({ ...request, nowMs: Date.parse(now) }).parts.join('\n')
}

/** The part of tap's test that is used here. */
export declare namespace Tap {
  interface Test {
    comment(text: string): void
    fail(message: string): unknown
    ok(value: unknown, message: string): unknown
  }
}

/** Bytes. Of longer ones, which are recordings, a slice: `node scripts/faults.js damage` has them all. */
const SHORT_BODY = 40_000

/**
 * Cuts a body at every per cent and flips bytes in 200 copies of it, of a long one at every fifth and in 40: nothing but AppError is
 * thrown, and nothing ends that does not end in the body as it is.
 */
export function survivesDamage<Settings extends SourceSettings>(
  t: Tap.Test,
  kind: SourceKind<Settings>,
  body: Uint8Array,
  settings: Settings,
  { name, flips = body.length < SHORT_BODY ? 200 : 40 }: { name: string; flips?: number }
): void {
  const isEnd = ({ lifecycle }: LookoutEvent): boolean => lifecycle === 'cancel' || lifecycle === 'expire'
  const ends = new Set(endsOf(kind, body, settings))
  function endsOf(source: SourceKind<Settings>, damaged: Uint8Array, of: Settings): string[] {
    try {
      return source
        .read(damaged, of, tools())
        .events.filter(isEnd)
        .map(({ id }) => id)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return []
    }
  }
  const step = body.length < SHORT_BODY ? 1 : 5
  let tried = 0
  const check = (damaged: Uint8Array): boolean => {
    tried++
    return endsOf(kind, damaged, settings).every((id) => ends.has(id))
  }
  for (let percent = 0; percent < 100; percent += step) {
    const cut = body.subarray(0, Math.floor((body.length * percent) / 100))
    if (!check(cut)) t.fail(`${name} cut at ${percent} %: something ended`)
  }
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 8 }),
      (damage) => {
        const copy = Uint8Array.from(body)
        for (const [at, mask] of damage) copy[at] = (copy[at] ?? 0) ^ mask
        return check(copy)
      }
    ),
    { numRuns: flips }
  )
  t.ok(tried >= 100 / step + flips, `${name}: ${tried} damaged copies read`)
}
