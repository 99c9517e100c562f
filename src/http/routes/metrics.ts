import { text } from '../reply.ts'
import type { Handler } from '../route.ts'
import type { Services } from './services.ts'

interface Metric {
  name: string
  kind: 'counter' | 'gauge'
  help: string
  samples: { labels?: Record<string, string>; value: number }[]
}

/** `GET /metrics`: the Prometheus text format, version 0.0.4. */
export function readMetrics(services: Services): Handler<unknown, undefined> {
  return () =>
    text(
      'text/plain; version=0.0.4',
      [...programMetrics(services), ...eventMetrics(services), ...sourceMetrics(services), ...radioMetrics(services)]
        .map(render)
        .join('')
    )
}

function programMetrics({ context, live }: Services): Metric[] {
  const { version, mode, profile, startedAt } = context
  return [
    gauge('lookout_up', 'Always 1.', [{ value: 1 }]),
    gauge('lookout_build_info', 'What runs.', [{ labels: { version, mode, profile: profile.name }, value: 1 }]),
    gauge('lookout_ready', '1 when everything needed to warn is up.', [{ value: flag(context.readiness().ready) }]),
    gauge('lookout_config_stale', '1 while the configuration file is not valid.', [
      { value: flag(context.config.status().stale) }
    ]),
    gauge('lookout_stream_clients', 'Clients of the live stream.', [{ value: live.clients }]),
    gauge('process_start_time_seconds', 'Start, seconds since 1970.', [{ value: startedAt / 1000 }]),
    gauge('process_resident_memory_bytes', 'Resident memory.', [{ value: process.memoryUsage.rss() }])
  ]
}

function eventMetrics({ context, counters }: Services): Metric[] {
  const events = [...counters.decided].map(([decision, value]) => ({ labels: { decision }, value }))
  const deliveries = Object.entries(context.deliveries.counts()).map(([state, value]) => ({ labels: { state }, value }))
  return [
    { name: 'lookout_events_total', kind: 'counter', help: 'Events since the start, by decision.', samples: events },
    gauge('lookout_deliveries', 'Stored deliveries by state.', deliveries)
  ]
}

function sourceMetrics({ context }: Services): Metric[] {
  const sources = context.sources
    .list()
    .map((source) => ({ source, labels: { source: source.name, kind: source.kind } }))
  const each = (value: (source: (typeof sources)[number]['source']) => number | null): Metric['samples'] =>
    sources.flatMap(({ source, labels }) => {
      const number = value(source)
      return number === null ? [] : [{ labels, value: number }]
    })
  return [
    gauge(
      'lookout_source_up',
      '1 while the source answers as it should.',
      each(({ state }) => flag(UP.has(state)))
    ),
    gauge(
      'lookout_source_last_ok_seconds',
      'Last good answer, seconds since 1970.',
      each(({ last_ok }) => (last_ok === null ? null : Date.parse(last_ok) / 1000))
    ),
    counter(
      'lookout_source_requests_total',
      'Requests since the start.',
      each(({ requests }) => requests)
    ),
    counter(
      'lookout_source_bytes_total',
      'Bytes over the network since the start.',
      each(({ bytes }) => bytes)
    ),
    counter(
      'lookout_source_events_total',
      'Events handed on since the start.',
      each(({ events }) => events)
    )
  ]
}

const UP: ReadonlySet<string> = new Set(['polling', 'ok', 'unchanged', 'ready'])

function radioMetrics({ context }: Services): Metric[] {
  const radios = context.radios().map((radio) => ({ radio, labels: { radio: radio.id, network: radio.network } }))
  return [
    gauge(
      'lookout_radio_ready',
      '1 when the radio is ready.',
      radios.map(({ radio, labels }) => ({ labels, value: flag(radio.state === 'ready') }))
    ),
    gauge(
      'lookout_queue_waiting',
      'Messages that wait for the radio.',
      radios.map(({ radio, labels }) => ({ labels, value: radio.queue.waiting }))
    ),
    gauge(
      'lookout_airtime_used_seconds',
      'Time on air in the last hour.',
      radios.map(({ radio, labels }) => ({ labels, value: radio.airtime.used_seconds }))
    ),
    gauge(
      'lookout_airtime_budget_seconds',
      'Time on air allowed in an hour.',
      radios.map(({ radio, labels }) => ({ labels, value: radio.airtime.budget_seconds }))
    )
  ]
}

function counter(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, kind: 'counter', help, samples }
}

function gauge(name: string, help: string, samples: Metric['samples']): Metric {
  return { name, kind: 'gauge', help, samples }
}

function flag(value: boolean): number {
  return value ? 1 : 0
}

function render({ name, kind, help, samples }: Metric): string {
  const lines = samples.map(({ labels = {}, value }) => `${name}${renderLabels(labels)} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n${lines.join('')}`
}

function renderLabels(labels: Record<string, string>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
