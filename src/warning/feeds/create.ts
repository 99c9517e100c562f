import { AppError } from '../../platform/errors.ts'
import type { PushKind, SourceKind } from './source.ts'

/** One line a kind; loaded when a source of that kind is configured, never otherwise. */
const KINDS: Record<string, () => Promise<SourceKind | PushKind>> = {
  nws: async () => (await import('./nws/source.ts')).nwsSource,
  nws_text: async () => (await import('./nws-text/source.ts')).nwsTextSource,
  cap: async () => (await import('./cap/source.ts')).capSource,
  cap_stream: async () => (await import('./cap/stream.ts')).capStreamSource,
  ipaws: async () => (await import('./cap/ipaws.ts')).ipawsSource,
  meteoalarm: async () => (await import('./cap/meteoalarm.ts')).meteoalarmSource,
  met_alerts: async () => (await import('./met-alerts/met-alerts.ts')).metAlertsSource,
  usgs: async () => (await import('./usgs/source.ts')).usgsSource,
  wfigs: async () => (await import('./wfigs/wfigs.ts')).wfigsSource,
  bc_wildfire: async () => (await import('./bc-wildfire/bc-wildfire.ts')).bcWildfireSource,
  firms: async () => (await import('./firms/firms.ts')).firmsSource,
  swpc: async () => (await import('./swpc/swpc.ts')).swpcSource,
  nwps: async () => (await import('./gauges/nwps.ts')).nwpsSource,
  nwis: async () => (await import('./gauges/nwis.ts')).nwisSource,
  avalanche: async () => (await import('./avalanche/avalanche-org.ts')).avalancheSource,
  avalanche_canada: async () => (await import('./avalanche/avalanche-canada.ts')).avalancheCanadaSource,
  open511: async () => (await import('./roads/open511.ts')).open511Source,
  wzdx: async () => (await import('./roads/wzdx.ts')).wzdxSource,
  datex2: async () => (await import('./roads/datex2.ts')).datex2Source,
  digitraffic: async () => (await import('./roads/digitraffic.ts')).digitrafficSource,
  cars: async () => (await import('./roads/cars.ts')).carsSource,
  gdacs: async () => (await import('./gdacs/gdacs.ts')).gdacsSource,
  georss: async () => (await import('./georss/georss.ts')).georssSource,
  nhc: async () => (await import('./nhc/nhc.ts')).nhcSource,
  volcano: async () => (await import('./volcano/volcano.ts')).volcanoSource,
  jma: async () => (await import('./jma/jma.ts')).jmaSource,
  satpass: async () => (await import('./satpass/source.ts')).satpassSource,
  rest: async () => (await import('./rest/rest.ts')).restSource,
  mqtt: async () => (await import('./mqtt/source.ts')).mqttSource,
  nats: async () => (await import('./nats/source.ts')).natsSource,
  folder: async () => (await import('./folder/source.ts')).folderSource
}

/** The reader of a kind. @throws AppError `bad-input` naming the known kinds. */
export async function kindOf(kind: string): Promise<SourceKind | PushKind> {
  const load = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  if (load === undefined)
    throw new AppError('bad-input', `there is no kind of source "${kind}". Known: ${Object.keys(KINDS).join(', ')}.`)
  return load()
}
