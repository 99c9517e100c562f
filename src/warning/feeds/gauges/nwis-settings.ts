import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { httpUrlSchema, polledEntries } from '../common-settings.ts'

const threshold = (what: string) =>
  v.pipe(v.exactOptional(v.nullable(v.pipe(v.number(), v.finite()))), v.description(what))

export const gaugeHysteresis = v.pipe(
  v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(10)), 0.1),
  v.description('How far a stage falls below its threshold before it counts as over, in feet. Flows: 2 %.')
)
export const gaugeMaxAge = v.pipe(
  v.optional(v.pipe(v.number(), v.minValue(0.25), v.maxValue(48)), 3),
  v.description('Readings older than this many hours are ignored.')
)

const ORDER = ['action', 'minor', 'moderate', 'major'] as const

const siteSchema = v.pipe(
  looseObject({
    id: v.pipe(
      v.string(),
      v.trim(),
      v.regex(/^(?:[A-Za-z0-9]+-)?[0-9A-Za-z]{4,20}$/, 'the number of a site, such as 13247500 or USGS-13247500'),
      v.description('The number of the gauge at waterdata.usgs.gov.')
    ),
    name: v.pipe(v.exactOptional(v.string()), v.description('Your name for it, such as Payette@Horseshoe Bend.')),
    action: threshold('Where action stage begins; null or absent: not told.'),
    minor: threshold('Where minor flooding begins.'),
    moderate: threshold('Where moderate flooding begins.'),
    major: threshold('Where major flooding begins.'),
    unit: v.pipe(
      v.optional(v.picklist(['ft', 'm', 'ft3/s', 'm3/s']), 'ft'),
      v.description('Unit of the thresholds; ft and m are stages, the others flows.')
    ),
    parameter: v.pipe(
      v.exactOptional(v.pipe(v.string(), v.regex(/^\d{5}$/, 'a parameter code has five digits'))),
      v.description('USGS parameter code. Default: 00065 (gage height) for stages, 00060 (discharge) for flows.')
    )
  }),
  v.check((site) => {
    const given = ORDER.flatMap((key) => site[key] ?? [])
    return given.length > 0 && given.every((value, index) => index === 0 || value >= (given[index - 1] ?? value))
  }, 'a site has at least one threshold, and they rise from action to major'),
  v.title('River gauge')
)

/** River gauges of the U.S. Geological Survey. The USGS knows no flood stages: they are set here, site by site. */
export const nwisSourceSchema = v.pipe(
  looseObject({
    ...polledEntries('nwis'),
    api: v.pipe(
      v.optional(v.picklist(['ogc', 'waterservices']), 'ogc'),
      v.description('ogc: api.waterdata.usgs.gov. waterservices: the old service, which ends in 2027.')
    ),
    url: v.pipe(v.exactOptional(httpUrlSchema), v.description('Another address of the same service.')),
    api_key: v.pipe(
      v.exactOptional(v.string()),
      v.description('Key of api.waterdata.usgs.gov: 1000 requests an hour in place of 50.')
    ),
    sites: v.pipe(
      v.optional(v.pipe(v.array(siteSchema), v.maxLength(500)), []),
      v.description('The gauges that are watched, with their flood stages.')
    ),
    hysteresis_ft: gaugeHysteresis,
    max_age_hours: gaugeMaxAge
  }),
  v.title('River gauges (USGS)'),
  v.description('River gauges of the US Geological Survey, against flood stages of your own.')
)

export type NwisSettings = v.InferOutput<typeof nwisSourceSchema>
export type NwisSite = NwisSettings['sites'][number]
