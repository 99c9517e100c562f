import { spawn } from 'node:child_process'
import { once } from 'node:events'
import t from 'tap'
import { JobRunner } from '../../../src/knowledge/jobs/runner.ts'
import { because, type Reason } from '../../../src/model/reason.ts'
import { AppError, type ErrorCode } from '../../../src/platform/errors.ts'
import { createLog } from '../../../src/platform/log/log.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { Bench, bench } from './bench.ts'
import { jobSetup, START, storeDone, stored } from './setup.ts'

const log = createLog({ level: 'silent' })

t.test('jobs run up to the limit of their pool, the kinds of a pool in turns', async (t) => {
  const {
    bench: runs,
    runner,
    store,
    settle,
    db
  } = await bench(t, (b) => [b.kind('extract', 'cpu'), b.kind('embed', 'cpu'), b.kind('ask', 'net')], { cpu: 2 })
  for (let n = 1; n <= 6; n++) store.add('extract', String(n))
  for (let n = 1; n <= 2; n++) store.add('embed', String(n))
  store.add('ask', '1')
  t.equal(runner.idle(), false, 'something is due')
  runner.start()
  await settle()
  t.same([...runs.running.keys()].sort(), ['ask 1', 'embed 1', 'extract 1'])
  for (let key = first(runs, 'cpu'); key !== undefined; key = first(runs, 'cpu')) {
    runs.get(key).done()
    await settle()
  }
  runs.get('ask 1').done()
  await settle()
  t.equal(runs.most, 3, 'two of one pool, one of the other')
  t.same(
    runs.begun
      .filter((key) => !key.startsWith('ask'))
      .slice(0, 4)
      .map((key) => key.split(' ')[0]),
    ['extract', 'embed', 'extract', 'embed'],
    'six of one kind do not hold up two of the other'
  )
  t.equal(stored(db).length, 9)
  t.equal(store.list({ limit: 9 }).length, 0)
  t.equal(runner.idle(), true)
  await runner.stop()
})

t.test(
  'under strain a kind rests: what runs of it is broken off, nothing is counted, and it goes on when the strain is over',
  async (t) => {
    let strained = false
    const reason = because('strain_temperature', { value: 79 })
    const rests = (kind: string): Reason | null => (strained && kind === 'embed' ? reason : null)
    const { bench: runs, runner, store, settle } = await bench(t, (b) => [b.kind('embed'), b.kind('remove')], {}, rests)
    store.add('embed', '1')
    runner.start()
    await settle()
    const { tools, fail } = runs.get('embed 1')
    strained = true
    runner.strained()
    t.equal(tools.signal.aborted, true)
    fail(tools.signal.reason)
    store.add('remove', '1')
    runner.wake()
    await settle()
    t.same([...runs.running.keys()], ['remove 1'], 'the other kind works')
    t.match(
      store.list({ limit: 9 }).find(({ kind }) => kind === 'embed'),
      { state: 'held', reason, attempts: 0 }
    )
    runs.get('remove 1').done()
    await settle()
    t.equal(runner.idle(), true, 'the process may end')

    strained = false
    store.releaseHeld('embed')
    runner.wake()
    await settle()
    runs.get('embed 1').done()
    await settle()
    t.equal(store.list({ limit: 9 }).length, 0)
    await runner.stop()
  }
)

function first(runs: Bench, pool: 'cpu'): string | undefined {
  return [...runs.running.keys()].find((key) => pool === 'cpu' && !key.startsWith('ask'))
}

t.test('a job that comes later is found when somebody wakes, and after a while without', async (t) => {
  const { bench: runs, runner, store, settle } = await bench(t, (b) => [b.kind('extract')], { extract: 9 })
  store.add('extract', 'before')
  await settle(60_000)
  t.same(runs.begun, [], 'nothing before the start')
  runner.start()
  await settle()
  store.add('extract', 'told')
  runner.wake()
  await settle()
  store.add('extract', 'untold')
  await settle(15_000)
  store.add('extract', 'later', { dueAt: START + 80_000 })
  runner.wake()
  await settle(4_999)
  t.same(runs.begun.length, 3)
  await settle(1)
  t.same(runs.begun, ['extract before', 'extract told', 'extract untold', 'extract later'])
  for (const run of [...runs.running.values()]) run.done()
  await settle()
  await runner.stop()
})

