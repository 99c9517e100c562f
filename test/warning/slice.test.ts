import t from 'tap'
import { beginSlice } from '../../src/warning/slice.ts'

/** Contract §6, *Warnings before work*: events are stored slice by slice. */

/** A process that has this share of a core. */
function slice(share: number): (atMs: number) => boolean {
  let now = 1000
  const isOver = beginSlice({ wall: () => now, cpu: () => now * share })
  return (atMs) => {
    now = 1000 + atMs
    return isOver()
  }
}

t.test('a slice is over after its time, on a core of its own', (t) => {
  const isOverAt = slice(1)
  t.notOk(isOverAt(11.9))
  t.ok(isOverAt(12))
  t.end()
})

t.test('on a shared core a slice goes on for its work', (t) => {
  const isOverAt = slice(0.8)
  t.notOk(isOverAt(12), 'it has had 9.6 ms of the core')
  t.ok(isOverAt(15))
  t.end()
})

t.test('however little of a core it has, a slice keeps nobody waiting for more than 18 ms', (t) => {
  const isOverAt = slice(0.1)
  t.notOk(isOverAt(17.9))
  t.ok(isOverAt(18))
  t.end()
})
