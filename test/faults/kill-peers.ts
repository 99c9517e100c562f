import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Database, openDatabase } from '../../src/platform/database/database.ts'
import { ledgerMigrations } from '../../src/warning/outbox/schema.ts'
import type { Network } from '../../src/warning/radios/radio.ts'
import { Peer } from '../helpers/peer.ts'
import { eventually, Launched, readyLine } from '../helpers/process.ts'
import { CUTS, MEND, PEER_ARGS } from './peer-cuts.ts'
import { isUrgent, type Severity, seeded } from './storm-events.ts'

const RULES = [
  'the identity the radio was given is the one stored before',
  'critical and above, cut off between "transmitting" and the answer, is given to the radio again',
  'within ten minutes as the same packet: MT packet id, MC timestamp, and the text byte for byte',
  'and it leaves the radio in the end',
  'below critical it is closed as sent_unknown and never given to the radio again',
  'most kills come between "transmitting" and the answer',
  'the database passes its integrity check after every kill',
  'the last life ends well',
  'after more than ten minutes without power as a new packet, the same words behind RPT',
  'no message stays "sent" for ever',
  'immediate leaves a Meshtastic radio as alert packet (port 11), or as text where it must not ring, and again as the same'
] as const
type Rule = (typeof RULES)[number]

const HELP = `usage: kill-peers [--seed N] [--rounds N] [--sources] [--keep]

The program drives a Meshtastic and a MeshCore radio over TCP: the wire-level peers, in processes of their own. In every round one of
them delays, loses or swallows its answer to a text, and the program is killed with SIGKILL while the row is "transmitting"; then it is
started again on the same folder, at once or as if the power had been away for a quarter of an hour. Some resends are cut off in the same way. By what the radios were given:
${RULES.map((rule) => `  - ${rule}`).join('\n')}
  --seed N    default: one that is printed
  --rounds N  kills; default 10
  --sources   the sources instead of the bundled program
  --keep      keep the folder, and tell where it is
`

const REGIONS: Record<Network, string> = { mt: 'Hill', mc: 'Valley' }
/** More of those that are sent again. */
const SEVERITIES: readonly Severity[] = ['routine', 'priority', 'critical', 'critical', 'immediate']
/** A resend is cut off too, this often. */
const AGAIN = 0.3
/** The power stays away for longer than receivers are trusted to remember, this often. */
const AWAY = 0.25
const AWAY_MS = 15 * 60_000
/** Longer than anybody listens for a repeat. */
const LISTEN_MS = 5 * 60_000
const CUT_SHARE = 0.6
const ALERT_PORT = 11

interface Message {
  word: string
  network: Network
  severity: Severity
  cuts: string[]
  /** The power was away for long before the last life. */
  away: boolean
}

/** A row as a kill left it. */
interface Found {
  state: string
  packet: string | null
}

interface Problem {
  rule: Rule
  what: string
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** One folder, two radios, many lives of one program. */
class Run {
  readonly folder = mkdtempSync(join(tmpdir(), 'lookout-peers-'))
  readonly problems: Problem[] = []
  readonly messages: Message[] = []
  kills = 0
  caught = 0
  readonly #peers: Record<Network, Peer>
  readonly #seed: number
  #random: () => number = () => 0
  readonly #program: string | undefined
  #life: Launched | null = null
  #url = ''

  constructor(peers: Record<Network, Peer>, seed: number, program: string | undefined) {
    this.#peers = peers
    this.#seed = seed
    this.#program = program
    const host = '127.0.0.1'
    const radios = (['mt', 'mc'] as const).map((id) => ({ id, network: id, link: 'tcp', host, port: peers[id].port }))
    const cells = { fire: { [REGIONS.mt]: { mt: 1 }, [REGIONS.mc]: { mc: 'north' } } }
    const toggles = { fire: { cooldown_seconds: 0, freshness_seconds: 0 } }
    const ringing = { mt_alert: { packet: 'instead', per_day: 24 } }
    const notifications = { coalesce_seconds: 0, toggles, region_routes: { enabled: true, cells }, ...ringing }
    mkdirSync(join(this.folder, 'data'))
    writeFileSync(join(this.folder, 'data', 'config.json'), JSON.stringify({ radios, notifications }))
  }

