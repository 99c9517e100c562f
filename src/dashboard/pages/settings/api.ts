import type { Services } from '../../api/services.ts'
import { describeApi, type Json, type OpenApi, type Operation } from '../../server/openapi.ts'
import { json } from '../../server/reply.ts'
import type { Handler, Route } from '../../server/route.ts'
import { languageOf, translator } from '../../words/language.ts'
import { type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'

type Table = () => readonly Route[]

/** `GET /api/openapi.json`. */
export function readOpenApi({ context }: Services, table: Table): Handler<unknown, undefined> {
  const document = once(() => describeApi(table(), context.version))
  return async () => json(await document())
}

/** `GET /docs/api`: the same document for people. */
export function readApiPage({ context }: Services, table: Table): Handler<unknown, undefined> {
  const document = once(() => describeApi(table(), context.version))
  return async ({ headers, identity }) => {
    // The descriptions are written in English only; a screen reader should know.
    const body = html`<div lang="en">${render(await document())}</div>`
    return page(context, { title: translator(languageOf(headers))('API'), path: '/docs/api', body, headers, identity })
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
  return html`<p>${info.description} For programs: <a href="/api/openapi.json">OpenAPI 3.1</a>. Refusals are problem documents (RFC 9457).</p>
${sections}`
}

function section(method: string, path: string, operation: Operation): Html {
  const { summary, description, parameters, requestBody, responses } = operation
  const rows = parameters.map(
    ({ name, in: place, description: words, schema }) =>
      html`<tr><th scope="row"><code>${name}</code></th><td>${place}</td><td>${words ?? typeOf(schema)}</td></tr>`
  )
  const schema = requestBody?.content['application/json']?.schema
  return html`<section><h2><code>${method} ${path}</code></h2>
<p>${summary} ${description}</p>
${rows.length === 0 ? null : html`<div class="scroll" tabindex="0" role="region" aria-label="${`Parameters of ${method} ${path}`}"><table><thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">What</th></tr></thead><tbody>${rows}</tbody></table></div>`}
${schema === undefined ? null : html`<details><summary>Body (JSON Schema)</summary><pre tabindex="0">${JSON.stringify(schema, null, 1)}</pre></details>`}
<p>Answers: ${Object.entries(responses)
    .map(([status, answer]) => `${status} ${String(answer['description'])}`)
    .join(', ')}.</p></section>
`
}

function typeOf(schema: Json): string {
  return typeof schema['type'] === 'string' ? schema['type'] : ''
}
