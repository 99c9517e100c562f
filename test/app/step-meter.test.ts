import { Worker } from 'node:worker_threads'
import t from 'tap'
import { reference, StepMeter } from '../helpers/step-meter.ts'

/** The meter that judges the longest steps: it is neither fooled by a busy machine nor blind on one. */

const MOST_MS = 25
const BURNERS = 6

const meter = new StepMeter()
t.teardown(() => meter.close())

/** So many references in one step: 2.65 ms each on the machine of docs/measurements.md. */
async function step(references: number): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  for (let n = 0; n < references; n++) reference()
}

/** Threads that want a processor all the time. */
async function busy(work: () => Promise<void>): Promise<void> {
  const burners = Array.from({ length: BURNERS }, () => new Worker('for (;;) Math.sqrt(2)', { eval: true }))
  await Promise.all(burners.map((burner) => new Promise((resolve) => burner.once('online', resolve))))
  try {
    await work()
  } finally {
    await Promise.all(burners.map((burner) => burner.terminate()))
  }
}

t.test('a thread that stands still for 100 ms has done no work', async (t) => {
  const { ms } = await meter.longest(async () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  })
  if (process.platform === 'linux') t.ok(ms < 50, `${ms}`)
})

for (const [name, when] of [
  ['left alone', (work: () => Promise<void>) => work()],
  ['while others take the processors', busy]
] as const)
  t.test(`a step of 40 ms is found, and one of 10 ms is let pass: ${name}`, async (t) => {
    if (process.platform !== 'linux') return t.comment('skipped: CPU of a thread is read from /proc')
    await step(50)
    await when(async () => {
      meter.begin()
      const [long, short] = [await meter.longest(() => step(15)), await meter.longest(() => step(4))]
      const { ms, why } = meter.limit(MOST_MS)
      t.ok(long.ms > ms, `${long.ms.toFixed(1)} ms, ${why}`)
      t.ok(short.ms < ms, `${short.ms.toFixed(1)} ms, ${why}`)
    })
  })
