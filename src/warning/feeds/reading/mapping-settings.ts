import * as v from 'valibot'
import { SEVERITIES } from '../../../model/vocabulary.ts'
import { record, strictObject } from '../../../platform/config/object.ts'

/** Parts of an address that name what every object has: never a way into data. */
const RESERVED = new Set(['__proto__', 'prototype', 'constructor'])

export const pointerSchema = v.pipe(
  v.string(),
  v.maxLength(200, 'a pointer has at most 200 characters'),
  v.regex(/^(?:\/(?:[^~/]|~[01])*)*$/, 'a JSON pointer (RFC 6901) begins with /, such as /properties/name'),
  v.check(
    (pointer) => pointer.split('/').every((part) => !RESERVED.has(part)),
    'a pointer names no __proto__, prototype or constructor'
  ),
  v.title('JSON pointer')
)

const fieldPointer = v.pipe(pointerSchema, v.nonEmpty('name a member, such as /name'))
const pointers = v.union(
  [fieldPointer, v.pipe(v.array(fieldPointer), v.minLength(1), v.maxLength(8))],
  'a field is a JSON pointer such as /name, a list of pointers, or an object'
)
const scalar = v.union([v.string(), v.pipe(v.number(), v.finite()), v.boolean()], 'a text, a number, true or false')

const fullRule = v.pipe(
  strictObject({
    pointer: v.pipe(
      v.exactOptional(pointers),
      v.description('Where the value stands; of several the first that is there.')
    ),
    value: v.pipe(v.exactOptional(scalar), v.description('The same for all.')),
    template: v.pipe(
      v.exactOptional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(500))),
      v.description('A text with pointers in braces: {/name} at {/level} m.')
    ),
    table: v.pipe(
      v.exactOptional(record(v.string(), scalar)),
      v.description('What is found, as text in any case → what it means here.')
    ),
    otherwise: v.pipe(
      v.exactOptional(scalar),
      v.description(
        'When nothing is found, or it is not in the table. Without it, a value beyond the table is refused.'
      )
    )
  }),
  v.check(
    ({ pointer, value, template }) => [pointer, value, template].filter((way) => way !== undefined).length === 1,
    'a field is exactly one of pointer, value and template'
  ),
  v.check(({ template = '' }) => templatePointers(template).every(isPointer), 'braces of a template hold JSON pointers')
)

/** The pointers in the braces of a template. */
export function templatePointers(template: string): string[] {
  return [...template.matchAll(/\{([^{}]*)\}/g)].map((match) => match[1] ?? '')
}

function isPointer(text: string): boolean {
  return v.is(fieldPointer, text)
}

export const ruleSchema = v.union(
  [pointers, fullRule],
  'a field is a JSON pointer such as /name, a list of pointers, or exactly one of pointer, value and template'
)

export type MappingRule = v.InferOutput<typeof ruleSchema>

/** Everything the rule can come to that is known before any message comes. */
export function constantsOf(rule: MappingRule | undefined): (string | number | boolean)[] {
  if (rule === undefined || typeof rule === 'string' || Array.isArray(rule)) return []
  return [rule.value, rule.otherwise, ...Object.values(rule.table ?? {})].filter((value) => value !== undefined)
}

/** An id that is the same for all would make one event of all messages; one with an alternative, of all without an id. */
function tellsApart(rule: MappingRule): boolean {
  if (typeof rule === 'string' || Array.isArray(rule)) return true
  if (rule.value !== undefined || rule.table !== undefined || rule.otherwise !== undefined) return false
  return rule.template === undefined || templatePointers(rule.template).length > 0
}

const severityRule = v.pipe(
  ruleSchema,
  v.check(
    (rule) => constantsOf(rule).every((value) => SEVERITIES.some((severity) => severity === value)),
    `a severity is one of ${SEVERITIES.join(', ')}`
  )
)
const idRule = v.pipe(ruleSchema, v.check(tellsApart, 'an id must differ from event to event: point it to one'))

const FIELDS = {
  title: 'What happened, for people.',
  family: 'Row of the matrix: weather, fire …',
  category: 'Category of the event; a known one brings family and severity.',
  summary: 'One or two sentences.',
  body: 'All there is to read.',
  revision: 'Changes when the message changes. Default: a digest of what is mapped.',
  thread_id: 'Joins messages about one thing. Default: source and id.',
  lifecycle: 'new, update, cancel or expire.',
  onset: 'Time: RFC 3339, or epoch in seconds or milliseconds; without an offset it is UTC.',
  expires: 'When it is over; a time.',
  sent_at: 'When the source said so; a time. Default: on arrival.',
  geometry: 'A GeoJSON geometry.',
  bbox: '[west, south, east, north].',
  lat: 'Degrees north.',
  lon: 'Degrees east.',
  radius_km: 'Makes a circle around lat and lon.',
  zones: 'UGC codes, as a list or as text.',
  same: 'FIPS or SAME codes, as a list or as text.',
  regions: 'Names of coverage areas; tagging keeps them.'
} as const

type FieldName = keyof typeof FIELDS

function described(name: FieldName) {
  return v.pipe(v.exactOptional(ruleSchema), v.description(FIELDS[name]))
}

const fieldsSchema = strictObject({
  id: v.pipe(v.exactOptional(idRule), v.description('What tells one event from another; never a constant.')),
  severity: v.pipe(v.exactOptional(severityRule), v.description('routine, priority, critical or immediate.')),
  title: described('title'),
  family: described('family'),
  category: described('category'),
  summary: described('summary'),
  body: described('body'),
  revision: described('revision'),
  thread_id: described('thread_id'),
  lifecycle: described('lifecycle'),
  onset: described('onset'),
  expires: described('expires'),
  sent_at: described('sent_at'),
  geometry: described('geometry'),
  bbox: described('bbox'),
  lat: described('lat'),
  lon: described('lon'),
  radius_km: described('radius_km'),
  zones: described('zones'),
  same: described('same'),
  regions: described('regions'),
  data: v.pipe(
    v.exactOptional(
      record(
        v.pipe(v.string(), v.regex(/^[a-z][a-z0-9_]{0,63}$/, 'a key of data is lower-case letters, digits and _')),
        ruleSchema
      )
    ),
    v.description('Facts for the text: detail, instruction, places, attribution, event_name, material, or your own.')
  )
})

export const mappingSchema = v.pipe(
  strictObject({
    format: v.pipe(
      v.optional(v.picklist(['json', 'geojson']), 'json'),
      v.description('geojson: each Feature is an event; id, title and geometry are found without being named.')
    ),
    list: v.pipe(
      v.exactOptional(pointerSchema),
      v.description(
        'Where the list of things stands. Default: the body is the list or one thing; of GeoJSON, /features.'
      )
    ),
    fields: v.pipe(fieldsSchema, v.description('Field of the event → where it comes from.'))
  }),
  v.check(({ format, fields }) => format === 'geojson' || fields.id !== undefined, 'fields need an id'),
  v.check(({ format, fields }) => format === 'geojson' || fields.title !== undefined, 'fields need a title'),
  v.check(
    ({ fields }) => fields.family !== undefined || fields.category !== undefined,
    'fields need a family or a category'
  ),
  v.title('Mapping')
)

export type MappingSettings = v.InferOutput<typeof mappingSchema>

/** `mapping` of the kinds that take any JSON: without it a message is an Event of this program. */
export const mappingEntry = v.pipe(
  v.exactOptional(mappingSchema),
  v.description('How JSON of others becomes events. Without it, each message is an Event as POST /api/events takes it.')
)
