import t from 'tap'
import { because } from '../../../src/model/reason.ts'
import { sentenceOf } from '../../../src/model/words/sentences.ts'
import { note } from '../../helpers/in-words.ts'
import { bench } from './bench.ts'
import { jobSetup, START } from './setup.ts'

const MIB = 2 ** 20
const MINUTE = 60_000

t.test('the small go first, and a large one that has waited its time is overtaken by nobody', async (t) => {
  const { clock, store } = await jobSetup(t)
  const claim = (): string | undefined => store.claim(['extract'], { owner: 'a', leaseMs: 1000 })?.subject
  store.add('extract', 'large', { weight: 128 * MIB })
  store.add('extract', 'middle', { weight: 10 * MIB })
  store.add('extract', 'unknown')
  await clock.runTo(START + 1000)
  store.add('extract', 'small', { weight: 3000 })
  t.same([claim(), claim(), claim()], ['unknown', 'small', 'middle'])
  await clock.runTo(START + 23 * MINUTE)
  store.add('extract', 'late and small', { weight: 3000 })
  t.same([claim(), claim(), claim()], ['large', 'late and small', undefined])
})

t.test(
  'of many slots the large never have the last, and where all are held for long one small job is let in',
  async (t) => {
    const two = await bench(t, (b) => [b.kind('extract')], { extract: 2 })
    for (const name of ['large 1', 'large 2']) two.store.add('extract', name, { weight: 50 * MIB })
    two.runner.start()
    await two.settle()
    t.same([...two.bench.running.keys()], ['extract large 1'], 'one place is kept')
    two.store.add('extract', 'middle', { weight: 3 * MIB })
    two.runner.wake()
    await two.settle()
    t.same([...two.bench.running.keys()], ['extract large 1', 'extract middle'])
    for (const run of [...two.bench.running.values()]) run.done()
    await two.settle()
    t.same([...two.bench.running.keys()], ['extract large 2'])
    two.bench.get('extract large 2').done()
    await two.settle()
    await two.runner.stop()

    const one = await bench(t, (b) => [b.kind('extract')], { extract: 1 })
    one.store.add('extract', 'large', { weight: 50 * MIB })
    one.runner.start()
    await one.settle()
    for (const name of ['small 1', 'small 2']) one.store.add('extract', name, { weight: 3000 })
    one.store.add('extract', 'middle', { weight: 3 * MIB })
    one.runner.wake()
    await one.settle(4999)
    t.same([...one.bench.running.keys()], ['extract large'], 'it may be over in a moment')
    await one.settle(1)
    t.same([...one.bench.running.keys()], ['extract large', 'extract small 1'])
    await one.settle(2 * MINUTE)
    t.equal(one.bench.running.size, 2, 'no more than one')
    one.bench.get('extract small 1').done()
    await one.settle()
    one.bench.get('extract small 2').done()
    await one.settle(MINUTE)
    t.same([...one.bench.running.keys()], ['extract large'], 'what is not small waits')
    one.bench.get('extract large').done()
    await one.settle()
    one.bench.get('extract middle').done()
    await one.settle()
    await one.runner.stop()
  }
)

t.test('what ran when the worker ended is remembered: alone it is to blame, beside others it may be', async (t) => {
  const { store } = await jobSetup(t)
  const how = because('out_of_memory', { how: note('SIGABRT') })
  const claim = (owner: string, lone = false): string | undefined =>
    store.claim(['extract', 'embed'], { owner, leaseMs: 1000, lone })?.subject
  for (const name of ['killer', 'other']) store.add('extract', name)
  store.add('embed', 'elsewhere')
  store.claim(['embed'], { owner: 'knowledge:70:b-1', leaseMs: 1000 })
  for (const times of [1, 2, 2]) {
    for (const lone of [false, false, true, true]) claim(`knowledge:7:b-${times}`, lone)
    const blamed = store.died('knowledge:7:', how)
    t.same(
      blamed.map(({ subject, deaths, state }) => [subject, deaths, state]).sort(),
      [
        ['killer', times, 'waiting'],
        ['other', times, 'waiting']
      ],
      'of two of which each may be to blame none is given up'
    )
  }
  t.match(store.get('embed', 'elsewhere'), { state: 'running', deaths: 0 }, 'another process whose number begins alike')
  t.equal(claim('knowledge:8:b-1'), undefined, 'they run alone only')
  t.equal(claim('knowledge:8:b-1', true), 'killer')
  t.match(store.died('knowledge:8:', how), [{ subject: 'killer', deaths: 3, death: how }])
  t.same(store.died('knowledge:9:', how), [], 'nothing ran')
})

