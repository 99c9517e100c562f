import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { AppError } from '../../../src/platform/errors.ts'
import { Child, startBounded } from '../../../src/platform/process/child.ts'
import { type Bounds, type ChildSpec, cleanEnvironment } from '../../../src/platform/process/child-spec.ts'
import { type Confinement, probeConfinement } from '../../../src/platform/process/confinement.ts'
import { groupMembers } from '../../../src/platform/process/process-group.ts'
import { note } from '../../helpers/in-words.ts'
import { eventually } from '../../helpers/process.ts'

const MIB = 2 ** 20
const linux = process.platform === 'linux'
const SRC = fileURLToPath(new URL('../../../src/', import.meta.url))
const BARE: Confinement = {
  cgroup: null,
  prlimit: null,
  watch: linux,
  noNetwork: [],
  files: null,
  sandbox: null,
  lowPriority: [],
  firstToGo: [],
  endWithParent: []
}
const LINES = { lineBytes: 1000, silenceMs: 30_000 }

function spec(code: string, more: Partial<ChildSpec> = {}): ChildSpec {
  return {
    command: process.execPath,
    args: ['--input-type=module', '-e', code],
    env: cleanEnvironment(tmpdir()),
    stdout: 'lines',
    wordsBytes: 1000,
    ...more
  }
}

/** A program within bounds; a limit answers an error that has its name. */
async function bounded(
  t: Pick<Test, 'teardown'>,
  code: string,
  { bounds = {}, signal, ...more }: Partial<ChildSpec> & { bounds?: Partial<Bounds>; signal?: AbortSignal } = {}
): Promise<Child> {
  const child = await startBounded({
    ...spec(code, more),
    view: { reads: [], writes: [] },
    ...(signal === undefined ? {} : { signal }),
    bounds: {
      memoryBytes: 256 * MIB,
      lookMs: 50,
      node: true,
      confinement: BARE,
      exceeded: (limit) => new AppError('too-large', note(`over: ${limit}`)),
      ...bounds
    }
  })
  t.teardown(() => child.release())
  return child
}

async function all(child: Child, limits = LINES): Promise<string[]> {
  const lines: string[] = []
  for await (const line of child.lines(limits)) lines.push(line)
  await child.settled()
  return lines
}

const gone = (pid: number): boolean => groupMembers(pid).length === 0

t.test('programs are started in one place', (t) => {
  const starters = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) =>
        file.endsWith('.ts') && /^import (?!type).*'node:child_process'/m.test(readFileSync(join(SRC, file), 'utf8'))
    )
    .sort()
  t.same(starters, [
    // It asks the firewall of the network that the machine is in, which a child of ours is not.
    'cli/doctor-hotspot.ts',
    // A container that its client starts outlives the client: it is no child of ours.
    'knowledge/scrape/engine-client.ts',
    'platform/process/child-spec.ts',
    // It asks the machine how a program may be bounded.
    'platform/process/confinement.ts',
    // It ends the others when we are killed.
    'platform/process/guardian.ts'
  ])
  t.end()
})

t.test('of our environment it gets what is named, and nothing else', async (t) => {
  process.env['LOOKOUT_TEST_SECRET'] = 'do not tell'
  process.env['LOOKOUT_TEST_ALLOWED'] = 'tell'
  t.teardown(() => {
    delete process.env['LOOKOUT_TEST_SECRET']
    delete process.env['LOOKOUT_TEST_ALLOWED']
  })
  const env = cleanEnvironment('/home/of/it', ['LOOKOUT_TEST_ALLOWED', 'LOOKOUT_TEST_ABSENT'])
  const [said = ''] = await all(await bounded(t, 'console.log(JSON.stringify(process.env))', { env }))
  t.same(Object.keys(JSON.parse(said)).sort(), ['HOME', 'LANG', 'LOOKOUT_TEST_ALLOWED', 'PATH', 'TMPDIR'])
})

t.test('lines come as they are asked for, and a slow reader holds the program up', async (t) => {
  const code = `for (let n = 0; n < 200; n++) if (!process.stdout.write(n + 'x'.repeat(9990) + '\\n'))
    await new Promise((resolve) => process.stdout.once('drain', resolve)); process.stderr.write('all said')`
  const child = await bounded(t, code)
  const lines = child.lines({ ...LINES, lineBytes: 20_000 })
  const first = await lines.next()
  t.equal(parseInt(String(first.value), 10), 0)
  await new Promise((resolve) => setTimeout(resolve, 300))
  t.equal(child.words, '', 'it waits for us')
  let last = ''
  for await (const line of lines) last = line
  t.equal(parseInt(last, 10), 199)
  t.match(await child.settled(), { code: 0 })
  t.equal(child.words, 'all said')
})

t.test('what a program wrote before it ended is read, however slow the reader is', async (t) => {
  const child = await bounded(t, `for (let n = 0; n < 30; n++) console.log('x'.repeat(900))`)
  const lines = child.lines(LINES)
  await lines.next()
  await child.exited
  await new Promise((resolve) => setTimeout(resolve, 1200))
  let count = 1
  for await (const _line of lines) count++
  t.equal(count, 30)
})

