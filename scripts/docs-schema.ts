/** A schema of the program as JSON Schema, for the generated pages. */
import { toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'

export interface Schema {
  type?: string
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  /** Of a choice told by one key. */
  oneOf?: Schema[]
  items?: Schema | boolean
  properties?: Record<string, Schema>
  additionalProperties?: Schema
  required?: string[]
  title?: string
  description?: string
  default?: unknown
  restart?: boolean
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
}

/** The schema as JSON Schema; `output` shows short forms in their long form. */
export function jsonSchema(schema: v.GenericSchema, typeMode: 'input' | 'output' = 'output'): Schema {
  return toJsonSchema(schema, { errorMode: 'ignore', target: 'draft-2020-12', typeMode }) as Schema
}

export function typeOf({
  type,
  const: only,
  enum: choices,
  anyOf,
  items,
  properties,
  additionalProperties
}: Schema): string {
  if (only !== undefined) return typeof only
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(' or ')
  if (choices !== undefined) return 'one of'
  if (type === 'array') return typeof items === 'object' ? `list of ${typeOf(items)}` : 'list'
  if (type === 'object' && additionalProperties !== undefined && properties === undefined) return 'dictionary'
  // A choice between objects (a GeoJSON geometry) has no type of its own.
  return type ?? 'object'
}
