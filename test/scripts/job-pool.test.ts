import t from 'tap'

interface Job {
  name: string
  weight: number
}

/** A pool whose jobs end when the test says so; `going` are those that have begun. */
async function pooled(room: number, waiting: Job[]) {
  const { pool } = (await import(new URL('../../scripts/job-pool.js', import.meta.url).href)) as {
    pool: (jobs: Job[], room: number, work: (job: Job) => Promise<void>) => Promise<void>
  }
  const going = new Map<string, () => void>()
  const over = pool(waiting, room, ({ name }) => new Promise((resolve) => going.set(name, resolve)))
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  await settle()
  return {
    over,
    going: () => [...going.keys()],
    end: async (name: string) => {
      going.get(name)?.()
      going.delete(name)
      await settle()
    }
  }
}

const job = (name: string, weight: number): Job => ({ name, weight })

t.test('jobs go on side by side as far as their weights leave room; the next that fits is taken', async (t) => {
  const waiting = [job('a', 1.25), job('b', 1.25), job('c', 1.25), job('half', 0.5), job('d', 1)]
  const { going, end, over } = await pooled(3, waiting)
  t.same(going(), ['a', 'b', 'half'])
  await end('half')
  t.same(going(), ['a', 'b'], 'there is half of a processor left, and nobody who needs no more')
  await end('a')
  t.same(going(), ['b', 'c'])
  await end('b')
  t.same(going(), ['c', 'd'])
  await end('c')
  await end('d')
  await over
})

t.test(
  'a job too heavy for all of the room is done alone; one that is put behind the others is done, too',
  async (t) => {
    const waiting = [job('heavy', 9), job('small', 1)]
    const { going, end, over } = await pooled(2, waiting)
    t.same(going(), ['heavy'])
    waiting.push(job('late', 1))
    await end('heavy')
    t.same(going(), ['small', 'late'])
    await end('small')
    await end('late')
    await over
  }
)

t.test('a job that fails fails the whole', async (t) => {
  const { pool } = (await import(new URL('../../scripts/job-pool.js', import.meta.url).href)) as {
    pool: (jobs: Job[], room: number, work: () => Promise<void>) => Promise<void>
  }
  await t.rejects(
    pool([job('a', 1)], 1, () => Promise.reject(new Error('broken'))),
    { message: 'broken' }
  )
})
