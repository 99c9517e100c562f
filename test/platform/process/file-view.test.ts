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
    const views: [string, Confinement, string?][] = [
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
  const active = await means(t)
  if (active === null) return
  const { job } = dataFolder(t)
  t.match(await run(job, 'sh', ['-c', 'exit 7']), { code: 7, signal: null })
  t.match(await run(job, 'sh', ['-c', 'kill -SEGV $$']), { code: null, signal: 'SIGSEGV' })
  await t.rejects(run(job, 'sh', ['-c', 'kill -XCPU $$']), { code: 'timeout' }, 'the limit of the kernel')
  t.match(await run(EMPTY, 'pwd', []), { code: 0, stdout: Buffer.from('/tmp\n') })
  t.match(await run(EMPTY, 'ls', ['-A', '/tmp']), { stdout: Buffer.alloc(0) })
  t.match(await run(EMPTY, 'ls', ['/home', '/root', '/sys', '/var/log']), { code: 2, stdout: Buffer.alloc(0) })
  t.match(await run(EMPTY, 'sh', ['-c', 'echo x > /x; echo x > /usr/x; echo x > /etc/x']), {
    stderr: /Read-only.*Read-only.*Read-only/s
  })
  t.match(
    await run(EMPTY, 'sh', ['-c', 'head -c 100M /dev/zero > /tmp/x']),
    { stderr: /No space left/ },
    'memory is no way round'
  )
})

t.test('a view that cannot be made is a fault of the machine, not of the file', async (t) => {
  const active = await means(t)
  if (active?.files == null) return
  const { job } = dataFolder(t)
  const files = { ...active.files, line: [...active.files.line, '--ro-bind', '/no/such/folder', '/x'] }
  await t.rejects(run(job, 'true', [], { confinement: { ...active, files } }), {
    code: 'unavailable',
    message: /bwrap/
  })
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