t.test('a line without end, and a silence while somebody asks, end the program', async (t) => {
  await t.rejects(all(await bounded(t, `process.stdout.write('x'.repeat(70000)); setInterval(() => {}, 1000)`)), {
    message: 'over: line'
  })
  await t.rejects(all(await bounded(t, 'setInterval(() => {}, 1000)'), { ...LINES, silenceMs: 200 }), {
    message: 'over: silence'
  })
  const child = await bounded(t, `console.log(1); console.log(2)`)
  const lines = child.lines({ ...LINES, silenceMs: 5000 })
  t.match(await lines.next(), { value: '1' })
  t.match(await lines.next(), { value: '2' })
})

t.test('output, memory and time have limits, and the first that is met is the reason', async (t) => {
  const flood = await bounded(t, `for (;;) process.stdout.write('x'.repeat(10000))`, {
    stdout: 'bytes',
    bounds: { outputBytes: 50_000, timeMs: 60_000 }
  })
  await t.rejects(flood.settled(), { message: 'over: output' })
  t.ok(flood.output.length <= 50_000)
  flood.stop(new Error('later'))
  await t.rejects(flood.settled(), { message: 'over: output' })
  const slow = await bounded(t, 'setInterval(() => {}, 1000)', { stdout: 'bytes', bounds: { timeMs: 200 } })
  await t.rejects(slow.settled(), { message: 'over: time' })
  if (!linux) return t.comment('no /proc: memory is not watched')
  const greedy = await bounded(t, 'globalThis.kept = Buffer.alloc(300 * 2 ** 20, 1); setInterval(() => {}, 1000)')
  await t.rejects(greedy.settled(), { message: 'over: memory' })
})

t.test('the kernel ends one that computes for longer than it may, even when our loop is too late', async (t) => {
  const confinement = await probeConfinement({})
  if (confinement.prlimit === null) return t.comment('no prlimit here')
  const child = await bounded(t, 'for (;;);', { stdout: 'bytes', bounds: { cpuSeconds: 1, confinement } })
  await t.rejects(child.settled(), { message: 'over: cpu' })
  t.match(await child.exited, { signal: 'SIGXCPU' })
})

t.test('what was aborted is killed at once, with the reason of whoever aborted it', async (t) => {
  const abort = new AbortController()
  const child = await bounded(t, `console.log('on'); setInterval(() => {}, 1000)`, { signal: abort.signal })
  const lines = child.lines(LINES)
  await lines.next()
  const waiting = t.rejects(lines.next(), { message: 'enough' })
  abort.abort(new Error('enough'))
  await waiting
  t.match(await child.exited, { signal: 'SIGKILL' })
  await t.rejects(bounded(t, '', { signal: abort.signal }), { message: 'enough' }, 'and one not started yet is not')
})

t.test('told to end, it has its time; then its whole group is killed', async (t) => {
  const tree = `import { spawn } from 'node:child_process'
    process.on('SIGTERM', () => process.stderr.write('heard'))
    spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { stdio: 'ignore' })
    console.log('on'); setInterval(() => {}, 1000)`
  const child = new Child(spec(tree))
  t.teardown(() => child.release())
  const pid = child.pid ?? 0
  await child.lines(LINES).next()
  if (linux) await eventually('both run', () => groupMembers(pid).length === 2)
  const begun = Date.now()
  await child.terminate()
  t.ok(Date.now() - begun >= 1400)
  t.equal(child.words, 'heard')
  t.match(await child.exited, { signal: 'SIGKILL' })
  await eventually('nobody is left', () => gone(pid))
  await child.terminate()
})

t.test('what a program leaves behind goes with it', { skip: !linux && 'no /proc' }, async (t) => {
  const code = `import { spawn } from 'node:child_process'
    spawn('sleep', ['600'], { stdio: 'inherit' }); spawn('sleep', ['600'], { stdio: 'inherit', detached: true }).unref()
    console.log(process.pid); process.exit(0)`
  const child = new Child(spec(code))
  t.teardown(() => child.release())
  const pid = child.pid ?? 0
  await child.exited
  await eventually('its group is gone', () => gone(pid))
  child.release()
})

t.test('what cannot be started is an end with its reason, and nothing to wait for', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-child-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const late: unknown[] = []
  for (const command of [join(folder, 'absent'), folder]) {
    const child = new Child(spec('', { command, onMessage: (message) => late.push(message) }))
    t.match(await child.exited, { code: null, signal: null, error: { code: /ENOENT|EACCES/ } })
    t.match(await child.settled(), { error: { code: /ENOENT|EACCES/ } })
    t.same(await all(child), [])
    child.send({ type: 'hello' })
    child.signal('SIGTERM')
    t.notOk(child.tell('SIGHUP'))
    await child.terminate()
    child.release()
  }
  t.same(late, [])
  t.notOk(existsSync(join(folder, 'absent')))
})
