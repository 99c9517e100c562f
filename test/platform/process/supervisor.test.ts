import t from 'tap'
import { because, type Reason } from '../../../src/model/reason.ts'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import type { ChildEnd } from '../../../src/platform/process/child-spec.ts'
import { type Supervised, Supervisor } from '../../../src/platform/process/supervisor.ts'

const KILLED: ChildEnd = { code: null, signal: 'SIGKILL', error: null }
const CRASHED: ChildEnd = { code: 1, signal: null, error: null }
const WELL: ChildEnd = { code: 0, signal: null, error: null }
const RESTART = { min: 500, max: 60_000 }

/** A program that ends when it is told to, or when the test says so. */
class Fake implements Supervised {
  readonly signals: NodeJS.Signals[] = []
  readonly exited: Promise<ChildEnd>
  end: (end: ChildEnd) => void = () => undefined
  words = 'its last words'
  released = false

  constructor() {
    this.exited = new Promise((resolve) => {
      this.end = resolve
    })
  }

  signal(signal: NodeJS.Signals): void {
    this.signals.push(signal)
    if (signal === 'SIGKILL') this.end(KILLED)
  }

  async terminate(): Promise<void> {
    this.signals.push('SIGTERM')
    this.end(WELL)
    await this.exited
  }

  release(): void {
    this.released = true
  }
}

function supervised() {
  const clock = new VirtualClock(0)
  const states: string[] = []
  const waits: number[] = []
  const told: { end: ChildEnd; why: Reason | null; words: string }[] = []
  const children: Fake[] = []
  const start = (): Fake => {
    const child = new Fake()
    children.push(child)
    supervisor.run(child)
    return child
  }
  const supervisor: Supervisor<Fake> = new Supervisor<Fake>({
    clock,
    random: () => 1,
    restart: RESTART,
    readyMs: 30_000,
    late: because('not_ready_within', { seconds: 30 }),
    describe: (end, why, words) => {
      told.push({ end, why, words })
      return why ?? because('exit_code', { code: String(end.code) })
    },
    inOrder: ({ code }) => code === 0,
    again: start,
    onCrash: ({ wait }) => waits.push(wait),
    onChange: () => states.push(supervisor.state)
  })
  /** Time passes; promises settle. */
  const pass = (ms: number): Promise<void> => clock.runTo(clock.now() + ms)
  return { clock, supervisor, states, waits, told, children, start, pass }
}

t.test(
  'after a crash it is started again, later each time, and a crash loop starts it once in the longest wait',
  async (t) => {
    const { supervisor, waits, children, start, pass, told } = supervised()
    start()
    for (let crash = 1; crash <= 12; crash++) {
      children.at(-1)?.end(CRASHED)
      await pass(0)
      t.match(supervisor, { state: 'resting', child: null, crashes: crash })
      t.equal(children.length, crash, 'nobody starts it before its time')
      t.ok(children.at(-1)?.released, 'nothing is left of the one before')
      await pass(waits.at(-1) ?? 0)
      t.equal(children.length, crash + 1)
    }
    t.same(waits, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000, 60_000, 60_000])
    t.match(told[0], { end: CRASHED, why: null, words: 'its last words' })
    t.match(supervisor.lastCrash, { reason: { code: 'exit_code', params: { code: '1' } } })
  }
)

t.test('one that ran well for a minute has crashed for the first time', async (t) => {
  const { supervisor, waits, start, children, pass } = supervised()
  for (const ranMs of [0, 0, 61_000]) {
    if (children.length === 0) start()
    supervisor.ready()
    await pass(ranMs)
    children.at(-1)?.end(CRASHED)
    await pass(0)
    if (ranMs === 0) await pass(waits.at(-1) ?? 0)
  }
  t.same(waits, [1000, 2000, 1000])
  t.equal(supervisor.crashes, 1)
})

t.test('one that does not get ready in its time is killed, and the reason says so', async (t) => {
  const { supervisor, start, states, told, pass } = supervised()
  const child = start()
  await pass(29_999)
  t.same(child.signals, [])
  await pass(1)
  t.same(child.signals, ['SIGKILL'])
  t.match(told, [{ why: { code: 'not_ready_within' } }])
  t.same(states, ['starting', 'resting'])
  t.notOk(supervisor.ready(), 'too late')
})

t.test('one that is ready may take its time', async (t) => {
  const { supervisor, start, states, pass } = supervised()
  const child = start()
  t.ok(supervisor.ready())
  t.notOk(supervisor.ready(), 'once')
  await pass(3_600_000)
  t.same(child.signals, [])
  t.same(states, ['starting', 'running'])
})

t.test('an end in order, or one it was told to come to, is no crash', async (t) => {
  const { supervisor, start, states, waits, pass } = supervised()
  const first = start()
  supervisor.ready()
  first.end(WELL)
  await pass(0)
  t.equal(supervisor.state, 'stopped')
  const second = start()
  supervisor.ready()
  supervisor.expectEnd(5000)
  await pass(4999)
  t.same(second.signals, [])
  await pass(1)
  t.same(second.signals, ['SIGKILL'], 'one that was told to end and does not is ended')
  t.same(states, ['starting', 'running', 'stopped', 'starting', 'running', 'ending', 'stopped'])
  t.same(waits, [])
})

t.test('one that does not do what it should is killed with the reason, and comes back', async (t) => {
  const { supervisor, start, children, waits, told, pass } = supervised()
  const child = start()
  supervisor.ready()
  supervisor.kill(because('no_answer_within', { seconds: 7 }))
  t.same(child.signals, ['SIGKILL'])
  await pass(0)
  t.match(told, [{ why: { code: 'no_answer_within' } }])
  await pass(waits[0] ?? 0)
  t.equal(children.length, 2)
  children[1]?.end(CRASHED)
  await pass(0)
  t.match(told[1], { why: null }, 'a reason is of one life only')
})

t.test('stopped, it is told first, nothing waits to start it, and it may be started again', async (t) => {
  const { supervisor, start, children, states, clock, pass } = supervised()
  const child = start()
  supervisor.ready()
  await supervisor.stop()
  t.same(child.signals, ['SIGTERM'])
  t.same(states, ['starting', 'running', 'ending', 'stopped'])
  start().end(CRASHED)
  await pass(0)
  t.equal(supervisor.state, 'resting')
  await supervisor.stop()
  t.match(supervisor, { state: 'stopped', retryAt: null, crashes: 0 })
  t.equal(clock.waiting, 0)
  await pass(3_600_000)
  t.equal(children.length, 2)
})

t.test('what cannot even be started rests as after a crash', async (t) => {
  const { supervisor, states, waits, children, pass } = supervised()
  supervisor.prepare()
  supervisor.crashed(because('port_taken', { port: 80, address: '127.0.0.1' }))
  t.same(states, ['starting', 'resting'])
  await pass(waits[0] ?? 0)
  t.equal(children.length, 1)
})
