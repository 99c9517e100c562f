import t from 'tap'
import type { Database } from '../../src/platform/database/database.ts'
import { NOW } from '../dashboard/harness.ts'
import { clientApart } from '../helpers/client-apart.ts'
import { StepMeter } from '../helpers/step-meter.ts'
import { storm } from '../helpers/storm.ts'

/** The papers of a day with thousands of messages are written in slices: contract §6, *Warnings before work*. Milliseconds of CPU. */
const MOST_MS = 25
/** The first try compiles, and others may use this machine meanwhile: one of so many is to be short enough. */
const MOST_TRIES = 10
const MESSAGES = 5000
const EVERY_MS = 4000

/** The first messages of the storm were handed over, left their radio and were heard, one after another. */
function launched(db: Database): void {
  const begin = NOW - (MESSAGES + 1) * EVERY_MS
  const text = 'FIRE UPD Evacuate Croy Creek now, Valley/North. Upd 11:57a. Level 3, go now. Highway 20 east is open'
  db.sql(
    `UPDATE deliveries SET state = 'heard', reason = NULL, parts = json_array(?1), bytes = 100, attempts = 1, heard_by = 1,
       sent_at = ?2 + id * ?3, radio = 'mt' WHERE id <= ?4`
  ).run(text, begin, EVERY_MS, MESSAGES)
  for (const [state, code] of [
    ['transmitting', 'handed_over'],
    ['sent', 'left_radio'],
    ['heard', 'heard']
  ] as const)
    db.sql(
      `INSERT INTO delivery_steps (delivery_id, at, state, reason, change, code, params)
       SELECT id, ?1 + id * ?2, ?3, NULL, NULL, ?4, '{}' FROM deliveries WHERE id <= ?5`
    ).run(begin, EVERY_MS, state, code, MESSAGES)
}

t.test(
  'the papers of a day with thousands of messages hold the thread of the radios for no longer than 25 ms',
  async (t) => {
    const meter = new StepMeter()
    t.teardown(() => meter.close())
    const s = await storm(t, { prepare: launched })
    const asking = clientApart(t, s.service.port)
    const span = new URLSearchParams({
      from: new Date(NOW - 86_400_000).toISOString(),
      to: new Date(NOW).toISOString()
    })
    const log = await (await fetch(`${s.service.url}/api/comms-log?${span}`)).text()
    const { entries, next } = JSON.parse(log)
    t.ok(entries.length > 1000 && next !== null, 'the answer is full')
    const { event_ids: ids } = entries[1]
    const report = `event=${encodeURIComponent(ids[0])}`
    for (const path of [
      ...[`/api/comms-log?${span}`, `/api/comms-log?${span}&format=csv`, `/comms-log?${span}`],
      ...[`/api/comms-log?${span}&format=pdf`, `/api/exercise-report?${report}&format=pdf`],
      ...[`/api/exercise-report?${report}`, `/exercise-report?${report}`, '/exercise-report']
    ]) {
      meter.begin()
      const steps: number[] = []
      let limit = { ms: 0, why: '' }
      do {
        const { ms } = await meter.longest(async () => {
          // Made anew: it was made a moment ago.
          await s.time.runTo(s.time.now() + 2000)
          t.equal(await asking(path), 200, path)
        })
        steps.push(ms)
        limit = meter.limit(MOST_MS)
      } while (steps.length < MOST_TRIES && Math.min(...steps) > limit.ms)
      const told = steps.map((ms) => ms.toFixed(1)).join(', ')
      t.ok(Math.min(...steps) <= limit.ms, `${path}: ${told} ms of CPU, ${limit.why}`)
    }
  }
)
