import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import t from 'tap'
import type { Job } from '../../../src/knowledge/jobs/job.ts'
import { leaseOwner, ownerIsGone } from '../../../src/knowledge/jobs/owner.ts'
import type { JobStore } from '../../../src/knowledge/jobs/store.ts'
import { inWords, note } from '../../helpers/in-words.ts'
import { type JobSetup, jobSetup, START, storeDone, stored } from './setup.ts'

function claim(store: JobStore, owner = 'a', kinds = ['extract', 'embed']): Job | null {
  return store.claim(kinds, { owner, leaseMs: 1000 })
}

t.test('a job is claimed once, oldest due first, and not before it is due', async (t) => {
  const { clock, store } = await jobSetup(t)
  store.add('extract', '1', { dueAt: START + 50 })
  store.add('embed', '2', { dueAt: START - 10 })
  store.add('extract', '3')
  store.add('other', '4')
  t.equal(claim(store)?.subject, '2')
  t.equal(claim(store)?.subject, '3')
  t.equal(claim(store), null, 'not due, or of another kind')
  await clock.runTo(START + 50)
  t.match(claim(store), { subject: '1', state: 'running', attempts: 1, leaseOwner: 'a', leaseUntil: START + 1050 })
  t.same(store.counts(), [
    { kind: 'embed', state: 'running', count: 1 },
    { kind: 'extract', state: 'running', count: 2 },
    { kind: 'other', state: 'waiting', count: 1 }
  ])
  t.equal(store.nextDue(['other']), START)
  t.equal(store.nextDue(['extract']), START + 1000, 'the lease that ends first')
  t.equal(store.nextDue(['nothing']), null)
  t.equal(store.nextDue(), START)
})

t.test(
  'one row per kind and subject: adding again wakes the dead and the held, and leaves the others alone',
  async (t) => {
    const { store } = await jobSetup(t)
    store.add('extract', '1')
    store.add('extract', '1', { dueAt: START + 999 })
    t.match(store.get('extract', '1'), { dueAt: START, state: 'waiting' })
    const first = claim(store)
    store.add('extract', '1')
    t.match(store.get('extract', '1'), { state: 'running', attempts: 1 })
    store.die(first?.id ?? 0, 'a', note('broken'), () => undefined)
    t.match(inWords(store.get('extract', '1')), { state: 'dead', reason: 'broken', leaseOwner: null })
    t.equal(claim(store), null)
    store.add('extract', '1')
    t.match(store.get('extract', '1'), { state: 'waiting', attempts: 0, reason: null })
    const second = claim(store)
    t.equal(store.hold(second?.id ?? 0, 'a', { reason: note('no tesseract'), retryAt: START + 5000 }), true)
    t.match(store.get('extract', '1'), { state: 'held', attempts: 0, dueAt: START + 5000 }, 'being held does not count')
    store.add('extract', '1')
    t.match(store.get('extract', '1'), { state: 'waiting', dueAt: START })
  }
)

t.test('times years ahead, told by a clock that was wrong, hold nothing up', async (t) => {
  const { clock, store } = await jobSetup(t)
  const years = 10 * 365 * 86_400_000
  store.add('extract', '1', { dueAt: START + years })
  store.add('extract', '2', { dueAt: START + 86_400_000 })
  store.add('embed', '3')
  t.equal(store.claim(['embed'], { owner: 'b', leaseMs: years })?.subject, '3')
  t.equal(claim(store), null)
  t.equal(store.releaseExpired(), 2)
  t.same([claim(store)?.subject, claim(store)?.subject].toSorted(), ['1', '3'])
  t.equal(claim(store), null, 'a day is waited')
  t.equal(store.releaseExpired(), 0)
  await clock.runTo(START + 86_400_000)
  t.equal(claim(store)?.subject, '2')
})

t.test('what a job found and its end are stored together or not at all', async (t) => {
  const { db, store } = await jobSetup(t)
  store.add('extract', '1')
  const { id } = claim(store) as Job
  t.throws(
    () =>
      store.finish(id, 'a', () => {
        storeDone(db, '1')
        throw new Error('disk full')
      }),
    /disk full/
  )
  t.same(stored(db), [])
  t.match(store.get('extract', '1'), { state: 'running' })
  t.equal(
    store.finish(id, 'b', () => storeDone(db, '1')),
    false,
    'somebody without the lease'
  )
  const next = () => {
    storeDone(db, '1')
    store.add('embed', '1')
    store.add('extract', '1')
  }
  t.equal(store.finish(id, 'a', next), true)
  t.same(stored(db), ['1'])
  t.equal(store.finish(id, 'a', next), false, 'no second time')
  t.same(
    store
      .list({ limit: 9 })
      .map(({ kind }) => kind)
      .sort(),
    ['embed', 'extract'],
    'the next stage, and itself again'
  )
  const dying = claim(store) as Job
  t.throws(
    () =>
      store.die(dying.id, 'a', note('no'), () => {
        throw new Error('no room')
      }),
    /no room/
  )
  t.match(store.get(dying.kind, '1'), { state: 'running' })
})

