import { classifyAlert } from '../../../model/classify.ts'
import type { LookoutEvent } from '../../../model/event.ts'
import { capLevel } from '../../../model/levels.ts'
import { because, type Reason } from '../../../model/reason.ts'
import { formatTime } from '../../../model/time.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SkippedItem } from '../feed.ts'
import { callToAction } from '../polling/calls.ts'
import { feedEvent } from '../reading/feed-event.ts'
import { asBag, type Bag, jsonBodySteps, reportedError, textOf } from '../reading/json.ts'
import { geometryOf, looseTime } from '../reading/loose.ts'
import { clip, oneLine, sentences } from '../reading/prose.ts'
import { eachInTurn, inTurns } from '../reading/steps.ts'
import { decodeSteps } from '../reading/xml.ts'
import type { ReadTools, SourceKind, SourceReading } from '../source.ts'
import { type MetAlert, readAlert } from './alert.ts'
import type { MetAlertsSettings } from './settings.ts'
import { threadsOf } from './threads.ts'

const FEED = 'weather alerts'
const ADDRESSES = {
  met_norway: 'https://api.met.no/weatherapi/metalerts/2.0/current.json',
  eccc: 'https://api.weather.gc.ca/collections/weather-alerts/items?f=json&limit=1000'
} as const

/** MetAlerts 2.0 of MET Norway, and the weather alerts of Canada on GeoMet: one reader, for both write CAP into GeoJSON. */
export const metAlertsSource: SourceKind<MetAlertsSettings> = {
  mode: 'poll',
  kind: 'met_alerts',
  about: 'Weather alerts of MET Norway, or of Environment and Climate Change Canada.',
  defaultIntervalSeconds: 300,
  minIntervalSeconds: 60,
  warns: true,
  needsContact: true,
  async poll(settings, tools) {
    const url = new URL(settings.url ?? ADDRESSES[settings.provider])
    if (!url.searchParams.has('lang')) url.searchParams.set('lang', settings.language)
    const answer = await tools.fetch({ url: url.href, maxBytes: 32 * 1024 * 1024 })
    if (answer.state === 'unchanged') return 'unchanged'
    return inTurns(readSteps(answer.body, settings, tools), tools.signal)
  },
  read: (body, settings, tools) => drain(readSteps(body, settings, tools))
}

function* readSteps(bytes: Uint8Array, settings: MetAlertsSettings, tools: ReadTools): Generator<void, SourceReading> {
  const body = yield* jsonBodySteps(yield* decodeSteps(bytes), FEED)
  const { features } = body
  if (body['type'] !== 'FeatureCollection' || !Array.isArray(features)) throw notAListing(body)
  const spoken = textOf(body['lang'])
  const isEnglish = spoken === 'en' || spoken === ''
  const listed = looseTime(body['lastChange']) ?? looseTime(body['timeStamp'])
  const { alerts, skipped } = yield* alertsOf(features, (feature) => readAlert(feature, settings.language, isEnglish))
  const threads = yield* threadsOf(alerts, tools)
  const events: LookoutEvent[] = []
  yield* eachInTurn(alerts, (alert) => {
    const reason = whyNotTold(alert, tools.receivedAt)
    if (reason === null)
      events.push(toEvent(alert, { thread: threads.get(alert.id) ?? alert.id, listed, spoken, settings, tools }))
    else skipped.push({ id: alert.id, reason })
  })
  const updated = listed === null ? null : formatTime(listed)
  return { kind: 'met_alerts', events, skipped, updated, items: features.length }
}

/** Gives each of several features that share an id, as the areas of one alert may, an id of its own. */
function* alertsOf(
  features: unknown[],
  one: (feature: Bag | null) => MetAlert | SkippedItem
): Generator<void, { alerts: MetAlert[]; skipped: SkippedItem[] }> {
  const skipped: SkippedItem[] = []
  const all: MetAlert[] = []
  const uses = new Map<string, number>()
  yield* eachInTurn(features, (feature) => {
    const alert = one(asBag(feature))
    if ('reason' in alert) skipped.push(alert)
    else all.push(alert)
    uses.set(alert.id, (uses.get(alert.id) ?? 0) + 1)
  })
  const named = all.map((alert) => (uses.get(alert.id) === 1 ? alert : { ...alert, id: `${alert.id}|${alert.key}` }))
  const alerts = new Set(new Map(named.map((alert) => [alert.id, alert])).values())
  const twice = named.filter((alert) => !alerts.has(alert))
  return {
    alerts: [...alerts],
    skipped: [...skipped, ...twice.map(({ id }) => ({ id, reason: because('listed_twice') }))]
  }
}

function notAListing(body: Bag): AppError {
  const said = reportedError(body) ?? textOf(body['description'])
  if (said !== '') return new AppError('bad-input', because('service_error', { feed: FEED, said }))
  return new AppError('bad-input', because('body_no_alert_collection', { feed: FEED }))
}

