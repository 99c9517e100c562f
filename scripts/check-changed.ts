/** `npm run check -- --changed`: what a change may have broken, and nothing else. The whole of it is `npm run check`. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { choose } from './changed.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: { changed: { type: 'boolean' }, base: { type: 'string' }, list: { type: 'boolean' } }
})

function git(...args: string[]): string[] {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.trim()}`)
  return stdout.split('\n').filter((line) => line !== '')
}

/** The commit where the branch left main; on main itself, the last commit. */
function baseOf(): string {
  if (values.base !== undefined) return values.base
  const branches = git('branch', '--list', '--format=%(refname:short)', 'main', 'master')
  const [left] = branches.slice(0, 1).flatMap((branch) => git('merge-base', 'HEAD', branch))
  return left ?? 'HEAD'
}

function run(name: string, command: string, args: readonly string[]): boolean {
  const started = Date.now()
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  console.log(`${status === 0 ? 'ok' : 'FAILED'}  ${name}  ${((Date.now() - started) / 1000).toFixed(1)} s`)
  return status === 0
}

const base = baseOf()
const changed = [
  ...new Set([
    ...git('diff', '--name-only', '--no-renames', base),
    ...git('ls-files', '--others', '--exclude-standard')
  ])
].sort()
const { tests, others, types, lint, untested } = choose(root, changed)
console.log(`${changed.length} files changed since ${base.slice(0, 7)}`)
for (const file of changed) console.log(`  ${file}`)
console.log(`types: ${types.join(', ') || 'none'}`)
console.log(`lint: ${lint.length} files`)
console.log(`tests: ${tests.length} files`)
for (const file of tests) console.log(`  ${file}`)
if (others.length > 0) console.log(`left to npm run test:integration and test:browser: ${others.length} files`)
for (const file of untested) console.log(`no test imports ${file}`)

if (values.list !== true) {
  // The pages are typed against libraries that are copied into web/ first.
  const libraries = types.includes('tsconfig.web.json')
  const results = [
    !libraries || run('libraries of the dashboard', process.execPath, ['scripts/vendor.js', '--plain']),
    ...types.map((config) => run(`types, ${config}`, 'npx', ['tsc', '--noEmit', '-p', config])),
    lint.length === 0 || run('lint and format', 'npx', ['biome', 'check', '--error-on-warnings', ...lint]),
    tests.length === 0 || run('tests', process.execPath, ['scripts/test.js', ...tests])
  ]
  process.exitCode = results.every((passed) => passed) ? 0 : 1
}