t.test('a lease can be renewed, is lost by time, and its loser changes nothing', async (t) => {
  const { clock, db, store } = await jobSetup(t)
  store.add('extract', '1')
  const { id } = claim(store) as Job
  await clock.runTo(START + 900)
  t.equal(store.renew(id, 'a', 1000, note('page 3 of 90')), true)
  await clock.runTo(START + 1800)
  t.equal(store.releaseExpired(), 0)
  t.match(inWords(store.get('extract', '1')), { progress: 'page 3 of 90' })
  await clock.runTo(START + 1900)
  t.equal(store.releaseExpired(), 1)
  t.match(claim(store, 'b'), { id, attempts: 2, leaseOwner: 'b', progress: null })
  t.equal(store.renew(id, 'a', 1000), false)
  t.equal(store.hold(id, 'a', { reason: note(''), retryAt: 0, commit: () => storeDone(db, 'no') }), false)
  t.equal(store.retryLater(id, 'a', { reason: note(''), dueAt: 0 }), false)
  t.equal(
    store.die(id, 'a', note(''), () => storeDone(db, 'no')),
    false
  )
  t.same(stored(db), [])
  store.remove('extract', '1')
  t.equal(store.renew(id, 'b', 1000), false, 'a job that is not wanted any more has lost its lease')
  t.equal(store.get('extract', '1'), null)
})

t.test(
  'leases of a process that is gone: at once, and behind the others when it happens again and again',
  async (t) => {
    const { clock, store } = await jobSetup(t)
    store.add('extract', '1')
    for (const wait of [0, 0, 3000, 4000]) {
      await clock.runTo(clock.now() + wait)
      t.ok(claim(store), `after ${wait} ms`)
      t.same(store.owners(), ['a'])
      t.equal(store.releaseOwner('b'), 0)
      t.equal(store.releaseOwner('a'), 1)
    }
    t.equal(claim(store), null)
  }
)

t.test('held jobs come back at their time, when released and when somebody asks', async (t) => {
  const { clock, store } = await jobSetup(t)
  for (const subject of ['1', '2', '3', '4']) store.add('embed', subject)
  store.add('extract', '5')
  for (let count = 0; count < 5; count++) {
    const job = claim(store) as Job
    store.hold(job.id, 'a', { reason: note('server is down'), retryAt: START + 60_000 + count })
  }
  t.equal(claim(store), null)
  t.equal(store.retry('embed', '1'), true)
  t.equal(store.retry('embed', '1'), false, 'it waits already')
  t.equal(claim(store)?.subject, '1')
  t.equal(store.releaseHeld('extract'), 1)
  t.equal(claim(store)?.subject, '5')
  t.same(store.list({ state: 'held', kind: 'embed', limit: 2 }).length, 2)
  await clock.runTo(START + 60_001)
  t.equal(claim(store)?.subject, '2')
  t.equal(claim(store), null)
  t.equal(store.releaseHeld(), 2)
  t.equal(claim(store)?.subject, '3')
})

t.test('an interrupted run does not count, a failed one does', async (t) => {
  const { store } = await jobSetup(t)
  store.add('extract', '1')
  const { id } = claim(store) as Job
  store.retryLater(id, 'a', { reason: null, dueAt: START, counts: false })
  t.equal(claim(store)?.attempts, 1)
  store.retryLater(id, 'a', { reason: note('failed'), dueAt: START })
  t.match(inWords(store.get('extract', '1')), { reason: 'failed' })
  t.equal(claim(store)?.attempts, 2)
})

t.test('a process is known by more than its number', async (t) => {
  const mine = leaseOwner('knowledge')
  t.match(mine, new RegExp(`^knowledge:${process.pid}:`))
  t.equal(ownerIsGone(mine), false)
  const past = spawnSync(process.execPath, ['-e', '']).pid
  t.equal(ownerIsGone(`knowledge:${past}:boot-1`), true)
  t.equal(ownerIsGone('somebody'), false, 'nobody can say: its leases run out')
  if (!mine.endsWith(':unknown'))
    t.equal(ownerIsGone(`knowledge:${process.pid}:boot-1`), true, 'the number is ours by now')
})

