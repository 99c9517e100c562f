#!/usr/bin/env node
// Everything a change must pass: types, lint and format, dead code, tests (which hold the dependency rules).
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { pool } from './job-pool.js'

/** The compiler takes a gigabyte. */
const SIDE_BY_SIDE = 2

if (process.argv.includes('--help')) {
  console.log(`usage: npm run check [-- --no-tests]
       npm run check -- --changed [--base REF] [--list]

  --changed   only what changed since the branch left main (on main: since the last commit) may have broken: its types, lint
              of the changed files, and the tests that import them, directly or through others. Prints what it chose
  --base REF  since this commit instead
  --list      prints what it would run, and runs nothing`)
  process.exit(0)
}
const root = fileURLToPath(new URL('..', import.meta.url))
if (process.argv.includes('--changed')) {
  const args = ['--import=tsx', 'scripts/check-changed.ts', ...process.argv.slice(2)]
  process.exit(spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1)
}
/** Answers true when the step passed; what it said is shown in one piece at its end. */
async function step(name, command, args) {
  const started = Date.now()
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => said.push(bytes))
  const [status] = await once(child, 'close')
  process.stdout.write(Buffer.concat(said))
  console.log(`${status === 0 ? 'ok' : 'FAILED'}  ${name}  ${((Date.now() - started) / 1000).toFixed(1)} s`)
  return status === 0
}

/** Several threads of the compiler do part of the work twice (14 CPU s for 9). */
const types = (config) => ({
  name: `types, ${config}`,
  command: 'npx',
  args: ['tsc', '--noEmit', '--singleThreaded', '-p', config],
  weight: 1
})
const steps = [
  types('tsconfig.test.json'),
  { name: 'lint and format', command: 'npx', args: ['biome', 'check', '--error-on-warnings', '.'], weight: 1 },
  types('tsconfig.json'),
  { name: 'dead code', command: 'npx', args: ['knip'], weight: 1 },
  types('tsconfig.web.json')
]
let failed = 0
const run = async ({ name, command, args }) => {
  if (!(await step(name, command, args))) failed++
}
// The pages are typed against what they import.
await run({ name: 'libraries of the dashboard', command: 'node', args: ['scripts/vendor.js', '--plain'] })
await pool(steps, SIDE_BY_SIDE, run)
if (!process.argv.includes('--no-tests')) {
  const { status } = spawnSync('npm', ['test', '-s'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) failed++
}
process.exitCode = failed === 0 ? 0 : 1
