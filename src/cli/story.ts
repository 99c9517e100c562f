import type { Language } from '../model/words/languages.ts'
import { sentenceOf } from '../model/words/sentences.ts'
import type { Delivery } from '../warning/outbox/delivery.ts'
import type { Accepted } from '../warning/routing/accepted.ts'

/** Tells on the terminal, in plain lines, what happens to each event: event → regions → cell → channel → text → sent. */
export class Story {
  readonly #write: (line: string) => void
  readonly #zone: () => string
  readonly #language: Language

  constructor(write: (line: string) => void, zone: () => string, language: Language) {
    this.#write = write
    this.#zone = zone
    this.#language = language
  }

  decided({ event, decision, duplicate }: Accepted, at: number): void {
    this.#write('')
    this.#write(`${this.#time(at)}  EVENT  ${event.severity} ${event.family}: ${event.title}`)
    if (duplicate || decision === null) {
      this.#write(`          known   ${event.source} ${event.id} was here before: nothing is sent twice`)
      return
    }
    this.#write(`          regions ${event.regions.length > 0 ? event.regions.join(', ') : '(none)'}`)
    for (const step of decision.trace) {
      if (step.stage === 'matrix' && step.region !== undefined) {
        this.#write(`          cell    ${sentenceOf(step, this.#language)}`)
      }
    }
    const last = decision.trace.at(-1)
    if (decision.sends.length === 0)
      this.#write(`          silent  ${last === undefined ? decision.reason : sentenceOf(last, this.#language)}`)
    for (const send of decision.sends) {
      const joined = send.mergeInto === null ? '' : ` (joins message ${send.mergeInto}, which still waits)`
      this.#write(`          channel ${channelName(send)} · ${send.kind}${joined}`)
    }
  }

  delivery(delivery: Delivery, at: number): void {
    const where = `#${delivery.id} ${channelName(delivery)}`
    const simulated = delivery.simulated ? ' [simulated radio]' : ''
    if (delivery.state === 'transmitting') {
      this.#write(`${this.#time(at)}  ${where}  "${delivery.parts?.join(' ') ?? ''}" (${delivery.bytes} bytes)`)
    } else if (
      delivery.state === 'sent' ||
      delivery.state === 'failed' ||
      delivery.state === 'expired' ||
      delivery.state === 'suppressed'
    ) {
      const why = delivery.reason === null ? '' : `: ${delivery.reason}`
      this.#write(`${this.#time(at)}  ${where}  ${delivery.state}${why}${simulated}`)
    } else if (delivery.state === 'held') {
      this.#write(`${this.#time(at)}  ${where}  held: ${delivery.reason}`)
    }
  }

  #time(at: number): string {
    return new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: this.#zone() }).format(at)
  }
}

function channelName({ transport, channel, direct }: Pick<Delivery, 'transport' | 'channel' | 'direct'>): string {
  if (transport === 'mt') return direct ? `Meshtastic node ${channel}` : `Meshtastic channel ${channel}`
  if (transport === 'mc') return direct ? `MeshCore contact ${channel}` : `MeshCore channel "${channel}"`
  return `${transport} ${channel}`
}
