import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { folderBytes } from '../../../src/platform/files/folder-size.ts'
import { createCgroup, delegatedCgroup } from '../../../src/platform/process/cgroup.ts'
import {
  activeConfinement,
  type Confinement,
  confinedCommand,
  confinementGaps,
  describeConfinement,
  heapMib,
  probeConfinement
} from '../../../src/platform/process/confinement.ts'
import { boundJobMemory } from '../../../src/platform/process/job-memory.ts'
import { childFlags, childNodeOptions, ownProgram } from '../../../src/platform/process/own-program.ts'
import { groupMembers, residentBytes } from '../../../src/platform/process/process-group.ts'
import { findProgram } from '../../../src/platform/process/programs.ts'
import { type RunLimits, type RunOptions, type RunResult, runBounded } from '../../../src/platform/process/run.ts'
import { eventually } from '../../helpers/process.ts'
import { runnable } from '../../helpers/runnable.ts'

const MIB = 2 ** 20
/** From 24 on V8 reserves its whole range for code at the start. */
const NODE_OVERHEAD_MIB = Number(process.versions.node.split('.')[0]) >= 24 ? 1280 : 192
const LIMITS: RunLimits = { timeMs: 60_000, memoryBytes: 256 * MIB, outputBytes: MIB }
/** Nothing but what works everywhere: time, output, process group. */
const BARE: Confinement = {
  cgroup: null,
  prlimit: null,
  watch: false,
  noNetwork: [],
  files: null,
  sandbox: null,
  lowPriority: [],
  firstToGo: [],
  endWithParent: []
}
const linux = process.platform === 'linux'

function folder(t: Pick<Test, 'teardown'>): string {
  const made = mkdtempSync(join(tmpdir(), 'lookout-run-'))
  t.teardown(() => rmSync(made, { recursive: true, force: true }))
  return made
}

function run(cwd: string, command: string, args: string[], options: Partial<RunOptions> = {}): Promise<RunResult> {
  return runBounded({ command, args, cwd, ...options, limits: { ...LIMITS, ...options.limits } })
}

function node(cwd: string, code: string, options: Partial<RunOptions> = {}): Promise<RunResult> {
  return run(cwd, process.execPath, ['-e', code], { node: true, ...options })
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !linux || groupMembers(pid).length > 0 || residentBytes(pid) !== null
  } catch {
    return false
  }
}

t.test(
  'a program gets its input and a clean environment, and its answer comes back whatever the exit code',
  async (t) => {
    const cwd = folder(t)
    process.env['LOOKOUT_TEST_SECRET'] = 'do not tell'
    t.teardown(() => {
      delete process.env['LOOKOUT_TEST_SECRET']
    })
    const code =
      'process.stdin.pipe(process.stdout); console.error("a word"); process.stdin.on("end", () => { process.exitCode = 7 })'
    t.match(await node(cwd, code, { input: 'über\n'.repeat(10_000) }), {
      code: 7,
      signal: null,
      stdout: Buffer.from('über\n'.repeat(10_000)),
      stderr: 'a word\n'
    })
    const { stdout } = await node(cwd, 'console.log(JSON.stringify([process.env, process.cwd()]))', {
      env: { EXTRA: '1' }
    })
    const [env, where] = JSON.parse(stdout.toString()) as [Record<string, string>, string]
    t.match(env, { LANG: 'C.UTF-8', HOME: cwd, TMPDIR: cwd, EXTRA: '1', PATH: process.env['PATH'] })
    t.same(
      Object.keys(env).filter((name) => /^(LOOKOUT|npm|USER|SHELL)/.test(name)),
      []
    )
    t.equal(where, cwd)
    t.match(await node(cwd, 'process.stdin.destroy()', { input: Buffer.alloc(MIB) }), { code: 0 }, 'input nobody reads')
    t.match(await node(cwd, 'process.kill(process.pid, "SIGSEGV")'), { code: null, signal: 'SIGSEGV' })
    const loud = await node(cwd, 'for (let n = 0; n < 5000; n++) console.error("line", n)')
    t.ok(loud.stderr.length <= 16 * 1024)
    t.match(loud.stderr, /line 4999\n$/, 'the end says what went wrong')
  }
)

