// The runs that break things on purpose, those of them that a change must pass, and how one is run: in a group of
// processes of its own, which is ended when it takes longer than it may.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { compiledPath } from './compile-tests.js'

export const RUNS = {
  attack: 'attack.ts',
  clock: 'clock-jumps.ts',
  damage: 'damage.ts',
  disk: 'disk-storm.ts',
  fuzz: 'fuzz.ts',
  kill: 'kill-storm.ts',
  'kill-peers': 'kill-peers.ts',
  'kill-ingest': 'kill-ingest.ts',
  'kill-library': 'kill-library.ts',
  peers: 'peer-storm.ts',
  power: 'power.ts',
  saturated: 'saturated.ts',
  soak: 'soak.ts',
  sources: 'sources-day.ts',
  standby: 'standby.ts',
  titles: 'titles.ts'
}

/**
 * The slices that a change must pass: a few rounds of each run. Seeds are fixed, so that a failure comes back. `weight` is
 * the part of a processor that one keeps busy (most wait for clocks and for programs that start again), `seconds` what it takes.
 */
export const SLICES = [
  { weight: 1, seconds: 80, command: ['attack', '--seconds', '3', '--times', 'told'] },
  { weight: 0.5, seconds: 70, command: ['kill-ingest', '--seed', '1', '--rounds', '8', '--files', '10'] },
  { weight: 0.5, seconds: 50, command: ['peers', '--seed', '1', '--events', '20', '--air-scale', '0.2'] },
  {
    weight: 1,
    seconds: 54,
    command: ['saturated', '--seed', '1', '--hours', '1', '--immediates', '4', '--live', '25']
  },
  { weight: 0.5, seconds: 50, command: ['disk', '--seed', '1', '--rounds', '10'] },
  { weight: 0.5, seconds: 40, command: ['kill', '--seed', '1', '--rounds', '5', '--events', '3'] },
  { weight: 1, seconds: 19, command: ['sources', '--seed', '1', '--hours', '3'] },
  { weight: 0.5, seconds: 40, command: ['power', '--seed', '1', '--count', '40', '--steps', '25'] },
  { weight: 0.5, seconds: 14, command: ['kill-library', '--seed', '1', '--rounds', '6', '--articles', '60'] },
  { weight: 1, seconds: 6, command: ['clock', '--seed', '2', '--jumps', '30'] },
  { weight: 1, seconds: 11, command: ['damage', '--seed', '1', '--flips', '60', '--step', '3'] },
  { weight: 0.5, seconds: 9, command: ['kill-peers', '--seed', '1', '--rounds', '4'] },
  { weight: 1, seconds: 30, command: ['fuzz', '--seed', '1', '--cases', '60', '--pumps', '2'] },
  { weight: 1, seconds: 12, command: ['soak', '--seed', '1', '--hours', '4'] },
  { weight: 1, seconds: 15, command: ['standby', '--seed', '1', '--count', '60'] },
  { weight: 1, seconds: 5, command: ['titles', '--seed', '2', '--count', '300'] }
]

/** More than three times what the longest slice takes on a machine four times slower than that of docs/measurements.md. */
export const SLICE_LIMIT_MS = 15 * 60_000
/** All slices together. */
export const ALL_LIMIT_MS = 40 * 60_000

export const sourceOf = (run) => `test/faults/${RUNS[run]}`

/** The arguments of Node for a run, compiled. */
export const commandOf = ([run, ...args]) => [compiledPath(sourceOf(run)), ...args]

/**
 * Runs Node with these arguments. A run that does not end, or ends without saying what it found, has failed: `output` names
 * it with its seed then.
 * @param {{ name: string, args: string[], cwd: string, env?: Record<string, string>, limitMs: number, shown?: boolean }} run
 *   with `shown` what it says goes to the terminal as it comes
 */
export async function runSlice({ name, args, cwd, env = {}, limitMs, shown = false }) {
  const started = Date.now()
  const child = spawn(process.execPath, args, {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_NO_WARNINGS: '1', ...env }
  })
  const end = () => endGroup(child.pid)
  process.prependOnceListener('exit', end)
  let output = ''
  for (const stream of ['stdout', 'stderr'])
    child[stream].setEncoding('utf8').on('data', (text) => {
      output += text
      if (shown) process[stream].write(text)
    })
  let cpuMs = 0
  const meter = setInterval(() => {
    cpuMs = Math.max(cpuMs, cpuMsOf(child.pid))
  }, 200)
  let late = false
  const timer = setTimeout(() => {
    late = true
    end()
  }, limitMs)
  const ended = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(signal === null ? `exit code ${code}` : `ended by ${signal}`))
  })
  clearTimeout(timer)
  clearInterval(meter)
  process.removeListener('exit', end)
  end()
  const [, passed = '0', failed = '0'] = [...output.matchAll(/^(\d+) passed, (\d+) failed/gm)].at(-1) ?? []
  const counts = { passed: Number(passed), failed: Number(failed) }
  const why = late ? `not done in ${limitMs / 1000} s` : ended
  const ok = !late && ended === 'exit code 0' && counts.failed === 0 && counts.passed > 0
  // A failure that the run itself has not counted.
  if (!ok && counts.failed === 0) {
    counts.failed = 1
    const seed = name.includes('--seed') ? '' : (/\bseed \d+/.exec(output)?.[0] ?? '')
    const told = `${name} ${seed}: ${why}\n${counts.passed} passed, 1 failed\n`
    output += told
    if (shown) process.stdout.write(told)
  }
  return { ok, ...counts, output, why, wallMs: Date.now() - started, cpuMs }
}

/** CPU of a process and of the children it waited for; 0 where nobody tells. */
function cpuMsOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * 10
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return 0
    throw error
  }
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
