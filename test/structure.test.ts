import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { circlesOf, filesOf, importsOf, mayImport, ROOMS, roomOf } from '../scripts/house.ts'
import { fragmentsIn, longestFunction, vagueNames } from './helpers/layout.ts'

const src = fileURLToPath(new URL('../src', import.meta.url))

/** Folders without `node:` modules, clock and chance: the same input gives the same output, always. */
const PURE = ['model', 'warning/coverage', 'warning/messages', 'warning/readiness']
const PURE_FILES = [
  'warning/routing/decide.ts',
  'warning/routing/guards.ts',
  'warning/routing/matrix.ts',
  'warning/routing/rules.ts',
  'warning/routing/cancel.ts',
  'warning/routing/ended.ts',
  'warning/routing/revived.ts',
  'warning/routing/staleness.ts',
  'warning/routing/silences.ts',
  'warning/routing/escalate.ts',
  'warning/routing/keys.ts',
  'warning/routing/inhibit.ts',
  'warning/routing/quiet-hours.ts',
  'warning/routing/same-event.ts',
  'warning/routing/sightings.ts',
  'warning/routing/superseded.ts',
  'warning/routing/thread-join.ts',
  'warning/routing/told.ts',
  'warning/routing/cell-verdicts.ts',
  'warning/routing/channel-verdict.ts',
  'warning/routing/obstacles.ts'
]
const FORBIDDEN_FOLDERS = ['utils', 'helpers', 'services', 'managers', 'types']
const MAX_LINES = 400

const files = filesOf(src)

t.test('every file stands in a room and imports only what the table allows, types as well as values', async (t) => {
  for (const file of files) {
    if (!t.ok(roomOf(file), `${file} has a row in the table`)) continue
    for (const { target } of importsOf(src, file)) if (!mayImport(file, target)) t.fail(`${file} → ${target}`)
  }
  t.ok(files.length > 800, `${files.length} files read`)
})

t.test('the table allows nothing that nobody does', async (t) => {
  for (const room of ROOMS) {
    const targets = files
      .filter((file) => roomOf(file) === room)
      .flatMap((file) => importsOf(src, file).map(({ target }) => target))
    for (const place of room.may) {
      const used = targets.some((target) => target === place || target.startsWith(`${place}/`))
      t.ok(used, `${room.place} imports ${place}`)
    }
  }
})

t.test('no files import each other in a circle, of values or of types', async (t) => {
  const imports = new Map(files.map((file) => [file, importsOf(src, file).map(({ target }) => target)]))
  t.same(circlesOf(imports), [])
  t.same(circlesOf(new Map(Object.entries({ a: ['b'], b: ['c'], c: ['a'], d: ['a'] }))), [['a', 'b', 'c']])
})

t.test('the root of the source shows the story: one file and the rooms', async (t) => {
  t.same(
    files.filter((file) => !file.includes('/')),
    ['main.ts']
  )
  t.same([...new Set(files.filter((file) => file.includes('/')).map((file) => file.split('/')[0]))].sort(), [
    'cli',
    'dashboard',
    'knowledge',
    'model',
    'platform',
    'settings',
    'station',
    'warning'
  ])
})

