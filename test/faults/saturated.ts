import { parseArgs } from 'node:util'
import { LIVE_RULES, liveSlice } from './saturated-live.ts'
import { PAIRS } from './saturated-pairs.ts'
import { saturatedRun } from './saturated-run.ts'
import { RULES } from './saturated-verdict.ts'

const HELP = `usage: saturated [--seed N] [--hours N] [--pair NAME] [--immediates N] [--live SECONDS]

Two radios for which 200 routine messages wait at any time, for so many hours of a clock that runs as fast as the machine can: the
program's walk with its real drivers against both peers, in one process. At random instants an immediate message is put among them.
The peers keep the time-on-air of their settings, the random wait before each packet and the limits of their firmware. Each pair runs
twice: with the channel to itself, and shared with a neighbour that passes every text on (which may cost one of its transmissions more).
${RULES.map((rule) => `  - ${rule}`).join('\n')}
In time: within 5 s at LongFast or faster and on MC at SF8 or faster, else within 3 s and one time-on-air.
  --seed N        default: one that is printed
  --hours N       default 24
  --pair NAME     one of ${PAIRS.map(({ name }) => name).join(', ')}; default all
  --immediates N  in each run; default two an hour: more would spend the reserve of the slowest presets
  --live SECONDS  first, for so long, the program itself with both peers over TCP at LongFast, in real time; default 0: not at all
`

type Problem = { rule: string; what: string }

const round = (value: number): string => String(Math.round(value))

async function virtual({
  seed,
  hours,
  immediates,
  pair
}: {
  seed: number
  hours: number
  immediates: number
  pair: string
}) {
  const problems: Problem[] = []
  for (const chosen of PAIRS.filter(({ name }) => pair === '' || name === pair)) {
    for (const repeats of [false, true]) {
      const began = Date.now()
      const run = await saturatedRun({ ...chosen, repeats }, { seed, hours, immediates })
      problems.push(...run.problems)
      const seconds = ((Date.now() - began) / 1000).toFixed(1)
      const reserve = `${run.fromReserve} immediate texts from the reserve`
      console.log(
        `  ${hours} h in ${seconds} s, ${repeats ? 'channel shared with a neighbour' : 'channel to itself'}, ${reserve}`
      )
      for (const {
        label,
        sent,
        p50,
        max,
        bound,
        overBudget,
        immediates: count,
        busiestHourSeconds,
        budgetSeconds
      } of run.figures)
        console.log(
          `    ${label}: ${sent} texts; ${count} immediate: median ${round(p50)} ms, longest ${round(max)} of ${round(bound)} ms; ` +
            `busiest hour ${round(busiestHourSeconds)} of ${round(budgetSeconds)} s${overBudget === 0 ? '' : `; ${overBudget} waited for the hour`}`
        )
    }
  }
  return report(RULES, problems)
}

async function live(seed: number, seconds: number): Promise<{ passed: number; failed: number }> {
  const { latencies, sent, problems } = await liveSlice({ seed, seconds })
  const all = Object.entries(latencies).map(([network, ms]) => `${network} ${ms.map(round).join(' ')}`)
  console.log(`  live, ${seconds} s: ${sent} texts; immediate ones on the air after ms: ${all.join('; ')}`)
  return report(LIVE_RULES, problems)
}

function report(rules: readonly string[], problems: readonly Problem[]): { passed: number; failed: number } {
  const broken = new Set(problems.map(({ rule }) => rule))
  for (const rule of rules) console.log(`${broken.has(rule) ? 'not ok' : 'ok'} ${rule}`)
  for (const { rule, what } of problems.slice(0, 40)) console.log(`  ${rule}: ${what}`)
  return { passed: rules.length - broken.size, failed: broken.size }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      hours: { type: 'string', default: '24' },
      pair: { type: 'string', default: '' },
      immediates: { type: 'string' },
      live: { type: 'string', default: '0' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const { pair } = values
  if (pair !== '' && !PAIRS.some(({ name }) => name === pair)) throw new Error(`unknown pair ${pair}: see --help`)
  const hours = Number(values.hours)
  const numbers = {
    seed: Number(values.seed ?? Date.now() % 1_000_000),
    hours,
    immediates: Number(values.immediates ?? 2 * hours),
    live: Number(values.live)
  }
  if (!Object.values(numbers).every((value) => Number.isInteger(value) && value >= 0))
    throw new Error('whole numbers, please')
  console.log(`saturated, seed ${numbers.seed}`)
  const slice = numbers.live === 0 ? { passed: 0, failed: 0 } : await live(numbers.seed, numbers.live)
  const runs = hours === 0 ? { passed: 0, failed: 0 } : await virtual({ ...numbers, pair })
  const failed = slice.failed + runs.failed
  console.log(`${slice.passed + runs.passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

process.exitCode = await main()
