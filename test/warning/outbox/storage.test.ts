import { closeSync, mkdirSync, openSync, readdirSync, renameSync, statSync, truncateSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { type Database, openDatabase } from '../../../src/platform/database/database.ts'
import { parseEventInput } from '../../../src/warning/events/input.ts'
import { ledgerMigrations } from '../../../src/warning/outbox/schema.ts'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

/** Contract §6, "When nothing can be stored": real damage to real files, on a virtual clock. */

const CONFIG = withMatrix({ fire: { North: { mt: 3, mc: 'north' } } })

interface World {
  s: Station
  folder: string
  path: string
  errors: string[]
}

async function world(t: Test): Promise<World> {
  const folder = join(t.testdir({ data: {} }), 'data')
  const path = join(folder, 'lookout.db')
  const errors: string[] = []
  const s = await station(t, { config: CONFIG, databasePath: path, onError: (line) => errors.push(line) })
  return { s, folder, path, errors }
}

const grave = (id: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  id,
  severity: 'immediate',
  title: `Leave ${id} now`,
  expires: '2026-06-01T22:00:00Z',
  ...more
})
const aired = (s: Station, words: string): string[] => s.onAir().filter((text) => text.includes(words))
const file = ({ path }: Pick<World, 'path'>, text: string | Buffer, at: number): void => {
  const handle = openSync(path, 'r+')
  writeSync(handle, Buffer.from(text), 0, undefined, at)
  closeSync(handle)
}

t.test(
  'a disk that takes nothing: critical and above leaves from memory, once; the rest is refused with words',
  async (t) => {
    const { s, errors } = await world(t)
    await s.post({ id: 'before', title: 'Smoke before' })
    await s.run(60)
    s.core.storage.db.exec('PRAGMA query_only = ON')
    const told = await s.post(grave('Croy'))
    t.match(told, { stored: false, duplicate: false, decision: { kind: 'send' } })
    t.equal(s.core.storage.fault, 'read_only')
    t.match(errors, [/sent from memory/])
    await t.rejects(s.post({ id: 'late', severity: 'priority' }), { code: 'unavailable', message: /read-only/ })
    t.match(await s.post(grave('Croy')), { duplicate: true }, 'at most once')
    await s.run(5)
    t.equal(aired(s, 'Croy').length, 2, 'one on each network')
    t.match(s.deliveries(), [{ state: 'heard' }, { state: 'heard' }, { state: /sent|heard/ }, { state: /sent|heard/ }])
  }
)

t.test(
  'a full disk stops the ledger last: its reserve is given back, and what could not be stored is stored',
  async (t) => {
    const folder = t.testdir({})
    const errors: string[] = []
    let kept = 0
    let room = 1
    let db: Database | null = null
    const reserve = {
      keep: async () => void kept++,
      release: () => {
        if (room-- <= 0) return false
        db?.exec('PRAGMA max_page_count = 100000')
        return true
      }
    }
    const options = { config: CONFIG, databasePath: join(folder, 'lookout.db'), reserve }
    const s = await station(t, { ...options, onError: (line) => errors.push(line) })
    db = s.core.storage.db
    await s.run(15)
    t.equal(kept, 1, 'it is made soon after the start')
    const fill = (): void =>
      void db?.exec(`PRAGMA max_page_count = ${db.sql('PRAGMA page_count').get()?.['page_count']}`)
    fill()
    t.match(await s.post({ id: 'a', body: 'far away '.repeat(2000) }), { stored: true }, 'also below critical')
    t.equal(s.core.storage.fault, null)
    t.match(errors, [/reserve is given to the ledger/])
    fill()
    t.match(await s.post(grave('Croy', { body: 'far away '.repeat(2000) })), { stored: false })
    t.equal(s.core.storage.fault, 'full', 'there is one reserve')
    await s.run(5)
    t.equal(aired(s, 'Croy').length, 2)
  }
)

