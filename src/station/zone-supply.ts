import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../platform/clock/clock.ts'
import { errorText } from '../platform/errors.ts'
import { watchFolder } from '../platform/files/watch-folder.ts'
import type { Log } from '../platform/log/log.ts'
import type { Config } from '../settings/schema.ts'
import { findCountyAtlas, openZoneFiles, type ZoneFiles } from '../warning/atlas/zone-files.ts'
import { ZoneFiller } from '../warning/atlas/zone-filler.ts'
import type { ZoneShapes } from '../warning/coverage/zones.ts'
import { userAgent } from '../warning/feeds/polling/user-agent.ts'
import { namesCodes } from '../warning/feeds/settings.ts'

export interface ZoneSupplyOptions {
  dataFolder: string
  config: () => Config
  version: string
  /** False: outlines that are missing are not fetched. */
  fill: boolean
  clock: Clock
  log: Log
  /** The outlines have changed: what was computed from them is out of date. */
  onChange: () => void
}

export interface ZoneSupply extends ZoneShapes {
  /** The same, but nothing that is missing is fetched for it: for what a page asks for. */
  readonly known: ZoneShapes
  /** Codes that packs and atlas have outlines of. */
  codes(): readonly string[]
  /** Reads the packs before they are asked for, where this station needs them: the first warning waits for no file. */
  prepare(): Promise<void>
  refresh(): void
  stop(): Promise<void>
}

const DEBOUNCE_MS = 2000
const MAX_BYTES = 16 * 1024 * 1024

/** Outlines from the operator's packs and the county atlas, then from what was fetched one by one. Packs are read anew when they change. */
export function openZoneSupply(options: ZoneSupplyOptions): ZoneSupply {
  const { dataFolder, clock, log, onChange } = options
  const zonesFolder = join(dataFolder, 'zones')
  mkdirSync(zonesFolder, { recursive: true })
  const files = openZoneFiles({
    zonesFolder,
    atlasFile: findCountyAtlas(import.meta.url),
    onProblem: (file, message) => log.warn({ file, problem: message }, 'a zone pack cannot be used')
  })
  const filler = new ZoneFiller({
    file: join(zonesFolder, 'online', 'zones.ndjson'),
    get: async (url) => {
      const { httpGet } = await import('../platform/net/fetch.ts')
      const agent = userAgent(options.version, options.config().station.contact)
      return httpGet({ url, userAgent: agent, headers: { accept: 'application/geo+json' }, maxBytes: MAX_BYTES })
    },
    blocked: () => whyNotFilled(options),
    clock,
    log,
    random: Math.random,
    onArrived: onChange
  })
  const refresh = (): void => renew(files, options)
  const counties: NonNullable<ZoneShapes['counties']> = (zone, names) => files.counties?.(zone, names) ?? null
  // A folder that cannot be watched is no failure: SIGHUP does the same.
  const stopWatching = watchFolder(zonesFolder, {
    clock,
    debounceMs: DEBOUNCE_MS,
    counts: (name) => name !== 'online' && name?.startsWith('.') !== true,
    onTouched: refresh,
    onBlind: (error) =>
      log.warn(
        { folder: zonesFolder, error: errorText(error) },
        'the zone packs cannot be watched: send SIGHUP after an import'
      )
  })
  return {
    shape: (code) => files.shape(code) ?? filler.shape(code),
    counties,
    known: { shape: (code) => files.shape(code) ?? filler.known(code), counties },
    codes: () => files.codes(),
    prepare: async () => {
      if (needsOutlines(options.config())) await files.prepare()
    },
    refresh,
    stop: () => {
      stopWatching()
      return filler.stop()
    }
  }
}

function renew(files: ZoneFiles, { config, onChange, log }: ZoneSupplyOptions): void {
  if (needsOutlines(config())) {
    files.prepare().then(onChange, (error: unknown) => log.error({ err: error }, 'the zone packs could not be read'))
    return
  }
  files.refresh()
  onChange()
}

/** A station whose sources and areas name no codes keeps none of them in memory. */
function needsOutlines({ coverage, sources }: Config): boolean {
  const isNamed = sources.some(({ kind, enabled }) => enabled && namesCodes(kind))
  return isNamed || coverage.areas.some(({ parts }) => parts.some(({ codes }) => codes !== undefined))
}

function whyNotFilled({ fill, config }: ZoneSupplyOptions): string | null {
  const { coverage, station, sources } = config()
  if (!fill) return 'nothing is fetched in this mode'
  if (!coverage.zones_online) return 'coverage.zones_online is off'
  if (station.contact === '') return 'station.contact is empty'
  return sources.some(({ kind, enabled }) => enabled && namesCodes(kind)) ? null : 'no source names such codes'
}
