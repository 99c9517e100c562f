import fc from 'fast-check'
import t from 'tap'
import { broadcastScopes } from '../../src/dashboard/editing/matrix-warnings.ts'
import type { RoutingData } from '../../src/dashboard/pages/routing/routing-view.ts'
import { note } from '../helpers/in-words.ts'
import { radio, station } from './harness.ts'

const ROUTING = '/api/notifications/region-routing'
const named = (...names: string[]) => names.map((name) => ({ name, bbox: [0, 0, 1, 1] }))

/** The data that the page gives its script. */
const dataOf = (page: string): RoutingData =>
  JSON.parse(/<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page)?.[1] ?? 'null')

t.test('the script gets what the API answers, of one moment, and both sides of the matrix', async (t) => {
  const cells = {
    fire: { North: { mt: 3, mc: '</script><b>', own: { kept: true } }, Gone: { mt: 1 } },
    weather: { North: {} }
  }
  const radios = [
    radio({ channels: [{ id: 3, name: 'Fire-Net', enabled: false }] }),
    radio({ id: 'b', network: 'mc', state: 'down', reason: note('no cable'), channels: [] })
  ]
  const config = {
    coverage: { areas: named('North', 'South', 'North') },
    families: { river: { label: 'River' } },
    notifications: { region_routes: { enabled: true, cells, note: 'mine' } }
  }
  const { ask, edit } = await station(t, { config, radios })
  for (const [path, side] of [
    ['/mesh-a/routing', 'mt'],
    ['/mesh-b/routing', 'mc']
  ] as const) {
    const page = (await ask(path)).text
    const data = dataOf(page)
    const api = await ask(ROUTING)
    t.same(data.matrix, api.body)
    t.equal(`"${data.revision}"`, api.headers.etag)
    t.same(data.regions, (await ask('/api/notifications/regions')).body)
    t.same(
      data.families.map(({ key }) => key),
      (await ask('/api/notifications/families')).body.families.map(({ key }: { key: string }) => key)
    )
    t.match(data, { side, demo: false, canWrite: true, broken: null, outside: {} })
    t.same(data.radios.mt?.channels, [{ id: 3, name: 'Fire-Net', enabled: false }])
    t.match(data.radios.mc, { state: 'down', reason: 'no cable' })
    t.notMatch(page, '</script><b>')
    t.match(page, /<script type="module" src="\/static\/pages\/routing\/script\.js">/)
  }
  edit('{ "oops"')
  t.match(dataOf((await ask('/mesh-a/routing')).text), { broken: /^config\.json:1: /, regions: ['North', 'South'] })
})

t.test('whoever may not save is told so, and without radios the page says that too', async (t) => {
  const { ask } = await station(t, { config: { http: { trusted_proxies: ['10.0.0.1'] } } })
  const page = (await ask('/mesh-a/routing')).text
  t.match(dataOf(page), {
    canWrite: false,
    radios: { mt: null, mc: null },
    matrix: { enabled: false, mt_enabled: true, mc_enabled: true, cells: {} }
  })
})

t.test('both switches of the networks are read on both sides, and what a network that is off means', async (t) => {
  const routes = { enabled: true, mc_enabled: false, cells: { fire: { North: { mt: 3, mc: 'north' } } } }
  const { ask } = await station(t, {
    config: { coverage: { areas: named('North') }, notifications: { region_routes: routes } }
  })
  for (const path of ['/mesh-a/routing', '/mesh-b/routing']) {
    const { text } = await ask(path)
    t.match(text, /<span class="switch">On for Meshtastic<\/span> <span class="switch">Off for MeshCore<\/span>/)
    t.match(text, /It sends nothing over MeshCore, and nothing else broadcasts there what a cell matches\./)
    t.match(text, /<em>off for MeshCore<\/em>/, 'each cell that names a channel there says it too')
  }
  const { text } = await ask({ path: '/mesh-a/routing', headers: { 'accept-language': 'de' } })
  t.match(text, /An für Meshtastic<\/span> .*Aus für MeshCore/)
})

