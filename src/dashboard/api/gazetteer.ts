import * as v from 'valibot'
import { askerOf } from '../server/asker.ts'
import { json } from '../server/reply.ts'
import { get, type Handler, type Route, type Told } from '../server/route.ts'
import { countriesAnswer, townsAnswer, townsNearAnswer } from './answers/station.ts'
import type { Services } from './services.ts'

const limit = v.pipe(
  v.optional(v.string(), '8'),
  v.regex(/^\d{1,2}$/, 'a limit is a whole number from 1 to 20'),
  v.transform(Number),
  v.minValue(1, 'a limit is a whole number from 1 to 20'),
  v.maxValue(20, 'a limit is a whole number from 1 to 20'),
  v.description('1 to 20.')
)
const degrees = (most: number, what: string) =>
  v.pipe(
    v.string(`${what} is a number of degrees`),
    v.regex(/^-?\d{1,3}(?:\.\d{1,12})?$/, `${what} is a number of degrees`),
    v.transform(Number),
    v.minValue(-most, `${what} is -${most} to ${most}`),
    v.maxValue(most, `${what} is -${most} to ${most}`)
  )
const countriesQuery = v.object({
  zone: v.pipe(v.optional(v.string(), ''), v.maxLength(60), v.description('IANA time zone of whoever asks.'))
})
const townsQuery = v.object({
  country: v.pipe(
    v.string('country is a code of two letters'),
    v.toUpperCase(),
    v.regex(/^[A-Z]{2}$/, 'country is a code of two letters'),
    v.description('ISO 3166-1 alpha-2.')
  ),
  q: v.pipe(
    v.string('q says what to look for'),
    v.maxLength(80),
    v.description('How the name begins; region after it.')
  ),
  limit
})
const nearQuery = v.object({ lat: degrees(90, 'lat'), lon: degrees(180, 'lon'), limit })

/** `GET /api/gazetteer/countries`: all countries in the order of their names, and the one of a time zone. */
function listCountries({
  context
}: Services): Handler<v.InferOutput<typeof countriesQuery>, undefined, Told<typeof countriesAnswer>> {
  return async (call) => {
    const { language } = askerOf(context, call)
    const names = new Intl.DisplayNames([language], { type: 'region' })
    const { countries, here } = await context.gazetteer.countries(call.query.zone)
    const named = countries.map(({ code, box }) => ({ code, name: names.of(code) ?? code, box }))
    const order = new Intl.Collator(language)
    return json({ countries: named.sort((a, b) => order.compare(a.name, b.name)), here })
  }
}

/** `GET /api/gazetteer`: towns of a country by name. */
function findTowns({
  context
}: Services): Handler<v.InferOutput<typeof townsQuery>, undefined, Told<typeof townsAnswer>> {
  return async ({ query: { country, q, limit: most } }) =>
    json({ towns: await context.gazetteer.find({ country, text: q, limit: most }) })
}

/** `GET /api/gazetteer/near`: towns round a position. */
function findNear({
  context
}: Services): Handler<v.InferOutput<typeof nearQuery>, undefined, Told<typeof townsNearAnswer>> {
  return async ({ query: { lat, lon, limit: most } }) =>
    json({ towns: await context.gazetteer.near({ lat, lon, limit: most }) })
}

export const gazetteerRoutes = (services: Services): Route[] => [
  get('/api/gazetteer/countries', {
    summary: 'Countries with places in the list.',
    about:
      '`{countries: [{code, name, box}], here}`: by name, in the language of whoever asks; `box`: west, south, east, north of its places; `here`: the country of most people in the time zone `zone`, or empty.',
    query: countriesQuery,
    answer: countriesAnswer,
    handle: listCountries(services)
  }),
  get('/api/gazetteer', {
    summary: 'Towns and villages by name.',
    about:
      '`{towns: [{name, also, country, region, county, lat, lon, population, timezone}]}`: names that begin so, the whole name first, then the largest. No accent is needed; `springfield illinois` names the region too. `also`: the name of the list, where another was found. From GeoNames, kept here: nobody is asked. 503 where the list was not built.',
    query: townsQuery,
    answer: townsAnswer,
    handle: findTowns(services)
  }),
  get('/api/gazetteer/near', {
    summary: 'Towns and villages near a position.',
    about: 'As `/api/gazetteer`, with `km`; nearest first, at most 150 km away.',
    query: nearQuery,
    answer: townsNearAnswer,
    handle: findNear(services)
  })
]
