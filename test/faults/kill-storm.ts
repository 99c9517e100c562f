import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../src/platform/database/database.ts'
import { ledgerMigrations } from '../../src/warning/outbox/schema.ts'
import { eventually, Launched, ndjson, readyLine } from '../helpers/process.ts'
import { STORM_CONFIG, type StormEvent, StormMaker, seeded } from './storm-events.ts'
import { type AirLine, judge, RULES } from './storm-verdict.ts'

const HELP = `usage: kill-storm [--seed N] [--rounds N] [--events N] [--keep]

A program takes a storm of events over HTTP into simulated radios; it is killed with SIGKILL at seeded random instants
and started again on the same folder. Every text a radio takes is written down outside of the program. At the end:
${RULES.map((rule) => `  - ${rule}`).join('\n')}
  - no message stays "sent" for ever: somebody was heard repeating it, or nobody was
  - the database passes its integrity check after every kill
  --seed N    default: one that is printed
  --rounds N  kills; default 50
  --events N  new events in a round; default 2
  --keep      keep the folder, and tell where it is
`

const DRAIN_MS = 30 * 60_000
const RETRY_MS = 60
/** Longer than anybody listens for a repeat of a channel text. */
const LISTEN_MS = 5 * 60_000

interface Options {
  seed: number
  rounds: number
  eventsPerRound: number
}

/** The storm: one folder, many lives of one program. */
class Storm {
  readonly folder = mkdtempSync(join(tmpdir(), 'lookout-storm-'))
  readonly accepted: StormEvent[] = []
  readonly integrity: string[] = []
  readonly #airLog = join(this.folder, 'air.jsonl')
  /** Of its own each, so that the speed of the machine does not change what a seed gives. */
  readonly #instants: () => number
  readonly #batches: () => number
  readonly #maker: StormMaker
  readonly #waiting: StormEvent[] = []
  #url: string | null = null
  #closed = false
  posts = { sent: 0, refused: 0, duplicates: 0 }
  startupKills = 0
  /** Messages whose fate a kill left open. */
  unknown = 0
  /** Messages that are still "sent" when nobody listens for them any more. */
  stuck = 0

