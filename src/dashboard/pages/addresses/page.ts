import * as v from 'valibot'
import { number } from '../../../../web/shared/times.js'
import type { AddressAnswer, Difference, Found, Match, Outcome } from '../../../knowledge/addresses/address.ts'
import type { AddressFile } from '../../../knowledge/addresses/inspect.ts'
import type { Language } from '../../../model/words/languages.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Services } from '../../api/services.ts'
import type { AddressLookup } from '../../server/address-lookup.ts'
import { get, type Handler, type Route } from '../../server/route.ts'
import { languageOf, type Translate, translator } from '../../words/language.ts'
import { type Content, type Html, html } from '../frame/html.ts'
import { page } from '../frame/layout.ts'
import { loose } from '../frame/log-filters.ts'

const SHOWN = 10
/** As many as the lookup takes. */
const MOST_LETTERS = 200

export const addressesPageQuery = v.object({ q: loose })

interface Reader {
  t: Translate
  language: Language
}

/** `GET /addresses`: a question and the addresses for it. Complete without a script; the script suggests while typing. */
function readAddressesPage({ context }: Services): Handler<v.InferOutput<typeof addressesPageQuery>, undefined> {
  return async ({ query, headers, identity }) => {
    const language = languageOf(headers)
    const t = translator(language)
    const q = query.q.slice(0, MOST_LETTERS)
    const body =
      context.addresses === null
        ? html`<p>${t('This profile looks up no addresses.')}</p>`
        : await withAddresses(context.addresses, { t, language }, q)
    return page(context, {
      title: t('Addresses'),
      path: '/addresses',
      body,
      headers,
      identity,
      style: 'pages/addresses/style.css',
      script: 'pages/addresses/script.js',
      light: true,
      data: { words: wordsOfScript(t) }
    })
  }
}

function wordsOfScript(t: Translate): Record<string, string> {
  return {
    copy: t('Copy'),
    copyCoordinates: t('Copy the coordinates'),
    copied: t('Copied'),
    suggestions: t('Suggestions'),
    one: t('1 suggestion'),
    some: t('{count} suggestions')
  }
}

async function withAddresses(addresses: AddressLookup, reader: Reader, q: string): Promise<Content> {
  const { t } = reader
  const file = await addresses.inspect()
  if ('code' in file)
    return html`<p class="banner note" role="status">${t('No address can be looked up:')} ${t.reason(file)}</p>
<p class="quiet">${t('lookout addresses import FILE.csv makes the file from lists of addresses, such as those of OpenAddresses or the National Address Database. It is found without a restart.')}</p>`
  return [form(q, t), q === '' ? null : await answers(addresses, reader, q), about(file, reader)]
}

function form(q: string, t: Translate): Html {
  return html`<form class="look-up" action="/addresses" method="get" role="search">
<label for="q">${t('Address, street, city or postal code')}</label>
<div class="question"><div class="typed"><input id="q" name="q" type="search" value="${q}" maxlength="${MOST_LETTERS}" autocomplete="off" autocapitalize="words" spellcheck="false" enterkeyhint="search" placeholder="${t('123 N Main St, Boise, ID')}"></div><button class="primary">${t('Look up')}</button></div>
<p id="suggested" class="hidden" role="status"></p>
</form>
`
}

async function answers(addresses: AddressLookup, reader: Reader, q: string): Promise<Content> {
  const { t } = reader
  try {
    const answer = await addresses.lookup({ text: q, country: null, limit: SHOWN })
    return [
      html`<p class="how" role="status">${heading(answer, t)}</p>`,
      answer.results.length === 0
        ? html`<p class="quiet">${t('Try the street and the city alone, or the postal code.')}</p>`
        : html`<ol class="found">${answer.results.map((one) => entry(one, t))}</ol>`
    ]
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return html`<p class="banner bad" role="alert">${t('The address file does not answer:')} ${t.reason(error.reason)}</p>`
  }
}

