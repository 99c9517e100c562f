import * as v from 'valibot'
import type { Services } from '../../api/services.ts'
import { describeApi, type Json, type OpenApi, type Operation } from '../../server/openapi.ts'
import { json } from '../../server/reply.ts'
import { get, type Handler, type Route, type Told } from '../../server/route.ts'
import { languageOf, translator } from '../../words/language.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'

type Table = () => readonly Route[]

const openApiAnswer = v.object({
  openapi: v.literal('3.1.0'),
  info: v.object({ title: v.string(), version: v.string(), description: v.string() }),
  paths: v.record(
    v.string(),
    v.record(
      v.string(),
      v.custom<object>((operation) => typeof operation === 'object')
    )
  ),
  components: v.custom<object>((components) => typeof components === 'object')
})

/** `GET /api/openapi.json`. */
function readOpenApi({ context }: Services, table: Table): Handler<unknown, undefined, Told<typeof openApiAnswer>> {
  const document = once(() => describeApi(table(), context.version))
  return async () => json(await document())
}

/** `GET /docs/api`: the same document for people. */
function readApiPage({ context }: Services, table: Table): Handler<unknown, undefined> {
  const document = once(() => describeApi(table(), context.version))
  return async ({ headers, identity }) => {
    // The descriptions are written in English only; a screen reader should know.
    const body = html`<div lang="en">${render(await document())}</div>`
    const title = translator(languageOf(headers))('API')
    return page(context, { title, path: '/docs/api', section: '/docs', body, headers, identity, timeless: true })
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

function render({ info, paths }: OpenApi): Html {
  const sections = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => section(method.toUpperCase(), path, operation))
  )
  return html`<p>${info.description} For programs: <a href="/api/openapi.json">OpenAPI 3.1</a>. Refusals are problem documents (RFC 9457). For people who listen by radio: the <a href="/field-card">field card</a>.</p>
${sections}`
}

function section(method: string, path: string, operation: Operation): Html {
  const { summary, description, parameters, requestBody, responses } = operation
  const rows = parameters.map(
    ({ name, in: place, description: words, schema }) =>
      html`<tr><th scope="row"><code>${name}</code></th><td>${place}</td><td>${words ?? typeOf(schema)}</td></tr>`
  )
  const schema = requestBody?.content['application/json']?.schema
  const answered = answeredBy(responses)
  return html`<section><h2><code>${method} ${path}</code></h2>
<p>${summary} ${operation['x-access']}</p>
<p>${marked(description)}</p>
${rows.length === 0 ? null : html`<div class="scroll" tabindex="0" role="region" aria-label="${`Parameters of ${method} ${path}`}"><table><thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">What</th></tr></thead><tbody>${rows}</tbody></table></div>`}
${schema === undefined ? null : html`<details><summary>Body (JSON Schema)</summary><pre tabindex="0">${laidOut(schema)}</pre></details>`}
${answered === undefined ? null : answer(laidOut(answered))}
<p>Answers: ${Object.entries(responses)
    .map(([status, answer]) => `${status} ${String(answer['description'])}`)
    .join(', ')}.</p></section>
`
}

/** Characters. What is longer nobody reads here, and the page is to fit a slow hotspot. */
const LONGEST_ANSWER = 1500

function answer(schema: string): Html {
  return schema.length > LONGEST_ANSWER
    ? html`<p>The answer’s JSON Schema is long: it stands in <a href="/api/openapi.json">the document</a>.</p>`
    : html`<details><summary>Answer (JSON Schema)</summary><pre tabindex="0">${schema}</pre></details>`
}

/** The schema of what is answered when all is well: the lowest status comes first. */
function answeredBy(responses: Operation['responses']): Json | undefined {
  const content = Object.values(responses)[0]?.['content'] as Record<string, { schema: Json }> | undefined
  return content?.['application/json']?.schema
}

/** Characters; a shorter value stands on one line. */
const ONE_LINE = 90

/** JSON for people, in a third of the lines that an indent for each member takes. */
function laidOut(value: unknown, indent = ''): string {
  const short = JSON.stringify(value)
  if (typeof value !== 'object' || value === null || short.length <= ONE_LINE) return short
  const deeper = `${indent} `
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const members = Array.isArray(value)
    ? value.map((member) => laidOut(member, deeper))
    : Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${laidOut(member, deeper)}`)
  return `${open}\n${members.map((member) => `${deeper}${member}`).join(',\n')}\n${indent}${close}`
}

/** Markdown as far as the rows use it: code, and links to pages of the documentation, which are not served here. */
function marked(text: string): Content[] {
  return text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))
}

function typeOf(schema: Json): string {
  return typeof schema['type'] === 'string' ? schema['type'] : ''
}

export const apiPages = (services: Services, table: Table): Route[] => [
  get('/api/openapi.json', {
    summary: 'This document.',
    about: 'OpenAPI 3.1.',
    answer: openApiAnswer,
    handle: readOpenApi(services, table)
  }),
  get('/docs/api', { about: 'This reference, from the running program.', handle: readApiPage(services, table) })
]
