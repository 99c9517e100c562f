import { createHash } from 'node:crypto'
import t from 'tap'
import { canonicalJson } from '../../src/platform/bytes/canonical-json.ts'
import { fire, launch, queue, station } from './harness.ts'

const ROUTING = '/api/notifications/region-routing'
const named = (...names: (string | null)[]) =>
  names.map((name) => ({ name, west: -117, south: 42, east: -111, north: 49 }))
const cell = (patch: object = {}) => ({ mt: 3, mc: 'north-fire', min_severity: 'routine', enabled: true, ...patch })

t.test(
  'the regions are the names of the saved areas: in order, once, and new by the next request after an edit by hand',
  async (t) => {
    const { ask, edit } = await station(t, { config: { coverage: { areas: named('North', null, 'South', 'North') } } })
    t.same((await ask('/api/notifications/regions')).body, ['North', 'South'])
    edit(JSON.stringify({ coverage: { areas: named('West') } }))
    t.same((await ask('/api/notifications/regions')).body, ['West'])
    edit('{ "coverage": ')
    t.same((await ask('/api/notifications/regions')).body, ['West'], 'a broken file: the last good copy answers')
    t.match((await ask('/api/status')).body, { stale_config: true, config_problem: { code: 'syntax', line: 1 } })
  }
)

t.test('the families are the ten of the contract and those of the configuration', async (t) => {
  const { ask } = await station(t, { config: { families: { river: { label: 'River' } } } })
  const { families } = (await ask('/api/notifications/families')).body
  t.equal(families.length, 11)
  t.match(families.at(-1), { key: 'river', label: 'River', dynamic: true })
})

t.test('a fresh station has an empty matrix that is off', async (t) => {
  const { ask } = await station(t)
  t.same((await ask(ROUTING)).body, { enabled: false, mt_enabled: true, mc_enabled: true, cells: {} })
})

t.test('what was posted is stored, served and told, with the revision of exactly that document', async (t) => {
  const { ask, file } = await station(t, { config: { coverage: { areas: named('North') } } })
  const posted = {
    enabled: true,
    cells: { fire: { North: { mt: 0, mc: '  north-fire ' } }, weather: { North: { mt: null, mc: null } } }
  }
  const stored = {
    enabled: true,
    cells: { fire: { North: { mt: 0, mc: 'north-fire', min_severity: 'routine', enabled: true } } }
  }
  const want = { ...stored, mt_enabled: true, mc_enabled: true }
  const answer = await ask({ path: ROUTING, body: posted })
  t.equal(answer.status, 200)
  t.same({ ...answer.body, revision: '' }, { ok: true, saved: want, warnings: [], revision: '' })
  t.same(JSON.parse(file()).notifications.region_routes, stored)
  const read = await ask(ROUTING)
  t.same(read.body, want)
  const revision = createHash('sha256').update(canonicalJson(read.body)).digest('hex').slice(0, 16)
  t.equal(answer.body.revision, revision)
  t.equal(read.headers.etag, `"${revision}"`)
  t.equal((await ask({ path: ROUTING, headers: { 'if-none-match': `"${revision}"` } })).status, 304)
})