t.test('the Meshtastic side says how immediate danger rings, how often it may and how often it did', async (t) => {
  const quiet = await station(t)
  t.match((await quiet.ask('/mesh-a/routing')).text, /It leaves as a text like any other, and rings nowhere\./)
  const mt_alert = { packet: 'instead', bell: true, per_day: 2 }
  const { ask } = await station(t, {
    config: { notifications: { mt_alert } },
    context: {
      deliveries: { ...quiet.context.deliveries, rang: () => [{ channel: '3', count: 1 }] }
    }
  })
  const { text } = await ask('/mesh-a/routing')
  t.match(text, /an app that does not know these shows nothing\./)
  t.match(text, /At most 2 messages of a channel ring in 24 hours/)
  t.match(text, /In the last 24 hours: Meshtastic 3: 1 of 2\./)
  t.notMatch((await ask('/mesh-b/routing')).text, /id="alarm"/, 'MeshCore has nothing like it')
})

t.test('each side counts the channels of its own network, and warns of no other', async (t) => {
  const regions = Array.from({ length: 9 }, (_, n) => `Valley ${n}`)
  const fire = Object.fromEntries(regions.map((name, n) => [name, { mt: n < 8 ? n : null, mc: n < 2 ? 'ops' : 'net' }]))
  const config = {
    coverage: { areas: named(...regions) },
    notifications: { region_routes: { enabled: true, cells: { fire } } }
  }
  const { ask } = await station(t, { config })
  const [mt, mc] = await Promise.all(['/mesh-a/routing', '/mesh-b/routing'].map(async (path) => (await ask(path)).text))
  t.match(mt, /id="channels-used">Meshtastic channels in use: 0, 1, 2, 3, 4, 5, 6, 7 \(8 of 7\)/)
  t.match(mt, 'data-code="mt_channels_exceeded"')
  t.match(mc, /id="channels-used">MeshCore channels in use: net, ops \(2\)/)
  t.notMatch(mc, /Meshtastic channels in use|data-code="mt_channels_exceeded"/)
})

t.test('the page reads in the language of the reader', async (t) => {
  const { ask } = await station(t, { config: { coverage: { areas: named('North') } } })
  const { text } = await ask({ path: '/mesh-a/routing', headers: { 'accept-language': 'de' } })
  t.match(text, /Die Matrix ist aus/)
  t.match(text, /<th scope="col">Familie<\/th>/)
})

t.test(
  'what else broadcasts the events of a family: its policy, and rules that take one of its categories',
  async (t) => {
    const { context, edit } = await station(t)
    const scopes = async (notifications: object, family = 'fire') => {
      edit(JSON.stringify({ families: { river: {} }, notifications }))
      await context.config.refresh()
      return broadcastScopes(context.config.current(), family)
    }
    const rule = (patch: object) => ({ rules: [{ delivery_type: 'mesh_broadcast', ...patch }] })
    const cases: [string, object, string[][]][] = [
      ['nothing', {}, []],
      ['a policy', { toggles: { fire: { enabled: true } } }, [[]]],
      ['a policy that is off', { toggles: { fire: { enabled: false } } }, []],
      ['a policy of some regions', { toggles: { fire: { enabled: true, regions: ['South'] } } }, [['South']]],
      ['a policy that mails', { toggles: { fire: { enabled: true, severity_channels: { priority: ['email'] } } } }, []],
      [
        'a policy whose destination broadcasts',
        {
          toggles: { fire: { enabled: true, severity_channels: {}, destinations: ['ops'] } },
          destinations: { ops: { type: 'meshcore_broadcast' } }
        },
        [[]]
      ],
      [
        'destinations take the place of what stands beside them',
        {
          toggles: { fire: { enabled: true, destinations: ['ops', 'nobody'] } },
          destinations: { ops: { type: 'ntfy' } }
        },
        []
      ],
      ['a policy of another family', { toggles: { weather: { enabled: true } } }, []],
      ['a rule for everything', rule({}), [[]]],
      ['a rule of a region', rule({ region_scope: ['East', 'West'] }), [['East', 'West']]],
      ['a rule for one of its categories', rule({ categories: ['river_high', 'wildfire_growth'] }), [[]]],
      ['a rule for categories of others', rule({ categories: ['river_high'] }), []],
      ['a rule that is off', rule({ enabled: false }), []],
      ['a rule on a schedule', rule({ trigger_type: 'schedule' }), []],
      ['a rule that writes to nodes', rule({ delivery_type: 'mesh_dm' }), []]
    ]
    for (const [name, notifications, want] of cases) t.same(await scopes(notifications), want, name)
    t.same(await scopes(rule({ categories: ['river_high'] }), 'river'), [[]], 'a family of the configuration')
  }
)

