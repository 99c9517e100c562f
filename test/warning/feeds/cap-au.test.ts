import t from 'tap'
import * as v from 'valibot'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { capAuSource } from '../../../src/warning/feeds/cap/au.ts'
import { AU_STATES, capAuSourceSchema } from '../../../src/warning/feeds/cap/au-settings.ts'
import type { ReadTools } from '../../../src/warning/feeds/source.ts'
import { bytes, lives, MapMemory, pollTools, textOf, tools } from './source-harness.ts'

/** CAP-AU as the four states write it: an envelope of EDXL-DE with one alert for each open incident. */

const NOW = Date.parse('2026-01-07T02:50:00Z')
const settings = (change: object = {}) => v.parse(capAuSourceSchema, { kind: 'cap_au', state: 'nsw', ...change })

interface Incident {
  incident?: string
  edition?: string
  level?: string | null
  headline?: string
  code?: string
  sent?: string
  expires?: string
  severity?: string
  status?: string
}

function alert({
  incident = '678279',
  edition = '2026-01-07T13:35:00.0000000',
  level = 'Watch and Act',
  headline = 'RIDGE RD, OLD MILL',
  code = 'bushFire',
  sent = '2026-01-07T13:35:00+11:00',
  expires = '2026-01-07T14:35:00+11:00',
  severity = 'Severe',
  status = 'Actual'
}: Incident = {}): string {
  const said = level === null ? '' : `<parameter><valueName>AlertLevel</valueName><value>${level}</value></parameter>`
  return `<contentObject><xmlContent><embeddedXMLContent><alert xmlns="urn:oasis:names:tc:emergency:cap:1.2">
<identifier>${edition}:${incident}</identifier><sender>webmaster@fires.example</sender><sent>${sent}</sent><status>${status}</status>
<msgType>Alert</msgType><scope>Public</scope><incidents>${incident}</incidents><info><language>en-AU</language><category>Fire</category>
<event>Bushfire</event><urgency>Immediate</urgency><severity>${severity}</severity><certainty>Observed</certainty>
<eventCode><valueName>https://vocabulary.example/cap-au</valueName><value>${code}</value></eventCode><expires>${expires}</expires>
<senderName>NSW Rural Fire Service</senderName><headline>${headline}</headline>
<description>ALERT LEVEL: ${level}&lt;br /&gt;LOCATION: Ridge Road, Old Mill 2318&lt;br /&gt;STATUS: Out of control&lt;br /&gt;UPDATED: ${sent}</description>
<instruction>Leave now toward the coast.</instruction>${said}
<area><areaDesc>Ridge Road, Old Mill</areaDesc><circle>-32.75,151.85 0.0</circle></area></info></alert></embeddedXMLContent></xmlContent></contentObject>`
}

const envelope = (...alerts: readonly string[]): string =>
  `<?xml version="1.0"?><EDXLDistribution xmlns="urn:oasis:names:tc:emergency:EDXL:DE:1.0"><distributionID>x</distributionID>${alerts.join('')}</EDXLDistribution>`

const read = (body: string, of: ReadTools = tools({ receivedAt: NOW }), change: object = {}) =>
  capAuSource.read(bytes(body), settings(change), of)

t.test('the level is that of the Australian Warning System, in its parameter or in the headline', async (t) => {
  const levelOf = (change: Incident) => read(envelope(alert(change))).events[0]?.severity
  const table: [Incident, string][] = [
    [{ level: 'Emergency Warning', severity: 'Minor' }, 'immediate'],
    [{ level: 'Watch and Act', severity: 'Minor' }, 'critical'],
    [{ level: 'Advice', severity: 'Extreme' }, 'priority'],
    [{ level: 'Information', severity: 'Severe' }, 'routine'],
    [{ level: 'Planned Burn', severity: 'Extreme' }, 'routine'],
    [{ level: 'Not Applicable', severity: 'Extreme' }, 'routine'],
    [{ level: null, headline: 'BUSHFIRE EMERGENCY WARNING - LEAVE NOW' }, 'immediate'],
    [{ level: null, headline: 'Bushfire Watch and Act - PREPARE TO LEAVE' }, 'critical'],
    [{ level: null, headline: 'Bushfire Advice MONITOR CONDITIONS' }, 'priority'],
    [{ level: null, headline: 'Facility or Park Closure', severity: 'Minor' }, 'routine'],
    [{ level: null, headline: 'Road closed', severity: 'Extreme' }, 'priority']
  ]
  for (const [change, level] of table) t.equal(levelOf(change), level, JSON.stringify(change))
})