t.test('when storing works again what was sent is written down, and a restart does not send it again', async (t) => {
  const { s, errors } = await world(t)
  await s.post(grave('Early'))
  await s.run(30)
  s.core.storage.db.exec('PRAGMA query_only = ON')
  await s.post(grave('Croy'))
  await s.run(5)
  t.equal(s.core.storage.fault, 'read_only')
  await s.run(10)
  t.equal(s.core.storage.fault, null)
  t.match(await s.post(grave('Croy')), { duplicate: true, stored: true })
  const before = s.deliveries()
  const again = await s.restart()
  t.same(
    again.deliveries().map(({ id, state, text }) => [id, state, text]),
    before.map(({ id, state, text }) => [id, state, text])
  )
  t.match(await again.post(grave('Croy')), { duplicate: true })
  t.match(await again.post(grave('Early')), { duplicate: true })
  await again.run(60)
  t.same(again.onAir(), [])
  t.equal(errors.length, 1)
})

t.test('a disk that comes back is used within seconds, however long it was away, and asked little', async (t) => {
  let [asked, works] = [0, false]
  const probe = async (): Promise<boolean> => {
    asked++
    return works
  }
  const databasePath = join(t.testdir({ data: {} }), 'data', 'lookout.db')
  const s = await station(t, { config: CONFIG, databasePath, probe, onError: () => undefined })
  const folder = dirname(databasePath)
  renameSync(folder, `${folder}-pulled`)
  await s.run(900)
  t.equal(s.core.storage.fault, 'gone')
  t.ok(asked > 200 && asked <= 300, `asked ${asked} times in 15 min`)
  renameSync(`${folder}-pulled`, folder)
  works = true
  await s.run(4)
  t.equal(s.core.storage.fault, null)
  const before = asked
  await s.run(60)
  t.equal(asked, before, 'nobody asks a disk that works')
})

t.test(
  'what waits on the disk goes on when storing works again, unless its channel was told something newer',
  async (t) => {
    const { s } = await world(t)
    s.mt.setFault({ down: true })
    s.mc.setFault({ down: true })
    await s.run(1)
    await s.post({ id: 'Smoke', severity: 'priority' })
    await s.post({ id: 'Other', severity: 'priority' })
    s.core.storage.db.exec('PRAGMA query_only = ON')
    await s.post(grave('Smoke', { revision: '2' }))
    s.mt.setFault({ down: false })
    s.mc.setFault({ down: false })
    await s.run(9)
    t.equal(aired(s, 'Other').length, 0, 'it waits for the disk')
    t.equal(aired(s, 'Smoke').length, 2)
    await s.run(60)
    t.equal(s.core.storage.fault, null)
    t.equal(aired(s, 'Other').length, 2)
    t.equal(aired(s, 'Smoke').length, 2, 'the older words are not said after the newer ones')
    t.equal(s.deliveries().filter(({ state, reason }) => state === 'suppressed' && reason === 'superseded').length, 2)
  }
)

t.test('what was on its way when the disk failed is told once, and so is what waited', async (t) => {
  const { s } = await world(t)
  await s.post(grave('Croy'))
  await s.post(grave('Bell'))
  s.core.storage.db.exec('PRAGMA query_only = ON')
  await s.run(120)
  t.equal(s.core.storage.fault, null)
  t.equal(aired(s, 'Croy').length, 2)
  t.equal(aired(s, 'Bell').length, 2)
  const again = await s.restart()
  await again.run(60)
  t.same(again.onAir(), [])
})

