import * as v from 'valibot'
import { mcChannelSchema, mtChannelSchema, severitySchema } from '../../model/channel-schema.ts'
import { strictObject } from '../../platform/config/object.ts'
import { circleSchema, codesSchema } from '../../warning/coverage/settings.ts'
import { OFFERED_KINDS } from '../../warning/feeds/settings.ts'

const KINDS = OFFERED_KINDS.map(({ kind }) => kind)

const named = (what: string) =>
  v.pipe(v.string(`${what} is a text`), v.trim(), v.nonEmpty(`${what} must not be empty`), v.maxLength(80))

const serialPath = v.pipe(v.string(), v.trim(), v.regex(/^\/dev\/\S+$/, 'a serial port is a path below /dev'))
const hostName = v.pipe(v.string(), v.trim(), v.regex(/^[^\s/]{1,255}$/, 'a host is an address or a name'))
const portNumber = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65535))

/** The body of a question which radio is there. */
export const probeBody = v.union(
  [strictObject({ path: serialPath }), strictObject({ host: hostName, port: portNumber })],
  'name a port of this machine ({path}) or an address ({host, port})'
)

const radioChoice = v.variant(
  'link',
  [
    strictObject({ link: v.literal('simulated') }),
    strictObject({
      link: v.literal('serial'),
      path: serialPath
    }),
    strictObject({
      link: v.literal('tcp'),
      host: hostName,
      port: v.exactOptional(portNumber)
    })
  ],
  'a radio is simulated, serial or tcp'
)
const radioOrNone = v.exactOptional(v.nullable(radioChoice))

/** The body that one step of the first run saves: only the parts that are given are touched. */
export const firstRunBody = v.pipe(
  strictObject({
    station: v.exactOptional(
      strictObject({
        name: v.exactOptional(named('the name')),
        contact: v.exactOptional(v.pipe(v.string(), v.trim(), v.maxLength(200))),
        country: v.exactOptional(
          v.pipe(v.string(), v.trim(), v.toUpperCase(), v.regex(/^(?:[A-Z]{2})?$/, 'a country is two letters'))
        ),
        timezone: v.exactOptional(v.pipe(v.string(), v.trim()))
      })
    ),
    place: v.pipe(
      v.exactOptional(
        strictObject({
          name: named('the name of the place'),
          lat: v.pipe(v.number(), v.minValue(-90, 'latitude is -90 to 90'), v.maxValue(90, 'latitude is -90 to 90')),
          lon: v.pipe(
            v.number(),
            v.minValue(-180, 'longitude is -180 to 180'),
            v.maxValue(180, 'longitude is -180 to 180')
          )
        })
      ),
      v.description('The first anchor.')
    ),
    area: v.pipe(
      v.exactOptional(
        v.pipe(
          strictObject({
            name: named('the name of the area'),
            circle: v.exactOptional(circleSchema),
            codes: v.exactOptional(codesSchema)
          }),
          v.check((area) => (area.circle === undefined) !== (area.codes === undefined), 'an area is a circle or codes')
        )
      ),
      v.description('Made, or given another shape when there is one of this name.')
    ),
    radios: v.pipe(
      v.exactOptional(strictObject({ mt: radioOrNone, mc: radioOrNone })),
      v.description('Per network; null takes the radio away.')
    ),
    sources: v.pipe(
      v.exactOptional(
        strictObject({
          kinds: v.array(v.picklist(KINDS, `a source here is one of ${KINDS.join(', ')}`)),
          states: v.optional(
            v.pipe(
              v.array(
                v.pipe(
                  v.string(),
                  v.trim(),
                  v.toUpperCase(),
                  v.regex(/^[A-Z]{2}$/, 'a state is two letters, such as ID')
                )
              ),
              v.maxLength(60)
            ),
            []
          )
        })
      ),
      v.description('Those named are switched on, the others of these kinds off.')
    ),
    matrix: v.pipe(
      v.exactOptional(
        v.pipe(
          strictObject({
            region: named('the region'),
            families: v.pipe(v.array(v.string()), v.minLength(1, 'choose at least one family')),
            mt: v.nullable(mtChannelSchema),
            mc: v.nullable(mcChannelSchema),
            min_severity: v.optional(severitySchema, 'routine')
          }),
          v.check(({ mt, mc }) => mt !== null || mc !== null, 'choose a channel on at least one network')
        )
      ),
      v.description('One column: these families get these channels, every other cell of the region goes.')
    )
  }),
  v.check((body) => Object.keys(body).length > 0, 'give at least one part to save')
)

export type FirstRunBody = v.InferOutput<typeof firstRunBody>
