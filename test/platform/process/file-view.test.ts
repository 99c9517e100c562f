import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Child } from '../../../src/platform/process/child.ts'
import { activeConfinement, type Confinement, probeConfinement } from '../../../src/platform/process/confinement.ts'
import { withLinked } from '../../../src/platform/process/file-view.ts'
import { findProgram } from '../../../src/platform/process/programs.ts'
import { EMPTY, type RunOptions, type RunResult, runBounded } from '../../../src/platform/process/run.ts'
import { eventually } from '../../helpers/process.ts'
import { runnable } from '../../helpers/runnable.ts'
import { sandboxSocket, startSandbox } from '../../helpers/sandbox.ts'

const MIB = 2 ** 20
const SECRETS = ['keys.env', 'session.json', 'config.json', 'local.token', 'lookout.db', 'knowledge.db-wal']

interface Data {
  data: string
  job: string
  sibling: string
}

/** A data folder with secrets, and the folders of two jobs in it. */
function dataFolder(t: Pick<Test, 'teardown'>, below = tmpdir()): Data {
  const data = mkdtempSync(join(below, 'lookout-view-'))
  t.teardown(() => rmSync(data, { recursive: true, force: true }))
  const [job, sibling] = [join(data, 'processing/one'), join(data, 'processing/two')]
  for (const folder of [job, sibling, join(data, 'library')]) mkdirSync(folder, { recursive: true })
  for (const name of SECRETS) writeFileSync(join(data, name), `secret of ${name}`)
  writeFileSync(join(sibling, 'page.txt'), 'secret of the other job')
  writeFileSync(join(data, 'library/book.pdf'), 'the book')
  return { data, job, sibling }
}

async function means(t: Pick<Test, 'comment'>): Promise<Confinement | null> {
  const active = await activeConfinement()
  if (active.files !== null) return active
  t.comment('skipped: bubblewrap is not installed, or makes no view here')
  return null
}

/** Both ways to a view: made by us, and by the sandbox that is a service beside ours. */
async function bothMeans(t: Test): Promise<[name: string, means: Confinement][]> {
  const [own, sandbox] = [await means(t), await startSandbox(t)]
  if (sandbox !== null) t.not(sandbox.means.sandbox, null, 'the sandbox makes views')
  return [
    ...(own === null ? [] : [['ours', own] as [string, Confinement]]),
    ...(sandbox === null ? [] : [['the sandbox', sandbox.means] as [string, Confinement]])
  ]
}

function run(cwd: string, command: string, args: string[], more: Partial<RunOptions> = {}): Promise<RunResult> {
  return runBounded({
    ...{ command, args, cwd, limits: { timeMs: 60_000, memoryBytes: 256 * MIB, outputBytes: MIB } },
    ...more
  })
}

const HOSTILE = `
const fs = require('node:fs'), path = require('node:path')
const [data, sibling, station] = process.argv.slice(1)
const got = {}
const attempt = (name, work) => { try { got[name] = String(work()) } catch (error) { got[name] = error.code } }
for (const name of ${JSON.stringify(SECRETS)}) {
  attempt(name, () => fs.readFileSync(path.join(data, name)))
  attempt(name + ' by the working folder', () => fs.readFileSync(path.join('../..', name)))
  attempt(name + ' by a link', () => { fs.symlinkSync(path.join(data, name), 'link-' + name); return fs.readFileSync('link-' + name) })
  attempt(name + ' by a hard link', () => { fs.linkSync(path.join(data, name), 'hard-' + name); return fs.readFileSync('hard-' + name) })
  for (const pid of new Set([station, '1', String(process.ppid), 'self']))
    attempt(name + ' by the root of ' + pid, () => fs.readFileSync('/proc/' + pid + '/root' + path.join(data, name)))
}
attempt('sibling', () => fs.readFileSync(path.join(sibling, 'page.txt')))
attempt('writing beside', () => fs.writeFileSync(path.join(sibling, 'left.txt'), 'secret'))
attempt('writing the book', () => fs.writeFileSync(path.join(data, 'library/book.pdf'), 'secret'))
attempt('writing keys', () => { fs.writeFileSync(path.join(data, 'keys.env'), 'secret') })
attempt('environment of the station', () => fs.readFileSync('/proc/' + station + '/environ').includes('CANARY_OF_THE_STATION') ? 'secret' : 'none')
attempt('ending the station', () => process.kill(Number(station), 'SIGUSR2') && 'secret')
attempt('the default file of the service', () => fs.readdirSync('/etc/default') && 'secret')
attempt('home', () => fs.readdirSync('/root').length + 'secret')
attempt('the book', () => fs.readFileSync(path.join(data, 'library/book.pdf')))
attempt('own folder', () => { fs.writeFileSync('made.txt', 'made'); return fs.readFileSync('made.txt') })
console.log(JSON.stringify(got))`

