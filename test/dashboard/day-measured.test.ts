import t from 'tap'
import type { RadioStatus } from '../../src/dashboard/server/context.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { MetricsHistory } from '../../src/platform/metrics/history.ts'
import type { Measured } from '../../src/platform/metrics/point.ts'
import { metricsMigrations } from '../../src/platform/metrics/schema.ts'
import { blankStatus, type SourceStatus } from '../../src/warning/feeds/status.ts'
import { NOW, type Station, station } from './harness.ts'

/** The last 24 hours of radios and sources on the page Now: air time, outages, events by hour. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const POINT = 2 * MINUTE

const radio: RadioStatus = {
  id: 'roof',
  network: 'mt',
  link: 'serial',
  simulated: false,
  node_name: 'Hill',
  modem: 'LongFast',
  state: 'ready',
  reason: null,
  since: new Date(NOW - HOUR).toISOString(),
  channels: [],
  missing_channels: [],
  queue: { waiting: 0 },
  airtime: { used_seconds: 1, budget_seconds: 360, legal_share: 0.1 },
  details: null
}
const source = (name: string, more: Partial<SourceStatus> = {}): SourceStatus => ({
  ...blankStatus({ name, kind: 'rss', mode: 'poll', enabled: true, state: 'ok', reason: null, about: '' }),
  last_ok: new Date(NOW - MINUTE).toISOString(),
  ...more
})

interface Given {
  /** Of a moment, in minutes before now. */
  at: (before: number) => Record<string, Measured>
  /** Measured from so many hours ago on. */
  hours?: number
  sources?: SourceStatus[]
}

async function measured(t: Parameters<typeof station>[0], { at, hours = 24, sources = [] }: Given) {
  const db = await openDatabase({ path: ':memory:', migrations: metricsMigrations, synchronous: 'NORMAL' })
  const history = new MetricsHistory({ db, keepDays: 7 })
  for (let when = NOW - hours * HOUR; when < NOW; when += POINT) history.record(when, at((NOW - when) / MINUTE))
  const read: number[] = []
  const counted = new Proxy(history, {
    get: (target, key) =>
      key === 'readSteps'
        ? (...asked: Parameters<MetricsHistory['readSteps']>) => {
            read.push(asked[1].hours)
            return target.readSteps(...asked)
          }
        : Reflect.get(target, key)
  })
  const context = {
    history: counted,
    sources: { list: () => sources, kinds: () => [], poll: () => ({ asked: true as const }) }
  }
  return { s: await station(t, { context, radios: [radio] }), history, read }
}

const plain = (text: string): string => text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ')
const lanes = async (s: Station, language = 'en'): Promise<string> =>
  /<ul class="lanes">[\s\S]*?<\/ul>(?:<p class="quiet">[^<]*)?/.exec(
    (await s.ask({ path: '/', headers: { 'accept-language': language } })).text
  )?.[0] ?? ''

t.test('the strip tells the most air of an hour against what a radio may use, and when it was away', async (t) => {
  const { s } = await measured(t, {
    at: (before) => ({
      radios: { roof: { ready: before > 120 && before <= 150 ? 0 : 1 } },
      airtime: { roof: { used_seconds: before === 600 ? 306 : 12, budget_seconds: 360 } }
    })
  })
  const drawn = await lanes(s)
  t.match(plain(drawn), /roof at most 306 s on the air in an hour: 85 % of what it may use · away once, 30 min/)
  t.match(drawn, /<path class="priority" d="M\d+ 30v-2[56]H\d+v2[56]z"/, 'nearly full: one quarter of an hour')
  t.match(drawn, /<path class="failed" d="M\d+ 31H\d+v8H\d+z"/)
  t.notMatch(drawn, /class="unknown"|pale|NaN/)
  t.match(
    plain(await lanes(s, 'de')),
    /höchstens 306 s Sendezeit in einer Stunde: 85 % des Erlaubten · einmal ausgefallen/
  )
})

t.test(
  'sources that were away stand below, the longest first; a source that is gone from the settings does not',
  async (t) => {
    const { s } = await measured(t, {
      at: (before) => ({
        feeds: {
          calm: { up: 1, events: 0 },
          brief: { up: before === 60 ? 0 : 1, events: 0 },
          often: { up: [60, 62, 300].includes(before) ? 0 : 1, events: 0 },
          gone: { up: 0, events: 0 }
        }
      }),
      sources: [source('calm'), source('brief'), source('often')]
    })
    const said = plain(await lanes(s))
    t.match(said, /often · away 2 times, 6 min.* in all .*brief · away once, 2 min/)
    t.notMatch(said, /calm|gone/)
    const { s: well } = await measured(t, { at: () => ({ feeds: { calm: { up: 1 } } }), sources: [source('calm')] })
    t.match(plain(await lanes(well)), /Sources that were away: none of 1\./)
  }
)

