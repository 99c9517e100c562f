import t from 'tap'
import { parseEventInput } from '../../../src/warning/events/input.ts'
import { goingOn } from '../../../src/warning/outbox/going-on.ts'

const HOUR = 3_600_000
const SENT = Date.parse('2026-01-10T06:00:00Z')

/** The messages that count as going on: of every thread the last one, until its end. */

function told(family: string, change: object = {}) {
  const input = { id: '1', source: 'x', title: 'x', family, sent_at: '2026-01-10T06:00:00Z', ...change }
  return { event: parseEventInput(input, { now: SENT, families: new Set([family]) }) }
}

t.test('what names no end goes on for six hours, and for as long as its family is news', async (t) => {
  for (const [family, hours] of [
    ['weather', 6],
    ['seismic', 6],
    ['avalanche', 24]
  ] as const) {
    const row = told(family)
    t.same(goingOn([row], SENT + hours * HOUR - 1), [row], `${family}: still`)
    t.same(goingOn([row], SENT + hours * HOUR), [], `${family}: no longer`)
  }
})

t.test('what names its end goes on until then; until further notice is two days', async (t) => {
  const short = told('avalanche', { expires: '2026-01-10T07:00:00Z' })
  t.same(goingOn([short], SENT + HOUR - 1), [short])
  t.same(goingOn([short], SENT + HOUR), [])
  const open = told('weather', { data: { until_further_notice: true } })
  t.same(goingOn([open], SENT + 48 * HOUR - 1), [open])
  t.same(goingOn([open], SENT + 48 * HOUR), [])
})

t.test('a cancel ends it in the zones it names, or everywhere', async (t) => {
  const warning = told('weather', { zones: ['IDZ014', 'IDZ015'], thread_id: 'one' })
  const end = (zones: string[]) => told('weather', { id: '2', lifecycle: 'cancel', zones, thread_id: 'one' })
  t.same(goingOn([warning, end(['IDZ014'])], SENT), [warning])
  t.same(goingOn([warning, end(['IDZ014']), end(['IDZ015'])], SENT), [])
  t.same(goingOn([warning, end([])], SENT), [])
})
