import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { choose } from '../../scripts/changed.ts'

function tree(t: Test, files: Record<string, string>): string {
  const root = t.testdir({})
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  return root
}

const FILES = {
  'src/a.ts': 'export const a = 1',
  'src/b.ts': "import { a } from './a.ts'\nexport const b = async () => (await import('./late.ts')).late + a",
  'src/late.ts': "import type { T } from './typed.ts'\nexport const late: T = 1",
  'src/typed.ts': 'export type T = number',
  'src/alone.ts': 'export const alone = 1',
  'src/main.ts': "import './b.ts'",
  'src/style.css': '',
  'test/helpers/h.ts': "export { b } from '../../src/b.ts'\nexport const style = read('src', 'style.css')",
  'test/b.test.ts': "import { b } from './helpers/h.ts'",
  'test/other.test.ts': "import { runnable } from './run.ts'\nrunnable('scripts/tool.ts')",
  'test/app/program.test.ts': "import '../../src/b.ts'\nconst started = 'src/main.ts'",
  'scripts/tool.ts': 'export const tool = 1'
}

t.test('a change concerns the tests that import it: through others, later, for a type, or by its path', async (t) => {
  const root = tree(t, FILES)
  for (const [changed, tests] of [
    ['src/a.ts', ['test/b.test.ts']],
    ['src/late.ts', ['test/b.test.ts']],
    ['src/typed.ts', ['test/b.test.ts']],
    ['test/helpers/h.ts', ['test/b.test.ts']],
    ['test/b.test.ts', ['test/b.test.ts']],
    ['src/style.css', ['test/b.test.ts']],
    ['scripts/tool.ts', ['test/other.test.ts']],
    ['src/alone.ts', []],
    ['docs/page.md', []]
  ] as const)
    t.same(choose(root, [changed]).tests, tests, changed)
})

t.test('what starts the whole program is named and left to its suite; what no test imports is told', async (t) => {
  const root = tree(t, FILES)
  const choice = choose(root, ['src/a.ts', 'src/alone.ts'])
  t.same(choice.others, ['test/app/program.test.ts'])
  t.same(choice.untested, ['src/alone.ts'])
  t.same(choose(root, ['src/main.ts']).others, [], 'a test that starts the program depends on nothing in it')
})

t.test('what a browser shows concerns the browser tests that open a page with it', async (t) => {
  const root = tree(t, {
    ...FILES,
    'src/dashboard/pages/events/page.ts': "get('/events', { script: 'pages/events/script.js' })",
    'src/dashboard/pages/events/script.js': "import '/static/lib/live.js'",
    'src/dashboard/pages/events/style.css': '',
    'src/dashboard/pages/event/page.ts': "get('/events/:id', {})",
    'src/dashboard/pages/event/script.js': "import '../../pages/events/script.js'",
    'src/dashboard/pages/radios/page.ts': "get('/radios', {})",
    'src/dashboard/pages/radios/script.js': "import '/static/lib/card.js'",
    'web/lib/live.js': '',
    'web/lib/card.js': '',
    'web/lib/shell.js': '',
    'web/style.css': '',
    'test/browser/events.test.ts': "checkPage(t, { path: '/events?since=1d' })",
    'test/browser/event.test.ts': `page.goto(\`\${base}/events/\${id}\`)`,
    'test/browser/radios.test.ts': "page.goto(base + '/radios')"
  })
  const [event, events, radios] = ['event', 'events', 'radios'].map((name) => `test/browser/${name}.test.ts`)
  for (const [changed, others] of [
    ['web/lib/card.js', [radios]],
    ['src/dashboard/pages/radios/script.js', [radios]],
    ['src/dashboard/pages/radios/page.ts', [radios]],
    ['src/dashboard/pages/events/style.css', [events]],
    ['src/dashboard/pages/event/script.js', [event]],
    ['web/lib/live.js', [event, events]],
    ['web/lib/shell.js', [event, events, radios]],
    ['web/style.css', [event, events, radios]],
    ['src/alone.ts', []]
  ] as const)
    t.same(choose(root, [changed]).others, others, changed)
})

t.test(
  'types and lint follow the kinds of files; a file that is gone is not linted, its importers are tested',
  async (t) => {
    const root = tree(t, FILES)
    t.same(choose(root, ['docs/page.md']), { tests: [], others: [], types: [], lint: [], untested: [] })
    t.same(choose(root, ['test/b.test.ts']).types, ['tsconfig.test.json'])
    t.same(choose(root, ['web/lib/time.js']).types, ['tsconfig.web.json'])
    rmSync(join(root, 'src/late.ts'))
    const { tests, types, lint } = choose(root, ['src/late.ts', 'src/a.ts'])
    t.same([tests, types, lint], [['test/b.test.ts'], ['tsconfig.test.json', 'tsconfig.json'], ['src/a.ts']])
  }
)
