#!/usr/bin/env node
// Everything a change must pass: types, lint and format, dead code, tests (which hold the dependency rules).
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

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
const steps = [
  // The pages are typed against what they import.
  ['libraries of the dashboard', 'node', ['scripts/vendor.js', '--plain']],
  ['types', 'npm', ['run', '-s', 'typecheck']],
  ['lint and format', 'npx', ['biome', 'check', '--error-on-warnings', '.']],
  ['dead code', 'npx', ['knip']],
  ...(process.argv.includes('--no-tests') ? [] : [['tests', 'npm', ['test', '-s']]])
]
let failed = 0
for (const [name, command, args] of steps) {
  const started = Date.now()
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  console.log(`${status === 0 ? 'ok' : 'FAILED'}  ${name}  ${((Date.now() - started) / 1000).toFixed(1)} s`)
  if (status !== 0) failed++
}
process.exitCode = failed === 0 ? 0 : 1
