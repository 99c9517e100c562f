import t from 'tap'
import { type StoredStep, transmissionsOf } from '../../../src/warning/outbox/transmissions.ts'

/** The times that a text was on the air, by the steps of its message: docs/interface.md §6. */

function steps(...told: (string | [code: string, params: object])[]): StoredStep[] {
  return told.map((one, n) => {
    const [code, params] = typeof one === 'string' ? [one, {}] : one
    return { n: n + 1, at: 1000 * (n + 1), code, params }
  })
}
const times = (...told: Parameters<typeof steps>): [number, boolean][] =>
  transmissionsOf(steps(...told)).map(({ at, again }) => [at, again])

t.test('each time the radio said that a text left is a transmission, and a repeat is known as one', async (t) => {
  t.same(times('accepted', 'handed_over', 'left_radio', 'nobody_heard', 'handed_over_again', 'left_radio', 'heard'), [
    [3000, false],
    [6000, true]
  ])
})

t.test('what the radio refused after it had said that it left was not on the air', async (t) => {
  t.same(times('handed_over', 'left_radio', 'refused_for_now', 'handed_over', 'left_radio', 'heard'), [[5000, false]])
  t.same(times('handed_over', 'left_radio', 'refused'), [])
})

t.test('a refusal of a later try takes nothing back of the one before', async (t) => {
  t.same(times('handed_over', 'left_radio', 'nobody_heard', 'handed_over_again', 'refused'), [[2000, false]])
})

t.test(
  'what was handed over without an answer was on the air once somebody is heard repeating it, and only then',
  async (t) => {
    t.same(times('handed_over', 'unanswered_lost'), [])
    const [first, ...more] = transmissionsOf(steps('handed_over', 'unanswered_again', 'heard_by', 'heard'))
    t.match(first, { at: 3000, known: 'heard', again: false })
    t.equal(more.length, 0, 'the second who repeats it hears the same transmission')
  }
)

t.test('each part of a text is a transmission, and none a repeat of another', async (t) => {
  const told = transmissionsOf(
    steps('handed_over', ['part_left', { part: 1, count: 2 }], 'part_heard', 'handed_over', 'left_radio', 'heard')
  )
  t.match(told, [
    { part: { part: 1, count: 2 }, again: false },
    { part: null, again: false }
  ])
  t.equal(told.length, 2)
})
