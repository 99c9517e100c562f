import type { LookoutEvent } from '../../model/event.ts'
import { spokenOn } from '../messages/spoken-on.ts'
import type { Radio, RadioDescription } from '../radios/radio.ts'
import type { PlannedSend } from '../routing/decision.ts'
import type { WarningConfig } from '../settings.ts'
import { textAirtimeMs } from './airtime-budget.ts'
import { codeCandidate } from './codes.ts'
import type { Ledger } from './ledger.ts'
import { composeFor } from './text.ts'

export type NamedRadio = Pick<RadioDescription, 'network' | 'nodeName'>

/** Without a radio its name is not known: reckon with the longest, so that the real text is never longer. */
export function radioOrLongest(radios: readonly Radio[], network: 'mt' | 'mc'): NamedRadio {
  const radio = radios.find(({ description }) => description.network === network)
  return radio?.description ?? { network, nodeName: network === 'mc' ? 'x'.repeat(31) : '' }
}

/** The text a planned message would have now and its time on the air; null where it goes by no radio. */
export function previewText(
  event: LookoutEvent,
  send: PlannedSend,
  { config, radios, ledger, nowMs }: { config: WarningConfig; radios: readonly Radio[]; ledger: Ledger; nowMs: number }
): { text: string; airtimeMs: number } | null {
  const { transport } = send
  if (transport !== 'mt' && transport !== 'mc') return null
  const radio = radios.find(({ description }) => description.network === transport)
  const code = ledger.codes.known(event.thread_id) ?? codeCandidate(event.thread_id, 0)
  const message = { ...send, mark: null, code, origin: null, events: [event] }
  const setting = { config, spoken: spokenOn(config, send), description: radioOrLongest(radios, transport), nowMs }
  const parts = composeFor(event, message, setting)
  const airtimeMs =
    radio === undefined ? 0 : parts.reduce((sum, part) => sum + textAirtimeMs(part, send.direct, radio.description), 0)
  return { text: parts.join(' '), airtimeMs }
}