t.test('the switch of a network is saved and told to everybody; one that is left out of the body stays', async (t) => {
  const config = { http: { trusted_proxies: ['10.0.0.1'] } }
  const { ask, file } = await station(t, { config: { coverage: { areas: named('North') } } })
  const cells = { fire: { North: cell() } }
  const routes = () => JSON.parse(file()).notifications.region_routes
  const off = await ask({ path: ROUTING, body: { enabled: true, mc_enabled: false, cells } })
  t.match(off.body, { saved: { enabled: true, mt_enabled: true, mc_enabled: false }, warnings: [] })
  t.same(routes(), { enabled: true, mc_enabled: false, cells })
  const older = await ask({ path: ROUTING, body: { enabled: true, cells } })
  t.match(older.body.saved, { mt_enabled: true, mc_enabled: false }, 'a program that does not know of it leaves it')
  const on = await ask({ path: ROUTING, body: { enabled: true, mt_enabled: true, mc_enabled: true, cells } })
  t.not(on.body.revision, older.body.revision)
  t.same(routes(), { enabled: true, cells })
  const bad = await ask({ path: ROUTING, body: { enabled: true, mt_enabled: 'yes', cells } })
  t.match(bad, { status: 422, body: { errors: [{ path: '/mt_enabled' }] } })
  const notifications = { region_routes: { enabled: true, mt_enabled: false, cells } }
  const guest = await station(t, { config: { ...config, notifications } })
  t.match(await guest.ask(ROUTING), { status: 200, body: { enabled: true, mt_enabled: false, mc_enabled: true } })
  t.match((await guest.ask('/api/status')).body, {
    matrix_enabled: true,
    matrix_mt_enabled: false,
    matrix_mc_enabled: true
  })
})

t.test(
  'a muted cell survives the round trip; a mute that is not set is not stored; both have one revision',
  async (t) => {
    const { ask, file } = await station(t, { config: { coverage: { areas: named('North', 'South') } } })
    const cells = { fire: { North: cell({ enabled: false, mute: true }), South: cell({ mute: false }) } }
    const answer = await ask({ path: ROUTING, body: { enabled: true, cells } })
    t.same(answer.body.saved.cells, { fire: { North: cell({ enabled: false, mute: true }), South: cell() } })
    t.same(JSON.parse(file()).notifications.region_routes.cells, answer.body.saved.cells)
    t.same(answer.body.warnings, [])
    const again = await ask({ path: ROUTING, body: { enabled: true, cells: answer.body.saved.cells } })
    t.equal(again.body.revision, answer.body.revision)
    const bad = await ask({ path: ROUTING, body: { enabled: true, cells: { fire: { North: cell({ mute: 'yes' }) } } } })
    t.match(bad, { status: 422, body: { errors: [{ path: '/cells/fire/North/mute' }] } })
  }
)

t.test(
  'what would be broadcast all the same is warned of for a cell that is off, not for one that is muted',
  async (t) => {
    const toggles = { fire: { enabled: true, broadcast_channel: 6 } }
    const config = { coverage: { areas: named('North') }, notifications: { toggles } }
    const { ask } = await station(t, { config })
    const post = async (patch: object) =>
      (await ask({ path: ROUTING, body: { enabled: true, cells: { fire: { North: cell(patch) } } } })).body.warnings
    t.match(await post({ enabled: false }), [{ code: 'disabled_cell_falls_through' }])
    t.same(await post({ enabled: false, mute: true }), [])
  }
)

t.test('saving the matrix touches nothing else: values, key order and unknown keys of the rest stay', async (t) => {
  const text = `{
  "zeta": {"later": 1, "1": "one"},
  "notifications": {
    "rules": [{"name": "r", "own": true}],
    "toggles": {"weather": {"enabled": true, "mystery": [1, 2]}},
    "region_routes": {"note": "mine", "enabled": false, "cells": {"gone": {"Nowhere": {"mt": 1}}}},
    "destinations": {"ops": {"type": "ntfy", "extra": null}}
  },
  "station": {"name": "S"}
}
`
  const { ask, file } = await station(t, { text })
  const before = JSON.parse(text)
  const answer = await ask({ path: ROUTING, body: { enabled: true, cells: { fire: { North: cell() } } } })
  t.equal(answer.status, 200)
  const after = JSON.parse(file())
  t.same(after.notifications.region_routes, { note: 'mine', enabled: true, cells: { fire: { North: cell() } } })
  after.notifications.region_routes = before.notifications.region_routes
  t.equal(JSON.stringify(after), JSON.stringify(before))
})

