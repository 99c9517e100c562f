import t from 'tap'
import { station } from '../../helpers/station.ts'

t.test('what is in force: per zone, worst first, gone with its end', async (t) => {
  const areas = [{ name: 'North', bbox: [-115, 43, -114, 44] }]
  const s = await station(t, { config: { coverage: { region_tagging: true, areas } } })
  const inside = { lat: 43.5, lon: -114.5, regions: [] }
  const later = new Date(s.clock.now() + 3_600_000).toISOString()
  const active = () => s.core.ledger.active(s.clock.now(), 10).map(({ event }) => event.id)
  await s.post({
    ...inside,
    id: 'warning',
    thread_id: 'W',
    zones: ['IDZ001', 'IDZ002'],
    severity: 'critical',
    expires: later
  })
  await s.post({ ...inside, id: 'quake', thread_id: 'Q', severity: 'immediate' })
  await s.post({ ...inside, id: 'far', thread_id: 'F', lat: 10, expires: later })
  t.same(active(), ['quake', 'warning'], 'outside the areas is nobody’s alert')
  await s.post({ ...inside, id: 'ends-here', thread_id: 'W', zones: ['IDZ001'], lifecycle: 'cancel' })
  t.same(active(), ['quake', 'warning'], 'it goes on in the other zone')
  await s.post({ ...inside, id: 'ends-there', thread_id: 'W', zones: ['IDZ002'], lifecycle: 'expire' })
  t.same(active(), ['quake'])
  await s.run(6 * 3600 + 1)
  t.same(active(), [], 'without an end of its own it counts for six hours')
})

t.test('until further notice goes on for two days without news', async (t) => {
  const s = await station(t, {})
  await s.post({ id: 'river', data: { until_further_notice: true } })
  const active = () => s.core.ledger.active(s.clock.now(), 10).map(({ event }) => event.id)
  await s.run(24 * 3600)
  t.same(active(), ['river'])
  await s.run(24 * 3600 + 1)
  t.same(active(), [])
})

t.test('what is in force is read once for those who ask between two changes, and shows no end too late', async (t) => {
  const s = await station(t, {})
  await s.post({ id: 'short', thread_id: 'S', expires: new Date(s.clock.now() + 60_500).toISOString() })
  await s.post({ id: 'long', thread_id: 'L', expires: new Date(s.clock.now() + 3_600_000).toISOString() })
  await s.run(60)
  const active = () => s.core.ledger.active(s.clock.now(), 10)
  const first = active()
  t.equal(first.length, 2)
  t.equal(active(), first, 'for the next page')
  t.not(s.core.ledger.active(s.clock.now(), 5), first, 'fewer are another question')
  const before = active()
  await s.clock.runTo(s.clock.now() + 600)
  t.same(
    active().map(({ event }) => event.id),
    ['long'],
    'one has ended within the second'
  )
  t.equal(before.length, 2)
  await s.post({ id: 'end', thread_id: 'L', lifecycle: 'cancel' })
  t.same(active(), [])
})

t.test('two who read a span at once, while events come in, both read all of it, in order', async (t) => {
  const s = await station(t)
  for (let n = 0; n < 250; n++) {
    await s.post({ id: `e${n}` })
    if (n % 40 === 0) await s.run(1)
  }
  const until = s.clock.now() + 1
  const read = [0, 1].map(() => s.core.ledger.span(0, until)[Symbol.iterator]())
  const found: string[][] = [[], []]
  for (let more = true; more; ) {
    more = false
    for (const [n, rows] of read.entries()) {
      const next = rows.next()
      if (next.done === true) continue
      found[n]?.push(next.value.event.id)
      more = true
    }
  }
  const all = Array.from({ length: 250 }, (_, n) => `e${n}`)
  t.strictSame(found, [all, all])
})
