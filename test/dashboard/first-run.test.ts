import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import * as v from 'valibot'
import { proposedFor } from '../../src/dashboard/pages/first-run/proposed.js'
import { because } from '../../src/model/reason.ts'
import { FEEDS, OFFERED_KINDS } from '../../src/warning/feeds/settings.ts'
import { listSerialDevices } from '../../src/warning/radios/link/devices.ts'
import { station as walk } from '../helpers/station.ts'
import { FROM_AFAR, type Station, station } from './harness.ts'

const PATH = '/api/first-run'
const byOffer = (a: string, b: string) =>
  OFFERED_KINDS.findIndex(({ kind }) => kind === a) - OFFERED_KINDS.findIndex(({ kind }) => kind === b)
const ask = ({ ask }: Station, body: unknown, headers: Record<string, string> = {}) =>
  ask({ path: PATH, body, headers })

t.test('five steps make a station out of an empty one, each saved by itself', async (t) => {
  const found = await station(t)
  const before = await found.ask(PATH)
  t.match(before.body, {
    station: { name: 'Lookout', contact: '', country: '', timezone: 'UTC' },
    place: null,
    areas: [],
    radios: [],
    sources: { kinds: [], states: [] },
    matrix: { enabled: false, columns: [] },
    empty: true
  })
  t.equal(before.headers.etag, `"${before.body.revision}"`)
  t.match((await found.ask('/first-run')).text, /<strong>Areas<\/strong><\/span> <small>not yet</)

  const steps = [
    {
      station: { name: 'Hailey', contact: 'me@example.org', timezone: 'America/Boise' },
      place: { name: 'Hailey', lat: 43.52, lon: -114.31 }
    },
    { area: { name: 'Valley', circle: { lat: 43.52, lon: -114.31, radius_km: 40 } } },
    { radios: { mt: { link: 'simulated' }, mc: { link: 'tcp', host: '10.0.0.7', port: 5000 } } },
    { sources: { kinds: ['nws', 'usgs'], states: ['id'] } },
    { matrix: { region: 'Valley', families: ['weather', 'fire'], mt: 1, mc: 'valley', min_severity: 'priority' } }
  ]
  let revision = before.body.revision
  for (const step of steps) {
    const answer = await ask(found, step, { 'if-match': `"${revision}"` })
    t.equal(answer.status, 200, JSON.stringify(answer.body))
    t.not(answer.body.revision, revision)
    revision = answer.body.revision
    t.same((await found.ask(PATH)).body, answer.body)
  }
  const cell = { mt: 1, mc: 'valley', min_severity: 'priority', enabled: true }
  t.same(JSON.parse(found.file()), {
    station: {
      name: 'Hailey',
      contact: 'me@example.org',
      timezone: 'America/Boise',
      anchors: [{ name: 'Hailey', lat: 43.52, lon: -114.31 }]
    },
    coverage: {
      region_tagging: true,
      areas: [{ name: 'Valley', circle: { lat: 43.52, lon: -114.31, radius_km: 40 } }]
    },
    radios: [
      { id: 'mt', network: 'mt', link: 'simulated' },
      { id: 'mc', network: 'mc', link: 'tcp', host: '10.0.0.7', port: 5000 }
    ],
    sources: [
      { kind: 'nws', area: ['ID'], enabled: true },
      { kind: 'usgs', enabled: true }
    ],
    notifications: { region_routes: { enabled: true, cells: { weather: { Valley: cell }, fire: { Valley: cell } } } }
  })
  const column = {
    region: 'Valley',
    families: ['weather', 'fire'],
    mt: 1,
    mc: 'valley',
    min_severity: 'priority',
    mixed: false
  }
  t.match((await found.ask(PATH)).body, {
    empty: false,
    sources: { kinds: ['nws', 'usgs'], states: ['ID'] },
    matrix: { enabled: true, columns: [column] }
  })
})