t.test('a new edition of the same words is no news, a higher level is', async (t) => {
  const of = tools({ receivedAt: NOW })
  const [first] = read(envelope(alert({ level: 'Advice' })), of).events
  const next = { edition: '2026-01-07T14:35:00.0000000', sent: '2026-01-07T14:35:00+11:00' }
  const [again] = read(envelope(alert({ level: 'Advice', ...next })), of).events
  const [raised] = read(envelope(alert({ level: 'Emergency Warning', ...next })), of).events
  const name = (event: LookoutEvent | undefined) => [event?.id, event?.thread_id]
  t.same(name(again), name(first))
  t.same(name(raised), name(first))
  t.equal(again?.revision, first?.revision)
  t.equal(again?.data['material'], first?.data['material'])
  t.not(raised?.revision, first?.revision)
  t.not(raised?.data['material'], first?.data['material'])
})

t.test('it holds until it is no longer listed: `expires` is the time of the next edition', async (t) => {
  const of = tools({ receivedAt: NOW })
  // Western Australia writes the time of sending there.
  const [event] = read(envelope(alert({ expires: '2026-01-07T13:35:00+11:00' })), of).events
  t.match(event, { lifecycle: 'new', expires: null })
  const other = alert({ incident: '2', headline: 'ELSEWHERE' })
  t.same(lives(read(envelope(other), of)).length, 1, 'missing once may be a fault')
  const ends = read(envelope(other), of).events.filter(({ lifecycle }) => lifecycle === 'cancel')
  t.match(ends, [{ id: event?.id, thread_id: event?.thread_id }])
})

t.test('a quiet state sends an empty envelope: no error, and everything is over only when it stays so', async (t) => {
  const of = tools({ receivedAt: NOW })
  t.same(read(envelope(), of).events, [])
  read(envelope(alert()), of)
  const ends: number[] = []
  for (let nth = 1; nth <= 6; nth++) ends.push(read(envelope(), of).events.length)
  t.same(ends, [0, 0, 0, 0, 0, 1])
  t.throws(() => read('<html>Sorry</html>', of), { code: 'bad-input' })
  t.throws(() => read('<EDXLDistribution><contentObject>', of), { code: 'bad-input' })
})

t.test('two products of one incident are two alerts', async (t) => {
  const both = envelope(alert({ level: 'Advice' }), alert({ level: 'Advice', code: 'smoke', headline: 'SMOKE' }))
  const { events } = read(both)
  t.equal(new Set(events.map(({ thread_id }) => thread_id)).size, 2)
})

t.test(
  'a test, and what lies below the level that is wanted, stay out; what was told is told to the end',
  async (t) => {
    const test = read(envelope(alert({ status: 'Exercise' })))
    t.same([test.events.length, test.skipped.length], [0, 1])
    const of = tools({ receivedAt: NOW })
    const want = { min_severity: 'critical' }
    t.same(read(envelope(alert({ level: 'Advice' })), of, want).events, [])
    t.equal(read(envelope(alert()), of, want).events.length, 1)
    t.match(read(envelope(alert({ level: 'Advice' })), of, want).events, [{ severity: 'priority' }])
  }
)

t.test('the text says level, place and what to do, once', async (t) => {
  const said = (level: string) => {
    const [event] = read(envelope(alert({ level }))).events
    return event === undefined ? '' : textOf(event, '2026-01-07T02:50:00Z')
  }
  t.equal(
    said('Emergency Warning'),
    'BUSHFIRE EMERGENCY WARN Ridge Road, Old Mill (7:35p). Out of control. Leave now toward the coast. NSW RFS'
  )
  t.equal(
    said('Watch and Act'),
    'FIRE RIDGE RD, OLD MILL, QF57wg. Upd 7:35p. Watch and Act. Out of control. Leave now toward the coast. NSW RFS'
  )
  t.match(said('Advice'), /^FIRE RIDGE RD, OLD MILL, QF57wg\. Upd 7:35p\. Advice\. Out of control\./)
})

t.test('each state is asked at its own address; without one nobody is asked', async (t) => {
  for (const state of AU_STATES) {
    const of = pollTools(() => envelope(alert()), { receivedAt: NOW, memory: new MapMemory() })
    await capAuSource.poll(settings({ state }), of)
    t.match(of.asked[0]?.url, /^https:\/\/.*(?:rfs\.nsw\.|qld-gov-au\.|tas\.|wa\.)/, state)
  }
  t.match(capAuSource.missing?.(settings({ state: '' })), { code: 'needs_state' })
  t.equal(capAuSource.missing?.(settings()), null)
})
