import t from 'tap'
import { dayBounds } from '../../src/dashboard/pages/day/day-bounds.ts'
import { fire, NOW, radio, send, station } from './harness.ts'

/** The page of one day, for the files: what was reported, and every text as it went out. */

const config = {
  station: { timezone: 'America/Boise' },
  coverage: { region_tagging: true, areas: [{ name: 'North', bbox: [0, 0, 1, 1] }] }
}
const plain = (text: string): string => text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')

t.test('a day is the day of the station, also where its clocks change', async (t) => {
  const hours = (day: string): number => {
    const { from, until } = dayBounds(day, NOW, 'America/Boise')
    return (until - from) / 3_600_000
  }
  t.equal(hours('2026-07-01'), 24)
  t.equal(hours('2026-03-08'), 23)
  t.equal(hours('2026-11-01'), 25)
  const bounds = dayBounds('2026-07-01', NOW, 'America/Boise')
  t.equal(new Date(bounds.from).toISOString(), '2026-07-01T06:00:00.000Z')
  t.same([bounds.before, bounds.after], ['2026-06-30', '2026-07-02'])
  t.equal(dayBounds('', Date.parse('2026-07-01T03:00:00Z'), 'America/Boise').day, '2026-06-30')
  for (const asked of ['2026-02-30', 'yesterday', '2026-7-1']) t.equal(dayBounds(asked, NOW, 'UTC').day, '2026-07-01')
  t.equal(dayBounds('', NOW, 'Pacific/Kiritimati').day, '2026-07-02')
})

t.test('the page of a day has its reports in their order, each with its texts as they went out', async (t) => {
  const s = await station(t, { config, radios: [radio()] })
  const post = (patch: object) => s.ask({ path: '/api/events', body: { ...fire, ...patch } })
  await post({ id: 'a', title: 'Pine Fire' })
  send(s, 1, 'FIRE Pine <40> acres')
  s.clock.set(NOW + 3_600_000)
  await post({ id: 'b', title: 'Other Fire', sent_at: '2026-07-01T12:55:00Z' })
  const said = plain((await s.ask('/day')).text)
  t.match(
    said,
    /Wednesday, July 1, 2026.*Reports: 2 · Texts on the air: 0 · Failed: 0/,
    'a simulated radio was not on the air'
  )
  t.match(
    said,
    /06:00 AM[^.]*Critical.*Pine Fire.*Meshtastic 3 \(north\).*FIRE Pine &lt;40&gt; acres.*07:00 AM.*Other Fire/
  )
  t.match(plain((await s.ask('/day?day=2026-06-30')).text), /Tuesday, June 30, 2026.*Nothing that concerns this place/)
  const german = await s.ask({ path: '/day', headers: { 'accept-language': 'de' } })
  t.match(plain(german.text), /Mittwoch, 1\. Juli 2026.*Meldungen: 2 ·/)
  t.match(german.text, /<a class="button" href="\/day\?day=2026-06-30">/)
})

t.test('a long day goes on page by page, and nothing of it is told twice', async (t) => {
  const s = await station(t, { config })
  await s.ask({
    path: '/api/events',
    body: Array.from({ length: 70 }, (_, n) => ({ ...fire, id: `f${n}`, title: `Fire number ${n}!` }))
  })
  const titles = (text: string): string[] => [...text.matchAll(/Fire number (\d+)!<\/a>/g)].map(([, n = '']) => n)
  const first = (await s.ask('/day')).text
  t.equal(titles(first).length, 60)
  const next = /<a class="button" rel="next" href="([^"]+)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const rest = titles((await s.ask(next)).text)
  t.match(plain(first), /On this page: reports: 60 ·/, 'what is counted is the page, and it says so')
  t.notMatch(plain(first), /Reports: 60/)
  t.equal(new Set([...titles(first), ...rest]).size, 70)
  t.equal(rest.length, 10)
})
