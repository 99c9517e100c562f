import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const src = fileURLToPath(new URL('../src/station', import.meta.url))

/** Who may import whom: the table of the architecture. `lib` is free to all; a folder may always import itself. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  lib: [],
  config: [],
  events: ['config'],
  coverage: ['config', 'events'],
  atlas: ['coverage'],
  messages: ['config', 'events', 'radios/radio'],
  feeds: ['config', 'events', 'radios/radio'],
  routing: ['config', 'events', 'coverage', 'messages'],
  radios: ['config'],
  outbox: [
    'config',
    'events',
    'feeds/feed-store',
    'messages',
    'radios/radio',
    'radios/time-on-air',
    'radios/airtime-hour',
    'radios/modem'
  ],
  readiness: ['config', 'events', 'routing'],
  schedule: ['config'],
  jobs: ['config'],
  keys: ['config'],
  catalogue: ['config', 'jobs'],
  enrich: ['config', 'catalogue', 'jobs', 'keys'],
  intake: ['config', 'catalogue', 'jobs', 'enrich'],
  search: ['config', 'catalogue', 'enrich', 'keys'],
  library: ['config', 'catalogue', 'jobs', 'search', 'enrich', 'intake/parts'],
  scrape: ['config', 'library', 'catalogue', 'jobs', 'enrich/language-codes'],
  addresses: ['config'],
  backup: ['config'],
  metrics: ['config'],
  commands: ['config', 'events', 'messages', 'routing', 'outbox', 'radios/radio', 'coverage', 'search'],
  http: [
    'config',
    'events',
    'feeds/status',
    'coverage',
    'messages',
    'routing',
    'readiness',
    'outbox',
    'radios/radio',
    'jobs',
    'keys',
    'catalogue',
    'intake',
    'enrich',
    'search',
    'library',
    'scrape',
    'addresses',
    'metrics'
  ],
  cli: [
    'config',
    'events',
    'coverage',
    'atlas',
    'messages',
    'routing',
    'outbox',
    'radios/radio',
    'readiness/self-report',
    'http/context',
    'commands/ask',
    'addresses',
    'keys',
    'catalogue',
    'search',
    'backup',
    'scrape',
    'library'
  ]
}
/** Folders without `node:` modules, clock and chance: the same input gives the same output, always. */
const PURE = ['events', 'coverage', 'messages', 'readiness']
const PURE_FILES = [
  'routing/decide.ts',
  'routing/guards.ts',
  'routing/matrix.ts',
  'routing/rules.ts',
  'routing/cancel.ts',
  'routing/ended.ts',
  'routing/revived.ts',
  'routing/staleness.ts',
  'routing/silences.ts',
  'routing/escalate.ts',
  'routing/keys.ts',
  'routing/inhibit.ts',
  'routing/quiet-hours.ts',
  'routing/same-event.ts',
  'routing/sightings.ts',
  'routing/superseded.ts',
  'routing/thread-join.ts',
  'routing/told.ts',
  'routing/cell-verdicts.ts',
  'routing/channel-verdict.ts',
  'routing/obstacles.ts'
]
const FORBIDDEN_FOLDERS = ['utils', 'helpers', 'services', 'managers', 'types']
const MAX_LINES = 350

const files = readdirSync(src, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => relative(src, join(entry.parentPath ?? entry.path, entry.name)))

function importsOf(file: string): { target: string; typeOnly: boolean }[] {
  const text = readFileSync(join(src, file), 'utf8')
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(type\s)?[^'"]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/g
  )
  return [...found].map((match) => ({
    target: relative(src, resolve(src, dirname(file), match[2] ?? match[3] ?? '')),
    typeOnly: match[1] !== undefined
  }))
}

t.test('every folder imports only what the architecture allows', async (t) => {
  for (const file of files) {
    const folder = file.includes('/') ? file.slice(0, file.indexOf('/')) : null
    if (folder === null) continue
    const allowed = MAY_IMPORT[folder]
    if (!t.ok(allowed, `${folder}/ has a row in the table`)) continue
    for (const { target } of importsOf(file)) {
      const targetFolder = target.includes('/') ? target.slice(0, target.indexOf('/')) : target
      const free = targetFolder === folder || targetFolder === 'lib'
      const named = allowed?.some((entry) => (entry.includes('/') ? target === `${entry}.ts` : entry === targetFolder))
      if (!free && !named) t.fail(`${file} → ${target}`)
    }
  }
  t.ok(files.length > 40, `${files.length} files read`)
})

t.test('nobody imports app.ts, core.ts or main.ts from inside a folder', async (t) => {
  for (const file of files.filter((name) => name.includes('/'))) {
    const bad = importsOf(file).filter(({ target }) => ['app.ts', 'core.ts', 'main.ts'].includes(target))
    t.same(bad, [], file)
  }
})

t.test('pure code has no node: module, no clock and no chance', async (t) => {
  for (const file of files) {
    if (!PURE.includes(file.split('/')[0] ?? '') && !PURE_FILES.includes(file)) continue
    const text = readFileSync(join(src, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    t.notMatch(text, /from 'node:|Date\.now\(|Math\.random\(|new Date\(\)/, file)
  }
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
})

/** Who renames by itself, and why a power cut takes nothing from it that somebody was told of. */
const RENAMES: Record<string, string> = {
  'lib/atomic-file.ts': 'syncs file and folder itself',
  'lib/put-aside.ts': 'syncs the folder after it',
  'config/session-file.ts': 'puts a broken file aside',
  'library/arrival.ts': 'syncs the folder after it',
  'library/archive-folder.ts': 'done again at the next start',
  'scrape/archive-file.ts': 'syncs file and folder',
  'outbox/heard-log.ts': 'a second memory, synced by nobody: both names hold whole lines',
  'enrich/ocr.ts': 'text of a page, made again when missing',
  'backup/copy.ts': 'the manifest is last, after syncNames',
  'intake/arrival.ts': 'syncs the folder after it',
  'intake/file-moves.ts': 'journalled, syncs both folders',
  'intake/folders.ts': 'syncs the folder after it',
  'intake/workbench.ts': 'syncs the folder after it'
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

t.test('serialport and the network clients are never loaded by the start path', async (t) => {
  for (const file of files) {
    const text = readFileSync(join(src, file), 'utf8')
    t.notMatch(text, /^import (?!type).*from '(serialport|nodemailer|us-atlas|@valibot\/to-json-schema)'/m, file)
  }
})
