import { pino } from 'pino'
import t, { type Test } from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { type Loop, Pulse } from '../../../src/platform/clock/pulse.ts'
import { StorageError } from '../../../src/platform/database/storage-fault.ts'
import { joined, lineOf, type Notice, watchdogOf } from '../../../src/platform/process/service-manager.ts'
import { Watchdog } from '../../../src/platform/process/watchdog.ts'

const log = pino({ level: 'silent' })
const WATCHDOG_MS = 30_000

class FakeLoop implements Loop {
  readonly pulse = new Pulse()
  ticks = true
  readonly name: string

  constructor(name: string) {
    this.name = name
  }

  tick(): void {
    if (this.ticks) this.pulse.beat()
  }
}

interface Watch {
  clock: VirtualClock
  watchdog: Watchdog
  loops: FakeLoop[]
  told: { at: number; notice: Notice }[]
  /** The times at which the service manager heard that we live, in milliseconds after `since`. */
  fed: (since?: number) => number[]
  run: (ms: number) => Promise<void>
}

function watch(_t: Test, { watchdogMs = WATCHDOG_MS as number | null, status = () => 'fine' } = {}): Watch {
  const clock = new VirtualClock(0)
  const told: Watch['told'] = []
  const loops = [new FakeLoop('pipeline'), new FakeLoop('radio mt'), new FakeLoop('scheduler')]
  const manager = { watchdogMs, tell: (notice: Notice) => void told.push({ at: clock.now(), notice }) }
  const watchdog = new Watchdog({ manager, clock, log, steady: () => clock.now() })
  watchdog.ready(() => loops, status)
  return {
    clock,
    watchdog,
    loops,
    told,
    fed: (since = 0) =>
      told.filter(({ at, notice }) => at >= since && notice.WATCHDOG === '1').map(({ at }) => at - since),
    run: (ms) => clock.runTo(clock.now() + ms)
  }
}

t.test('it is fed three times in the time that the service manager waits, as long as every loop ticks', async (t) => {
  const w = watch(t)
  await w.run(60_000)
  t.strictSame(w.fed(), [10_000, 20_000, 30_000, 40_000, 50_000, 60_000])
  t.strictSame(w.told[0]?.notice, { READY: '1', STATUS: 'fine' })
})

for (const stuck of [0, 1, 2])
  t.test(
    `one loop that stands still ends the feed, so that the restart comes within a minute (${stuck})`,
    async (t) => {
      for (let offset = 0; offset < 10_000; offset += 1250) {
        const w = watch(t)
        await w.run(100_000 + offset)
        const loop = w.loops[stuck]
        if (loop !== undefined) loop.ticks = false
        const from = w.clock.now()
        await w.run(300_000)
        const last = w.fed(from).at(-1) ?? 0
        t.ok(last + WATCHDOG_MS <= 55_000, `restart after ${last + WATCHDOG_MS} ms`)
        t.match(w.told.at(-1)?.notice, { STATUS: `stands still: ${loop?.name}`, WATCHDOG: undefined })
      }
    }
  )

t.test('a loop that goes on in time is fed again: nobody is restarted for a pause', async (t) => {
  const w = watch(t)
  const [loop] = w.loops
  if (loop === undefined) return
  await w.run(50_000)
  loop.ticks = false
  await w.run(24_000)
  loop.ticks = true
  await w.run(40_000)
  const gaps = w.fed().map((at, index, all) => at - (all[index - 1] ?? 0))
  t.ok(Math.max(...gaps) < WATCHDOG_MS, String(gaps))
})

t.test('a loop whose work takes long says so, and is waited for', async (t) => {
  const w = watch(t)
  const [, radio] = w.loops
  if (radio === undefined) return
  radio.ticks = false
  radio.pulse.beat(80_000)
  await w.run(80_000)
  t.equal(w.fed().length, 8)
  await w.run(80_000)
  t.ok((w.fed().at(-1) ?? 0) <= 90_000)
})

t.test('our own standstill is nobody else’s: after it the first look feeds at once', async (t) => {
  const w = watch(t)
  await w.run(40_000)
  await w.clock.skipTo(68_000)
  t.ok(w.fed().includes(68_000), 'within the time of the last word')
  await w.run(60_000)
  t.notOk(w.told.some(({ notice }) => notice.STATUS?.startsWith('stands still')))
})

t.test(
  'a loop whose tick meets a failing disk lives: a restart would forget what was sent without the disk',
  async (t) => {
    const w = watch(t, {
      status: () => {
        throw new StorageError('io', { cause: new Error('disk I/O error') })
      }
    })
    const [loop] = w.loops
    if (loop === undefined) return
    loop.tick = () => {
      throw new StorageError('full', { cause: new Error('no space') })
    }
    await w.run(120_000)
    t.equal(w.fed().length, 12)
  }
)

t.test('without a watchdog only the state is told', async (t) => {
  const w = watch(t, { watchdogMs: null })
  await w.run(120_000)
  w.watchdog.stopping()
  t.strictSame(
    w.told.map(({ notice }) => notice),
    [
      { READY: '1', STATUS: 'fine' },
      { STOPPING: '1', STATUS: 'stopping' }
    ]
  )
})

t.test('a start asks for more time while it goes on, and for a quarter of an hour at most', async (t) => {
  const clock = new VirtualClock(0)
  const asked: number[] = []
  const manager = {
    watchdogMs: WATCHDOG_MS,
    tell: ({ EXTEND_TIMEOUT_USEC }: Notice) => {
      if (EXTEND_TIMEOUT_USEC !== undefined) asked.push(clock.now() + Number(EXTEND_TIMEOUT_USEC) / 1000)
    }
  }
  const watchdog = new Watchdog({ manager, clock, log, steady: () => clock.now() })
  watchdog.starting()
  await clock.runTo(3_600_000)
  t.equal(asked[0], 60_000)
  for (const [index, until] of asked.entries()) if (index > 0) t.equal(until - (asked[index - 1] ?? 0), 20_000)
  t.ok((asked.at(-1) ?? 0) < 16 * 60_000)
})

t.test('the wait of the service manager is read as sd_watchdog_enabled(3) says', (t) => {
  t.equal(watchdogOf({}), null)
  t.equal(watchdogOf({ WATCHDOG_USEC: '30000000' }), 30_000)
  t.equal(watchdogOf({ WATCHDOG_USEC: '30000000', WATCHDOG_PID: '7' }, 7), 30_000)
  t.equal(watchdogOf({ WATCHDOG_USEC: '30000000', WATCHDOG_PID: '8' }, 7), null, 'meant for another process')
  for (const wrong of ['', '0', '-1', 'soon', '1.5']) t.equal(watchdogOf({ WATCHDOG_USEC: wrong }), null)
  t.end()
})

t.test('fields of a message cannot end one another', (t) => {
  t.equal(lineOf({ WATCHDOG: '1', STATUS: 'a\nREADY=1\tb' }), 'WATCHDOG=1\tSTATUS=a READY=1 b\n')
  t.end()
})

t.test('what waits to be told becomes one message: the newest words, in the order they were said', (t) => {
  const waiting = joined(
    { WATCHDOG: '1', STATUS: '2 of 2 radios ready' },
    { WATCHDOG: '1', STATUS: '1 of 2 radios ready' }
  )
  t.equal(lineOf(waiting), 'WATCHDOG=1\tSTATUS=1 of 2 radios ready\n')
  t.equal(lineOf(joined(waiting, { STOPPING: '1', STATUS: 'stopping' })), 'WATCHDOG=1\tSTOPPING=1\tSTATUS=stopping\n')
  t.end()
})