async function attack({ data, job, sibling }: Data, confinement: Confinement): Promise<Record<string, string>> {
  const { stdout, stderr } = await run(job, process.execPath, ['-e', HOSTILE, data, sibling, String(process.pid)], {
    node: true,
    reads: [join(data, 'library/book.pdf')],
    confinement
  })
  return JSON.parse(stdout.toString() || JSON.stringify({ said: stderr })) as Record<string, string>
}

t.test(
  'a hostile converter sees its own job and its source: no key, no database, no other job, no process',
  async (t) => {
    const active = await means(t)
    if (active?.files == null) return
    process.env['CANARY'] = 'CANARY_OF_THE_STATION'
    const heard: string[] = []
    const hear = (signal: string): number => heard.push(signal)
    process.on('SIGUSR2', hear)
    t.teardown(() => {
      delete process.env['CANARY']
      process.off('SIGUSR2', hear)
    })
    const masked = active.files.line.map((word, at, all) =>
      word === '--proc' ? '--ro-bind' : all[at - 1] === '--proc' ? '/proc' : word
    )
    const withProcOfMachine = masked.flatMap((word, at, all) =>
      word === '/proc' && all[at - 1] === '--ro-bind' ? [word, word] : [word]
    )
    const sandbox = await startSandbox(t)
    const views: [string, Confinement, string?][] = [
      ...(sandbox === null ? [] : [['in the sandbox', sandbox.means] as [string, Confinement]]),
      ['as it is here', active],
      ['with the /proc of the machine', { ...active, files: { ...active.files, line: withProcOfMachine } }],
      ['with data outside of /tmp', active, process.cwd()]
    ]
    for (const [name, confinement, below] of views) {
      const place = dataFolder(t, below)
      const got = await attack(place, confinement)
      t.equal(got['the book'], 'the book', `${name}: ${JSON.stringify(got['said'] ?? '')}`)
      t.equal(got['own folder'], 'made', name)
      const leaks = Object.entries(got).filter(([, text]) => text.includes('secret'))
      t.same(leaks, [], name)
      for (const secret of SECRETS) t.equal(readFileSync(join(place.data, secret), 'utf8'), `secret of ${secret}`)
      t.same(readdirSync(place.sibling), ['page.txt'], name)
    }
    t.same(heard, [], 'nor can it signal the station')
    const bare = await attack(dataFolder(t), { ...active, files: null, noNetwork: [] })
    t.equal(bare['keys.env'], 'secret of keys.env', 'without the view the same attempts do succeed')
    t.equal(bare['sibling'], 'secret of the other job')
  }
)

t.test('with its view a program ends, fails and is limited as without one', async (t) => {
  for (const [name, confinement] of await bothMeans(t)) {
    const { job } = dataFolder(t)
    const limited = { confinement }
    t.match(await run(job, 'sh', ['-c', 'exit 7'], limited), { code: 7, signal: null })
    t.match(await run(job, 'sh', ['-c', 'kill -SEGV $$'], limited), { code: null, signal: 'SIGSEGV' })
    await t.rejects(run(job, 'sh', ['-c', 'kill -XCPU $$'], limited), { code: 'timeout' }, 'the limit of the kernel')
    t.match(await run(EMPTY, 'pwd', [], limited), { code: 0, stdout: Buffer.from('/tmp\n') })
    t.match(await run(EMPTY, 'ls', ['-A', '/tmp'], limited), { stdout: Buffer.alloc(0) })
    t.match(await run(EMPTY, 'ls', ['/home', '/root', '/sys', '/var/log'], limited), {
      code: 2,
      stdout: Buffer.alloc(0)
    })
    t.match(await run(EMPTY, 'sh', ['-c', 'echo x > /x; echo x > /usr/x; echo x > /etc/x'], limited), {
      stderr: /Read-only.*Read-only.*Read-only/s
    })
    t.match(
      await run(EMPTY, 'sh', ['-c', 'head -c 100M /dev/zero > /tmp/x'], limited),
      { stderr: /No space left/ },
      `${name}: memory is no way round`
    )
  }
})

t.test('a view that cannot be made is a fault of the machine, not of the file', async (t) => {
  for (const [name, active] of await bothMeans(t)) {
    if (active.files === null) continue
    const { job } = dataFolder(t)
    const files = { ...active.files, line: [...active.files.line, '--ro-bind', '/no/such/folder', '/x'] }
    await t.rejects(
      run(job, 'true', [], { confinement: { ...active, files } }),
      {
        code: 'unavailable',
        message: /bwrap/
      },
      name
    )
  }
})

/** Seconds by which the programs of this run are told from any others. */
const aSleep = (nth: number): string => `7007.${process.pid}${nth}`

