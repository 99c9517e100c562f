import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { sentenceOf } from '../../../src/model/words/sentences.ts'
import { type Clock, systemClock } from '../../../src/platform/clock/clock.ts'
import type { PushTools } from '../../../src/warning/feeds/source.ts'
import { type PlainMemory, pushHarness } from './push-harness.ts'

const PATIENCE_MS = 20_000
const START_MS = 10_000

/** Debian puts servers where only the path of root looks. */
const PATH = `${process.env['PATH']}:/usr/sbin:/usr/local/sbin`

export function hasProgram(name: string, argument: string): boolean {
  return spawnSync(name, [argument], { env: { ...process.env, PATH } }).error === undefined
}

/** A broker of its own on a free loopback port, with a folder that outlasts its restarts. */
export class Broker {
  readonly port: number
  /** The port on which it listens encrypted, with `tls.crt` in its folder. */
  tlsPort = 0
  readonly folder: string
  readonly #command: (broker: Broker) => [program: string, args: string[]]
  #child: ChildProcess | null = null

  constructor(port: number, command: (broker: Broker) => [string, string[]]) {
    this.port = port
    this.folder = mkdtempSync(join(tmpdir(), 'lookout-broker-'))
    this.#command = command
  }

  async start(): Promise<void> {
    const [program, args] = this.#command(this)
    const child = spawn(program, args, { stdio: 'ignore', env: { ...process.env, PATH } })
    this.#child = child
    process.once('exit', () => child.kill('SIGKILL'))
    await listening(this.port, child)
  }

  /** Ends it for good, its folder too. */
  async discard(): Promise<void> {
    await this.stop('SIGKILL')
    rmSync(this.folder, { recursive: true, force: true })
  }

  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }
}

/** Users `station` (password right) and `hub` (password right). */
export async function mosquitto(): Promise<Broker> {
  const broker = new Broker(await freePort(), ({ folder }) => ['mosquitto', ['-c', join(folder, 'broker.conf')]])
  const { folder, port } = broker
  const lines = [
    `listener ${port} 127.0.0.1`,
    'allow_anonymous false',
    `password_file ${join(folder, 'users')}`,
    `acl_file ${join(folder, 'acl')}`,
    'persistence true',
    `persistence_location ${folder}/`,
    `user ${userInfo().username}`
  ]
  if (makeCertificate(folder)) {
    broker.tlsPort = await freePort()
    lines.push(`listener ${broker.tlsPort} 127.0.0.1`)
    lines.push(`certfile ${join(folder, 'tls.crt')}`, `keyfile ${join(folder, 'tls.key')}`)
  }
  writeFileSync(join(folder, 'broker.conf'), `${lines.join('\n')}\n`)
  writeFileSync(join(folder, 'acl'), 'user hub\ntopic #\nuser station\ntopic read alerts/#\ntopic read sensors/#\n')
  for (const [index, user] of ['hub', 'station'].entries()) {
    const create = index === 0 ? ['-c'] : []
    spawnSync('mosquitto_passwd', ['-b', ...create, join(folder, 'users'), user, 'right'])
  }
  await broker.start()
  return broker
}

/** The same users; JetStream on disk. */
export async function natsServer(): Promise<Broker> {
  const broker = new Broker(await freePort(), ({ folder }) => ['nats-server', ['-c', join(folder, 'hub.conf')]])
  const { folder, port } = broker
  writeFileSync(
    join(folder, 'hub.conf'),
    `listen: "127.0.0.1:${port}"
jetstream { store_dir: "${folder}/store" }
authorization { users: [
  { user: hub, password: right }, { user: station, password: right },
  { user: guest, password: right, permissions: { publish: { allow: ["$JS.API.CONSUMER.>"], deny: ["$JS.API.CONSUMER.MSG.>"] }, subscribe: "_INBOX.>" } }
] }\n`
  )
  await broker.start()
  return broker
}

/** For localhost and a day. */
function makeCertificate(folder: string): boolean {
  const files = ['-keyout', join(folder, 'tls.key'), '-out', join(folder, 'tls.crt')]
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const how = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  return spawnSync('openssl', [...how, ...files, ...names]).status === 0
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  const until = Date.now() + START_MS
  while (Date.now() < until && child.exitCode === null) {
    const isUp = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        resolve(true)
      })
      socket.once('error', () => setTimeout(() => resolve(false), 20))
    })
    if (isUp) return
  }
  throw new Error(`no broker listens on ${port}`)
}

/** The events that a station would have of a source: each once, by its identity, as its ledger keeps them. */
export class Station {
  readonly events: LookoutEvent[] = []
  readonly known: string[] = []
  readonly states: string[] = []
  readonly reasons: (string | null)[] = []
  readonly refused: string[] = []
  readonly tools: PushTools
  /** The number of times something was handed to the ledger, repeats too. */
  accepted = 0
  /** The process dies when this event is stored: nothing answers any more. */
  diesAt: string | null = null
  /** Fails before anything is stored. */
  failing: (events: LookoutEvent[]) => Error | null = () => null
  readonly #seen = new Set<string>()
  readonly #waiters = new Set<() => void>()

  constructor(memory?: PlainMemory) {
    const harness = pushHarness({ start: Date.now(), ...(memory === undefined ? {} : { memory }) })
    this.tools = {
      ...harness.tools,
      clock: HASTY,
      report: (state, reason) => {
        this.states.push(state)
        this.reasons.push(reason === null ? null : sentenceOf(reason))
        this.#look()
      },
      counted: ({ refused }) => {
        if (refused !== undefined) this.refused.push(sentenceOf(refused))
        this.#look()
      },
      accept: (events, options) => this.#accept(events, options?.known ?? false)
    }
  }

  get ids(): string[] {
    return this.events.map(({ id }) => id)
  }

  async #accept(events: LookoutEvent[], known: boolean): Promise<void> {
    const failure = this.failing(events)
    if (failure !== null) throw failure
    this.accepted += events.length
    for (const event of events) {
      const identity = JSON.stringify([event.source, event.id, event.revision])
      if (this.#seen.has(identity)) continue
      this.#seen.add(identity)
      this.events.push(event)
      if (known) this.known.push(event.id)
    }
    this.#look()
    if (events.some(({ id }) => id === this.diesAt)) await new Promise(() => undefined)
  }

  /** Resolves when it is so. */
  until(what: string, isSo: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiters.delete(look)
        const last = { states: this.states.slice(-5), reasons: this.reasons.slice(-5), ids: this.ids.slice(-5) }
        reject(new Error(`waited for ${what}: ${JSON.stringify({ ...last, refused: this.refused.slice(-5) })}`))
      }, PATIENCE_MS)
      const look = (): void => {
        if (!isSo()) return
        clearTimeout(timer)
        this.#waiters.delete(look)
        resolve()
      }
      this.#waiters.add(look)
      look()
    })
  }

  ready(): Promise<void> {
    return this.until('it is ready', () => this.states.at(-1) === 'ready')
  }

  #look(): void {
    for (const look of [...this.#waiters]) look()
  }
}

/** The wall clock, for those who cannot wait: nobody waits longer than a quarter of a second. */
const HASTY: Clock = {
  now: () => systemClock.now(),
  after: (ms, task) => systemClock.after(Math.min(ms, 250), task)
}