t.test('what the first steps offer comes from the kinds of sources: each is saved, with its states', async (t) => {
  const offered = FEEDS.filter(({ firstSteps }) => firstSteps !== undefined)
  t.ok(offered.length > 1)
  for (const { schema, load, firstSteps } of offered) {
    const kind = schema.entries.kind.literal
    const found = await station(t)
    const [[country, services] = ['', null]] = Object.entries(firstSteps?.services ?? {})
    const where = services === null ? {} : { station: { country } }
    const answer = await ask(found, { ...where, sources: { kinds: [kind], states: ['id'] } })
    t.match(answer.body.sources.kinds, [kind])
    const setting = firstSteps?.states?.setting
    const made = services?.map(({ name, settings }) => ({ kind, name, ...settings, enabled: true }))
    const one = [{ kind, ...(setting && { [setting]: ['ID'] }), enabled: true }]
    t.same(JSON.parse(found.file()).sources, made ?? one)
    const reader = await load?.()
    t.equal(reader?.mode === 'poll' && reader.needsContact, firstSteps?.contact ?? false, `${kind}: asks for a contact`)
  }
  const { text } = await (await station(t)).ask({ path: '/first-run', headers: { 'accept-language': 'de' } })
  t.match(text, /"kind":"nws","title":"Wetterwarnungen, USA \(NWS\)"/)
})

t.test('the country says which service of a kind is asked, and another one later', async (t) => {
  const found = await station(t)
  const sources = { kinds: ['meteoalarm', 'met_alerts', 'usgs'], states: [] }
  await ask(found, { station: { country: 'de' } })
  t.equal((await ask(found, { sources })).body.station.country, 'DE')
  t.same(JSON.parse(found.file()).sources, [
    { kind: 'met_alerts', enabled: true },
    { kind: 'meteoalarm', country: 'germany', enabled: true },
    { kind: 'usgs', enabled: true }
  ])
  await ask(found, { station: { country: 'CA' } })
  await ask(found, { sources: { ...sources, kinds: ['met_alerts', 'usgs'] } })
  t.same(JSON.parse(found.file()).sources, [
    { kind: 'met_alerts', enabled: true, provider: 'eccc' },
    { kind: 'meteoalarm', country: 'germany', enabled: false },
    { kind: 'usgs', enabled: true }
  ])
  t.equal((await ask(found, { station: { country: 'Germany' } })).status, 422)
})

t.test('of several services of a country each is a source; one that somebody named himself stays', async (t) => {
  const own = { kind: 'cap', name: 'county', url: 'https://county.example/cap', enabled: true }
  const found = await station(t)
  found.edit(JSON.stringify({ sources: [own] }))
  await found.context.config.refresh()
  const inForce = () =>
    JSON.parse(found.file())
      .sources.filter(({ enabled }: { enabled: boolean }) => enabled)
      .map(({ name, kind }: { name?: string; kind: string }) => name ?? kind)
  await ask(found, { station: { country: 'NZ' } })
  t.same((await found.ask(PATH)).body.sources.kinds, [], 'its own CAP is none of the offer')
  const { body } = await ask(found, { sources: { kinds: ['cap', 'usgs'], states: [] } })
  t.same(body.sources.kinds, ['cap', 'usgs'])
  t.same(inForce(), ['county', 'metservice', 'nema', 'geonet', 'usgs'])
  await ask(found, { station: { country: 'BR' } })
  await ask(found, { sources: { kinds: ['cap'], states: [] } })
  t.same(inForce(), ['county', 'inmet'])
  await ask(found, { sources: { kinds: [], states: [] } })
  t.same(inForce(), ['county'])
})

t.test(
  'the country says the language of texts where nearly all read one, until somebody chooses another',
  async (t) => {
    const found = await station(t)
    const language = (): string => found.context.config.current().station.language
    for (const [country, tongue] of [
      ['FR', 'fr'],
      ['AT', 'de'],
      ['CH', 'en'],
      ['BR', 'pt'],
      ['MX', 'es'],
      ['JP', 'ja'],
      ['US', 'en']
    ] as const) {
      await ask(found, { station: { country } })
      t.equal(language(), tongue, country)
    }
    found.edit(JSON.stringify({ station: { country: 'US', language: 'es' } }))
    await found.context.config.refresh()
    await ask(found, { station: { country: 'FR' } })
    t.equal(language(), 'es', 'chosen by hand')
    found.edit(JSON.stringify({ station: { country: 'FR' } }))
    await found.context.config.refresh()
    await ask(found, { station: { country: 'FR', name: 'Col' } })
    t.equal(language(), 'en', 'a station that speaks already goes on as it does')
  }
)