t.test('a program that is not there, or cannot be started, says so', async (t) => {
  const cwd = folder(t)
  await t.rejects(run(cwd, 'no-such-program', []), { code: 'missing', message: /no-such-program is not installed/ })
  await t.rejects(run(cwd, join(cwd, 'nothing'), []), { code: 'missing' })
  await t.rejects(run(join(cwd, 'nowhere'), 'true', []), { code: 'unavailable', message: /could not be started/ })
  await t.rejects(run(cwd, 'true', ['a\0b']), { code: 'unavailable' })
  writeFileSync(join(cwd, 'plain'), 'no program')
  t.equal(findProgram('plain', cwd), null)
  t.equal(findProgram('lookout-test-tool', cwd), null)
  writeFileSync(join(cwd, 'lookout-test-tool'), '#!/bin/sh\n', { mode: 0o755 })
  t.equal(findProgram('lookout-test-tool', `/nowhere:${cwd}`), join(cwd, 'lookout-test-tool'), 'installed meanwhile')
  rmSync(join(cwd, 'lookout-test-tool'))
  t.equal(findProgram('lookout-test-tool', `/nowhere:${cwd}`), null, 'and removed again')
  t.equal(findProgram('sh', '.:'), null, 'never from the folder a process stands in')
})

/** A tree of four generations with a mark in their command lines; each tells its number and waits for ever. */
const TREE = `const { spawn } = require('node:child_process')
const depth = Number(process.argv[1])
require('node:fs').writeFileSync('pid-' + depth, String(process.pid))
if (depth < 3) spawn(process.execPath, ['-e', process.env.TREE, depth + 1, process.argv[2]], { stdio: 'inherit' })
setInterval(() => {}, 1000)`

function treePids(cwd: string): number[] | null {
  const pids = [0, 1, 2, 3].map((depth) => join(cwd, `pid-${depth}`))
  if (!pids.every((file) => existsSync(file) && readFileSync(file, 'utf8') !== '')) return null
  // With a view of its own a program counts its processes anew.
  return linux ? pidsMarked(cwd) : pids.map((file) => Number(readFileSync(file, 'utf8')))
}

function pidsMarked(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandLineOf(name).includes(mark))
    .map(Number)
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

t.test(
  'at its time limit, or when it is not wanted any more, a program goes with its children and theirs',
  async (t) => {
    for (const confinement of [BARE, await activeConfinement()]) {
      const cwd = folder(t)
      const args = ['-e', TREE, '0', cwd]
      const abort = new AbortController()
      const running = run(cwd, process.execPath, args, {
        env: { TREE },
        node: true,
        signal: abort.signal,
        confinement,
        limits: { ...LIMITS, memoryBytes: 1024 * MIB }
      })
      const ended = t.rejects(running, { message: 'not wanted' })
      const pids = await eventually('the tree', () => treePids(cwd))
      t.ok(pids.length >= 4 && pids.every(alive), 'all four generations')
      abort.abort(new Error('not wanted'))
      await ended
      await eventually('all gone', () => !pids.some(alive))
    }
    const cwd = folder(t)
    const begun = Date.now()
    await t.rejects(run(cwd, 'sh', ['-c', 'sleep 600 & sleep 600'], { limits: { ...LIMITS, timeMs: 300 } }), {
      code: 'timeout',
      message: 'sh took longer than 0.3 s and was stopped'
    })
    t.ok(Date.now() - begun < 30_000)
    const aborted = AbortSignal.abort(new Error('before'))
    await t.rejects(run(cwd, 'true', [], { signal: aborted }), { message: 'before' })
  }
)

t.test('what a program leaves behind when it ends goes too, and holds up nobody', async (t) => {
  const cwd = folder(t)
  const begun = Date.now()
  // The second one gets a group of its own, as a shell does for a job.
  for (const confinement of [BARE, await activeConfinement()]) {
    const left = `exec ${process.execPath} -e 'setInterval(() => {}, 1e6)' ${cwd}`
    const { stdout } = await run(cwd, 'sh', ['-c', `(${left}) & echo $!; set -m; (${left}) & echo $!`], { confinement })
    const pids = stdout.toString().trim().split('\n').map(Number)
    t.equal(pids.length, 2)
    t.ok(Date.now() - begun < 30_000, 'although they hold the output open')
    await eventually('they are gone', () => (linux ? pidsMarked(cwd).length === 0 : !pids.some(alive)))
  }
})

