import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Files inside of the repository, from where they find its packages. */
function inTree(t: Test, files: Record<string, string>): string {
  mkdirSync(join(root, '.tap'), { recursive: true })
  const folder = mkdtempSync(join(root, '.tap/made-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

/** Runs the suite's own runner on files that this test makes. */
function suite(t: Test, files: Record<string, string>, ...options: string[]): { code: number | null; said: string } {
  const folder = inTree(t, files)
  const names = Object.keys(files).map((name) => relative(root, join(folder, name)))
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/test.js', ...options, ...names], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, CI: '', LOOKOUT_NO_PROGRAMS: '1' }
  })
  return { code: status, said: `${stdout}${stderr}` }
}

const TAP = "import t from 'tap'\n"

t.test('what passed, failed and was skipped is counted, and the slowest files are told', (t) => {
  const { code, said } = suite(t, {
    'good.test.ts': `${TAP}t.equal(1 as number, 1)\nt.test('two', async (t) => void t.ok(true))`,
    'bad.test.ts': `${TAP}t.test('water boils', async (t) => void t.equal(99, 100))`,
    'absent.test.ts': `${TAP}t.test('a recording', async (t) => t.comment('skipped: no recording'))\nt.ok(true)`
  })
  t.equal(code, 1)
  t.match(said, /^3 passed, 1 failed, 1 skipped$/m)
  t.match(said, /bad\.test\.ts:2:\d+/, 'the place of a failure is the line of the source')
  t.match(said, /not ok 1 - water boils/, 'what failed is named')
  t.match(said, /skipped:\n {2}no recording: \S+absent\.test\.ts/, 'and why one was skipped')
  t.match(said, /wall, .* CPU of 3 files/)
  t.match(said, /the slowest 3 \(wall, CPU\):/)
  t.end()
})

t.test('a file that costs more of the processor than it may has failed, measured by work done beside it', (t) => {
  const work = 'let n = 0\nfor (let i = 0; i < 3e8; i++) n = (n * 31 + i) % 1000003'
  const files = {
    'busy.test.ts': `${TAP}${work}\nt.test('it ends', async (t) => void t.ok(n >= 0))`,
    'calm.test.ts': `${TAP}t.test('it ends', async (t) => void t.ok(true))`
  }
  const { code, said } = suite(t, files, '--most-cpu', '0.01')
  t.equal(code, 1)
  t.match(said, /busy\.test\.ts\n {4}it cost [\d.]+ s of CPU, at most 0\.0 s here/)
  const { code: fine } = suite(t, files, '--most-cpu', '1000')
  t.equal(fine, 0)
  t.end()
})

t.test(
  'of files that share a process, the one that failed is named, and the one that ended it; the others run on',
  (t) => {
    const good = `${TAP}t.test('fine', async (t) => void t.ok(true))`
    const names = Array.from(
      { length: 9 },
      (_, nth) => [`good${nth}.test.ts`, `${good}\n// ${'x'.repeat(nth)}`] as const
    )
    const { code, said } = suite(t, {
      ...Object.fromEntries(names),
      'bad.test.ts': `${TAP}t.test('water boils', async (t) => void t.equal(99, 100))\n// ${'x'.repeat(40)}`,
      'gone.test.ts': `${TAP}t.test('x', async () => process['exit'](0))\n// ${'x'.repeat(60)}`
    })
    t.equal(code, 1)
    t.match(said, /^9 passed, 2 failed$/m)
    t.match(said, /^not ok \d+\/11 - \S+bad\.test\.ts/m)
    t.match(said, /^not ok \d+\/11 - \S+gone\.test\.ts/m)
    t.equal(said.match(/^not ok \d+\/11/gm)?.length, 2, 'no neighbour is blamed')
    t.equal(said.match(/^ok \d+\/11/gm)?.length, 9)
    t.end()
  }
)

/** More files than processes, so that they share one. */
const neighbours = (body: string): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: 9 }, (_, nth) => [`good${nth}.test.ts`, `${TAP}${body}\n// ${'x'.repeat(nth)}`])
  )

