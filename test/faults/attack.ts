import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createLog } from '../../src/platform/log/log.ts'
import { SessionStore } from '../../src/platform/sessions/session-store.ts'
import { TokenStore } from '../../src/platform/sessions/tokens.ts'
import { GUARD, type Running, startLookout } from '../helpers/process.ts'
import { GUEST_ATTACKS, type Harm, type Order, runGuest } from './attack-guest.ts'
import { inOwnNetwork, type Outside, outside } from './attack-network.ts'
import { hostileFiles, type Inside, OTHER_ATTACKS } from './attack-owner.ts'
import { PeerRadios } from './peer-radios.ts'

const HELP = `usage: attack [--seconds N] [--only NAME] [--program FILE] [--times told|judged]

A hostile guest, mesh and feed against the running program, from a second network namespace (root and ip netns; else from this machine's
own address). During each attack this machine asks for /api/health/live, and immediate events are posted: the time from the post to
the bytes at a radio is compared with quiet time before and between them. Every attempt that has an effect fails the run.

  --seconds N    how long each attack goes on; default 40
  --only NAME    one of: ${[...Object.keys(GUEST_ATTACKS), ...Object.keys(OTHER_ATTACKS)].join(', ')}
  --program FILE the built program (dist/lookout.js); default: these sources
  --times told   times are told and not judged: where the machine is shared. Default judged: the slowest in 99 of 100 takes no longer
                 than twice as long as in quiet time, and 250 ms; /api/health/live no longer than a second, or four times
`
const FLOOR_MS = 250
const TIMES_QUIET = 2
/** More than a text and the pause behind it take, so that no probe waits for the one before. */
const PROBE_MS = 6000
/** A probe that has not come by then is lost. */
const LOST_MS = 60_000
/** The watch of the service gives up after it. */
const HEALTH_MS = 10_000
/** An answer to the watch may always take so long, and so many times what it takes in quiet time: the machine may be busy with others. */
const HEALTH_FLOOR_MS = 1000
const TIMES_QUIET_HEALTH = 4
/** After each attack it is quiet for so great a part of its time. */
const QUIET_SHARE = 3
const PASSPHRASE = 'a hill above the river'
const CANARIES = ['canarywebhook', 'canaryheader', 'canarytopic', 'canaryuser', 'ca4a0ad1', 'canaryinbox']

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

interface Row extends Harm {
  name: string
  times: number[]
  health: number[]
}

const settings = (radios: readonly object[]): object => ({
  station: { name: 'Hill' },
  radios,
  coverage: { region_tagging: true, areas: [{ name: 'Valley', bbox: [-117, 42, -113, 46] }] },
  commands: { enabled: true, admins: ['!a1b2c3d4', '!ca4a0ad1'] },
  notifications: {
    coalesce_seconds: 0,
    region_routes: {
      enabled: true,
      cells: { emergency: { Valley: { mt: 1, mc: 'valley-0' } } }
    },
    destinations: {
      hook: {
        type: 'webhook',
        webhook_url: 'https://hooks.example/services/canarywebhook',
        webhook_headers: { 'X-Key': 'canaryheader' }
      },
      push: { type: 'ntfy', webhook_url: 'https://ntfy.example/canarytopic' },
      mail: {
        type: 'email',
        smtp_host: 'mail.example',
        smtp_user: 'canaryuser',
        from_address: 'a@b.example',
        recipients: ['canaryinbox@b.example']
      }
    }
  }
})

/** A station that is attacked, and what it is asked meanwhile. */
class Attacked {
  readonly #station: Running
  readonly #token: string
  readonly #radios: PeerRadios
  #count = 0
  #probes: { word: string; at: number }[] = []

  constructor(station: Running, token: string, radios: PeerRadios) {
    this.#station = station
    this.#token = token
    this.#radios = radios
  }

