import t from 'tap'
import { deliveryFromRow, deliveryView } from '../../../src/warning/outbox/delivery.ts'
import { station, withMatrix } from '../../helpers/station.ts'

/** The observers' row is not read back (src/warning/outbox/outbox.ts): it must be the stored row all the same. */

const cells = { fire: { North: { mt: 3, mc: 'fire' }, South: { mt: 3 } }, weather: { North: { mt: 2 } } }
const config = withMatrix(cells, {
  coalesce_seconds: 30,
  toggles: { fire: { cooldown_seconds: 600, alert_channels: [] } }
})

t.test('whoever is told of a row that was added, joined, held or moved is told what is stored', async (t) => {
  const s = await station(t, { config })
  const seen = new Set<string>()
  let wrong = 0
  s.core.observers.on('delivery', (told) => {
    const row = s.core.storage.db.sql('SELECT * FROM deliveries WHERE id = ?').get(told.id)
    // The row of a piece has what anybody is shown of it.
    const isPiece = row === undefined
    const stored = isPiece
      ? s.core.deliveries.list({ limit: 1, cursor: told.id + 1 }).deliveries[0]
      : deliveryFromRow(row)
    const known = isPiece ? deliveryView(told) : told
    if (JSON.stringify(known) !== JSON.stringify(stored)) {
      wrong++
      t.same(known, stored)
    }
    seen.add(`${told.state} ${told.reason?.replace(/\d+/, 'N') ?? ''}`)
  })
  const zones = [['IDC001', 'IDC027'], [], ['IDZ012']]
  for (let round = 0; round < 40; round++) {
    const thread = Math.floor(round / 3) % 7
    const severity = ['routine', 'priority', 'critical', 'immediate'][round % 4]
    await s.post({
      id: `e${round}`,
      thread_id: `thread ${thread}`,
      lifecycle: round % 3 === 2 && thread === 3 ? 'cancel' : round % 3 === 0 ? 'new' : 'update',
      severity,
      title: `report ${round}`,
      family: thread === 6 ? 'weather' : 'fire',
      regions: round % 3 === 0 ? ['North', 'South'] : ['North'],
      zones: zones[thread % 3],
      detail: `report ${round}`,
      demo: thread === 5,
      ...(thread === 2 ? {} : { expires: new Date(s.clock.now() + 3_600_000 + round).toISOString() })
    })
    if (round % 6 === 5) await s.run(90)
  }
  await s.run(7200)
  t.equal(wrong, 0)
  for (const state of [
    'queued coalescing',
    'merged merged',
    'held cooldown',
    'transmitting ',
    'heard ',
    'queued ',
    'sent ',
    'suppressed cancelled'
  ])
    t.ok(seen.has(state), `${state} is among ${[...seen].join(', ')}`)
})
