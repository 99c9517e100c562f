import t from 'tap'
import type { Decision } from '../../src/warning/routing/decision.ts'
import { fire, station } from './harness.ts'

const dropped = (reason: string): Decision => ({ kind: 'dropped', reason, trace: [], sends: [], withdraw: [] })

t.test('whoever sends a grave warning that nobody can place is told that it goes to nobody', async (t) => {
  const { ask, context } = await station(t)
  const cases: [string, string, string, string[]][] = [
    ['critical', 'weather', 'unlocated_weather', ['unlocated_weather']],
    ['immediate', 'weather', 'unplaced', ['unplaced']],
    ['priority', 'weather', 'unlocated_weather', []],
    ['critical', 'weather', 'outside', []]
  ]
  for (const [severity, family, reason, codes] of cases) {
    context.acceptEvents = async (events) =>
      events.map((event) => ({
        id: event.id,
        threadId: event.thread_id,
        duplicate: false,
        seq: 1,
        event,
        decision: dropped(reason),
        stored: true
      }))
    const { status, body } = await ask({
      path: '/api/events',
      body: { ...fire, family, category: undefined, severity }
    })
    t.equal(status, 202)
    t.strictSame(
      (body.warnings ?? []).map(({ code }: { code: string }) => code),
      codes,
      `${severity} ${reason}`
    )
    if (codes.length > 0)
      t.match(body.warnings[0], { id: 'f1', message: /sent to nobody.*coverage\.everywhere_sources/ })
  }
})