t.test('pure code has no node: module, no clock and no chance', async (t) => {
  for (const file of files) {
    if (!PURE.some((place) => file.startsWith(`${place}/`)) && !PURE_FILES.includes(file)) continue
    const text = readFileSync(join(src, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    t.notMatch(text, /from 'node:|Date\.now\(|Math\.random\(|new Date\(\)/, file)
  }
  for (const file of PURE_FILES) t.ok(files.includes(file), `${file} exists`)
})

t.test('files stay readable and folders say what they hold', async (t) => {
  for (const file of files) {
    const lines = readFileSync(join(src, file), 'utf8').split('\n').length
    t.ok(lines <= MAX_LINES, `${file} has ${lines} lines`)
    t.notOk(
      FORBIDDEN_FOLDERS.some((folder) => file.split('/').includes(folder)),
      file
    )
    t.not(file.split('/').at(-1), 'index.ts', file)
  }
  const faults = fileURLToPath(new URL('faults', import.meta.url))
  for (const file of filesOf(faults)) {
    const lines = readFileSync(join(faults, file), 'utf8').split('\n').length
    t.ok(lines <= MAX_LINES, `test/faults/${file} has ${lines} lines`)
  }
})

const root = fileURLToPath(new URL('..', import.meta.url))
const MAX_FUNCTION_LINES = 50

/** Functions over the limit, by file, with their lines: each may only get shorter, and none may be added. */
const LONG_FUNCTIONS: Readonly<Record<string, number>> = {
  'src/dashboard/pages/history/page.ts': 55,
  'src/station/app.ts': 197,
  'src/station/context.ts': 95,
  'src/station/core.ts': 109,
  'src/station/knowledge-work.ts': 100,
  'src/station/knowledge.ts': 97,
  'src/station/library.ts': 80,
  'src/station/zone-supply.ts': 51,
  'src/warning/feeds/nws/alert.ts': 56,
  'src/warning/feeds/nws-text/event.ts': 65,
  'src/dashboard/pages/coverage/codes.js': 69,
  'src/dashboard/pages/coverage/map-panel.js': 53,
  'src/dashboard/pages/coverage/preview.js': 51,
  'src/dashboard/pages/coverage/save.js': 85,
  'src/dashboard/pages/coverage/state.js': 126,
  'web/map/gestures.js': 113,
  'src/dashboard/pages/addresses/script.js': 108,
  'src/dashboard/pages/routing/editor.js': 75,
  'src/dashboard/pages/routing/save.js': 162,
  'src/dashboard/pages/routing/state.js': 209,
  'src/dashboard/pages/routing/workspace.js': 159,
  'src/dashboard/pages/radios/test-send.js': 53,
  'web/trial/backtest.js': 56,
  'web/trial/explain.js': 90,
  'scripts/bench-latency.ts': 58,
  'scripts/bench-radios.ts': 51,
  'scripts/bench-storm.ts': 79,
  'scripts/bench-tagging.ts': 58,
  'scripts/docs-architecture.ts': 52,
  'scripts/docs-states.ts': 66
}

/** Every file of our own code below a folder. */
function codeIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|js)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !/\/(?:vendor|golden)\//.test(file))
    .sort()
}

t.test('functions and files stay as short as they are, and new ones within the limits', async (t) => {
  for (const file of ['src', 'web', 'scripts'].flatMap(codeIn)) {
    const text = readFileSync(join(root, file), 'utf8')
    const lines = longestFunction(text)
    const known = LONG_FUNCTIONS[file]
    t.ok(lines <= (known ?? MAX_FUNCTION_LINES), `${file} has a function of ${lines} lines`)
    if (known !== undefined) t.ok(lines > MAX_FUNCTION_LINES, `${file} is within the limit: take it off the list`)
    t.ok(text.split('\n').length <= MAX_LINES, `${file} is too long`)
  }
})

t.test('one word for one thing: no name of the kind the glossary replaced, and comments are sentences', async (t) => {
  for (const file of ['src', 'web', 'scripts', 'test'].flatMap(codeIn)) {
    if (file === 'test/helpers/layout.ts' || file === 'test/structure.test.ts') continue
    const text = readFileSync(join(root, file), 'utf8')
    t.same(vagueNames(text), [], file)
    t.notMatch(file, /(?:^|[/-])(?:desk|keeper|aftermath|sides)\b/, file)
    t.same(fragmentsIn(text), [], file)
  }
  t.same(fragmentsIn('/** What is told. */\n/**\n * Whether it is so.\n */\n// Told.\n// What else\n'), [
    '/** What is told. */',
    '* Whether it is so.'
  ])
  t.same(vagueNames('class TellDesk {}\nconst keeper = 1 // a desk'), ['TellDesk', 'const keeper'])
  t.equal(longestFunction('function a() {\n  if (b) {\n  }\n}\nclass C {\n}'), 4)
})

/** The scripts of pages, from the root of the repository. */
const PAGES = 'src/dashboard/pages'

t.test(
  'a page is one folder: what draws it, its script, its style and its words, registered in one line',
  async (t) => {
    const areas = readFileSync(join(root, 'src/dashboard/areas.ts'), 'utf8')
    const lines = [...areas.matchAll(/from '\.\/(pages\/[^']+)'/g)].map(([, path = '']) => path)
    t.same(
      lines.filter((path) => !/^pages\/[a-z-]+\/page\.ts$/.test(path)),
      []
    )
    const drawn = codeIn(PAGES).filter((file) => file.endsWith('/page.ts'))
    const pages = drawn.map((file) => file.replace('src/dashboard/', '')).sort()
    // The rows of signing in stand with the forms that draw their page again: src/dashboard/api/session.ts.
    t.same(pages, [...lines, 'pages/sign-in/page.ts'].sort())
    const served = readdirSync(join(root, PAGES), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /(?:^|\/)(?:script\.js|style\.css|de\.json)$/.test(name)
    )
    for (const name of served) t.ok(pages.includes(`pages/${name.replace(/[^/]+$/, 'page.ts')}`), name)
  }
)

t.test('the script of a page imports its neighbours, and by their address what pages share', async (t) => {
  for (const file of codeIn('src').filter((name) => name.endsWith('.js'))) {
    t.ok(file.startsWith(`${PAGES}/`), `${file} lies with a page`)
    const text = readFileSync(join(root, file), 'utf8').replace(/\/\*\*[\s\S]*?\*\/|^\s*\*.*$/gm, '')
    for (const [, target = ''] of text.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)'([^']+)'/g)) {
      if (target.startsWith('/static/vendor/')) continue
      const path = target.startsWith('/static/') ? target.replace('/static/', 'web/') : join(file, '..', target)
      t.ok(existsSync(join(root, path)), `${file} → ${target}`)
      t.ok(target.startsWith('/static/') || path.startsWith(`${PAGES}/`), `${file} → ${target}`)
    }
  }
})