function whyNotTold({ type, end, colour }: MetAlert, now: number): Reason | null {
  if (!['Alert', 'Update', 'Cancel'].includes(type)) return because('other_message_type', { type })
  if (type === 'Cancel') return null
  if (end !== null && end <= now) return because('item_over_since', { since: formatTime(end) })
  return colour === 'green' ? because('awareness_green') : null
}

/** The colours of the awareness level in the words of CAP; without one the severity as given, else by the kind of alert. */
const BY_COLOUR: ReadonlyMap<string, string> = new Map([
  ['grey', 'Minor'],
  ['gray', 'Minor'],
  ['yellow', 'Moderate'],
  ['orange', 'Severe'],
  ['red', 'Extreme']
])

function severityOf({ colour, severity, name }: MetAlert): string {
  const byName = /\bwarning$/i.test(name) ? 'Severe' : /\bwatch$/i.test(name) ? 'Moderate' : 'Minor'
  return BY_COLOUR.get(colour) ?? (severity || byName)
}

interface Context {
  thread: string
  /** The time of the listing, epoch milliseconds. */
  listed: number | null
  /** The language that the listing names, whatever was asked for; '' without one. */
  spoken: string
  settings: MetAlertsSettings
  tools: ReadTools
}

const LIFECYCLES: ReadonlyMap<string, 'update' | 'cancel'> = new Map([
  ['Update', 'update'],
  ['Cancel', 'cancel']
])

function toEvent(alert: MetAlert, { thread, listed, spoken, settings, tools }: Context): LookoutEvent {
  const { name, area, end, onset, sent } = alert
  const lifecycle = LIFECYCLES.get(alert.type) ?? 'new'
  const over = lifecycle === 'cancel'
  const facts = { event: name, severity: severityOf(alert), urgency: alert.urgency, ended: over, allClear: false }
  const kind = classOf(alert)
  const severity = capLevel({ ...facts, codes: alert.codes, category: kind.category })
  const expires = end === null ? null : formatTime(end)
  return feedEvent(
    {
      id: alert.id,
      // An identifier of its own is a revision; where messages share one, the time of sending tells them apart.
      revision: [sent === null ? '' : formatTime(sent), over ? 'over' : ''].filter(Boolean).join('|'),
      ...kind,
      severity,
      title: clip([name, area.join(', ')].filter(Boolean).join(': '), 500),
      summary: clip(oneLine(alert.title), 500),
      body: clip([alert.description, alert.instruction].filter(Boolean).join('\n\n'), 8000),
      geometry: geometryOf(alert.feature['geometry']),
      onset: onset === null ? null : formatTime(onset),
      expires,
      sent_at: formatTime(sent ?? listed ?? Math.min(alert.effective ?? tools.receivedAt, tools.receivedAt)),
      thread_id: thread,
      lifecycle,
      data: {
        event_name: name,
        ...(alert.ownName === '' ? {} : { own_name: clip(alert.ownName, 100), language: spoken }),
        ...(/^(?:yellow|orange|red)$/.test(alert.colour) ? { awareness: alert.colour } : {}),
        places: area,
        ...(over ? {} : words(alert)),
        attribution: attributionOf(alert, settings),
        material: over ? 'cancel' : `${severity}|${expires ?? 'open'}`,
        ...(alert.references.length === 0 ? {} : { references: alert.references }),
        cap: { severity: alert.severity, urgency: alert.urgency, certainty: alert.certainty, msgType: alert.type }
      }
    },
    tools
  )
}

/** The danger of forest fire is weather here; the word alone would be taken for a fire. */
function classOf({ name, codes }: MetAlert): { category: string; family: string } {
  if (/^forest fire\b/i.test(name)) return { category: 'fire_weather_warning', family: 'fire' }
  return classifyAlert(name, codes, ['Met'])
}

function words({ description, instruction }: MetAlert): { detail?: string; instruction?: string } {
  const detail = sentences(description.slice(0, 4000))[0] ?? ''
  const act = callToAction(instruction.slice(0, 2000))
  return {
    ...(detail === '' ? {} : { detail: clip(detail, 300) }),
    ...(act === '' ? {} : { instruction: clip(act, 300) })
  }
}

function attributionOf({ sender, id }: MetAlert, { provider }: MetAlertsSettings): string {
  if (sender !== '') return clip(sender, 60)
  // WMO: 2.49.0.1 and the number of the country (ISO 3166), whatever address the listing came from.
  if (id.startsWith('2.49.0.1.578.')) return 'MET Norway'
  if (id.startsWith('2.49.0.1.124.')) return 'ECCC'
  return provider === 'eccc' ? 'ECCC' : 'MET Norway'
}