  async start(): Promise<void> {
    const program = this.#program === undefined ? {} : { program: this.#program }
    const args = ['start', '--port', '0', '--data', join(this.folder, 'data'), '--no-demo']
    const life = new Launched({ args, env: { LOOKOUT_LOG: 'error' }, ...program })
    this.#life = life
    this.#url = (await life.until('the ready line', () => readyLine(life.stdout))).url
  }

  /** Ends the life that runs, whatever it does. */
  async abandon(): Promise<void> {
    await this.#life?.kill()
  }

  async round(number: number): Promise<void> {
    // Of its own each, so that a kill that came too late does not change the rounds behind it.
    this.#random = seeded(this.#seed * 100_003 + number)
    const network: Network = this.#random() < 0.5 ? 'mt' : 'mc'
    const severity = SEVERITIES[Math.floor(this.#random() * SEVERITIES.length)] ?? 'critical'
    const message: Message = { word: `K${String(number).padStart(4, '0')}`, network, severity, cuts: [], away: false }
    this.messages.push(message)
    await this.#ready()
    let cut = await this.#cutOff(message, () => this.#post(message))
    while (cut && isUrgent(severity) && this.#random() < AGAIN) cut = await this.#cutOff(message, () => this.start())
    if (cut && this.#random() < AWAY) await this.#stayAway(message)
    await this.start()
    await this.#closed(message)
  }

  async #ready(): Promise<void> {
    await eventually('both radios are ready', async () => {
      const { radios } = await this.#get<{ radios: { state: string }[] }>('/api/radios')
      return radios.length === 2 && radios.every(({ state }) => state === 'ready')
    })
  }

  /**
   * Arms a fault, begins, waits until the radio was given the text and a moment more, kills, and looks at what is left. Answers whether
   * the kill came in time: what the radio does late for an earlier text may use the fault up.
   */
  async #cutOff(message: Message, begin: () => Promise<void>): Promise<boolean> {
    const { word, network, cuts } = message
    const peer = this.#peers[network]
    const choice = CUTS[network].filter(({ deaf }) => deaf !== true || cuts.length === 0)
    const cut = choice[Math.floor(this.#random() * choice.length)]
    if (cut === undefined) throw new Error('no such cut')
    const waitMs = this.#random() * cut.windowMs
    for (const command of cut.fault) await peer.tell(command)
    const from = peer.events.length
    await begin()
    const offered = await peer.until('offered', ({ text }) => String(text).includes(word), from)
    await pause(waitMs)
    const { signal, code, stderr } = (await this.#life?.kill()) ?? { signal: null, code: null, stderr: 'no life' }
    if (signal !== 'SIGKILL' || stderr !== '') throw new Error(`${word}: ended by itself, code ${code}: ${stderr}`)
    for (const command of MEND[network]) await peer.tell(command)
    this.kills++
    const { state, packet } = await this.#inCopy((db) => rowOf(db, message))
    if (packet !== packetOf(offered)) this.#problem(0, `${word}: given ${packetOf(offered)}, stored ${packet}`)
    if (state !== 'transmitting') return false
    this.caught++
    cuts.push(cut.name)
    return true
  }

  /** As if the power came back a quarter of an hour later: what the row says of its first try is so much older. */
  async #stayAway(message: Message): Promise<void> {
    const path = join(this.folder, 'data', 'lookout.db')
    const db = await openDatabase({ path, migrations: ledgerMigrations, synchronous: 'FULL' })
    db.sql('UPDATE deliveries SET first_sent_at = first_sent_at - ? WHERE event_ids LIKE ?').run(
      AWAY_MS,
      `%${message.word}%`
    )
    db.close()
    message.away = true
  }

  /** The next life's account of it. */
  async #closed({ word, severity, cuts }: Message): Promise<void> {
    const row = await eventually(`${word} is closed`, async () => {
      const { deliveries } = await this.#get<{ deliveries: { text: string | null; state: string; reason: string }[] }>(
        '/api/deliveries?limit=50'
      )
      const found = deliveries.find(({ text }) => text?.includes(word))
      return found !== undefined && !['queued', 'held', 'transmitting'].includes(found.state) && found
    })
    const left = ['sent', 'heard', 'delivered', 'unconfirmed'].includes(row.state)
    const cutOff = row.state === 'sent_unknown' && row.reason === 'interrupted'
    if (isUrgent(severity) && !left) this.#problem(3, `${word}: ${row.state} ${row.reason}`)
    if (!isUrgent(severity) && cuts.length > 0 && !cutOff) this.#problem(4, `${word}: ${row.state} ${row.reason}`)
  }

  /** By what both radios were given from the beginning to the end. */
  async judge(): Promise<void> {
    for (const { word, network, severity, cuts, away } of this.messages) {
      const given = this.#peers[network].events
        .filter(({ event, text }) => event === 'offered' && String(text).includes(word))
        .map(packetOf)
      const told = `${word} ${network} ${severity} (${cuts.join(', then ')}): ${given.join(' | ')}`
      if (!isUrgent(severity) && given.length !== 1) this.#problem(4, told)
      if (isUrgent(severity) && given.length <= cuts.length) this.#problem(1, told)
      const repeats = given.filter((packet) => packet.includes('"RPT '))
      const [first = ''] = given
      if (new Set(given).size - new Set(repeats).size !== 1) this.#problem(2, told)
      const marked = repeats.every(
        (packet) => wordsOf(packet) === `RPT ${wordsOf(first)}` && idOf(packet) !== idOf(first)
      )
      if (repeats.length > 0 !== (away && isUrgent(severity)) || !marked) this.#problem(8, told)
    }
    this.#judgePorts()
    await this.#heardOut()
    if (this.caught < this.kills * CUT_SHARE) this.#problem(5, `${this.caught} of ${this.kills}`)
    await this.#ready()
    const { code, stderr } = (await this.#life?.stop()) ?? { code: null, stderr: 'no life' }
    if (code !== 0 || stderr !== '') this.#problem(7, `code ${code} ${stderr}`)
  }

  /** Two within 11 s, and a 25th in a day, leave as text: the first life decided that, and no later one may ring anew. */
  #judgePorts(): void {
    const grave = this.messages.filter(({ network, severity }) => network === 'mt' && severity === 'immediate')
    const ports = grave.map(({ word }) => {
      const offers = this.#peers.mt.events.filter(
        ({ event, text }) => event === 'offered' && String(text).includes(word)
      )
      const found = offers.filter(({ text }) => !String(text).startsWith('RPT ')).map(({ port }) => Number(port))
      if (new Set(found).size !== 1) this.#problem(10, `${word}: ports ${found.join(', ')}`)
      return found[0]
    })
    if (ports.length > 0 && !ports.includes(ALERT_PORT)) this.#problem(10, `ports ${ports.join(', ')}: none rang`)
    const texts = this.messages.filter(({ severity }) => severity !== 'immediate').map(({ word }) => word)
    for (const { event, port, text } of this.#peers.mt.events)
      if (event === 'offered' && port === ALERT_PORT && texts.some((word) => String(text).includes(word)))
        this.#problem(10, `${String(text)}: it is not immediate`)
  }

  /** Every row gets its last word in the time there is for it. */
  async #heardOut(): Promise<void> {
    const end = Date.now() + LISTEN_MS
    for (;;) {
      const { deliveries } = await this.#get<{ deliveries: { text: string | null }[] }>('/api/deliveries?state=sent')
      if (deliveries.length === 0) return
      if (Date.now() > end) {
        for (const { text } of deliveries) this.#problem(9, String(text))
        return
      }
      await pause(1000)
    }
  }

  async #post({ word, network, severity }: Message): Promise<void> {
    const event = { id: word, source: 'kill-peers', family: 'fire', title: word, severity, regions: [REGIONS[network]] }
    const response = await fetch(`${this.#url}/api/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(event)
    })
    if (response.status !== 202) throw new Error(`${word}: answered ${response.status} ${await response.text()}`)
  }

  async #get<T>(path: string): Promise<T> {
    return (await (await fetch(`${this.#url}${path}`)).json()) as T
  }

  /** On a copy: looking must not repair what the next life is to find. */
  async #inCopy<T>(look: (db: Database) => T): Promise<T> {
    const copy = join(this.folder, 'copy')
    rmSync(copy, { recursive: true, force: true })
    mkdirSync(copy)
    for (const name of ['lookout.db', 'lookout.db-wal']) {
      const file = join(this.folder, 'data', name)
      if (existsSync(file)) copyFileSync(file, join(copy, name))
    }
    const db = await openDatabase({ path: join(copy, 'lookout.db'), migrations: ledgerMigrations, synchronous: 'FULL' })
    const integrity = db
      .sql('PRAGMA integrity_check')
      .all()
      .map((row) => String(row['integrity_check']))
    if (integrity.join() !== 'ok') this.#problem(6, `kill ${this.kills}: ${integrity.join()}`)
    const found = look(db)
    db.close()
    return found
  }

  #problem(rule: number, what: string): void {
    this.problems.push({ rule: RULES[rule] ?? RULES[0], what })
  }
}

/** The packet as receivers know it: identity and text. MC radios put their name before the text themselves. */
function packetOf({ id, timestamp, text }: Record<string, unknown>): string {
  return `${id ?? timestamp} "${text}"`
}

const idOf = (packet: string): string => packet.slice(0, packet.indexOf(' '))
const wordsOf = (packet: string): string => packet.slice(packet.indexOf('"') + 1, -1)

function rowOf(db: Database, { word }: Message): Found {
  const row = db.sql('SELECT state, identity, parts FROM deliveries WHERE event_ids LIKE ?').get(`%${word}%`)
  if (row === undefined) throw new Error(`${word} is not in the file`)
  const { packetId, senderTimestamp } = JSON.parse(String(row['identity'] ?? '{}'))
  const [text] = JSON.parse(String(row['parts'] ?? '[]'))
  const packet = row['identity'] === null ? null : packetOf({ id: packetId, timestamp: senderTimestamp, text })
  return { state: String(row['state']), packet }
}

function tell(run: Run, seed: number): number {
  const urgent = run.messages.filter(({ severity }) => isUrgent(severity)).length
  const count = (one: Network): number => run.messages.filter(({ network }) => network === one).length
  console.log(
    `seed ${seed}: ${run.kills} kills, ${run.caught} between "transmitting" and the answer, of ${run.messages.length} messages ` +
      `(${count('mt')} Meshtastic, ${count('mc')} MeshCore; ${urgent} critical and above)`
  )
  for (const rule of RULES) {
    const found = run.problems.filter((problem) => problem.rule === rule)
    console.log(`${found.length === 0 ? 'ok' : 'not ok'} ${rule}`)
    for (const { what } of found.slice(0, 10)) console.log(`  ${what}`)
  }
  const failed = new Set(run.problems.map(({ rule }) => rule)).size
  console.log(`${RULES.length - failed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

/** The bundled program: it starts as quickly as on a board, so that a resend may follow the cut within a second. */
function built(): string {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const { status } = spawnSync(process.execPath, [join(root, 'scripts/ensure-build.js')], { stdio: 'inherit' })
  if (status !== 0) throw new Error('the program cannot be built')
  return join(root, 'dist/lookout.js')
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      rounds: { type: 'string', default: '10' },
      sources: { type: 'boolean' },
      keep: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const seed = Number(values.seed ?? Date.now() % 1_000_000)
  const rounds = Number(values.rounds)
  if (!Number.isInteger(seed) || !Number.isInteger(rounds) || rounds < 1) throw new Error('whole numbers, please')
  console.log(`kill peers, seed ${seed}`)
  const program = values.sources ? undefined : built()
  const peers = { mt: await Peer.start('mt', PEER_ARGS.mt), mc: await Peer.start('mc', PEER_ARGS.mc) }
  const run = new Run(peers, seed, program)
  try {
    await run.start()
    for (let number = 1; number <= rounds; number++) await run.round(number)
    await run.judge()
  } finally {
    await run.abandon()
    await Promise.all([peers.mt.stop(), peers.mc.stop()])
  }
  const code = tell(run, seed)
  if (values.keep || code !== 0) console.log(`kept: ${run.folder}`)
  else rmSync(run.folder, { recursive: true, force: true })
  return code
}

process.exitCode = await main()
