import type { SatellitePasses } from '../dashboard/server/context.ts'
import { ENGLISH, type Spoken } from '../model/air-languages.ts'
import { because } from '../model/reason.ts'
import { AppError } from '../platform/errors.ts'
import type { Config } from '../settings/schema.ts'
import type { Elements } from '../warning/feeds/satpass/mean-elements.ts'
import type { Observer, SatpassSettings } from '../warning/feeds/satpass/settings.ts'
import type { PassTable } from '../warning/feeds/satpass/table.ts'
import { sourceName } from '../warning/feeds/settings.ts'
import type { SourceMemory } from '../warning/feeds/source.ts'
import { REPLIES } from '../warning/messages/catalogue/replies.ts'
import { put } from '../warning/messages/catalogue/words.ts'
import { hourText } from '../warning/messages/wording.ts'
import type { Core } from './core.ts'

/** Passes are worked out once a minute at most for the same question: it costs a board seconds. */
const KEPT_MS = 60_000
const MOST_KEPT = 100

/** The memory of a source of this kind, read only; null when none is configured and enabled. */
export function memoryOf(core: Core, config: Config, kind: string): Pick<SourceMemory, 'get'> | null {
  const source = config.sources.find((one) => one.kind === kind && one.enabled)
  if (source === undefined) return null
  const name = sourceName(source)
  return { get: (key) => core.sourceStore.recall(name, key) }
}

interface PassQuestion {
  /** Empty: the first one. */
  observer: string
  hours: number
  now: number
  /** Of the line for the mesh, in the language of whoever hears it. */
  maxBytes?: number
  spoken?: Spoken
  /** Called between two small steps. */
  pause?: () => Promise<void>
}

/**
 * The passes over one observer, by the elements the source keeps.
 * Throws AppError `not-found`: no such source, no such observer, or no elements yet.
 */
export async function stationPasses(core: Core, config: Config, question: PassQuestion): Promise<PassTable> {
  const memory = memoryOf(core, config, 'satpass')
  const settings = satpassSettings(config)
  if (memory === null || settings === null) throw new AppError('not-found', because('no_satpass_source'))
  const where = observerOf(settings, question.observer)
  const elements = await elementsFor(memory, settings)
  const { spoken = ENGLISH } = question
  const { bands } = REPLIES[spoken.language]
  const { passTable } = await import('../warning/feeds/satpass/table.ts')
  return passTable({
    elements,
    observer: where,
    from: question.now,
    hours: question.hours,
    minElevation: where.min_elevation ?? settings.min_elevation,
    maxAgeDays: settings.max_age_days,
    clockText: (ms) => hourText({ ...spoken, station: config.station, nowMs: question.now }, ms),
    words: {
      passes: (observer) => put(bands.passes, observer).trimEnd(),
      noPass: (hours) => put(bands.noPass, String(hours))
    },
    ...(question.maxBytes === undefined ? {} : { maxBytes: question.maxBytes }),
    ...(question.pause === undefined ? {} : { pause: question.pause })
  })
}

function satpassSettings({ sources }: Config): SatpassSettings | null {
  const settings = sources.find((one) => one.kind === 'satpass' && one.enabled)
  return settings?.kind === 'satpass' ? settings : null
}

function observerOf({ observers }: SatpassSettings, name: string): Observer {
  const found = observers.find((observer) => name === '' || observer.name === name)
  if (found !== undefined) return found
  if (observers.length === 0) throw new AppError('not-found', because('satpass_no_observers'))
  const names = observers.map((observer) => observer.name)
  throw new AppError('not-found', because('no_such_observer', { name, names }))
}

async function elementsFor(memory: Pick<SourceMemory, 'get'>, settings: SatpassSettings): Promise<Elements[]> {
  const { savedElements } = await import('../warning/feeds/satpass/elements-store.ts')
  const { chooseSatellites } = await import('../warning/feeds/satpass/names.ts')
  const saved = savedElements(memory)
  if (saved.length === 0) throw new AppError('not-found', because('no_elements_read_yet'))
  const { chosen } = chooseSatellites(saved, settings.satellites)
  if (chosen.length === 0) throw new AppError('not-found', because('no_named_satellite'))
  return chosen
}

type Answers = (ask: { observer: string; hours: number }, pause: () => Promise<void>) => Promise<SatellitePasses>

/** The same for the API; an answer is kept a minute, and two who ask at once share one. */
export function passesAnswers(core: Core, config: () => Config, now: () => number): Answers {
  const kept = new Kept<SatellitePasses>(now)
  const answers: Answers = (ask, pause) => {
    const current = config()
    const settings = satpassSettings(current)
    const key = JSON.stringify([ask, settings])
    // Whoever it was worked out for may leave before it is: then it is worked out for whoever stays.
    const known = kept.get(key)
    if (known !== undefined) return known.catch(() => answers(ask, pause))
    const work = async (): Promise<SatellitePasses> => {
      const { observer, from, to, ...table } = await stationPasses(core, current, { ...ask, now: now(), pause })
      return {
        observer,
        observers: settings?.observers.map(({ name }) => name) ?? [],
        from,
        to,
        min_elevation: table.min_elevation,
        passes: table.rows,
        unusable: table.unusable.map(({ id, reason }) => ({ id, reason }))
      }
    }
    return kept.keep(key, work())
  }
  return answers
}

type PassTexts = (observer: string, asked: { bytes: number; spoken: Spoken }) => Promise<string | null>

/** Texts of passes, kept a minute each: however often somebody looks at what would be said, it is worked out once. */
export function keptPassTexts(
  work: PassTexts,
  { now, config }: { now: () => number; config: () => Config }
): PassTexts {
  const kept = new Kept<string | null>(now)
  return (observer, asked) => {
    const key = JSON.stringify([observer, asked, satpassSettings(config())])
    return kept.get(key) ?? kept.keep(key, work(observer, asked))
  }
}

/** Answers by their question, for a minute. A failure is not kept: the next moment may bring an answer. */
class Kept<Answer> {
  readonly #now: () => number
  readonly #answers = new Map<string, { until: number; answer: Promise<Answer> }>()

  constructor(now: () => number) {
    this.#now = now
  }

  get(key: string): Promise<Answer> | undefined {
    for (const [one, { until }] of this.#answers) if (until <= this.#now()) this.#answers.delete(one)
    return this.#answers.get(key)?.answer
  }

  keep(key: string, answer: Promise<Answer>): Promise<Answer> {
    if (this.#answers.size >= MOST_KEPT) this.#answers.clear()
    this.#answers.set(key, { until: this.#now() + KEPT_MS, answer })
    answer.catch(() => {
      if (this.#answers.get(key)?.answer === answer) this.#answers.delete(key)
    })
    return answer
  }
}
