import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { AddressIndex } from '../../src/knowledge/addresses/address-index.ts'
import { createLog } from '../../src/platform/log/log.ts'
import { foreignFile, SAMPLE, sampleFile } from '../knowledge/addresses/sample.ts'
import { station } from './harness.ts'

type Tap = Parameters<typeof station>[0]

function book(t: Tap, file: string): AddressIndex {
  const made = new AddressIndex({ file, log: createLog({ level: 'silent' }) })
  t.teardown(() => made.close())
  return made
}

/** Beside the station's own folder, which a test makes anew. */
async function withFile(t: Tap) {
  const folder = mkdtempSync(join(tmpdir(), 'lookout-addresses-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  return station(t, { context: { addresses: book(t, await sampleFile(folder)) } })
}

const FIELDS = [
  ...['number', 'street', 'street2', 'city', 'state', 'zipcode', 'plus4', 'country', 'lat', 'lon', 'source', 'match']
]

t.test('GET /api/address-db/lookup answers results, count, query and what they are to it, to the letter', async (t) => {
  const { ask } = await withFile(t)
  const { status, body } = await ask('/api/address-db/lookup?q=7%20Oak%20Ct,%20Boise')
  t.equal(status, 200)
  t.same(Object.keys(body), ['results', 'count', 'query', 'found', 'differs'])
  t.same(Object.keys(body.results[0]), FIELDS)
  t.same(body, {
    results: [
      {
        number: '7',
        street: 'OAK CT',
        street2: '',
        city: 'BOISE',
        state: 'ID',
        zipcode: '83705',
        plus4: '',
        country: 'US',
        lat: 43.071,
        lon: -116.071,
        source: 'TEST',
        match: 'house'
      }
    ],
    count: 1,
    query: '7 Oak Ct, Boise',
    found: 'house',
    differs: []
  })
  t.same((await ask('/api/address-db/lookup?q=zzzz')).body, {
    results: [],
    count: 0,
    query: 'zzzz',
    found: 'nothing',
    differs: []
  })
  t.match((await ask('/api/address-db/lookup?q=140%20East%20River%20Run,%20Boise')).body, {
    found: 'no_street',
    count: 0
  })
  t.match((await ask('/api/address-db/lookup?q=123%20N%20Main%20Ave,%20Boise')).body, {
    found: 'house',
    differs: ['type']
  })
  t.equal((await ask('/api/address-db/lookup?q=boise')).body.count, 10)
  t.equal((await ask('/api/address-db/lookup?q=boise&limit=40')).body.count, 40)
  t.equal((await ask('/api/address-db/lookup?q=83702&country=us')).body.count, 10)
  t.equal((await ask('/api/address-db/lookup?q=83702&country=CA')).body.count, 0)
  t.equal((await ask('/api/address-db/lookup?q=twin+falls')).body.results[0].city, 'TWIN FALLS')
})

t.test('a missing q is 400; a limit outside 1–50, another country and a long q are 422', async (t) => {
  const { ask } = await withFile(t)
  for (const path of ['lookup', 'lookup?q=', 'lookup?q=%20', 'suggest', 'suggest?q='])
    t.equal((await ask(`/api/address-db/${path}`)).status, 400, path)
  for (const query of [
    'limit=0',
    'limit=51',
    'limit=-1',
    'limit=1.5',
    'limit=x',
    'limit=',
    'country=DE',
    'country=USA'
  ])
    t.equal((await ask(`/api/address-db/lookup?q=boise&${query}`)).status, 422, query)
  t.equal((await ask(`/api/address-db/lookup?q=${'x'.repeat(201)}`)).status, 422)
  for (const query of ['limit=1', 'limit=50', 'country='])
    t.equal((await ask(`/api/address-db/lookup?q=boise&${query}`)).status, 200, query)
  t.equal((await ask({ method: 'POST', path: '/api/address-db/lookup', body: {} })).status, 405)
})

t.test('GET /api/address-db/health: counts, size and countries; every failure is 200 with a reason', async (t) => {
  const { ask } = await withFile(t)
  const { status, body } = await ask('/api/address-db/health')
  t.equal(status, 200)
  t.same(Object.keys(body), ['ok', 'row_count', 'file_size_bytes', 'indexed_countries'])
  t.match(body, { ok: true, row_count: SAMPLE.length, indexed_countries: ['US', 'CA'] })
  t.ok(body.file_size_bytes > 4096)
})

t.test(
  'without a file, and in a profile without addresses: health is not ok, lookup and suggest are 503',
  async (t) => {
    const folder = t.testdir({ 'broken.sqlite': 'x'.repeat(5000) })
    for (const [addresses, reason] of [
      [null, /profile home looks up no addresses/],
      [book(t, join(folder, 'absent.sqlite')), /lookout addresses import/],
      [book(t, join(folder, 'broken.sqlite')), /cannot be read/]
    ] as const) {
      await t.test(String(reason), async (t) => {
        const { ask } = await station(t, { context: { addresses } })
        const health = await ask('/api/address-db/health')
        t.equal(health.status, 200)
        t.same(Object.keys(health.body), ['ok', 'reason'])
        t.match(health.body, { ok: false, reason })
        for (const path of ['lookup?q=boise', 'suggest?q=boise']) {
          const answer = await ask(`/api/address-db/${path}`)
          t.equal(answer.status, 503, path)
          t.match(answer.body.detail, reason)
        }
        t.equal((await ask('/api/address-db/lookup')).status, 400)
        const page = await ask('/addresses?q=boise')
        t.equal(page.status, 200)
        t.match(page.text, addresses === null ? /This profile looks up no addresses/ : reason)
      })
    }
  }
)

t.test('GET /api/address-db/suggest: at most ten texts that the lookup understands', async (t) => {
  const { ask } = await withFile(t)
  const { status, body } = await ask('/api/address-db/suggest?q=123%20ma')
  t.equal(status, 200)
  t.match(body, { count: 3, query: '123 ma' })
  t.match(body.suggestions[0], { text: /^123 MAIN ST, /, kind: 'address' })
  t.same((await ask('/api/address-db/suggest?q=%25')).body.suggestions, [])
})

t.test('the page answers without a script, escapes what was asked, and says how an answer was found', async (t) => {
  const { ask } = await withFile(t)
  const empty = (await ask('/addresses')).text
  t.match(empty, /<form class="look-up" action="\/addresses" method="get"/)
  t.match(empty, new RegExp(`${SAMPLE.length} addresses · US, CA`))
  t.match(empty, /<a href="\/addresses" aria-current="page">Addresses<\/a>/)
  for (const [q, text] of [
    ['7 Oak Ct, Boise', 'This address:'],
    ['123 Main St', 'More than one address fits:'],
    ['181 W Washington St, Boise', 'The nearest ones of the street:'],
    ['181 W Washington St, Boise', 'another number'],
    ['999 W Washington St, Boise', 'no house near this number'],
    ['124 Wahsington St, Boise', 'Different in the file: name of the street.'],
    ['W Washington St, Boise', 'Addresses of this street:'],
    ['83301', 'Some addresses of this place:'],
    ['Twin Falls', 'Some addresses of this place:'],
    ['140 East River Run, Boise', 'There is no such street in this place.'],
    ['124 W Wachinktons St, Boise', 'a street of a similar name'],
    ['7 Oak Ct, Gotham', 'There is no such city or postal code in the file. The street in other places:'],
    ['1 Zzzz St, Qqqq, WY', 'There is no such city or postal code in the file.'],
    ['zzzz', 'No address was found.']
  ] as const)
    t.match((await ask(`/addresses?q=${encodeURIComponent(q)}`)).text, text, q)
  t.match((await ask('/addresses?q=7+Oak+Ct,+Boise')).text, '<code>43.071000, -116.071000</code>')
  const evil = (await ask(`/addresses?q=${encodeURIComponent('"><script>alert(1)</script>')}`)).text
  t.notMatch(evil, '<script>alert')
  t.match((await ask({ path: '/addresses', headers: { 'accept-language': 'de' } })).text, /lang="de"/)
})

t.test('a file that lacks indexes is used, and the page says which ones it lacks', async (t) => {
  const path = join(t.testdir({}), 'lite.sqlite')
  ;(await foreignFile(path, { lite: true, indexes: ['zipcode, number, street'] })).close()
  const addresses = book(t, path)
  await t.test('on the page', async (t) => {
    const { ask } = await station(t, { context: { addresses } })
    const { text } = await ask('/addresses?q=7+Oak+Ct+83705')
    t.match(text, 'CREATE INDEX addresses_by_city ON addresses (state, city, street, number);')
    t.match(text, 'without coordinates')
    t.match((await ask('/api/address-db/lookup?q=7+Oak+Ct+83705')).body.results, [
      { lat: null, lon: null, source: null }
    ])
  })
})