t.test('If-Match: a stale revision is 412 and changes nothing; the present one, several, or * are taken', async (t) => {
  const { ask, file } = await station(t)
  const body = (mt: number) => ({ enabled: true, cells: { fire: { North: cell({ mt }) } } })
  const first = (await ask({ path: ROUTING, body: body(1) })).body.revision
  const second = (await ask({ path: ROUTING, body: body(2), headers: { 'if-match': `"${first}"` } })).body.revision
  const before = file()
  const refused = await ask({ path: ROUTING, body: body(3), headers: { 'if-match': `"${first}"` } })
  t.equal(refused.status, 412)
  t.match(refused.body, { title: 'Precondition Failed', error: new RegExp(second) })
  t.equal(file(), before)
  t.equal((await ask({ path: ROUTING, body: body(3), headers: { 'if-match': `"${first}", "${second}"` } })).status, 200)
  t.equal((await ask({ path: ROUTING, body: body(4), headers: { 'if-match': '*' } })).status, 200)
})

t.test('orphans are kept and reported: a region without an area, a family that is no more', async (t) => {
  const config = {
    coverage: { areas: named('North') },
    notifications: { region_routes: { enabled: true, cells: { river: { North: cell() } } } }
  }
  const { ask, file } = await station(t, { config })
  const cells = { river: { North: cell() }, fire: { Lost: cell(), North: cell() }, roads: { Lost: cell() } }
  const answer = await ask({ path: ROUTING, body: { enabled: true, cells } })
  t.equal(answer.status, 200)
  t.match(answer.body.warnings, [
    { code: 'orphan_region', region: 'Lost', paths: ['/cells/fire/Lost', '/cells/roads/Lost'] },
    { code: 'orphan_family', family: 'river', paths: ['/cells/river'] }
  ])
  t.same(Object.keys(JSON.parse(file()).notifications.region_routes.cells), ['river', 'fire', 'roads'])
  const unknown = await ask({ path: ROUTING, body: { enabled: true, cells: { lava: { North: cell() } } } })
  t.equal(unknown.status, 422)
  t.match(unknown.body.errors, [{ path: '/cells/lava', code: 'choice', message: /unknown family "lava"/ }])
})

t.test('eight MT channels in use are a warning, seven are not, and it never blocks saving', async (t) => {
  const { ask } = await station(t, { config: { coverage: { areas: named(...'ABCDEFGH') } } })
  const row = (count: number) =>
    Object.fromEntries([...'ABCDEFGH'].slice(0, count).map((name, mt) => [name, cell({ mt })]))
  t.same((await ask({ path: ROUTING, body: { enabled: true, cells: { fire: row(7) } } })).body.warnings, [])
  const { status, body } = await ask({ path: ROUTING, body: { enabled: true, cells: { fire: row(8) } } })
  t.equal(status, 200)
  t.match(body.warnings, [{ code: 'mt_channels_exceeded', channels: [0, 1, 2, 3, 4, 5, 6, 7] }])
})

t.test('unknown keys of a cell are kept and reported; those beside the cells are ignored and reported', async (t) => {
  const { ask, file } = await station(t, { config: { coverage: { areas: named('North') } } })
  const body = { enabled: true, cells: { fire: { North: cell({ color: 'red' }) } }, revision: 'x' }
  const answer = await ask({ path: ROUTING, body })
  t.match(answer.body.warnings, [
    { code: 'unknown_key', paths: ['/cells/fire/North/color'] },
    { code: 'unknown_key', paths: ['/revision'] }
  ])
  t.same(JSON.parse(file()).notifications.region_routes, {
    enabled: true,
    cells: { fire: { North: cell({ color: 'red' }) } }
  })
})

t.test('a disabled cell whose family would broadcast all the same is reported', async (t) => {
  const toggles = {
    fire: { enabled: true },
    roads: { enabled: true, severity_channels: { priority: ['email'] } },
    weather: { enabled: true, regions: ['South'] }
  }
  const { ask } = await station(t, { config: { coverage: { areas: named('North') }, notifications: { toggles } } })
  const off = { North: cell({ enabled: false }) }
  const cells = { fire: off, roads: off, weather: off, seismic: off }
  const { body } = await ask({ path: ROUTING, body: { enabled: true, cells } })
  t.match(body.warnings, [{ code: 'disabled_cell_falls_through', family: 'fire', region: 'North' }])
  t.equal(body.warnings.length, 1)
  t.same(
    (await ask({ path: ROUTING, body: { enabled: false, cells } })).body.warnings,
    [],
    'the matrix is off: nothing falls through it'
  )
})

