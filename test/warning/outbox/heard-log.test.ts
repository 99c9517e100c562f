import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import type { Database } from '../../../src/platform/database/database.ts'
import { HEARD_LOG, HeardLog, heardLines } from '../../../src/warning/outbox/heard-log.ts'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

/** Contract §6: what is lost of a damaged `lookout.db` is never repeated below critical, and never lost at or above. */

const CONFIG = withMatrix({ fire: { North: { mt: 3, mc: 'north' } } })
const PAGE = 4096

const grave = (id: string): Record<string, unknown> => ({
  id,
  severity: 'immediate',
  title: `Leave ${id} now`,
  expires: '2026-06-01T22:00:00Z'
})
const lesser = (id: string): Record<string, unknown> => ({ id, severity: 'priority', title: `Smoke ${id}` })
const aired = (s: Station, words: string): number => s.onAir().filter((text) => text.includes(words)).length

function open(t: Test, folder: string, clock?: VirtualClock): Promise<Station> {
  const databasePath = join(folder, 'lookout.db')
  return station(t, {
    config: CONFIG,
    databasePath,
    onError: () => undefined,
    ...(clock === undefined ? {} : { clock })
  })
}

/** Told: Early and Haze. Waiting for radios that are down: Late (immediate) and Dust (priority). */
async function world(
  t: Test,
  before: (db: Database, folder: string) => void = () => undefined
): Promise<{ s: Station; folder: string }> {
  const folder = join(t.testdir({ data: {} }), 'data')
  const s = await open(t, folder)
  for (let n = 0; n < 20; n++)
    await s.post({ id: `routine-${n}`, title: `Far ${n}`, body: 'far away '.repeat(100), regions: ['South'] })
  before(s.core.storage.db, folder)
  await s.post(grave('Early'))
  await s.post(lesser('Haze'))
  await s.run(400)
  s.mt.setFault({ down: true })
  s.mc.setFault({ down: true })
  await s.run(1)
  await s.post(grave('Late'))
  await s.post(lesser('Dust'))
  s.core.storage.db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  return { s, folder }
}

/** The salvage runs beside the virtual clock, in slices of real time. */
async function renewed(s: Station): Promise<void> {
  for (let round = 0; round < 2000 && s.core.storage.fault !== null; round++) {
    await new Promise((resolve) => setTimeout(resolve, 2))
    await s.run(1)
  }
}

/** Checks what every station must show that has found such a file. */
async function judge(t: Test, s: Station, what: string): Promise<void> {
  for (const one of [grave('Early'), lesser('Haze'), lesser('Dust'), grave('Late')])
    t.match(await s.post(one), { duplicate: true }, `${what}: ${String(one['id'])} is no news`)
  await s.run(30)
  await renewed(s)
  await s.run(60)
  t.equal(s.core.storage.fault, null, what)
  for (const one of [grave('Early'), lesser('Haze'), lesser('Dust'), grave('Late')])
    t.match(await s.post(one), { duplicate: true }, `${what}: ${String(one['id'])} is no news later`)
  await s.run(60)
  t.equal(aired(s, 'Haze'), 0, `${what}: below critical nothing is repeated`)
  t.equal(aired(s, 'Early'), 0, `${what}: nor what had left at critical and above`)
  t.ok(aired(s, 'Dust') <= 2, `${what}: nor told twice`)
  t.ok(aired(s, 'Late') >= 2, `${what}: what waited at critical and above is told, on both networks`)
  t.match(await s.post(grave('Next')), { duplicate: false, decision: { kind: 'send' } }, `${what}: news are news`)
}

t.test('whichever page of lookout.db is lost, nothing is news again and no grave warning stays untold', async (t) => {
  const { s, folder } = await world(t)
  const then = s.clock.now()
  const safe = readFileSync(join(folder, 'lookout.db'))
  const log = readFileSync(join(folder, HEARD_LOG))
  const pages = safe.length / PAGE
  t.ok(pages > 40)
  // The first hold the schema, so every one of them; of the others some.
  for (let page = 0; page < pages; page += page < 12 ? 1 : 3) {
    // A folder for each: the driver may still hold what was closed.
    const own = join(folder, String(page))
    mkdirSync(own)
    const bytes = Buffer.from(safe)
    bytes.fill(page % 2 === 0 ? 0 : 0xaa, page * PAGE, (page + 1) * PAGE)
    writeFileSync(join(own, 'lookout.db'), bytes)
    writeFileSync(join(own, HEARD_LOG), log)
    const again = await open(t, own, new VirtualClock(then))
    await judge(t, again, `page ${page + 1}`)
  }
})

