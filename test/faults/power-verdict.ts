import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { sha256Hex } from '../../src/platform/bytes/hash.ts'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { loadDriver } from '../../src/platform/database/sqlite-driver.ts'
import { errorText } from '../../src/platform/errors.ts'
import { configSchema } from '../../src/settings/schema.ts'
import { ConfigStore } from '../../src/settings/store.ts'
import { station } from '../helpers/station.ts'
import type { Mark } from './power-world.ts'
import type { StormEvent } from './storm-events.ts'
import { type AirLine, judge, RULES as STORM_RULES } from './storm-verdict.ts'

export const RULES = [
  ...STORM_RULES,
  'an edit of the settings that was answered with success is in force, or a later one',
  'a key, a silence and a document that were answered with success are there',
  'every database passes its integrity check, and none is put aside',
  'an event that was answered with success is known, and none that was told counts as new',
  'the station starts, and nothing goes wrong that it logs as an error'
] as const
const [, , , , , EDITS, THINGS, DATABASES, KNOWN, STARTS] = RULES

/** The knowledge of the outside at the moment of the power cut. */
export class Known {
  readonly air: AirLine[] = []
  readonly asked: StormEvent[] = []
  readonly told = new Set<string>()
  readonly things = new Map<'key' | 'silence' | 'document', string[]>()
  /** The name that was confirmed last, and what was asked since. */
  names: string[] = ['']
  at = 0

  take(text: string): void {
    const mark = JSON.parse(text) as Mark | AirLine
    if (!('what' in mark)) {
      this.air.push(mark)
      this.at = Math.max(this.at, mark.at)
    } else if (mark.what !== 'life') this.#heard(mark)
  }

  #heard(mark: Exclude<Mark, { what: 'life' }>): void {
    if (mark.kind === 'events') {
      if (mark.what === 'asked') this.asked.push(...mark.events)
      else for (const event of mark.events) this.told.add(keyOf(event))
    } else if (mark.kind === 'name') {
      if (mark.what === 'told') this.names = [mark.value]
      else this.names.push(mark.value)
    } else if (mark.what === 'told') {
      this.things.set(mark.kind, [...(this.things.get(mark.kind) ?? []), mark.value])
    }
  }
}

const keyOf = ({ id, revision }: Pick<StormEvent, 'id' | 'revision'>): string => `${id} ${revision}`

export interface Problem {
  rule: (typeof RULES)[number]
  what: string
}

/** Long enough for all that waits, and for the repeats of what nobody was heard saying. */
const DRAIN_S = 3600
const AFTER_MS = 20_000

/** Opens the station on this folder, lets it go on for an hour of its clock, and judges by what was known before. */
export async function judgeState(data: string, known: Known): Promise<Problem[]> {
  const problems: Problem[] = []
  const bad = (rule: Problem['rule'], what: string): void => void problems.push({ rule, what })
  try {
    await judgeStation(data, known, bad)
  } catch (error) {
    bad(STARTS, error instanceof Error ? String(error.stack) : errorText(error))
  }
  await judgeFiles(data, known, bad)
  return problems
}

type Bad = (rule: Problem['rule'], what: string) => void

async function judgeStation(data: string, known: Known, bad: Bad): Promise<void> {
  const config = await ConfigStore.open({ folder: data })
  const { name } = config.current().station
  const raw = config.raw()
  if (config.status().usingBackup) bad(EDITS, 'the copy is in force')
  await config.close()
  if (!known.names.includes(name) && !(known.names[0] === '' && name === DEFAULT_NAME))
    bad(EDITS, `${name} instead of ${known.names.join(' or ')}`)
  const after: (() => unknown)[] = []
  const t = {
    teardown: (task: () => unknown) => void after.push(task),
    fail: (what?: unknown) => {
      bad(STARTS, String(what).slice(0, 600))
      return false
    }
  } as unknown as Parameters<typeof station>[0]
  const clock = new VirtualClock(known.at + AFTER_MS)
  const s = await station(t, { config: raw, databasePath: join(data, 'lookout.db'), clock, neighbours: 2 })
  await s.run(5)
  const aired = new Set(known.air.map(({ text }) => /K\d{5}r\d+/i.exec(text)?.[0]))
  for (const event of known.asked) {
    const { duplicate } = await s.post({ ...event })
    const said = aired.has(event.title.replace('Fire ', ''))
    if (!duplicate && (known.told.has(keyOf(event)) || said)) bad(KNOWN, `${event.severity} ${event.title}`)
  }
  await s.run(DRAIN_S)
  const air = [s.mt, s.mc].flatMap((radio) =>
    radio.airLog.map((entry): AirLine => ({ ...entry, radio: radio.description.id }))
  )
  for (const task of after.reverse()) await task()
  for (const { rule, what } of judge([...known.air, ...air], known.asked).problems) bad(rule as Problem['rule'], what)
}

const DEFAULT_NAME = v.parse(configSchema, {}).station.name

async function judgeFiles(data: string, known: Known, bad: Bad): Promise<void> {
  const Driver = await loadDriver()
  const ask = (file: string, sql: string): Record<string, unknown>[] => {
    const db = new Driver(join(data, file))
    try {
      return db.prepare(sql).all()
    } finally {
      db.close()
    }
  }
  const names = readdirSync(data)
  for (const name of names) {
    if (name.includes('.bad-')) bad(DATABASES, `${name} was put aside`)
    if (!name.endsWith('.db')) continue
    try {
      const said = ask(name, 'PRAGMA integrity_check').map((row) => String(row['integrity_check']))
      if (said.join() !== 'ok') bad(DATABASES, `${name}: ${said.join('; ').slice(0, 300)}`)
    } catch (error) {
      bad(DATABASES, `${name}: ${errorText(error)}`)
    }
  }
  const keys = existsSync(join(data, 'keys.env')) ? readFileSync(join(data, 'keys.env'), 'utf8') : ''
  for (const key of known.things.get('key') ?? []) if (!keys.includes(key)) bad(THINGS, key)
  try {
    const silences = new Set(ask('lookout.db', 'SELECT reason FROM silences').map(({ reason }) => reason))
    for (const one of known.things.get('silence') ?? []) if (!silences.has(one)) bad(THINGS, one)
    const documents = known.things.get('document') ?? []
    if (documents.length === 0) return
    const listed = ask('knowledge.db', 'SELECT hash FROM uploads UNION SELECT hash FROM document_hashes')
    const rows = new Set(listed.map(({ hash }) => hash))
    const files = new Set(filesBelow(data).map((file) => sha256Hex(readFileSync(file))))
    for (const hash of documents) {
      if (!rows.has(hash)) bad(THINGS, `no row of the document ${hash}`)
      if (!files.has(hash)) bad(THINGS, `no file of the document ${hash}`)
    }
  } catch (error) {
    bad(DATABASES, errorText(error))
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.db(-wal|-shm)?$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
}