t.test('the country says how times and distances are written', async (t) => {
  for (const [country, time_format, units] of [
    ['US', '12h', 'imperial'],
    ['CA', '12h', 'metric'],
    ['AU', '12h', 'metric'],
    ['NZ', '12h', 'metric'],
    ['PH', '12h', 'metric'],
    ['IN', '12h', 'metric'],
    ['GB', '24h', 'imperial'],
    ['DE', '24h', 'metric'],
    ['JP', '24h', 'metric']
  ] as const) {
    const found = await station(t)
    t.equal((await ask(found, { station: { country } })).status, 200)
    t.match(found.context.config.current().station, { country, time_format, units }, country)
  }
})

t.test(
  'another country says it anew; what somebody chose by hand stays, and without a country nothing is said',
  async (t) => {
    const found = await station(t)
    const styles = () => {
      const { time_format, units } = JSON.parse(found.file()).station
      return { time_format, units }
    }
    await ask(found, { station: { name: 'Hailey', country: '' } })
    t.same(styles(), { time_format: undefined, units: undefined })
    await ask(found, { station: { country: 'US' } })
    await ask(found, { station: { country: 'DE' } })
    t.same(styles(), { time_format: '24h', units: 'metric' })
    found.edit(JSON.stringify({ station: { country: 'DE', time_format: '12h', units: 'metric' } }))
    await found.context.config.refresh()
    await ask(found, { station: { country: 'US' } })
    t.same(styles(), { time_format: '12h', units: 'imperial' })
    found.edit(JSON.stringify({ station: { time_format: '12h', units: 'imperial' } }))
    await found.context.config.refresh()
    await ask(found, { station: { country: 'DE' } })
    t.same(styles(), { time_format: '12h', units: 'imperial' }, 'chosen before there was a country')
  }
)

t.test(
  'what a country is offered has a reader that takes its settings, and names countries that there are',
  async (t) => {
    const names = new Intl.DisplayNames(['en'], { type: 'region' })
    for (const { schema, firstSteps } of FEEDS) {
      const { countries = [], byCountry = {}, services = {}, ticked = { notIn: [] } } = firstSteps ?? {}
      const ofServices = Object.keys(services)
      const mentioned = [...countries, ...Object.keys(byCountry), ...ofServices, ...Object.values(ticked).flat()]
      for (const code of mentioned) t.not(names.of(code), code, `${schema.entries.kind.literal}: ${code}`)
      for (const settings of Object.values(byCountry))
        v.parse(schema, { kind: schema.entries.kind.literal, ...settings })
      for (const { name, settings } of Object.values(services).flat())
        v.parse(schema, { kind: schema.entries.kind.literal, name, ...settings })
    }
  }
)

t.test(
  'for each country: its warning service ticked, else the worldwide sources and a word that it has none',
  async (t) => {
    const ticked = (country: string) => proposedFor(OFFERED_KINDS, country)
    t.match(ticked('US'), { national: true })
    t.strictSame(ticked('US').ticked, ['nws', 'nhc', 'volcano', 'wfigs', 'swpc', 'usgs'].sort(byOffer))
    t.strictSame(ticked('DE'), { ...ticked('DE'), ticked: ['meteoalarm', 'nina', 'gdacs', 'usgs'], national: true })
    t.strictSame(ticked('AU'), { ...ticked('AU'), ticked: ['cap', 'cap_au', 'gdacs', 'usgs'], national: true })
    t.strictSame(ticked('JP').ticked, ['jma', 'gdacs', 'usgs'])
    t.strictSame(ticked('NO').ticked, ['met_alerts', 'gdacs', 'usgs'])
    t.strictSame(ticked('KE'), { ...ticked('KE'), ticked: ['gdacs', 'usgs'], national: false })
    t.strictSame(ticked('').ticked, ['gdacs', 'usgs'])
    t.notOk(ticked('KE').shown.some(({ kind }) => kind === 'nws'))
    const own = proposedFor(OFFERED_KINDS, 'KE', new Set(['nws']))
    t.ok(
      own.shown.some(({ kind }) => kind === 'nws'),
      'what somebody has switched on is shown wherever it is from'
    )
  }
)

