import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Network } from '../../src/warning/radios/radio.ts'
import { GUARD } from './process.ts'
import { type Runnable, runnable } from './runnable.ts'

const SCRIPTS: Record<Network, Runnable> = {
  mt: runnable('scripts/simulate-mt.ts'),
  mc: runnable('scripts/simulate-mc.ts')
}
const PATIENCE_MS = 60_000

export type PeerEvent = Record<string, unknown> & { event: string }

/** True when a serial line can be made here. */
export const hasSocat = (): boolean => spawnSync('socat', ['-V']).status === 0

/** A radio that does not exist, in a process of its own: told what to do on standard input, telling what happens on standard output. */
export class Peer {
  readonly events: PeerEvent[] = []
  readonly #child: ChildProcess
  readonly #listeners = new Set<() => void>()
  #end: string | null = null

  private constructor(child: ChildProcess) {
    this.#child = child
    if (child.stdout === null) throw new Error('the peer has no output')
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.events.push(JSON.parse(line) as PeerEvent)
      for (const look of [...this.#listeners]) look()
    })
    child.once('exit', (code, signal) => {
      this.#end = `${signal ?? `code ${code}`}, last ${JSON.stringify(this.events.slice(-3))}`
      for (const look of [...this.#listeners]) look()
    })
  }

  /** Resolves when it listens. The arguments are those of `npm run sim:mt` and `sim:mc`. It ends with this process at the latest. */
  static async start(network: Network, args: readonly string[]): Promise<Peer> {
    const { flags, file } = SCRIPTS[network]
    const child = spawn(process.execPath, [`--import=${GUARD}`, ...flags, file, ...args], {
      stdio: ['pipe', 'pipe', 'inherit', 'ipc']
    })
    const peer = new Peer(child)
    await peer.until('listening')
    return peer
  }

  get port(): number {
    return Number(this.events.find(({ event }) => event === 'listening')?.['port'])
  }

  /** How it ended, with the last that it said; null while it runs. */
  get end(): string | null {
    return this.#end
  }

  /** The first event of that name that fits, past (from `from` on) or to come. */
  until(name: string, fits: (event: PeerEvent) => boolean = () => true, from = 0): Promise<PeerEvent> {
    return this.#first(`"${name}"`, (event) => event.event === name && fits(event), from)
  }

  /** Resolves when the command was done; rejects with what the peer says against it. */
  async tell(command: object): Promise<void> {
    const from = this.events.length
    this.#child.stdin?.write(`${JSON.stringify(command)}\n`)
    const said = await this.#first('that it is done', ({ event }) => event === 'done' || event === 'not done', from)
    if (said.event !== 'done') throw new Error(`the peer did not do ${JSON.stringify(command)}: ${said['reason']}`)
  }

  #first(what: string, fits: (event: PeerEvent) => boolean, from: number): Promise<PeerEvent> {
    return new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer)
        this.#listeners.delete(look)
      }
      const fail = (why: string): void => {
        done()
        reject(
          new Error(`waited for the peer to say ${what}: ${why}; it said ${JSON.stringify(this.events.slice(-5))}`)
        )
      }
      const look = (): void => {
        const found = this.events.slice(from).find(fits)
        if (found !== undefined) {
          done()
          resolve(found)
        } else if (this.#child.exitCode !== null || this.#child.signalCode !== null) fail('it has ended')
      }
      const timer = setTimeout(() => fail(`not in ${PATIENCE_MS / 1000} s`), PATIENCE_MS)
      this.#listeners.add(look)
      look()
    })
  }

  /** Closes its standard input, as a shell does that starts it in the background. */
  closeInput(): void {
    this.#child.stdin?.end()
  }

  /** Ends it as Ctrl-C and service managers do. Resolves with its exit code, or the signal's name. */
  async stop(signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<number | string | null> {
    const { exitCode, signalCode } = this.#child
    if (exitCode !== null || signalCode !== null) return exitCode ?? signalCode
    const ended = new Promise<number | string | null>((resolve) => {
      this.#child.once('exit', (code, ended) => resolve(code ?? ended))
    })
    this.#child.kill(signal)
    return await ended
  }
}
