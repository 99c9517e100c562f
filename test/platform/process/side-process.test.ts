import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import { createLog } from '../../../src/platform/log/log.ts'
import {
  type SideDeath,
  type SideOptions,
  SideProcess,
  type SideState
} from '../../../src/platform/process/side-process.ts'
import { inWords } from '../../helpers/in-words.ts'
import { eventually, run } from '../../helpers/process.ts'
import { runnable } from '../../helpers/runnable.ts'

const log = createLog({ level: 'silent' })
const { flags } = runnable('src/platform/process/side-process.ts')

function source(file: string): string {
  return JSON.stringify(runnable(`src/platform/${file}`).file)
}

/** The other process in these tests: it does what it is asked, also the bad things. */
const CHILD = `
import { existsSync } from 'node:fs'
import { serveSide } from ${source('process/side-service.ts')}
import { AppError } from ${source('errors.ts')}
const [mode = '', idle = ''] = process.argv.slice(2)
if (mode === 'broken') throw new Error('cannot find module lookout')
const never = () => new Promise(() => {})
if (mode === 'file' && !existsSync(process.argv[1].replace('child.mjs', 'file'))) throw new Error('no such file')
let notes = []
if (mode !== 'mute') {
  const side = serveSide({
    ...(idle === '' ? {} : { idleMs: Number(idle) }),
    busy: () => mode === 'busy' && notes.length < 2,
    onStop: () => (mode === 'stubborn' ? never() : undefined),
    handlers: {
      echo: (params) => params,
      pid: () => process.pid,
      flags: () => ({ execArgv: process.execArgv, options: process.env.NODE_OPTIONS ?? '', extra: process.env.EXTRA ?? '' }),
      refuse: () => { throw new AppError('bad-input', { code: 'note', params: { text: 'not a question' } }) },
      bug: () => { throw new TypeError('undefined is not a function') },
      never: (_, { signal }) => new Promise((_, reject) => {
        side.notify('asked', null)
        signal.addEventListener('abort', () => { side.notify('cancelled', signal.reason.message); reject(signal.reason) })
      }),
      note: (params) => { notes.push(params) },
      notes: () => notes,
      die: () => process.kill(process.pid, 'SIGKILL'),
      fill: () => { const all = []; for (;;) all.push(new Array(1000).fill(1.5)) },
      pile: () => { const all = []; const more = () => { all.push(Buffer.alloc(8 * 2 ** 20, 1)); setTimeout(more, 20) }; more(); return never() },
      spin: () => { for (;;); }
    }
  })
  process.stdout.write('nobody reads this')
  await side.ended
} else setInterval(() => {}, 1000)
`