t.test('of a post of many the grave ones leave, and the sender is told to send all of them again', async (t) => {
  const { s } = await world(t)
  s.core.storage.db.exec('PRAGMA query_only = ON')
  const families = new Set(['fire'])
  const events = [grave('Croy'), { id: 'later', severity: 'routine' }].map((one) => ({
    event: parseEventInput(
      { source: 'test', family: 'fire', title: 'Smoke', regions: ['North'], ...one },
      { now: s.clock.now(), families }
    )
  }))
  const refused = t.rejects(s.core.accept(events), {
    code: 'unavailable',
    issues: [{ path: '/1', code: 'unavailable' }]
  })
  await s.run(5)
  await refused
  t.equal(aired(s, 'Croy').length, 2)
  await s.run(20)
  const accepted = s.core.accept(events)
  await s.run(1)
  t.match(await accepted, [{ duplicate: true }, { duplicate: false, stored: true }])
})

t.test('when nothing of the file can be read, what this process sent is known all the same', async (t) => {
  const { s, path, errors } = await world(t)
  await s.post(grave('Early'))
  await s.run(30)
  s.core.storage.db.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA shrink_memory')
  file({ path }, Buffer.alloc(statSync(path).size, 0xaa), 0)
  t.match(await s.post(grave('Croy')), { stored: false })
  t.match(errors, [/"fault":"damaged","known":false/])
  t.match(await s.post(grave('Early')), { duplicate: true })
  await renewed(s)
  t.equal(s.core.storage.fault, null)
  t.match(await s.post(grave('Early')), { duplicate: true, stored: true })
  t.match(await s.post(grave('Croy')), { duplicate: true, stored: true })
  await s.run(60)
  t.equal(aired(s, 'Croy').length, 2)
  t.equal(aired(s, 'Early').length, 2)
})

t.test(
  'a data folder that is taken away is noticed before anything is acknowledged, and taken up when it is back',
  async (t) => {
    const { s, folder } = await world(t)
    await s.post(grave('Early'))
    await s.run(30)
    renameSync(folder, `${folder}-pulled`)
    t.match(await s.post(grave('Croy')), { stored: false })
    t.equal(s.core.storage.fault, 'gone')
    t.match(await s.post(grave('Early')), { duplicate: true }, 'what was read of the file counts')
    mkdirSync(folder)
    await s.run(60)
    t.equal(s.core.storage.fault, 'gone', 'an empty folder is where a disk belongs')
    t.same(readdirSync(folder), [])
    renameSync(folder, `${folder}-mount`)
    renameSync(`${folder}-pulled`, folder)
    await s.run(70)
    t.equal(s.core.storage.fault, null)
    const again = await s.restart()
    t.match(await again.post(grave('Croy')), { duplicate: true })
  }
)

t.test('a data folder that is taken away is noticed without any event', async (t) => {
  const { s, folder } = await world(t)
  renameSync(folder, `${folder}-pulled`)
  await s.run(6)
  t.equal(s.core.storage.fault, 'gone')
})

t.test('a database that was removed from its folder is made anew from memory', async (t) => {
  const { s, folder, path } = await world(t)
  await s.post(grave('Early'))
  await s.run(30)
  for (const name of readdirSync(folder)) renameSync(join(folder, name), join(folder, `old-${name}`))
  await s.run(30)
  await renewed(s)
  t.equal(s.core.storage.fault, null)
  t.ok(statSync(path).size > 0)
  const again = await s.restart()
  t.match(await again.post(grave('Early')), { duplicate: true })
})

/** Damage begins when nobody has the file open, as after a power cut. */
async function damaged(t: Test, spoil: (world: World) => void): Promise<World & { again: Station }> {
  const before = await world(t)
  for (let n = 0; n < 300; n++)
    await before.s.post({ id: `routine-${n}`, title: `Smoke ${n} ${'far away '.repeat(20)}` })
  await before.s.post(grave('Early'))
  await before.s.run(30)
  before.s.core.storage.db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  const again = await before.s.restart({
    between: async () => spoil(before)
  })
  return { ...before, again }
}

/** The salvage runs beside the virtual clock, in slices of real time. */
async function renewed(s: Station): Promise<void> {
  for (let round = 0; round < 2000 && s.core.storage.fault !== null; round++) {
    await new Promise((resolve) => setTimeout(resolve, 2))
    await s.run(1)
  }
}

