import t from 'tap'
import { nextTurn, readersTurn } from '../../../src/platform/clock/slices.ts'

/** Counts turns of the loop until told to stop. */
function turns() {
  const counted = { count: 0, over: false }
  const turn = (): void => {
    counted.count++
    if (!counted.over) setImmediate(turn)
  }
  setImmediate(turn)
  return counted
}

t.test('however many wait for a turn, one has it at a time: sockets and timers come in between', async (t) => {
  for (const wait of [nextTurn, readersTurn]) {
    const counted = turns()
    const had: number[] = []
    const work = async (): Promise<void> => {
      for (let step = 0; step < 3; step++) {
        await wait()
        had.push(counted.count)
      }
    }
    await Promise.all(Array.from({ length: 10 }, work))
    counted.over = true
    t.equal(new Set(had).size, 30, 'thirty steps of ten, each in a turn of its own')
  }
})

t.test('they take turns, the one who waited longest first', async (t) => {
  const order: string[] = []
  const work = async (name: string): Promise<void> => {
    for (let step = 0; step < 2; step++) {
      await readersTurn()
      order.push(name)
    }
  }
  await Promise.all(['a', 'b', 'c'].map(work))
  t.equal(order.join(''), 'abcabc')
})

t.test('what brings warnings waits for no reader', async (t) => {
  let read = 0
  const readers = Array.from({ length: 50 }, () => readersTurn().then(() => read++))
  await nextTurn()
  t.ok(read <= 1, `${read} of 50 readers came before`)
  await Promise.all(readers)
})