t.test(
  'a station that the first steps have made sends a warning of its area, and space weather by its policy',
  async (t) => {
    const found = await station(t)
    const circle = { lat: 43.52, lon: -114.31, radius_km: 40 }
    await ask(found, { area: { name: 'Valley', circle } })
    const column = { region: 'Valley', mt: 1, mc: 'valley', min_severity: 'priority' }
    await ask(found, { matrix: { ...column, families: ['weather', 'fire', 'rf_propagation'] } })
    const { body } = await found.ask(PATH)
    t.match(body.matrix, { tagging: true, policies: ['rf_propagation'], columns: [{ families: ['weather', 'fire'] }] })
    t.same(body.areas[0].probe, { circle })
    const saved = JSON.parse(found.file())
    t.notOk('rf_propagation' in saved.notifications.region_routes.cells, 'no cell would ever match')

    const made = await walk(t, { config: { ...saved, notifications: { ...saved.notifications, coalesce_seconds: 0 } } })
    await made.post({ id: 'f', severity: 'immediate', title: 'Evacuate', regions: [], lat: 43.6, lon: -114.3 })
    await made.run(20)
    await made.post({ id: 'x', family: 'rf_propagation', severity: 'priority', title: 'HF blackout', regions: [] })
    await made.run(60)
    const told = made.onAir().join('\n')
    for (const [channel, words] of [
      ['mt:1', 'Evacuate'],
      ['mc:valley', 'Evacuate'],
      ['mt:1', 'HF'],
      ['mc:valley', 'HF']
    ])
      t.match(told, new RegExp(`${channel} .*${words}`, 'i'))

    await ask(found, { matrix: { ...column, families: ['fire'] } })
    t.equal(JSON.parse(found.file()).notifications.toggles.rf_propagation.enabled, false, 'no longer wanted')
  }
)

t.test('a policy that somebody made with destinations is left alone by the first steps', async (t) => {
  const toggles = { rf_propagation: { enabled: true, destinations: ['ops'] } }
  const destinations = { ops: { type: 'mesh_broadcast', broadcast_channel: 4 } }
  const found = await station(t, { config: { notifications: { toggles, destinations } } })
  for (const families of [['rf_propagation'], ['fire']])
    await ask(found, { matrix: { region: 'North', families, mt: 1, mc: null } })
  t.same(JSON.parse(found.file()).notifications.toggles, toggles)
})

t.test('the first step counts as done once a name was saved', async (t) => {
  const found = await station(t)
  t.equal((await found.ask(PATH)).body.station.named, false)
  t.equal((await ask(found, { station: { name: 'Lookout' } })).body.station.named, true)
})

t.test('an area of any shape has a place where a made-up event touches it', async (t) => {
  const ring = [
    [1, 2],
    [3, 2],
    [3, 4],
    [1, 2]
  ]
  const geometry = { type: 'Polygon', coordinates: [ring] }
  const areas = [
    { name: 'A', bbox: [0, 1, 2, 3] },
    { name: 'B', codes: ['IDC013'] },
    { name: 'C', codes: ['16013'] },
    { name: 'D', geometry }
  ]
  const found = await station(t, { config: { coverage: { areas } } })
  const { body } = await found.ask(PATH)
  const probes = [{ bbox: [0, 1, 2, 3] }, { zones: ['IDC013'] }, { same: ['16013'] }, { lon: 1, lat: 2 }]
  t.match(
    body.areas.map(({ probe }: { probe: unknown }) => probe),
    probes
  )
})