const LOSSES: [string, (folder: string) => void][] = [
  ['gone', (folder) => rmSync(join(folder, 'lookout.db'))],
  ['empty', (folder) => truncateSync(join(folder, 'lookout.db'), 0)],
  ['garbage', (folder) => writeFileSync(join(folder, 'lookout.db'), Buffer.alloc(300_000, 0x5a))],
  ['cut at half', (folder) => truncateSync(join(folder, 'lookout.db'), 40 * PAGE + 100)],
  ['an older copy', (folder) => copyFileSync(join(folder, 'old.db'), join(folder, 'lookout.db'))]
]
for (const [what, lose] of LOSSES)
  t.test(`a lookout.db that is ${what} at a start makes nothing news again`, async (t) => {
    const { s, folder } = await world(t, (db, folder) => db.exec(`VACUUM INTO '${folder}/old.db'`))
    const own = join(folder, 'own')
    mkdirSync(own)
    for (const name of ['lookout.db', 'old.db', HEARD_LOG]) copyFileSync(join(folder, name), join(own, name))
    lose(own)
    await judge(t, await open(t, own, new VirtualClock(s.clock.now())), what)
  })

t.test('damage of the log costs the lines it lies in, and a line that was cut off spoils no other', async (t) => {
  const { s, folder } = await world(t)
  const path = join(folder, 'lookout.db')
  const before = [...heardLines(path)]
  t.equal(before.filter(({ grave }) => grave !== undefined).length, 2)
  t.equal(before.filter(({ told }) => told !== undefined).length, 2, 'Early left on two radios')
  appendFileSync(join(folder, HEARD_LOG), '\n0123abcd cut of')
  await s.post(lesser('After'))
  t.equal([...heardLines(path)].length, before.length + 1)
  const bytes = readFileSync(join(folder, HEARD_LOG))
  bytes.fill(0, 200, 300)
  writeFileSync(join(folder, HEARD_LOG), bytes)
  const left = [...heardLines(path)]
  t.ok(left.length >= before.length - 4 && left.length <= before.length)
})

t.test('the log does not grow for ever, and one that takes nothing refuses nothing', async (t) => {
  const folder = t.testdir({})
  const path = join(folder, 'lookout.db')
  const warned: string[] = []
  const log = new HeardLog(path, { warn: (_: unknown, text?: string) => void warned.push(String(text)) })
  const { event } = [...heardLines(join((await world(t)).folder, 'lookout.db'))].find(({ grave }) => grave)?.grave ?? {}
  if (event === undefined) throw new Error('no event')
  for (let n = 0; n < 6000; n++) {
    log.note({ event: { ...event, id: `e${n}`, body: 'x'.repeat(300) }, seq: n, decision: null })
    if (n % 100 === 99) log.write()
  }
  t.ok(statSync(join(folder, HEARD_LOG)).size < 2.3 * 1024 * 1024)
  t.ok(statSync(join(folder, `${HEARD_LOG}.1`)).size < 2.3 * 1024 * 1024)
  t.ok(log.knows({ ...event, id: 'e5999' }))
  log.close()
  const nowhere = new HeardLog(join(folder, 'pulled', 'lookout.db'), {
    warn: (_: unknown, text?: string) => void warned.push(String(text))
  })
  for (const seq of [1, 2]) {
    nowhere.note({ event: { ...event, id: `n${seq}` }, seq, decision: null })
    t.doesNotThrow(() => nowhere.write())
  }
  t.equal(warned.length, 1, 'said once')
  t.notOk(existsSync(join(folder, 'pulled')), 'no folder is made')
})
