import t from 'tap'
import * as v from 'valibot'
import { ENGLISH } from '../../src/model/air-languages.ts'
import { paced } from '../../src/platform/clock/slices.ts'
import { configSchema } from '../../src/settings/schema.ts'
import { rehearsal } from '../../src/station/rehearsal.ts'
import { parseEventInput } from '../../src/warning/events/input.ts'
import { composeFor } from '../../src/warning/outbox/text.ts'
import { startLookout } from '../helpers/process.ts'
import { StepMeter } from '../helpers/step-meter.ts'

/** Contract §6, *Warnings before work*. Milliseconds of CPU on the machine of docs/measurements.md. */
const MOST_MS = 25
/** A text that is not the first costs less than one; a first one without rehearsal over 20. */
const TEXT_MS = 8
const NOW = Date.parse('2026-07-01T12:00:00Z')

const meter = new StepMeter()
t.teardown(() => meter.close())

const setting = {
  config: v.parse(configSchema, { station: { timezone: 'America/Boise' } }),
  description: { network: 'mt' as const, nodeName: 'roof' },
  nowMs: NOW
}

/** Real expressions can be made once in a process: this file has one of its own. */
t.test('after its rehearsal a station writes the first text of an event in one short step', async (t) => {
  meter.begin()
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const { ms, turns } = await meter.longest(() => paced(rehearsal(setting), turn))
  const limit = meter.limit(MOST_MS)
  t.ok(ms <= limit.ms, `a step of the rehearsal: ${ms.toFixed(1)} ms, ${limit.why}`)
  t.ok(turns > 10, 'others have their turn in between')
  const input = {
    ...{ id: 'f1', source: 'test', family: 'fire', severity: 'critical', title: 'Incident 1 near mile 1 of the road' },
    ...{ summary: 'Moves east with the wind; crews are on their way, the road may close within the hour.' },
    ...{ lat: 44, lon: -116.9, sent_at: '2026-07-01T11:59:00Z', expires: '2026-07-01T13:00:00Z' }
  }
  const event = parseEventInput(input, { now: NOW, families: new Set(['fire']) })
  const wordless = { newPlacesOnly: false, mark: null, code: null, origin: null, regions: ['North'] }
  let parts: string[] = []
  const first = await meter.longest(async () => {
    parts = composeFor(event, { ...wordless, kind: 'new', events: [event] }, { ...setting, spoken: ENGLISH })
  })
  t.match(parts.join(''), /Incident 1 near mile 1/)
  t.ok(first.ms <= meter.limit(TEXT_MS).ms, `the first text: ${first.ms.toFixed(1)} ms, ${meter.limit(TEXT_MS).why}`)
})

t.test('a station rehearses once it is ready, and nothing of that is stored or sent', async (t) => {
  const cwd = t.testdir({ data: { 'config.json': '{}' } })
  const station = await startLookout(t, 'data', { cwd, env: { LOOKOUT_LOG: 'debug' } })
  await station.launched.until('the rehearsal', () => station.launched.stderr.includes('texts are rehearsed'))
  t.same((await station.get('/api/events')).json, { events: [], next: null })
  t.same((await station.get('/api/deliveries')).json, { deliveries: [], next: null })
  t.equal((await station.launched.stop()).code, 0)
})