  readonly probe = async (): Promise<string> => {
    const word = `Creek${String(this.#count++).padStart(4, '0')}`
    this.#probes.push({ word, at: Date.now() })
    const now = Date.now()
    const event = {
      ...{ id: word, source: 'probe', family: 'emergency', category: 'emergency_evacuation', severity: 'immediate' },
      ...{ title: `Leave ${word} now, go east`, lat: 44, lon: -115 },
      ...{ sent_at: new Date(now).toISOString(), expires: new Date(now + 600_000).toISOString() }
    }
    await fetch(`${this.#station.url}/api/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      body: JSON.stringify(event),
      signal: AbortSignal.timeout(LOST_MS)
    })
    return word
  }

  /** Tells events and asks the watch while something goes on; answers the times of probes to the first radio, and of answers to the watch. */
  async during(work: (until: number) => Promise<Harm>, seconds: number): Promise<Omit<Row, 'name'>> {
    this.#probes = []
    const until = Date.now() + seconds * 1000
    const health: number[] = []
    let over = false
    const watch = (async () => {
      while (!over) {
        health.push(await this.#health())
        await pause(500)
      }
    })()
    const probes = (async () => {
      for (; !over; await pause(PROBE_MS)) await this.probe().catch(() => '')
    })()
    const harm = await work(until)
    over = true
    await Promise.all([probes, watch])
    const asked = this.#probes.map(({ word, at }) => this.#arrival(word, at))
    return { ...harm, times: await Promise.all(asked), health }
  }

  async #arrival(word: string, at: number): Promise<number> {
    for (;;) {
      const found = this.#radios.offered.filter(({ text }) => text.includes(word))
      if (found.length > 0) return Math.min(...found.map((text) => text.at)) - at
      if (Date.now() > at + LOST_MS) return LOST_MS
      await pause(50)
    }
  }

  async #health(): Promise<number> {
    const begun = performance.now()
    try {
      const { status } = await fetch(`${this.#station.url}/api/health/live`, { signal: AbortSignal.timeout(HEALTH_MS) })
      return status === 200 ? performance.now() - begun : HEALTH_MS
    } catch {
      // No answer is as late as can be.
      return HEALTH_MS
    }
  }
}

/** One process of a guest, on the other side. */
async function asGuest({ prefix }: Outside, order: Order): Promise<Harm> {
  const command = [
    ...prefix,
    process.execPath,
    `--import=${GUARD}`,
    ...process.execArgv,
    process.argv[1] ?? '',
    '--guest'
  ]
  const child: ChildProcess = spawn(command[0] ?? '', command.slice(1), { stdio: ['pipe', 'pipe', 'inherit', 'ipc'] })
  child.stdin?.on('error', () => undefined).write(`${JSON.stringify(order)}\n`)
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), order.seconds * 1000 + 120_000)
  await new Promise((resolve) => child.once('close', resolve))
  clearTimeout(timer)
  return text === '' ? { tries: 0, effects: ['the guest has said nothing'] } : (JSON.parse(text) as Harm)
}

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

/** All effects: those that the attack itself saw, and those on events and on the watch. */
function judged(row: Row, quiet: Omit<Row, 'name'>, judgeTimes: boolean): string[] {
  const most = Math.max(TIMES_QUIET * percentile(quiet.times, 0.99), percentile(quiet.times, 0.99) + FLOOR_MS)
  const slowest = percentile(row.times, 0.99)
  const mostHealth = Math.max(HEALTH_FLOOR_MS, TIMES_QUIET_HEALTH * percentile(quiet.health, 0.99))
  const health = percentile(row.health, 0.99)
  return [
    ...row.effects,
    ...(row.tries === 0 ? ['nothing was tried'] : []),
    ...(row.times.includes(LOST_MS) ? ['an immediate event was lost'] : []),
    ...(judgeTimes && slowest > most ? [`an immediate event took ${Math.round(slowest)} ms`] : []),
    ...(row.health.includes(HEALTH_MS) ? ['this machine was not answered'] : []),
    ...(judgeTimes && health > mostHealth ? [`this machine was answered after ${Math.round(health)} ms`] : [])
  ]
}

