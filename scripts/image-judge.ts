/** Judges the data partition after its power was cut: docs/decisions/0053-cut-power-after-the-event.md. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadDriver } from '../src/platform/database/sqlite-driver.ts'
import { STATION_NAME } from './image-board.ts'
import { PATH } from './image-log.ts'

/** An acknowledgement of the station: that it has kept an event, or that it has a name with this number. */
export type Ack = { log: number } & ({ id: string } | { name: number })

export const eventsOf = (acks: readonly Ack[]): string[] => acks.flatMap((ack) => ('id' in ack ? [ack.id] : []))
/** The last name that was acknowledged; -1 when none was. */
export const nameOfAcks = (acks: readonly Ack[]): number =>
  Math.max(-1, ...acks.flatMap((ack) => ('name' in ack ? [ack.name] : [])))
/** The number in a name of the station; -1 in the one it has from the text file. */
export const numberOf = (name: string): number => Number(new RegExp(`^${STATION_NAME} (\\d+)$`).exec(name)?.[1] ?? -1)

export function run(program: string, args: readonly string[]): { code: number; out: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env: { ...process.env, PATH } })
  return { code: status ?? -1, out: `${stdout}${stderr}` }
}

/** Faults of the data partition, repaired as the board does at its start. Leaves its files in `folder`. */
export async function judgeData(
  image: string,
  folder: string,
  acks: readonly Ack[]
): Promise<{ faults: string[]; events: number }> {
  const faults: string[] = []
  const repaired = run('e2fsck', ['-y', image])
  if (repaired.code >= 4) faults.push(`e2fsck -y ended with ${repaired.code}: ${repaired.out.slice(-300)}`)
  if (run('e2fsck', ['-fn', image]).code !== 0) faults.push('e2fsck -fn finds faults after the repair')
  run('debugfs', ['-R', `rdump /lookout ${folder}`, image])
  faults.push(...faultsOfSettings(join(folder, 'lookout/config.json'), nameOfAcks(acks)))
  const file = join(folder, 'lookout/lookout.db')
  const ids = eventsOf(acks)
  if (!existsSync(file)) return { faults: ids.length === 0 ? faults : [...faults, 'lookout.db is gone'], events: 0 }
  const found = await faultsOfDatabase(file, ids)
  return { faults: [...faults, ...found.faults], events: found.events }
}

function faultsOfSettings(file: string, acknowledged: number): string[] {
  if (!existsSync(file)) return acknowledged < 0 ? [] : ['config.json is gone']
  try {
    const { station } = JSON.parse(readFileSync(file, 'utf8')) as { station?: { name?: string } }
    const name = station?.name ?? ''
    return numberOf(name) >= acknowledged ? [] : [`config.json: "${name}", and name ${acknowledged} was acknowledged`]
  } catch (error) {
    return [`config.json: ${String(error)}`]
  }
}

async function faultsOfDatabase(file: string, ids: readonly string[]): Promise<{ faults: string[]; events: number }> {
  const faults: string[] = []
  const Driver = await loadDriver()
  const database = new Driver(file)
  try {
    const [sound] = database.prepare('PRAGMA integrity_check').all() as { integrity_check?: string }[]
    if (sound?.integrity_check !== 'ok') faults.push(`lookout.db: ${JSON.stringify(sound)}`)
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE name = 'events'").all()
    if (tables.length === 0) return { faults: ids.length === 0 ? faults : [...faults, 'no table of events'], events: 0 }
    const rows = database.prepare("SELECT id FROM events WHERE source = 'cuts'").all() as { id: string }[]
    const there = new Set(rows.map(({ id }) => id))
    const lost = ids.filter((id) => !there.has(id))
    if (lost.length > 0) faults.push(`acknowledged and lost: ${lost.join(' ')}`)
    // The history says that it is sent: then the queue has it.
    const unqueued = database
      .prepare(
        `SELECT id FROM events WHERE source = 'cuts' AND decision = 'send' AND NOT EXISTS
           (SELECT 1 FROM deliveries, json_each(deliveries.event_seqs) AS one WHERE one.value = events.seq)`
      )
      .all() as { id: string }[]
    if (unqueued.length > 0) faults.push(`to be sent and in no message: ${unqueued.map(({ id }) => id).join(' ')}`)
    return { faults, events: rows.length }
  } catch (error) {
    return { faults: [...faults, `lookout.db: ${String(error)}`], events: 0 }
  } finally {
    database.close()
  }
}