t.test('too much memory, output or disk ends a program, and the reason is told', async (t) => {
  const active = await activeConfinement()
  const cases: {
    name: string
    command: string
    args: string[]
    node?: true
    limits?: Partial<RunLimits>
    says: RegExp
  }[] = [
    {
      name: 'objects in Node',
      command: process.execPath,
      args: ['-e', 'const all = []; for (;;) all.push(new Array(1000).fill(1.5))'],
      node: true,
      limits: { memoryBytes: 128 * MIB },
      says: /needed more than 128 MiB of memory/
    },
    {
      name: 'buffers in Node, outside of its heap',
      command: process.execPath,
      args: ['-e', 'const all = []; for (;;) all.push(Buffer.alloc(1e6, 1))'],
      node: true,
      limits: { memoryBytes: 128 * MIB },
      says: /needed more than 128 MiB of memory/
    },
    {
      name: 'a native tool',
      command: 'tail',
      args: ['/dev/zero'],
      limits: { memoryBytes: 64 * MIB },
      says: /tail needed more than 64 MiB of memory/
    },
    {
      name: 'several processes together',
      command: 'sh',
      args: [
        '-c',
        // Shells that hold 30 MB each: no Node, which from 22 on does not start below a limit that is meant for a native tool.
        Array(4).fill(`sh -c 'held=$(head -c 30000000 /dev/zero | tr "\\0" a); sleep 1000'`).join(' & ')
      ],
      limits: { memoryBytes: 100 * MIB },
      says: /sh needed more than 100 MiB of memory/
    },
    {
      name: 'output without end',
      command: 'cat',
      args: ['/dev/zero'],
      limits: { outputBytes: 3 * MIB },
      says: /cat wrote more than 3 MiB/
    }
  ]
  for (const { name, command, args, node: isNode, limits, says } of cases) {
    if (name !== 'output without end' && !active.watch) {
      t.comment(`skipped: ${name}: this system does not tell the memory of a process`)
      continue
    }
    const begun = Date.now()
    const options = { limits: { ...LIMITS, ...limits }, ...(isNode ? { node: true as const } : {}) }
    await t.rejects(run(folder(t), command, args, options), { code: 'too-large', message: says }, name)
    t.ok(Date.now() - begun < 40_000, `${name}: long before its time is up`)
  }
})

t.test(
  'no program of a job has more memory than the profile gives, and the reason says so',
  { skip: !linux && 'no /proc' },
  async (t) => {
    t.teardown(() => boundJobMemory(Number.POSITIVE_INFINITY))
    boundJobMemory(128 * MIB)
    const code = 'const all = []; for (;;) all.push(new Array(1e5).fill(1.5))'
    await t.rejects(node(folder(t), code, { limits: { ...LIMITS, memoryBytes: 512 * MIB } }), {
      code: 'too-large',
      message: /needed more memory than this profile gives \(128 MiB for a file\)/
    })
    await t.rejects(node(folder(t), code, { limits: { ...LIMITS, memoryBytes: 100 * MIB } }), {
      message: /needed more than 100 MiB of memory/
    })
  }
)

t.test('where memory can only be watched, it is watched', { skip: !linux && 'no /proc' }, async (t) => {
  const watched: Confinement = { ...BARE, watch: true }
  const code = 'const all = []; setInterval(() => all.push(Buffer.alloc(2e6, 1)), 10)'
  await t.rejects(node(folder(t), code, { confinement: watched, limits: { ...LIMITS, memoryBytes: 128 * MIB } }), {
    code: 'too-large'
  })
  const { peakBytes } = await node(folder(t), 'setTimeout(() => {}, 400)', { confinement: watched })
  t.ok((peakBytes ?? 0) > 10 * MIB && (peakBytes ?? 0) < 256 * MIB, `${peakBytes}`)
})

t.test('a folder that fills up ends the program that fills it', async (t) => {
  const one =
    'const fs = require("node:fs"); const out = fs.openSync("big", "w"); for (;;) fs.writeSync(out, Buffer.alloc(1e6))'
  const many = `const fs = require("node:fs"); let n = 0
    setInterval(() => { fs.mkdirSync("deep/" + n, { recursive: true }); fs.writeFileSync("deep/" + n++ + "/f", Buffer.alloc(1e6)) }, 5)`
  for (const [name, code, confinement] of [
    ['one file', one, await activeConfinement()],
    ['one file, only watched', one.replace('for (;;) ', 'setInterval(() => ').replace(/$/, ', 5)'), BARE],
    ['many files', many, await activeConfinement()]
  ] as const) {
    const cwd = folder(t)
    const limits = { ...LIMITS, folderBytes: { folder: cwd, bytes: 20 * MIB } }
    await t.rejects(node(cwd, code, { limits, confinement }), { code: 'too-large', message: /more than 20 MiB/ }, name)
    t.ok((await folderBytes(cwd)) < 2000 * MIB, name)
  }
  const cwd = folder(t)
  mkdirSync(join(cwd, 'a/b'), { recursive: true })
  writeFileSync(join(cwd, 'a/b/c'), Buffer.alloc(1000))
  writeFileSync(join(cwd, 'd'), Buffer.alloc(24))
  t.equal(await folderBytes(cwd), 1024)
  t.equal(await folderBytes(join(cwd, 'nowhere')), 0)
})