/** Guesses of a guest lock nobody out who knows the passphrase. */
async function signsIn(url: string): Promise<boolean> {
  const { headers } = await fetch(`${url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: url },
    body: new URLSearchParams({ passphrase: PASSPHRASE, back: '/' }),
    signal: AbortSignal.timeout(LOST_MS)
  })
  return /lookout_session=[\w-]{8}/.test(headers.get('set-cookie') ?? '')
}

const ms = (values: readonly number[]): string =>
  values.length === 0 ? '' : `${Math.round(percentile(values, 0.5))}, ${Math.round(percentile(values, 0.99))}`

interface Options {
  seconds: number
  only: string | undefined
  program: string | undefined
  judgeTimes: boolean
}

async function run(from: Outside, { seconds, only, program, judgeTimes }: Options): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-attack-'))
  const data = join(folder, 'a', 'data')
  mkdirSync(data, { recursive: true })
  const radios = await PeerRadios.start({
    link: 'tcp',
    folder,
    mcChannels: ['valley-0'],
    airScale: 0.1,
    airtimeMs: 100
  })
  writeFileSync(join(data, 'config.json'), JSON.stringify(settings(radios.config)))
  const { token } = await new TokenStore({ folder: data }).create({ scope: 'operator' })
  const sessions = new SessionStore({ folder: data, now: Date.now, log: createLog({ level: 'fatal' }) })
  await sessions.claim(await sessions.newClaim(), PASSPHRASE)
  const endings: (() => unknown)[] = []
  try {
    const args = ['--host', '0.0.0.0', '--no-demo', '--profile', 'home']
    const made = await startLookout({ teardown: (end: () => unknown) => void endings.push(end) } as never, data, {
      args,
      env: { LOOKOUT_LOG: 'fatal' },
      ...(program === undefined ? {} : { program })
    })
    const { port } = new URL(made.url)
    const station = { ...made, url: `http://127.0.0.1:${port}` }
    const attacked = new Attacked(station, token, radios)
    const files = hostileFiles()
    await pause(3000)
    const idle = async (until: number): Promise<Harm> => {
      await pause(until - Date.now())
      return { tries: 0, effects: [] }
    }
    const quiet = await attacked.during(idle, seconds)
    const rows: Row[] = []
    for (const name of [...Object.keys(GUEST_ATTACKS), ...Object.keys(OTHER_ATTACKS)]) {
      if (only !== undefined && only !== name) continue
      const work = (until: number): Promise<Harm> => {
        const inside: Inside = { station, data, token, radios, files, until, probe: attacked.probe }
        const order = { name, host: from.host, port: Number(port), seconds, canaries: CANARIES }
        return OTHER_ATTACKS[name]?.(inside) ?? asGuest(from, order)
      }
      const row = { name, ...(await attacked.during(work, seconds)) }
      // The machine does other work too, now more and now less: it is quiet time beside each attack that tells.
      const between = await attacked.during(idle, Math.ceil(seconds / QUIET_SHARE))
      quiet.times.push(...between.times)
      quiet.health.push(...between.health)
      if (name === 'sign-in' && !(await signsIn(station.url))) row.effects.push('the operator cannot sign in')
      rows.push(row)
    }
    const { code, stderr } = await made.launched.stop()
    return tell(rows, {
      quiet,
      from,
      judgeTimes,
      end: code === 0 && stderr === '' ? [] : [`it ended with ${code}: ${stderr.slice(-500)}`]
    })
  } finally {
    for (const end of endings) await end()
    await radios.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function tell(
  rows: readonly Row[],
  { quiet, from, judgeTimes, end }: { quiet: Omit<Row, 'name'>; from: Outside; judgeTimes: boolean; end: string[] }
): number {
  console.log(`attacked from ${from.told}\n`)
  console.log(
    '| Attack | Tries | Effects | Immediate events | Post to radio, ms: p50, p99 | /api/health/live, ms: p50, p99 |\n|---|---|---|---|---|---|'
  )
  console.log(`| none | 0 | 0 | ${quiet.times.length} | ${ms(quiet.times)} | ${ms(quiet.health)} |`)
  let failed = end.length
  for (const row of rows) {
    const effects = judged(row, quiet, judgeTimes)
    if (effects.length > 0) failed++
    console.log(
      `| ${row.name} | ${row.tries} | ${effects.length} | ${row.times.length} | ${ms(row.times)} | ${ms(row.health)} |`
    )
    for (const effect of effects.slice(0, 10)) console.log(`  ${row.name}: ${effect}`)
  }
  for (const one of end) console.log(`  the end: ${one}`)
  console.log(`\n${rows.length + 1 - failed} passed, ${failed} failed`)
  return failed
}

const string = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    guest: { type: 'boolean' },
    seconds: string,
    only: string,
    program: string,
    times: string
  }
})
if (values.help) process.stdout.write(HELP)
else if (values.guest) await runGuest()
else {
  inOwnNetwork()
  const from = outside()
  if (from === null) throw new Error('this machine has no address but loopback, and no network namespace can be made')
  try {
    const { seconds = '40', only, program, times = 'judged' } = values
    const failed = await run(from, { seconds: Number(seconds), only, program, judgeTimes: times !== 'told' })
    process.exitCode = failed === 0 ? 0 : 1
  } finally {
    from.end()
  }
}
