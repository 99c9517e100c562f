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
      [...programMetrics(services), ...eventMetrics(services), ...radioMetrics(services)].map(render).join('')
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
