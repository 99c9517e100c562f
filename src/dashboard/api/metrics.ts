import type { MetricType } from '../../platform/metrics/point.ts'
import { text } from '../server/reply.ts'
import { get, type Handler, type Route } from '../server/route.ts'
import type { Services } from './services.ts'

interface Metric {
  name: string
  kind: 'counter' | 'gauge'
  help: string
  samples: { labels?: Record<string, string>; value: number }[]
}

/** `GET /metrics`: the Prometheus text format, version 0.0.4. */
function readMetrics(services: Services): Handler<unknown, undefined> {
  return () =>
    text(
      'text/plain; version=0.0.4',
      [
        ...programMetrics(services),
        ...eventMetrics(services),
        ...sourceMetrics(services),
        ...radioMetrics(services),
        ...measuredMetrics(services)
      ]
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
    gauge('lookout_loop_worst_stall_seconds', 'Longest step that held radios and sources, of the last minute.', [
      { value: context.loop().worst_stall_ms / 1000 }
    ]),
    counter('lookout_loop_stalled_seconds_total', 'Time in which radios and sources were held, since the start.', [
      { value: context.loop().stalled_ms / 1000 }
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

/** Names are part of the interface: dashboards of others hang on them. */
const MEASURED: readonly [type: MetricType, key: string, name: string, help: string][] = [
  ['system', 'cpu_percent', 'lookout_system_cpu_percent', 'Use of all cores.'],
  ['system', 'process_cpu_percent', 'lookout_system_process_cpu_percent', 'Use of one core by this process.'],
  ['system', 'station_cpu_percent', 'lookout_station_cpu_percent', 'Use of all cores by all processes of the station.'],
  ['system', 'station_processes', 'lookout_station_processes', 'Processes of the station.'],
  ['system', 'station_memory_bytes', 'lookout_station_memory_bytes', 'Memory of all processes of the station.'],
  [
    'system',
    'station_memory_is_pss',
    'lookout_station_memory_is_pss',
    '1: pages held together are shared out (PSS); 0: they count for each process (RSS).'
  ],
  [
    'system',
    'station_memory_peak_bytes',
    'lookout_station_memory_peak_bytes',
    'Highest memory of all processes that was seen since the measurement before.'
  ],
  ['system', 'main_memory_bytes', 'lookout_station_main_memory_bytes', 'Memory of the main process.'],
  ['system', 'worker_memory_bytes', 'lookout_station_worker_memory_bytes', 'Memory of the worker.'],
  [
    'system',
    'largest_child_bytes',
    'lookout_station_largest_child_bytes',
    'Largest other program since the measurement before, however short it ran.'
  ],
  [
    'system',
    'service_memory_peak_bytes',
    'lookout_station_service_memory_peak_bytes',
    'Highest memory of the service since its start, as the kernel counts it with caches of files.'
  ],
  ['system', 'load_1m', 'lookout_system_load1', 'Load average of one minute.'],
  ['system', 'memory_total_bytes', 'lookout_system_memory_total_bytes', 'Memory of the machine.'],
  ['system', 'memory_available_bytes', 'lookout_system_memory_available_bytes', 'Memory programs could still use.'],
  ['system', 'temperature_celsius', 'lookout_system_temperature_celsius', 'Temperature of the processor.'],
  ['system', 'throttled', 'lookout_system_throttled', '1 while the board is throttled or short of voltage.'],
  ['system', 'disk_total_bytes', 'lookout_system_disk_total_bytes', 'Size of the disk of the data folder.'],
  ['system', 'disk_free_bytes', 'lookout_system_disk_free_bytes', 'Free space on that disk.'],
  [
    'system',
    'disk_written_bytes',
    'lookout_system_disk_written_bytes',
    'Written to that disk since the board started.'
  ],
  ['knowledge', 'total', 'lookout_documents', 'Documents.'],
  ['knowledge', 'complete', 'lookout_documents_complete', 'Documents that are read, enriched and embedded.'],
  ['knowledge', 'in_pipeline', 'lookout_documents_in_pipeline', 'Documents that are being worked on.'],
  ['knowledge', 'failed', 'lookout_documents_failed', 'Documents that failed.'],
  ['knowledge', 'items', 'lookout_items', 'Knowledge items.'],
  ['knowledge', 'vectors', 'lookout_vectors', 'Vectors.']
]

/** The last measurements, at most five minutes old. */
const MEASURED_WITHIN_MS = 300_000

function measuredMetrics({ context: { history, now } }: Services): Metric[] {
  if (history === null) return []
  const latest = new Map(
    (['system', 'knowledge'] as const).map((type) => [
      type as MetricType,
      history.latest(type, { now: now(), withinMs: MEASURED_WITHIN_MS })?.data ?? {}
    ])
  )
  return MEASURED.map(([type, key, name, help]) => {
    const value = latest.get(type)?.[key]
    return gauge(name, help, typeof value === 'number' ? [{ value }] : [])
  })
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

export const metricsRoutes = (services: Services): Route[] => [
  get('/metrics', {
    summary: 'Metrics for Prometheus.',
    about:
      'Prometheus text format 0.0.4. Names stay: `lookout_ready`, `lookout_events_total`, `lookout_deliveries`, `lookout_source_*`, `lookout_radio_ready`, `lookout_queue_waiting`, `lookout_airtime_*`, `lookout_documents*`, `lookout_items`, `lookout_vectors`, `lookout_system_*`, `lookout_station_*`, `process_*`.',
    media: ['text/plain'],
    handle: readMetrics(services)
  })
]
