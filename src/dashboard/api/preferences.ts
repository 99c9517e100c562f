import * as v from 'valibot'
import { LANGUAGES } from '../../model/words/languages.ts'
import { backPath } from '../server/back.ts'
import { notFound } from '../server/problem.ts'
import { json, type Reply } from '../server/reply.ts'
import { get, type Handler, type Route } from '../server/route.ts'
import { THEMES } from '../server/theme.ts'
import { catalogueOf } from '../words/language.ts'

/** A year; seconds. */
const KEPT = 31_536_000

const back = v.optional(v.string(), '/')
export const languageQuery = v.object({ to: v.picklist(LANGUAGES), back })
export const themeQuery = v.object({ to: v.picklist(THEMES), back })
export const wordsQuery = v.object({ v: v.optional(v.string()) })

/** `GET /language?to=de&back=/path`: remembers the language of this browser; works without a script. */
const chooseLanguage: Handler<v.InferOutput<typeof languageQuery>, undefined> = ({ query }) =>
  remember('lang', query.to, query.back)

/** `GET /theme?to=night&back=/path`: remembers how pages look in this browser. */
const chooseTheme: Handler<v.InferOutput<typeof themeQuery>, undefined> = ({ query }) =>
  remember('theme', query.to, query.back)

/**
 * `GET /i18n/<language>.json`: the words scripts show. Under the address with its revision a browser keeps them.
 */
const readWordsFile: Handler<v.InferOutput<typeof wordsQuery>, undefined> = ({ params, query }) => {
  const [, code] = /^([a-z]{2})\.json$/.exec(params['file'] ?? '') ?? []
  const language = LANGUAGES.find((name) => name !== 'en' && name === code)
  if (language === undefined) throw notFound()
  const { words, revision } = catalogueOf(language)
  const keep = query.v === revision ? { 'Cache-Control': `public, max-age=${KEPT}, immutable` } : {}
  return json(words, { headers: { ETag: `"${revision}"`, ...keep } })
}

function remember(name: string, value: string, to: string): Reply {
  const location = backPath(to)
  return {
    status: 303,
    headers: {
      Location: location,
      'Set-Cookie': `${name}=${value}; Path=/; Max-Age=${KEPT}; SameSite=Lax`,
      'Content-Type': 'text/plain; charset=utf-8'
    },
    body: location
  }
}

export const preferencesRoutes = (): Route[] => [
  get('/language', {
    about:
      'Remembers the language of this browser in the cookie `lang` and goes back: `?to=en|de&back=/path`. Without the cookie pages follow `Accept-Language`.',
    query: languageQuery,
    handle: chooseLanguage
  }),
  get('/theme', {
    about:
      'Remembers the colours of this browser in the cookie `theme` and goes back: `?to=auto|light|dark|sunlight|night&back=/path`.',
    query: themeQuery,
    handle: chooseTheme
  }),
  get('/i18n/:file', {
    about: 'The words of a language for the scripts of the pages, as JSON: `de.json`.',
    query: wordsQuery,
    handle: readWordsFile
  })
]
