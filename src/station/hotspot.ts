import { createSocket, type Socket } from 'node:dgram'
import type { StartOptions } from '../cli/verb.ts'
import type { HotspotPort, HotspotState } from '../dashboard/server/hotspot.ts'
import { HOTSPOT_ADDRESS } from '../dashboard/server/portal.ts'
import { type Clock, systemClock } from '../platform/clock/clock.ts'
import { isClockSet } from '../platform/clock/clock-set.ts'
import type { Stopper } from '../platform/clock/stopper.ts'
import { errorCode } from '../platform/files/atomic-file.ts'
import type { Log } from '../platform/log/log.ts'
import { localNameAnswer, MDNS } from '../platform/net/local-name.ts'
import { timeAnswer } from '../platform/net/time-answer.ts'
import {
  HOTSPOT_STATE,
  type HotspotWish,
  hotspotWishFile,
  linesOf,
  readHotspotWish,
  writeHotspotWish
} from '../settings/hotspot-wish.ts'
import { UnansweredWish } from './unanswered-wish.ts'

/** The rules of the hotspot lead port 123 here: a service without rights opens none below 1024. */
const TIME_PORT = 8123
const LOOK_MS = 5000
const NAME = 'lookout.local'
/** RFC 6762 §11: a datagram that no router passed on. */
const TTL = 255

type Service = 'time' | 'name'

interface HotspotOptions {
  dataFolder: string
  log: Log
  clock?: Clock
  /** The file in which root tells of it. */
  hotspotState?: string
  /** Of the station on the hotspot. */
  address?: string
}

/**
 * The hotspot as the station sees it: root switches it (docs/decisions/0037) and tells how it went. While it is on, the station gives the time
 * there and answers for its name.
 */
class Hotspot implements HotspotPort {
  readonly #o: Required<HotspotOptions>
  readonly #services = new Map<Service, Socket>()
  readonly #said = new Map<Service, string>()
  readonly #unanswered: UnansweredWish
  #cancel: () => void = () => undefined

  constructor(options: HotspotOptions) {
    const { dataFolder, log, clock = systemClock, hotspotState = HOTSPOT_STATE, address = HOTSPOT_ADDRESS } = options
    this.#o = { dataFolder, log, clock, hotspotState, address }
    this.#unanswered = new UnansweredWish(hotspotWishFile(dataFolder), clock)
    this.#look()
  }

  /** Null where nothing on this machine switches a hotspot. */
  state(): HotspotState | null {
    const told = linesOf(this.#o.hotspotState)
    if (told === null) return null
    const wish = this.wish()
    const { state = 'off', reason = '', interface: device = '', ssid = '' } = told
    return {
      state: state === 'on' || state === 'failed' ? state : 'off',
      changing: wish !== null && String(wish.asked) !== (told['asked'] ?? '0'),
      reason: reason === '' ? null : reason,
      ssid,
      device,
      address: this.#o.address
    }
  }

  wish(): HotspotWish | null {
    return readHotspotWish(this.#o.dataFolder)
  }

  /** Rejects as the disk does. */
  async ask(wish: Omit<HotspotWish, 'asked'>): Promise<void> {
    await writeHotspotWish(this.#o.dataFolder, wish)
  }

  /** See `HotspotSwitch`. */
  async turn(on: boolean): Promise<boolean> {
    const before = this.wish()
    if (before === null || before.ssid === '') return false
    await this.ask({ ...before, on })
    return true
  }

  close(): void {
    this.#cancel()
    for (const name of [...this.#services.keys()]) this.#end(name)
  }

  #look(): void {
    const state = this.state()
    this.#unanswered
      .look(state?.changing === true)
      .catch((error: unknown) => this.#o.log.warn({ err: error }, 'a wish for the hotspot could not be shown again'))
    if (state?.state === 'on') {
      if (!this.#services.has('time')) this.#serveTime()
      if (!this.#services.has('name')) this.#serveName()
    } else for (const name of [...this.#services.keys()]) this.#end(name)
    this.#cancel = this.#o.clock.after(LOOK_MS, () => this.#look())
  }

  #serveTime(): void {
    const { clock, address } = this.#o
    const socket = this.#open('time')
    socket.on('message', (question, from) => {
      const now = clock.now()
      const answer = timeAnswer(question, { now, set: isClockSet(now) })
      if (answer !== null) socket.send(answer, from.port, from.address)
    })
    socket.bind(TIME_PORT, address)
  }

  #serveName(): void {
    const { address } = this.#o
    const socket = this.#open('name')
    socket.on('message', (question, from) => {
      const found = localNameAnswer(question, { name: NAME, address })
      if (found === null) return
      const alone = found.toAskerAlone || from.port !== MDNS.port
      socket.send(found.answer, alone ? from.port : MDNS.port, alone ? from.address : MDNS.address)
    })
    socket.once('listening', () => {
      try {
        socket.addMembership(MDNS.address, address)
        socket.setMulticastInterface(address)
        socket.setMulticastTTL(TTL)
      } catch (error) {
        socket.emit('error', error)
      }
    })
    // On all addresses: what is sent to a group comes to none of ours.
    socket.bind(MDNS.port)
  }

  /** One that fails leaves the other, and is tried again at the next look; the same failure is said once. */
  #open(name: Service): Socket {
    const socket = createSocket({ type: 'udp4', reuseAddr: true })
    socket.on('error', (error) => {
      const code = errorCode(error)
      if (this.#said.get(name) !== code)
        this.#o.log.warn({ service: name, err: error }, 'a service of the hotspot failed')
      this.#said.set(name, code)
      this.#end(name)
    })
    this.#services.set(name, socket)
    return socket
  }

  #end(name: Service): void {
    this.#services.get(name)?.close()
    this.#services.delete(name)
  }
}

/** Null in a preview, which changes nothing that leaves. */
export function openHotspot(
  options: HotspotOptions & { mode: StartOptions['mode'] },
  stopper: Stopper
): Hotspot | null {
  if (options.mode === 'preview') return null
  const hotspot = new Hotspot(options)
  stopper.add('hotspot', () => hotspot.close())
  return hotspot
}