t.test('a failure is tried again with growing waits and given up at the last attempt', async (t) => {
  const { bench: runs, runner, store, settle, changes } = await bench(t, (b) => [b.kind('extract')])
  store.add('extract', '1')
  runner.start()
  for (const wait of [7500, 15_000]) {
    await settle()
    runs.get('extract 1').fail(new AppError('timeout', note('pdftotext took longer')))
    await settle(wait - 1)
    t.match(inWords(store.get('extract', '1')), { state: 'waiting', reason: 'pdftotext took longer' })
    t.equal(runs.running.size, 0, `not before ${wait} ms`)
    await settle(1)
  }
  runs.get('extract 1').fail(new Error('still broken'))
  await settle(3_600_000)
  t.same(runs.dead, ['extract 1: still broken'])
  t.match(inWords(store.get('extract', '1')), { state: 'dead', attempts: 3, reason: 'still broken' })
  t.equal(runs.begun.length, 3)
  t.equal(runner.idle(), true, 'a dead job is no work')
  t.ok(changes() > 5)
  store.retry('extract', '1')
  runner.wake()
  await settle()
  t.match(runs.get('extract 1').job, { attempts: 1 }, 'all attempts again')
  runs.get('extract 1').done()
  await settle()
  await runner.stop()
})

t.test('an input that can never succeed is given up at once', async (t) => {
  for (const code of ['bad-input', 'invalid', 'unsupported', 'too-large'] satisfies ErrorCode[]) {
    const { bench: runs, runner, store, settle } = await bench(t, (b) => [b.kind('extract')])
    store.add('extract', '1')
    runner.start()
    await settle()
    runs.get('extract 1').fail(new AppError(code, note(`it is ${code}`)))
    await settle()
    t.same(runs.dead, [`extract 1: it is ${code}`])
    t.match(store.get('extract', '1'), { state: 'dead', attempts: 1 })
    await runner.stop()
  }
})

t.test('a held job waits for its time or for whoever releases it, however often', async (t) => {
  const { bench: runs, clock, db, runner, store, settle } = await bench(t, (b) => [b.kind('embed')])
  store.add('embed', '1')
  runner.start()
  for (let round = 0; round < 5; round++) {
    await settle()
    runs.get('embed 1').end({
      end: 'held',
      reason: note('the server is down'),
      retryAt: clock.now() + 60_000,
      commit: () => storeDone(db, `round ${round}`)
    })
    await settle(30_000)
    t.match(inWords(store.get('embed', '1')), { state: 'held', attempts: 0, reason: 'the server is down' })
    t.equal(runner.idle(), true)
    if (round % 2 === 0) await settle(30_000)
    else {
      store.releaseHeld('embed')
      runner.wake()
    }
  }
  await settle()
  runs.get('embed 1').done()
  await settle()
  t.equal(stored(db).length, 6)
  t.same(runs.dead, [])
  await runner.stop()
})

t.test('a commit that throws is a failure: nothing of it is stored, and the job comes again', async (t) => {
  const { bench: runs, db, runner, store, settle } = await bench(t, (b) => [b.kind('extract')])
  store.add('extract', '1')
  runner.start()
  await settle()
  runs.get('extract 1').end({
    end: 'done',
    commit: () => {
      storeDone(db, 'half')
      throw new Error('database is locked')
    }
  })
  await settle()
  t.same(stored(db), [])
  t.match(inWords(store.get('extract', '1')), { state: 'waiting', reason: 'database is locked' })
  await settle(10_000)
  runs.get('extract 1').done()
  await settle()
  t.same(stored(db), ['extract 1'])
  await runner.stop()
})

t.test('a job that cannot even be given up is set aside, not forgotten and not begun again at once', async (t) => {
  const {
    bench: runs,
    runner,
    store,
    settle
  } = await bench(t, (b) => [
    {
      ...b.kind('extract'),
      onDead: () => {
        throw new Error('disk full')
      }
    }
  ])
  store.add('extract', '1')
  runner.start()
  await settle()
  runs.get('extract 1').fail(new AppError('bad-input', note('no PDF')))
  await settle(60_000)
  t.match(inWords(store.get('extract', '1')), { state: 'waiting', reason: 'no PDF' })
  t.equal(runs.begun.length, 1)
  await settle(600_000)
  t.equal(runs.begun.length, 2)
  const stopping = runner.stop()
  runs.get('extract 1').fail(new Error('stopped'))
  await stopping
})

