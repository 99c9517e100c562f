/** The texts that `npm run new` writes. Each is a working part: typed, tested, and small enough to be replaced line by line. */

const json = (value) => `${JSON.stringify(value, null, 2)}\n`

/** The folder of a kind of source: what is known of it at the start, its reader, and a sample with what is read from it. */
export function feedFiles({ name, folder, camel, pascal, title }, feeds) {
  const sentAt = '2026-03-01T21:00:00.000Z'
  const item = { id: 'a1', title: 'Strong wind expected', at: '2026-03-01T21:00:00Z', lat: 44, lon: -114 }
  return {
    [`${feeds}/${folder}/feed.ts`]: `import * as v from 'valibot'
import { looseObject } from '../../../platform/config/object.ts'
import { httpUrlSchema, polledEntries } from '../common-settings.ts'
import { defineFeed } from '../definition.ts'

const schema = v.pipe(
  looseObject({
    ...polledEntries('${name}'),
    url: v.pipe(
      v.optional(httpUrlSchema, 'https://${folder}.example/list.json'),
      v.description('Address of the listing.')
    )
  }),
  v.title('${title}'),
  v.description('Warnings of ${title}.')
)

/** The part that the program knows of the kind before one is configured. */
export const ${camel}Feed = defineFeed({
  schema,
  load: async () => (await import('./source.ts')).${camel}Source,
  marks: { object: ['${name}'] },
  german: { '${title}': '${title}', 'Warnings of ${title}.': 'Warnungen von ${title}.' }
})
`,
    [`${feeds}/${folder}/source.ts`]: `import type { LookoutEvent } from '../../../model/event.ts'
import { defaultSeverity } from '../../../model/families.ts'
import { because } from '../../../model/reason.ts'
import { formatTime } from '../../../model/time.ts'
import { drain } from '../../../platform/clock/slices.ts'
import { AppError } from '../../../platform/errors.ts'
import type { SourceSettings } from '../common-settings.ts'
import type { SkippedItem } from '../feed.ts'
import { feedEvent } from '../reading/feed-event.ts'
import { type Bag, jsonBodySteps, numberOf, textOf } from '../reading/json.ts'
import { bagsOf, looseTime } from '../reading/loose.ts'
import { eachInTurn, inTurns } from '../reading/steps.ts'
import { decodeSteps } from '../reading/xml.ts'
import type { ReadTools, SourceKind, SourceReading } from '../source.ts'

const KIND = '${name}'
const CATEGORY = 'weather_warning'

interface ${pascal}Settings extends SourceSettings {
  url: string
}

/** Say here who publishes it, and where the format is described. */
export const ${camel}Source: SourceKind<${pascal}Settings> = {
  mode: 'poll',
  kind: KIND,
  about: 'Warnings of ${title}.',
  defaultIntervalSeconds: 300,
  minIntervalSeconds: 60,
  needsContact: false,
  poll: async (settings, tools) => {
    const answer = await tools.fetch({ url: settings.url })
    return answer.state === 'unchanged' ? 'unchanged' : inTurns(readSteps(answer.body, tools), tools.signal)
  },
  read: (body, _settings, tools) => drain(readSteps(body, tools))
}

/** A little at a time. @throws AppError \`bad-input\` for a body that is not the listing: nothing changes then. */
function* readSteps(body: Uint8Array, tools: ReadTools): Generator<void, SourceReading> {
  const listing = yield* jsonBodySteps(yield* decodeSteps(body), KIND)
  if (!Array.isArray(listing[KIND])) throw new AppError('bad-input', because('body_not_a_list', { feed: KIND }))
  const items = bagsOf(listing[KIND])
  const events: LookoutEvent[] = []
  const skipped: SkippedItem[] = []
  yield* eachInTurn(items, (item) => {
    const event = eventOf(item, tools)
    if ('reason' in event) skipped.push(event)
    else events.push(event)
  })
  return { kind: KIND, events, skipped, updated: null, items: items.length }
}

function eventOf(item: Bag, tools: ReadTools): LookoutEvent | SkippedItem {
  const id = textOf(item['id'])
  const title = textOf(item['title'])
  const time = looseTime(item['at'])
  if (id === '') return { id, reason: because('no_id') }
  if (title === '') return { id, reason: because('no_title') }
  if (time === null) return { id, reason: because('no_time') }
  const stated = { id, title, category: CATEGORY, severity: defaultSeverity(CATEGORY), sent_at: formatTime(time) }
  const place = { lat: numberOf(item['lat']), lon: numberOf(item['lon']) }
  return feedEvent({ ...stated, ...place, thread_id: \`\${KIND}:\${id}\`, data: {} }, tools)
}
`,
    [`${feeds}/${folder}/sample.json`]: json({
      kind: name,
      settings: {},
      now: '2026-03-01T22:00:00Z',
      body: { [name]: [item] },
      events: [
        { id: 'a1', title: item.title, sent_at: sentAt, lat: 44, lon: -114, lifecycle: 'new', thread_id: `${name}:a1` }
      ]
    })
  }
}

