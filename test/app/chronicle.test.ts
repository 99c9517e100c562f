import t from 'tap'
import { Chronicle } from '../faults/chronicle.ts'

t.test('what goes on when a chronicle is packed is told as it ended, in its place', (t) => {
  const polls = new Chronicle<{ name: string; outcome?: string }>()
  const slow: { name: string; outcome?: string } = { name: 'slow' }
  polls.add({ name: 'first', outcome: 'ok' })
  polls.add(slow)
  polls.add({ name: 'last', outcome: 'ok' })
  polls.pack(({ outcome }) => outcome !== undefined)
  t.equal(polls.recent, 2)
  slow.outcome = 'ok'
  const all = ['first', 'slow', 'last'].map((name) => ({ name, outcome: 'ok' }))
  t.same(polls.all(), all)
  polls.pack()
  t.equal(polls.recent, 0)
  t.same(polls.all(), all)
  t.end()
})
