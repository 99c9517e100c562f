import type { LookoutEvent } from '../../../model/event.ts'
import type { Circle } from '../../../model/geojson.ts'
import { SEVERITIES, type Severity } from '../../../model/severity.ts'
import { formatTime } from '../../../model/time.ts'
import type { ReadTools } from '../source.ts'
import { feedEvent } from './feed-event.ts'
import { asBag, textOf, textsOf } from './json.ts'
import { looseNumber, looseTime, remember } from './loose.ts'
import { eachInTurn, eachRemembered } from './steps.ts'

/** Missing from this many complete listings in a row, a thing is over. */
const MISSES = 2
/** The time for which it is remembered that a thing was over, so that its return is news. */
const KEEP_GONE_MS = 7 * 24 * 3_600_000

/** The memory of a thing that was told. */
interface Told {
  state: 'told' | 'gone'
  missed: number
  /** The number of its returns after an end. */
  again: number
  /** The time at which its end was told, epoch milliseconds. */
  goneAt: number
  revision: string
  category: string
  severity: string
  title: string
  expires: string | null
  lat: number | null
  lon: number | null
  circle: Circle | null
  thread: string
  road: string
  places: string[]
  name: string
  attribution: string
}

/**
 * Things that a source told and that a complete listing goes on with until they are over: a closed road, a fire, a
 * volcano. Two listings in a row without it are its end; one may be garbled.
 */
export class Standing {
  readonly #tools: ReadTools
  readonly #prefix: string
  readonly #silent: boolean

  /** `prefix` names the source's part of its memory, such as `road:`. `silent`: what is missing only ceases to be in force, nobody says that it is over. */
  constructor(tools: ReadTools, prefix: string, { silent = false }: { silent?: boolean } = {}) {
    this.#tools = tools
    this.#prefix = prefix
    this.#silent = silent
  }

  /** The number of things that were told and go on. */
  get size(): number {
    return this.#tools.memory.entries(this.#prefix).filter(([, value]) => recall(value)?.state === 'told').length
  }

  isTold(id: string): boolean {
    return this.#recall(id)?.state === 'told'
  }

  /** The level it was told at last; null for what is not told. */
  levelOf(id: string): Severity | null {
    const told = this.#recall(id)
    return told?.state === 'told' ? severityOf(told.severity) : null
  }