function side(
  t: Pick<Test, 'teardown'>,
  options: Partial<SideOptions> & { mode?: string; idle?: number } = {}
): SideProcess & { states: SideState[]; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-side-'))
  const entry = join(folder, 'child.mjs')
  writeFileSync(entry, CHILD)
  const states: SideState[] = []
  const { mode = 'plain', idle, ...rest } = options
  const made = new SideProcess({
    name: 'searcher',
    args: [mode, ...(idle === undefined ? [] : [String(idle)])],
    entry,
    log,
    random: () => 0,
    onChange: () => states.push(made.status().state),
    ...rest
  })
  t.teardown(async () => {
    await made.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return Object.assign(made, { states, folder })
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

t.test('it is started by the first question, answers many at once, and stops when told', async (t) => {
  const asked = side(t)
  t.match(asked.status(), {
    name: 'searcher',
    state: 'stopped',
    pid: null,
    crashes: 0,
    lastCrash: null,
    residentBytes: null
  })
  t.same(await Promise.all([asked.request('echo', { a: [1, 'ü'] }), asked.request('echo', null)]), [
    { a: [1, 'ü'] },
    null
  ])
  const { pid, residentBytes } = asked.status()
  t.equal(await asked.request('pid', {}), pid)
  if (process.platform === 'linux') t.ok((residentBytes ?? 0) > 10 * 2 ** 20)
  asked.notify('note', 1)
  asked.notify('note', 2)
  asked.notify('no such notice', 2)
  t.same(await asked.request('notes', {}), [1, 2])
  await t.rejects(asked.request('refuse', {}), { name: 'AppError', code: 'bad-input', message: 'not a question' })
  await t.rejects(asked.request('bug', {}), { name: 'Error', message: 'undefined is not a function' })
  await t.rejects(asked.request('unknown', {}), { code: 'not-found' })
  t.equal(asked.status().pid, pid, 'none of that ends it')
  const open = t.rejects(asked.request('never', {}), { code: 'unavailable', message: /stopp/ })
  const begun = Date.now()
  await Promise.all([asked.stop(), asked.stop(), open])
  t.ok(Date.now() - begun < 2000)
  t.equal(alive(pid ?? 0), false)
  t.same(asked.states, ['starting', 'running', 'ending', 'stopped'])
  await t.rejects(asked.request('pid', {}), { code: 'unavailable' })
  asked.notify('note', 3)
  t.equal(asked.status().pid, null, 'nothing starts it again')
})

t.test('a question has its time, and can be taken back', async (t) => {
  const heard: string[] = []
  const asked = side(t, { onNotify: (method) => heard.push(method) })
  const controller = new AbortController()
  const open = t.rejects(asked.request('never', {}, { signal: controller.signal }), { message: 'the reader left' })
  await eventually('it is asked', () => heard.includes('asked'))
  controller.abort(new Error('the reader left'))
  await open
  await eventually('it hears of it', () => heard.includes('cancelled'))
  await t.rejects(asked.request('never', {}, { timeoutMs: 100 }), {
    code: 'timeout',
    message: 'the searcher gave no answer to never within 100 ms'
  })
  await eventually('it hears of it', () => heard.filter((word) => word === 'cancelled').length === 2)
  await t.rejects(asked.request('pid', {}, { signal: AbortSignal.abort(new Error('before')) }), { message: 'before' })
  t.equal(await asked.request('echo', 'still there'), 'still there')
})

t.test('a crash fails what it was asked, is told with its reason, and it is started again', async (t) => {
  const asked = side(t)
  const first = await asked.request<number>('pid', {})
  const dying = asked.request('die', {})
  await t.rejects(dying, { code: 'unavailable', message: 'the searcher ended before it answered (SIGKILL)' })
  t.match(inWords(asked.status()), { state: 'resting', pid: null, crashes: 1, lastCrash: { reason: 'SIGKILL' } })
  t.ok((asked.status().retryAt ?? 0) > Date.now() - 1000)
  asked.notify('note', 'while it was away')
  asked.notify('note', 'while it was away')
  t.same(await asked.request('notes', {}), ['while it was away'], 'what comes meanwhile waits')
  t.not(await asked.request('pid', {}), first)
  t.match(asked.status(), { state: 'running', crashes: 1, retryAt: null })
})

t.test('it has a limit to its heap, and what it is started with is in order', async (t) => {
  const asked = side(t, {
    heapMib: 40,
    env: { PATH: process.env['PATH'], EXTRA: 'given', NODE_OPTIONS: '--inspect=127.0.0.1:0 --no-warnings' }
  })
  const flags = await asked.request<{ execArgv: string[]; options: string; extra: string }>('flags', {})
  t.ok(flags.execArgv.includes('--max-old-space-size=40'))
  t.match(flags, { extra: 'given', options: /--no-warnings/ })
  t.notMatch(flags.options, /inspect/)
  await t.rejects(asked.request('fill', {}), { code: 'unavailable', message: /SIG(ABRT|TRAP|ILL)|code 134/ })
  t.match(inWords(asked.status().lastCrash?.reason), /heap|memory/i)
})

t.test(
  'what it holds beside its heap is bounded too, and whoever started it learns that memory was the reason',
  async (t) => {
    const deaths: SideDeath[] = []
    const asked = side(t, {
      heapMib: 200,
      memoryBytes: 150 * 2 ** 20,
      onDeath: (death) => {
        deaths.push(death)
        return false
      }
    })
    const pid = await asked.request<number>('pid', {})
    await t.rejects(asked.request('pile', {}), { code: 'unavailable', message: /needed more than 150 MiB of memory/ })
    t.match(deaths, [{ pid, signal: 'SIGKILL', outOfMemory: true }])
    await asked.request('pid', {})
    await t.rejects(asked.request('fill', {}), { code: 'unavailable' })
    t.match(deaths.slice(1), [{ outOfMemory: true }], 'a full heap too')
    await asked.request('pid', {})
    await t.rejects(asked.request('die', {}), { code: 'unavailable' })
    t.match(deaths.slice(2), [{ signal: 'SIGKILL', outOfMemory: false }], 'not what somebody ended')
  }
)

t.test('what it worked on is to blame: it is back at once, however often', async (t) => {
  const deaths: SideDeath[] = []
  const asked = side(t, {
    onDeath: (death) => {
      deaths.push(death)
      return true
    }
  })
  for (let round = 1; round <= 4; round++) {
    await t.rejects(asked.request('die', {}), { code: 'unavailable' })
    t.equal(deaths.length, round)
    t.match(asked.status(), { state: 'resting', crashes: 0 })
    t.ok((asked.status().retryAt ?? Number.POSITIVE_INFINITY) <= Date.now() + 500, `after ${round}`)
  }
  await asked.stop()
  t.equal(deaths.length, 4, 'to be stopped is no death')
})

t.test('one that cannot start rests longer each time, and a question says why there is no answer', async (t) => {
  const asked = side(t, { mode: 'broken' })
  await t.rejects(asked.request('pid', {}, { timeoutMs: 4000 }), {
    code: 'timeout',
    message: /within 4000 ms; it ended: exit code 1: Error: cannot find module lookout/
  })
  await eventually('it was tried again', () => asked.status().crashes >= 2)
  t.notOk(asked.states.includes('running'))
  await asked.stop()
  t.match(asked.status(), { state: 'stopped', retryAt: null })
  const nothing = side(t, { entry: '/nowhere/program.js' })
  nothing.notify('note', 1)
  await eventually('it crashed', () => nothing.status().crashes > 0)
})

t.test('whoever asks one that rests starts it, and is told at once when it still cannot run', async (t) => {
  const clock = new VirtualClock(Date.UTC(2026, 5, 1))
  const asked = side(t, { mode: 'file', clock, random: () => 1 })
  const file = join(asked.folder, 'file')
  asked.notify('note', 'first')
  for (let crashes = 1; crashes <= 5; crashes++) {
    await eventually(`crash ${crashes}`, () => asked.status().crashes === crashes)
    t.equal(asked.status().state, 'resting')
    if (crashes < 5) await clock.runTo(asked.status().retryAt ?? 0)
  }
  t.ok((asked.status().retryAt ?? 0) - clock.now() > 10_000, 'it rests for long by now')
  await clock.runTo(clock.now() + 5000)
  await t.rejects(asked.request('pid', {}), {
    code: 'unavailable',
    message: /cannot answer: it ended \(.*no such file/
  })
  t.equal(asked.status().crashes, 6)
  writeFileSync(file, '')
  await clock.runTo(clock.now() + 5000)
  t.equal(await asked.request('echo', 'there'), 'there', 'and answers as soon as it can')
  t.same(await asked.request('notes', {}), ['first'])
})

t.test('told that the reason is gone, one that rests is started without anybody asking', async (t) => {
  const clock = new VirtualClock(Date.UTC(2026, 5, 1))
  const asked = side(t, { mode: 'file', clock })
  asked.notify('note', 'first')
  await eventually('it crashed', () => asked.status().crashes === 1)
  writeFileSync(join(asked.folder, 'file'), '')
  asked.retry()
  await eventually('it runs', () => asked.status().state === 'running')
  t.same(await asked.request('notes', {}), ['first'])
})

t.test('idle for long it ends itself, and comes back when it is needed', async (t) => {
  const asked = side(t, { idle: 200 })
  const first = await asked.request<number>('pid', {})
  await eventually('it ended', () => asked.status().state === 'stopped')
  t.equal(alive(first), false)
  t.match(asked.status(), { crashes: 0, lastCrash: null })
  t.not(await asked.request('pid', {}), first)
  const open = asked.request('never', {}, { timeoutMs: 1500 })
  await t.rejects(open, { code: 'timeout' }, 'a question under way keeps it')
  t.same(new Set(asked.states), new Set(['starting', 'running', 'ending', 'stopped']))

  const busy = side(t, { mode: 'busy', idle: 100 })
  busy.notify('note', 1)
  await eventually('it runs', () => busy.states.includes('running'))
  await new Promise((resolve) => setTimeout(resolve, 500))
  t.equal(busy.status().state, 'running', 'not while it has work')
  busy.notify('note', 2)
  await eventually('it ended', () => busy.status().state === 'stopped')
})

t.test('told to stop, it goes within two seconds whatever it does', async (t) => {
  for (const mode of ['stubborn', 'spin', 'mute', 'starting']) {
    const asked = side(t, { mode })
    asked.notify(mode === 'spin' ? 'spin' : 'note', 1)
    if (mode === 'spin' || mode === 'stubborn') await eventually('it runs', () => asked.status().state === 'running')
    const { pid } = asked.status()
    const begun = Date.now()
    await asked.stop()
    t.ok(Date.now() - begun < 2000, `${mode}: ${Date.now() - begun} ms`)
    t.equal(alive(pid ?? 0), false, mode)
  }
})

/** A station of its own with one side process; prints the number of it. */
function parent(t: Pick<Test, 'teardown'>, mode: string, then: string): ChildProcess {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-side-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'child.mjs'), CHILD)
  writeFileSync(
    join(folder, 'parent.mjs'),
    `import { SideProcess } from ${source('process/side-process.ts')}
     const log = { info() {}, error() {} }
     const side = new SideProcess({ name: 'searcher', args: ['${mode}'], entry: ${JSON.stringify(join(folder, 'child.mjs'))}, log })
     const pid = ${mode === 'mute' ? '(side.notify("note", 1), side.status().pid)' : 'await side.request("pid", {})'}
     process.stdout.write(pid + '\\n')
     ${then}`
  )
  const child = spawn(process.execPath, [...flags, join(folder, 'parent.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
  t.teardown(() => child.kill('SIGKILL'))
  return child
}

function firstNumber(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => child.stdout?.once('data', (data) => resolve(Number(data))))
}

t.test('when the station is killed nothing of it is left, even what is too busy to notice', async (t) => {
  for (const [mode, then] of [
    ['plain', 'setInterval(() => {}, 1000)'],
    ['plain', 'side.notify("spin", null); setInterval(() => {}, 1000)'],
    ['mute', 'setInterval(() => {}, 1000)']
  ] as const) {
    const station = parent(t, mode, then)
    const pid = await firstNumber(station)
    t.equal(alive(pid), true, mode)
    station.kill('SIGKILL')
    await eventually('it is gone', () => !alive(pid))
  }
})

t.test('one that rests ends, is started by nobody, and takes up again what it was told meanwhile', async (t) => {
  const made = side(t)
  const first = await made.request<number>('pid', {})
  const left = made.request('never', null)
  left.catch(() => undefined)
  await made.rest()
  await t.rejects(left, { code: 'unavailable' })
  t.equal(alive(first), false)
  const later = made.request<number>('pid', {})
  made.retry()
  t.equal(made.status().state, 'stopped')
  made.resume()
  t.not(await later, first)
})

t.test('it does not keep a program alive that has nothing else to do', async (t) => {
  const station = parent(t, 'plain', '')
  const ended = new Promise((resolve) => station.once('exit', resolve))
  const pid = await firstNumber(station)
  t.equal(await ended, 0)
  await eventually('it is gone too', () => !alive(pid))
})

t.test('the verb behind it is not for people', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-side-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const child = join(folder, 'child.mjs')
  writeFileSync(child, CHILD)
  const alone = spawnSync(process.execPath, [...flags, child], { encoding: 'utf8' })
  t.match(alone, { status: 1, stderr: /this verb is for the program itself: it is started by lookout start/ })
  for (const args of [['work'], ['work', 'no-such-role'], ['work', 'constructor']]) {
    const { code, stderr } = await run(t, args)
    t.equal(code, 2)
    t.match(stderr, /this verb is for the program itself/)
  }
  const { stdout } = await run(t, ['--help'])
  t.notMatch(stdout, /^ {2}work/m)
})
