import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import t from 'tap'
import { startLookout } from '../helpers/process.ts'
import { compressedDay } from './soak-day.ts'
import { slopeAnHour } from './soak-slope.ts'

const HELP = `usage: soak [--hours N] [--seed N]
       soak --rest MINUTES [--program FILE] [--every SECONDS]

A day in a fast clock: two radios whose links break and come back, events all day long. Memory after collection, open files and
timers may not grow, no message may be left without an end.
  --hours N      of that clock; default 24
  --seed N       of the breaks; default: one that is printed

With --rest: the real program at rest on the profile minimal_pi, watched from outside for so many minutes: resident memory, open files,
children and bytes written, extrapolated to a day. The first minute is its start and does not count.
  --program FILE the built program (dist/lookout.js); default: these sources
  --every SECONDS  between two looks; default 10
`
/** A day at rest writes no more (one SD card wears out by it). */
const MOST_BYTES_A_DAY = 20_000_000
const START_MS = 60_000
const HOUR_MS = 3_600_000

interface Look {
  at: number
  rssMb: number
  handles: number
  children: number
  written: number
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Bytes that went to the disk, and pages in memory, of a process and all that it started. */
function look(pid: number): Look {
  const group = [pid, ...childrenOf(pid)]
  const field = (one: number, file: string, name: string): number => {
    const found = new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${one}/${file}`, 'utf8'))
    return Number(found?.[1] ?? 0)
  }
  const sum = (value: (one: number) => number): number => group.reduce((total, one) => total + value(one), 0)
  return {
    at: Date.now(),
    rssMb: sum((one) => field(one, 'status', 'VmRSS')) / 1024,
    handles: readdirSync(`/proc/${pid}/fd`).length,
    children: group.length - 1,
    written: sum((one) => field(one, 'io', 'write_bytes'))
  }
}

function childrenOf(pid: number): number[] {
  const own = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  return own.flatMap((child) => [child, ...childrenOf(child)])
}

async function atRest(minutes: number, everyMs: number, program: string | undefined): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'lookout-soak-'))
  writeFileSync(join(data, 'config.json'), JSON.stringify({ station: { name: 'Hill' } }))
  t.teardown(() => rmSync(data, { recursive: true, force: true }))
  const { launched } = await startLookout(t, data, {
    args: ['--no-demo', '--profile', 'minimal_pi'],
    ...(program === undefined ? {} : { program })
  })
  const pid = Number(launched.child.pid)
  await pause(Math.min(START_MS, (minutes * 60_000) / 2))
  const looks: Look[] = [look(pid)]
  const end = Date.now() + minutes * 60_000
  while (Date.now() < end) {
    await pause(everyMs)
    looks.push(look(pid))
  }
  judge(looks)
}

function judge(looks: readonly Look[]): void {
  const [first, last] = [looks[0], looks.at(-1)]
  if (first === undefined || last === undefined || last.at <= first.at) throw new Error('too short to say anything')
  const hours = (last.at - first.at) / HOUR_MS
  const writtenADay = ((last.written - first.written) / hours) * 24
  const slope = slopeAnHour(looks.map(({ at, rssMb }) => ({ at, value: rssMb })))
  const range = (of: (one: Look) => number): string => `${Math.min(...looks.map(of))} to ${Math.max(...looks.map(of))}`
  console.log(
    `soak at rest, minimal_pi, ${(hours * 60).toFixed(1)} min, ${looks.length} looks: ` +
      `${first.rssMb.toFixed(1)} MiB at first, ${last.rssMb.toFixed(1)} at last, ${slope.toFixed(2)} MiB an hour; ` +
      `handles ${range(({ handles }) => handles)}; children ${range(({ children }) => children)}; ` +
      `written ${((last.written - first.written) / 1e6).toFixed(2)} MB, ${(writtenADay / 1e6).toFixed(1)} MB a day`
  )
  t.ok(
    writtenADay <= MOST_BYTES_A_DAY,
    `${(writtenADay / 1e6).toFixed(1)} MB a day are no more than ${MOST_BYTES_A_DAY / 1e6}`
  )
  t.ok(last.handles <= first.handles + 2, 'no open file is left behind')
  t.ok(last.children <= first.children, 'no child is left behind')
}

const { values } = parseArgs({
  options: {
    hours: { type: 'string', default: '24' },
    seed: { type: 'string' },
    rest: { type: 'string' },
    every: { type: 'string', default: '10' },
    program: { type: 'string' },
    help: { type: 'boolean', short: 'h' }
  }
})
if (values.help) process.stdout.write(HELP)
else {
  t.setTimeout(0)
  const { rest } = values
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  await t.test(rest === undefined ? `soak, seed ${seed}` : 'soak at rest', { timeout: 0 }, async () => {
    if (rest !== undefined) await atRest(Number(rest), Number(values.every) * 1000, values.program)
    else await compressedDay(t, { hours: Number(values.hours), seed })
  })
  const { pass, fail } = t.counts
  console.log(`${pass} passed, ${fail} failed`)
}
