import { because, type Reason } from '../../model/reason.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import { AppError } from '../../platform/errors.ts'
import type { Link, LinkSource } from './link/link.ts'
import { readChannelTable } from './meshcore/channel-table.ts'
import { hasMeshtasticHeader, MESHTASTIC_HEARTBEAT } from './meshcore/identify.ts'
import { Session } from './meshcore/session.ts'
import { Device } from './meshtastic/device.ts'
import { CONFIG_ONLY_NONCE } from './meshtastic/messages.ts'
import { MeshtasticSession } from './meshtastic/session.ts'
import { nodeId } from './meshtastic/transmissions.ts'
import { hasMeshCoreFrame, MESHCORE_QUESTION } from './meshtastic/wrong-device.ts'
import type { Network, RadioChannel } from './radio.ts'

/** A radio that answered, by its own words. */
export interface FoundRadio {
  network: Network
  node: string
  /** `2.7.3`, `v1.10.0`; null when it names none. */
  firmware: string | null
  /** The board, where the firmware names it. */
  model: string | null
  channels: readonly RadioChannel[]
  /** The reason why it would send nothing as it is set; null when it would. */
  problem: Reason | null
}

export interface ProbeOptions {
  source: LinkSource
  clock: Clock
  /** Ends the probe: the link is closed at once. */
  signal: AbortSignal
}

/** A board that was reset by opening its port answers after some seconds. */
const ASK_EVERY_MS = 1500
const MOST_ROUNDS = 5
const HANDSHAKE_SILENCE_MS = 6000
const WHOLE_MS = 25_000
const HEARD_BYTES = 4096

/**
 * Asks which of the two firmwares is at the other end, in the questions that the other one ignores, then reads its name and its channels.
 * Nothing goes on the air and nothing is set. Rejects with AppError `unavailable` when nobody answers, `timeout` after 25 s,
 * `conflict` when the signal ends it. The link is closed in any case.
 */
export async function probeRadio({ source, clock, signal }: ProbeOptions): Promise<FoundRadio> {
  const link = source.make()
  const { ended, stop } = endOf(clock, signal)
  const lost = new Promise<never>((_, reject) => link.onClose((reason) => reject(new AppError('unavailable', reason))))
  // Whoever loses the race is told nothing more.
  lost.catch(() => undefined)
  const asked = conversation(link, source.kind === 'serial', clock)
  asked.catch(() => undefined)
  try {
    const { found, farewell } = await Promise.race([asked, ended, lost])
    // The node frees its place for the next client; one that is gone already has.
    await farewell().catch(() => undefined)
    return found
  } finally {
    stop()
    await link.close()
  }
}

function endOf(clock: Clock, signal: AbortSignal): { ended: Promise<never>; stop: () => void } {
  let stop = (): void => undefined
  const ended = new Promise<never>((_, reject) => {
    const stopped = (): void => reject(new AppError('conflict', because('probe_stopped')))
    const cancel = clock.after(WHOLE_MS, () =>
      reject(new AppError('timeout', because('no_answer_in', { seconds: WHOLE_MS / 1000 })))
    )
    signal.addEventListener('abort', stopped, { once: true })
    if (signal.aborted) stopped()
    stop = () => {
      cancel()
      signal.removeEventListener('abort', stopped)
    }
  })
  ended.catch(() => undefined)
  return { ended, stop }
}

/** A radio that has told everything, and how it is left. */
interface Told {
  found: FoundRadio
  farewell: () => Promise<void>
}

async function conversation(link: Link, wake: boolean, clock: Clock): Promise<Told> {
  await link.open()
  const network = await firmwareOf(link, clock)
  if (network === null) throw new AppError('unavailable', because('no_radio_answers', { link: link.label }))
  return network === 'mt' ? askMeshtastic(link, wake, clock) : askMeshCore(link, clock)
}

/** Null when neither has answered. */
async function firmwareOf(link: Link, clock: Clock): Promise<Network | null> {
  let heard = Buffer.alloc(0)
  const stop = link.onData((bytes) => {
    heard = Buffer.concat([heard, bytes]).subarray(-HEARD_BYTES)
  })
  try {
    for (let round = 0; round < MOST_ROUNDS * 2; round++) {
      await link.write(round % 2 === 0 ? MESHCORE_QUESTION : MESHTASTIC_HEARTBEAT)
      await new Promise<void>((resolve) => void clock.after(ASK_EVERY_MS / 2, resolve))
      // An answer in its own frames, before the other's: its packets may hold any bytes.
      if (hasMeshtasticHeader(heard)) return 'mt'
      if (hasMeshCoreFrame(heard)) return 'mc'
    }
    return null
  } finally {
    stop()
  }
}

async function askMeshCore(link: Link, clock: Clock): Promise<Told> {
  const session = new Session(link, { clock, onPush: () => undefined, onDead: () => undefined })
  const over = link.onClose((reason) => session.end(reason))
  try {
    await session.identify()
    const { self, firmware, model } = session.node
    const channels = (await readChannelTable(session)).rows()
    const found = { network: 'mc' as const, node: self.name, firmware, model, channels, problem: null }
    return { found, farewell: async () => undefined }
  } finally {
    over()
    session.end(because('closed'))
  }
}

async function askMeshtastic(link: Link, wake: boolean, clock: Clock): Promise<Told> {
  const device = new Device()
  const session = new MeshtasticSession({
    link,
    clock,
    nonce: CONFIG_ONLY_NONCE,
    wake,
    silenceMs: HANDSHAKE_SILENCE_MS,
    started: () => device.handshakeStarted(),
    configured: () => {
      if (!device.handshakeDone()) throw new AppError('unavailable', because('configuration_incomplete'))
      return device.transmitProblem
    },
    message: (message) => device.learn(message, clock.now()),
    restarted: () => undefined,
    ended: () => undefined
  })
  try {
    const problem = await session.start()
    const { firmware } = device.details()
    const node = device.name ?? nodeId(device.number)
    const found = { network: 'mt' as const, node, firmware, model: null, channels: device.channels, problem }
    return { found, farewell: () => session.farewell() }
  } finally {
    session.end(because('closed'))
  }
}