interface Cell {
  mt: number | null
  mc: string | null
  min_severity: string
  enabled: boolean
  [own: string]: unknown
}
type Cells = Map<string, Cell>
interface Row {
  key: string
  kind: 'here' | 'there' | 'same' | 'conflict'
}
interface Switches {
  enabled: boolean
  mt_enabled: boolean
  mc_enabled: boolean
}
interface Model {
  keyOf: (family: string, region: string) => string
  placeOf: (key: string) => { family: string; region: string }
  cellsOf: (matrix: object) => Cells
  matrixOf: (switches: Switches, cells: Iterable<[string, Cell | null]>) => Switches & { cells: object }
  switchesOf: (matrix: object) => Switches
  mergedSwitches: (base: Switches, here: Switches, there: Switches) => Switches
  sameCell: (a: Cell | null, b: Cell | null) => boolean
  carried: (source: Cell | null, target: Cell | null, side: 'mt' | 'mc') => Cell | null
  cleared: (cell: Cell | null, side: 'mt' | 'mc') => Cell | null
  readMcName: (text: string) => { name: string | null; bytes: number; tooLong: boolean }
  changesOf: (before: Cells, after: Cells) => { key: string }[]
  compare: (base: Cells, here: Cells, there: Cells) => Row[]
  merged: (there: Cells, rows: Row[], choices: Map<string, 'here' | 'there'>) => Cells
  mtChannelsOf: (cells: Iterable<Cell | null>) => number[]
  modeOf: (cell: Cell) => 'on' | 'off' | 'muted'
  withMode: (cell: Cell, mode: 'on' | 'off' | 'muted') => Cell
}
const model: Model = await import(new URL('../../web/shared/matrix-model.js', import.meta.url).href)

const anyCell = fc.record({
  mt: fc.option(fc.integer({ min: 0, max: 7 })),
  mc: fc.constantFrom('wx', 'fire', null),
  min_severity: fc.constantFrom('routine', 'critical'),
  enabled: fc.boolean()
}) as fc.Arbitrary<Cell>
const filled = anyCell.filter(({ mt, mc }) => mt !== null || mc !== null)
const anyKey = fc
  .tuple(fc.constantFrom('fire', 'a b'), fc.constantFrom('North', 'ö/~', '7'))
  .map(([f, r]) => model.keyOf(f, r))
const anyCells = fc.uniqueArray(fc.tuple(anyKey, filled), { selector: ([key]) => key }).map((pairs) => new Map(pairs))
const asJson = (cells: Cells) => [...cells].sort(([a], [b]) => (a < b ? -1 : 1))

const anySwitches = fc.record({ enabled: fc.boolean(), mt_enabled: fc.boolean(), mc_enabled: fc.boolean() })

t.test('a matrix comes back from the editor as it went in; cells without a channel never leave it', async (t) => {
  fc.assert(
    fc.property(anyCells, anySwitches, (cells, switches) => {
      const matrix = model.matrixOf(switches, cells)
      t.same(model.switchesOf(matrix), switches)
      t.same(asJson(model.cellsOf(matrix)), asJson(cells))
      const empty: [string, Cell][] = [
        [model.keyOf('fire', 'Empty'), { mt: null, mc: null, min_severity: 'routine', enabled: true }]
      ]
      t.same(model.matrixOf(switches, [...cells, ...empty]), matrix)
    })
  )
  t.same(model.placeOf(model.keyOf('fire', 'No\u0000rth')), { family: 'fire', region: 'No\u0000rth' })
})

