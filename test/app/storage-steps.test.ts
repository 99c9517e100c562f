import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { HEARD_LOG, heardLines } from '../../src/warning/outbox/heard-log.ts'
import { type Station, station, withMatrix } from '../helpers/station.ts'
import { StepMeter } from '../helpers/step-meter.ts'

/** Contract §6, *Warnings before work*, while the disk fails and comes back. Milliseconds on the machine of docs/measurements.md. */
const MOST_MS = 15
/** The next warning depends on what is read in one go, and the words of the one that met the failure are made of it. */
const MOST_AT_FAILURE_MS = 25

const CONFIG = withMatrix({ fire: { North: { mt: 3, mc: 'north' } } })
const grave = (id: string): Record<string, unknown> => ({
  id,
  severity: 'immediate',
  title: `Leave ${id} now`,
  expires: '2026-06-01T22:00:00Z'
})
const EVENTS = 2000

async function history(s: Station): Promise<void> {
  for (let n = 0; n < EVENTS; n++) {
    const severity = n % 4 === 0 ? 'critical' : 'routine'
    await s.post({ id: `old-${n}`, severity, title: `Far ${n}`, body: 'far away '.repeat(20), regions: ['South'] })
  }
}

const GIVEN_UP_MS = 120_000

/** The steps of the way back run beside the virtual clock, and wait for the real disk. */
async function until(s: Station, isSo: () => boolean): Promise<void> {
  const end = Date.now() + GIVEN_UP_MS
  while (!isSo() && Date.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    await s.run(0.01)
  }
}
const back = (s: Station): Promise<void> => until(s, () => s.core.storage.fault === null)

t.test('no step of storage holds the thread while a disk fails, is away and comes back', async (t) => {
  const meter = new StepMeter()
  t.teardown(() => meter.close())
  const folder = join(t.testdir({ data: {} }), 'data')
  const path = join(folder, 'lookout.db')
  const s = await station(t, { config: CONFIG, databasePath: path, onError: (line) => t.comment(line) })
  await history(s)
  // Work that is done for the first time is compiled.
  await s.post(grave('Before'))
  await s.run(60)
  const holds = async (what: string, most: number, work: () => Promise<unknown>): Promise<void> => {
    meter.begin()
    const { ms, turns } = await meter.longest(work)
    const limit = meter.limit(most)
    t.comment(`${what}: ${ms.toFixed(1)} ms of CPU, ${limit.why}, ${turns} turns`)
    t.ok(ms <= limit.ms, `${what}: ${ms.toFixed(1)} ms`)
  }
  const fail = async (): Promise<void> => s.core.storage.db.exec('PRAGMA query_only = ON')

  await fail()
  await holds('the moment of the failure', MOST_AT_FAILURE_MS, () => s.post(grave('Alfa')))
  await holds('the rest is read', MOST_MS, async () => {
    for (let n = 0; n < 300; n++) {
      await new Promise((resolve) => setImmediate(resolve))
      await s.run(0.002)
    }
  })
  // A storm while nothing can be stored.
  for (let n = 0; n < 400; n++) await s.post(grave(`Storm ${n}`))
  t.equal(s.core.storage.fault, 'read_only')
  let told = 0
  await holds('what was told is written down', MOST_MS, async () => {
    await s.run(10)
    // An event in the middle of it is neither lost nor told twice.
    t.match(await s.post(grave('Alfa')), { duplicate: true })
    await back(s)
    told = s.onAir().filter((text) => text.includes('Alfa')).length
  })
  t.equal(told, 2)
  for (const id of ['Alfa', 'Storm 0', 'Storm 399'])
    t.match(await s.post(grave(id)), { duplicate: true, stored: true }, id)

  for (const name of readdirSync(folder)) if (name.startsWith('lookout.db')) rmSync(join(folder, name))
  await s.run(6)
  t.equal(s.core.storage.fault, 'gone')
  await holds('a removed file is made anew', MOST_AT_FAILURE_MS, async () => {
    await until(s, () => existsSync(`${path}.new`))
    t.equal(s.core.storage.fault, 'gone', 'begun, and not yet in its place')
    t.match(await s.post(grave('Between')), { duplicate: false, stored: false })
    t.match(await s.post(grave('Alfa')), { duplicate: true }, 'known in the middle of it')
    t.match(await s.post({ id: 'old-8', severity: 'critical' }), { duplicate: true })
    await back(s)
  })
  t.equal(s.core.storage.fault, null)
  for (const id of ['Between', 'Alfa', 'Storm 7'])
    t.match(await s.post(grave(id)), { duplicate: true, stored: true }, id)
  t.ok(statSync(path).size > 100_000)
  t.same(
    readdirSync(folder).filter((name) => name.includes('.new')),
    []
  )

  let again: Station | null = null
  await holds('a start puts back what the log knows', MOST_AT_FAILURE_MS, async () => {
    again = await s.restart({
      between: async () => {
        for (const name of readdirSync(folder)) if (name.startsWith('lookout.db')) rmSync(join(folder, name))
      }
    })
  })
  const next = again as unknown as Station
  t.ok(existsSync(join(folder, HEARD_LOG)))
  t.ok([...heardLines(path)].length > EVENTS)
  for (const id of ['Between', 'Alfa', 'Storm 7']) t.match(await next.post(grave(id)), { duplicate: true }, id)
  t.match(await next.post({ id: 'old-9', severity: 'routine' }), { duplicate: true })
  await next.run(60)
  t.equal(next.onAir().filter((text) => text.includes('Alfa')).length, 0)
  renameSync(folder, `${folder}-pulled`)
  await holds('the first question to the log', MOST_AT_FAILURE_MS, () =>
    next.post({ id: 'old-9', severity: 'critical' })
  )
})