t.test(
  'a step touches what it names and nothing else: unknown keys, other areas, thresholds and cells stay',
  async (t) => {
    const config = {
      future: { keep: true },
      station: {
        name: 'Old',
        units: 'imperial',
        anchors: [
          { name: 'Home', lat: 1, lon: 2, note: 'mine' },
          { name: 'Two', lat: 3, lon: 4 }
        ]
      },
      coverage: {
        region_tagging: true,
        areas: [
          { name: 'North', codes: ['IDC013'], colour: 'red' },
          { name: 'Drawn', parts: [{ bbox: [0, 0, 1, 1] }, { circle: { lat: 0, lon: 0, radius_km: 5 } }] }
        ]
      },
      radios: [{ id: 'roof', network: 'mt', link: 'serial', path: '/dev/ttyUSB9', mast: 'high' }],
      sources: [
        {
          kind: 'rest',
          name: 'river',
          url: 'https://example.org/x.json',
          api_key: 'geheim',
          map: { id: '/id', title: '/t' },
          family: 'roads'
        },
        { kind: 'usgs', floor: 4 },
        { kind: 'swpc', min_scale: 3 }
      ],
      notifications: {
        region_routes: {
          enabled: false,
          cells: {
            fire: { North: { mt: 3, fallback: true, note: 'x' }, Drawn: { mt: 2 } },
            roads: { North: { mc: 'roads' } }
          }
        }
      }
    }
    const found = await station(t, { config })
    const saved = () => JSON.parse(found.file())
    t.notMatch((await found.ask(PATH)).text, /geheim|api_key/, 'secrets stay where they are')
    t.match((await found.ask(PATH)).body.areas, [{ drawn: false }, { name: 'Drawn', drawn: true }])

    await ask(found, { station: { name: 'New' }, place: { name: 'Cabin', lat: 5, lon: 6 } })
    t.same(saved().station, {
      name: 'New',
      units: 'imperial',
      anchors: [
        { name: 'Cabin', lat: 5, lon: 6, note: 'mine' },
        { name: 'Two', lat: 3, lon: 4 }
      ]
    })

    await ask(found, { area: { name: 'North', circle: { lat: 1, lon: 2, radius_km: 3 } } })
    t.same(saved().coverage.areas[0], { name: 'North', colour: 'red', circle: { lat: 1, lon: 2, radius_km: 3 } })
    t.same(saved().coverage.areas[1], config.coverage.areas[1])
    const drawn = await ask(found, { area: { name: 'Drawn', codes: ['ID'] } })
    t.equal(drawn.status, 409)
    t.match(drawn.body.detail, /Coverage/)

    await ask(found, { radios: { mt: { link: 'tcp', host: 'mast.local' }, mc: { link: 'simulated' } } })
    t.same(saved().radios, [
      { id: 'roof', network: 'mt', link: 'tcp', mast: 'high', host: 'mast.local' },
      { id: 'mc', network: 'mc', link: 'simulated' }
    ])
    await ask(found, { radios: { mt: null } })
    t.same(saved().radios, [{ id: 'mc', network: 'mc', link: 'simulated' }])

    await ask(found, { sources: { kinds: ['usgs', 'gdacs'] } })
    t.same(saved().sources, [
      config.sources[0],
      { kind: 'usgs', floor: 4, enabled: true },
      { kind: 'swpc', min_scale: 3, enabled: false },
      { kind: 'gdacs', enabled: true }
    ])

    await ask(found, { matrix: { region: 'North', families: ['weather', 'fire'], mt: 5, mc: null } })
    t.same(saved().notifications.region_routes, {
      enabled: true,
      cells: {
        fire: {
          Drawn: { mt: 2, mc: null, min_severity: 'routine', enabled: true },
          North: { mt: 5, fallback: true, note: 'x', mc: null, min_severity: 'routine', enabled: true }
        },
        weather: { North: { mt: 5, mc: null, min_severity: 'routine', enabled: true } }
      }
    })
    t.same(saved().future, { keep: true })
  }
)

