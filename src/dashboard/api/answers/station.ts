import * as v from 'valibot'
import { regionRoutesBodySchema } from '../../../warning/routing/settings.ts'
import {
  anything,
  counts,
  issue,
  network,
  next,
  number,
  numberOrNull,
  severity,
  text,
  textOrNull,
  texts,
  time,
  timeOrNull
} from './common.ts'

/** Answers of the routes about the station itself: matrix, coverage, settings, how it is. */

export const namesAnswer = texts
export const familiesAnswer = v.object({
  families: v.array(
    v.object({
      key: text,
      label: text,
      dynamic: v.boolean(),
      categories: v.array(v.object({ id: text, description: text, default_severity: severity, example_message: text }))
    })
  )
})
export const matrixAnswer = regionRoutesBodySchema
export const savedMatrixAnswer = v.object({
  ok: v.literal(true),
  saved: matrixAnswer,
  warnings: v.array(
    v.object({
      code: text,
      message: text,
      paths: texts,
      region: v.exactOptional(text),
      family: v.exactOptional(text),
      channels: v.exactOptional(v.array(number))
    })
  ),
  revision: text
})

export const cellWeekAnswer = v.object({
  since: time,
  complete: v.boolean(),
  cells: v.array(v.object({ family: text, region: text, messages: number, simulated: number, airtime_seconds: number }))
})

export const coverageAnswer = v.looseObject({
  enabled: v.boolean(),
  region_tagging: v.boolean(),
  excluded_sources: texts,
  zones_online: v.boolean(),
  areas: v.array(v.looseObject({ name: textOrNull, parts: v.array(anything) }))
})
const coverageWarning = v.object({ code: text, message: text, path: text })
export const savedCoverageAnswer = v.object({
  ok: v.literal(true),
  saved: coverageAnswer,
  warnings: v.array(coverageWarning),
  revision: text
})
const previewed = v.array(
  v.object({
    seq: number,
    id: text,
    source: text,
    title: text,
    family: text,
    severity: text,
    sent_at: time,
    before: texts,
    after: texts
  })
)
export const previewAnswer = v.object({
  since: time,
  events: number,
  unlocated: number,
  passed: number,
  areas: v.array(v.object({ name: textOrNull, events: number })),
  counts: v.object({ newly: number, no_longer: number, retagged: number }),
  newly: previewed,
  no_longer: previewed,
  retagged: previewed,
  inside: v.array(number),
  warnings: v.array(coverageWarning)
})
export const placesAnswer = v.object({
  results: v.array(v.object({ code: text, name: text, state: text, kind: text }))
})
export const outlinesAnswer = v.object({ outlines: v.record(v.string(), anything) })
export const outlineAnswer = v.object({
  type: v.literal('Feature'),
  id: text,
  properties: v.object({ name: text }),
  geometry: anything
})
const town = {
  name: text,
  also: text,
  country: text,
  region: text,
  county: text,
  lat: number,
  lon: number,
  population: number,
  timezone: text
}
export const countriesAnswer = v.object({
  countries: v.array(v.object({ code: text, name: text, box: v.array(number) })),
  here: text
})
export const townsAnswer = v.object({ towns: v.array(v.object(town)) })
export const townsNearAnswer = v.object({ towns: v.array(v.object({ ...town, km: number })) })
export const mapsAnswer = v.object({ maps: v.array(v.object({ file: text, size: number, url: text })) })

const served = {
  settings: anything,
  revision: text,
  overridden: v.record(v.string(), v.union([text, number, v.boolean()])),
  stale_config: v.boolean(),
  problem: textOrNull
}
export const settingsAnswer = v.object(served)
export const savedSettingsAnswer = v.object({
  ok: v.literal(true),
  ...served,
  restart: texts,
  warnings: v.array(issue)
})
const yes = v.exactOptional(v.literal(true))
const scalar = v.union([text, number, v.boolean()])
const settings = v.exactOptional(anything)
export const schemaAnswer = v.object({
  type: v.picklist(['object', 'list', 'map', 'text', 'number', 'switch', 'choice', 'kinds', 'json']),
  title: text,
  description: v.exactOptional(text),
  required: yes,
  nullable: yes,
  secret: yes,
  restart: yes,
  public: v.exactOptional(v.union([v.literal(true), v.literal('origin')])),
  public_names: yes,
  whole: yes,
  default: v.optional(v.unknown()),
  choices: v.exactOptional(v.array(v.nullable(scalar))),
  min: v.exactOptional(number),
  max: v.exactOptional(number),
  most: v.exactOptional(number),
  unit: v.exactOptional(text),
  also: v.exactOptional(text),
  names: v.exactOptional(texts),
  members: settings,
  items: settings,
  values: settings,
  kinds: settings
})