t.test('a file that leaves its process another than it found it is named; the next one finds it as it was', (t) => {
  const fine = `t.equal(globalThis['process'].env.LEFT_BY_ANOTHER, undefined)`
  const { code, said } = suite(t, {
    ...neighbours(fine),
    'env.test.ts': `${TAP}const env = process['env']\nenv.LEFT_BY_ANOTHER = '1'\nt.ok(true)\n// ${'x'.repeat(200)}`,
    'timer.test.ts': `${TAP}setInterval(() => undefined, 1000)\nt.ok(true)\n// ${'x'.repeat(220)}`,
    'listener.test.ts': `${TAP}process['on']('SIGUSR2', () => undefined)\nt.ok(true)\n// ${'x'.repeat(230)}`
  })
  t.equal(code, 1)
  t.match(said, /env\.test\.ts\n {4}it left behind: LEFT_BY_ANOTHER in the environment/)
  t.match(said, /timer\.test\.ts\n {4}it left behind: an open Timeout/)
  t.match(said, /listener\.test\.ts\n {4}it left behind: a listener of the process for SIGUSR2/)
  t.match(said, /^12 passed, 3 failed$/m, 'nobody else is blamed')
  t.end()
})

t.test(
  'an error that nobody catches is that of the test that runs, in a timer, a promise, a test inside of a test',
  (t) => {
    const later = 'await new Promise((resolve) => setTimeout(resolve, 30))'
    const { code, said } = suite(t, {
      'errors.test.ts': `${TAP}
      t.test('before', async (t) => void t.ok(true))
      t.test('by a timer', async (t) => { setTimeout(() => { throw new Error('boiling') }, 5)\n${later} })
      t.test('by a promise', async (t) => { void Promise.reject(new Error('freezing'))\n${later} })
      t.test('outside', async (t) => {
        await t.test('inside', async (t) => { setTimeout(() => { throw new Error('melting') }, 5)\n${later} })
        t.ok(true)
      })
      t.test('after', async (t) => void t.ok(true))`
    })
    t.equal(code, 1)
    for (const name of ['boiling', 'by a timer', 'freezing', 'by a promise'])
      t.match(said, new RegExp(`^ +not ok \\d+ - ${name}`, 'm'))
    // A test that was ended by its error goes on for its 30 ms: tap counts its end once more if that is before the end of all.
    t.match(said, /^2 passed, [34] failed$/m)
    t.notMatch(said, /^ +not ok \d+ - (?:before|after)/m)
    t.end()
  }
)

t.test('tests keep their files in memory where there is room, and nothing of them is left', (t) => {
  const { code, said } = suite(
    t,
    {
      'folder.test.ts': `${TAP}import { writeFileSync } from 'node:fs'
      t.test('a folder', async (t) => { writeFileSync(t.testdir() + '/a', 'a')\nt.equal(t.testdirName, '') })`
    },
    '--verbose'
  )
  t.equal(code, 1)
  const [, folder = ''] = /^ +\+(\/\S*lookout-tests-\S+)$/m.exec(said) ?? []
  t.ok(folder.startsWith(`${tmpdir()}/`), `${folder} below ${tmpdir()}, which the runner of the runner was given`)
  t.notOk(existsSync(folder))
  t.end()
})