t.test('what is wrong is refused with its place, and nothing is saved', async (t) => {
  const found = await station(t, { config: { coverage: { areas: [{ name: 'A', bbox: [0, 0, 1, 1] }] } } })
  const before = found.file()
  const area = { name: 'B', circle: { lat: 1, lon: 2, radius_km: 3 } }
  const column = { region: 'A', families: ['fire'], mt: 1, mc: null }
  const cases: [string, unknown, number, string][] = [
    ['nothing at all', {}, 422, ''],
    ['an unknown part', { secrets: {} }, 422, '/secrets'],
    ['a list', [], 422, ''],
    ['an empty name', { station: { name: ' ' } }, 422, '/station/name'],
    ['a zone nobody knows', { station: { timezone: 'Mars/Base' } }, 422, '/station/timezone'],
    ['a place beyond the pole', { place: { name: 'X', lat: 91, lon: 0 } }, 422, '/place/lat'],
    ['two shapes', { area: { ...area, codes: ['ID'] } }, 422, '/area'],
    ['no shape', { area: { name: 'B' } }, 422, '/area'],
    ['a code that is none', { area: { name: 'B', codes: ['Idaho'] } }, 422, '/area/codes/0'],
    ['a port that is a file', { radios: { mt: { link: 'serial', path: '/etc/passwd' } } }, 422, '/radios/mt/path'],
    ['an unknown link', { radios: { mt: { link: 'pigeon' } } }, 422, '/radios/mt/link'],
    ['a third network', { radios: { lw: null } }, 422, '/radios/lw'],
    ['a source that is not offered', { sources: { kinds: ['firms'] } }, 422, '/sources/kinds/0'],
    ['no channel', { matrix: { ...column, mt: null } }, 422, '/matrix'],
    ['no family', { matrix: { ...column, families: [] } }, 422, '/matrix/families'],
    ['an unknown family', { matrix: { ...column, families: ['dragons'] } }, 422, '/cells/dragons'],
    [
      'a name JavaScript keeps for itself',
      { matrix: { ...column, region: '__proto__' } },
      422,
      '/cells/fire/__proto__'
    ],
    ['channel 8', { matrix: { ...column, mt: 8 } }, 422, '/matrix/mt']
  ]
  for (const [name, body, status, path] of cases) {
    const answer = await ask(found, body)
    t.equal(answer.status, status, `${name}: ${answer.text}`)
    t.equal(answer.body.errors[0]?.path, path, name)
  }
  t.equal((await ask(found, { area }, { 'if-match': '"0000000000000000"' })).status, 412)
  t.equal((await ask(found, { area }, FROM_AFAR)).status, 401)
  t.equal((await ask(found, { area }, { origin: 'http://evil.example' })).status, 403)
  t.equal(found.file(), before)
  found.edit('{"broken"')
  t.equal((await ask(found, { area })).status, 409)
  t.equal(found.file(), '{"broken"')
})

t.test('ports are found by their names alone; a stable name stands for its port', async (t) => {
  const dev = t.testdir({ ttyACM0: '', ttyUSB0: '', ttyUSB12: '', ttyS0: '', ttyACMx: '', null: '' })
  t.same(await listSerialDevices(join(dev, 'nowhere')), [])
  t.same(
    (await listSerialDevices(dev)).map(({ path }) => path),
    ['ttyACM0', 'ttyUSB0', 'ttyUSB12'].map((name) => join(dev, name))
  )
  const byId = join(dev, 'serial', 'by-id')
  mkdirSync(byId, { recursive: true })
  symlinkSync('../../ttyACM0', join(byId, 'usb-Seeed_Wio_Tracker_E1-if00'))
  symlinkSync('../../ttyUSB0', join(byId, 'usb-Silicon_Labs_CP2102_0001-if00-port0'))
  symlinkSync('../../gone', join(byId, 'usb-Gone_1'))
  t.same(await listSerialDevices(dev), [
    { path: join(byId, 'usb-Gone_1'), name: 'Gone 1' },
    { path: join(byId, 'usb-Seeed_Wio_Tracker_E1-if00'), name: 'Seeed Wio Tracker E1' },
    { path: join(byId, 'usb-Silicon_Labs_CP2102_0001-if00-port0'), name: 'Silicon Labs CP2102 0001' },
    { path: join(dev, 'ttyUSB12'), name: '' }
  ])
  for (let nth = 20; nth < 100; nth++) writeFileSync(join(dev, `ttyUSB${nth}`), '')
  t.equal((await listSerialDevices(dev)).length, 50, 'a list without bounds helps nobody')
})

t.test('a port in use says by which radio', async (t) => {
  const found = await station(t, {
    config: { radios: [{ id: 'roof', network: 'mt', link: 'serial', path: '/dev/ttyUSB0' }] }
  })
  t.same((await found.ask('/api/radios/candidates')).body, {
    serial: [
      { path: '/dev/serial/by-id/usb-Maker_Radio_1-if00', name: 'Maker Radio 1', used_by: null },
      { path: '/dev/ttyUSB0', name: '', used_by: 'roof' }
    ]
  })
})

