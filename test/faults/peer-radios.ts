import { join } from 'node:path'
import { Peer, type PeerEvent } from '../helpers/peer.ts'
import type { Aired } from './peer-verdict.ts'

/** The name of the MeshCore peer, which its firmware puts before every channel text. */
const MC_NAME = 'Ridge'

export interface PeerOptions {
  link: 'tcp' | 'pty'
  /** The folder in which the pseudo-terminals are made. */
  folder: string
  mcChannels: readonly string[]
  /** Number of the preset of the Meshtastic peer, and how long each of its texts is on the air. */
  preset?: number
  airtimeMs?: number
  /** Part of its real time-on-air a text of the MeshCore peer takes, to keep a run short. */
  airScale?: number
}

interface Timed {
  network: 'mt' | 'mc'
  at: number
  text: string
}

/** A Meshtastic node and a MeshCore companion, each a process that speaks the wire protocol of its firmware. */
export class PeerRadios {
  readonly #mt: Peer
  readonly #mc: Peer
  readonly config: object[]

  private constructor(mt: Peer, mc: Peer, config: object[]) {
    this.#mt = mt
    this.#mc = mc
    this.config = config
  }

  static async start({
    link,
    folder,
    mcChannels,
    preset = 6,
    airtimeMs = 200,
    airScale = 1
  }: PeerOptions): Promise<PeerRadios> {
    const paths = { mt: join(folder, 'ttyMT'), mc: join(folder, 'ttyMC') }
    const pty = link === 'pty'
    const [mt, mc] = await Promise.all([
      Peer.start('mt', [
        ...(pty ? ['--pty', paths.mt] : ['--port', '0']),
        ...['--preset', String(preset), '--airtime', String(airtimeMs)]
      ]),
      Peer.start('mc', [
        ...['--port', '0', '--name', MC_NAME, '--channels', mcChannels.join(','), '--air-scale', String(airScale)],
        ...(pty ? ['--pty', paths.mc] : [])
      ])
    ])
    const channels = [0, 1, 2, 3, 4, 5, 6, 7].map((index) => ({ index, name: `c${index}`, role: index === 0 ? 1 : 2 }))
    await mt.tell({ change: { channels } })
    const place = (network: 'mt' | 'mc', port: number): object =>
      pty ? { link: 'serial', path: paths[network] } : { link: 'tcp', host: '127.0.0.1', port }
    return new PeerRadios(mt, mc, [
      { id: 'mt', network: 'mt', ...place('mt', mt.port) },
      { id: 'mc', network: 'mc', ...place('mc', mc.port) }
    ])
  }

  /** Every text that has left, in order for each radio. */
  get aired(): Aired[] {
    return [
      ...this.#of(this.#mt, 'transmitted').map(({ channel, text, id }) => ({
        network: 'mt' as const,
        channel: Number(channel),
        text: String(text),
        identity: Number(id)
      })),
      ...this.#of(this.#mc, 'transmitted').map(({ channel, text, timestamp }) => ({
        network: 'mc' as const,
        channel: String(channel),
        text: withoutName(String(text)),
        identity: Number(timestamp)
      }))
    ]
  }

  /** The times at which each text started to be on the air, in epoch milliseconds. */
  get onAir(): Timed[] {
    return this.#timed('on-air')
  }

  /** Every text a radio was given, and when, in epoch milliseconds. */
  get offered(): Timed[] {
    return this.#timed('offered')
  }

  /** The times at which each text had left, in epoch milliseconds. */
  get leftAt(): Timed[] {
    return this.#timed('transmitted')
  }

  get refused(): string[] {
    return [
      ...this.#of(this.#mt, 'refused').map(({ error }) => `mt: error ${error}`),
      ...this.#of(this.#mc, 'refused').map(({ error }) => `mc: error ${error}`)
    ]
  }

  /** Packets of the Meshtastic radio that have left, by what they say. */
  packetOf(word: string): number | null {
    const found = this.#of(this.#mt, 'transmitted').find(({ text }) => String(text).includes(word))
    return found === undefined ? null : Number(found['id'])
  }

  /** A command of `npm run sim:mt`. */
  tellMeshtastic(command: object): Promise<void> {
    return this.#mt.tell(command)
  }

  async stop(): Promise<void> {
    await Promise.all([this.#mt.stop(), this.#mc.stop()])
  }

  #timed(name: string): Timed[] {
    return (['mt', 'mc'] as const).flatMap((network) =>
      this.#of(network === 'mt' ? this.#mt : this.#mc, name).map(({ at, text }) => ({
        network,
        at: Number(at),
        text: String(text)
      }))
    )
  }

  #of(peer: Peer, name: string): PeerEvent[] {
    return peer.events.filter(({ event }) => event === name)
  }
}

/** The name that the firmware puts before the text is no part of it; a text without it is not intact. */
function withoutName(text: string): string {
  return text.startsWith(`${MC_NAME}: `) ? text.slice(MC_NAME.length + 2) : `without the name: ${text}`
}