t.test('a merge keeps what only one side changed, takes what was chosen, and invents nothing', async (t) => {
  fc.assert(
    fc.property(
      anyCells,
      anyCells,
      anyCells,
      fc.constantFrom('here' as const, 'there' as const),
      (base, here, there, choice) => {
        const rows = model.compare(base, here, there)
        const choices = new Map(rows.map(({ key }) => [key, choice]))
        const result = model.merged(there, rows, choices)
        const same = (a: Cells, b: Cells, key: string) => model.sameCell(a.get(key) ?? null, b.get(key) ?? null)
        for (const key of new Set([...base.keys(), ...here.keys(), ...there.keys(), ...result.keys()])) {
          if (same(base, here, key)) t.ok(same(result, there, key), 'not changed here: as there')
          else if (same(base, there, key)) t.ok(same(result, here, key), 'not changed there: as here')
          else t.ok(same(result, choice === 'here' ? here : there, key), 'changed on both sides: as chosen')
        }
        const conflicts = rows.filter(({ kind }) => kind === 'conflict')
        for (const { key } of conflicts) t.notOk(same(here, there, key))
      }
    )
  )
})

t.test(
  'a merge keeps each switch that was turned on one side only; a matrix without those of networks has them on',
  async (t) => {
    fc.assert(
      fc.property(anySwitches, anySwitches, anySwitches, (base, here, there) => {
        const result = model.mergedSwitches(base, here, there)
        for (const name of ['enabled', 'mt_enabled', 'mc_enabled'] as const) {
          const turnedHere = here[name] !== base[name]
          t.equal(result[name], turnedHere ? here[name] : there[name])
        }
      })
    )
    t.same(model.switchesOf({ enabled: false }), { enabled: false, mt_enabled: true, mc_enabled: true })
  }
)

t.test(
  'what is copied onto a cell: the five fields, never the MT channel on the MC page, never keys of its own',
  async (t) => {
    const cell = (patch: object): Cell => ({ mt: null, mc: null, min_severity: 'routine', enabled: true, ...patch })
    const source = cell({ mt: 0, mc: 'wx', min_severity: 'critical', enabled: false, fallback: true, own: 1 })
    const target = cell({ mt: 5, mc: 'old', kept: 2, fallback: 'mc_first' })
    t.same(
      model.carried(source, target, 'mt'),
      cell({ mt: 0, mc: 'wx', min_severity: 'critical', enabled: false, kept: 2, fallback: true })
    )
    t.same(
      model.carried(source, target, 'mc'),
      cell({ mt: 5, mc: 'wx', min_severity: 'critical', enabled: false, kept: 2, fallback: true })
    )
    t.same(model.carried(cell({ mt: 1 }), target, 'mt'), cell({ mt: 1, kept: 2 }))
    t.same(model.carried(cell({ mt: 1 }), null, 'mc'), null, 'nothing of it belongs to MC')
    t.same(model.carried(null, target, 'mt'), null)
    t.same(model.cleared(target, 'mc'), { ...target, mc: null })
    t.same(model.cleared(cell({ mc: 'x' }), 'mc'), null)
    t.same(model.cleared(target, 'mt'), null)
  }
)

t.test('an MC name is trimmed and has 1 to 31 bytes; channels in use are counted once, 0 among them', async (t) => {
  t.same(model.readMcName('  wx '), { name: 'wx', bytes: 2, tooLong: false })
  t.same(model.readMcName('   '), { name: null, bytes: 0, tooLong: false })
  t.equal(model.readMcName('x'.repeat(31)).tooLong, false)
  t.equal(model.readMcName('ä'.repeat(16)).tooLong, true)
  const cell = (mt: number | null): Cell => ({ mt, mc: 'x', min_severity: 'routine', enabled: true })
  t.same(model.mtChannelsOf([cell(3), null, cell(0), cell(null), cell(3)]), [0, 3])
})

t.test('the editor turns a cell on, off and mute without leaving anything behind', async (t) => {
  const cell = { mt: 3, mc: null, min_severity: 'routine' as const, enabled: true }
  const muted = model.withMode(cell, 'muted')
  t.same(muted, { ...cell, enabled: false, mute: true })
  t.equal(model.modeOf(muted), 'muted')
  t.same(model.withMode(muted, 'on'), cell)
  t.same(model.withMode(muted, 'off'), { ...cell, enabled: false })
})
