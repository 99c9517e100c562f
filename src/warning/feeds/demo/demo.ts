import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import type { LookoutEvent } from '../../../model/event.ts'
import { because } from '../../../model/reason.ts'
import { formatTime } from '../../../model/time.ts'
import { AppError, errorText } from '../../../platform/errors.ts'
import { FEED_KINDS, type FeedKind, parseFeedFile } from '../detect.ts'

const scenarioSchema = v.object({
  title: v.string(),
  about: v.optional(v.string(), ''),
  config: v.record(v.string(), v.unknown()),
  steps: v.pipe(
    v.array(
      v.object({
        at_seconds: v.pipe(v.number(), v.minValue(0)),
        note: v.string(),
        kind: v.picklist(FEED_KINDS),
        file: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9.-]*$/, 'a file beside scenario.json'))
      })
    ),
    v.minLength(1)
  )
})

/** One payload of the scenario, still with its templates. */
interface ScenarioStep {
  atSeconds: number
  note: string
  kind: FeedKind
  template: string
}

/** A scenario as read from its folder. `config` is a part of a configuration, for the configuration's own schema to check. */
export interface DemoScenario {
  title: string
  config: Record<string, unknown>
  steps: ScenarioStep[]
}

/** A payload as its feed would send it at this moment of the run. */
export interface DemoStep {
  atSeconds: number
  note: string
  kind: FeedKind
  body: string
}

/** One run of the scenario: `startMs` is epoch milliseconds; the same `runId` gives the same ids and threads again. */
export interface DemoRun {
  startMs: number
  runId: string
}

/** Reads `scenario.json` and its payloads. Throws AppError `missing` or `bad-input`, naming the file. */
export async function loadDemoScenario(folder: string): Promise<DemoScenario> {
  const scenario = v.safeParse(scenarioSchema, parseJson(await read(folder, 'scenario.json')))
  if (!scenario.success) {
    const [issue] = scenario.issues
    const [place, said] = [v.getDotPath(issue), issue.message]
    const why = place === null ? because('demo_file_refused', { said }) : because('demo_refused', { place, said })
    throw new AppError('bad-input', why)
  }
  const { title, config, steps } = scenario.output
  const inOrder = [...steps].sort((a, b) => a.at_seconds - b.at_seconds)
  return {
    title,
    config,
    steps: await Promise.all(
      inOrder.map(async ({ at_seconds, note, kind, file }) => ({
        atSeconds: at_seconds,
        note,
        kind,
        template: await read(folder, file)
      }))
    )
  }
}

async function read(folder: string, file: string): Promise<string> {
  try {
    return await readFile(join(folder, file), 'utf8')
  } catch (cause) {
    throw new AppError('missing', because('demo_needs_file', { file, folder, said: errorText(cause) }), { cause })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('bad-input', because('demo_not_json', { said: errorText(cause) }), { cause })
  }
}

/** Coverage, matrix and station of the scenario: a part of a configuration, for the configuration's schema to check. */
export async function demoConfig(folder: string): Promise<Record<string, unknown>> {
  const { config } = await loadDemoScenario(folder)
  return config
}

/** The steps of the folder's scenario for one run, in order of time. */
export async function demoSteps(folder: string, run: DemoRun): Promise<DemoStep[]> {
  const { steps } = await loadDemoScenario(folder)
  return steps.map(({ atSeconds, note, kind, template }) => ({
    atSeconds,
    note,
    kind,
    body: fillTemplate(template, run)
  }))
}

/** The events of one step, read by the parser of its feed. `now` is epoch milliseconds. */
export function demoEventsAt(step: DemoStep, now: number): LookoutEvent[] {
  return parseFeedFile(step.body, { as: step.kind, receivedAt: now }).events
}

const MINUTE = 60_000

/**
 * Fills in `{{time:+60}}` (RFC 3339), `{{minute:+60}}` (the same, whole minutes), `{{vtec:+60}}`, `"{{ms:+60}}"` (a number):
 * seconds from the start; `{{run}}` and `{{etn}}`: letters and a four-digit number that only this run has.
 */
export function fillTemplate(template: string, { startMs, runId }: DemoRun): string {
  const run = hash(runId)
  const at = (seconds: string): number => Math.floor(startMs / 1000) * 1000 + Number(seconds) * 1000
  const minute = (seconds: string): number => Math.floor(at(seconds) / MINUTE) * MINUTE
  return template
    .replace(/"\{\{ms:([+-]?\d+)\}\}"/g, (_, seconds: string) => String(at(seconds)))
    .replace(/\{\{time:([+-]?\d+)\}\}/g, (_, seconds: string) => rfc3339(at(seconds)))
    .replace(/\{\{minute:([+-]?\d+)\}\}/g, (_, seconds: string) => rfc3339(minute(seconds)))
    .replace(/\{\{vtec:([+-]?\d+)\}\}/g, (_, seconds: string) => vtecTime(minute(seconds)))
    .replaceAll('{{run}}', run.toString(36).padStart(7, '0'))
    .replaceAll('{{etn}}', String((run % 9000) + 1000))
}

/** As the NWS writes it: whole seconds, numeric offset. */
function rfc3339(ms: number): string {
  return `${formatTime(ms).slice(0, 19)}+00:00`
}

function vtecTime(ms: number): string {
  const text = formatTime(ms)
  return `${text.slice(2, 10).replaceAll('-', '')}T${text.slice(11, 16).replace(':', '')}Z`
}

/** FNV-1a, 32 bits: any run id becomes letters that fit into every feed's ids. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return value
}