t.test('the lease of a long run is renewed; a lost one aborts the run, and what it found is dropped', async (t) => {
  const { bench: runs, clock, db, runner, store, settle } = await bench(t, (b) => [b.kind('extract')])
  store.add('extract', '1')
  runner.start()
  await settle(600_000)
  const run = runs.get('extract 1')
  t.ok((store.get('extract', '1')?.leaseUntil ?? 0) > clock.now(), 'ten minutes later')
  run.tools.progress(note('page 3 of 90'))
  run.tools.progress(note('page 4 of 90'))
  t.match(
    inWords(store.get('extract', '1')),
    { progress: 'page 3 of 90', leaseUntil: clock.now() + 60_000 },
    'once a second'
  )
  await settle(1000)
  run.tools.progress(note('page 9 of 90'))
  t.match(inWords(store.get('extract', '1')), { progress: 'page 9 of 90' })
  store.remove('extract', '1')
  t.equal(run.tools.signal.aborted, false)
  await settle(20_000)
  t.equal(run.tools.signal.aborted, true)
  store.add('extract', '1')
  runner.wake()
  await settle()
  t.equal(runs.begun.length, 1, 'the old run has not ended and its pool is full')
  run.done()
  await settle()
  t.same(stored(db), [])
  runs.get('extract 1').done()
  await settle()
  t.same(stored(db), ['extract 1'])
  await runner.stop()
})

t.test('a job whose lease ran out while this process slept is not run twice at once', async (t) => {
  const { bench: runs, clock, db, runner, store, settle } = await bench(t, (b) => [b.kind('extract')], { extract: 2 })
  store.add('extract', '1')
  runner.start()
  await settle()
  // Somebody else finds the lease expired although the run goes on: the machine was suspended.
  db.exec(`UPDATE jobs SET lease_until = ${clock.now()}`)
  store.releaseExpired()
  runner.wake()
  await settle()
  t.equal(runs.begun.length, 1)
  const old = runs.get('extract 1')
  t.equal(old.tools.signal.aborted, true)
  old.done()
  await settle(4999)
  t.same(stored(db), [])
  await settle(1)
  runs.get('extract 1').done()
  await settle()
  t.same(stored(db), ['extract 1'])
  await runner.stop()
})

t.test('stopping aborts what runs, waits for it, and gives it back uncounted', async (t) => {
  const { bench: runs, db, runner, store, settle } = await bench(t, (b) => [b.kind('extract')], { extract: 3 })
  for (const subject of ['aborted', 'finished', 'broken', 'waiting']) store.add('extract', subject)
  runner.start()
  await settle()
  let stopped = false
  const stopping = runner.stop().then(() => {
    stopped = true
  })
  await settle()
  t.equal(runs.get('extract aborted').tools.signal.aborted, true)
  runs.get('extract finished').done()
  runs.get('extract broken').fail(new AppError('bad-input', note('half a file')))
  await settle()
  t.equal(stopped, false)
  runs.get('extract aborted').fail(runs.get('extract aborted').tools.signal.reason)
  await stopping
  t.same(stored(db), ['extract finished'], 'what was done in time is kept')
  for (const subject of ['aborted', 'broken', 'waiting'])
    t.match(store.get('extract', subject), { state: 'waiting', attempts: 0, leaseOwner: null }, subject)
  runner.wake()
  await settle(60_000)
  t.equal(runs.begun.length, 3, 'nothing is begun after it')
  t.equal(runner.stop(), runner.stop())
})

t.test(
  'after a kill the jobs of the dead process are begun at once; what kills it again and again is given up',
  async (t) => {
    const { bench: runs, clock, runner, store, settle } = await bench(t, (b) => [b.kind('extract'), b.kind('embed')])
    const dead = 'knowledge:999999999:boot-1'
    store.add('extract', '1')
    store.claim(['extract'], { owner: dead, leaseMs: 60_000 })
    store.add('embed', 'deadly')
    for (let start = 0; start < 10; start++) {
      store.claim(['embed'], { owner: 'before', leaseMs: 1 })
      store.releaseOwner('before')
      await clock.runTo(clock.now() + 10_000)
    }
    runner.start()
    await settle(20_000)
    t.same(runs.begun, ['extract 1'])
    t.same(runs.dead, ['embed deadly: the program ended 10 times while working on it'])
    t.match(store.get('embed', 'deadly'), { state: 'dead' })
    runs.get('extract 1').done()
    await settle()
    await runner.stop()
  }
)