  /** Remembers the event as told. What was over and is back has a revision of its own: it is news. */
  tell(event: LookoutEvent): LookoutEvent {
    const before = this.#recall(event.id)
    const again = (before?.again ?? 0) + (before?.state === 'gone' ? 1 : 0)
    const told = again === 0 ? event : { ...event, revision: `${event.revision}/again${again}` }
    remember(this.#tools.memory, this.#key(event.id), { ...summaryOf(told), again })
    return told
  }

  /** Its end, when it was told: silent when it was due, else told where it was told. Null for what was not told. */
  end(id: string): LookoutEvent | null {
    const told = this.#recall(id)
    return told?.state === 'told' ? this.#endOf(id, told, false) : null
  }

  forget(id: string): void {
    this.#tools.memory.delete(this.#key(id))
  }

  /** Of a listing of news: what it no longer lists is not over, only old, and nothing is remembered of it. */
  *keepOnly(listed: ReadonlySet<string>): Generator<void, void> {
    const { memory } = this.#tools
    yield* eachInTurn(memory.keys(this.#prefix), (name) => {
      if (!listed.has(name.slice(this.#prefix.length))) memory.delete(name)
    })
  }

  /** The ends of what complete listings have not listed, `misses` times in a row. */
  *missing(listed: ReadonlySet<string>, misses = MISSES): Generator<void, LookoutEvent[]> {
    const { memory, receivedAt } = this.#tools
    const ends: LookoutEvent[] = []
    yield* eachRemembered(memory, this.#prefix, (name, value) => {
      const id = name.slice(this.#prefix.length)
      const told = recall(value)
      if (told === null) return
      if (told.state === 'gone') {
        if (receivedAt - told.goneAt > KEEP_GONE_MS) memory.delete(name)
      } else if (!listed.has(id)) {
        const missed = told.missed + 1
        if (missed >= misses) ends.push(this.#endOf(id, told, this.#silent))
        else memory.set(name, { ...told, missed })
      }
    })
    return ends
  }

  /** The same listing once more: what was missing from it is missing again. */
  *sameAgain(misses = MISSES): Generator<void, LookoutEvent[]> {
    const present = new Set<string>()
    yield* eachRemembered(this.#tools.memory, this.#prefix, (name, value) => {
      if (recall(value)?.missed === 0) present.add(name.slice(this.#prefix.length))
    })
    return yield* this.missing(present, misses)
  }

  #key(id: string): string {
    return `${this.#prefix}${id}`
  }

  #recall(id: string): Told | null {
    return recall(this.#tools.memory.get(this.#key(id)))
  }

  #endOf(id: string, told: Told, silent: boolean): LookoutEvent {
    const { receivedAt, source, memory } = this.#tools
    const due = looseTime(told.expires)
    const lifecycle = silent || (due !== null && due <= receivedAt) ? 'expire' : 'cancel'
    memory.set(this.#key(id), { ...told, state: 'gone', goneAt: receivedAt })
    return feedEvent(
      {
        id,
        revision: `${told.revision}/over`,
        category: told.category,
        severity: severityOf(told.severity),
        title: told.title,
        lat: told.lat,
        lon: told.lon,
        circle: told.circle,
        expires: told.expires,
        sent_at: formatTime(receivedAt),
        thread_id: told.thread || `${source}:${id}`,
        lifecycle,
        data: {
          event_name: told.name,
          ...(told.road === '' ? {} : { road: told.road }),
          ...(told.places.length === 0 ? {} : { places: told.places }),
          ...(told.attribution === '' ? {} : { attribution: told.attribution }),
          material: 'over'
        }
      },
      this.#tools
    )
  }
}

function severityOf(text: string): Severity {
  return SEVERITIES.find((level) => level === text) ?? 'routine'
}

function summaryOf(event: LookoutEvent): Told {
  const { revision, category, severity, title, expires, lat, lon, circle, data } = event
  return {
    state: 'told',
    missed: 0,
    again: 0,
    goneAt: 0,
    revision,
    category,
    severity,
    title,
    expires,
    lat,
    lon,
    circle,
    thread: event.thread_id,
    road: textOf(data['road']),
    places: data.places ?? [],
    name: data.event_name ?? '',
    attribution: data.attribution ?? ''
  }
}

function recall(value: unknown): Told | null {
  const bag = asBag(value)
  if (bag === null) return null
  return {
    state: bag['state'] === 'gone' ? 'gone' : 'told',
    missed: looseNumber(bag['missed']) ?? 0,
    again: looseNumber(bag['again']) ?? 0,
    goneAt: looseNumber(bag['goneAt']) ?? 0,
    revision: textOf(bag['revision']),
    category: textOf(bag['category']),
    severity: textOf(bag['severity']),
    title: textOf(bag['title']),
    expires: textOf(bag['expires']) || null,
    lat: looseNumber(bag['lat']),
    lon: looseNumber(bag['lon']),
    circle: circleOf(bag['circle']),
    thread: textOf(bag['thread']),
    road: textOf(bag['road']),
    places: textsOf(bag['places']),
    name: textOf(bag['name']),
    attribution: textOf(bag['attribution'])
  }
}

function circleOf(value: unknown): Circle | null {
  const bag = asBag(value)
  const [lat, lon, radius_km] = [bag?.['lat'], bag?.['lon'], bag?.['radius_km']].map(looseNumber)
  return lat == null || lon == null || radius_km == null ? null : { lat, lon, radius_km }
}
