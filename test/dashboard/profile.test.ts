import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { FEATURES } from '../../src/dashboard/server/companions.ts'
import { loadProfile, type Profile } from '../../src/settings/profile.ts'
import { station } from './harness.ts'

const root = join(import.meta.dirname, '../..')
const load = (name: string): Promise<Profile> => loadProfile(name, join(root, 'profiles'))
const services = {
  contacts_url: 'https://contacts.example',
  landclass_url: 'https://land.example/map',
  hillshade_url: 'https://relief.example',
  traffic_overlay_url: 'https://traffic.example',
  nominatim_details_url: 'https://places.example'
}

t.test('the flags of the three profiles are those of contract §10', async (t) => {
  const flags = FEATURES.map(({ flag }) => flag)
  t.same(flags, ['has_contacts', 'has_landclass', 'has_hillshade', 'has_traffic_overlay', 'has_nominatim_details'])
  const of = async (name: string) => flags.map((flag) => load(name).then(({ features }) => features[flag]))
  t.same(await Promise.all(await of('home')), [true, true, true, true, true])
  t.same(await Promise.all(await of('regional_pi')), [false, true, true, true, true])
  t.same(await Promise.all(await of('minimal_pi')), [false, false, false, false, false])
})

t.test('a profile limits what may be uploaded: 2 GiB, 512 MiB, 128 MiB', async (t) => {
  const limits = await Promise.all(
    ['home', 'regional_pi', 'minimal_pi'].map(async (name) => (await load(name)).tuning.upload_max_bytes / 2 ** 20)
  )
  t.same(limits, [2048, 512, 128])
})

t.test(
  'a companion is linked to when the profile expects it and its address is set; else it is not offered',
  async (t) => {
    for (const [name, linked] of [
      ['home', 5],
      ['regional_pi', 4],
      ['minimal_pi', 0]
    ] as const) {
      const { ask } = await station(t, { config: { services }, context: { profile: await load(name) } })
      const { text } = await ask('/radios')
      t.equal(Object.values(services).filter((url) => text.includes(`href="${url}"`)).length, linked, name)
    }
    const { ask } = await station(t, { context: { profile: await load('home') } })
    t.notMatch((await ask('/radios')).text, /rel="external"/, 'no address, no link')
  }
)

t.test('the page tells the active profile and what each of its values changes', async (t) => {
  for (const name of ['home', 'regional_pi', 'minimal_pi']) {
    const profile = await load(name)
    const { ask } = await station(t, {
      config: { services: { landclass_url: 'https://land.example' } },
      context: { profile }
    })
    const { text, status } = await ask('/profile')
    t.equal(status, 200)
    t.match(text, new RegExp(`<strong>${name}</strong>`))
    for (const key of [
      ...Object.keys(profile.features),
      ...Object.keys(profile.subsystems),
      ...Object.keys(profile.retention)
    ])
      t.match(
        text,
        new RegExp(`<th scope="row">[^<_]{4,} <code>${key}</code></th><td>[^<]+</td><td>[^<]{6,}</td>`),
        `${name}: ${key}`
      )
    t.match(text, name === 'minimal_pi' ? /Not expected by this profile/ : /Linked: https:\/\/land\.example/)
  }
})

t.test('each value has a name in words, in the language of the reader', async (t) => {
  const overrides = { host: '127.0.0.1', port: 8090, log: 'debug' }
  const { ask } = await station(t, { context: { profile: await load('home'), overrides } })
  const namesOf = async (language: string): Promise<string[]> => {
    const { text } = await ask({ path: '/profile', headers: { 'accept-language': language } })
    const rows = [...text.matchAll(/<th scope="row">(.*?)<\/th>/g)].map(([, name = '']) => name)
    t.equal(rows.length, 25, '22 of the profile, and what is overridden')
    return rows.map((row) => row.replace(/ ?<code>[a-z_.]+<\/code>$/, ''))
  }
  const english = await namesOf('en')
  const german = await namesOf('de')
  for (const [at, name] of english.entries()) {
    t.match(name, /^[A-Z][a-z ]+$/)
    t.match(german[at], /^[A-ZÄÖÜ][a-zA-ZäöüÄÖÜß ]+$/)
    t.not(german[at], name, name)
  }
  t.ok(german.includes('Landklassen'))
})

t.test('GET /api/profile names no path and no secret', async (t) => {
  const { ask, folder } = await station(t, { config: { services } })
  const { body, text } = await ask('/api/profile')
  t.same(Object.keys(body), ['profile', 'features', 'limits', 'overrides'])
  t.notMatch(text, folder)
  t.notMatch(text, /example/)
})

t.test('every profile is a file that the schema takes whole', (t) => {
  for (const name of ['home', 'regional_pi', 'minimal_pi'])
    t.type(JSON.parse(readFileSync(join(root, 'profiles', `${name}.json`), 'utf8')).subsystems.knowledge, 'boolean')
  t.end()
})