/** Programs of this machine that were given this word. */
function running(word: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').includes(word)
    } catch {
      // It ended while we looked.
      return false
    }
  })
}

t.test('a run in the sandbox ends with its time, with its end here, and with us', async (t) => {
  const sandbox = await startSandbox(t)
  if (sandbox === null) return
  const { job } = dataFolder(t)
  const confinement = sandbox.means
  const limits = { timeMs: 400, memoryBytes: 256 * MIB, outputBytes: MIB }
  await t.rejects(run(job, 'sleep', [aSleep(1)], { confinement, limits }), { code: 'timeout' })
  await eventually('its time is over', () => running(aSleep(1)).length === 0)

  const ending = new AbortController()
  const aborted = run(job, 'sleep', [aSleep(2)], { confinement, signal: ending.signal })
  await eventually('it runs', () => running(aSleep(2)).length > 0)
  ending.abort(new Error('not wanted any more'))
  await t.rejects(aborted, { message: 'not wanted any more' })
  await eventually('it is gone', () => running(aSleep(2)).length === 0)

  // At any moment of its start: before its namespaces are made, while they are, and after.
  const moments = Array.from({ length: 24 }, (_, at) => at * 3)
  await Promise.all(
    moments.map((ms) => t.rejects(run(job, 'sleep', [aSleep(4)], { confinement, signal: AbortSignal.timeout(ms) })))
  )
  await eventually('all of them are gone', () => running(aSleep(4)).length === 0)

  const { file, flags } = runnable('src/platform/process/run.ts')
  const script = join(job, 'parent.mjs')
  writeFileSync(
    script,
    `import { runBounded } from ${JSON.stringify(file)}
     await runBounded({ command: 'sleep', args: ['${aSleep(3)}'], cwd: ${JSON.stringify(job)}, limits: { timeMs: 60000, memoryBytes: 2 ** 28, outputBytes: 1000 } })`
  )
  const parent = spawn(process.execPath, [...flags, script], {
    env: { ...process.env, LOOKOUT_SANDBOX: sandbox.socket },
    stdio: ['ignore', 'ignore', 'inherit']
  })
  t.teardown(() => parent.kill('SIGKILL'))
  const [first = ''] = await eventually('it runs for another of us', () => {
    const found = running(aSleep(3))
    return found.length > 0 && found
  })
  t.not(first, '')
  parent.kill('SIGKILL')
  await eventually('it went with the one that asked for it', () => running(aSleep(3)).length === 0)
})

t.test('the sandbox starts nothing without a view, nor with more than a view', async (t) => {
  const sandbox = await startSandbox(t)
  if (sandbox?.means.sandbox == null || sandbox.means.files === null) return
  const [client = '', ...call] = sandbox.means.sandbox
  const asked = (...words: string[]) => spawnSync(client, [...call, ...words], { encoding: 'utf8' })
  const view = sandbox.means.files.line
  t.match(asked('-', ...view, '--', '/usr/bin/true'), { status: 0 })
  for (const more of [
    ['--cap-add', 'ALL'],
    ['--dev-bind', '/dev', '/dev'],
    ['--share-net'],
    ['--args', '0'],
    ['--file', '0', '/x'],
    ['--userns', '0']
  ])
    t.match(
      asked('-', ...view, ...more, '--', '/usr/bin/true'),
      { status: 2, stderr: /is not part of a view/ },
      more.join(' ')
    )
  t.match(asked('-', '/usr/bin/true'), { status: 2 }, 'a command without a view')
  for (const group of ['../../x', 'serve', 'lookout-run-1/../..', ''])
    t.match(asked(group, ...view, '--', '/usr/bin/true'), { status: 2, stderr: /no group of a run/ }, group)
  const nested = asked('-', ...view, '--', '/usr/bin/unshare', '--user', 'true')
  t.not(nested.status, 0, 'within the view there is no further namespace of users')
  t.match(asked('-', ...view, '--', '/usr/bin/sh', '-c', 'ls -A /run /sys; env'), { stderr: /\/run.*\/sys/s })
})