t.test(
  'while the file on disk is invalid, reading goes on and saving is 409 with line and path; the file stays as it is',
  async (t) => {
    const { ask, edit, file } = await station(t, {
      config: { notifications: { region_routes: { enabled: true, cells: { fire: { North: cell() } } } } }
    })
    const broken = '{\n  "notifications": { "region_routes": { "enabled": "yes" } }\n}'
    edit(broken)
    t.same((await ask(ROUTING)).body.cells, { fire: { North: cell() } })
    const answer = await ask({ path: ROUTING, body: { enabled: false, cells: {} } })
    t.equal(answer.status, 409)
    t.match(answer.body, { errors: [{ path: '/notifications/region_routes/enabled' }], detail: /config\.json:2:/ })
    t.equal(file(), broken)
  }
)

t.test('an empty MC name is no channel, as a form that leaves it empty means', async (t) => {
  const { ask } = await station(t)
  const cells = { fire: { North: { mt: 1, mc: '' }, South: { mt: null, mc: '  ' } } }
  const answer = await ask({ path: ROUTING, body: { enabled: true, cells } })
  t.match(answer, { status: 200, body: { ok: true, saved: { cells: { fire: { North: { mt: 1, mc: null } } } } } })
  t.notOk('South' in answer.body.saved.cells.fire, 'a cell with neither channel is not stored')
  t.match(await ask({ path: ROUTING }), { body: { cells: { fire: { North: { mc: null } } } } })
})

t.test('whatever is wrong with a matrix is 422 with the pointer to it, and the stored one stays', async (t) => {
  const { ask, file } = await station(t, {
    config: { notifications: { region_routes: { enabled: true, cells: { fire: { North: cell() } } } } }
  })
  const before = file()
  const at = (patch: object) => ({ enabled: true, cells: { fire: { 'North/West': cell(patch) } } })
  const cases: [string, unknown, string][] = [
    ['an empty object', {}, '/enabled'],
    ['cells missing', { enabled: true }, '/cells'],
    ['enabled missing', { cells: {} }, '/enabled'],
    ['enabled as text', { enabled: 'true', cells: {} }, '/enabled'],
    ['cells as a list', { enabled: true, cells: [] }, '/cells'],
    ['cells as null', { enabled: true, cells: null }, '/cells'],
    ['a family as a list', { enabled: true, cells: { fire: [] } }, '/cells/fire'],
    ['a cell as a number', { enabled: true, cells: { fire: { North: 3 } } }, '/cells/fire/North'],
    ['an empty region name', { enabled: true, cells: { fire: { '': cell() } } }, '/cells/fire/'],
    ['mt 8', at({ mt: 8 }), '/cells/fire/North~1West/mt'],
    ['mt -1', at({ mt: -1 }), '/cells/fire/North~1West/mt'],
    ['mt 1.5', at({ mt: 1.5 }), '/cells/fire/North~1West/mt'],
    ['mt as text', at({ mt: '3' }), '/cells/fire/North~1West/mt'],
    ['mt as true', at({ mt: true }), '/cells/fire/North~1West/mt'],
    ['mc of 32 bytes', at({ mc: 'x'.repeat(32) }), '/cells/fire/North~1West/mc'],
    ['mc of 40 bytes in 20 letters', at({ mc: 'ä'.repeat(20) }), '/cells/fire/North~1West/mc'],
    ['an unknown severity', at({ min_severity: 'urgent' }), '/cells/fire/North~1West/min_severity'],
    ['enabled as null', at({ enabled: null }), '/cells/fire/North~1West/enabled'],
    ['an unknown family', { enabled: true, cells: { lava: {} } }, '/cells/lava'],
    ['a list', [], ''],
    ['a text', 'matrix', ''],
    ['null', null, '']
  ]
  for (const [name, body, path] of cases) {
    const answer = await ask({ path: ROUTING, body })
    t.equal(answer.status, 422, name)
    t.ok(
      answer.body.errors.some((issue: { path: string }) => issue.path === path),
      `${name}: ${JSON.stringify(answer.body.errors)}`
    )
  }
  for (const name of ['__proto__', 'constructor']) {
    const raw = `{"enabled": true, "cells": {"fire": {"${name}": {"mt": 1}}}}`
    const answer = await ask({ path: ROUTING, raw, headers: { 'content-type': 'application/json' } })
    t.match([answer.status, answer.body.errors[0].path], [422, `/cells/fire/${name}`])
  }
  t.equal((await ask({ method: 'POST', path: ROUTING })).status, 422, 'no body at all')
  t.equal(file(), before)
})