t.test(
  'what ended the worker twice runs alone and last, gives way to others, and is given up when it does so again',
  async (t) => {
    const { bench: runs, store, runner, settle, db } = await bench(t, (b) => [b.kind('extract'), b.kind('embed')])
    store.add('extract', 'killer', { weight: 3000 })
    store.add('embed', 'other')
    db.exec("UPDATE jobs SET deaths = 2 WHERE subject = 'killer'")
    runner.start()
    await settle(MINUTE)
    t.same([...runs.running.keys()], ['embed other'], 'it is the last, whatever its pool')
    runs.get('embed other').done()
    await settle()
    t.same([...runs.running.keys()], ['extract killer'])
    store.add('embed', 'newcomer')
    runner.wake()
    await settle(19_000)
    t.same([...runs.running.keys()], ['extract killer'], 'nothing runs beside it')
    await settle(1000)
    const killer = runs.get('extract killer')
    t.equal(killer.tools.signal.aborted, true, 'and it keeps nobody waiting for long')
    killer.fail(killer.tools.signal.reason)
    await settle()
    t.same([...runs.running.keys()], ['embed newcomer'])
    t.match(
      store.get('extract', 'killer'),
      { state: 'waiting', attempts: 0, deaths: 2 },
      'giving way counts for nothing'
    )
    runs.get('embed newcomer').done()
    await settle()
    store.add('embed', 'third')
    runner.wake()
    await settle(39_000)
    t.same(
      [...runs.running.keys()],
      ['extract killer'],
      'it has longer each time, so that an honest one comes to its end'
    )
    runs.get('extract killer').done()
    await settle()
    runs.get('embed third').done()
    await settle()
    t.same(store.list({ limit: 9 }), [])

    store.add('extract', 'killer')
    db.exec(
      `UPDATE jobs SET deaths = 3, death = '${JSON.stringify(because('out_of_memory', { how: note('SIGABRT') }))}'`
    )
    runner.wake()
    await settle()
    t.same(runs.running.size, 0)
    t.match(store.get('extract', 'killer'), { state: 'dead', reason: { code: 'needs_more_memory' } })
    t.match(runs.dead, [/^extract killer: it needs more memory than this profile gives/])
    store.retry('extract', 'killer')
    runner.wake()
    await settle()
    t.match(runs.get('extract killer').job, { deaths: 0 }, 'by hand it is tried as if it had never been')
    runs.get('extract killer').done()
    await settle()
    await runner.stop()
  }
)

t.test('whoever waits learns what for: others, a time, to be alone, what is missing', async (t) => {
  const { store, db } = await jobSetup(t)
  const waits = (subject: string): string | null => {
    const job = store.get('extract', subject)
    const found = job === null ? null : store.waitsFor(job)
    return found === null ? null : sentenceOf(found)
  }
  for (const [name, weight] of Object.entries({ running: 1, large: 50 * MIB, small: 1, lone: 1, held: 1, failed: 1 }))
    store.add('extract', name, { weight })
  store.add('embed', 'elsewhere', { weight: 1 })
  store.add('extract', 'later', { weight: 1, dueAt: START + 60_000 })
  store.claim(['extract'], { owner: 'a', leaseMs: 1000 })
  db.exec(`UPDATE jobs SET deaths = 2 WHERE subject = 'lone'`)
  db.exec(`UPDATE jobs SET state = 'held', reason = '${JSON.stringify(note('no tesseract'))}' WHERE subject = 'held'`)
  db.exec(
    `UPDATE jobs SET due_at = ${START + 60_000}, reason = '${JSON.stringify(note('no answer'))}' WHERE subject = 'failed'`
  )
  t.equal(waits('running'), null)
  t.equal(waits('small'), 'behind 1 other')
  t.equal(waits('large'), 'behind 2 others')
  t.equal(waits('lone'), 'it runs alone and last because the worker ended 2 times while it ran')
  t.equal(waits('later'), 'it rests until 2026-06-01T00:01:00.000Z')
  t.equal(waits('failed'), 'no answer; it is tried again at 2026-06-01T00:01:00.000Z')
  t.equal(waits('held'), 'no tesseract')
  t.same(
    store.queue(['extract', 'embed'], 2).map(({ job, waits }) => [job.subject, waits?.params['count'] ?? null]),
    [
      ['small', 1],
      ['failed', null],
      ['elsewhere', null]
    ],
    'of each kind the next'
  )
})