t.test(
  'hours in which nobody measured are pale, and said to be unknown; nothing at all measured is said too',
  async (t) => {
    const { s } = await measured(t, {
      at: () => ({ radios: { roof: { ready: 1 } }, airtime: { roof: { used_seconds: 0, budget_seconds: 360 } } }),
      hours: 6
    })
    const drawn = await lanes(s)
    t.match(plain(drawn), /roof nothing on the air Measured in 6 of 24 hours; pale: not known\./)
    t.match(drawn, /<path class="unknown" d="M\d+ 31H\d+v8H\d+z"/)
    const { s: young } = await measured(t, { at: () => ({}), hours: 0 })
    t.match(plain((await young.ask('/')).text), /Air time and outages: nothing measured yet\./)
    t.notMatch(
      (await (await station(t)).ask('/')).text,
      /nothing measured yet/,
      'a profile without a history measures nothing'
    )
  }
)

const sparks = (text: string, name: string): string =>
  new RegExp(`<li class="[a-z]*" data-key="${name}">[\\s\\S]*?</li>`).exec(text)?.[0] ?? ''

t.test('a source is a card with its events by hour; an hour without an answer says nothing about events', async (t) => {
  let events = 0
  const { s } = await measured(t, {
    at: (before) => {
      // The program began anew ten hours ago, and its counter with it.
      if (before === 600) events = 0
      if (before === 90 || before === 92) events += 2
      return { feeds: { quake: { up: before > 180 && before <= 240 ? 0 : 1, events } } }
    },
    sources: [source('quake'), source('deaf', { state: 'failing', last_ok: null })]
  })
  const { text } = await s.ask('/')
  const card = sparks(text, 'quake')
  t.match(plain(card), /quake ok · Last answer: .* Events in 23 of 24 hours: 4; the others are not known\./)
  t.match(card, /<li class="up"/)
  const columns = [...card.matchAll(/<rect (class="unknown" )?x="(\d+)"/g)].map(([, unknown, x]) => [
    Math.floor(Number(x) / 10),
    unknown === undefined
  ])
  t.same(columns, [
    [20, false],
    [22, true]
  ])
  const deaf = sparks(text, 'deaf')
  t.match(plain(deaf), /deaf failing · no answer since the start Events since the start: 0/)
  t.match(deaf, /<li class="down"/)
  t.notMatch(deaf, /<svg/, 'nothing measured draws nothing')
  t.ok(text.indexOf('data-key="deaf"') < text.indexOf('data-key="quake"'), 'trouble comes first')
  const german = plain(sparks((await s.ask({ path: '/', headers: { 'accept-language': 'de' } })).text, 'quake'))
  t.match(german, /Ereignisse in 23 von 24 Stunden: 4/)
})

t.test('the day is read once: later drawings read what is new, and a clock set back reads it again', async (t) => {
  const { s, history, read } = await measured(t, {
    at: () => ({ radios: { roof: { ready: 1 } } }),
    sources: [source('calm')]
  })
  await Promise.all([s.ask('/'), s.ask('/')])
  t.equal(read.length, 3, 'two who ask at once read it once')
  t.ok(read.every((hours) => hours > 23))
  history.record(NOW, { radios: { roof: { ready: 0 } } })
  s.clock.set(NOW + POINT - 1)
  await lanes(s)
  t.equal(read.length, 6)
  await s.ask({ path: '/', headers: { 'accept-language': 'de' } })
  t.equal(read.length, 6, 'no new point can be there yet')
  s.clock.set(NOW + POINT)
  t.match(plain(await lanes(s)), /roof air time not measured · away once, 2 min/)
  t.ok(
    read.slice(3).every((hours) => hours < 0.1),
    `read again: ${read.slice(3)}`
  )
  s.clock.set(NOW - HOUR)
  t.notMatch(plain(await lanes(s)), /away/, 'the outage has not happened yet')
  t.ok(read.slice(-3).every((hours) => hours > 23))
})

t.test('a radio that was not read yet says so in the language of the page', async (t) => {
  const { ask } = await station(t, { radios: [{ ...radio, modem: 'not read yet' }] })
  t.match(
    plain((await ask({ path: '/', headers: { 'accept-language': 'de' } })).text),
    /Meshtastic · Hill · noch nicht gelesen/
  )
})
