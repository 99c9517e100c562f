import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import t from 'tap'
import { because } from '../../src/model/reason.ts'
import type { Shed, Strained } from '../../src/model/shedding.ts'
import { sentenceOf } from '../../src/model/words/sentences.ts'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { Shedding } from '../../src/station/shedding.ts'
import { launch, readyLine, startLookout } from '../helpers/process.ts'

/** As a service manager starts it. */
const SERVED = { INVOCATION_ID: '0123456789abcdef0123456789abcdef' }
const failedStarts = (failed: number): string =>
  `${JSON.stringify({ failed, boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() })}\n`

const EASY: Strained = {
  temperature: 50,
  memory: 60,
  own_memory: null,
  memory_pressure: 0,
  battery: null,
  failed_starts: 0
}

t.test('strain is looked at again and again, told once for each change, and named in both languages', async (t) => {
  const clock = new VirtualClock(0)
  const lines: string[] = []
  let now: Strained = EASY
  const shedding = new Shedding({
    strain: () => now,
    works: true,
    clock,
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  })
  const told: Shed[][] = []
  const stop = shedding.start((given) => void told.push([...given]))
  t.equal(shedding.reason(), null)
  now = { ...EASY, temperature: 78 }
  await clock.runTo(120_000)
  t.strictSame(told, [['models', 'ocr', 'crawls']])
  t.equal(lines.length, 1)
  t.match(lines[0], 'the processor has 78 °C')
  t.ok(shedding.reasonOf('crawls'))
  t.equal(shedding.reasonOf('search'), null)
  const reason = shedding.reason() ?? because('note', { text: '' })
  t.equal(
    sentenceOf(reason),
    'given up for now so that warnings go on: language models and vectors, reading of documents, archiving of web sites (the processor has 78 °C)'
  )
  t.match(sentenceOf(reason, 'de'), 'der Prozessor hat 78 °C')
  now = EASY
  await clock.runTo(200_000)
  t.strictSame(told.slice(1), [['models', 'ocr'], ['models'], []])
  t.equal(shedding.reason(), null)
  stop()
  t.equal(clock.waiting, 0)
})

t.test('a preview gives nothing up', (t) => {
  const clock = new VirtualClock(0)
  const log = pino({ level: 'silent' })
  const shedding = new Shedding({ strain: () => ({ ...EASY, temperature: 99 }), works: false, clock, log })
  shedding.start(() => t.fail('nothing changes'))
  t.equal(shedding.reason(), null)
  t.equal(clock.waiting, 0)
  t.end()
})

t.test(
  'after three starts that failed at once the next one waits, says so, and begins without its heavy work',
  async (t) => {
    const cwd = t.testdir({ data: { 'config.json': '{}', 'starts.json': failedStarts(5) } })
    const station = await startLookout(t, 'data', { cwd, args: ['--no-demo'], env: SERVED })
    t.match(station.launched.stderr, 'the last 5 starts failed at once: this one waits 4 s')
    const { json } = await station.get<{ problems: { code: string; message: string }[] }>('/api/health/ready')
    const message = (code: string): string => json.problems.find((one) => one.code === code)?.message ?? ''
    t.match(message('starts_failed'), 'The 5 starts before this one failed at once')
    t.match(message('work_shed'), /so that warnings go on.*search \(5 starts in a row failed at once\)/)
    const search = await station.get('/api/search?q=water')
    t.equal(search.status, 503)
    t.match(search.text, 'search (5 starts in a row failed at once)')
    t.equal((await station.launched.stop()).code, 0)
    t.match(readFileSync(join(cwd, 'data', 'starts.json'), 'utf8'), '{"failed":0,', 'it ended in order')
    writeFileSync(join(cwd, 'data', 'starts.json'), failedStarts(5))
    const byHand = await startLookout(t, 'data', { cwd, args: ['--no-demo'] })
    t.notMatch(byHand.launched.stderr, 'this one waits', 'whoever starts it by hand knows what happened')
    t.notMatch((await byHand.get('/api/health/ready')).text, /work_shed|starts_failed/)
    t.equal((await byHand.launched.stop()).code, 0)
  }
)

t.test('a signal ends the wait of a start', async (t) => {
  const cwd = t.testdir({ data: { 'config.json': '{}' } })
  writeFileSync(join(cwd, 'data', 'starts.json'), failedStarts(20))
  const launched = launch(t, { cwd, args: ['start', '--port', '0', '--data', 'data', '--no-demo'], env: SERVED })
  await launched.until('it waits', () => launched.stderr.includes('this one waits 30 s'))
  t.equal((await launched.stop()).code, 0)
  t.equal(readyLine(launched.stdout), null)
})