t.test(
  'a killed process that lives on for a moment keeps its jobs until it is gone, not until its leases end',
  async (t) => {
    const { bench: runs, runner, store, settle } = await bench(t, (b) => [b.kind('extract')])
    const dying = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' })
    t.teardown(() => dying.kill('SIGKILL'))
    store.add('extract', '1')
    store.claim(['extract'], { owner: `knowledge:${dying.pid}:unknown`, leaseMs: 60_000 })
    runner.start()
    await settle(20_000)
    t.same(runs.begun, [], 'it may still work on it')
    t.notOk(runner.idle(), 'whoever could take over stays')
    const gone = once(dying, 'exit')
    dying.kill('SIGKILL')
    await gone
    await settle(15_000)
    t.same(runs.begun, ['extract 1'])
    runs.get('extract 1').done()
    await settle()
    t.ok(runner.idle())
    await runner.stop()
  }
)

t.test('a database that cannot be read stops nothing', async (t) => {
  const { bench: runs, db, runner, store, settle } = await bench(t, (b) => [b.kind('extract')])
  db.exec('ALTER TABLE jobs RENAME TO away')
  runner.start()
  await settle(60_000)
  db.exec('ALTER TABLE away RENAME TO jobs')
  store.add('extract', '1')
  await settle(15_000)
  db.exec('ALTER TABLE jobs RENAME TO away')
  runs.get('extract 1').fail(new Error('broken'))
  await settle(15_000)
  db.exec('ALTER TABLE away RENAME TO jobs')
  await settle(90_000)
  t.equal(runs.begun.length, 2, 'its lease ran out')
  runs.get('extract 1').done()
  await settle()
  t.same(stored(db), ['extract 1'])
  await runner.stop()
})

t.test(
  'a job that the disk interrupts is never given up: it waits a minute, uncounted, and goes on by itself',
  async (t) => {
    const { bench: runs, runner, store, settle, db } = await bench(t, (b) => [b.kind('embed')])
    store.add('embed', 'one')
    runner.start()
    await settle()
    for (const error of [
      Object.assign(new Error('write'), { code: 'ENOSPC' }),
      Object.assign(new Error('read'), { code: 'EIO' }),
      Object.assign(new Error('open'), { code: 'EROFS' }),
      new AppError('no-space', note('There is not enough space.')),
      ...Array.from({ length: 5 }, () => Object.assign(new Error('database or disk is full'), { errcode: 13 }))
    ]) {
      runs.get('embed one').fail(error)
      await settle()
      t.match(inWords(store.get('embed', 'one')), { state: 'held', reason: error.message, attempts: 0 })
      await settle(61_000)
    }
    runs.get('embed one').done()
    await settle()
    t.same(stored(db), ['embed one'])
    t.same(runs.dead, [])
    await runner.stop()
  }
)

t.test('on a disk that is short of room only what makes room is begun; the rest waits with the reason', async (t) => {
  const setup = await jobSetup(t)
  const runs = new Bench(setup)
  let short: AppError | null = new AppError('no-space', note('There is not enough space.'))
  const runner = new JobRunner({
    store: setup.store,
    limits: {},
    owner: 'me',
    clock: setup.clock,
    log,
    kinds: [runs.kind('embed'), { ...runs.kind('remove'), makesRoom: true }],
    shortOfRoom: () => short
  })
  setup.store.add('embed', 'one')
  setup.store.add('remove', 'two')
  runner.start()
  await setup.clock.runTo(setup.clock.now())
  t.same([...runs.running.keys()], ['remove two'])
  t.match(inWords(setup.store.get('embed', 'one')), {
    state: 'held',
    reason: 'There is not enough space.',
    attempts: 0
  })
  short = null
  await setup.clock.runTo(setup.clock.now() + 61_000)
  t.ok(runs.running.has('embed one'))
  for (const key of ['embed one', 'remove two']) runs.get(key).done()
  await runner.stop()
})