t.test('what a test wishes for its end is done while its folder is still there, whichever was asked for first', (t) => {
  const ends = `t.teardown(() => console.log('# at its end: ' + existsSync(t.testdirName)))`
  const { code, said } = suite(
    t,
    {
      'ends.test.ts': `${TAP}import { existsSync } from 'node:fs'
      t.test('a folder first', async (t) => { t.ok(t.testdir())\n${ends} })
      t.test('the wish first', async (t) => { ${ends}\nt.ok(t.testdir()) })`
    },
    '--verbose'
  )
  t.equal(code, 0)
  t.same(said.match(/(?<=^# at its end: ).*$/gm), ['true', 'true'])
  t.end()
})

t.test('a file that asserts nothing, or ends by a signal, has failed', (t) => {
  const { code, said } = suite(t, {
    'empty.test.ts': TAP,
    'killed.test.ts': `${TAP}t.ok(true)\nprocess.kill(process.pid, 'SIGKILL')`
  })
  t.equal(code, 1)
  t.match(said, /^not ok .*empty\.test\.ts/m)
  t.match(said, 'ended by SIGKILL')
  t.match(said, /^\d+ passed, 2 failed$/m)
  t.end()
})

t.test('a file that stands still, or works and tells nothing, is ended and named; one that tells is not', (t) => {
  const { code, said } = suite(
    t,
    {
      'still.test.ts': `${TAP}t.test('one', async (t) => void t.ok(true))\nt.test('nobody comes', () => new Promise(() => setInterval(() => 1, 1000)))`,
      'spins.test.ts': `${TAP}t.test('no end', async (t) => { for (;;) await new Promise((done) => setImmediate(done)) })`,
      'slow.test.ts': `${TAP}t.test('goes on', async (t) => {
        for (let n = 0; n < 12; n++) { await new Promise((done) => setTimeout(done, 500))\nt.ok(true) } })`
    },
    '--alone',
    '--hung',
    '3'
  )
  t.equal(code, 1)
  t.match(said, /still\.test\.ts\n {4}no result: stood still for \d+ s after "one"/)
  t.match(said, /spins\.test\.ts\n {4}no result: told nothing during \d+ s of CPU$/m)
  t.match(said, /^ok \d\/3 - \S+slow\.test\.ts/m)
  t.match(said, / passed, 2 failed$/m)
  t.end()
})

t.test('what fails once and then passes is named unsteady, and does not fail the run', (t) => {
  const flag = JSON.stringify(join(t.testdir({}), 'once'))
  const body = `${TAP}import { existsSync, writeFileSync } from 'node:fs'
    const again = existsSync(${flag})
    writeFileSync(${flag}, '')
    t.ok(again)`
  const folder = inTree(t, { 'shaky.test.ts': body })
  const { status, stdout } = spawnSync(
    process.execPath,
    ['scripts/test.js', relative(root, join(folder, 'shaky.test.ts'))],
    { cwd: root, encoding: 'utf8', env: { ...process.env, CI: 'true', LOOKOUT_NO_PROGRAMS: '1' } }
  )
  t.equal(status, 0)
  t.match(stdout, /unsteady: \S+shaky\.test\.ts failed and then passed/)
  t.match(stdout, /^1 passed, 0 failed$/m)
  t.end()
})

t.test('--help says how it is used and runs nothing; an option nobody knows is refused', (t) => {
  for (const script of ['test.js', 'faults.js', 'bench.js', 'check.js']) {
    const { status, stdout } = spawnSync(process.execPath, [`scripts/${script}`, '--help'], {
      cwd: root,
      encoding: 'utf8'
    })
    t.equal(status, 0, script)
    t.match(stdout, /^usage: /, script)
    t.notMatch(stdout, /passed, \d/, script)
  }
  const { status, stderr } = spawnSync(process.execPath, ['scripts/test.js', '--no-such'], {
    cwd: root,
    encoding: 'utf8'
  })
  t.equal(status, 2)
  t.match(stderr, 'unknown option --no-such')
  t.end()
})

t.test('without the packages that build, npm start says what to do instead of failing in a module', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-bare-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['scripts', 'src', 'web']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
  cpSync(join(root, 'scripts/ensure-build.js'), join(folder, 'scripts/ensure-build.js'))
  const { status, stderr } = spawnSync(process.execPath, ['scripts/ensure-build.js'], { cwd: folder, encoding: 'utf8' })
  t.equal(status, 4)
  t.match(stderr, /Run "npm ci && npm run build" here, or copy dist\/ and web\/vendor\//)
  t.notMatch(stderr, 'ERR_MODULE_NOT_FOUND')
  t.end()
})