t.test('a server with a view keeps its network and priority, hears a signal and ends', async (t) => {
  const active = await means(t)
  if (active === null) return
  const { data, job } = dataFolder(t)
  symlinkSync(join(data, 'library'), join(job, 'linked'))
  t.same(withLinked(job), [job, join(data, 'library')])
  const script = join(job, 'serve.sh')
  writeFileSync(
    script,
    `#!/bin/sh\nexec 2>&1\ntrap 'echo again' HUP\ncat ${job}/linked/book.pdf ${data}/keys.env\nnice\ncat /proc/net/dev | wc -l\nwhile :; do sleep 0.05; done\n`
  )
  chmodSync(script, 0o755)
  const child = new Child(
    {
      ...{ command: script, args: [], cwd: job, env: { PATH: process.env['PATH'] }, stdout: 'words', wordsBytes: 4096 },
      view: { reads: withLinked(job), writes: [] },
      background: { niceness: 7 }
    },
    active
  )
  t.teardown(() => child.release())
  const words = await eventually('it speaks', () => (/\n\d+\n\d+\n/.test(child.words) ? child.words : null))
  t.match(words, /the book/)
  t.match(words, /keys\.env: No such file/)
  const [, niceness, lines] = /\n(\d+)\n(\d+)\n/.exec(words) ?? []
  t.ok(Number(niceness) >= 7, words)
  t.equal(Number(lines), readFileSync('/proc/net/dev', 'utf8').trim().split('\n').length, 'the network of the machine')
  t.equal(child.tell('SIGHUP'), true)
  await eventually('it heard', () => child.words.includes('again'))
  await child.terminate()
  t.equal(child.tell('SIGHUP'), false)
})

t.test('a machine that forbids user namespaces is found out once, and goes without', async (t) => {
  const before = process.env['PATH']
  const { job } = dataFolder(t)
  writeFileSync(join(job, 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions to create a new namespace" >&2\nexit 1\n', {
    mode: 0o755
  })
  process.env['PATH'] = `${job}:${before}`
  t.teardown(() => {
    process.env['PATH'] = before
  })
  t.equal(findProgram('bwrap'), join(job, 'bwrap'))
  const found = await probeConfinement({})
  t.equal(found.files, null)
  process.env['PATH'] = before
  t.match(await run(job, 'echo', ['works'], { confinement: found }), { code: 0, stdout: Buffer.from('works\n') })
})

function bubblewrapThatSays(t: Test, words: string): string {
  const { job } = dataFolder(t)
  writeFileSync(join(job, 'bwrap'), `#!/bin/sh\necho "bwrap: ${words}" >&2\nexit 1\n`, { mode: 0o755 })
  return job
}

t.test(
  'where a sandbox is named, nothing is started without a view while it is away, and it is asked again',
  async (t) => {
    const socket = await sandboxSocket(t)
    if (socket === null) return
    const { job } = dataFolder(t)
    const { file, flags } = runnable('src/platform/process/run.ts')
    const script = join(job, 'asks.mjs')
    writeFileSync(
      script,
      `import { renameSync } from 'node:fs'
     import { runBounded } from ${JSON.stringify(file)}
     const limits = { timeMs: 60000, memoryBytes: 2 ** 28, outputBytes: 1000 }
     const run = () => runBounded({ command: 'sh', args: ['-c', '[ -d /sys ] || echo viewed'], cwd: ${JSON.stringify(job)}, limits })
     const said = []
     await run().then(() => said.push('it ran'), ({ code, message }) => said.push(code, message))
     renameSync(${JSON.stringify(socket)}, process.env.LOOKOUT_SANDBOX)
     said.push(String((await run()).stdout))
     console.log(JSON.stringify(said))`
    )
    const asks = spawnSync(process.execPath, [...flags, script], {
      env: { ...process.env, LOOKOUT_SANDBOX: `${socket}-later` },
      encoding: 'utf8'
    })
    const [code, message, later] = JSON.parse(asks.stdout || JSON.stringify([asks.stderr])) as string[]
    t.equal(code, 'unavailable')
    t.match(
      message,
      /lookout-sandbox.*unable to connect.*LOOKOUT_SANDBOX=/,
      'in the words of what failed, with a way out'
    )
    t.equal(later, 'viewed\n', 'once it answers, the same program is started with its view')
  }
)

t.test('a sandbox that makes no view says why in the words of bubblewrap', async (t) => {
  const socket = await sandboxSocket(t, bubblewrapThatSays(t, "Can't mount proc on /newroot/proc: Out of memory"))
  if (socket === null) return
  await t.rejects(probeConfinement({ ...process.env, LOOKOUT_SANDBOX: socket }), {
    code: 'unavailable',
    message: /Can't mount proc on \/newroot\/proc: Out of memory/
  })
})

t.test('a system that forbids namespaces goes without views, in the sandbox too', async (t) => {
  const words = 'setting up uid map: Permission denied'
  const socket = await sandboxSocket(t, bubblewrapThatSays(t, words))
  if (socket === null) return
  const found = await probeConfinement({ ...process.env, LOOKOUT_SANDBOX: socket })
  t.equal(found.sandbox, null)
})

t.test('a sandbox that nobody here can speak to is a fault that is named', async (t) => {
  const { job } = dataFolder(t)
  const before = process.env['PATH']
  process.env['PATH'] = job
  t.teardown(() => {
    process.env['PATH'] = before
  })
  await t.rejects(probeConfinement({ LOOKOUT_SANDBOX: '/run/x' }), { code: 'unavailable', message: /package s6/ })
})
