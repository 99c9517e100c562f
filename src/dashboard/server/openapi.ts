import type * as v from 'valibot'
import type { Refusals, Route } from './route.ts'

/** A JSON Schema, or any part of the document: plain JSON. */
export type Json = Record<string, unknown>

interface Parameter {
  name: string
  in: 'query' | 'path'
  required: boolean
  description?: string
  schema: Json
}

export interface Operation {
  summary: string
  /** Markdown. */
  description: string
  /** The callers who may. */
  'x-access': string
  parameters: Parameter[]
  requestBody?: { required: true; content: Record<string, { schema: Json }> }
  responses: Record<string, Json>
  security?: Record<string, string[]>[]
}

/** OpenAPI 3.1, as far as this program writes it. */
export interface OpenApi {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, Operation>>
  components: Json
}

type ToSchema = (schema: v.GenericSchema, side: 'input' | 'output') => Json

const ACCESS: Record<Route['access'], string> = {
  read: 'Open to everybody who reaches the server.',
  trial: 'Stores nothing and sends nothing. Open, but limited in rate (429).',
  form: 'Open to everybody who reaches the server; never from another web site.',
  events: 'Needs a token with the scope events or operator, or the operator.',
  operator: 'Needs the operator, or a token with the scope operator.'
}

/** Made from the very table and schemas that requests are routed and checked by. Routes without a summary are pages. */
export async function describeApi(table: readonly Route[], version: string): Promise<OpenApi> {
  const toSchema = await loadConverter()
  const paths: OpenApi['paths'] = {}
  for (const route of table.filter(({ summary }) => summary !== '')) {
    const path = route.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route, toSchema) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lookout',
      version,
      description: 'Hazard events, coverage regions, channels on two LoRa meshes. Times are RFC 3339 in UTC.'
    },
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        identity: { type: 'apiKey', in: 'header', name: 'X-Idp-Username' },
        session: { type: 'apiKey', in: 'cookie', name: 'lookout_session' }
      },
      schemas: { Problem: PROBLEM }
    }
  }
}

const PROBLEM: Json = {
  type: 'object',
  description: 'RFC 9457. `errors` names every refused place by JSON pointer; `error` repeats `detail`.',
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
        required: ['path', 'code', 'message']
      }
    },
    error: { type: 'string' }
  },
  required: ['type', 'title', 'status', 'detail', 'errors', 'error']
}

/** Loaded when somebody asks for the document: the board need not carry it otherwise. */
async function loadConverter(): Promise<ToSchema> {
  const { toJsonSchema } = await import('@valibot/to-json-schema')
  return (schema, typeMode) => {
    const { $schema: _, ...rest } = toJsonSchema(schema, { errorMode: 'ignore', target: 'draft-2020-12', typeMode })
    return rest
  }
}

function describeRoute(route: Route, toSchema: ToSchema): Operation {
  const body = bodyOf(route, toSchema)
  const secured = route.access === 'events' || route.access === 'operator'
  return {
    summary: route.summary,
    description: route.about,
    'x-access': ACCESS[route.access],
    parameters: [...pathParameters(route), ...queryParameters(route, toSchema)],
    ...(body === null ? {} : { requestBody: { required: true as const, content: body } }),
    responses: responses(route, toSchema),
    ...(secured ? { security: [{ token: [] }, { identity: [] }, { session: [] }] } : {})
  }
}

function bodyOf({ body, stream }: Route, toSchema: ToSchema): Record<string, { schema: Json }> | null {
  if (body !== null) return { 'application/json': { schema: toSchema(body, 'input') } }
  return stream?.media == null ? null : { [stream.media]: { schema: { type: 'string', format: 'binary' } } }
}

function pathParameters({ path }: Route): Parameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' }
  }))
}

function queryParameters({ query }: Route, toSchema: ToSchema): Parameter[] {
  const { properties = {} } = toSchema(query, 'input') as { properties?: Record<string, Json> }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    ...(typeof description === 'string' ? { description } : {}),
    schema
  }))
}

/** The refusals that follow from the row itself, and those it names besides. */
function refusalsOf({ path, access, body, refuses }: Route): Refusals {
  return {
    ...(body === null ? {} : { 400: 'Malformed', 413: 'More than 1 MiB', 415: 'Not JSON', 422: 'Not valid' }),
    ...(access === 'events' || access === 'operator' ? { 401: 'Not signed in', 403: 'Not allowed' } : {}),
    ...(access === 'trial' ? { 429: 'Too many at once' } : {}),
    ...(path.includes(':') ? { 404: 'Not known' } : {}),
    ...refuses
  }
}

function responses(route: Route, toSchema: ToSchema): Record<string, Json> {
  const { done, answer, media, stream } = route
  const [good, ...others] = stream?.statuses ?? [[String(done[0]), done[1]] as const]
  const content = {
    ...(answer === null ? {} : { 'application/json': { schema: toSchema(answer, 'output') } }),
    ...Object.fromEntries(media.map((type) => [type, { schema: { type: 'string' } }]))
  }
  const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
  const all: Refusals = { ...Object.fromEntries(others), ...refusalsOf(route) }
  const refusals = Object.entries(all).map(([status, refusal]) => {
    if (typeof refusal === 'string') return [status, { description: refusal, content: problem }]
    const schema = toSchema(refusal.answer, 'output')
    return [status, { description: refusal.words, content: { 'application/json': { schema } } }]
  })
  return Object.fromEntries([
    ...(good === undefined
      ? []
      : [[good[0], { description: good[1], ...(Object.keys(content).length === 0 ? {} : { content }) }]]),
    ...refusals
  ])
}
