import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { errorText } from '../../src/platform/errors.ts'
import { eventually, Launched, readyLine } from '../helpers/process.ts'
import { noRecorder } from '../helpers/record-shim.ts'
import { type Draw, KEEPS, MODELS, PowerDisk } from './power-disk.ts'
import { readRecording, type Step } from './power-recording.ts'
import { judgeState, Known, type Problem, RULES } from './power-verdict.ts'
import { PowerWorld } from './power-world.ts'
import { seeded } from './storm-events.ts'

const REAL = 'the real program starts on it, stores, knows the settings and the documents, and stops well'

const HELP = `usage: power [--seed N] [--count N] [--steps N] [--real N] [--recording FOLDER] [--keep]

The real program takes a storm, edits of its settings, keys, silences and documents over HTTP, in three lives; a library before it writes
down every write, cut, sync, rename and removal in its data folder. Then the power is cut at seeded moments: folders are built as a disk may
hold them (what was not synced is lost, there, in part, in any order, torn within a sector; names without a synced folder too), and the
station is opened on each, for an hour of its clock, while every sender repeats what it had to say. At the end:
${[...RULES, REAL].map((rule) => `  - ${rule}`).join('\n')}
  --seed N            default: one that is printed
  --count N           power cuts; default 1000
  --steps N           edits and posts in each life; default 60
  --real N            of the states, so many are opened by the real program too; default one in 50
  --recording FOLDER  another run's, instead of a new one
  --only N            this state alone
  --keep              keep the folders, and tell where they are
`

interface Options {
  seed: number
  count: number
  real: number
  only: number
}

const NAMES = ['nothing', 'all', 'prefix', 'some'] as const

class Cuts {
  readonly problems: { rule: string; what: string }[] = []
  readonly counts = new Map<string, number>()
  readonly #steps: readonly Step[]
  readonly #o: Options
  readonly #folder: string
  readonly #start: string

  constructor(folder: string, options: Options) {
    this.#steps = readRecording(join(folder, 'recording'))
    this.#start = join(folder, 'start')
    this.#folder = mkdtempSync(join(tmpdir(), 'lookout-cuts-'))
    this.#o = options
  }

