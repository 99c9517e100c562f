import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { DELIVERY_REASONS } from '../scripts/docs-delivery-reasons.ts'
import { TRACE_REASONS } from '../scripts/docs-reasons.ts'
import { checkConfig } from '../src/cli/check-config.ts'
import { familyKeys } from '../src/model/families.ts'
import { parseEventInput } from '../src/warning/events/input.ts'
import { runnable } from './helpers/runnable.ts'
import { START, station } from './helpers/station.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const examples = join(root, 'docs/examples')

function docs(...args: string[]): { status: number | null; stderr: string } {
  const { flags, file } = runnable('scripts/docs.ts')
  const { status, stderr } = spawnSync(process.execPath, [...flags, file, ...args], {
    cwd: root,
    encoding: 'utf8'
  })
  return { status, stderr }
}

function filesBelow(folder: string, ending: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ending.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)))
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const pages = ['README.md', 'CHANGELOG.md', ...filesBelow('docs', /\.md$/)]

t.test('the generated pages are those of the present schemas, routes and states', async (t) => {
  t.match(docs('--check'), { status: 0, stderr: '' }, 'run npm run docs')
})

t.test('the check names every page that lags behind', async (t) => {
  const folder = t.testdir({})
  t.equal(docs('--to', folder).status, 0)
  t.match(docs('--check', '--to', folder), { status: 0, stderr: '' })
  const file = join(folder, 'states.md')
  writeFileSync(file, readFileSync(file, 'utf8').replace('held', 'holt'))
  t.match(docs('--check', '--to', folder), { status: 1, stderr: /^states\.md is not up to date.*\n$/ })
})

