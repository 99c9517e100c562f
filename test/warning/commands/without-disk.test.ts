import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

/** Contract §6: while nothing can be stored a decision counts, and whoever made it is told that a restart forgets it. */

const NODE = '!a1b2c3d4'
const config = { ...withMatrix({ fire: { North: { mt: 3 } } }), commands: { admins: [NODE] } }

async function asks(s: Station, text: string): Promise<string> {
  const before = s.mt.airLog.length
  s.mt.receive({ from: NODE, text })
  await s.run(8)
  return s.mt.airLog
    .slice(before)
    .map(({ text: answer }) => answer)
    .join('\n')
}

async function world(t: Test): Promise<{ s: Station; code: string }> {
  const s = await station(t, {
    config,
    databasePath: join(t.testdir({ data: {} }), 'data', 'lookout.db'),
    onError: () => undefined
  })
  await s.post({ id: 'f1', severity: 'critical', title: 'Smoke', expires: '2026-06-01T22:00:00Z' })
  await s.run(30)
  return { s, code: s.core.ledger.codes.known(s.deliveries()[0]?.thread_id ?? '') ?? '' }
}

t.test(
  'a silence or an acknowledgement that is not stored is answered so, and stored when the disk works again',
  async (t) => {
    const { s, code } = await world(t)
    t.notMatch(await asks(s, '!silence North 1h drill'), /stored/)
    s.core.storage.db.exec('PRAGMA query_only = ON')
    t.match(
      await asks(s, '!silence fire 2h drill'),
      /fire is silent til .* Not stored: the disk fails, a restart forgets it\./
    )
    t.equal(s.core.storage.fault, 'read_only')
    t.equal(s.core.reactions.silences.active(s.clock.now()).length, 2, 'it counts at once')
    await s.run(30)
    t.equal(s.core.storage.fault, null)
    s.core.storage.db.exec('PRAGMA query_only = ON')
    t.match(await asks(s, `!ack ${code} Engine 4`), /acknowledged .* Not stored/)
    await s.run(60)
    t.equal(s.core.storage.fault, null)
    const again = await s.restart()
    t.equal(again.core.reactions.silences.active(again.clock.now()).length, 2)
    const thread = again.core.ledger.codes.threadOf(code) ?? ''
    t.match(again.core.reactions.acks.of(thread), [{ reason: 'Engine 4' }])
  }
)