  get summary(): string {
    const calls = new Map<string, number>()
    for (const { op } of this.#steps) calls.set(op, (calls.get(op) ?? 0) + 1)
    return [...calls].map(([op, n]) => `${op} ${n}`).join(', ')
  }

  async run(): Promise<void> {
    const random = seeded(this.#o.seed + 100)
    const moments = this.#moments(random)
    const disk = new PowerDisk(this.#start)
    const known = new Known()
    let done = 0
    for (const [index, moment] of moments.entries()) {
      for (; done < moment; done++) {
        const step = this.#steps[done]
        if (step?.op === 'mark') known.take(step.text)
        if (step !== undefined) disk.take(step)
      }
      const draw = drawOf(seeded(this.#o.seed + 1000 + index))
      if (this.#o.only >= 0 && this.#o.only !== index) continue
      await this.#state(index, { moment, draw, disk, known })
      if ((index + 1) % 100 === 0) console.log(`  ${index + 1} states, ${this.problems.length} problems`)
    }
  }

  /** Most right behind what was promised, or before and behind a sync or a rename. */
  #moments(random: () => number): number[] {
    const first = this.#steps.findIndex((step) => step.op === 'mark' && step.text.includes('"asked"'))
    const edges = this.#steps.flatMap((step, index) => {
      if (index < first) return []
      if (step.op === 'mark') return [index + 1]
      return ['sync', 'rename', 'unlink'].includes(step.op) ? [index, index + 1] : []
    })
    return Array.from({ length: this.#o.count }, () => {
      if (random() < 0.75) return edges[Math.floor(random() * edges.length)] ?? first
      return first + Math.floor(random() * (this.#steps.length - first))
    }).sort((a, b) => a - b)
  }

  async #state(
    index: number,
    { moment, draw, disk, known }: { moment: number; draw: Draw; disk: PowerDisk; known: Known }
  ): Promise<void> {
    const kind = `${draw.model}, data ${draw.data}, names ${draw.names}`
    this.counts.set(draw.data, (this.counts.get(draw.data) ?? 0) + 1)
    const bad = ({ rule, what }: { rule: string; what: string }): void => {
      this.problems.push({ rule, what })
      console.log(`  not ok: ${rule}\n    state ${index}, call ${moment}, ${kind}: ${what.slice(0, 700)}`)
    }
    const data = join(this.#folder, 'state')
    rmSync(data, { recursive: true, force: true })
    mkdirSync(data)
    disk.build(data, draw)
    const every = Math.max(1, Math.floor(this.#o.count / Math.max(1, this.#o.real)))
    if (this.#o.real > 0 && index % every === 0) await this.#really(data, known, bad)
    else for (const problem of await judgeState(data, known)) bad(problem)
  }

  async #really(data: string, known: Known, bad: (problem: { rule: string; what: string }) => void): Promise<void> {
    this.counts.set('real', (this.counts.get('real') ?? 0) + 1)
    const launched = new Launched({
      args: ['start', '--port', '0', '--data', data, '--no-demo'],
      env: { LOOKOUT_LOG: 'error' }
    })
    try {
      const { url } = await launched.until('the ready line', () => readyLine(launched.stdout))
      const get = async (path: string): Promise<{ status: number; text: string }> => {
        const response = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(30_000) })
        return { status: response.status, text: await response.text() }
      }
      await eventually('it stores', async () => /"storing":true/.test((await get('/api/status')).text))
      const { text } = await get('/api/settings')
      if (known.names[0] !== '' && !known.names.some((name) => text.includes(`"${name}"`)))
        bad({ rule: REAL, what: `${known.names.join()} is not in ${text.slice(0, 300)}` })
      for (const hash of known.things.get('document') ?? []) {
        const told = await get(`/api/upload/${hash}/status`)
        if (told.status !== 200 || /"status":"failed"/.test(told.text))
          bad({ rule: REAL, what: `${hash}: ${told.status} ${told.text.slice(0, 300)}` })
      }
      const aside = readdirSync(data).filter((name) => name.includes('.bad-'))
      if (aside.length > 0) bad({ rule: REAL, what: aside.join() })
      const { code, stderr } = await launched.stop()
      if (code !== 0 || stderr !== '') bad({ rule: REAL, what: `code ${code} ${stderr.slice(-500)}` })
    } catch (error) {
      bad({ rule: REAL, what: errorText(error) })
      await launched.kill()
    }
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function drawOf(random: () => number): Draw {
  const pick = <T>(list: readonly [T, ...T[]] | readonly T[]): T => {
    const one = list[Math.floor(random() * list.length)]
    if (one === undefined) throw new Error('nothing to draw from')
    return one
  }
  return { model: pick(MODELS), data: pick(KEEPS), names: pick(NAMES), random }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      count: { type: 'string', default: '1000' },
      steps: { type: 'string', default: '60' },
      real: { type: 'string' },
      only: { type: 'string', default: '-1' },
      recording: { type: 'string' },
      keep: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  if (noRecorder !== null) throw new Error(`nothing can be recorded here: ${noRecorder}`)
  const count = Number(values.count)
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const options = { seed, count, real: Number(values.real ?? Math.ceil(count / 50)), only: Number(values.only) }
  if (![...Object.values(options), Number(values.steps)].every(Number.isInteger))
    throw new Error('whole numbers, please')
  console.log(`power cuts, seed ${seed}`)
  const folder = values.recording ?? (await recorded(seed, Number(values.steps)))
  const cuts = new Cuts(folder, options)
  console.log(`recorded: ${cuts.summary}`)
  await cuts.run()
  cuts.close()
  const failed = new Set(cuts.problems.map(({ rule }) => rule))
  const rules: readonly (Problem['rule'] | typeof REAL)[] = [...RULES, REAL]
  console.log(`seed ${seed}: ${count} states: ${[...cuts.counts].map(([kind, n]) => `${kind} ${n}`).join(', ')}`)
  for (const rule of rules) console.log(`${failed.has(rule) ? 'not ok' : 'ok'} ${rule}`)
  console.log(`${rules.length - failed.size} passed, ${failed.size} failed`)
  if (values.keep || failed.size > 0) console.log(`kept: ${folder}`)
  else if (values.recording === undefined) rmSync(folder, { recursive: true, force: true })
  return failed.size === 0 ? 0 : 1
}

async function recorded(seed: number, steps: number): Promise<string> {
  const world = new PowerWorld(seed)
  copyFileSync(join(world.data, 'config.json'), join(world.start, 'config.json'))
  await world.record(steps)
  return world.folder
}

process.exitCode = await main()