function heading({ found, differs, results }: AddressAnswer, t: Translate): string {
  if (found === 'house' && differs.length > 0) {
    const names = differenceNames(t)
    return t('Not quite as asked. Different in the file: {parts}.', {
      parts: differs.map((part) => names[part]).join(', ')
    })
  }
  const streets = new Set(results.map(({ street, city, state }) => [street, city, state].join('|')))
  if (found === 'house' && streets.size > 1) return t('More than one address fits:')
  return results.length === 0 ? (alone(t)[found] ?? headings(t)[found]) : headings(t)[found]
}

const headings = (t: Translate): Readonly<Record<Outcome, string>> => ({
  house: t('This address:'),
  nearest_house: t('This number is not in the file. The nearest ones of the street:'),
  no_house: t('The street is in the file, but no house near this number. The nearest ones:'),
  street: t('Addresses of this street:'),
  place: t('Some addresses of this place:'),
  no_street: t('There is no such street in this place. Perhaps one of these was meant:'),
  no_place: t('There is no such city or postal code in the file. The street in other places:'),
  nothing: t('No address was found.'),
  unfinished: t('The search took too long and was given up. The address may be in the file.')
})

/** Where nothing is listed below. */
const alone = (t: Translate): Readonly<Partial<Record<Outcome, string>>> => ({
  no_street: t('There is no such street in this place.'),
  no_place: t('There is no such city or postal code in the file.')
})

const differenceNames = (t: Translate): Readonly<Record<Difference, string>> => ({
  number: t('house number'),
  unit: t('unit'),
  street: t('name of the street'),
  type: t('kind of street'),
  direction: t('direction'),
  city: t('city'),
  state: t('state'),
  zip: t('postal code')
})

/** Said beside a result that is not what was asked. */
const marks = (t: Translate): Readonly<Partial<Record<Match, string>>> => ({
  near_house: t('another number'),
  near_street: t('a street of a similar name'),
  elsewhere: t('in another place')
})

function entry(
  { number: house, street, street2, city, state, zipcode, plus4, lat, lon, match }: Found,
  t: Translate
): Html {
  const mark = marks(t)[match]
  const first = [house, street, street2].filter((part) => part !== '').join(' ')
  const code = plus4 === '' ? zipcode : `${zipcode}-${plus4}`
  const second = [city, `${state} ${code}`.trim()].filter((part) => part !== '').join(', ')
  const place = lat === null || lon === null ? null : `${lat.toFixed(6)}, ${lon.toFixed(6)}`
  return html`<li><p class="address"><strong>${first}</strong><span>${second}</span>${mark === undefined ? null : html`<em class="mark">${mark}</em>`}</p>${
    place === null
      ? html`<p class="quiet">${t('without coordinates')}</p>`
      : html`<p class="place"><code>${place}</code></p>`
  }</li>
`
}

function about({ rowCount, countries, edition, advice }: AddressFile, { t, language }: Reader): Content {
  const parts = [
    rowCount === null ? t('The address file') : t('{count} addresses', { count: number(rowCount, language) }),
    countries.join(', '),
    edition === 'lite' ? t('without coordinates') : ''
  ].filter((part) => part !== '')
  const lines = advice.map(
    ({ sql, speeds }) => html`<li>${t('For {what}:', { what: t.term(speeds) })} <code>${sql};</code></li>`
  )
  return [
    html`<p class="quiet file">${parts.join(' · ')}</p>`,
    lines.length === 0
      ? null
      : html`<details class="advice"><summary>${t('Lookups would find more with these indexes')}</summary><p>${t('Stop the station, run these on a copy of the file with sqlite3, and put the copy in its place.')}</p><ul>${lines}</ul></details>`
  ]
}

export const addressesPage = (services: Services): Route =>
  get('/addresses', {
    about: 'Postal addresses for a text (`?q=`), with coordinates to copy; with a script suggestions while typing.',
    query: addressesPageQuery,
    handle: readAddressesPage(services)
  })