/** Files that rename by themselves, and why a power cut takes nothing from them that somebody was told of. */
const RENAMES: Record<string, string> = {
  'platform/files/atomic-file.ts': 'syncs file and folder itself',
  'platform/database/put-aside.ts': 'syncs the folder after it',
  'platform/sessions/session-file.ts': 'puts a broken file aside',
  'knowledge/library/arrival.ts': 'syncs the folder after it',
  'knowledge/library/archive-folder.ts': 'done again at the next start',
  'knowledge/scrape/archive-file.ts': 'syncs file and folder',
  'warning/outbox/heard-log.ts': 'a second memory, synced by nobody: both names hold whole lines',
  'platform/audit/audit-log.ts': 'appended only, synced by nobody: both names hold whole lines',
  'platform/process/running-stations.ts': 'true of one run of the machine alone',
  'platform/audit/anchor.ts': 'whichever a power cut leaves is true',
  'cli/forget.ts': 'syncs both folders after it',
  'warning/outbox/way-back.ts': 'syncs the folder after it',
  'knowledge/enrich/embed/model-shelf.ts': 'syncs both folders, and goes on after a power cut',
  'knowledge/enrich/ocr.ts': 'text of a page, made again when missing',
  'platform/backup/copy.ts': 'the manifest is last, after syncNames',
  'platform/backup/place.ts': 'syncs the folders after it, and goes on after a power cut',
  'station/backup-work.ts': 'syncs the folder after it',
  'knowledge/intake/arrival.ts': 'syncs the folder after it',
  'knowledge/intake/file-moves.ts': 'journalled, syncs both folders',
  'knowledge/intake/folders.ts': 'syncs the folder after it',
  'knowledge/intake/workbench.ts': 'syncs the folder after it'
}

t.test(
  'what was acknowledged outlasts a power cut: files get their place by placeFile or writeFileAtomic',
  async (t) => {
    for (const file of files) {
      const text = readFileSync(join(src, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      t.equal(/\brename(?:Sync)?\(/.test(text), file in RENAMES, `${file}: name the reason in RENAMES`)
    }
  }
)

/** Files that start a process by themselves, and why not as a `Child`. */
const STARTERS: Record<string, string> = {
  'platform/process/child-spec.ts': 'starts every `Child`',
  'platform/process/guardian.ts': 'outlives us, to end the groups of children',
  'platform/process/confinement.ts': 'finds out what a `Child` can be confined with',
  'cli/doctor-hotspot.ts':
    'asks the service manager, and the firewall of the network that the machine is in, which a confined `Child` is not',
  'knowledge/scrape/engine-client.ts':
    'a container stays when its client ends: what the client left in its group is no rest to be killed'
}

t.test('a program is started, bounded and ended in one place, and kept running in one', async (t) => {
  const starts =
    /\bimport (?!type)\{[^}]*\b(?:spawn|fork|exec|execFile|spawnSync|execFileSync|execSync)\b[^}]*\} from 'node:child_process'/
  for (const file of files) {
    const text = readFileSync(join(src, file), 'utf8')
    t.equal(starts.test(text), file in STARTERS, `${file}: name the reason in STARTERS`)
  }
})

t.test('serialport and the network clients are never loaded by the start path', async (t) => {
  for (const file of files) {
    const text = readFileSync(join(src, file), 'utf8')
    t.notMatch(text, /^import (?!type).*from '(serialport|nodemailer|us-atlas|@valibot\/to-json-schema)'/m, file)
  }
})