const key = {
  index: number,
  id: text,
  provider: text,
  masked: text,
  length: number,
  calls: number,
  errors: number,
  last_used: timeOrNull,
  valid: v.nullable(v.boolean()),
  last_validated: timeOrNull,
  state: v.picklist(['healthy', 'cooling', 'quarantined']),
  reason: textOrNull,
  ready_at: timeOrNull
}
const tested = v.object({ index: number, id: text, valid: v.nullable(v.boolean()), message: text })
export const keysAnswer = v.object({ keys: v.array(v.object(key)) })
export const keyAnswer = v.object({ ok: v.literal(true), ...key, count: number })
export const removedKeyAnswer = v.object({ ok: v.literal(true), removed: text, count: number })
export const testedKeyAnswer = tested
export const testedKeysAnswer = v.object({ results: v.array(tested) })
export const keyCountAnswer = v.object({ ok: v.literal(true), count: number })

const problem = v.object({
  code: text,
  params: v.record(v.string(), v.union([text, number])),
  blocking: v.boolean(),
  link: text,
  message: text
})
const readiness = { ready: v.boolean(), problems: v.array(problem) }
export const readyAnswer = v.object({ status: v.picklist(['ready', 'not_ready']), ...readiness })
export const liveAnswer = v.object({ status: v.literal('live') })
export const statusAnswer = v.object({
  version: text,
  mode: v.picklist(['run', 'preview']),
  profile: text,
  uptime_seconds: number,
  started_at: time,
  simulated: v.boolean(),
  demo: v.nullable(v.object({ playing: v.boolean(), note: text })),
  stale_config: v.boolean(),
  config_problem: v.nullable(
    v.object({ code: text, message: text, line: numberOrNull, column: numberOrNull, path: text })
  ),
  storage: v.object({ storing: v.boolean(), fault: textOrNull }),
  notifications_enabled: v.boolean(),
  matrix_enabled: v.boolean(),
  matrix_mt_enabled: v.boolean(),
  matrix_mc_enabled: v.boolean(),
  tagging: v.boolean(),
  coverage_areas: number,
  queue: counts,
  loop: v.object({ worst_stall_ms: number, stalled_ms: number, during: texts }),
  radios: v.array(
    v.object({ id: text, network, state: text, reason: textOrNull, simulated: v.boolean(), waiting: number })
  ),
  backup: v.nullable(
    v.object({ every: v.picklist(['off', 'daily', 'weekly']), last_good: timeOrNull, failing: v.boolean() })
  ),
  readiness: v.object(readiness)
})
export const profileAnswer = v.object({
  profile: text,
  features: v.record(v.string(), v.boolean()),
  limits: anything,
  overrides: v.record(v.string(), v.union([text, number, v.boolean()]))
})
export const sessionAnswer = v.object({
  identity: textOrNull,
  how: v.picklist(['proxy', 'token', 'session', 'loopback', 'none']),
  can_write: v.boolean(),
  claimed: v.boolean(),
  sign_in: v.picklist(['proxy', 'passphrase', 'claim_code']),
  local_operator: v.picklist(['on', 'off', 'proxy_configured', 'proxy_seen']),
  encrypted: v.boolean(),
  https: v.object({
    state: v.picklist(['off', 'starting', 'on', 'failed']),
    port: numberOrNull,
    fingerprint: textOrNull,
    valid_to: timeOrNull,
    names: texts,
    problem: textOrNull
  }),
  problem: textOrNull
})
export const historyAnswer = v.object({
  type: text,
  hours: number,
  points: v.array(
    v.object({
      timestamp: time,
      data: v.record(v.string(), v.union([numberOrNull, v.record(v.string(), numberOrNull)]))
    })
  )
})

const circle = v.object({ lat: number, lon: number, radius_km: number })
export const firstRunAnswer = v.object({
  station: v.object({ name: text, contact: text, country: text, timezone: text, named: v.boolean() }),
  place: v.nullable(v.object({ name: text, lat: number, lon: number })),
  areas: v.array(
    v.object({
      name: textOrNull,
      circle: v.nullable(circle),
      codes: v.nullable(texts),
      drawn: v.boolean(),
      probe: v.nullable(
        v.union([
          v.object({ circle }),
          v.object({ bbox: v.array(number) }),
          v.object({ same: texts }),
          v.object({ zones: texts }),
          v.object({ lat: number, lon: number })
        ])
      )
    })
  ),
  radios: v.array(v.object({ id: text, network, link: text, path: text, host: text, port: numberOrNull })),
  sources: v.object({ kinds: texts, states: texts }),
  matrix: v.object({
    enabled: v.boolean(),
    tagging: v.boolean(),
    columns: v.array(
      v.object({
        region: text,
        families: texts,
        mt: numberOrNull,
        mc: textOrNull,
        min_severity: text,
        mixed: v.boolean()
      })
    ),
    policies: texts
  }),
  empty: v.boolean(),
  revision: text
})

export const auditAnswer = v.object({
  entries: v.array(
    v.object({
      seq: v.pipe(number, v.description('Counts from 1.')),
      at: time,
      by: v.pipe(text, v.description('Who: a person, a token, a node, station itself, or file for an edit by hand.')),
      code: text,
      text,
      changes: v.array(
        v.object({ pointer: text, before: v.exactOptional(v.unknown()), after: v.exactOptional(v.unknown()) })
      )
    })
  ),
  next
})
export const takenBackAnswer = v.object({ ok: v.literal(true), taken_back: texts })
export const restartAnswer = v.object({ ok: v.literal(true), by: text, started_at: time })