t.test('every reason of a decision and of the outbox is explained, and none that is not given any more', async (t) => {
  const found = (folders: string[], patterns: RegExp[]): Set<string> => {
    const texts = folders.flatMap((folder) => filesBelow(folder, /\.ts$/)).map(read)
    const words = texts.flatMap((text) => patterns.flatMap((pattern) => [...text.matchAll(pattern)]))
    return new Set(words.map(([, word = '']) => word.toLowerCase()))
  }
  const literal = /\breason: '([a-z_]+)'/g
  // The later fate of a message is told in the trace of its event as well.
  const given = found(
    ['src/warning/routing', 'src/warning/coverage', 'src/warning/outbox'],
    [
      literal,
      /\bskip\(\s*'([a-z_]+)'/g,
      /\bstep\('(?:pass|stop)', '([a-z_]+)'/g,
      /\bverdict\((?:true|false), '([a-z_]+)'/g,
      /\bfallBack\(\s*'([a-z_]+)'/g,
      /\bcode: '([a-z_]+)'/g,
      /\? '([a-z_]+)' : (?:null|'no_area')/g
    ]
  )
  const words = [...TRACE_REASONS.flatMap(({ reasons }) => reasons), ...DELIVERY_REASONS].map(({ word }) => word)
  const missing = [...given].filter((word) => !words.includes(word))
  t.same(missing, [], 'add rows to scripts/docs-reasons.ts')
  t.ok(given.size > 50, `${given.size} reasons found`)
  const source = filesBelow('src', /\.ts$/).map(read).join('\n')
  const gone = words.filter((word) => !source.includes(`'${word}'`) && !source.includes(`'${word.toUpperCase()}'`))
  t.same(gone, [], 'remove these rows from scripts/docs-reasons.ts')
})

t.test('the example configurations are accepted without a warning', async (t) => {
  const files = readdirSync(examples).filter((name) => name.startsWith('config-'))
  t.ok(files.length >= 2)
  for (const file of files) {
    const said: string[] = []
    const tell = (text: string): void => void said.push(text)
    const code = await checkConfig([join(examples, file)], { env: {}, language: 'en', root, out: tell, err: tell })
    t.equal(code, 0, file)
    t.same(said, [`${join(examples, file)}: accepted\n`])
  }
})

t.test('the example event is taken, and reaches the channels of the example configurations', async (t) => {
  const input: unknown = JSON.parse(read('docs/examples/event.json'))
  const event = parseEventInput(input, { now: START, families: familyKeys() })
  t.match(event, { family: 'fire', severity: 'critical', lifecycle: 'new' })
  const channels: [string, string[]][] = [
    ['config-minimal.json', ['mt:1', 'mc:valley']],
    ['config-county.json', ['mt:1', 'mc:hailey']]
  ]
  for (const [file, expected] of channels) {
    const config: unknown = JSON.parse(readFileSync(join(examples, file), 'utf8'))
    const { post, run, onAir } = await station(t, { config })
    await post({ ...(input as Record<string, unknown>), regions: [] })
    await run(60)
    const sent = onAir().map((line) => line.split(' ')[0])
    for (const channel of expected) t.ok(sent.includes(channel), `${file}: ${channel} in ${sent.join(', ')}`)
  }
})

/** The anchor of a heading as code hosts make it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

function headings(file: string): string[] {
  const text = read(file).replace(/^```[\s\S]*?^```/gm, '')
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.replaceAll('`', ''))
}

t.test('every link between the pages leads somewhere', async (t) => {
  for (const page of pages) {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target = '']) => target)
    for (const link of links) {
      const [path = '', anchor] = link.split('#')
      const file = path === '' ? page : relative(root, resolve(root, dirname(page), path))
      if (!t.ok(existsSync(join(root, file)), `${page} → ${link}`) || anchor === undefined) continue
      t.ok(headings(file).map(anchorOf).includes(anchor), `${page} → ${link}: a heading of ${file}`)
    }
  }
})

t.test('every section and rule a comment cites stands in docs/interface.md', async (t) => {
  const contract = read('docs/interface.md')
  const comments = ['src', 'test', 'scripts'].flatMap((folder) => filesBelow(folder, /\.(?:ts|js)$/)).map(read)
  const cited = comments.flatMap((text) => [...text.matchAll(/contract §(\d+)(?: rules? (\d+))?/gi)])
  t.ok(cited.length > 30, `${cited.length} citations`)
  for (const [text, section = '', rule] of new Map(cited.map((match) => [match[0].toLowerCase(), match])).values()) {
    const body = new RegExp(`^## ${section}\\. [\\s\\S]*?(?=^## |$(?![\\s\\S]))`, 'm').exec(contract)?.[0]
    if (!t.ok(body, `${text}: a section`) || rule === undefined) continue
    t.match(body, new RegExp(`^${rule}\\. `, 'm'), `${text}: a rule`)
  }
})

t.test('scripts and verbs that the pages name exist', async (t) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const verbs = new Set(
    [...read('src/main.ts').matchAll(/^ {2}'?([a-z-]+)'?: async \(\) =>/gm)].map(([, name]) => name)
  )
  t.ok(verbs.has('check-config'))
  for (const page of pages) {
    const text = read(page)
    for (const [, name = ''] of text.matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g))
      t.ok(scripts[name], `${page}: ${name}`)
    for (const [, name] of text.matchAll(/(?:^|[`$] ?)lookout ([a-z][a-z-]+)/gm)) {
      if (name !== 'ready') t.ok(verbs.has(name), `${page}: lookout ${name}`)
    }
  }
})

t.test(
  'the README names every package that is shipped, with its licence, every verb and every folder of src',
  async (t) => {
    const text = read('README.md')
    const packages = text.slice(text.indexOf('\n## Packages'), text.indexOf('\n## Tree'))
    const licences = text.slice(text.indexOf('\n## Licence'))
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
    for (const name of [...Object.keys(dependencies), 'preact', '@preact/signals', 'htm', 'pmtiles']) {
      const about = JSON.parse(read(`node_modules/${name}/package.json`)) as {
        license?: string
        licenses?: { type: string }[]
      }
      const licence = about.license ?? about.licenses?.[0]?.type ?? 'none'
      const row = licences
        .split('\n')
        .find((line) => line.startsWith('|') && line.split(/[|,]/).some((cell) => cell.trim() === name))
      t.ok(packages.includes(name), `${name}: what it does`)
      // A licence that the package only points at is named in our own words.
      t.match(row, licence.startsWith('SEE') ? /font licences/ : `| ${licence} |`, `${name}: ${licence}`)
    }
    const verbs = [...read('src/main.ts').matchAll(/^ {2}'?([a-z-]+)'?: async \(\) => \(await import\('\.\/cli/gm)]
    for (const [, verb] of verbs)
      if (verb !== 'work') t.match(text, new RegExp(`^\\| \`${verb}\\b`, 'm'), `lookout ${verb}`)
    for (const entry of readdirSync(join(root, 'src'), { withFileTypes: true }))
      if (entry.isDirectory()) t.ok(text.includes(`\`src/${entry.name}/\``), `src/${entry.name}/`)
  }
)

t.test(
  'the files for a board: the page names each, the unit keeps to the program, and the tools of systemd accept it',
  async (t) => {
    const folder = join(root, 'deploy')
    const page = read('docs/operator.md')
    const ofTheImage = `${read('deploy/image/README.md')}(README.md)`
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) {
        const path = relative(root, join(entry.parentPath, entry.name))
        // Those of the image have a page of their own.
        const ofImage = path.startsWith('deploy/image/')
        t.ok(ofImage ? ofTheImage.includes(`(${path.slice(13)})`) : page.includes(`(../${path})`), path)
      }
    const unit = read('deploy/systemd/lookout.service')
    t.notMatch(unit, /^(?:MemoryDenyWriteExecute|PrivateDevices)=/m, 'V8 and radios need these')
    for (const line of [
      /^RestartPreventExitStatus=2 3$/m,
      /^ExecReload=.*-HUP/m,
      /^RestrictNamespaces=true$/m,
      /^Type=notify$/m,
      /^NotifyAccess=all$/m,
      /^WatchdogSec=30$/m,
      /^StartLimitIntervalSec=0$/m
    ])
      t.match(unit, line)
    for (const [, device] of unit.matchAll(/^DeviceAllow=(.*)$/gm))
      t.match(device, /^(?:char-tty(?:USB|ACM)|\/dev\/char\/1(?:66|88):[0-7]) rw$/)
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', join(folder, 'systemd/lookout.service')], {
      encoding: 'utf8'
    })
    if (status === null) return t.comment('skipped: systemd-analyze is not installed')
    const said = stderr
      .split('\n')
      .filter(
        (line) =>
          line.includes('lookout.service') &&
          !/WantsMountsFor|RestartSteps|RestartMaxDelaySec|not executable/.test(line)
      )
    t.same(said, [])
    for (const name of ['lookout-claim.service', 'lookout-claim.path', 'lookout-first-boot.service']) {
      const { stderr: words } = spawnSync('systemd-analyze', ['verify', join(folder, 'systemd', name)], {
        encoding: 'utf8'
      })
      const odd = words.split('\n').filter((line) => line.includes(name) && !/WantsMountsFor|not executable/.test(line))
      t.same(odd, [], name)
    }
  }
)
