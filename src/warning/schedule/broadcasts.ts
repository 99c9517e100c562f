import type { Log } from '../../platform/log/log.ts'
import type { Job } from './scheduler.ts'
import { type Broadcast, WEEKDAYS } from './settings.ts'

export interface BroadcastsOptions {
  broadcasts: () => readonly Broadcast[]
  timezone: () => string
  /** False: nothing is sent (notifications are off). */
  enabled: () => boolean
  now: () => number
  log: Log
  /** The text for this network; null when there is nothing to tell. */
  compose: (broadcast: Broadcast, network: 'mt' | 'mc') => Promise<string | null>
  /** Puts a finished text into the outbox; `key` names this run of it. */
  send: (text: string, to: { network: 'mt' | 'mc'; channel: number | string; key: string }) => void
  /** Remembers what was sent last, over restarts. */
  fact: (name: string) => string | null
  setFact: (name: string, value: string) => void
}

const MINUTE_MS = 60_000

/** Messages that go by the clock on the wall, whatever happens. Contract §5. */
export class Broadcasts {
  readonly #o: BroadcastsOptions

  constructor(options: BroadcastsOptions) {
    this.#o = options
  }

  /** One job per broadcast and time of day. */
  jobs(): Job[] {
    const enabled = this.#o.broadcasts().filter((broadcast) => broadcast.enabled)
    return enabled.flatMap((broadcast) =>
      broadcast.at.map((time) => ({
        name: `broadcast ${broadcast.name} ${time}`,
        cron: cronOf(time, broadcast.days),
        run: () => this.run(broadcast.name)
      }))
    )
  }

  /** Composes and sends one broadcast; once a minute at most, so that a restart within it says nothing twice. */
  async run(name: string): Promise<void> {
    const broadcast = this.#o.broadcasts().find((one) => one.name === name)
    if (broadcast === undefined || !broadcast.enabled) return
    const { log } = this.#o
    if (!this.#o.enabled()) {
      log.info({ broadcast: name }, 'a broadcast is left out: notifications are switched off')
      return
    }
    const slot = String(Math.floor(this.#o.now() / MINUTE_MS))
    const fact = `broadcast:${name}`
    if (this.#o.fact(fact) === slot) return
    this.#o.setFact(fact, slot)
    for (const { network, channel } of channelsOf(broadcast)) {
      const text = await this.#o.compose(broadcast, network)
      if (text === null) log.info({ broadcast: name, network }, 'a broadcast is left out: there is nothing to tell')
      else this.#o.send(text, { network, channel, key: `${name}:${slot}:${network}` })
    }
  }

  /** The text each channel would get now. */
  async preview(broadcast: Broadcast): Promise<{ channel: string; text: string | null }[]> {
    const texts = channelsOf(broadcast).map(async ({ network, channel }) => ({
      channel: `${network}:${channel}`,
      text: await this.#o.compose(broadcast, network)
    }))
    return Promise.all(texts)
  }
}

function channelsOf({ mt, mc }: Broadcast): { network: 'mt' | 'mc'; channel: number | string }[] {
  return [
    ...(mt === null ? [] : [{ network: 'mt' as const, channel: mt }]),
    ...(mc === null ? [] : [{ network: 'mc' as const, channel: mc }])
  ]
}

/** `30 7 * * 1,3` for 07:30 on Mondays and Wednesdays. */
export function cronOf(time: string, days: readonly (typeof WEEKDAYS)[number][]): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number)
  const list = days.map((day) => WEEKDAYS.indexOf(day)).sort((a, b) => a - b)
  return `${minute} ${hour} * * ${list.length === 0 ? '*' : [...new Set(list)].join(',')}`
}