t.test(
  'nothing of a run looks at its folder any more once it has ended, however long the look takes',
  { skip: !linux },
  async (t) => {
    const cwd = folder(t)
    for (let at = 0; at < 4000; at++) writeFileSync(join(cwd, String(at)), '')
    const timers = (): number => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length
    const before = timers()
    // Its end falls into the first look, which comes after 50 ms and takes longer than that; whoever had too little memory is not measured again.
    for (const seconds of ['0.055', '0.06', '0.07', '0.08']) {
      const limits = { ...LIMITS, folderBytes: { folder: cwd, bytes: MIB } }
      const ended = run(cwd, 'sh', ['-c', `sleep ${seconds}; echo 'Cannot allocate memory' >&2; exit 1`], { limits })
      await t.rejects(ended, { code: 'too-large' })
    }
    await eventually('the last look is over', () => timers() <= before, 4000)
    t.ok(timers() <= before)
  }
)

t.test('no network where the system allows taking it away', async (t) => {
  const { noNetwork } = await activeConfinement()
  const server = createServer((socket) => socket.end('reached'))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.teardown(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const code = `require('node:net').connect(${port}, '127.0.0.1').on('data', (data) => process.stdout.write(data)).on('error', (error) => console.log(error.code))`
  const { stdout } = await node(folder(t), code)
  if (noNetwork.length > 0) t.match(stdout.toString(), /^E(NETUNREACH|CONNREFUSED|ADDRNOTAVAIL)/)
  else t.equal(stdout.toString(), 'reached', 'the doctor says so')
  t.equal((await node(folder(t), code, { confinement: BARE })).stdout.toString(), 'reached', 'only by being taken away')
})

t.test('everything else goes before what we start', { skip: !linux && 'no /proc' }, async (t) => {
  const { lowPriority } = await activeConfinement()
  const { stdout } = await node(
    folder(t),
    'console.log(require("node:os").getPriority(), require("node:fs").readFileSync("/proc/self/oom_score_adj", "utf8").trim())'
  )
  // Ten behind us, who may be behind others already; 19 is the last there is.
  const behind = Math.min(19, getPriority() + 10)
  t.match(stdout.toString(), lowPriority.length > 0 ? new RegExp(`^${behind} 800`) : / 800/)
})

t.test(
  'a program goes before the station from its first moment, not once we have said so',
  { skip: !linux && 'no /proc' },
  async (t) => {
    const confinement = await activeConfinement()
    // The machine of the tests has it (util-linux); where it lacks, what we write from outside is all there is.
    t.match(confinement.firstToGo[0], /choom$/)
    const cwd = folder(t)
    const view = { reads: [], writes: [cwd] }
    const asked = {
      command: '/bin/cat',
      args: ['/proc/self/oom_score_adj'],
      env: {},
      memoryBytes: 64 * MIB,
      fileBytes: null,
      node: false,
      view
    }
    const [command, ...args] = confinedCommand(confinement, asked, null)
    t.equal(execFileSync(command, args, { cwd, encoding: 'utf8' }), '800\n')
  }
)

t.test('killed by SIGKILL, we take our programs with us', async (t) => {
  for (const kind of ['BARE', 'active'] as const) {
    const cwd = folder(t)
    const script = join(cwd, 'parent.mjs')
    const src = (file: string): string => JSON.stringify(runnable(`src/platform/process/${file}`).file)
    writeFileSync(
      script,
      `import { runBounded } from ${src('run.ts')}
       import { activeConfinement } from ${src('confinement.ts')}
       const confinement = ${kind === 'BARE' ? JSON.stringify(BARE) : 'await activeConfinement()'}
       await runBounded({ command: process.execPath, args: ['-e', process.env.TREE, '0', ${JSON.stringify(cwd)}], env: { TREE: process.env.TREE },
         cwd: ${JSON.stringify(cwd)}, node: true, confinement, limits: { timeMs: 60000, memoryBytes: 2 ** 30, outputBytes: 1000 } })`
    )
    const { spawn } = await import('node:child_process')
    const parent = spawn(process.execPath, [...runnable('src/platform/process/run.ts').flags, script], {
      env: { ...process.env, TREE },
      stdio: ['ignore', 'ignore', 'inherit']
    })
    t.teardown(() => parent.kill('SIGKILL'))
    const pids = await eventually('the tree', () => treePids(cwd))
    parent.kill('SIGKILL')
    await eventually(`all gone (${kind})`, () => !pids.some(alive))
    t.pass(kind)
  }
})

t.test('the confinement is told in words, with what is missing', async (t) => {
  const active = await probeConfinement(process.env)
  t.match(
    describeConfinement(active),
    /^time and process group always; memory: .*; network: .*; priority: .*; end with/
  )
  t.equal(
    describeConfinement(BARE),
    'time and process group always; memory: not bounded, except for Node; files: all of ours; network: not taken away; priority: as ours; end with the program: guardian'
  )
  t.match(confinementGaps(BARE), [
    /memory of converters is not bounded/,
    /can read what the station can/,
    /converters keep the network/
  ])
  t.match(confinementGaps(BARE, { LOOKOUT_SANDBOX: '/run/x' })[1], /forbids user namespaces|install bubblewrap/)
  const files = { line: ['bwrap'], noNetwork: [] }
  t.match(confinementGaps({ ...BARE, watch: true, files, noNetwork: ['x'] }), [/only watched/])
  t.same(confinementGaps({ ...BARE, prlimit: '/usr/bin/prlimit', files, noNetwork: ['x'] }), [])
  const alone = { ...files, noNetwork: ['--unshare-net'] }
  t.same(confinementGaps({ ...BARE, prlimit: '/usr/bin/prlimit', files: alone }), [])
  const all: Confinement = {
    cgroup: { folder: '/cg', version: 2 },
    prlimit: 'prlimit',
    watch: true,
    noNetwork: ['unshare', '--net'],
    files: null,
    sandbox: null,
    lowPriority: ['nice'],
    firstToGo: ['choom'],
    endWithParent: ['setpriv']
  }
  t.match(
    describeConfinement(all),
    /cgroup v2 \(\/cg\), prlimit, watched by size; files: all of ours; network: none .*kernel and guardian/
  )
  const command = {
    command: 'node',
    args: ['x'],
    env: { LANG: 'C.UTF-8' },
    memoryBytes: 256 * MIB,
    fileBytes: 1000,
    node: true,
    view: { reads: ['/in'], writes: ['/job'] }
  }
  t.same(confinedCommand(all, command, null), [
    'choom',
    'unshare',
    '--net',
    'nice',
    'prlimit',
    '--core=0',
    `--data=${(256 + NODE_OVERHEAD_MIB) * MIB}`,
    '--fsize=1000',
    'setpriv',
    'node',
    '--max-old-space-size=192',
    'x'
  ])
  t.same(confinedCommand(BARE, { ...command, node: false }, null), ['node', 'x'])
  const viewed = ['--bind', '/job', '/job', '--remount-ro', '/', '--chdir', '/job', '--', 'node', 'x']
  const own = { ...command, command: '/usr/bin/node', node: false }
  const line = confinedCommand({ ...all, prlimit: null, files: alone }, own, null)
  t.same(line, [
    'choom',
    'nice',
    'bwrap',
    '--unshare-net',
    '--ro-bind-try',
    '/in',
    '/in',
    ...viewed.slice(0, -2),
    '/usr/bin/node',
    'x'
  ])
  const inSandbox = confinedCommand(
    { ...all, cgroup: null, files: { line: ['--x'], noNetwork: ['--unshare-net'] }, sandbox: ['s6-sudo', '-e', '/s'] },
    own,
    null
  )
  t.same(
    inSandbox.slice(0, 7),
    ['setpriv', 's6-sudo', '-e', '/s', '-', '--x', '--unshare-net'],
    'the sandbox: the group of the run, here none, and its view'
  )
  t.same(
    inSandbox
      .slice(inSandbox.indexOf('--') + 1)
      .join(' ')
      .replace(/^\S*env/, 'env'),
    `env -i LANG=C.UTF-8 nice prlimit --core=0 --data=${256 * MIB} --fsize=1000 /usr/bin/node x`,
    'inside the view its environment, its bounds and the program'
  )
  t.equal(heapMib(MIB), 32, 'less does not start')
})

t.test('a control group is used only where it was given to us', async (t) => {
  const mount = folder(t)
  t.equal(delegatedCgroup({}, { mount, own: null }), null, 'being root is no permission')
  t.equal(delegatedCgroup({ LOOKOUT_CGROUP: join(mount, 'nowhere') }, { mount, own: null }), null)

  const one = join(mount, 'one')
  mkdirSync(one)
  writeFileSync(join(one, 'memory.limit_in_bytes'), '')
  t.same(delegatedCgroup({ LOOKOUT_CGROUP: one }, { mount, own: null }), { folder: one, version: 1 })
  const group = createCgroup({ folder: one, version: 1 }, 5 * MIB)
  const made =
    readdirSync(one)
      .filter((name) => name.startsWith('lookout-run-'))
      .at(-1) ?? ''
  t.equal(readFileSync(join(one, made, 'memory.limit_in_bytes'), 'utf8'), String(5 * MIB))
  t.equal(group.peak(), null)
  t.equal(group.outOfMemory(), false)
  writeFileSync(join(one, made, 'memory.max_usage_in_bytes'), '12345\n')
  writeFileSync(join(one, made, 'memory.oom_control'), 'oom_kill_disable 0\nunder_oom 0\noom_kill 1\n')
  t.equal(group.peak(), 12_345)
  t.equal(group.outOfMemory(), true)

  const two = join(mount, 'two')
  mkdirSync(two)
  writeFileSync(join(two, 'cgroup.controllers'), 'cpu memory pids\n')
  writeFileSync(join(two, 'cgroup.procs'), '11\n12\n')
  t.same(delegatedCgroup({ LOOKOUT_CGROUP: two }, { mount, own: null }), { folder: two, version: 2 })
  t.equal(
    readFileSync(join(two, 'lookout/cgroup.procs'), 'utf8'),
    '12',
    'its processes make room for the groups of runs'
  )
  t.equal(readFileSync(join(two, 'cgroup.subtree_control'), 'utf8'), '+memory')
  writeFileSync(join(two, 'cgroup.controllers'), 'cpu pids\n')
  t.equal(delegatedCgroup({ LOOKOUT_CGROUP: two }, { mount, own: null }), null, 'without the memory controller')

  const service = join(mount, 'system.slice/lookout.service')
  mkdirSync(service, { recursive: true })
  writeFileSync(join(service, 'cgroup.controllers'), 'memory\n')
  const found = delegatedCgroup({}, { mount, own: '/system.slice/lookout.service/lookout' })
  t.same(
    found,
    process.geteuid?.() === 0 ? null : { folder: service, version: 2 },
    'that of a service with a user of its own'
  )
  t.equal(delegatedCgroup({}, { mount, own: '/user.slice/session-1.scope' }), null)
})

t.test('our own program runs as we do, from any folder', async (t) => {
  const program = ownProgram(['work', 'x'], { entry: '/opt/lookout.js', execArgv: ['--inspect=9229', '--no-warnings'] })
  t.same(program, { command: process.execPath, args: ['--no-warnings', '/opt/lookout.js', 'work', 'x'] })
  t.same(
    childFlags([
      '-e',
      'code',
      '--max-old-space-size=50',
      '--import',
      'tsx',
      '-r',
      '/a.cjs',
      '--import=data:text/javascript,1'
    ]),
    [`--import=${import.meta.resolve('tsx')}`, '--require=/a.cjs', '--import=data:text/javascript,1']
  )
  t.match(childFlags(['--import=./x.ts']), [/^--import=file:\/\/\/.*\/x\.ts$/])
  t.same(childFlags(['--import=no-such-package']), ['--import=no-such-package'])
  t.equal(childNodeOptions('--inspect  --dns-result-order=ipv4first'), '--dns-result-order=ipv4first')
  t.equal(childNodeOptions(undefined), '')
  const cwd = folder(t)
  const entry = join(cwd, 'main.ts')
  writeFileSync(entry, 'const said: string = process.argv[2] ?? ""; console.log(said)')
  const { command, args } = ownProgram(['hello'], { entry, execArgv: ['--import=tsx'] })
  t.equal((await run(cwd, command, args, { node: true })).stdout.toString(), 'hello\n')
})
