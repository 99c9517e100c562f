import t, { type Test } from 'tap'
import { because } from '../../src/model/reason.ts'
import { FROM_AFAR, fire, launch, NOW, queue, radio, type Station, station } from './harness.ts'

/** Who was told of a drill or an event, how late, and heard by how many (docs/interface.md §7). */

const config = {
  station: { name: 'Ridge Station', timezone: 'America/Boise' },
  coverage: { region_tagging: true, areas: [{ name: 'North', bbox: [0, 0, 1, 1] }] }
}
const DRILL = { id: 'drill-1', source: 'drill', category: 'drill', title: 'DRILL, no danger', data: { drill: true } }
const plain = (text: string): string => text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

/** Its sender says that it happened 30 s before it came. */
async function withDrill(t: Test, patch: object = DRILL): Promise<Station> {
  const s = await station(t, { config, radios: [radio({ simulated: false })] })
  const sent_at = new Date(NOW - 30_000).toISOString()
  const expires = new Date(NOW + 600_000).toISOString()
  await s.ask({ path: '/api/events', body: { ...fire, sent_at, expires, ...patch } })
  return s
}

t.test(
  'the report tells per channel the text, how late it was told and heard by how many, and who was not told, and why',
  async (t) => {
    const s = await withDrill(t)
    const [told, failed, simulated] = [queue(s, 1), queue(s, 1), queue(s, 1)]
    s.clock.set(NOW + 2100)
    launch(s.outbox, told, 'DRILL FIRE', { simulated: false })
    s.outbox.apply(told, 'hear', { reason: null, step: because('heard'), patch: { heard_by: 2 } })
    launch(s.outbox, simulated, 'DRILL nowhere')
    s.outbox.apply(failed, 'fail', {
      reason: 'no_channel',
      step: because('no_channel_index', { radio: 'a', channel: '7' })
    })
    s.clock.set(NOW + 60_000)
    const { body } = await s.ask('/api/exercise-report?event=drill-1')
    const [report] = body.reports
    t.match(report, { drill: true, events: [{ id: 'drill-1', title: 'DRILL, no danger' }] })
    const rows = report.messages.map((row: Record<string, unknown>) => [
      ...[row['number'], row['told'], row['seconds_after_received'], row['seconds_after_happened'], row['heard_by']]
    ])
    t.same(rows, [
      [told, 'yes', 2.1, 32.1, 2],
      [failed, 'no', null, null, 0],
      [simulated, 'no', null, null, 0]
    ])
    t.match(report.messages[1].why, /channel.*7/)
    const page = plain((await s.ask('/exercise-report?day=2026-07-01')).text)
    t.match(
      page,
      /DRILL, no danger.*Channels told: 1 of 1, the first after 2\.1 s, the last after 2\.1 s\. Heard on: 1\./
    )
    t.match(page, /Who was told.*Meshtastic 3 \(north\).*DRILL FIRE.*2\.1 s.*by 2.*Who was not told, and why.*Failed/)
    t.notMatch(page.split('Who was not told')[0], /DRILL nowhere/, 'a simulated radio tells nobody')
  }
)

t.test('who acknowledged it stands in the report, with the time that took', async (t) => {
  const s = await withDrill(t)
  const thread = s.context.ledger.find('drill-1')[0]?.event.thread_id ?? ''
  s.clock.set(NOW + 60_000)
  s.context.reactions.acknowledge(thread, { author: 'mt !a1b2c3d4', name: 'Ann', reason: 'on my way' })
  const page = plain((await s.ask('/exercise-report?event=drill-1')).text)
  t.match(page, /Who acknowledged it.*06:01:00 Ann : on my way after 1 min/)
  const guest = await s.ask({ path: '/exercise-report?event=drill-1', headers: FROM_AFAR })
  t.notMatch(guest.text, /a1b2c3d4/)
  t.match(guest.text, /Ann/)
})

t.test('a piece that joined a message of another event has its fate and time', async (t) => {
  const s = await withDrill(t)
  await s.ask({ path: '/api/events', body: { ...fire, id: 'other' } })
  const [piece, into] = [queue(s, 1), queue(s, 2)]
  s.outbox.apply(piece, 'merge', {
    reason: 'merged',
    step: because('joined', { id: into }),
    patch: { merged_into: into }
  })
  s.clock.set(NOW + 5000)
  launch(s.outbox, into, 'both', { simulated: false })
  const { body } = await s.ask('/api/exercise-report?event=drill-1')
  t.match(body.reports[0].messages, [
    { number: piece, told: 'yes', told_in: into, message: 'both', seconds_after_received: 5 }
  ])
})

t.test('the day has its drills and no real event, which has a report of its own', async (t) => {
  const s = await withDrill(t)
  await s.ask({ path: '/api/events', body: { ...fire, id: 'real' } })
  const of = async (query: string): Promise<string[]> => {
    const { reports } = (await s.ask(`/api/exercise-report?${query}`)).body
    return reports.map(({ events }: { events: { id: string }[] }) => events[0]?.id)
  }
  t.same(await of('day=2026-07-01'), ['drill-1'])
  t.same(await of('day=2026-06-30'), [])
  t.same(await of('event=real'), ['real'])
  t.match((await s.ask('/exercise-report?day=2026-06-30')).text, /No drill was sent on this day\./)
  t.match((await s.ask('/exercise-report?event=real')).text, /<h1>Report: who was told<\/h1>/)
  t.match((await s.ask('/events/real')).text, /href="\/exercise-report\?event=real&amp;source=test"/)
})

t.test('what is no day is refused, and what is not stored is not there', async (t) => {
  const s = await withDrill(t)
  t.equal((await s.ask('/api/exercise-report?day=2026-13-01')).status, 422)
  t.equal((await s.ask('/exercise-report?day=2026-13-01')).status, 422)
  t.equal((await s.ask('/api/exercise-report?event=none')).status, 404)
  t.equal((await s.ask('/exercise-report?event=none')).status, 404)
  t.equal((await s.ask('/exercise-report?event=drill-1&source=other')).status, 404)
})

t.test('a message to a single person is not in the report of a guest', async (t) => {
  const s = await withDrill(t)
  const stored = s.context.ledger.get(1)
  if (stored === null) throw new Error('no event')
  s.outbox.add(stored.event, 1, {
    ...{ transport: 'mt', channel: '!a1b2c3d4', direct: true, kind: 'new', path: 'matrix', regions: [] },
    ...{ newPlacesOnly: false, dedup: { source: 'x', key: 'y' }, cooldown: [], mergeInto: null, material: '' }
  })
  const path = '/api/exercise-report?event=drill-1'
  t.equal((await s.ask(path)).body.reports[0].messages.length, 1)
  const guest = await s.ask({ path, headers: FROM_AFAR })
  t.same(guest.body.reports[0].messages, [])
  t.notMatch(guest.text, /a1b2c3d4/)
})

t.test('the CSV has a line for each message', async (t) => {
  const s = await withDrill(t)
  launch(s.outbox, queue(s, 1), '@SUM(1)', { simulated: false })
  const { text } = await s.ask('/api/exercise-report?event=drill-1&format=csv')
  const lines = text.split('\r\n')
  t.equal(lines.length, 3)
  t.match(lines[1], /,"?DRILL, no danger"?,true,.*Meshtastic 3 \(north\),'@SUM\(1\),yes,/)
})
