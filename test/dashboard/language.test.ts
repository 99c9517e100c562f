import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { accepts, encodingFor } from '../../src/dashboard/server/encoding.ts'
import { themeOf } from '../../src/dashboard/server/theme.ts'
import { catalogueOf, languageOf, translator, wordsAddress, wordsOf } from '../../src/dashboard/words/language.ts'
import { SEVERITIES } from '../../src/model/severity.ts'
import { VALUE_WORDS } from '../../src/model/words/values.ts'
import { floorNames, severityNames } from '../../web/shared/words.js'
import { note } from '../helpers/in-words.ts'
import { fire, radio, station } from './harness.ts'

const root = join(import.meta.dirname, '..', '..')

/** Every text written as a literal inside of `t(…)`, with the file it stands in. */
function texts(): Map<string, string> {
  const found = new Map<string, string>()
  for (const [folder, extension] of [
    ['web', '.js'],
    ['src/dashboard/pages', '.ts'],
    ['src/dashboard/pages', '.js']
  ] as const) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (!entry.isFile() || !entry.name.endsWith(extension) || path.includes('/vendor/')) continue
      const text = readFileSync(path, 'utf8')
      const literals = [...text.matchAll(/(?<![\w$])t\(\s*(['"`])((?:\\.|(?!\1)[^\\])+)\1/g)]
      for (const [, quote, literal = ''] of literals) {
        if (quote === '`' && literal.includes('${')) continue
        found.set(literal.replace(/\\(.)/g, '$1'), path.slice(root.length + 1))
      }
    }
  }
  return found
}

t.test('every text of the pages has its German', async (t) => {
  const german = wordsOf('de')
  const all = texts()
  t.ok(all.has('Alerts in force') && all.has('Overview') && all.has('Live'), `${all.size} texts found`)
  const missing = [...all].filter(([text]) => !Object.hasOwn(german, text))
  t.same(
    missing.map(([text, file]) => `${file}: ${text}`),
    [],
    `${missing.length} of ${all.size} texts have no German`
  )
})

t.test('a text has one German, whatever page it stands on: the catalogue is one, and the last word would win', (t) => {
  const files = ['web/i18n', 'src/dashboard/pages'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(folder, name))
  )
  const germans = new Map<string, Set<string>>()
  for (const file of files)
    for (const [text, german] of Object.entries(JSON.parse(readFileSync(join(root, file), 'utf8'))))
      germans.set(text, (germans.get(text) ?? new Set()).add(String(german)))
  t.ok(germans.size > 1000, `${germans.size} texts`)
  t.same(
    [...germans].filter(([, said]) => said.size > 1).map(([text, said]) => `${text}: ${[...said].join(', ')}`),
    []
  )
  t.end()
})

t.test('no page has a title in English alone', async (t) => {
  const { ask } = await station(t)
  const words = new Set(Object.values(wordsOf('de')))
  for (const path of ['/', '/alerts', '/events', '/deliveries', '/mesh-a/routing', '/mesh-b/routing', '/coverage']) {
    const { text } = await ask({ path, headers: { 'accept-language': 'de' } })
    t.ok(words.has(/<h1>(.*?)<\/h1>/.exec(text)?.[1] ?? ''), path)
  }
  const raw = readdirSync(join(root, 'src/dashboard/pages'), { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.ts') && /(?<!\w)title: '[A-Z]/.test(readFileSync(join(root, 'src/dashboard/pages', name), 'utf8'))
  )
  t.same(raw, ['routing/page.ts'], 'titles are said by t(…); the routing page does so where it uses its own')
})

t.test('every setting has its German name and explanation', async (t) => {
  const { ask } = await station(t)
  const { body } = await ask('/api/settings/schema')
  const found = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      if ((key === 'title' || key === 'description') && typeof inner === 'string') found.add(inner)
      else collect(inner)
    }
  }
  collect(body)
  t.ok(found.size > 500 && found.has('Station name'), `${found.size} texts`)
  const german = wordsOf('de')
  t.same(
    [...found].filter((text) => !Object.hasOwn(german, text)),
    []
  )
})

t.test('a translation keeps the values of its text, and says something', async (t) => {
  const values = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort()
  for (const [english, german] of Object.entries(wordsOf('de'))) {
    t.same(values(german), values(english), english)
    t.not(german.trim(), '', english)
  }
})

t.test('a cell of the matrix is called the same wherever German names one', async (t) => {
  const others = Object.entries(wordsOf('de')).filter(
    ([english, german]) =>
      /\bcells?\b/i.test(english.replace(/\{\w+\}/g, '')) && /\bFeld(?:s|es|er|ern)?\b/.test(german)
  )
  t.same(others, [])
})

t.test('a severity has one word in German: on its mark, in the matrix and in the sentences', async (t) => {
  const [marks, floors] = [severityNames(translator('de')), floorNames(translator('de'))]
  for (const severity of SEVERITIES) {
    const word = VALUE_WORDS.de[severity] ?? ''
    t.equal(floors[severity], word, severity)
    t.equal(marks[severity].toLowerCase().slice(0, word.length), word.toLowerCase(), severity)
  }
  const others = Object.values(wordsOf('de')).filter((german) => /\b(?:priority|critical|immediate)\b/.test(german))
  t.same(others, [], 'and no sentence has the word of the file')
})

t.test('the cookie chooses before the browser does, the browser before the house', async (t) => {
  const cases: [Record<string, string>, string][] = [
    [{}, 'en'],
    [{ 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }, 'de'],
    [{ 'accept-language': 'fr, en;q=0.8, de;q=0.9' }, 'de'],
    [{ 'accept-language': 'de;q=0, en' }, 'en'],
    [{ 'accept-language': 'de', cookie: 'a=b; lang=en; theme=night' }, 'en'],
    [{ 'accept-language': 'de', cookie: 'lang=xx' }, 'de'],
    [{ cookie: 'slang=de' }, 'en'],
    [{ 'accept-language': `${'x,'.repeat(5000)}de` }, 'en']
  ]
  for (const [headers, language] of cases) t.equal(languageOf(headers), language, JSON.stringify(headers).slice(0, 80))
  t.equal(themeOf({ cookie: 'lang=de; theme=night' }), 'night')
  t.equal(themeOf({ cookie: 'theme=<b>' }), 'auto')
  t.equal(themeOf({ cookie: 'theme=nightmare' }), 'auto')
})

t.test('values stand where the sentence wants them, and a text without translation stays English', async (t) => {
  t.equal(
    translator('de')('No data from source {name} for {span}.', { name: 'a', span: '{name}' }),
    'Keine Daten von Quelle a seit {name}.'
  )
  t.equal(translator('de').term('No such text'), 'No such text')
  t.equal(translator('de').term('constructor'), 'constructor')
  t.equal(translator('en')('{count} waiting', { count: 3 }), '3 waiting')
})

t.test('a family that the configuration names keeps that name, one of the program is translated', async (t) => {
  // Both are keys of the catalogue: the first is the operator's own word.
  const families = { river: { label: 'Search' }, fire: { label: 'Overview' } }
  const coverage = { areas: [{ name: 'North', bbox: [-115, 43, -114, 44] }] }
  const { ask } = await station(t, { config: { families, coverage } })
  for (const path of ['/mesh-a/routing', '/events']) {
    const { text } = await ask({ path, headers: { 'accept-language': 'de' } })
    for (const name of ['Search', 'Overview', 'Wetter']) t.match(text, new RegExp(`>${name}<`), `${path}: ${name}`)
  }
})

t.test('language and colours are chosen without a script and remembered by the browser', async (t) => {
  const { ask } = await station(t, { config: { station: { timezone: 'Europe/Vienna', time_format: '24h' } } })
  const chosen = await ask('/language?to=de&back=%2Falerts')
  t.equal(chosen.status, 303)
  t.equal(chosen.headers.location, '/alerts')
  t.match(chosen.headers['set-cookie']?.[0], /^lang=de; Path=\/; Max-Age=\d+; SameSite=Lax$/)
  const theme = await ask('/theme?to=night&back=/events%3Ffamily%3Dfire')
  t.equal(theme.headers.location, '/events?family=fire')
  t.match(theme.headers['set-cookie']?.[0], /^theme=night;/)
  for (const path of ['/language?to=fr', '/language', '/theme?to=pink', '/theme?to=night%0d%0aX:y'])
    t.ok([400, 422].includes((await ask(path)).status), path)

  const page = await ask({ path: '/', headers: { cookie: 'lang=de; theme=night' } })
  t.match(page.text, /<html lang="de" data-zone="Europe\/Vienna" data-clock="24h" data-theme="night">/)
  t.match(page.text, /name="color-scheme" content="dark"/)
  t.match(page.text, /<a href="\/" aria-current="page">Überblick<\/a>/)
  t.match(page.text, /value="night" aria-pressed="true"/)
  t.equal(page.headers['content-language'], 'de')
  t.match(page.headers.vary, /Accept-Language, Cookie/)
  t.match(page.text, /Stand <span id="as-of"><time[^>]*>Mi\., 1\. Juli, 14:00/, 'dates as the language writes them')
})

t.test('nobody is led away from the station by a choice', async (t) => {
  const { ask } = await station(t)
  for (const back of [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    'javascript:alert(1)',
    '\n/x',
    `/${'x'.repeat(5000)}`
  ]) {
    const { headers } = await ask(`/language?to=de&back=${encodeURIComponent(back)}`)
    t.equal(headers.location, '/', JSON.stringify(back).slice(0, 40))
  }
})

t.test('scripts get the words of a language once: their address changes with them', async (t) => {
  const { ask } = await station(t)
  const address = wordsAddress('de') ?? ''
  const words = await ask(address)
  t.same(words.body, catalogueOf('de').words)
  t.match(words.headers['cache-control'], /immutable/)
  t.notMatch((await ask('/i18n/de.json')).headers['cache-control'], /immutable/)
  t.notMatch((await ask('/i18n/de.json?v=old')).headers['cache-control'], /immutable/)
  const tag = String(words.headers.etag)
  t.equal((await ask({ path: '/i18n/de.json', headers: { 'if-none-match': tag } })).status, 304)
  for (const path of ['/i18n/en.json', '/i18n/xx.json', '/i18n/de', '/i18n/..%2f..%2fpackage.json'])
    t.equal((await ask(path)).status, 404, path)
  t.equal(wordsAddress('en'), null)
  const page = await ask({ path: '/mesh-a/routing', headers: { 'accept-language': 'de' } })
  t.ok(page.text.includes(`data-words="${address}"`), 'pages with scripts that speak name it')
  t.notMatch((await ask('/mesh-a/routing')).text, /data-words/)
})

t.test('the alerts and the overview are in German where German is asked for', async (t) => {
  const params = { id: 'a', reason: note('Kabel') }
  const down = { code: 'radio_down' as const, params, blocking: true, link: '/radios' }
  const { ask } = await station(t, {
    radios: [radio({ state: 'down', reason: note('Kabel') })],
    context: { readiness: () => ({ ready: false, problems: [down] }) }
  })
  await ask({ path: '/api/events', body: fire })
  const headers = { 'accept-language': 'de' }
  const alerts = (await ask({ path: '/alerts', headers })).text
  t.match(alerts, /<h1>Geltende Warnungen<\/h1>/)
  t.match(alerts, /class="severity critical">Kritisch/)
  t.match(alerts, /Seit <time/)
  const overview = (await ask({ path: '/', headers })).text
  t.match(overview, /Funkgerät a ist ausgefallen: Kabel/)
  t.match(overview, /1,5 von 36 s/)
})

t.test('an encoding is used when the client takes it and it is worth it', async (t) => {
  const cases: [string | undefined, boolean, boolean][] = [
    [undefined, false, false],
    ['', false, false],
    ['gzip, deflate', true, false],
    ['gzip, deflate, br', true, true],
    ['GZIP;q=0.5', true, false],
    ['gzip;q=0, br', false, true],
    ['*', true, true],
    ['*, br;q=0.0', true, false],
    ['identity', false, false]
  ]
  for (const [header, gzip, br] of cases) {
    t.equal(accepts(header, 'gzip'), gzip, `gzip of ${header}`)
    t.equal(accepts(header, 'br'), br, `br of ${header}`)
  }
  t.equal(encodingFor('gzip, br', 'text/html; charset=utf-8', 5000), 'br')
  t.equal(encodingFor('gzip', 'application/problem+json', 5000), 'gzip')
  t.equal(encodingFor('gzip, br', 'application/json', 500_000), 'gzip', 'large bodies beside the main thread')
  t.equal(encodingFor('gzip', 'text/html', 800), null)
  t.equal(encodingFor('gzip', 'image/png', 5000), null)
  t.equal(encodingFor('gzip', 'text/event-stream', 5000), null)
})
