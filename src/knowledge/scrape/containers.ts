import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import * as v from 'valibot'
import { because } from '../../model/reason.ts'
import { jsonOr } from '../../platform/bytes/json-or.ts'
import { AppError } from '../../platform/errors.ts'
import { clientFault, type EngineClient } from './engine-client.ts'
import type { ContainerEnd } from './exit-codes.ts'

/** The crawler gets so long to tidy up before it is killed. Seconds. */
const STOP_SECONDS = 10
const STOP_MS = 40_000
const START_MS = 120_000
const LOG_LINES = 40
const MOST_LINES = 20_000
const WORDS_LENGTH = 500

/** The state of a container. */
export type ContainerState = { running: true } | ({ running: false; begun: boolean } & ContainerEnd)

const stateSchema = v.object({
  Status: v.optional(v.string(), ''),
  Running: v.optional(v.boolean(), false),
  ExitCode: v.optional(v.number(), 0),
  OOMKilled: v.optional(v.boolean(), false)
})

/** The name containers of this data folder are found by, in whatever engine: 12 hex digits. */
export function stationLabel(dataFolder: string): string {
  return createHash('sha256').update(realpathSync(dataFolder)).digest('hex').slice(0, 12)
}

/** Names are unique on a machine, and several stations may be on one. */
export function containerName(station: string, jobId: number): string {
  return `lookout-scrape-${station}-${jobId}`
}

/** @throws AppError `missing`, `unavailable` with what the engine said. */
export async function startContainer(client: EngineClient, args: readonly string[]): Promise<void> {
  const answer = await client.call(args, { timeMs: START_MS })
  if (answer.code === 0) return
  const code = answer.code === 125 ? 'missing' : 'unavailable'
  throw new AppError(code, because('engine_not_started', { engine: client.name, said: clientFault(answer) }))
}

/** Null when there is no container of this name. @throws AppError `unavailable` when the engine does not answer. */
export async function inspectContainer(client: EngineClient, name: string): Promise<ContainerState | null> {
  const answer = await client.call(['inspect', '--type', 'container', '--format', '{{json .State}}', name])
  if (answer.code !== 0) {
    if (/no such (?:container|object)/i.test(answer.stderr)) return null
    throw new AppError(
      'unavailable',
      because('engine_does_not_answer', { engine: client.name, said: clientFault(answer) })
    )
  }
  const { Status, Running, ExitCode, OOMKilled } = v.parse(stateSchema, JSON.parse(answer.stdout))
  const status = Status.toLowerCase()
  if (Running || ['running', 'stopping', 'paused', 'restarting', 'removing'].includes(status)) return { running: true }
  const begun = !['created', 'configured', 'initialized'].includes(status)
  return { running: false, begun, exitCode: ExitCode, outOfMemory: OOMKilled }
}

/** The end of its log, for people; empty when there is none. */
export async function lastWords(client: EngineClient, name: string): Promise<string> {
  const { stdout, stderr } = await client.call(['logs', '--tail', String(LOG_LINES), name])
  const lines = `${stdout}\n${stderr}`.split('\n').map(readable)
  return lines
    .filter((line) => line !== '')
    .join(' · ')
    .slice(-WORDS_LENGTH)
}

/** The last of its log as it came, at most as much as the client is listened to. */
export async function allWords(client: EngineClient, name: string): Promise<string> {
  const { stdout, stderr } = await client.call(['logs', '--tail', String(MOST_LINES), name])
  return `${stdout}\n${stderr}`
}

/** The crawler logs JSON: of such a line the message is what a person reads. */
function readable(line: string): string {
  const plain = line.replace(/\p{Cc}/gu, ' ').trim()
  if (!plain.startsWith('{')) return plain
  const parsed = jsonOr(null, plain)
  const said = typeof parsed === 'object' && parsed !== null && 'message' in parsed ? parsed.message : null
  return typeof said === 'string' ? said : plain
}

/** Ends it, in order if it listens, and removes it. One that is not there is what was wanted. */
export async function removeContainer(client: EngineClient, name: string): Promise<void> {
  await client.call(['stop', '--time', String(STOP_SECONDS), name], { timeMs: STOP_MS })
  await client.call(['rm', '--force', name], { timeMs: STOP_MS })
}

/** Containers of this station, running or not, with the job each belongs to. Empty when the engine does not answer. */
export async function containersOf(client: EngineClient, station: string): Promise<{ name: string; jobId: number }[]> {
  const args = ['ps', '--all', '--filter', `label=lookout=${station}`, '--format', '{{.Names}}']
  const { code, stdout } = await client.call(args)
  if (code !== 0) return []
  return stdout.split('\n').flatMap((line) => {
    const name = line.trim()
    const id = /^lookout-scrape-[0-9a-f]+-(\d+)$/.exec(name)?.[1]
    return id === undefined ? [] : [{ name, jobId: Number(id) }]
  })
}
