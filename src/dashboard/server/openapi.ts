import type * as v from 'valibot'
import type { Route } from './route.ts'

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
  description: string
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
    description: ACCESS[route.access],
    parameters: [...pathParameters(route), ...queryParameters(route, toSchema)],
    ...(body === null ? {} : { requestBody: { required: true as const, content: body } }),
    responses: responses(route),
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

/** Of POST routes that do not answer 200. */
const DONE: Readonly<Record<string, string>> = {
  '/api/keys': '201',
  '/api/events': '202',
  '/api/silences': '201',
  '/api/sources/:name/poll': '202',
  '/api/documents/:hash/retry': '202',
  '/api/documents/retry-failed': '202',
  '/api/radios/:id/test': '202'
}

/** What some addresses refuse besides. */
const OWN_REFUSALS: Readonly<Record<string, [string, string][]>> = {
  'POST /api/settings': [
    ['409', 'The configuration file is not valid'],
    ['412', 'Changed in between']
  ],
  'POST /api/documents/:hash/retry': [['409', 'It has not failed']],
  'POST /api/documents/:hash/review': [['409', 'There is nothing to decide']],
  'POST /api/radios/:id/test': [['409', 'Notifications are off, or the radio is not ready']],
  'POST /api/keys': [['409', 'The key is there already']],
  'PUT /api/keys/:index': [['409', 'The key is there already']],
  'GET /api/settings/schema': [['404', 'Not known']],
  'GET /api/satpasses': [
    ['404', 'They cannot be worked out, and why'],
    ['422', 'Not valid']
  ]
}

function doneOf(method: Route['method'], path: string): readonly [string, string] {
  if (method === 'DELETE' && path === '/api/documents/:hash') return ['202', 'Begun']
  return [method === 'POST' ? (DONE[path] ?? '200') : '200', 'Done']
}

function responses({ path, method, access, body, stream }: Route): Record<string, Json> {
  const refusals: [string, string][] = []
  if (body !== null) refusals.push(['400', 'Malformed'], ['413', 'More than 1 MiB'], ['415', 'Not JSON'])
  if (access === 'events' || access === 'operator') refusals.push(['401', 'Not signed in'], ['403', 'Not allowed'])
  if ((path === '/api/notifications/region-routing' || path === '/api/first-run') && method === 'POST')
    refusals.push(['409', 'The configuration file is not valid'], ['412', 'Changed in between'])
  if (path === '/api/sources/:name/poll')
    refusals.push(['409', 'It is off, blocked or comes by itself'], ['429', 'Too soon; see Retry-After'])
  refusals.push(...(OWN_REFUSALS[`${method} ${path}`] ?? []))
  if (access === 'trial') refusals.push(['429', 'Too many at once'])
  if (path.includes(':')) refusals.push(['404', 'Not known'])
  if (path === '/api/events' || path === '/api/deliveries' || body !== null) refusals.push(['422', 'Not valid'])
  const [good, ...others] = stream?.statuses ?? [doneOf(method, path)]
  refusals.push(...others.map(([status, words]): [string, string] => [status, words]))
  const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } }
  return Object.fromEntries([
    ...(good === undefined ? [] : [[good[0], { description: good[1] }]]),
    ...refusals.map(([status, description]) => [status, { description, content: problem }])
  ])
}