t.test(
  'explain takes an event and, if asked, a matrix that is not saved; back-test takes a matrix and a span',
  async (t) => {
    const { ask, file } = await station(t)
    const before = file()
    const matrix = { enabled: true, cells: {} }
    t.match((await ask({ path: `${ROUTING}/explain`, body: { event: fire } })).body, {
      outcome: 'send',
      reason: 'stored matrix',
      event: { id: 'f1' }
    })
    t.match((await ask({ path: `${ROUTING}/explain`, body: { event: fire, matrix } })).body, {
      reason: 'unsaved matrix'
    })
    const span = { since: '2026-06-30T00:00:00Z', until: '2026-07-01T02:00:00+02:00' }
    t.match((await ask({ path: `${ROUTING}/backtest`, body: { matrix, ...span } })).body, {
      since: '2026-06-30T00:00:00.000Z',
      until: '2026-07-01T00:00:00.000Z'
    })
    const cases: [string, unknown, string][] = [
      ['explain', { event: { ...fire, severity: 'urgent' } }, '/event/severity'],
      ['explain', { event: { ...fire, family: 'lava' } }, '/event/family'],
      ['explain', {}, '/event'],
      ['explain', { event: fire, matrix: { enabled: true } }, '/matrix/cells'],
      ['backtest', { since: span.since }, '/matrix'],
      ['backtest', { matrix, since: 'yesterday' }, '/since'],
      ['backtest', { matrix, since: span.until, until: span.since }, '/until']
    ]
    for (const [route, body, path] of cases) {
      const answer = await ask({ path: `${ROUTING}/${route}`, body })
      t.equal(answer.status, 422, `${route} ${path}`)
      t.ok(
        answer.body.errors.some((issue: { path: string }) => issue.path === path),
        `${route} ${path}: ${JSON.stringify(answer.body.errors)}`
      )
    }
    t.equal(file(), before)
  }
)

t.test('the week of a cell: the messages that left by it and their airtime, simulated ones apart', async (t) => {
  const s = await station(t)
  await s.ask({ path: '/api/events', body: [1, 2, 3, 4].map((n) => ({ ...fire, id: `f${n}` })) })
  const ten = '0123456789'
  launch(s.outbox, queue(s, 1), ten, { simulated: false })
  launch(s.outbox, queue(s, 2, { regions: ['North'] }), ten)
  launch(s.outbox, queue(s, 3, { path: 'toggle' }), ten, { simulated: false })
  queue(s, 4)
  const { body } = await s.ask(`${ROUTING}/week`)
  t.same(body, {
    since: '2026-06-24T12:00:00.000Z',
    complete: true,
    cells: [
      { family: 'fire', region: 'North', messages: 1, simulated: 1, airtime_seconds: 1 },
      { family: 'fire', region: 'South', messages: 1, simulated: 0, airtime_seconds: 1 }
    ]
  })
})
