import { NETWORK_NAMES } from '../../../../web/shared/words.js'
import { type LogEntry, type LogGap, senderOf } from '../../server/comms-log.ts'
import { shownDelivery } from '../../server/guest-view.ts'
import type { Translate } from '../../words/language.ts'
import { channelName, messageText, stateMark } from '../deliveries/delivery-parts.ts'
import { type Html, html } from '../frame/html.ts'
import { demoMark, drillMark, type Reader } from '../frame/reader.ts'

type Entry<Kind extends LogEntry['kind']> = Extract<LogEntry, { kind: Kind }>

export interface Drawing {
  reader: Reader
  /** Writes a moment by the clock of the station. */
  local: (at: number) => string
}

/** A transmission, or a command that came. */
export function lineOf(entry: Entry<'sent' | 'received'>, { reader, local }: Drawing): Html {
  const { t, context } = reader
  const station = context.shownConfig().station.name
  const at = html`<td role="cell" class="when">${time(entry.at, local)}</td>`
  if (entry.kind === 'received') {
    const { name, isProven } = senderName(entry, reader)
    return html`<tr role="row">${at}<td role="cell">${name}${isProven ? null : html` <span class="quiet">${t('unproven')}</span>`}</td><td role="cell">${station}</td><td role="cell"><q class="said">!${entry.command}</q> <span class="quiet">${outcomeWords(entry.outcome, t)}</span></td></tr>\n`
  }
  const view = shownDelivery(entry.delivery, reader)
  return html`<tr role="row">${at}<td role="cell">${station} <small class="quiet">${t('no. {id}', { id: view.id })}</small></td><td role="cell">${channelName(reader, view)}</td><td role="cell">${mark(entry)}${messageText(view, reader)} ${how(entry, t)}${stateMark(view, reader)}</td></tr>\n`
}

/** A text that was not on the air, or of which nobody knows. */
export function lostLine(entry: Entry<'sent' | 'not_sent'>, { reader, local }: Drawing): Html {
  const view = shownDelivery(entry.delivery, reader)
  return html`<tr role="row"><td role="cell" class="when">${time(entry.at, local)}</td><td role="cell">${channelName(reader, view)}</td><td role="cell">${stateMark(view, reader)}</td><td role="cell">${mark(entry)}${messageText(view, reader)} <small class="quiet">${reader.t('no. {id}', { id: view.id })}</small></td></tr>\n`
}

/** `Meshtastic !a1b2c3d4`: who sent a command, as whoever asks may know it. */
export function senderName(
  entry: Entry<'received'>,
  asker: Pick<Reader, 'isGuest'>
): { network: 'mt' | 'mc'; name: string; isProven: boolean } {
  const { network, who, isProven } = senderOf(entry, asker)
  return { network, name: `${NETWORK_NAMES[network]} ${who}`, isProven }
}

function time(at: number, local: (at: number) => string): Html {
  return html`<time datetime="${new Date(at).toISOString()}">${local(at)}</time>`
}

/** An exercise is never taken for the real thing. */
function mark(entry: Entry<'sent' | 'not_sent'>): Html | null {
  return drillMark(entry) ?? demoMark(entry.delivery.demo)
}

function how({ transmission: { part, again, known } }: Entry<'sent'>, t: Translate): Html {
  return html`${again ? html`<span class="quiet">${t('said again')}</span> ` : null}${
    part === null ? null : html`<span class="quiet">${t('part {part} of {count}', { ...part })}</span> `
  }${known === 'heard' ? html`<span class="quiet">${t('the radio did not say so; somebody repeated it')}</span> ` : null}`
}

function outcomeWords(outcome: Entry<'received'>['outcome'], t: Translate): string {
  switch (outcome) {
    case 'answered':
      return t('answered')
    case 'notice':
      return t('too many: told so')
    case 'ignored':
      return t('too many: not answered')
    case 'late':
      return t('came too late: not answered')
  }
}

/** Why a log or a report may not have all there was. */
export function gapWords(gap: LogGap, { t, context }: Reader): string {
  switch (gap) {
    case 'not_over':
      return t('This span is not over: the log ends now.')
    case 'messages_pruned':
      return t('Messages are kept for {days} days: of what is older this log may lack some or all.', {
        days: context.profile.retention.deliveries_days
      })
    case 'commands_pruned':
      return t('Commands that came by radio are kept for 7 days: of older ones this log may lack some or all.')
    case 'in_memory':
      return t('Nothing can be stored at present: this log has only what is in memory.')
  }
}

/** A table that is ruled as on paper. */
export function ruledTable(caption: string, heads: readonly string[], rows: readonly Html[]): Html {
  return html`<table class="comms" role="table"><caption class="hidden">${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads.map((name) => html`<th scope="col" role="columnheader">${name}</th>`)}</tr></thead>
<tbody role="rowgroup">${rows}</tbody></table>`
}
