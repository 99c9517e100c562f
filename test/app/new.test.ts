import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

/** `npm run new` in a copy of the tree: what it writes is right as it stands. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'lookout-new-'))
t.teardown(() => rmSync(copy, { recursive: true, force: true }))
const PARTS =
  'src test web scripts docs profiles demo package.json package-lock.json biome.json .gitignore README.md CHANGELOG.md'
const CONFIGS = 'tsconfig.json tsconfig.test.json tsconfig.web.json'
for (const part of `${PARTS} ${CONFIGS}`.split(' ')) {
  if (existsSync(join(root, part))) cpSync(join(root, part), join(copy, part), { recursive: true })
}
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))

function node(script: string, ...args: string[]): { status: number | null; said: string } {
  const env = { ...process.env, CI: '', LOOKOUT_COMPILED: '' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: copy,
    encoding: 'utf8',
    env
  })
  return { status, said: `${stdout}${stderr}` }
}

const make = (...args: string[]) => node('scripts/new.js', ...args)

t.test(
  'bad names, unknown things and what exists already are refused with a sentence, and nothing is written',
  async (t) => {
    for (const [args, sentence] of [
      [['feed', 'Tide-Gauges'], /"Tide-Gauges" is no name of a feed: .*small letters/],
      [['feed', '../tides'], /is no name of a feed/],
      [['feed', 'gdacs'], /src\/warning\/feeds\/gdacs exists already/],
      [['feed', 'wzdx'], /the registry has a feed wzdx already/],
      [['feed'], /feed takes a name/],
      [['page', 'tide_tables'], /is no name of a page/],
      [['page', 'coverage'], /there is a page \/coverage already/],
      [['route', 'PATCH', '/api/tides'], /"PATCH" is no method/],
      [['route', 'GET', '/tides'], /is no path of the API/],
      [['route', 'GET', '/api/maps'], /there is a route GET \/api\/maps already/],
      [['radio', 'lora'], /"radio" is none of feed, page and route/]
    ] as const) {
      const { status, said } = make(...args)
      t.equal(status, 2, args.join(' '))
      t.match(said, sentence)
      t.equal(said.trim().split('\n').length, 1, 'one sentence')
    }
    t.match(make('--help'), { status: 0, said: /usage: npm run new -- feed NAME/ })
    for (const file of ['src/warning/feeds/registry.ts', 'src/dashboard/areas.ts'])
      t.equal(readFileSync(join(copy, file), 'utf8'), readFileSync(join(root, file), 'utf8'), file)
  }
)

t.test(
  'a new feed and a page touch four files, a route two, the first of its kind three; types, lint, tests and the docs of them pass',
  async (t) => {
    const made = [
      [['feed', 'tide_gauges'], 4],
      [['page', 'tide-tables'], 4],
      [['route', 'GET', '/api/radios/:id/tides'], 2],
      [['route', 'GET', '/api/tides/:port'], 3],
      [['route', 'POST', '/api/tides'], 2],
      [['route', 'PUT', '/api/tides/:port'], 2],
      [['route', 'DELETE', '/api/tides/:port'], 2]
    ] as const
    const files: string[] = []
    for (const [args, count] of made) {
      const { status, said } = make(...args)
      t.equal(status, 0, said)
      const touched = [...said.matchAll(/^(?:wrote|changed) +(\S+)$/gm)].map(([, file = '']) => file)
      t.equal(touched.length, count, `${args.join(' ')}: ${touched.join(', ')}`)
      files.push(...touched)
    }
    t.match(make('feed', 'tide_gauges'), { status: 2, said: /exists already/ })
    t.match(make('route', 'GET', '/api/tides/:port'), { status: 2, said: /there is a route/ })

    const lint = spawnSync('npx', ['biome', 'check', '--error-on-warnings', ...new Set(files)], {
      cwd: copy,
      encoding: 'utf8'
    })
    t.equal(lint.status, 0, `${lint.stdout}${lint.stderr}`)
    // The project of sources, tests and scripts is as strict as that of the sources alone.
    const types = ['--noEmit', '--singleThreaded', '-p', 'tsconfig.test.json']
    t.match(node('node_modules/typescript/bin/tsc', ...types), { status: 0, said: '' }, 'types')
    t.match(node('--import=tsx', 'scripts/docs.ts'), { status: 0 })
    const tests = [...new Set(files)].filter((file) => file.endsWith('.test.ts'))
    t.equal(tests.length, 6)
    const held = [
      'structure',
      'dashboard/answers',
      'dashboard/language',
      'settings/sources',
      'warning/feeds/every-sample',
      'warning/feeds/sources-verdict'
    ]
    const { status, said } = node('scripts/test.js', ...tests, ...held.map((name) => `test/${name}.test.ts`))
    t.equal(status, 0, said)
    t.match(said, / passed, 0 failed/)
  }
)
