import t from 'tap'
import { dayBounds, spanTimes } from '../../src/dashboard/server/day-bounds.ts'
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
  t.equal(dayBounds('', NOW, 'Pacific/Kiritimati').day, '2026-07-02')
})

t.test(
  'where the clocks leap over midnight the day begins with the leap, and where it comes twice with the first',
  async (t) => {
    const from = (day: string, zone: string): string => new Date(dayBounds(day, NOW, zone).from).toISOString()
    t.equal(from('2026-09-06', 'America/Santiago'), '2026-09-06T04:00:00.000Z', 'midnight is left out')
    t.equal(from('2026-04-05', 'America/Santiago'), '2026-04-05T04:00:00.000Z', 'the hour before it comes twice')
    t.equal(from('2026-11-01', 'America/Havana'), '2026-11-01T04:00:00.000Z', 'midnight comes twice')
  }
)

t.test(
  'a moment is written as briefly as it stays one of its span, with the offset where an hour comes twice',
  async (t) => {
    const zone = 'America/Boise'
    const write = (day: string, at: string, more = 0): string => {
      const { from, until } = dayBounds(day, NOW, zone)
      return spanTimes(zone, { from, until: until + more })(Date.parse(at))
    }
    t.equal(write('2026-07-01', '2026-07-01T12:00:00Z'), '06:00:00')
    t.equal(write('2026-07-01', '2026-07-01T06:00:00Z'), '00:00:00')
    t.equal(write('2026-07-01', '2026-07-01T12:00:00Z', 1), '2026-07-01 06:00:00')
    const hours = ['2026-11-01T07:30:00Z', '2026-11-01T08:30:00Z'].map((at) => write('2026-11-01', at))
    t.match(hours, [/^01:30:00 GMT.06:00$/, /^01:30:00 GMT.07:00$/])
  }
)

t.test('what is no day is refused: another one in its place would be taken for it', async (t) => {
  const s = await station(t, { config })
  for (const asked of ['2026-02-30', 'yesterday', '2026-7-1', '0000-01-01', '9999-12-31']) {
    t.throws(() => dayBounds(asked, NOW, 'UTC'), { code: 'invalid' }, asked)
    const { status, text } = await s.ask(`/day?day=${asked}`)
    t.equal(status, 422, asked)
    t.match(text, /role="alert">a day is written as 2027-07-01/)
  }
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
    /6:00 AM[^.]*Critical.*Pine Fire.*Meshtastic 3 \(north\).*FIRE Pine &lt;40&gt; acres.*7:00 AM.*Other Fire/
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