const halfOf = ({ path }: World): number => Math.floor(statSync(path).size / 8192) * 4096

const SPOILS: [string, (world: World) => void, { keeps: boolean }][] = [
  ['header', (world) => file(world, 'garbage garbage garbage garbage', 0), { keeps: true }],
  ['whole first page', (world) => file(world, Buffer.alloc(4096, 0xaa), 0), { keeps: false }],
  ['end', ({ path }) => truncateSync(path, Math.floor(statSync(path).size / 4096 - 3) * 4096 + 100), { keeps: true }],
  ['pages 40 to 44', (world) => file(world, Buffer.alloc(5 * 4096, 0xaa), 40 * 4096), { keeps: true }],
  ['pages at half', (world) => file(world, Buffer.alloc(8 * 4096, 0xaa), halfOf(world)), { keeps: true }]
]
for (const [what, spoil, { keeps }] of SPOILS) {
  t.test(
    `a lookout.db whose ${what} is lost does not keep the station from starting, and is read as far as it goes`,
    async (t) => {
      const { again: s, folder } = await damaged(t, spoil)
      t.match(await s.post(grave('Croy')), { duplicate: false }, 'warnings leave at once')
      await s.run(5)
      t.equal(aired(s, 'Croy').length, 2)
      await s.run(30)
      await renewed(s)
      t.equal(s.core.storage.fault, null)
      const asides = readdirSync(folder).filter((name) => /^lookout\.db\.bad-\d{8}T\d{6}Z$/.test(name))
      t.equal(asides.length, 1)
      t.match(await s.post(grave('Croy')), { duplicate: true, stored: true })
      if (keeps) t.match(await s.post(grave('Early')), { duplicate: true }, 'what was sent before is known')
      const check = s.core.storage.db.sql('PRAGMA integrity_check').all()
      t.same(check, [{ integrity_check: 'ok' }])
      const next = await s.restart()
      t.match(await next.post(grave('Croy')), { duplicate: true })
      t.same(
        readdirSync(folder).filter((name) => /new|reading/.test(name)),
        []
      )
    }
  )
}

t.test(
  'bits that have turned within a row silence nothing: the row is left out, the rest is kept, and it is told',
  async (t) => {
    for (const [table, column] of [
      ['events', 'event'],
      ['events', 'trace'],
      ['deliveries', 'zones'],
      ['deliveries', 'event_seqs']
    ] as const) {
      const { s, folder, errors } = await world(t)
      await s.post({ id: 'old', title: 'Smoke before' })
      await s.post(grave('Early'))
      await s.run(30)
      const damage = `UPDATE ${table} SET ${column} = '[7' WHERE rowid = (SELECT min(rowid) FROM ${table})`
      const again = await s.restart({
        between: async () => {
          const path = join(folder, 'lookout.db')
          const db = await openDatabase({ path, migrations: ledgerMigrations, synchronous: 'FULL' })
          if (column === 'event') db.exec('DROP INDEX events_demo')
          db.exec(damage)
          db.close()
        }
      })
      t.match(await again.post(grave('Croy')), { duplicate: false, decision: { kind: 'send' } }, column)
      await again.run(10)
      t.equal(aired(again, 'Croy').length, 2, column)
      t.doesNotThrow(() => again.deliveries(), column)
      t.doesNotThrow(() => again.core.ledger.list({ limit: 100 }), column)
      await renewed(again)
      t.equal(again.core.storage.fault, null)
      t.match(await again.post(grave('Early')), { duplicate: true }, column)
      t.match(await again.post(grave('Croy')), { duplicate: true, stored: true }, column)
      t.equal(readdirSync(folder).filter((name) => /\.bad-\d{8}T\d{6}Z$/.test(name)).length, 1, column)
      t.match(errors.join(''), /database is damaged/, column)
      await again.run(60)
      t.equal(aired(again, 'Croy').length, 2, column)
    }
  }
)
