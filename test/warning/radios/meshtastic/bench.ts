import { VirtualClock } from '../../../../src/platform/clock/clock.ts'
import { type MemoryEnd, memorySource } from '../../../../src/warning/radios/link/memory.ts'
import { MeshtasticRadio } from '../../../../src/warning/radios/meshtastic/driver.ts'
import type {
  InboundText,
  RadioMessage,
  RadioState,
  Receipt,
  SendOutcome
} from '../../../../src/warning/radios/radio.ts'
import type { RadioLog } from '../../../../src/warning/radios/supervisor.ts'
import { settled } from '../../../contract/radio.ts'
import { note } from '../../../helpers/in-words.ts'
import { MeshtasticNode } from '../../../peers/meshtastic-node.ts'
import type { NodeOptions } from '../../../peers/meshtastic-options.ts'

export const START = Date.UTC(2026, 0, 1)

export interface Bench {
  radio: MeshtasticRadio
  node: MeshtasticNode
  clock: VirtualClock
  receipts: Receipt[]
  texts: InboundText[]
  states: RadioState[]
  log: string[]
  send: (text: string, over?: Partial<RadioMessage>) => Promise<SendOutcome>
  /** Sends, and leaves the next text its 3 s. */
  paced: (text: string, over?: Partial<RadioMessage>) => Promise<SendOutcome>
  wait: (ms: number) => Promise<void>
  close: () => Promise<void>
}

let ids = 0x5000

export const freshId = (): number => ++ids

/** A node and the driver on one virtual clock, with a memory link between them; not connected yet. */
export function unconnected(options: Omit<NodeOptions, 'clock'> = {}, nonce?: number): Bench {
  const clock = new VirtualClock(START)
  const node = new MeshtasticNode({ clock, ...options })
  const serial = options.transport === 'serial'
  const memory = memorySource((end) => join(node, end), 'memory peer')
  const source = serial ? { ...memory, kind: 'serial' as const, make: () => memory.make() } : memory
  const log: string[] = []
  const note = (details: object, message: string): void => void log.push(`${message} ${JSON.stringify(details)}`)
  const logger: RadioLog = { info: note, warn: note }
  const given = nonce === undefined ? {} : { nonce }
  const radio = new MeshtasticRadio({ id: 'mt', source, clock, random: () => 0.5, log: logger, ...given })
  const receipts: Receipt[] = []
  const texts: InboundText[] = []
  const states: RadioState[] = []
  radio.onReceipt((receipt) => receipts.push(receipt))
  radio.onText((text) => texts.push(text))
  radio.onChange(() => states.push(radio.health().state))
  const wait: Bench['wait'] = (ms) => clock.runTo(clock.now() + ms)
  const send: Bench['send'] = (text, over = {}) =>
    settled(clock, radio.send({ channel: 1, text, identity: { packetId: freshId() }, ...over }))
  const paced: Bench['paced'] = async (text, over) => {
    const outcome = await send(text, over)
    await wait(3000)
    return outcome
  }
  const close = async (): Promise<void> => {
    await radio.close()
    node.stop()
  }
  return { radio, node, clock, receipts, texts, states, log, send, paced, wait, close }
}

export async function bench(options: Omit<NodeOptions, 'clock'> = {}, nonce?: number): Promise<Bench> {
  const made = unconnected(options, nonce)
  await settled(made.clock, made.radio.connect())
  return made
}

export function join(node: MeshtasticNode, end: MemoryEnd): void {
  const client = node.attach({
    write: (bytes) => end.write(bytes),
    close: (reason) => end.close(reason === undefined ? undefined : note(reason))
  })
  end.onData((bytes) => client.received(bytes))
  end.onClose(() => client.closed())
}

/** Runs until the radio is ready again, at most `ms`. Answers how long it took. */
export async function untilReady({ radio, clock }: Bench, ms: number): Promise<number> {
  const from = clock.now()
  while (radio.health().state !== 'ready' && clock.now() - from < ms) {
    await clock.runTo(Math.min(from + ms, clock.nextAt ?? from + ms))
  }
  return clock.now() - from
}
