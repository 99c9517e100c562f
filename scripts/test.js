#!/usr/bin/env node
// Runs the unit and hermetic integration tests and ends with `N passed, N failed`.
// Arguments go to tap: `npm test -- test/routing` runs one folder. --browser runs the suite that needs a browser.
// With --again, and in CI, files that failed are run a second time, alone. What passes then is named "unsteady" and does not
// fail the run; what fails twice does (docs/decisions/0013).
import { spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** More failures than these in one run are not looked at again. */
const MOST_AGAIN = 4
const tap = fileURLToPath(new URL('../node_modules/.bin/tap', import.meta.url))
const browser = process.argv.includes('--browser')
const again = process.argv.includes('--again') || process.env['CI'] === 'true'
const given = process.argv.slice(2).filter((arg) => arg !== '--browser' && arg !== '--again')
const args = browser && given.every((arg) => arg.startsWith('-')) ? [...given, 'test/browser'] : given
// tap takes files; a folder stands for the tests in it.
const suite = args.flatMap((arg) =>
  arg.startsWith('-') || !statSync(arg, { throwIfNoEntry: false })?.isDirectory()
    ? [arg]
    : readdirSync(arg, { recursive: true })
        .filter((name) => name.endsWith('.test.ts'))
        .map((name) => join(arg, name))
)
// Pages are slow to open, and two browsers at once would measure each other.
const options = browser ? ['--exclude=', '--jobs=1', '--timeout=300'] : []
const quiet = !args.includes('--verbose')

/**
 * @param {readonly string[]} what
 * @returns {Promise<{ ok: boolean, passed: number, failed: number, failures: string[], files: string[] }>}
 */
function run(what) {
  const child = spawn(tap, ['--reporter=tap', ...options, ...what], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_NO_WARNINGS: '1' }
  })
  const failures = []
  const files = []
  const depth0 = { passed: 0, failed: 0 }
  let total = null
  let showing = 0
  let buffer = ''
  const look = (line) => {
    const summary = /^# \{ total: (\d+)(?:, pass: (\d+))?(?:, fail: (\d+))?/.exec(line)
    if (summary !== null) total = { passed: Number(summary[2] ?? 0), failed: Number(summary[3] ?? 0) }
    if (/^\s*not ok /.test(line)) {
      showing = 40
      failures.push(line.trim())
    }
    const file = /^not ok \d+ - (\S+\.test\.ts)/.exec(line)?.[1]
    if (file !== undefined) files.push(file)
    if (/^(not )?ok /.test(line)) {
      if (line.startsWith('ok')) depth0.passed++
      else depth0.failed++
      if (quiet) console.log(line.replace(/ \{$/, ''))
    }
    if (!quiet || showing > 0 || /# skipped:/.test(line)) {
      console.log(line)
      showing--
    }
  }
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (chunk) => {
    buffer += chunk
    const lines = buffer.split('\n')
    buffer = lines.pop() ?? ''
    for (const line of lines) look(line)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      const { passed, failed } = total ?? depth0
      resolve({ ok: code === 0 && failed === 0, passed, failed, failures, files })
    })
  })
}

const first = await run(suite)
let { ok, failed } = first
if (first.failures.length > 0) console.log(`\nfailed:\n  ${first.failures.slice(0, 40).join('\n  ')}`)
// Many at once are no accident of timing.
if (!ok && again && first.files.length > 0 && first.files.length <= MOST_AGAIN) {
  const steady = []
  for (const file of first.files) {
    console.log(`\nonce more, alone: ${file}`)
    const second = await run([file])
    if (!second.ok) steady.push(file)
    console.log(second.ok ? `unsteady: ${file} failed and then passed; find out why` : `${file} failed twice`)
  }
  ok = steady.length === 0
  if (ok) failed = 0
}
console.log(`\n${first.passed} passed, ${failed} failed`)
process.exitCode = ok ? 0 : 1
