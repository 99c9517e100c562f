import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { TokenStore } from '../../src/platform/sessions/tokens.ts'
import { hasSocat } from '../helpers/peer.ts'
import { Launched, type Running, running } from '../helpers/process.ts'
import { PeerRadios } from './peer-radios.ts'
import { channelsOf, type Expected, PeerStorm, stormConfig } from './peer-storm-events.ts'
import { judgePeers, RULES, type Told } from './peer-verdict.ts'
import { seeded } from './storm-events.ts'

const HELP = `usage: peer-storm [--link tcp|pty|both] [--seed N] [--events N] [--minutes N] [--air-scale X]

The program takes the demo storm, and seeded events of all cells of the demo's matrix, over HTTP with a token, and sends them over a
Meshtastic node and a MeshCore companion: processes of their own that speak the wire protocol, over TCP or over a pseudo-terminal
(needs socat). What the two put on the air is compared with GET /api/deliveries:
${RULES.map((rule) => `  - ${rule}`).join('\n')}
  --link         default both, at the same time
  --seed N       default: one that is printed
  --events N     in all, the demo's among them; default 200 (12 minutes: radios want their pauses)
  --minutes N    how long the queue may take to empty; default 30
  --air-scale X  part of its real time-on-air a text of the peers takes; default 1
`

const BETWEEN_MS = 300

type Link = 'tcp' | 'pty'
interface Options {
  seed: number
  events: number
  minutes: number
  airScale: number
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function storm(link: Link, { seed, events, minutes, airScale }: Options): Promise<number> {
  const started = Date.now()
  const folder = mkdtempSync(join(tmpdir(), 'lookout-peers-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  const { cells } = await stormConfig([])
  const radios = await PeerRadios.start({
    link,
    folder,
    mcChannels: channelsOf(cells).mc,
    airScale,
    airtimeMs: Math.round(200 * airScale)
  })
  const { config } = await stormConfig(radios.config)
  writeFileSync(join(data, 'config.json'), JSON.stringify(config))
  const { token } = await new TokenStore({ folder: data }).create({ scope: 'events' })
  const launched = new Launched({
    args: ['start', '--port', '0', '--data', data],
    env: { LOOKOUT_LOG: 'error' }
  })
  try {
    const program = await running(launched)
    const expected: Expected[] = []
    let posted = 0
    for (const batch of await new PeerStorm(seeded(seed), cells, seed).batches(events, Date.now)) {
      const made = await batch()
      const answer = await program.post('/api/events', made.events, { authorization: `Bearer ${token}` })
      if (answer.status !== 202) throw new Error(`POST /api/events answered ${answer.status}: ${answer.text}`)
      posted += made.events.length
      expected.push(...made.expected)
      await pause(BETWEEN_MS)
    }
    const told = await drained(program, minutes * 60_000)
    const problems = judgePeers({ aired: radios.aired, told, expected, cells, refused: radios.refused })
    const { code, stderr } = await launched.stop()
    const end = code === 0 && stderr === '' ? '' : `code ${code} ${stderr}`
    return tell({
      link,
      seed,
      posted,
      told,
      aired: radios.aired.length,
      seconds: (Date.now() - started) / 1000,
      problems,
      end
    })
  } finally {
    await launched.kill()
    await radios.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Ended {
  link: Link
  seed: number
  posted: number
  told: readonly Told[]
  aired: number
  seconds: number
  problems: { rule: string; what: string }[]
  end: string
}

/** Waits until nothing waits or flies any more; answers every message there was. */
async function drained(program: Running, patienceMs: number): Promise<Told[]> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const all = await everyDelivery(program)
    const open = all.filter(({ state }) => ['queued', 'held', 'transmitting'].includes(state))
    if (open.length === 0) return all
    if (Date.now() > deadline) throw new Error(`${open.length} messages still wait, such as ${JSON.stringify(open[0])}`)
    await pause(500)
  }
}

async function everyDelivery(program: Running): Promise<Told[]> {
  const all: Told[] = []
  let cursor = ''
  for (;;) {
    const { json } = await program.get<{ deliveries: Told[]; next: number | null }>(
      `/api/deliveries?limit=500${cursor}`
    )
    all.push(...json.deliveries)
    if (json.next === null) return all
    cursor = `&cursor=${json.next}`
  }
}

/** Says how one storm went, and answers how many of its rules were broken. */
function tell({ link, seed, posted, told, aired, seconds, problems, end }: Ended): number {
  const states = new Map<string, number>()
  for (const { state } of told) states.set(state, (states.get(state) ?? 0) + 1)
  console.log(
    `${link}, seed ${seed}: ${posted} events, ${told.length} messages (${[...states].map(([state, n]) => `${n} ${state}`).join(', ')}), ` +
      `${aired} texts on the air, ${Math.round(seconds)} s`
  )
  const broken = new Set(problems.map(({ rule }) => rule))
  for (const rule of RULES) console.log(`${broken.has(rule) ? 'not ok' : 'ok'} ${link}: ${rule}`)
  for (const { rule, what } of problems.slice(0, 40)) console.log(`  ${rule}: ${what}`)
  console.log(`${end === '' ? 'ok' : 'not ok'} ${link}: the program ends well${end === '' ? '' : `: ${end}`}`)
  return broken.size + (end === '' ? 0 : 1)
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      link: { type: 'string', default: 'both' },
      seed: { type: 'string' },
      events: { type: 'string', default: '200' },
      minutes: { type: 'string', default: '30' },
      'air-scale': { type: 'string', default: '1' },
      help: { type: 'boolean', short: 'h' }
    }
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const links: Link[] = values.link === 'both' ? ['tcp', 'pty'] : values.link === 'pty' ? ['pty'] : ['tcp']
  if (!['both', 'tcp', 'pty'].includes(values.link)) throw new Error('--link is tcp, pty or both')
  if (links.includes('pty') && !hasSocat())
    throw new Error('a pseudo-terminal needs socat: install it, or use --link tcp')
  const options: Options = {
    seed: Number(values.seed ?? Date.now() % 1_000_000),
    events: Number(values.events),
    minutes: Number(values.minutes),
    airScale: Number(values['air-scale'])
  }
  const { airScale, ...whole } = options
  if (!Object.values(whole).every((value) => Number.isInteger(value) && value >= 0) || !(airScale > 0))
    throw new Error('whole numbers, please, and an air scale above 0')
  console.log(`peer storm, seed ${options.seed}`)
  const broken = await Promise.all(links.map((link) => storm(link, options)))
  const failed = broken.reduce((sum, count) => sum + count, 0)
  console.log(`${links.length * (RULES.length + 1) - failed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

process.exitCode = await main()
