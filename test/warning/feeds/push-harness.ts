import { pino } from 'pino'
import * as v from 'valibot'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { familyKeys } from '../../../src/model/families.ts'
import { sentenceOf } from '../../../src/model/words/sentences.ts'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { type CoverageConfig, coverageSchema } from '../../../src/warning/coverage/settings.ts'
import { readSourceFile } from '../../../src/warning/feeds/recorded.ts'
import type { Fetched, FetchRequest, PushTools, ReadTools, SourceMemory } from '../../../src/warning/feeds/source.ts'
import { stationSchema } from '../../../src/warning/station-settings.ts'

/** The memory of a source, as plain entries that a test may look at and hand to the next run. */
export class PlainMemory implements SourceMemory {
  readonly all: Map<string, unknown>

  constructor(all = new Map<string, unknown>()) {
    this.all = all
  }

  get(key: string): unknown {
    return this.all.get(key)
  }

  set(key: string, value: unknown): void {
    this.all.set(key, JSON.parse(JSON.stringify(value)))
  }

  delete(key: string): void {
    this.all.delete(key)
  }

  entries(prefix: string): [string, unknown][] {
    return [...this.all].filter(([key]) => key.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1))
  }

  keys(prefix: string): string[] {
    return this.entries(prefix).map(([key]) => key)
  }
}

/** Everything a pushed source did, and the levers of its surroundings. */
export interface PushHarness {
  tools: PushTools
  clock: VirtualClock
  memory: PlainMemory
  events: LookoutEvent[]
  reports: { state: string; reason: string | null }[]
  counted: { bytes: number; refused?: string }[]
  requests: FetchRequest[]
  /** Answers the next requests; throws until a test sets it. */
  answer: (request: FetchRequest) => Fetched
  /** Rejects the next `accept` with this. */
  refuse: Error | null
  /** Lets the clock run in steps, and real work (files, slices) end in between. */
  run: (seconds: number, stepSeconds?: number) => Promise<void>
}

/** Turns of the loop in which what is ready runs, and what follows from it. */
const TURNS = 20

/** The clock of a test stands still while files are read and looked at: on a busy machine that takes longer than any number of turns. */
async function realWork(): Promise<void> {
  for (let idle = 0; idle < TURNS; idle++) {
    await new Promise((resolve) => setImmediate(resolve))
    if (process.getActiveResourcesInfo().some((name) => name.startsWith('FSReq'))) idle = 0
  }
}

export function pushHarness(options: { start: number; memory?: PlainMemory; dataFolder?: string }): PushHarness {
  const clock = new VirtualClock(options.start)
  const memory = options.memory ?? new PlainMemory()
  const harness: PushHarness = {
    clock,
    memory,
    events: [],
    reports: [],
    counted: [],
    requests: [],
    answer: () => {
      throw new Error('no answer is prepared')
    },
    refuse: null,
    run: async (seconds, stepSeconds = 60) => {
      const end = clock.now() + seconds * 1000
      while (clock.now() < end) {
        await clock.runTo(Math.min(end, clock.now() + stepSeconds * 1000))
        await realWork()
      }
    },
    tools: {
      source: 'pushed',
      clock,
      memory,
      log: pino({ level: 'silent' }),
      station: () => v.parse(stationSchema, {}),
      dataFolder: options.dataFolder ?? '/nowhere',
      families: () => familyKeys(),
      accept: async (events) => {
        if (harness.refuse !== null) throw harness.refuse
        harness.events.push(...events)
      },
      fetch: async (request) => {
        harness.requests.push(request)
        return harness.answer(request)
      },
      signal: new AbortController().signal,
      report: (state, why) => {
        const reason = why === null ? null : sentenceOf(why)
        const last = harness.reports.at(-1)
        if (last?.state !== state || last.reason !== reason) harness.reports.push({ state, reason })
      },
      counted: ({ bytes, refused }) => {
        harness.counted.push({ bytes, ...(refused === undefined ? {} : { refused: sentenceOf(refused) }) })
      },
      readAny: (body, as) => readSourceFile(body, { receivedAt: clock.now(), ...(as === undefined ? {} : { as }) }),
      random: () => 0.5
    }
  }
  return harness
}

export function readTools(receivedAt: number, memory: SourceMemory = new PlainMemory()): ReadTools {
  const coverage: CoverageConfig = v.parse(coverageSchema, {})
  return { source: 'read', receivedAt, memory, station: v.parse(stationSchema, {}), coverage, inForce: () => [] }
}

export function bodyOf(text: string): Fetched {
  const body = new TextEncoder().encode(text)
  return { state: 'new', body, contentType: 'application/json', url: 'https://example.org/' }
}
