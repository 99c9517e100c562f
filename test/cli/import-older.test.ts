import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { importOlder } from '../../src/cli/import-older.ts'
import { sentenceOf } from '../../src/model/words/sentences.ts'
import { AppError } from '../../src/platform/errors.ts'

const MATRIX = `region_routes:
  mt_enabled: true
  mc_enabled: true
  cells:
    fire:
      North: { mt: 3, mc: north-fire }
grouper_flush_seconds: 5
`
const AREAS = `areas:
  - { name: North, west: -115, south: 43, east: -114, north: 44 }
`

async function run(args: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' }
  const code = await importOlder(args, { out: (text) => (said.out += text), err: (text) => (said.err += text) })
  return { code, ...said }
}

const refusal = async (args: string[]): Promise<string> => {
  const error = await run(args).catch((caught: unknown) => caught)
  return error instanceof AppError ? `${error.code}: ${sentenceOf(error.reason, 'en')}` : 'no refusal'
}

t.test('files of the earlier system become one configuration, every entry with its line', async (t) => {
  const dir = t.testdir({ 'notifications.yaml': MATRIX, 'coverage.yaml': AREAS })
  const { code, out, err } = await run([join(dir, 'coverage.yaml'), join(dir, 'notifications.yaml')])
  t.equal(code, 0)
  t.same(JSON.parse(out), {
    coverage: { areas: [{ name: 'North', bbox: [-115, 43, -114, 44] }], region_tagging: true },
    notifications: {
      region_routes: {
        enabled: true,
        mt_enabled: true,
        mc_enabled: true,
        cells: { fire: { North: { mt: 3, mc: 'north-fire' } } }
      }
    }
  })
  t.match(err, 'coverage.yaml:2: coverage.areas.0: taken as a box → /coverage/areas/0')
  t.match(err, 'notifications.yaml:6: notifications.region_routes.cells.fire.North: taken as it is')
  t.match(err, 'notifications.yaml:7: notifications.grouper_flush_seconds: left out: has no counterpart here')
  t.match(err, /\n4 taken, 2 changed, 1 left out\n$/)
})

t.test('what is written is a new file; one that is there stays', async (t) => {
  const dir = t.testdir({ 'notifications.yaml': MATRIX, 'config.json': '{}' })
  const to = join(dir, 'new.json')
  t.equal((await run([join(dir, 'notifications.yaml'), '--out', to])).code, 0)
  t.ok(existsSync(to))
  t.match(
    await refusal([join(dir, 'notifications.yaml'), '--out', join(dir, 'config.json')]),
    /^usage: .*config\.json is there already/
  )
  t.equal(readFileSync(join(dir, 'config.json'), 'utf8'), '{}')
})

t.test('what does not fit is told with its place, and nothing is written', async (t) => {
  const dir = t.testdir({ 'n.yaml': 'region_routes:\n  enabled: true\n  cells:\n    fire:\n      North: { mt: 99 }\n' })
  const { code, out, err } = await run([join(dir, 'n.yaml')])
  t.equal(code, 3)
  t.equal(out, '')
  t.match(err, /error: config\.json:\d+:\d+: \/notifications\/region_routes\/cells\/fire\/North\/mt: /)
})

t.test('a file that is missing, or no YAML, is refused in words', async (t) => {
  const dir = t.testdir({ 'broken.yaml': 'areas: [1, 2' })
  t.match(await refusal([]), /^usage: name the files/)
  t.match(await refusal([join(dir, 'none.yaml')]), /^missing: .*none\.yaml/)
  t.match(await refusal([join(dir, 'broken.yaml')]), /^bad-input: .*broken\.yaml/)
  writeFileSync(join(dir, 'bomb.yaml'), `a: &a [x, x]\nb: &b [${'*a, '.repeat(50)}*a]\nc: [${'*b, '.repeat(50)}*b]\n`)
  t.match(
    await refusal([join(dir, 'bomb.yaml')]),
    /^bad-input: .*bomb\.yaml/,
    'a file that unfolds without end is no configuration'
  )
})
