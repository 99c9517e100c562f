import t from 'tap'
import type { StormEvent } from '../faults/storm-events.ts'
import { type AirLine, judge, RULES } from '../faults/storm-verdict.ts'

const event = (thread: string, more: Partial<StormEvent> = {}): StormEvent => ({
  id: thread,
  source: 'storm',
  family: 'fire',
  title: `Fire ${thread}r${more.revision ?? '1'}`,
  severity: 'critical',
  regions: ['North'],
  revision: '1',
  thread_id: thread,
  lifecycle: 'new',
  ...more
})
const mt = (text: string, packetId: number): AirLine => ({
  at: 0,
  radio: 'sim-mt',
  channel: 1,
  text,
  identity: { packetId }
})
const mc = (text: string, senderTimestamp: number): AirLine => ({
  at: 0,
  radio: 'sim-mc',
  channel: 'north',
  text: `Lookout: ${text}`,
  identity: { senderTimestamp }
})
const K = 'K00001'
const BOTH = [mt('Fire K00001r1 North', 7), mc('Fire K00001r1 North', 70)]
const CANCEL = event(K, { lifecycle: 'cancel', revision: '2' })

t.test('the verdict of the kill storm finds every kind of fault, and nothing in a clean run', async (t) => {
  const cases: [what: string, lines: AirLine[], events: StormEvent[], rule: string | null][] = [
    ['a clean run', BOTH, [event(K)], null],
    ['critical again as the same packet', [...BOTH, mt('Fire K00001r1 North', 7)], [event(K)], null],
    ['critical again as another packet', [...BOTH, mt('Fire K00001r1 North', 8)], [event(K)], RULES[1]],
    ['critical again as a new packet that says so', [...BOTH, mt('RPT Fire K00001r1 North', 8)], [event(K)], null],
    ['the same on MeshCore', [...BOTH, mc('RPT Fire K00001r1 North', 80)], [event(K)], null],
    [
      'priority again, marked',
      [...BOTH, mt('RPT Fire K00001r1 North', 8)],
      [event(K, { severity: 'priority' })],
      RULES[0]
    ],
    ['priority again', [...BOTH, mt('Fire K00001r1 North', 7)], [event(K, { severity: 'priority' })], RULES[0]],
    ['priority never', [], [event(K, { severity: 'priority' })], null],
    ['critical on one network only', BOTH.slice(0, 1), [event(K)], RULES[2]],
    ['an update that nobody heard', BOTH, [event(K), event(K, { lifecycle: 'update', revision: '2' })], RULES[2]],
    ['an update in the place of the first', [mt('Fire K00001r2', 7), mc('Fire K00001r2', 70)], [event(K)], null],
    ['withdrawn before it was told', [], [event(K), CANCEL], null],
    ['told and never cancelled', BOTH, [event(K), CANCEL], RULES[3]],
    ['cancelled and never told', [mt('CANCEL FIRE K00001r2', 9)], [event(K), CANCEL], RULES[3]],
    [
      'told after its cancel',
      [mt('CANCEL FIRE K00001r2', 9), ...BOTH, mc('CANCEL FIRE K00001r2', 71)],
      [event(K), CANCEL],
      RULES[3]
    ],
    [
      'told and cancelled',
      [...BOTH, mt('CANCEL FIRE K00001r2', 9), mc('CANCEL FIRE K00001r2', 71)],
      [event(K), CANCEL],
      null
    ],
    [
      'one identity for two texts',
      [...BOTH, mt('Fire K00002r1', 7), mc('Fire K00002r1', 71)],
      [event(K), event('K00002')],
      RULES[4]
    ]
  ]
  for (const [what, lines, events, rule] of cases) {
    const { problems, sends } = judge(lines, events)
    t.same([...new Set(problems.map((problem) => problem.rule))], rule === null ? [] : [rule], what)
    t.equal(sends, lines.length)
  }
  t.throws(() => judge([mt('something else', 1)], []), /not a text of the storm/)
})
