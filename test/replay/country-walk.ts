import type { Test } from 'tap'
import * as v from 'valibot'
import { proposedFor } from '../../src/dashboard/pages/first-run/proposed.js'
import type { LookoutEvent } from '../../src/model/event.ts'
import { AppError } from '../../src/platform/errors.ts'
import { configSchema } from '../../src/settings/schema.ts'
import { kindOf } from '../../src/warning/feeds/create.ts'
import { OFFERED_KINDS, type SourceConfig, sourceName } from '../../src/warning/feeds/settings.ts'
import type { SourceKind } from '../../src/warning/feeds/source.ts'
import { station as dashboard } from '../dashboard/harness.ts'
import { Field } from '../helpers/field.ts'
import { note } from '../helpers/in-words.ts'
import { MapMemory, pollTools } from '../warning/feeds/source-harness.ts'

export interface Walk {
  country: string
  /** Kind, or name where the country has several of the kind. */
  source: string
  states?: string[]
  /** Bodies by address, the first that fits; anything else is not there. */
  answers: readonly [RegExp, string][]
  /** True: the service's own words. False: written in its format. */
  recorded: boolean
  now: string
  area: { circle?: { lat: number; lon: number; radius_km: number }; codes?: string[] }
  /** The text of Meshtastic. */
  text: string
}

export interface Walked {
  /** Of all sources that the first steps switched on. */
  sources: string[]
  /** Addresses that the source asked for. */
  asked: string[]
  /** The decision on each event. */
  decided: string[]
  /** Texts that a person's radio showed, as `mt:1 words`. */
  shown: string[]
}

const FAMILIES = ['weather', 'fire', 'seismic', 'emergency', 'avalanche', 'roads']

/**
 * The first steps of a country on the real dashboard; then the source it switched on, asked by its own poll with the settings it has now; then what it says,
 * through region and matrix, to the nodes of both networks.
 */
export async function walk(t: Test, of: Walk): Promise<Walked> {
  const { country, source, answers, now } = of
  const config = await firstSteps(t, of)
  const parsed = v.parse(configSchema, JSON.parse(config))
  const chosen = parsed.sources.find((one) => one.enabled && sourceName(one) === source)
  if (chosen === undefined) throw new Error(`the first steps of ${country} switch on no ${source}`)
  const { events, asked } = await polled(chosen, { answers, now, config: parsed })
  const field = new Field(t, { start: Date.parse(now) })
  const ann = field.person('Ann', 77)
  const made = await field.station('Alpha', 11, { config: JSON.parse(config) })
  const accepted = made.core.accept(events.map((event) => ({ event })))
  await field.run(1)
  const decided = (await accepted).map(({ event, decision }) => `${event.id}: ${decision?.kind} ${decision?.reason}`)
  await field.run(1800)
  const enabled = parsed.sources.filter((one) => one.enabled)
  return { sources: enabled.map(sourceName), asked, decided, shown: ann.words() }
}

async function firstSteps(t: Test, { country, area, states = [] }: Walk): Promise<string> {
  const found = await dashboard(t)
  const step = async (body: object): Promise<void> => {
    const answer = await found.ask({ path: '/api/first-run', body })
    if (answer.status !== 200) throw new Error(`${country}: ${JSON.stringify(answer.body)}`)
  }
  await step({ station: { country, name: 'Hill', contact: 'ops@hill.example', timezone: 'UTC' } })
  await step({ area: { name: 'North', ...area } })
  const { ticked } = proposedFor(OFFERED_KINDS, country)
  await step({ sources: { kinds: ticked, states } })
  await step({ matrix: { region: 'North', families: FAMILIES, mt: 1, mc: 'north' } })
  return found.file()
}

interface Polling extends Pick<Walk, 'answers' | 'now'> {
  config: v.InferOutput<typeof configSchema>
}

async function polled(
  source: SourceConfig,
  { answers, now, config }: Polling
): Promise<{ events: LookoutEvent[]; asked: string[] }> {
  const kind = (await kindOf(source.kind)) as SourceKind
  const { station, coverage } = config
  const answer = (url: string): string | Error =>
    answers.find(([address]) => address.test(url))?.[1] ?? new AppError('unavailable', note(`nothing is at ${url}`))
  const events: LookoutEvent[] = []
  const asked: string[] = []
  const memory = new MapMemory()
  // An alert whose detail does not come is told from the index after the third try.
  for (const minute of [0, 5, 10]) {
    const receivedAt = Date.parse(now) + minute * 60_000
    const tools = pollTools(({ url }) => answer(url), {
      source: sourceName(source),
      receivedAt,
      memory,
      station,
      coverage
    })
    const reading = await kind.poll(source, tools)
    if (reading !== 'unchanged') events.push(...reading.events)
    asked.push(...tools.asked.map(({ url }) => url))
    if (events.length > 0) break
  }
  return { events, asked: [...new Set(asked)] }
}
