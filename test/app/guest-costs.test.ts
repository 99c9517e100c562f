import t from 'tap'
import { costOfGuest, longestStep, METERED } from '../helpers/guest-costs.ts'
import { guestRequests, isHeavy } from '../helpers/guest-requests.ts'
import { guestWorld } from '../helpers/guest-world.ts'
import { StepMeter } from '../helpers/step-meter.ts'

/**
 * Nothing that a guest can ask costs what a warning waits for (contract §6): so much of the main thread, or, as heavy work, steps of so
 * much. Milliseconds of CPU on the machine of docs/measurements.md.
 */
const MOST_MS = 50
const MOST_STEP_MS = 25
/** The first try compiles, and others may use this machine meanwhile: one of so many is to be cheap enough. */
const TRIES = 6

t.test('every question that anybody may ask, in its costliest form, in a storm', async (t) => {
  if (process.platform !== 'linux') return t.comment('skipped: CPU of a thread is read from /proc')
  const meter = new StepMeter()
  t.teardown(() => meter.close())
  const { station, ...world } = await guestWorld(t, t.testdir({}), { env: { LOOKOUT_LOG: 'error', ...METERED } })
  const { child } = station.launched
  const to = { pid: child.pid ?? 0, port: Number(new URL(station.url).port) }
  for (const asked of guestRequests({ station, ...world })) {
    const heavy = isHeavy(asked)
    const cost = async (): Promise<number> => {
      if (heavy) return longestStep(child, () => costOfGuest(to, asked))
      const { status, cpuMs } = await costOfGuest(to, asked)
      if (status >= 500 && asked.path !== '/api/health/ready' && !asked.path.startsWith('/api/address-db/'))
        t.fail(`${asked.path}: ${status}`)
      return cpuMs
    }
    meter.begin()
    const costs: number[] = []
    let limit = { ms: 0, why: '' }
    do {
      costs.push(await cost())
      limit = meter.limit(heavy ? MOST_STEP_MS : MOST_MS)
    } while (costs.length < TRIES && Math.min(...costs) > limit.ms)
    const what = `${asked.method} ${asked.path.slice(0, 60)}${heavy ? ', longest step' : ''}`
    const told = costs.map((ms) => ms.toFixed(1)).join(', ')
    t.ok(Math.min(...costs) <= limit.ms, `${what}: ${told} ms of CPU, ${limit.why}`)
  }
})
