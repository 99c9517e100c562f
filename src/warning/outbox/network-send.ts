import { wordsOf } from '../../model/content.ts'
import type { LookoutEvent } from '../../model/event.ts'
import { because, type Reason } from '../../model/reason.ts'
import type { Severity } from '../../model/severity.ts'
import { errorText, reasonOf } from '../../platform/errors.ts'
import type { Destination, Rule, Toggle } from '../routing/settings.ts'
import type { WarningConfig } from '../settings.ts'
import type { Delivery } from './delivery.ts'

export type NetworkSettings = Toggle | Rule | Destination

/** The result of one attempt over the network. */
export type NetworkOutcome = { kind: 'sent' } | { kind: 'refused'; retry: boolean; reason: Reason }

/** All of a message that its words and its way depend on. */
type Sent = Pick<Delivery, 'transport' | 'content' | 'regions'>

const TIMEOUT_MS = 10_000

/** The settings a network delivery is addressed by (`destination:ops`), as they are now; null when they were removed. */
export function settingsOf(via: string, { notifications }: WarningConfig): NetworkSettings | null {
  const [kind, name] = [via.slice(0, via.indexOf(':')), via.slice(via.indexOf(':') + 1)]
  if (kind === 'destination') return notifications.destinations[name] ?? null
  if (kind === 'toggle') return notifications.toggles[name] ?? null
  return notifications.rules.find((rule) => rule.name === name) ?? null
}

/** The words of a network delivery: there is room for all of them. */
export function networkText(delivery: Sent, event: LookoutEvent): { subject: string; text: string } {
  const { kind } = wordsOf(delivery.content)
  const mark = kind === 'new' ? '' : `${kind.toUpperCase()}: `
  const where = delivery.regions.length > 0 ? ` (${delivery.regions.join(', ')})` : ''
  const until = event.expires === null ? [] : [`Until ${event.expires}`]
  const lines = [event.summary, event.body, ...until, `Source: ${event.source}, ${event.sent_at}`]
  return { subject: `${mark}${event.title}${where}`, text: lines.filter((line) => line !== '').join('\n\n') }
}

/** The generic webhook body, schema 1.0: field names are those an existing receiver of the earlier system knows. */
export function webhookBody(delivery: Sent, event: LookoutEvent): Record<string, unknown> {
  return {
    schema_version: '1.0',
    message: event.summary === '' ? event.title : event.summary,
    kind: wordsOf(delivery.content).kind,
    severity: event.severity,
    timestamp: event.sent_at,
    category: event.category,
    event_type: event.family,
    region: delivery.regions[0] ?? null,
    regions: delivery.regions,
    thread_id: event.thread_id,
    source_event: { id: event.id, source: event.source, title: event.title, expires: event.expires }
  }
}

const NTFY_PRIORITY: Record<Severity, string> = { routine: '2', priority: '3', critical: '4', immediate: '5' }

/** One attempt. Never rejects for a reason of the network: that is an outcome. */
export async function sendOverNetwork(
  delivery: Sent,
  event: LookoutEvent,
  settings: NetworkSettings
): Promise<NetworkOutcome> {
  try {
    if (delivery.transport === 'email') return await sendMail(delivery, event, settings)
    return await post(delivery, event, settings)
  } catch (error) {
    return { kind: 'refused', retry: true, reason: networkReason(error) }
  }
}

async function post(delivery: Sent, event: LookoutEvent, settings: NetworkSettings): Promise<NetworkOutcome> {
  const { subject, text } = networkText(delivery, event)
  const ntfy = delivery.transport === 'ntfy'
  const headers: Record<string, string> = ntfy
    ? {
        'content-type': 'text/plain; charset=utf-8',
        title: asciiHeader(subject),
        priority: NTFY_PRIORITY[event.severity]
      }
    : { 'content-type': 'application/json' }
  const response = await fetch(settings.webhook_url, {
    method: 'POST',
    headers: { ...headers, ...settings.webhook_headers },
    body: ntfy ? text : JSON.stringify(webhookBody(delivery, event)),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS)
  })
  await response.body?.cancel()
  if (response.ok) return { kind: 'sent' }
  const retry = response.status === 429 || response.status >= 500
  return { kind: 'refused', retry, reason: because('server_answered', { status: response.status }) }
}

/** HTTP header fields are ASCII; what is not becomes `?`. */
function asciiHeader(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]+/g, '?')
    .slice(0, 250)
}

async function sendMail(delivery: Sent, event: LookoutEvent, settings: NetworkSettings): Promise<NetworkOutcome> {
  const { createTransport } = await import('nodemailer')
  const { smtp_host, smtp_port, smtp_user, smtp_password, smtp_tls, from_address, recipients } = settings
  const transport = createTransport({
    host: smtp_host,
    port: smtp_port,
    secure: smtp_tls && smtp_port === 465,
    requireTLS: smtp_tls && smtp_port !== 465,
    ignoreTLS: !smtp_tls,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    ...(smtp_user === '' ? {} : { auth: { user: smtp_user, pass: smtp_password } })
  })
  try {
    await transport.sendMail({ from: from_address, to: recipients, ...networkText(delivery, event) })
    return { kind: 'sent' }
  } catch (error) {
    const permanent = error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 500
    return { kind: 'refused', retry: !permanent, reason: networkReason(error) }
  } finally {
    transport.close()
  }
}

/** Fetch hides the cause one level down. */
function networkReason(error: unknown): Reason {
  if (!(error instanceof Error) || error.cause === undefined) return reasonOf(error)
  return because('refused_as', { name: errorText(error), why: reasonOf(error.cause) })
}
