import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openDatabase } from '../../../src/platform/database/database.ts'
import { ledgerMigrations } from '../../../src/warning/outbox/schema.ts'
import type { Radio } from '../../../src/warning/radios/radio.ts'
import { handedTo } from '../../helpers/handed.ts'
import { station, withMatrix } from '../../helpers/station.ts'

/** The number of writes to the card before a warning leaves: a slow one takes seconds for each commit. */

const both = withMatrix({ fire: { North: { mt: 3, mc: 'north' } } })

/**
 * Commits in a write-ahead log; with `synchronous = FULL` each is one fsync. A frame that ends a commit tells the size of the database,
 * and frames of an older log have other salts (SQLite file format, sections 4.1 and 4.2).
 */
function commitsIn(path: string): number {
  const log = readFileSync(`${path}-wal`)
  if (log.length === 0) return 0
  const frameBytes = 24 + log.readUInt32BE(8)
  const salts = log.subarray(16, 24)
  let commits = 0
  for (let at = 32; at + frameBytes <= log.length; at += frameBytes)
    if (log.readUInt32BE(at + 4) > 0 && log.subarray(at + 8, at + 16).equals(salts)) commits++
  return commits
}

/** The number of commits there were, each time this radio was handed a text. */
function commitsAtSend(radio: Radio, path: string): number[] {
  const counts: number[] = []
  const send = radio.send.bind(radio)
  radio.send = (message) => {
    counts.push(commitsIn(path))
    return send(message)
  }
  return counts
}

const file = (t: Test): string => join(t.testdir({}), 'lookout.db')

t.test(
  'one commit before an immediate leaves: row, identity and transmitting together, on both networks',
  async (t) => {
    const path = file(t)
    const s = await station(t, { config: both, databasePath: path })
    const before = commitsIn(path)
    const counts = [commitsAtSend(s.mt, path), commitsAtSend(s.mc, path)]
    const { seq } = await s.post({ id: 'a', severity: 'immediate', expires: '2026-06-01T19:00:00Z' })
    t.same(counts, [[before + 1], [before + 1]])
    t.equal(commitsIn(path), before + 1, 'and the sender is answered after it')
    t.match(s.deliveries(), [{ state: 'transmitting' }, { state: 'transmitting' }])
    t.ok(seq)
    await s.run(60)
    t.match(s.deliveries(), [{ state: 'heard' }, { state: 'heard' }])
  }
)

t.test('so is that of an update, of a cancel, and of many events at once', async (t) => {
  const path = file(t)
  const s = await station(t, { config: both, databasePath: path })
  const first = await s.post({ id: 'a', severity: 'immediate', revision: '1' })
  await s.run(60)
  for (const more of [
    { revision: '2', lifecycle: 'update', title: 'other words' },
    { revision: '3', lifecycle: 'cancel' }
  ]) {
    const before = commitsIn(path)
    const counts = commitsAtSend(s.mt, path)
    await s.post({ id: 'a', severity: 'immediate', ...more })
    t.same(counts, [before + 1])
    await s.run(60)
  }
  const before = commitsIn(path)
  const counts = commitsAtSend(s.mt, path)
  const events = Array.from({ length: 20 }, (_, at) => ({ ...first.event, id: `n${at}`, thread_id: `n${at}` }))
  const accepted = s.core.accept(events.map((event) => ({ event })))
  await s.clock.runTo(s.clock.now())
  await accepted
  t.same(counts, [before + 1])
})

t.test('what waits for a radio that is busy costs one commit more, when its turn comes', async (t) => {
  const path = file(t)
  const s = await station(t, { config: withMatrix({ fire: { North: { mt: 3 } } }), databasePath: path })
  await s.post({ id: 'a', severity: 'immediate' })
  const before = commitsIn(path)
  await s.post({ id: 'b', severity: 'immediate' })
  t.equal(commitsIn(path), before + 1)
  const handed = handedTo(s.mt, s)
  while (handed.length === 0) await s.run(0.05)
  t.match(
    s.core.deliveries.steps(2).map(({ state }) => state),
    ['queued', 'transmitting']
  )
})

t.test('what could not be stored is not handed over, and goes once it can', async (t) => {
  const path = file(t)
  const s = await station(t, { config: both, databasePath: path })
  const handed = [handedTo(s.mt, s), handedTo(s.mc, s)]
  const { event } = await s.post({ id: 'elsewhere', regions: ['Elsewhere'] })
  const urgent = { ...event, id: 'a', thread_id: 'a', severity: 'immediate', regions: ['North'] } as const
  const other = await openDatabase({ path, migrations: ledgerMigrations, synchronous: 'NORMAL' })
  // Fails at the commit itself, after everything was written.
  other.exec(
    `CREATE TABLE parent (id INTEGER PRIMARY KEY);
     CREATE TABLE child (id INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED);
     CREATE TRIGGER broken AFTER INSERT ON delivery_steps WHEN NEW.state = 'transmitting' BEGIN INSERT INTO child VALUES (1); END`
  )
  const refused = t.rejects(s.core.accept([{ event: { ...urgent, regions: [...urgent.regions] } }]))
  await s.clock.runTo(s.clock.now())
  await refused
  t.same(
    handed.map((list) => list.length),
    [0, 0]
  )
  other.exec('DROP TRIGGER broken')
  other.close()
  await s.post({ id: 'a', severity: 'immediate' })
  await s.run(60)
  t.same(
    handed.map((list) => list.length),
    [1, 1]
  )
})
