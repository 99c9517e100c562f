// Compiled test files in a process of their own: what each asserted, what it skipped, and what it cost.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { watchForHang } from './hang-watch.js'
import { asInSources } from './places-in-sources.js'

/**
 * The longest file takes 124 s on the machine of docs/measurements.md; others are four times slower, or busy. One that hangs is
 * found sooner (hang-watch.js).
 */
const TIMEOUT_MS = 900_000
/** Lines after a failure that tell where and why. */
const AROUND = 40

/**
 * @typedef {{ file: string, ok: boolean, passed: number, failed: number, skipped: string[], failures: string[],
 *   wallMs: number, cpuMs: number, output: string, trouble: string }} FileResult
 * @param {{ root: string, folder: string, data: string, files: string[], hang: { slowness: number, seconds?: number } }} what
 *   `folder` holds the compiled files, `data` what tests write, `files` are sources, `hang` as watchForHang takes it
 * @returns {Promise<FileResult[]>} of the files that ran. Where one ended the process, those behind it are not among them.
 */
export async function runFiles({ root, folder, data, files, hang }) {
  const { told, stdout, stderr, end, wallMs } = await runProcess({ root, folder, data, files, hang })
  const results = []
  let rest = stdout
  let wallBefore = 0
  for (const [index, file] of files.entries()) {
    const line = told[index]
    const over = `# Subtest: end of ${file.replace(/\.ts$/, '.js')}\n`
    const at = line === undefined ? -1 : rest.indexOf(over)
    const output = at === -1 ? rest : rest.slice(0, at)
    const last = index === files.length - 1
    if (at !== -1 && !last) rest = rest.slice(rest.indexOf('\n', rest.indexOf('\nok ', at) + 1) + 1)
    // An exit code of failure that no test explains is the last file's.
    const explained = end === 'exit code 0' || failedLines(output).length > 0 || results.some(({ ok }) => !ok)
    const whole = line !== undefined && (!last || explained)
    const spent = line === undefined ? wallMs - wallBefore : line.at - wallBefore
    wallBefore = line === undefined ? wallMs : line.at
    results.push({
      file,
      wallMs: spent,
      cpuMs: line?.cpuMs ?? 0,
      ...judged({ output, stderr, line, end: whole ? null : end })
    })
    if (line === undefined) break
  }
  return results
}

/** Starts the process and listens to it until it ends, or until a file takes longer than it may; it ends with this one at the latest. */
function runProcess({ root, folder, data, files, hang }) {
  const started = Date.now()
  const child = spawn(process.execPath, [join(folder, 'scripts/test-group.js')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
    env: {
      ...process.env,
      NODE_NO_WARNINGS: '1',
      TMPDIR: data,
      LOOKOUT_COMPILED: folder,
      LOOKOUT_TEST_FILES: files.map((file) => file.replace(/\.ts$/, '.js')).join('\n'),
      TAP: '1',
      TAP_TIMEOUT: String(TIMEOUT_MS / 1000)
    }
  })
  const end = () => endGroup(child.pid)
  process.prependOnceListener('exit', end)
  const heard = { stdout: '', stderr: '' }
  const told = []
  let hung = null
  const tooLate = (why = `not done in ${TIMEOUT_MS / 1000} s`) => {
    hung ??= `${why}${lastTold(heard.stdout)}`
    end()
  }
  const watch = watchForHang({ pid: child.pid, ...hang, onHung: tooLate })
  let timer = setTimeout(() => tooLate(), TIMEOUT_MS)
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', (text) => {
      heard[name] += text
      watch.told()
    })
  createInterface({ input: child.stdio[3] }).on('line', (line) => {
    told.push({ ...JSON.parse(line), at: Date.now() - started })
    clearTimeout(timer)
    timer = setTimeout(() => tooLate(), TIMEOUT_MS)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      watch.stop()
      process.removeListener('exit', end)
      end()
      const how = hung ?? (signal !== null ? `ended by ${signal}` : `exit code ${code}`)
      resolve({ told, ...heard, end: how, wallMs: Date.now() - started })
    })
  })
}

/** The last thing that a file told before it hung. */
function lastTold(stdout) {
  const name = [...stdout.matchAll(/^ *(?:not )?ok \d+ - (.*?)(?: # time=.*)?$/gm)].at(-1)?.[1]
  return name === undefined ? '' : ` after "${name}"`
}

/** A program that a test left behind would hold the next one's ports. */
function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

const failedLines = (output) =>
  output
    .split('\n')
    .filter((text) => /^\s*not ok /.test(text) && !/# (?:todo|skip)/i.test(text))
    .map((text) => text.trim())

/** `line` is what the file told at its end; `end` is how the process ended, where that is a failure of this file. */
function judged({ output, stderr, line, end }) {
  const lines = output.split('\n')
  const failures = failedLines(output)
  const { skipped, empty } = skippedIn(lines)
  const passed = (line?.passed ?? 0) - empty
  if (line === undefined) failures.push(`no result: ${end}`)
  else if (end !== null) failures.push(end)
  else if (line.left.length > 0) failures.push(`it left behind: ${line.left.join(', ')}`)
  else if (passed === 0 && skipped.length === 0 && failures.length === 0) failures.push('it asserted nothing')
  const ok = failures.length === 0
  return {
    ok,
    passed,
    failed: ok ? 0 : Math.max(1, line?.failed ?? 0),
    skipped,
    failures,
    output: ok ? output : asInSources(`${output}${stderr}`),
    trouble: ok ? '' : asInSources(`${around(lines)}\n${stderr.slice(-4000)}\n${failures.join('\n')}`)
  }
}

/**
 * Finds what was left out: tests that tap skips, and those that say `# skipped: why` because a recording or a program
 * is not here. Such a test without any assertion is counted by tap as one that passed (`empty`).
 */
function skippedIn(lines) {
  const skipped = []
  let empty = 0
  let reasons = []
  let asserted = false
  for (const line of lines) {
    if (line.startsWith('# Subtest: ')) {
      reasons = []
      asserted = false
    }
    const reason = /^ *# skipped: (.*)$/.exec(line)?.[1]
    if (reason !== undefined) reasons.push(reason)
    else if (/^ +(?:not )?ok /.test(line)) asserted = true
    const bySkip = /^ *ok .*# SKIP ?(.*)$/i.exec(line)?.[1]
    if (bySkip !== undefined) skipped.push(bySkip)
    else if (/^(?:not )?ok /.test(line)) {
      skipped.push(...new Set(reasons))
      if (reasons.length > 0 && !asserted) empty++
      reasons = []
      asserted = false
    }
  }
  return { skipped, empty }
}

function around(lines) {
  const shown = new Set()
  lines.forEach((line, at) => {
    if (/^\s*not ok /.test(line) && !/# (?:todo|skip)/i.test(line)) for (let n = at; n < at + AROUND; n++) shown.add(n)
  })
  return lines.filter((_, at) => shown.has(at)).join('\n')
}
