import type { SatellitePasses } from '../dashboard/server/context.ts'
import { because } from '../model/reason.ts'
import { AppError } from '../platform/errors.ts'
import type { Config } from '../settings/schema.ts'
import type { Elements } from '../warning/feeds/satpass/mean-elements.ts'
import type { Observer, SatpassSettings } from '../warning/feeds/satpass/settings.ts'
import type { PassTable } from '../warning/feeds/satpass/table.ts'
import { sourceName } from '../warning/feeds/settings.ts'
import type { SourceMemory } from '../warning/feeds/source.ts'
import { clockText } from '../warning/messages/times.ts'
import type { Core } from './core.ts'

/** Passes are worked out once a minute at most for the same question: it costs a board seconds. */
const KEPT_MS = 60_000

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
  /** Of the line for the mesh. */
  maxBytes?: number
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
  const { passTable } = await import('../warning/feeds/satpass/table.ts')
  return passTable({
    elements,
    observer: where,
    from: question.now,
    hours: question.hours,
    minElevation: where.min_elevation ?? settings.min_elevation,
    maxAgeDays: settings.max_age_days,
    clockText: (ms) => clockText(ms, config.station),
    ...(question.maxBytes === undefined ? {} : { maxBytes: question.maxBytes })
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

type Answers = (ask: { observer: string; hours: number }) => Promise<SatellitePasses>

/** The same for the API; an answer is kept a minute, and two who ask at once share one. */
export function passesAnswers(core: Core, config: () => Config, now: () => number): Answers {
  let kept: { key: string; until: number; answer: Promise<SatellitePasses> } | null = null
  return (ask) => {
    const current = config()
    const settings = satpassSettings(current)
    const key = JSON.stringify([ask, settings])
    if (kept === null || kept.key !== key || kept.until <= now()) {
      const answer = stationPasses(core, current, { ...ask, now: now() }).then(({ observer, from, to, ...table }) => ({
        observer,
        observers: settings?.observers.map(({ name }) => name) ?? [],
        from,
        to,
        min_elevation: table.min_elevation,
        passes: table.rows,
        unusable: table.unusable.map(({ id, reason }) => ({ id, reason }))
      }))
      kept = { key, until: now() + KEPT_MS, answer }
      // A failure is not kept: the next moment may bring an answer.
      answer.catch(() => {
        kept = null
      })
    }
    return kept.answer
  }
}