  constructor(seed: number) {
    this.#maker = new StormMaker(seeded(seed))
    this.#instants = seeded(seed + 1)
    this.#batches = seeded(seed + 2)
    mkdirSync(join(this.folder, 'data'))
    writeFileSync(join(this.folder, 'data', 'config.json'), JSON.stringify(STORM_CONFIG))
    writeFileSync(this.#airLog, '')
  }

  get air(): AirLine[] {
    return ndjson<AirLine>(readFileSync(this.#airLog, 'utf8'))
  }

  launch(): Launched {
    const launched = new Launched({
      args: ['start', '--port', '0', '--data', join(this.folder, 'data'), '--no-demo'],
      env: { LOOKOUT_LOG: 'error', LOOKOUT_AIR_LOG: this.#airLog }
    })
    launched.child.stdout?.on('data', () => {
      this.#url ??= readyLine(launched.stdout)?.url ?? null
    })
    launched.ended.then(
      () => {
        this.#url = null
      },
      () => undefined
    )
    return launched
  }

  add(count: number): void {
    for (let index = 0; index < count; index++) this.#waiting.push(this.#maker.next())
  }

  /** Posts what waits, one to three at a time, in order; an answer that is not 202, or none, means: again. */
  async post(): Promise<void> {
    while (!this.#closed) {
      const batch = this.#waiting.slice(0, 1 + Math.floor(this.#batches() * 3))
      if (batch.length > 0 && this.#url !== null && (await this.#tell(this.#url, batch))) {
        this.accepted.push(...batch)
        this.#waiting.splice(0, batch.length)
      }
      await pause(RETRY_MS + this.#batches() * 200)
    }
  }

  async #tell(url: string, batch: StormEvent[]): Promise<boolean> {
    this.posts.sent++
    try {
      const response = await fetch(`${url}/api/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(batch),
        signal: AbortSignal.timeout(10_000)
      })
      const answer = (await response.json()) as { duplicates?: number }
      if (response.status !== 202) throw new Error(`answered ${response.status}`)
      this.posts.duplicates += answer.duplicates ?? 0
      return true
    } catch {
      // The program was killed before it answered: whether it stored the events is what the repeat finds out.
      this.posts.refused++
      return false
    }
  }

  get unposted(): number {
    return this.#waiting.length
  }

  close(): void {
    this.#closed = true
  }

  /** Waits for a random instant of one life: while it starts, during a post, while a text is on the air, or any. */
  async instant(launched: Launched): Promise<void> {
    const kind = this.#instants()
    if (kind < 0.15) {
      this.startupKills++
      await pause(this.#instants() * 900)
      return
    }
    await launched.until('the ready line', () => readyLine(launched.stdout))
    if (kind < 0.35) {
      await pause(this.#instants() * 4000)
      return
    }
    if (kind < 0.55) {
      const { sent } = this.posts
      while (this.posts.sent === sent && this.unposted > 0) await pause(2)
      await pause(this.#instants() * 12)
      return
    }
    const size = statSync(this.#airLog).size
    const wait = this.#instants() * 450
    const patience = Date.now() + 6000
    while (statSync(this.#airLog).size === size && Date.now() < patience) await pause(8)
    await pause(wait)
  }

  /** On a copy: the check must not repair what the next life is to find. */
  async check(round: number): Promise<void> {
    const data = join(this.folder, 'data')
    const copy = join(this.folder, 'copy')
    if (!existsSync(join(data, 'lookout.db'))) return
    rmSync(copy, { recursive: true, force: true })
    mkdirSync(copy)
    for (const name of ['lookout.db', 'lookout.db-wal'])
      if (existsSync(join(data, name))) copyFileSync(join(data, name), join(copy, name))
    const db = await openDatabase({ path: join(copy, 'lookout.db'), migrations: ledgerMigrations, synchronous: 'FULL' })
    const rows = db.sql('PRAGMA integrity_check').all()
    db.close()
    const answer = rows.map((row) => String(row['integrity_check'])).join('; ')
    if (answer !== 'ok') this.integrity.push(`round ${round}: ${answer}`)
  }

  /** The last life: everything is posted, and whatever is urgent has left. */
  async drain(): Promise<string> {
    const launched = this.launch()
    await launched.until('the ready line', () => readyLine(launched.stdout))
    await eventually('everything is posted', () => this.unposted === 0)
    const deadline = Date.now() + DRAIN_MS
    for (;;) {
      const waiting = await this.#urgentWaiting()
      if (waiting === 0) break
      if (Date.now() > deadline) throw new Error(`${waiting} urgent messages still wait`)
      await pause(500)
    }
    const heardOut = Date.now() + LISTEN_MS
    do {
      this.stuck = (await this.#deliveries('sent')).length
      if (this.stuck > 0) await pause(1000)
    } while (this.stuck > 0 && Date.now() < heardOut)
    this.unknown = (await this.#deliveries('sent_unknown')).length
    this.close()
    const { code, stderr } = await launched.stop()
    return code === 0 && stderr === '' ? '' : `the last stop: code ${code} ${stderr}`
  }

  async #urgentWaiting(): Promise<number> {
    const open = await Promise.all(['queued', 'held', 'transmitting'].map((state) => this.#deliveries(state)))
    return open.flat().filter(({ severity }) => severity === 'critical' || severity === 'immediate').length
  }

  async #deliveries(state: string): Promise<{ severity: string }[]> {
    const answer = await fetch(`${this.#url}/api/deliveries?state=${state}&limit=500`)
    return ((await answer.json()) as { deliveries: { severity: string }[] }).deliveries
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function storm({ seed, rounds, eventsPerRound }: Options): Promise<{ storm: Storm; last: string }> {
  const one = new Storm(seed)
  const posting = one.post()
  for (let round = 1; round <= rounds; round++) {
    one.add(eventsPerRound)
    const launched = one.launch()
    await one.instant(launched)
    const { code, signal, stderr } = await launched.kill()
    if (signal !== 'SIGKILL') throw new Error(`round ${round}: it ended by itself, code ${code}: ${stderr}`)
    if (stderr !== '') throw new Error(`round ${round}: ${stderr}`)
    await one.check(round)
    if (round % 10 === 0)
      console.log(`  ${round} rounds, ${one.accepted.length} events, ${one.air.length} texts on the air`)
  }
  const last = await one.drain()
  await posting
  await one.check(rounds + 1)
  return { storm: one, last }
}

function tell(ended: { storm: Storm; last: string }, options: Options): number {
  const { accepted, air, integrity, posts, startupKills } = ended.storm
  const { sends, repeats, problems } = judge(air, accepted)
  const losses = problems.filter(({ rule }) => rule === RULES[2]).length
  const { unknown } = ended.storm
  console.log(
    `seed ${options.seed}: ${options.rounds} rounds (${startupKills} kills while starting), ${accepted.length} events in ` +
      `${posts.sent} posts (${posts.refused} without an answer, ${posts.duplicates} events known when posted again), ` +
      `${sends} sends, ${repeats} repeats as the same packet, ${unknown} below critical cut off and not repeated, ${losses} losses`
  )
  const failed = new Set(problems.map(({ rule }) => rule))
  for (const rule of RULES) console.log(`${failed.has(rule) ? 'not ok' : 'ok'} ${rule}`)
  for (const { rule, what } of problems.slice(0, 40)) console.log(`  ${rule}: ${what}`)
  console.log(`${integrity.length === 0 ? 'ok' : 'not ok'} the database passes its integrity check after every kill`)
  for (const line of integrity) console.log(`  ${line}`)
  const { stuck } = ended.storm
  console.log(`${stuck === 0 ? 'ok' : 'not ok'} no message stays "sent" for ever${stuck === 0 ? '' : `: ${stuck}`}`)
  console.log(
    `${ended.last === '' ? 'ok' : 'not ok'} the last life ends well${ended.last === '' ? '' : `: ${ended.last}`}`
  )
  const bad = failed.size + [integrity.length > 0, stuck > 0, ended.last !== ''].filter(Boolean).length
  console.log(`${RULES.length + 3 - bad} passed, ${bad} failed`)
  return bad === 0 ? 0 : 1
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      rounds: { type: 'string', default: '50' },
      events: { type: 'string', default: '2' },
      keep: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const options = {
    seed: Number(values.seed ?? Date.now() % 1_000_000),
    rounds: Number(values.rounds),
    eventsPerRound: Number(values.events)
  }
  if (!Object.values(options).every((value) => Number.isInteger(value) && value >= 0))
    throw new Error('whole numbers, please')
  console.log(`kill storm, seed ${options.seed}`)
  const ended = await storm(options)
  const code = tell(ended, options)
  if (values.keep || code !== 0) console.log(`kept: ${ended.storm.folder}`)
  else rmSync(ended.storm.folder, { recursive: true, force: true })
  return code
}

process.exitCode = await main()
