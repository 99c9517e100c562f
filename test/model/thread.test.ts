import fc from 'fast-check'
import t from 'tap'
import { type ChainLink, chainThreads, messageName } from '../../src/model/thread.ts'

const name = (id: string): string => messageName('s', id)
const ref = (identifier: string, sent = '') => ({ sender: 's', identifier, sent })
const link = (identifier: string, ...references: ReturnType<typeof ref>[]): ChainLink => ({
  sender: 's',
  identifier,
  references,
  own: `own:${identifier}`
})

t.test('a message joins the oldest message it refers to, over any number of steps', async (t) => {
  const threads = chainThreads([
    link('c', ref('b', '2026-01-02'), ref('x', '2026-01-03')),
    link('b', ref('a', '2026-01-01')),
    link('a')
  ])
  t.same([...threads.values()], ['own:a', 'own:a', 'own:a'])
})

t.test('when nothing is inside the listing, the earliest reference names the thread', async (t) => {
  const threads = chainThreads([link('c', ref('b', '2026-01-02'), ref('a', '2026-01-01')), link('d', ref('c'))])
  t.equal(threads.get(name('c')), name('a'))
  t.equal(threads.get(name('d')), name('a'))
})

t.test('circles and references to itself end the walk', async (t) => {
  t.equal(chainThreads([link('a', ref('a'))]).get(name('a')), 'own:a')
  const circle = chainThreads([link('a', ref('b')), link('b', ref('a'))])
  t.equal(circle.size, 2)
  const ids = fc.constantFrom('a', 'b', 'c', 'd')
  fc.assert(
    fc.property(fc.array(fc.tuple(ids, fc.array(ids, { maxLength: 3 })), { maxLength: 6 }), (messages) => {
      const links = messages.map(([id, references]) => link(id, ...references.map((to) => ref(to))))
      return [...chainThreads(links).values()].every((thread) => thread !== '')
    })
  )
})
