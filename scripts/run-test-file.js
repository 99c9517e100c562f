// One compiled test file in a process of its own: what it asserted, what it skipped, and what it cost.
import { spawn } from 'node:child_process'

const TIMEOUT_MS = 300_000
/** Lines after a failure that tell where and why. */
const AROUND = 40
/** Says at its end what the process and the children it waited for have used, in ms of CPU, on a pipe of its own. */
const METER = `data:text/javascript,${encodeURIComponent(`
import { readFileSync, writeSync } from 'node:fs'
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  let children = 0
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').replace(/^.*\\) /s, '').split(' ')
    children = (Number(fields[13]) + Number(fields[14])) * 10
  } catch {}
  try { writeSync(3, String((user + system) / 1000 + children)) } catch {}
})`)}`

/**
 * @typedef {{ file: string, ok: boolean, passed: number, failed: number, skipped: string[], failures: string[],
 *   wallMs: number, cpuMs: number, output: string, trouble: string }} FileResult
 * @param {{ root: string, file: string, compiled: string, folder: string }} what
 * @returns {Promise<FileResult>}
 */
export function runFile({ root, file, compiled, folder }) {
  const started = Date.now()
  const child = spawn(process.execPath, ['--enable-source-maps', `--import=${METER}`, compiled], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
    env: {
      ...process.env,
      NODE_NO_WARNINGS: '1',
      LOOKOUT_COMPILED: folder,
      TAP: '1',
      TAP_TIMEOUT: String(TIMEOUT_MS / 1000)
    }
  })
  const heard = { stdout: '', stderr: '', cpu: '' }
  const hear = (stream, name) =>
    stream.setEncoding('utf8').on('data', (text) => {
      heard[name] += text
    })
  hear(child.stdout, 'stdout')
  hear(child.stderr, 'stderr')
  hear(child.stdio[3], 'cpu')
  let late = false
  const timer = setTimeout(() => {
    late = true
    endGroup(child.pid)
  }, TIMEOUT_MS)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => clearTimeout(timer))
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      endGroup(child.pid)
      resolve({
        file,
        wallMs: Date.now() - started,
        cpuMs: Number(heard.cpu),
        ...judged(heard, { code, signal, late })
      })
    })
  })
}

/** A program that a test left behind would hold the next one's ports. */
function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

function judged({ stdout, stderr }, { code, signal, late }) {
  const lines = stdout.split('\n')
  const total = lines.map((line) => /^# \{ total: \d+(?:, pass: (\d+))?(?:, fail: (\d+))?/.exec(line)).findLast(Boolean)
  const failures = lines
    .filter((line) => /^\s*not ok /.test(line) && !/# (?:todo|skip)/i.test(line))
    .map((line) => line.trim())
  const { skipped, empty } = skippedIn(lines)
  const asserted = Number(total?.[1] ?? 0) - empty
  const end = late ? `not done in ${TIMEOUT_MS / 1000} s` : signal !== null ? `ended by ${signal}` : `exit code ${code}`
  if (total === undefined) failures.push(`no result: ${end}`)
  else if (code !== 0 && failures.length === 0) failures.push(end)
  else if (asserted === 0 && skipped.length === 0 && failures.length === 0) failures.push('it asserted nothing')
  const ok = failures.length === 0 && code === 0
  return {
    ok,
    passed: asserted,
    failed: ok ? 0 : Math.max(1, Number(total?.[2] ?? 0)),
    skipped,
    failures,
    output: `${stdout}${stderr}`,
    trouble: ok ? '' : `${around(lines)}\n${stderr.slice(-4000)}\n${failures.join('\n')}`
  }
}

/**
 * What was left out: tests that tap skips, and those that say `# skipped: why` because a recording or a program is not here.
 * Such a test without any assertion is counted by tap as one that passed (`empty`).
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
