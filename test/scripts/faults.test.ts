import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Found {
  ok: boolean
  passed: number
  failed: number
  output: string
  why: string
}

/** Runs a program as a slice of the fault runs, by the code that runs them. */
function slice(t: Test, code: string, limitMs = 30_000): Found {
  const program = join(t.testdir({ 'slice.mjs': code }), 'slice.mjs')
  const run = { name: 'kill --seed 7', args: [program], cwd: root, limitMs }
  const source = `
    const { runSlice } = await import(${JSON.stringify(join(root, 'scripts/fault-slices.js'))})
    console.log(JSON.stringify(await runSlice(${JSON.stringify(run)})))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    cwd: root,
    encoding: 'utf8'
  })
  t.equal(stderr, '')
  return JSON.parse(stdout)
}

t.test('a run that takes longer than it may is ended with all it started, and counts as failed, with its seed', (t) => {
  const hangs = `
    import { spawn } from 'node:child_process'
    const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => 1); setInterval(() => 1, 1000)'])
    console.log('child ' + child.pid)
    setInterval(() => 1, 1000)`
  const { ok, failed, output, why } = slice(t, hangs, 1500)
  t.notOk(ok)
  t.equal(failed, 1)
  t.equal(why, 'not done in 1.5 s')
  t.match(output, /^kill --seed 7 *: not done in 1\.5 s\n0 passed, 1 failed$/m)
  const [, pid = ''] = /^child (\d+)$/m.exec(output) ?? []
  t.ok(Number(pid) > 0)
  t.notOk(isRunning(Number(pid)), 'what it started is gone')
  t.end()
})

t.test('a run counts what its last line says; one that dies or says nothing has failed', (t) => {
  const says = (text: string, code = 0): string => `console.log(${JSON.stringify(text)}); process.exitCode = ${code}`
  t.match(slice(t, says('1 passed, 0 failed\n5 passed, 0 failed')), { ok: true, passed: 5, failed: 0 })
  t.match(slice(t, says('5 passed, 2 failed', 1)), { ok: false, passed: 5, failed: 2 })
  t.match(slice(t, says('5 passed, 0 failed', 3)), { ok: false, failed: 1, why: 'exit code 3' })
  t.match(slice(t, says('nothing')), { ok: false, passed: 0, failed: 1 })
  t.match(slice(t, 'process.kill(process.pid, "SIGKILL")'), { ok: false, failed: 1, why: 'ended by SIGKILL' })
  t.end()
})

/** A killed process may wait for its parent to notice; it does nothing any more. */
function isRunning(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout.trim() !== '' && !stdout.startsWith('Z')
}
