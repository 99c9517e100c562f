import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { FIRE } from '../helpers/fire.ts'
import { ndjson, run } from '../helpers/process.ts'

const AREAS = [
  { name: 'North', bbox: [-115, 44, -113, 45] },
  { name: 'Everywhere', bbox: [-180, -90, 180, 90] },
  { name: null, bbox: [-115, 44, -113, 45] },
  { name: 'Counties', codes: ['IDC013'] }
]
const CONFIG = {
  coverage: { enabled: true, region_tagging: true, areas: AREAS },
  notifications: {
    coalesce_seconds: 0,
    region_routes: { enabled: true, cells: { fire: { North: { mt: 3, mc: 'north' } } } }
  }
}

const point = (id: string, lon: number, lat: number) => ({ id, source: 'test', family: 'fire', title: id, lat, lon })
const lines = (...values: unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')

t.test('tag stamps line by line in the order of the input and writes nothing but NDJSON to stdout', async (t) => {
  const cwd = t.testdir({
    'areas.json': JSON.stringify(AREAS),
    'config.json': JSON.stringify({ coverage: { region_tagging: false, areas: AREAS } }),
    'zones.json': JSON.stringify({
      XXZ001: {
        type: 'Polygon',
        coordinates: [
          [
            [-114.5, 44.2],
            [-114, 44.2],
            [-114, 44.6],
            [-114.5, 44.2]
          ]
        ]
      }
    })
  })
  const feature = { type: 'Feature', id: 'f', geometry: { type: 'Point', coordinates: [-114, 44.5] }, properties: {} }
  const input = lines(point('a', -114, 44.5), point('b', 10, 10), feature, {
    ...point('c', 0, 0),
    zones: ['IDC013'],
    lat: null,
    lon: null
  })
  const plain = await run(t, ['tag', '--areas', 'areas.json'], { cwd, stdin: input })
  t.equal(plain.code, 0)
  t.equal(plain.stderr, '')
  t.same(ndjson(plain.stdout), [
    { id: 'a', region: 'North', regions: ['North', 'Everywhere'] },
    { id: 'b', region: 'Everywhere', regions: ['Everywhere'] },
    { id: 'f', region: 'North', regions: ['North', 'Everywhere'] },
    { id: 'c', region: 'Everywhere', regions: ['Everywhere', 'Counties'] }
  ])

  const many = Array.from({ length: 300 }, (_, index) => point(`p${index}`, -114 + (index % 3) * 60, 44.5))
  const order = await run(t, ['tag', '--areas', 'config.json'], { cwd, stdin: lines(...many) })
  t.same(
    ndjson(order.stdout).map(({ id }) => id),
    many.map(({ id }) => id),
    'the order is kept, a configuration does as well'
  )

  const collection = JSON.stringify(
    { type: 'FeatureCollection', features: [feature, { ...feature, id: 'g' }] },
    null,
    2
  )
  const taken = await run(t, ['tag', '--areas', 'areas.json'], { cwd, stdin: collection })
  t.same(
    [taken.code, ndjson(taken.stdout).map(({ id }) => id)],
    [0, ['f', 'g']],
    'a FeatureCollection over many lines is taken apart'
  )

  const preset = await run(t, ['tag', '--areas', 'areas.json'], {
    cwd,
    stdin: lines({ ...point('s', -114, 44.5), regions: ['Pass'] })
  })
  t.same(ndjson(preset.stdout), [{ id: 's', region: 'Pass', regions: ['Pass'] }], 'preset regions stay')

  const zoned = { ...point('z', 0, 0), lat: null, lon: null, zones: ['XXZ001'] }
  const known = await run(t, ['tag', '--areas', 'areas.json', '--zones', 'zones.json'], { cwd, stdin: lines(zoned) })
  t.same(
    ndjson(known.stdout),
    [{ id: 'z', region: 'North', regions: ['North', 'Everywhere'] }],
    'a zone of the file has its shape'
  )
  const unknown = await run(t, ['tag', '--areas', 'areas.json'], { cwd, stdin: lines(zoned) })
  t.same(ndjson(unknown.stdout), [{ id: 'z', region: null, regions: [] }], 'an unknown zone lies nowhere')

  const empty = await run(t, ['tag', '--areas', 'areas.json'], { cwd })
  t.same([empty.code, empty.stdout], [0, ''])
})

t.test('a line that is no event is told with its number, the others are tagged, and tag exits 1', async (t) => {
  const cwd = t.testdir({ 'areas.json': JSON.stringify(AREAS) })
  const stdin = `${lines(point('a', -114, 44.5))}{"id": \n\n42\n${lines(point('b', 10, 10))}`
  const { code, stdout, stderr } = await run(t, ['tag', '--areas', 'areas.json'], { cwd, stdin })
  t.equal(code, 1)
  t.same(
    ndjson(stdout).map(({ id }) => id),
    ['a', 'b']
  )
  t.match(stderr, /line 2: not JSON/)
  t.match(stderr, /line 4: /)
  const first = await run(t, ['tag', '--areas', 'areas.json'], {
    cwd,
    stdin: `{"id": oops\n${lines(point('a', -114, 44.5))}`
  })
  t.same([first.code, ndjson(first.stdout).map(({ id }) => id)], [1, ['a']], 'a bad first line does not hide the rest')
  t.match(first.stderr, /line 1: not JSON/)
})

t.test('explain shows every stage, cell and text without storing anything', async (t) => {
  const cwd = t.testdir({ 'config.json': JSON.stringify(CONFIG), 'fire.json': JSON.stringify(FIRE) })
  const { code, stdout, stderr } = await run(t, ['explain', '--event', 'fire.json', '--config', 'config.json'], { cwd })
  t.same([code, stderr], [0, ''])
  const told = JSON.parse(stdout)
  t.match(told, {
    outcome: 'send',
    messages: [
      { state: 'planned', blocked: null },
      { state: 'planned', blocked: null }
    ]
  })
  t.notMatch(stdout, /radio_down/, 'no radio is down of which nothing is known here')
  t.match(stdout, /mt:3/)
  t.match(stdout, /mc:north/)
  t.match(stdout, /Galena/, 'the text is shown')
  t.throws(() => readFileSync(join(cwd, 'data', 'lookout.db')), 'no data folder was made')
  const late = await run(t, ['explain', '--event', '-', '--config', 'config.json', '--at', '2026-06-09T00:00:00Z'], {
    cwd,
    stdin: JSON.stringify(FIRE)
  })
  t.match(late.stdout, /stale/, 'a week later it is no news; "-" reads stdin')
})

t.test('check-config says no to the switches of another system, which would leave the matrix off unseen', async (t) => {
  const cwd = t.testdir({
    'config.json': JSON.stringify({
      coverage: { region_tagging: true, areas: [{ name: 'N', codes: ['ID'] }] },
      notifications: { region_routes: { mt_enabled: true, mc_enabled: true, cells: { fire: { N: { mt: 1 } } } } }
    })
  })
  const told = await run(t, ['check-config', 'config.json'], { cwd })
  t.equal(told.code, 3)
  t.match(told.stderr, /error: config\.json:1:\d+: .*mt_enabled: THE MATRIX IS OFF/)
  t.notMatch(told.stdout, /accepted/)
  const machine = await run(t, ['check-config', 'config.json', '--json'], { cwd })
  t.match(JSON.parse(machine.stdout), { ok: false, errors: [{ code: 'imported_matrix_off' }] })
})

t.test('check-config judges the file itself and tells where every value comes from', async (t) => {
  const cwd = t.testdir({ 'config.json': JSON.stringify(CONFIG), data: { 'config.json': '{"log_level": "warn"}' } })
  const good = await run(t, ['check-config', 'config.json'], { cwd })
  t.match([good.code, good.stdout], [0, /^config\.json: accepted/])
  const machine = await run(t, ['check-config', 'config.json', '--json'], { cwd })
  t.match(JSON.parse(machine.stdout), { ok: true, errors: [] })
  const explained = await run(t, ['check-config', '--explain', '--json', '--data', 'data'], {
    cwd,
    env: { LOOKOUT_HTTP_PORT: '9090' }
  })
  t.equal(explained.code, 0)
  const settings: { name: string; value: string; origin: string }[] = JSON.parse(explained.stdout).settings
  t.match(
    settings.find(({ value }) => value === '9090'),
    { origin: 'environment' }
  )
  t.match(
    settings.find(({ value }) => value === 'warn'),
    { origin: 'config.json' }
  )
  writeFileSync(join(cwd, 'data', 'config.json.bak'), '{}')
  writeFileSync(join(cwd, 'data', 'config.json'), '{"coverage": ')
  const broken = await run(t, ['check-config', '--data', 'data'], { cwd })
  t.equal(broken.code, 3, 'a good backup does not make a broken file good')
  t.match(broken.stderr, /config\.json:1:\d+/)
})

t.test('doctor finds what is there, and says 4 when something needed is missing', async (t) => {
  const cwd = t.testdir({ 'a-file': '' })
  const { code, stdout } = await run(t, ['doctor', '--json', '--data', 'data'], {
    cwd,
    env: { LOOKOUT_HTTP_PORT: '0' }
  })
  const { findings } = JSON.parse(stdout) as { findings: { check: string; state: string; detail: string }[] }
  t.equal(code, 0)
  for (const check of ['runtime', 'SQLite', 'data folder', 'configuration', 'county atlas', 'serial devices', 'port'])
    t.ok(
      findings.some((finding) => finding.check === check && finding.state !== 'missing'),
      check
    )
  t.notOk(existsSync(join(cwd, 'data')), 'it changes nothing')
  const blocked = await run(t, ['doctor', '--data', 'a-file'], { cwd, env: { LOOKOUT_HTTP_PORT: '0' } })
  t.match([blocked.code, blocked.stdout], [4, /missing +data folder.*a-file/])
})

t.test('doctor leaves in the data folder what a crash left there', async (t) => {
  const left = '.config.json.0123456789ab.tmp'
  const cwd = t.testdir({ data: { 'config.json': '{}', [left]: '{' } })
  utimesSync(join(cwd, 'data', left), 1, 1)
  const { code } = await run(t, ['doctor', '--data', 'data'], { cwd, env: { LOOKOUT_HTTP_PORT: '0' } })
  t.same([code, readdirSync(join(cwd, 'data')).sort()], [0, [left, 'config.json']])
})

t.test('doctor tells how converters are confined, and what each missing one means; none is needed', async (t) => {
  const cwd = t.testdir({ bin: {} })
  writeFileSync(join(cwd, 'bin', 'tesseract'), '#!/bin/sh\n', { mode: 0o755 })
  const env = { LOOKOUT_HTTP_PORT: '0', PATH: join(cwd, 'bin') }
  const { code, stdout } = await run(t, ['doctor', '--data', 'data'], { cwd, env })
  t.equal(code, 0)
  t.match(stdout, /^ok +tesseract +\S+bin\/tesseract$/m)
  t.match(stdout, /^warn +soffice +not installed: .*layout \(package libreoffice-writer-nogui\)$/m)
  for (const name of [
    'pdftotext',
    'pdftoppm',
    'pdfinfo',
    'mobitool',
    'catdoc',
    'ebook-convert',
    'kiwix-serve',
    'zimcheck'
  ])
    t.match(stdout, new RegExp(`^warn +${name} +not installed: .+ \\(package \\S+\\)$`, 'm'), name)
  t.match(stdout, /^warn +confinement +time and process group always; .*converters keep the network/m)
})

t.test('a token is shown once, works until it is revoked, and only its hash is kept', async (t) => {
  const cwd = t.testdir({})
  mkdirSync(join(cwd, 'd'))
  const made = await run(t, ['token', 'new', '--scope', 'events', '--name', 'pager', '--data', 'd'], { cwd })
  const secret = made.stdout.trim()
  t.match([made.code, made.stderr], [0, /shown only now/])
  t.match(secret, /^\S{20,}$/, 'stdout is the token alone')
  t.notOk(readFileSync(join(cwd, 'd', 'tokens.json'), 'utf8').includes(secret), 'the file has no secret')
  const list = await run(t, ['token', 'list', '--data', 'd'], { cwd })
  const [id = ''] = list.stdout.split(' ')
  t.match(list.stdout, /^\S+ {2}events {2}\S+ {2}pager\n$/)
  t.notOk(list.stdout.includes(secret))
  t.equal((await run(t, ['token', 'revoke', id, '--data', 'd'], { cwd })).code, 0)
  t.same(
    [(await run(t, ['token', 'list'], { cwd, env: { LOOKOUT_DATA: 'd' } })).stdout],
    [''],
    'LOOKOUT_DATA names the folder too'
  )
})