/** A page that the server draws, its words in German and its test. */
export function pageFiles({ name, camel, pascal, title }) {
  return {
    [`src/dashboard/pages/${name}/page.ts`]: `import type { Services } from '../../api/services.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { languageOf, translator } from '../../words/language.ts'
import { html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'

/** \`GET /${name}\`: say here what the page shows, and to whom. */
function read${pascal}Page({ context }: Services): Handler<unknown, undefined> {
  return ({ headers, identity }) => {
    const t = translator(languageOf(headers))
    const body = html\`<p>\${t('{count} radios are configured.', { count: context.shownConfig().radios.length })}</p>\`
    return page(context, { title: t('${title}'), path: '/${name}', body, headers, identity })
  }
}

export const ${camel}Page = (services: Services): Route =>
  get('/${name}', { about: '${title}: say what the page shows.', handle: read${pascal}Page(services) })
`,
    [`src/dashboard/pages/${name}/de.json`]: json({
      [title]: title,
      '{count} radios are configured.': '{count} Funkgeräte sind eingerichtet.'
    }),
    [`test/dashboard/${name}.test.ts`]: `import t from 'tap'
import { station } from './harness.ts'

t.test('the page ${name} says how many radios are configured, in both languages', async (t) => {
  const { ask } = await station(t)
  const english = await ask('/${name}')
  t.equal(english.status, 200)
  t.match(english.text, /<h1>${title}<\\/h1>[\\s\\S]*\\d radios are configured\\./)
  const german = await ask({ path: '/${name}', headers: { 'accept-language': 'de' } })
  t.match(german.text, /\\d Funkgeräte sind eingerichtet\\./)
})
`
  }
}

const DOES = { GET: 'read', POST: 'add', PUT: 'replace', DELETE: 'remove' }
const SAID = { GET: 'Tells', POST: 'Takes', PUT: 'Replaces', DELETE: 'Removes' }

const HELPERS = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'del' }

/** A row of the table with its schemas and its handler, to be put into a file or to begin one; and its test. */
export function routeTexts({ name, area, pascal, method, path }) {
  const handler = `${DOES[method]}${pascal}`
  const hasBody = method === 'POST' || method === 'PUT'
  const parameters = [...path.matchAll(/:([\w-]+)/g)].map(([, parameter]) => parameter)
  const members = [
    ...parameters.map((parameter) => [parameter, 'v.string()']),
    hasBody ? ['note', 'v.string()'] : ['ok', 'v.boolean()']
  ]
  const values = [
    ...parameters.map((parameter) => `'${parameter}': params['${parameter}'] ?? ''`),
    hasBody ? 'note: body.note' : 'ok: true'
  ]
  const taken = [...(parameters.length > 0 ? ['params'] : []), ...(hasBody ? ['body'] : [])]
  const [answer, body] = [`${handler}Answer`, `${handler}Body`]
  const summary = `${SAID[method]} ${name.replaceAll('-', ' ')}.`
  const fields = [
    `summary: '${summary}'`,
    `about: 'Say here what it answers${hasBody ? ', and its body: `{note}`' : ''}.'`,
    ...(hasBody ? [`body: ${body}`] : []),
    `answer: ${answer}`,
    `handle: ${handler}(services)`
  ]
  const row = `${HELPERS[method]}('${path}', { ${fields.join(', ')} })`
  const schemas = `${hasBody ? `/** The body of \`${method} ${path}\`. */\nconst ${body} = v.strictObject({ note: v.string() })\n` : ''}const ${answer} = v.object({ ${members.map(([key, value]) => `'${key}': ${value}`).join(', ')} })\n`
  const code = `${schemas}
/** \`${method} ${path}\`: say here what it does. */
function ${handler}(_services: Services): Handler<unknown, ${hasBody ? `v.InferOutput<typeof ${body}>` : 'undefined'}, Told<typeof ${answer}>> {
  return (${taken.length > 0 ? `{ ${taken.join(', ')} }` : ''}) => json({ ${values.join(', ')} })
}
`
  const whole = `import * as v from 'valibot'
import { json } from '../server/reply.ts'
import { ${HELPERS[method]}, type Handler, type Route, type Told } from '../server/route.ts'
import type { Services } from './services.ts'

${code}
export const ${area}Routes = (services: Services): Route[] => [${row}]
`
  const question = JSON.stringify({
    path: path.replace(/:[\w-]+/g, 'some'),
    method,
    ...(hasBody ? { body: { note: 'high water' } } : {})
  })
  const expected = {
    ...Object.fromEntries(parameters.map((parameter) => [parameter, 'some'])),
    ...(hasBody ? { note: 'high water' } : { ok: true })
  }
  const refused = `\nt.test('${method} ${path} refuses a body that is none of its own', async (t) => {\n  const { ask } = await station(t)\n  t.equal((await ask({ path: '${path.replace(/:[\w-]+/g, 'some')}', method: '${method}', body: {} })).status, 422)\n})\n`
  return {
    handler: code,
    row,
    whole,
    imports: {
      valibot: '* as v',
      '../server/reply.ts': 'json',
      '../server/route.ts': `${HELPERS[method]}, type Handler, type Route, type Told`,
      './services.ts': 'type Services'
    },
    test: {
      [`test/dashboard/${DOES[method]}-${name}.test.ts`]: `import t from 'tap'
import { station } from './harness.ts'

t.test('${method} ${path} answers', async (t) => {
  const { ask } = await station(t)
  const { status, body } = await ask(${question})
  t.equal(status, 200)
  t.same(body, ${JSON.stringify(expected)})
})
${hasBody ? refused : ''}`
    }
  }
}
