// Runs compiled test files one after another in this process: the loader is paid once for all of them. After each it tells
// on descriptor 3, as a line of JSON, what the file asserted, what it cost and what it left behind for the next one.
import { readFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import t from 'tap'
import { errorsGoTo } from './test-errors.ts'
import { surroundings } from './test-surroundings.ts'

// Not as arguments: tap names the folders of tests after those.
const files = (process.env['LOOKOUT_TEST_FILES'] ?? '').split('\n')
const folder = process.env['LOOKOUT_COMPILED'] ?? ''

/** CPU of this process and of the children it waited for, in ms. Only Linux tells the latter. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  if (process.platform !== 'linux') return (user + system) / 1000
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (user + system) / 1000 + (Number(fields[13]) + Number(fields[14])) * 10
}

errorsGoTo(t)
/** The lines of this turn: each of 80,000 as a write of its own was a twentieth of what the suite costs. */
let told = ''
function tell(): void {
  if (told !== '') process.stdout.write(told)
  told = ''
}
process.on('exit', tell)
// With this it listens to the process, before a file can be blamed for it.
t.pipe(
  new Writable({
    decodeStrings: false,
    write(lines, _encoding, done) {
      if (told === '') setImmediate(tell)
      told += String(lines)
      done()
    }
  })
)
t.testdirName = join(tmpdir(), String(process.pid))
/** The time for which what is left open may keep the process at its end. Milliseconds. */
const GOING_MS = 2000
/** The wishes of a file for its end are done there, not behind all others; and tap would end with the first such wish. */
const teardowns: (() => unknown)[] = []
t.teardown = (wish) => {
  teardowns.push(wish)
}

/** A leftover of a file alone disturbs nobody; one that does not end is ended by who started it. */
const isShared = files.length > 1

const before = { pass: 0, fail: 0, cpu: 0 }
for (const file of files) {
  const around = surroundings()
  await import(join(folder, file))
  // Tests of the root run in the order they were asked for: when this one runs, those of the file are over and counted.
  await t.test(`end of ${file}`, async (end) => {
    for (const wish of teardowns.splice(0).reverse()) await wish()
    // A line of its own lets tap count the one before.
    end.comment('over')
    await new Promise((resolve) => setImmediate(resolve))
    const { pass, fail } = t.counts
    const cpu = cpuMs()
    const left = isShared ? await around.left() : []
    const told = { file, passed: pass - before.pass, failed: fail - before.fail, cpuMs: cpu - before.cpu, left }
    writeSync(3, `${JSON.stringify(told)}\n`)
    // This one counts as passed, too.
    Object.assign(before, { pass: pass + 1, fail, cpu })
    // Handles that were left open and named must not keep the process; of one that ends by itself nothing of this is
    // seen.
    if (isShared && file === files.at(-1)) setTimeout(() => process.exit(), GOING_MS).unref()
  })
}