const ACTS = ['claim', 'claim', 'claim', 'finish', 'fail', 'hold', 'renew', 'give back', 'die', 'crash'] as const
const EVENTS = ['expire', 'release', 'retry'] as const
type Step = { act: (typeof ACTS)[number]; who: number } | { act: (typeof EVENTS)[number] }

const script: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 9, arbitrary: fc.record({ act: fc.constantFrom(...ACTS), who: fc.nat(2) }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constantFrom(...EVENTS) }) }
  ),
  { minLength: 20, maxLength: 120, size: 'max' }
)
const SUBJECTS = ['1', '2', '3', '4']
const NAMES = ['a', 'b', 'c'] as const

/** Three processes on one table; what each believes to be working on, though it may have lost the lease long ago. */
class Workers {
  readonly #setup: JobSetup
  readonly #hands: Job[][] = [[], [], []]

  constructor(setup: JobSetup) {
    this.#setup = setup
  }

  async step(step: Step): Promise<void> {
    const { clock, store } = this.#setup
    if ('who' in step) this.#act(step.act, step.who)
    else if (step.act === 'expire') {
      await clock.runTo(clock.now() + 1001)
      store.releaseExpired()
    } else if (step.act === 'release') store.releaseHeld()
    else for (const subject of SUBJECTS) store.retry('extract', subject)
  }

  #act(act: (typeof ACTS)[number], who: number): void {
    const owner = NAMES[who] as string
    const hand = this.#hands[who] as Job[]
    if (act === 'crash') {
      hand.length = 0
      this.#setup.store.releaseOwner(owner)
    } else if (act === 'claim') this.#claim(who)
    else if (act === 'renew') for (const { id } of hand) this.#setup.store.renew(id, owner, 1000)
    else {
      const job = hand.shift()
      if (job !== undefined) this.#end(act, job, owner)
    }
  }

  #claim(who: number): void {
    const job = claim(this.#setup.store, NAMES[who])
    if (job === null) return
    for (const [other, name] of NAMES.entries()) {
      if (other === who || !this.#hands[other]?.some(({ id }) => id === job.id)) continue
      if (this.#setup.store.renew(job.id, name, 1000)) throw new Error(`${name} still holds ${job.subject}`)
    }
    this.#hands[who]?.push(job)
  }

  #end(act: string, { id, subject }: Job, owner: string): void {
    const { clock, db, store } = this.#setup
    const dueAt = clock.now()
    if (act === 'finish') store.finish(id, owner, () => storeDone(db, subject, owner))
    else if (act === 'fail') store.retryLater(id, owner, { reason: note('failed'), dueAt })
    else if (act === 'give back') store.retryLater(id, owner, { reason: null, dueAt, counts: false })
    else if (act === 'hold') store.hold(id, owner, { reason: note('held'), retryAt: dueAt + 10_000 })
    else store.die(id, owner, note('dead'), () => undefined)
  }
}

t.test('whatever three processes do, and however they die, no job is lost and none is stored twice', async (t) => {
  let finishedEarly = 0
  await fc.assert(
    fc.asyncProperty(script, async (steps) => {
      const closing: (() => void)[] = []
      const setup = await jobSetup({ teardown: (task: () => void) => closing.push(task) })
      const { clock, db, store } = setup
      const workers = new Workers(setup)
      for (const subject of SUBJECTS) store.add('extract', subject)
      for (const step of steps) {
        await workers.step(step)
        const left = store.list({ limit: 99 }).map(({ subject }) => subject)
        const all = [...stored(db), ...left].sort()
        if (all.join() !== SUBJECTS.join()) throw new Error(`after ${step.act}: left ${left}, stored ${stored(db)}`)
      }
      finishedEarly += stored(db).length
      // Everybody goes; one process that comes after them gets all of it done.
      for (const name of NAMES) store.releaseOwner(name)
      for (const subject of SUBJECTS) store.retry('extract', subject)
      await clock.runTo(clock.now() + 20_000)
      for (let job = claim(store, 'last'); job !== null; job = claim(store, 'last')) {
        const { id, subject } = job
        store.finish(id, 'last', () => storeDone(db, subject, 'last'))
      }
      const all = stored(db).sort()
      for (const task of closing) task()
      if (all.join() !== SUBJECTS.join()) throw new Error(`at the end ${all}`)
    }),
    { numRuns: 200 }
  )
  t.ok(finishedEarly > 100, `${finishedEarly} ended on the way`)
})
