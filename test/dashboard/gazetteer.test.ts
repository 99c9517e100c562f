import t from 'tap'
import { because } from '../../src/model/reason.ts'
import { AppError } from '../../src/platform/errors.ts'
import { station } from './harness.ts'

const HAILEY = {
  name: 'Hailey',
  also: '',
  country: 'US',
  region: 'Idaho',
  county: 'IDC013',
  lat: 43.52,
  lon: -114.315,
  population: 8000,
  timezone: 'America/Boise'
}
const gazetteer = {
  countries: async (zone: string) => ({
    countries: [
      { code: 'US', box: [-171, 19, -67, 71] },
      { code: 'DE', box: [6, 47, 15, 55] }
    ],
    here: zone === 'Europe/Berlin' ? 'DE' : ''
  }),
  find: async ({ text }: { text: string }) => (text === 'hai' ? [HAILEY] : []),
  near: async () => [{ ...HAILEY, km: 3 }]
}

t.test('countries come by name, in the language of whoever asks', async (t) => {
  const { ask } = await station(t, { context: { gazetteer } })
  const path = '/api/gazetteer/countries?zone=Europe/Berlin'
  const { body } = await ask({ path, headers: { 'accept-language': 'de' } })
  t.same(body, {
    countries: [
      { code: 'DE', name: 'Deutschland', box: [6, 47, 15, 55] },
      { code: 'US', name: 'Vereinigte Staaten', box: [-171, 19, -67, 71] }
    ],
    here: 'DE'
  })
})

t.test('towns are asked for by country and name, or by position', async (t) => {
  const { ask } = await station(t, { context: { gazetteer } })
  t.same((await ask('/api/gazetteer?country=us&q=hai')).body, { towns: [HAILEY] })
  t.same((await ask('/api/gazetteer/near?lat=43.5&lon=-114.3')).body, { towns: [{ ...HAILEY, km: 3 }] })
  for (const path of [
    '?q=hai',
    '?country=USA&q=hai',
    '?country=US',
    '/near?lat=91&lon=0',
    '/near?lat=1',
    '/near?lat=1&lon=x'
  ])
    t.equal((await ask(`/api/gazetteer${path}`)).status, 422, path)
})

t.test('a station without the list says so, and how else', async (t) => {
  const none = async () => {
    throw new AppError('unavailable', because('no_gazetteer'))
  }
  const { ask } = await station(t, { context: { gazetteer: { countries: none, find: none, near: none } } })
  const { status, body } = await ask('/api/gazetteer?country=US&q=hai')
  t.equal(status, 503)
  t.match(body.detail, /npm run build.*latitude and longitude/i)
})
