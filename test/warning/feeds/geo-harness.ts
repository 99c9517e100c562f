import fc from 'fast-check'
import * as v from 'valibot'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { sentenceOf } from '../../../src/model/words/sentences.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { coverageSchema } from '../../../src/warning/coverage/settings.ts'
import { BufferedMemory } from '../../../src/warning/feeds/polling/memory.ts'
import type {
  Fetched,
  FetchRequest,
  PollTools,
  ReadTools,
  SourceKind,
  SourceReading
} from '../../../src/warning/feeds/source.ts'
import { note } from '../../helpers/in-words.ts'
import { STATION } from '../messages/samples.ts'

/** Sources without a network: a memory that is saved or lost, a scripted server, and broken copies of a body. */

export const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))

export interface Setup {
  tools(now: number): ReadTools
  /** As the core does once the events are stored: what was remembered is kept, and the events are in force or not. */
  save(reading: SourceReading): void
  /** As a crash does: what was remembered since the last `save` is lost; `stored` events are not. */
  crash(stored?: SourceReading): void
  readonly memory: BufferedMemory
}

export function setup(source: string): Setup {
  const store = new Map<string, unknown>()
  const live = new Map<string, LookoutEvent>()
  let memory = fresh()
  function fresh(): BufferedMemory {
    return new BufferedMemory(
      {
        recall: (_, key) => store.get(key),
        recallAll: (_, prefix) => [...store].filter(([key]) => key.startsWith(prefix)),
        recallKeys: (_, prefix) => [...store.keys()].filter((key) => key.startsWith(prefix))
      },
      source
    )
  }
  const keepEvents = (reading: SourceReading | undefined): void => {
    for (const event of reading?.events ?? []) {
      const over = event.lifecycle === 'cancel' || event.lifecycle === 'expire'
      if (over) live.delete(event.thread_id)
      else live.set(event.thread_id, event)
    }
  }
  return {
    get memory() {
      return memory
    },
    tools: (receivedAt) => ({
      source,
      receivedAt,
      memory,
      station: STATION,
      coverage: v.parse(coverageSchema, {}),
      inForce: (family) => [...live.values()].filter((event) => event.family === family)
    }),
    save(reading) {
      for (const [key, value] of memory.takeChanges()) {
        if (value === undefined) store.delete(key)
        else store.set(key, JSON.parse(JSON.stringify(value)))
      }
      keepEvents(reading)
    },
    crash(stored) {
      memory = fresh()
      keepEvents(stored)
    }
  }
}

/** Answers by the first pattern that matches the address; what a poll asked for is in `asked`. */
export function server(
  tools: ReadTools,
  routes: [pattern: RegExp, answer: unknown][]
): { tools: PollTools; asked: FetchRequest[] } {
  const asked: FetchRequest[] = []
  const fetch = async (request: FetchRequest): Promise<Fetched> => {
    asked.push(request)
    const route = routes.find(([pattern]) => pattern.test(request.url))
    if (route === undefined) throw new AppError('unavailable', note(`no route for ${request.url}`))
    if (route[1] === 'unchanged') return { state: 'unchanged' }
    return { state: 'new', body: bytes(route[1]), contentType: 'application/json', url: request.url }
  }
  return { tools: { ...tools, fetch, signal: new AbortController().signal }, asked }
}

/** The amount of damage that is tried: cut off at every so many per cent, one byte changed so many times. */
export interface Damage {
  step: number
  flips: number
  /** Of the bytes that are changed: without one, always the same. */
  seed?: number
}

/** The body cut off at every hundredth of its length, then with one random byte changed, 200 times, always the same. */
export function* broken(
  body: Uint8Array,
  { step, flips, seed = 20_260_601 }: Damage = { step: 1, flips: 200 }
): Generator<Uint8Array> {
  for (let percent = 0; percent < 100; percent += step) yield body.slice(0, Math.floor((body.length * percent) / 100))
  const changes = fc.sample(fc.tuple(fc.nat({ max: body.length - 1 }), fc.integer({ min: 0, max: 255 })), {
    numRuns: flips,
    seed
  })
  for (const [at, byte] of changes) {
    const copy = body.slice()
    copy[at] = byte
    yield copy
  }
}

const ends = ({ events }: SourceReading): string[] =>
  events.filter(({ lifecycle }) => lifecycle === 'cancel' || lifecycle === 'expire').map(({ id }) => id)

/** Reads every broken copy, on an empty memory or `after` an intact one: the faults found, none when all is well. */
export function faults<Settings extends { kind: string; enabled: boolean; overrides: object }>(
  kind: Pick<SourceKind<never>, 'kind'> & { read: SourceKind<never>['read'] },
  {
    body,
    settings,
    now,
    after = true,
    damage,
    mayRename = false
  }: {
    body: Uint8Array
    settings: Settings
    now: number
    after?: boolean
    damage?: Damage
    /** The body itself names what ends, and a byte of that name may be hit: then only more ends than in the whole are a fault. */
    mayRename?: boolean
  }
): string[] {
  const found: string[] = []
  const room = setup(kind.kind)
  const read = (copy: Uint8Array): SourceReading => kind.read(copy, settings as never, room.tools(now))
  const allowed = new Set(ends(read(body)))
  if (after) room.save(read(body))
  else room.crash()
  let number = 0
  for (const copy of broken(body, damage)) {
    number++
    try {
      const ended = ends(read(copy))
      const suspect = mayRename && ended.length <= allowed.size ? [] : ended
      for (const id of suspect) if (!allowed.has(id)) found.push(`copy ${number}: ended ${id}`)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'bad-input')
        found.push(`copy ${number}: threw ${String(error)}`)
      if (room.memory.changed) found.push(`copy ${number}: a refused body changed the memory`)
    }
    room.crash()
  }
  return found
}

/** The number of entries skipped for each reason; times and figures are left out of the reasons. */
export function reasons({ skipped }: SourceReading): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { reason } of skipped) {
    const plain = sentenceOf(reason)
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/, '…')
      .replace(/\d+ h old/, '… h old')
    counts[plain] = (counts[plain] ?? 0) + 1
  }
  return counts
}
