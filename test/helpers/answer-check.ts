/** Holds what a route answers to the row that served it: status, media type, and every member of the JSON. */
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import type { Services } from '../../src/dashboard/api/services.ts'
import { routes } from '../../src/dashboard/routes.ts'
import type { Refusals, Route } from '../../src/dashboard/server/route.ts'

/** The table alone: no handler is ever called through it. */
export function tableOfRoutes(): Route[] {
  return routes({ context: { profile: {} }, live: {}, counters: {} } as unknown as Services)
}

const table = tableOfRoutes()
const patterns = table.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}/?$`)
}))

/** The row that answers a method and a path, as the server finds it; undefined for what nothing answers. */
export function rowFor(method: string, path: string): Route | undefined {
  const wanted = method === 'HEAD' ? ['HEAD', 'GET'] : [method]
  const bare = path.split('?')[0] ?? ''
  for (const one of wanted) {
    const found = patterns.find(({ route, pattern }) => route.method === one && pattern.test(bare))
    if (found !== undefined) return found.route
  }
  return undefined
}

const problem = v.looseObject({
  type: v.literal('about:blank'),
  title: v.string(),
  status: v.number(),
  detail: v.string(),
  errors: v.array(v.object({ path: v.string(), code: v.string(), message: v.string() })),
  error: v.string()
})

export interface Answered {
  status: number
  headers: { 'content-type'?: string | undefined }
  body: unknown
  text: string
}

/** The fault of an answer, as a sentence; null when it is what its row says. Pages are not looked at. */
export function faultOf(row: Route, answer: Answered, method = row.method): string | null {
  const type = answer.headers['content-type'] ?? ''
  const name = `${row.method} ${row.path} answered ${answer.status}`
  // 431 comes before any row is looked for.
  if (row.summary === '' || method === 'HEAD' || [204, 304, 431].includes(answer.status)) return null
  const own: Refusals[number] | undefined = row.refuses[answer.status]
  if (own !== undefined && typeof own !== 'string') return misfit(own.answer, answer.body, name)
  if (answer.status >= 400) {
    if (!type.startsWith('application/problem+json')) return `${name} as ${type}, not as a problem document`
    return v.is(problem, answer.body) ? null : `${name}, which is no problem document: ${answer.text}`
  }
  const done = row.stream?.statuses.map(([status]) => Number(status)) ?? [row.done[0]]
  if (!done.includes(answer.status) && answer.status !== 206) return `${name}, and its row says ${done[0]}`
  if (!type.startsWith('application/json'))
    return row.media.some((media) => type.startsWith(media)) || type === '' ? null : `${name} as ${type}`
  return row.answer === null ? `${name} with JSON, and its row names no schema` : misfit(row.answer, answer.body, name)
}

function misfit(schema: v.GenericSchema, body: unknown, name: string): string | null {
  const { success, output, issues } = v.safeParse(schema, body)
  if (!success) return `${name}: ${issues.map((issue) => `${v.getDotPath(issue) ?? ''} ${issue.message}`).join('; ')}`
  const difference = isDeepStrictEqual(output, body) ? null : extra(body, output, '')
  return difference === null ? null : `${name}: its schema does not name ${difference}`
}

/** The first place that the schema left out. */
function extra(body: unknown, known: unknown, path: string): string | null {
  if (typeof body !== 'object' || body === null || typeof known !== 'object' || known === null)
    return Object.is(body, known) ? null : `${path} as it is`
  const there = new Map<string, unknown>(Object.entries(known))
  for (const [key, value] of Object.entries(body)) {
    if (!there.has(key)) return `${path}/${key}`
    const deeper = extra(value, there.get(key), `${path}/${key}`)
    if (deeper !== null) return deeper
  }
  return null
}
