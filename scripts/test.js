#!/usr/bin/env node
// Runs the unit and hermetic integration tests and ends with `N passed, N failed`.
// Arguments go to tap: `npm test -- test/routing` runs one folder. --browser runs the suite that needs a browser.
import { spawn } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const tap = fileURLToPath(new URL('../node_modules/.bin/tap', import.meta.url))
const browser = process.argv.includes('--browser')
const given = process.argv.slice(2).filter((arg) => arg !== '--browser')
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
const child = spawn(tap, ['--reporter=tap', ...options, ...suite], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, NODE_NO_WARNINGS: '1' }
})

let buffer = ''
const depth0 = { passed: 0, failed: 0 }
let total = null
const failures = []
const quiet = !args.includes('--verbose')
child.stdout.setEncoding('utf8')
child.stdout.on('data', (chunk) => {
  buffer += chunk
  const lines = buffer.split('\n')
  buffer = lines.pop() ?? ''
  for (const line of lines) look(line)
})

let showing = 0
function look(line) {
  const summary = /^# \{ total: (\d+)(?:, pass: (\d+))?(?:, fail: (\d+))?(?:, skip: (\d+))?/.exec(line)
  if (summary !== null)
    total = { passed: Number(summary[2] ?? 0), failed: Number(summary[3] ?? 0), skipped: Number(summary[4] ?? 0) }
  if (/^\s*not ok /.test(line)) {
    showing = 40
    failures.push(line.trim())
  }
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

child.on('close', (code) => {
  const { passed, failed } = total ?? depth0
  if (failures.length > 0) console.log(`\nfailed:\n  ${failures.slice(0, 40).join('\n  ')}`)
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = code === 0 && failed === 0 ? 0 : 1
})