t.test('a drill goes the whole way of a warning, says DRILL, and is never in force', async (t) => {
  const areas = [{ name: 'Valley', circle: { lat: 43.52, lon: -114.31, radius_km: 40 } }]
  const found = await station(t, { config: { station: { name: 'Hailey' }, coverage: { region_tagging: true, areas } } })
  const drill = (body: unknown, headers: Record<string, string> = {}) =>
    found.ask({ path: '/api/drills', body, headers })
  const { status, body } = await drill({ region: 'Valley', family: 'weather' })
  t.equal(status, 202)
  t.match(body, { ok: true, source: 'drill', title: /^DRILL, no danger: Hailey/ })
  const event = (await found.ask(`/api/events/${body.id}?source=drill`)).body
  t.match(event, { severity: 'immediate', family: 'weather', category: 'drill', data: { drill: true } })
  t.ok(Date.parse(event.expires) - Date.parse(event.sent_at) <= 600_000, 'it ends by itself')
  t.same(found.context.ledger.active(found.context.now(), 10), [], 'not on the board, not in a broadcast')
  t.notMatch((await found.ask('/alerts')).text, /DRILL/)
  t.match((await found.ask('/events')).text, /<span class="demo">DRILL<\/span>/)
  t.equal((await drill({ region: 'Nowhere', family: 'weather' })).body.errors[0].path, '/region')
  t.equal((await drill({ region: 'Valley', family: 'dragons' })).body.errors[0].path, '/family')
  t.equal((await drill({ region: 'Valley', family: 'weather' }, FROM_AFAR)).status, 401)
})

t.test('a drill reaches every channel of its cell with DRILL before it, and holds back no real warning', async (t) => {
  const areas = [{ name: 'North', circle: { lat: 43.52, lon: -114.31, radius_km: 40 } }]
  const region_routes = { enabled: true, cells: { fire: { North: { mt: 1, mc: 'north', min_severity: 'priority' } } } }
  const made = await walk(t, {
    config: { coverage: { region_tagging: true, areas }, notifications: { coalesce_seconds: 0, region_routes } }
  })
  const drill = { id: 'd', source: 'drill', category: 'drill', severity: 'immediate', title: 'DRILL, no danger: X' }
  await made.post({ ...drill, data: { drill: true }, regions: [], lat: 43.6, lon: -114.3 })
  await made.run(60)
  t.equal(made.onAir().filter((text) => /^(mt:1|mc:north) .*DRILL/.test(text)).length, 2)
  await made.post({ id: 'f', severity: 'priority', title: 'Smoke', regions: [], lat: 43.6, lon: -114.3 })
  await made.run(60)
  t.equal(made.onAir().filter((text) => /Smoke/.test(text)).length, 2, 'the drill has armed no cooldown')
})

t.test('a port or an address is asked which radio is there; who may not write asks nobody', async (t) => {
  const asked: unknown[] = []
  let stopped = 0
  const probe = {
    ask: async (at: object) => {
      asked.push(at)
      return {
        network: 'mc' as const,
        node: 'Hill-1',
        firmware: 'v1.10.0',
        model: 'Heltec V3',
        channels: [{ id: 'valley', name: 'valley', enabled: true }],
        problem: because('not_started')
      }
    },
    stop: () => {
      stopped++
    }
  }
  const found = await station(t, { context: { probe } })
  const post = (body: unknown, headers = {}) => found.ask({ path: '/api/radios/probe', body, headers })
  t.match(await post({ host: '192.168.4.20', port: 5000 }), {
    status: 200,
    body: { network: 'mc', node: 'Hill-1', firmware: 'v1.10.0', model: 'Heltec V3', reason: String }
  })
  for (const body of [{}, { path: '/etc/passwd' }, { host: 'a b', port: 1 }, { host: 'a' }])
    t.equal((await post(body)).status, 422, JSON.stringify(body))
  t.equal((await post({ path: '/dev/ttyACM0' }, FROM_AFAR)).status, 401)
  t.same(asked, [{ host: '192.168.4.20', port: 5000 }])
  t.match(await found.ask({ path: '/api/radios/probe/stop', body: {} }), { status: 200, body: { ok: true } })
  t.equal(stopped, 1)
})
