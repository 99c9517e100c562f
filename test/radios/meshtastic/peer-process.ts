import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const ROOT = join(import.meta.dirname, '../../..')

type Event = Record<string, unknown> & { event: string }

/** Whether a serial line can be made here. */
export const hasSocat = (): boolean => spawnSync('socat', ['-V']).status === 0

/** The peer as a process of its own. */
export class PeerProcess {
  readonly events: Event[] = []
  readonly #child: ChildProcess
  #listeners: (() => void)[] = []

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  static async start(args: string[]): Promise<PeerProcess> {
    const child = spawn(process.execPath, ['--import=tsx', join(ROOT, 'scripts/simulate-mt.ts'), ...args], {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'inherit']
    })
    const peer = new PeerProcess(child)
    createInterface({ input: child.stdout }).on('line', (line) => {
      peer.events.push(JSON.parse(line) as Event)
      for (const listener of peer.#listeners.splice(0)) listener()
    })
    await peer.until('listening')
    return peer
  }

  get port(): number {
    return Number(this.events.find(({ event }) => event === 'listening')?.['port'])
  }

  /** The first event of that name from `from` on, waiting for it if need be. */
  async until(name: string, from = 0): Promise<Event> {
    for (;;) {
      const found = this.events.slice(from).find(({ event }) => event === name)
      if (found !== undefined) return found
      await new Promise<void>((resolve) => this.#listeners.push(resolve))
    }
  }

  async tell(command: object): Promise<void> {
    const from = this.events.length
    this.#child.stdin?.write(`${JSON.stringify(command)}\n`)
    await this.until('done', from)
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return
    this.#child.stdin?.end()
    await once(this.#child, 'exit')
  }
}
