import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { samplePdf } from '../helpers/documents.ts'
import { builtProgram } from '../helpers/machine.ts'
import { addressOf, Newcomer, type Said, type Typed } from '../helpers/newcomer.ts'
import { blocksOf, commandsOf, tableUnder } from '../helpers/page-commands.ts'
import { eventually } from '../helpers/process.ts'
import { ZONE_FILES } from '../warning/atlas/zone-files-of-authorities.ts'
import { capDocument, capInfo } from '../warning/feeds/samples.ts'

/** The README and the guides as a newcomer follows them: every command is typed, and what it answers is what the page says. */

t.setTimeout(300_000)

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), 'utf8')
const readme = read('README.md')
const { version, scripts } = JSON.parse(read('package.json')) as { version: string; scripts: Record<string, string> }
const MINIMAL = read('docs/examples/config-minimal.json')

/** Typed as it stands on the page; it has to end with 0. */
interface Walk {
  check?: (t: Test, said: Said, at: Place) => unknown
  /** Typed differently: for a word that the reader puts in, or a port that may be taken here. */
  instead?: (command: string, at: Place) => string
  /** It goes on until it is stopped, and serves meanwhile. */
  serves?: (t: Test, url: string) => unknown
  /** Done by this test: there is no service manager. */
  does?: (t: Test, at: Place) => unknown
}
/** It cannot run here: the file that runs it in its own surroundings, and what stands there. */
interface Elsewhere {
  in: string
  as: string
}
/** Only a board with its own hardware can show it: the page says in these words that none took part. */
interface Untried {
  untried: string
}
type Known = Walk | Elsewhere | Untried

interface Place {
  newcomer: Newcomer
  station: Typed | null
  said: Record<string, Said>
}

const outcome = (t: Test, said: Said): void => {
  t.match(JSON.parse(said.stdout), { outcome: 'send', event: { family: 'fire', regions: ['Valley'] } })
  const { messages } = JSON.parse(said.stdout) as { messages: { transport: string; channel: unknown; text: string }[] }
  t.same(
    messages.map(({ transport, channel }) => `${transport}:${channel}`),
    ['mt:1', 'mc:valley']
  )
  t.notMatch(said.stdout, /radio_down/)
  for (const { text } of messages) t.match(text, /Croy Creek/)
}
const says =
  (pattern: RegExp) =>
  (t: Test, { stdout }: Said): unknown =>
    t.match(stdout, pattern)
const isPreview = async (t: Test, url: string): Promise<void> => {
  t.match(await (await fetch(`${url}/api/status`)).json(), { mode: 'preview', version })
  t.equal((await fetch(`${url}/`)).status, 200)
}

/** Pages for whoever looks something up: their sentences name commands that are not to be typed there and then. */
const BLOCKS_ALONE = ['docs/sources.md', 'docs/zone-packs.md', 'docs/developer.md']

/** Walks a page in its order; a command that stands there twice is typed once. What the page no longer says has no place in the table. */
async function walkPage(
  t: Test,
  { page, at, known, words = [] }: { page: string; at: Place; known: Record<string, Known>; words?: [string, string][] }
): Promise<void> {
  const spans = !BLOCKS_ALONE.includes(page)
  const commands = [...new Set(commandsOf(read(page), { spans }).map(({ text }) => text))]
  t.same(
    commands.filter((command) => known[command] === undefined),
    [],
    `${page}: each command has its row in this test`
  )
  t.same(
    Object.keys(known).filter((command) => !commands.includes(command)),
    [],
    `${page}: it has each of them`
  )
  for (const command of commands) {
    const how = known[command] ?? {}
    if (command.startsWith('npm run ')) isScript(t, command)
    if ('untried' in how) t.ok(read(page).includes(how.untried), `${page} says of ${command} that nobody tried it`)
    else if ('in' in how) t.ok(existsSync(join(root, how.in)) && read(how.in).includes(how.as), `${command}: ${how.in}`)
    else await walkOne(t, { command, how, at, words })
  }
}

async function walkOne(
  t: Test,
  { command, how, at, words }: { command: string; how: Walk; at: Place; words: [string, string][] }
): Promise<void> {
  if (how.does !== undefined) return void (await how.does(t, at))
  let typed = how.instead?.(command, at) ?? command
  for (const [from, to] of words) typed = typed.replaceAll(from, to)
  if (how.serves !== undefined) {
    const going = at.newcomer.begin(t, typed)
    await how.serves(t, await addressOf(going))
    return void (await going.stop())
  }
  const said = await at.newcomer.type(t, typed)
  at.said[command] = said
  if (t.equal(said.code, 0, `${command}: ${said.stderr}`)) await how.check?.(t, said, at)
}

builtProgram()

/** It plays for half a minute before it has come to the end of what the README shows; everything else is walked meanwhile. */
const demo = new Newcomer(t).begin(t, 'npm start')

const SCRIPTS = tableUnder(readme, 'Other scripts').map(([cell = '']) => cell.replaceAll('`', ''))
const VERBS = tableUnder(readme, 'Verbs').map(([cell = '']) => cell.replaceAll('`', ''))

t.test('the commands of a page are found as they are typed', async (t) => {
  const page =
    'Run `lookout doctor`, see `lookout.db`.\n\n   ```sh\n   # why\n   a --b    # c\n   d \\\n     | e && f\n   ```\n```json\nno\n```\n'
  t.same(
    commandsOf(page, { spans: true }).map(({ text }) => text),
    ['lookout doctor', 'a --b', 'd | e', 'f']
  )
  t.same(blocksOf(page, 'json'), ['no\n'])
  t.same(tableUnder('## A\n\n| x | y |\n| --- | --- |\n| `b` | c |\n\n## B\n| d |', 'A'), [['`b`', 'c']])
})

t.test('README: what it has people type does what it says', async (t) => {
  const at: Place = { newcomer: new Newcomer(t), station: null, said: {} }
  const [config = ''] = blocksOf(readme, 'json')
  t.same(JSON.parse(config), JSON.parse(MINIMAL), 'its configuration is that of the example it names')
  at.newcomer.write('data/config.json', config)
  at.newcomer.write('other/config.json', config)
  const known: Record<string, Known> = {
    'npm ci': { in: '.ci/run', as: 'npm ci --no-audit' },
    // Begun above; what it says is compared below.
    'npm start': { does: (t) => t.equal(demo.child.exitCode, null) },
    'npm test': { in: '.ci/run', as: 'suite test\n' },
    'npm i -g': { in: 'test/app/npm-install.test.ts', as: "['i', '-g'" },
    'node dist/lookout.js check-config': { check: says(/^\S*data\/config\.json: accepted\n$/) },
    'node dist/lookout.js explain --event docs/examples/event.json': { check: outcome },
    'npm run preview -- FOLDER': { instead: (command) => command.replace('FOLDER', 'other'), serves: isPreview },
    'lookout preview': { serves: isPreview },
    // The heading of the table of verbs, which the next test walks.
    'node dist/lookout.js …': { instead: () => 'node dist/lookout.js --version', check: says(/^\d+\.\d+\.\d+/) },
    'apt-get install chromium-headless-shell': { in: '.ci/run', as: 'install chromium-headless-shell' }
  }
  for (const script of SCRIPTS) known[script] ??= { does: (t) => isScript(t, script) }
  known['npm run preview'] = { serves: isPreview }
  await walkPage(t, { page: 'README.md', at, known })
})

/** It stands in package.json, and so does every file of ours that it starts. */
function isScript(t: Test, command: string): void {
  const script = scripts[command.replace(/^npm run (\S+).*/, '$1')]
  if (!t.ok(script, `${command} is in package.json`)) return
  const files = [...(script ?? '').matchAll(/\bscripts\/\S+/g)].map(([file]) => file)
  t.ok(files.length > 0, command)
  for (const file of files) t.ok(existsSync(join(root, file)), `${command}: ${file}`)
}

t.test('README: its table has each verb that the program has, and each explains itself', async (t) => {
  const newcomer = new Newcomer(t)
  const { stdout } = await newcomer.type(t, 'node dist/lookout.js help')
  const [, list = ''] = /^usage: .*\n\n([\s\S]*?)\n\n/m.exec(stdout) ?? []
  const own = [...list.matchAll(/^ {2}([a-z][a-z-]+)\b/gm)].map(([, verb = '']) => verb)
  const named = VERBS.map((verb) => verb.split(' ')[0] ?? '')
  t.same([...named].sort(), own.sort())
  await Promise.all(
    [0, 1].map(async (half) => {
      for (const [nth, verb] of named.entries()) {
        if (nth % 2 !== half) continue
        const said = await newcomer.type(t, `node dist/lookout.js ${verb} --help`)
        t.match(said, { code: 0, stderr: '', stdout: `usage: lookout ${verb}` }, verb)
      }
    })
  )
})

/** A station with the README's configuration in a folder of its own, which the commands of a guide are typed at. */
async function stationFor(t: Test, config: object = {}): Promise<Place & { url: string }> {
  const newcomer = new Newcomer(t)
  newcomer.write('station/config.json', JSON.stringify({ ...JSON.parse(MINIMAL), ...config }))
  newcomer.env['LOOKOUT_DATA'] = newcomer.path('station')
  const station = newcomer.begin(t, 'exec lookout start --profile home --no-demo')
  const url = await addressOf(station)
  newcomer.env['U'] = url
  return { newcomer, station, said: {}, url }
}

/** Each question of curl.md, and what its comment promises of the answer. */
const ANSWERS: [question: RegExp, check: (t: Test, text: string) => unknown][] = [
  [/health\/ready$/, (t, text) => t.match(JSON.parse(text), { status: 'ready', ready: true })],
  [/\/status$/, (t, text) => t.match(JSON.parse(text), { version, matrix_enabled: true, coverage_areas: 1 })],
  [/\/radios$/, (t, text) => t.match(JSON.parse(text), { radios: [{ network: 'mt' }, { network: 'mc' }] })],
  [
    /event\.json \S+\/api\/events$/,
    (t, text) => t.match(JSON.parse(text), { accepted: 1, events: [{ id: 'dispatch-2417' }] })
  ],
  [
    /\/trace$/,
    (t, text) => {
      const { deliveries } = JSON.parse(text) as { deliveries: { transport: string }[] }
      t.same(deliveries.map(({ transport }) => transport).sort(), ['mc', 'mt'])
    }
  ],
  [/\/explain$/, (t, text) => t.match(JSON.parse(text), { outcome: 'send', event: { region: 'Valley' } })],
  [/\/regions$/, (t, text) => t.same(JSON.parse(text), ['Valley'])],
  [/-s \S+\/region-routing$/, (t, text) => t.match(JSON.parse(text), { cells: { fire: { Valley: { mt: 1 } } } })],
  [/-sI \S+\/region-routing$/, (t, text) => t.match(text, /^etag: "[0-9a-f]+"\r$/im)],
  [/-s \S+\/region-routing$/, (t, text) => t.match(JSON.parse(text), { enabled: true })],
  [/matrix\.json \S+\/region-routing$/, (t, text) => t.match(JSON.parse(text), { ok: true, warnings: [] })],
  [/\/backtest$/, (t, text) => t.match(JSON.parse(text), { events: 1, messages: 2 })],
  [/state=held$/, (t, text) => t.match(JSON.parse(text), { deliveries: [] })],
  [
    /format=csv/,
    (t, text) => {
      const [head = '', ...rows] = text.trim().split(/\r?\n/)
      t.match(head, /^id,created_at,sent_at,transport,/)
      t.equal(rows.filter((row) => row.includes('dispatch-2417')).length, 2)
    }
  ],
  [/\/stream$/, (t, text) => t.match(text, /^: connected$/m)],
  [/Bearer .*\/api\/events$/, (t, text) => t.match(JSON.parse(text), { accepted: 0, duplicates: 1 })]
]

/** Keeps what was asked and answered; what is refused ends the script, and the stream is ended as by Ctrl-C. */
const CURL = `curl() {
  local nth; nth=$(printf %02d "$(find answers -name '*.question' | wc -l)")
  printf '%s' "$*" >answers/$nth.question
  case $1 in
    -sN) { timeout -s INT 3 curl --fail-with-body "$@" || true; } | tee answers/$nth.answer ;;
    *) command curl --fail-with-body "$@" | tee answers/$nth.answer ;;
  esac
}
set -o pipefail
`

t.test('curl.md is one script that runs, and each answer is what its comment says', async (t) => {
  const { newcomer, url } = await stationFor(t)
  const [script = '', ...more] = blocksOf(read('docs/examples/curl.md'), 'sh')
  t.same(more, [])
  mkdirSync(newcomer.path('answers'))
  newcomer.env['TOKEN'] = (await newcomer.type(t, 'lookout token new --scope events 2>/dev/null')).stdout.trim()
  t.match(script, /^U=http:\/\/127\.0\.0\.1:8080$/m)
  const said = await newcomer.type(t, CURL + script.replace(/^U=.*$/m, `U=${url}`))
  if (!t.equal(said.code, 0, said.stderr)) return
  const files = readdirSync(newcomer.path('answers')).filter((name) => name.endsWith('.answer'))
  t.equal(files.length, [...script.matchAll(/\bcurl /g)].length)
  t.equal(files.length, ANSWERS.length)
  for (const [nth, [question, check]] of ANSWERS.entries()) {
    const name = newcomer.path(`answers/${String(nth).padStart(2, '0')}`)
    t.match(readFileSync(`${name}.question`, 'utf8'), question)
    check(t, readFileSync(`${name}.answer`, 'utf8'))
  }
  const path = `${url}/api/notifications/region-routing`
  const before = (await fetch(path)).headers.get('etag') ?? ''
  const matrix = readFileSync(newcomer.path('matrix.json'), 'utf8').replace('"mt":1', '"mt":2')
  const change = (): Promise<Response> =>
    fetch(path, { method: 'POST', headers: { 'content-type': 'application/json', 'if-match': before }, body: matrix })
  t.equal((await change()).status, 200)
  t.not((await fetch(path)).headers.get('etag'), before, 'a change has another tag')
  t.equal((await change()).status, 412, 'as the comment says, where somebody else was quicker')
})

const INSTALLER = { in: 'test/app/install.test.ts' }
const HOTSPOT = { in: 'test/app/hotspot.test.ts' }
const UPDATES = { in: 'test/app/update.test.ts' }
const UNIT = { in: 'test/app/unit.test.ts' }
const PACKING = { in: 'test/app/pack.test.ts' }
const DOCTOR: Known = { check: says(/^ok +configuration /m) }
const FONTS: Known = {
  in: 'test/knowledge/intake/board-fonts.test.ts',
  as: "'a font of the board is taken"
}
/** `.ci/run` installs what its tests use for real, each by the name of its package. */
const installedForTests = (as: string): Known => ({ in: '.ci/run', as })
/** Posts the example first, so that there is an event to look at. */
const postedFirst = (command: string): string =>
  `curl -sf -H 'Content-Type: application/json' --data @docs/examples/event.json $U/api/events >/dev/null; ${command}`

const OPERATOR: Record<string, Known> = {
  'node dist/lookout.js': { instead: (command) => `${command} --version`, check: says(/^\d+\.\d+\.\d+/) },
  'npm run pack': { in: 'test/helpers/bundle.ts', as: "'scripts/pack.ts', '--no-build'" },
  'openssl genpkey -algorithm ed25519 -out release.pem': {
    check: (t, _, { newcomer }) => t.match(readFileSync(newcomer.path('release.pem'), 'utf8'), /BEGIN PRIVATE KEY/)
  },
  'sudo -u lookout lookout doctor': DOCTOR,
  'sudo lookout doctor': DOCTOR,
  'sudo /opt/lookout/current/install.sh --rollback': { ...INSTALLER, as: "'--rollback'" },
  'sudo /opt/lookout/current/install.sh --uninstall': { ...INSTALLER, as: "'--uninstall', '--yes')" },
  'install.sh --help': { ...INSTALLER, as: "said('--help')" },
  'npm run pack -- --deb': { ...INSTALLER, as: "makeBundle(out, '--deb')" },
  'sudo apt purge lookout': { ...INSTALLER, as: "dpkg('-P', 'lookout')" },
  'lookout first-boot': { in: 'test/app/first-boot.test.ts', as: "show('lookout-first-boot', 'Result')" },
  'npm run pack -- --npm': { in: 'test/app/npm-install.test.ts', as: "'--no-build', '--npm'" },
  'npm run pack -- --trust FILE': { ...PACKING, as: "'--trust', join(out, 'next.pub')" },
  'journalctl -u lookout': { ...INSTALLER, as: "machine.journal('lookout')" },
  'curl -s "$U/api/events?limit=20"': {
    instead: postedFirst,
    check: (t, { stdout }) => t.match(JSON.parse(stdout), { events: [{ id: 'dispatch-2417', decision: 'send' }] })
  },
  'curl -s $U/api/events/ID/trace': {
    instead: (command) => postedFirst(command.replace('ID', 'dispatch-2417')),
    check: (t, { stdout }) => {
      const { trace, deliveries } = JSON.parse(stdout) as { trace: object[]; deliveries: { steps: object[] }[] }
      t.ok(trace.length > 0, 'the decision, step by step')
      t.equal(deliveries.length, 2)
      for (const { steps } of deliveries) t.type(steps, Array)
    }
  },
  'sudo apt install fonts-vlgothic': FONTS,
  'curl -s $U/api/radios': {
    check: (t, { stdout }) => {
      const { radios } = JSON.parse(stdout) as { radios: object[] }
      t.equal(radios.length, 2)
      for (const radio of radios) t.hasProps(radio, ['state', 'reason', 'missing_channels'])
    }
  },
  'lookout check-config --explain': {
    check: says(/^ *LOOKOUT_DATA .*\(environment LOOKOUT_DATA\)$[\s\S]*^ *profile\..*\(profile home\)$/m)
  },
  'lookout forget': { in: 'test/app/forget.test.ts', as: "run(t, ['forget'], { env })" },
  'lookout addresses import': { in: 'test/knowledge/addresses/import.test.ts', as: "['addresses', 'import'" },
  'lookout addresses import idaho.csv montana.csv --state ID,MT': {},
  'lookout addresses check': {},
  'lookout token claim --new': { check: says(/[0-9A-Z]{4}-[0-9A-Z]{4}/) },
  'apt install openssl': installedForTests('apache2=apache2-bin openssl'),
  'lookout VERB --help': {
    instead: (command) => command.replace('VERB', 'replay'),
    check: says(/^usage: lookout replay/)
  },
  'sudo apt install bubblewrap s6': installedForTests('bwrap=bubblewrap s6-sudod=s6'),
  'sudo apt install s6': installedForTests('s6-sudod=s6'),
  'journalctl -u lookout-sandbox': { in: 'test/app/unit.test.ts', as: "machine.journal('lookout-sandbox')" },
  'sudo apt install kiwix-tools bubblewrap s6': installedForTests('kiwix-serve=kiwix-tools'),
  'lookout archiver': { check: says(/./) },
  'sudo apt install zim-tools': installedForTests('zimwriterfs=zim-tools'),
  'lookout archiver install FILE': { in: 'test/knowledge/scrape/archiver-verb.test.ts', as: "run(['install', file]" },
  'systemctl enable --now lookout-backup.timer': { ...INSTALLER, as: "'enable', '--now', 'lookout-backup.timer'" },
  'sudo fatlabel /dev/sda1 LOOKOUT': { in: 'test/app/stick.test.ts', as: "'LOOKOUT'" },
  'sudo systemctl edit lookout': { ...UNIT, as: "'etc/systemd/system/lookout.service.d" },
  'sudo systemctl edit lookout-hotspot': { ...HOTSPOT, as: 'lookout-hotspot.service.d/test.conf' },
  'npm run build': { in: '.ci/run', as: 'npm run -s build' },
  'sudo -u lookout lookout check-config': { check: says(/config\.json: accepted\n$/) },
  'systemctl status lookout': { ...UNIT, as: "show('lookout', 'StatusText')" },
  'sudo systemctl disable --now lookout-watch.timer': {
    does: (t) => t.notOk(existsSync(join(root, 'deploy/systemd/lookout-watch.timer')), 'nothing brings it any more')
  },
  'sudo raspi-config nonint do_wifi_country US': { untried: 'no board with its own Wi-Fi took part' },
  'sudo systemctl daemon-reload && sudo systemctl restart lookout': {
    ...INSTALLER,
    as: 'systemctl daemon-reload && systemctl restart lookout'
  },
  'journalctl -u lookout-update': { ...UPDATES, as: "journal('lookout-update')" },
  'cat /var/lib/lookout-update/state': { ...UPDATES, as: "'cat', '/var/lib/lookout-update/state'" },
  'sudo apt-get install dnsmasq-base nftables iw': installedForTests('dnsmasq=dnsmasq-base nft=nftables'),
  'systemctl restart nftables': { ...HOTSPOT, as: "'systemctl restart nftables'" },
  'journalctl -u lookout-hotspot-rules': { ...HOTSPOT, as: "journal('lookout-hotspot-rules')" },
  [`curl -X PUT -H "Authorization: Bearer $(sudo cat /var/lib/lookout/local.token)" -H 'Content-Type: application/json' -d '{"on":false}' $U/api/hotspot`]:
    { ...HOTSPOT, as: "api(machine, 'PUT', { on: false })" },
  'systemctl status lookout-hotspot.path lookout-hotspot': { ...HOTSPOT, as: "show('lookout-hotspot', 'ActiveState')" },
  'journalctl -u lookout-hotspot -u lookout-hotspot-dns -u lookout-hotspot-rules': {
    ...HOTSPOT,
    as: "journal('lookout-hotspot-dns')"
  },
  'cat /run/lookout-hotspot/state': { ...HOTSPOT, as: "'cat', '/run/lookout-hotspot/state'" },
  'npm ci': { in: '.ci/run', as: 'npm ci --no-audit' },
  'npm run pack -- --key release.pem': { in: 'test/helpers/bundle.ts', as: "'--key', join(out, 'key.pem')" },
  [`tar -xJf lookout-${version}-linux-arm64.tar.xz`]: { in: 'test/app/pack.test.ts', as: "'-xJf'" },
  [`cd lookout-${version}-linux-arm64`]: { in: 'test/app/pack.test.ts', as: "'-xJf'" },
  './install.sh --dry-run': { ...INSTALLER, as: "install(good, '--dry-run')" },
  'sudo ./install.sh': { ...INSTALLER, as: "install(good, '--yes'" },
  [`sudo apt install ./lookout_${version}_arm64.deb`]: { ...INSTALLER, as: "dpkg('-i', deb)" },
  [`npm i -g --omit=dev ./lookout-${version}.tgz`]: { in: 'test/app/npm-install.test.ts', as: "'--omit=dev'" },
  [`lookout-${version}-linux-arm64/bin/lookout start`]: { in: 'test/app/pack.test.ts', as: "'bin/lookout')], BARE" },
  [`lookout verify-bundle lookout-${version}-linux-arm64`]: {
    in: 'test/app/pack.test.ts',
    as: "['verify-bundle', bundle]"
  },
  'curl -s $U/api/health/ready': { check: says(/^\{"status":"ready","ready":true,/) },
  'curl -s $U/api/status': { check: says(/"mode":"run"/) },
  'lookout doctor': { check: says(/^ok +configuration +1 areas, 2 matrix cells/m) },
  'sudo -u lookout lookout support-bundle --out /tmp/support.tar.gz': {},
  'sudo chown "$USER" /tmp/support.tar.gz': {},
  'tar -xzOf /tmp/support.tar.gz | less': { check: says(/"version": ?"\d/) },
  'lookout explain --event docs/examples/event.json --config docs/examples/config-minimal.json': { check: outcome },
  [`curl -s -H 'Content-Type: application/json' --data "{\\"event\\": $(cat docs/examples/event.json)}" $U/api/notifications/region-routing/explain`]:
    { check: outcome },
  [`echo '{"id":"x","source":"x","title":"x","family":"fire","lat":43.5,"lon":-114.3}' | lookout tag --areas docs/examples/config-minimal.json`]:
    { check: (t, { stdout }) => t.same(JSON.parse(stdout), { id: 'x', region: 'Valley', regions: ['Valley'] }) },
  ...Object.fromEntries(
    ['log', 'report'].map((name) => [
      `curl -o ${name}.csv 'http://localhost:8080/api/${name === 'log' ? 'comms-log' : 'exercise-report'}?day=2027-07-01&format=csv'`,
      {
        check: (t: Test, _: Said, { newcomer }: Place) =>
          t.match(readFileSync(newcomer.path(`${name}.csv`), 'utf8'), /^\S+(?:,\S+){3,}\r?\n/)
      }
    ])
  ),
  "curl -o log.pdf 'http://localhost:8080/api/comms-log?day=2027-07-01&format=pdf&incident=Croy+2027-17&operator=W7ABC'":
    { check: (t, _, { newcomer }) => t.match(readFileSync(newcomer.path('log.pdf'), 'latin1'), /^%PDF-1\.7/) },
  'curl -s "$U/api/deliveries?state=held"': { check: says(/^\{"deliveries":\[\],/) },
  'curl -s "$U/api/deliveries?state=failed&limit=20"': { check: says(/^\{"deliveries":\[\],/) },
  'lookout check-config': { check: says(/config\.json: accepted\n$/) },
  'lookout import config.yaml notifications.yaml coverage.yaml --out new.json': {
    check: (t, { stderr }) => t.match(stderr, /^coverage\.yaml:2: .*taken as a box[\s\S]*\n\d+ taken, \d+ changed, /m)
  },
  'lookout check-config new.json': { check: says(/^new\.json: accepted/) },
  [`curl -s $U/api/status | grep -o '"storage":{[^}]*}'`]: {
    check: says(/^"storage":\{"storing":true,"fault":null\}\n$/)
  },
  'df -h "$LOOKOUT_DATA"; dmesg | tail': { check: says(/^Filesystem /) },
  'curl -H "Authorization: Bearer $(cat /var/lib/lookout/local.token)" -X POST …': {
    instead: (command) =>
      command.replace(
        '…',
        `-H 'Content-Type: application/json' -d '{"family":"fire","duration":"1h","reason":"drill"}' $U/api/silences`
      ),
    check: says(/"family":"fire"/)
  },
  "journalctl -u lookout | grep 'claim code'": { in: 'test/browser/first-run.test.ts', as: 'CODE.exec(first' },
  'lookout token claim': { check: says(/[0-9A-Z]{4}-[0-9A-Z]{4}/) },
  'lookout doctor | grep HTTPS': { check: says(/HTTPS/) },
  "journalctl -u lookout | grep 'HTTPS with the certificate'": {
    in: 'test/app/https.test.ts',
    as: "includes('HTTPS with the certificate')"
  },
  'lookout token new --scope events --name dispatch': { check: says(/^lookout_\S+\n$/) },
  'lookout token list': { check: says(/^[0-9a-f]{8} +events .* dispatch$/m) },
  'lookout token revoke ID': {
    instead: (command, { said }) => command.replace('ID', said['lookout token list']?.stdout.slice(0, 8) ?? '')
  },
  'lookout verify-log': { check: says(/^\d+ records, the last is \d+: [0-9a-f]{64}\n$/) },
  'lookout backup /mnt/usb/lookout --keep 14': { check: says(/\/lookout\/\d{4}-\d\d-\d\dT[\d-]+Z\n$/) },
  'sudo install -d -o lookout /mnt/usb/lookout': {
    ...INSTALLER,
    as: "'install', '-d', '-o', 'lookout', '/mnt/usb/lookout'"
  },
  'lookout backup --verify /mnt/usb/lookout': {
    check: (t, { stderr }) => t.match(stderr, /^1 backups, \d+ files: all whole\n$/)
  },
  'ls /mnt/usb/lookout': { check: says(/^\d{4}-\d\d-\d\dT[\d-]+Z$/m) },
  'lookout restore /mnt/usb/lookout --data /var/lib/lookout-new': {},
  'lookout preview /var/lib/lookout-new --port 8099': {
    instead: (command) => command.replace('8099', '0'),
    serves: isPreview
  },
  'systemctl stop lookout': { does: async (t, { station }) => t.equal((await station?.stop())?.code, 0) },
  'mv /var/lib/lookout /var/lib/lookout-old': {},
  'mv /var/lib/lookout-new /var/lib/lookout': {},
  'systemctl start lookout': {
    does: async (t, at) => {
      at.station = at.newcomer.begin(t, 'exec lookout start --profile home --no-demo')
      const url = await addressOf(at.station)
      t.match(await (await fetch(`${url}/api/status`)).json(), { coverage_areas: 1, matrix_enabled: true })
    }
  }
}

t.test("the operator's guide: what it has people type does what it says", async (t) => {
  const at = await stationFor(t, { http: { tls: { port: 0 } } })
  const { newcomer, url } = at
  await eventually('the certificate is made', () => existsSync(newcomer.path('station/tls.pem')))
  mkdirSync(newcomer.path('usb'))
  mkdirSync(newcomer.path('tmp'))
  for (const state of ['ID', 'MT'])
    newcomer.write(
      `${state === 'ID' ? 'idaho' : 'montana'}.csv`,
      `number,street,city,state,zip,lat,lon\n12,MAIN ST,TOWN,${state},83333,43.5,-114.3\n`
    )
  newcomer.write('config.yaml', 'bot:\n  name: Hill\n')
  newcomer.write(
    'notifications.yaml',
    'region_routes:\n  mt_enabled: true\n  cells:\n    fire:\n      North: { mt: 3, mc: north-fire }\n'
  )
  newcomer.write('coverage.yaml', 'areas:\n  - { name: North, west: -115, south: 43, east: -114, north: 44 }\n')
  const words: [string, string][] = [
    ['/var/lib/lookout', newcomer.path('station')],
    ['/mnt/usb', newcomer.path('usb')],
    ['/tmp/support', newcomer.path('tmp/support')],
    ['http://localhost:8080', url]
  ]
  await walkPage(t, { page: 'docs/operator.md', at, known: OPERATOR, words })
})

/** The answer of an upload, whose hash is the name of the document from then on. */
const hashOf = (said: Said | undefined): string => (JSON.parse(said?.stdout ?? '{}') as { hash?: string }).hash ?? ''
const UPLOAD = 'curl -F category=Manuals -F file=@well.pdf $U/api/upload'
/** Keeps what a variable of the page is set to, for the lines below it. */
const keeps =
  (name: string, pattern: RegExp): NonNullable<Walk['check']> =>
  (t, { stdout }, { newcomer }) => {
    t.match(stdout, pattern)
    newcomer.env[name] = stdout
  }
const setting = (name: string) => (command: string) => `${command}; printf %s "$${name}"`
/** The account of an installed board is not here. */
const asNewcomer = (command: string): string =>
  command.replace('sudo ', '').replace('-o lookout -g lookout ', '').replace('/var/lib/lookout', 'data')
const KNOWLEDGE: Record<string, Known> = {
  'lookout doctor': DOCTOR,
  [`curl -H 'Content-Type: application/json' -d '{"url":"https://example.org/wells"}' $U/api/ingest/url`]: {
    // There is no network here.
    in: 'test/dashboard/knowledge-web.test.ts',
    as: "ask({ path: '/api/ingest/url'"
  },
  [`curl -H 'Content-Type: application/json' -d '{"text":"https://example.org/wells\\nhttps://example.org/pumps.pdf"}' $U/api/ingest/bulk`]:
    {
      check: says(/"kind":"addresses"/)
    },
  'curl $U/api/ingest/places': { check: says(/^\{"places":\[/) },
  'curl -F file=@talk.vtt -F source_url=https://example.org/talk $U/api/ingest/transcript': {
    check: (t, said) => t.match(hashOf(said), /^[0-9a-f]{64}$/, said.stdout)
  },
  'curl "$U/api/search?q=boil+water&limit=5"': {
    check: (t, { stdout }) => t.type((JSON.parse(stdout) as { results?: object[] }).results, Array, stdout)
  },
  [`curl -H 'Content-Type: application/json' -d '{"question":"how do I make water safe?"}' $U/api/ask`]: {
    check: says(/^\{.*"answer/)
  },
  'lookout backup DIR': { instead: (command) => command.replace('DIR', 'backups'), check: says(/Z\n$/) },
  'sudo install -d -o lookout -g lookout /var/lib/lookout/models/potion-base-8M': { instead: asNewcomer },
  'sudo install -o lookout -g lookout -m 644 model.safetensors tokenizer.json /var/lib/lookout/models/potion-base-8M/':
    {
      instead: asNewcomer,
      check: (t, _, { newcomer }) =>
        t.same(readdirSync(newcomer.path('data/models/potion-base-8M')).sort(), ['model.safetensors', 'tokenizer.json'])
    },
  'sudo apt install bubblewrap s6 poppler-utils tesseract-ocr libmobi-tools catdoc libreoffice-writer-nogui': {
    in: '.ci/run',
    as: 'tesseract=tesseract-ocr mobitool=libmobi-tools catdoc'
  },
  [UPLOAD]: { check: (t, said) => t.match(hashOf(said), /^[0-9a-f]{64}$/, said.stdout) },
  'curl $U/api/upload/HASH/status': {
    instead: (command, { said }) => command.replace('HASH', hashOf(said[UPLOAD])),
    check: says(/"filename":"well\.pdf"/)
  },
  'F=atlas.pdf': { instead: setting('F'), check: keeps('F', /^atlas\.pdf$/) },
  [`P=$(curl -si -X POST $U/api/uploads -H 'Tus-Resumable: 1.0.0' -H "Upload-Length: $(stat -c %s $F)" -H "Upload-Metadata: filename $(printf %s $F | base64 -w0)" | tr -d '\\r' | sed -n 's/^[Ll]ocation: //p')`]:
    { instead: setting('P'), check: keeps('P', /^\/api\/uploads\/\S+$/) },
  [`O=$(curl -sI $U$P -H 'Tus-Resumable: 1.0.0' | tr -d '\\r' | sed -n 's/^[Uu]pload-[Oo]ffset: //p')`]: {
    instead: setting('O'),
    check: keeps('O', /^0$/)
  },
  [`tail -c +$((O + 1)) $F | curl -X PATCH $U$P --data-binary @- -H 'Tus-Resumable: 1.0.0' -H "Upload-Offset: $O" -H 'Content-Type: application/offset+octet-stream'`]:
    {
      instead: (command) => command.replace('curl', 'curl --fail-with-body'),
      check: async (t, _, { newcomer }) => {
        const hash = createHash('sha256')
          .update(readFileSync(newcomer.path('atlas.pdf')))
          .digest('hex')
        const { stdout } = await newcomer.type(t, `curl -s $U/api/upload/${hash}/status`)
        t.match(JSON.parse(stdout), { hash }, 'it is there')
      }
    }
}

t.test('knowledge: a file comes in by the commands of the page, in one piece and in pieces', async (t) => {
  const at = await stationFor(t)
  const captions = [
    'Boil the water for one minute before you drink it, and let it cool down in a clean pot with a lid.',
    'Where fuel is short, put it into the sun in a clear bottle for six hours, and for two days under clouds.'
  ]
  at.newcomer.write(
    'talk.vtt',
    `WEBVTT\n\n${captions.map((words, nth) => `00:${nth}0.000 --> 00:${nth}9.000\n${words}\n`).join('\n')}`
  )
  for (const name of ['model.safetensors', 'tokenizer.json']) at.newcomer.write(name, 'of the owner')
  for (const name of ['well', 'atlas'])
    writeFileSync(at.newcomer.path(`${name}.pdf`), await samplePdf([`The ${name} of this village, on one page.`]))
  await walkPage(t, { page: 'docs/knowledge.md', at, known: KNOWLEDGE })
})

/** The files of authorities as they are published, small: brought on a stick as `FILE`, or from a server of this machine. */
async function zoneFiles(t: Test, newcomer: Newcomer): Promise<void> {
  const files = createServer(({ url = '' }, response) => {
    const [content] = ZONE_FILES[url.slice(1)] ?? []
    response.writeHead(content === undefined ? 404 : 200).end(content)
  })
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
  t.teardown(() => files.close())
  newcomer.env['FILES'] = `http://127.0.0.1:${(files.address() as AddressInfo).port}`
  for (const [file, source] of [
    ['z_18mr25.zip', 'us-zones'],
    ['NUTS_RG_03M_2013_4326_LEVL_3.geojson', 'nuts3-2013'],
    ['warncells.geojson', 'de-districts'],
    ['FILE', 'jp-municipalities']
  ] as const)
    writeFileSync(newcomer.path(file), ZONE_FILES[source]?.[0] ?? '')
}

const fromHere = (command: string): string => `${command} --from $FILES/${command.replace(/.* /, '')}`
const SOURCES: Record<string, Known> = {
  'lookout feed nws': { in: 'test/app/sources.test.ts', as: "feed('quakes', '--config'" },
  'lookout feed county --file index.xml': {
    check: (t, { stdout, stderr }) => {
      t.match(JSON.parse(stdout), { source: 'county', title: /Flood/ })
      t.match(stderr, /^county: 1 listed, 1 events, 0 skipped\n$/)
    }
  },
  'lookout replay index.xml --config …': {
    instead: (command) => command.replace('…', 'docs/examples/config-minimal.json'),
    check: says(/A-1/)
  },
  'lookout zones import z_18mr25.zip': { check: says(/1 codes/) },
  'lookout zones list': { check: says(/z_18mr25/) },
  'lookout zones find IDZ014': { check: says(/^IDZ014 /) },
  'lookout zones sources FR': { check: says(/nuts3-2013[\s\S]*lookout zones fetch/) },
  'lookout zones fetch meteoalarm': { instead: fromHere, check: says(/SHA-256 [0-9a-f]{64}\n[\s\S]*3 codes/) },
  'lookout zones import NUTS_RG_03M_2013_4326_LEVL_3.geojson --source nuts3-2013': { check: says(/1 codes/) },
  'lookout zones import warncells.geojson --system WARNCELLID --code WARNCELLID': { check: says(/1 codes/) }
}
const ZONE_PACKS: Record<string, Known> = {
  'lookout zones sources JP': { check: says(/jp-municipalities[\s\S]*lookout zones fetch jp-municipalities/) },
  'lookout zones fetch jp-municipalities': {
    instead: fromHere,
    check: says(/SHA-256 [0-9a-f]{64}\n[\s\S]*2 codes/)
  },
  'lookout zones import FILE --source jp-municipalities': { check: says(/2 codes/) },
  'lookout zones find JMA:1310100': { check: says(/^JMA:1310100 /) }
}

t.test(
  'sources and zone packs: a station is told of a source and of outlines by the commands of the pages',
  async (t) => {
    const at: Place = { newcomer: new Newcomer(t), station: null, said: {} }
    const { newcomer } = at
    newcomer.env['LOOKOUT_DATA'] = newcomer.path('data')
    newcomer.write('data/config.json', blocksOf(read('docs/sources.md'), 'json')[0] ?? '')
    const circle = '<areaDesc>Valley</areaDesc><circle>43.5,-114.3 5</circle>'
    newcomer.write('index.xml', capDocument({ infos: [capInfo({ area: circle })] }))
    await zoneFiles(t, newcomer)
    await walkPage(t, { page: 'docs/sources.md', at, known: SOURCES })
    await walkPage(t, { page: 'docs/zone-packs.md', at, known: ZONE_PACKS })
  }
)

/** Typed with `--help`, for it takes minutes: the option is one that it knows. */
const explains = (option: string): Known => ({
  instead: (command) => `${command.replace(/ -- .*| --seed.*/, '')}${command.startsWith('npm') ? ' --' : ''} --help`,
  check: says(new RegExp(`${option}\\b`))
})
const DEVELOPER: Record<string, Known> = {
  'npm run dev': { does: (t) => isScript(t, 'npm run dev') },
  'npm test': { in: '.ci/run', as: 'suite test\n' },
  'npm test -- test/warning/routing': explains('FILE or FOLDER'),
  'npm test -- --again': explains('--again'),
  'node scripts/jolt.js --seed 3 -- npm test': explains('--seed'),
  'npm run check': { in: '.ci/run', as: 'npm run -s check' },
  'npm run check -- --changed': explains('--changed'),
  'npm run docs': { in: 'test/docs.test.ts', as: "docs('--check')" }
}

t.test("the developer's guide: its commands are there, with the options it names", async (t) => {
  const at: Place = { newcomer: new Newcomer(t), station: null, said: {} }
  await walkPage(t, { page: 'docs/developer.md', at, known: DEVELOPER })
})

const CLAIM: Known = { in: 'test/browser/first-run.test.ts', as: 'CODE.exec(first' }
const TROUBLES: Record<string, Known> = {
  'sudo lookout doctor': DOCTOR,
  'sudo apt install fonts-vlgothic': FONTS,
  'sudo lookout support-bundle': {
    check: (t, said, { newcomer }) => {
      const made = readdirSync(newcomer.folder).filter((name) => name.endsWith('.tar.gz'))
      t.equal(made.length, 1, JSON.stringify(said))
      for (const name of made) rmSync(newcomer.path(name))
    }
  },
  'sudo /opt/lookout/current/install.sh --rollback': { ...INSTALLER, as: "'--rollback'" }
}
/** No radio hangs on the machine of the tests. The numbers that its reader compares are those by which a board gets its name. */
function lsusb(t: Test): void {
  const rules = read('deploy/udev/60-lookout.rules').split('\n')
  let compared = 0
  for (const line of read('docs/handbook/wiring.md').split('\n')) {
    const names = [...line.matchAll(/`\/dev\/radio\/(?!port-)(\w+)-…`/g)].map(([, name = '']) => name)
    for (const [, vendor = '', model = ''] of line.matchAll(/`([0-9a-f]{4})(?::([0-9a-f]{4}))?`/g)) {
      const rule = rules.find((one) => one.includes(`ENV{ID_VENDOR_ID}=="${vendor}"`)) ?? ''
      t.ok(rule !== '' && rule.includes(model), `${vendor}:${model}`)
      for (const name of names) t.match(rule, `LOOKOUT_BOARD}="${name}"`)
      compared++
    }
  }
  t.ok(compared >= 6, `${compared} numbers`)
}
const WIRING: Record<string, Known> = {
  lsusb: { does: lsusb },
  'sudo lookout doctor': DOCTOR
}
const simulates = (protocol: string, script: string): Known => ({
  check: says(new RegExp(`${protocol}[\\s\\S]*^ {2}npm run ${script} -- \\[--port \\d+\\]`, 'm'))
})
const SILENCE = (reason: string): Record<string, Known> => ({
  [`curl -X POST $U/api/silences -H 'content-type: application/json' -d '{"family": "weather", "duration": "2h", "reason": "${reason}", "include_immediate": true}'`]:
    { check: says(new RegExp(`"reason":"${reason}"`)) }
})
const RADIOS: Record<string, Known> = {
  'npm run sim:mt': { in: 'test/warning/radios/sim.test.ts', as: 'sim:mt' },
  'npm run sim:mc': { in: 'test/warning/radios/sim.test.ts', as: 'sim:mc' },
  'npm run sim:mt -- --help': simulates('Meshtastic', 'sim:mt'),
  'npm run sim:mc -- --help': simulates('MeshCore', 'sim:mc')
}
const HANDBOOK: Record<string, Record<string, Known>> = {
  'quick-start.md': { 'sudo journalctl -u lookout | grep claim': CLAIM },
  'troubleshooting.md': TROUBLES,
  'wiring.md': WIRING,
  'de/quick-start.md': { 'sudo journalctl -u lookout | grep claim': CLAIM },
  'de/troubleshooting.md': TROUBLES,
  'de/wiring.md': WIRING,
  'de/commands.md': SILENCE('Sirenenprobe'),
  'de/radios.md': RADIOS
}

t.test('the handbook, quick start first: what it has people type does what it says, in both languages', async (t) => {
  const at = await stationFor(t)
  const pages = readdirSync(join(root, 'docs/handbook'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md')
  )
  t.ok(pages.length >= 10)
  for (const page of pages) await walkPage(t, { page: `docs/handbook/${page}`, at, known: HANDBOOK[page] ?? {} })
  await walkPage(t, { page: 'docs/commands.md', at, known: SILENCE('siren test') })
  await walkPage(t, { page: 'docs/radios.md', at, known: RADIOS })
})

/** A line of the story without what is of its moment: the time of day, the port, the process, and the end of the warning (`til Sun 12:15a` before midnight) with its length. */
function lasting(line: string): string {
  const until = /til ((?:[A-Z][a-z]{2} )?\d+:\d\d[ap])/.exec(line)?.[1] ?? ''
  return line
    .replace(/^\d\d:\d\d:\d\d /, 'hh:mm:ss ')
    .replace(/http:\/\/127\.0\.0\.1:\d+/, 'http://127.0.0.1:PORT')
    .replace(/pid=\d+/, 'pid=PID')
    .replace(`til ${until}`, 'til TIME')
    .replace(/\((\d+) bytes\)/, (_, bytes: string) => `(${Number(bytes) - until.length} bytes besides the time)`)
}

/** The lines shown, a piece at a time: an event with all that was decided about it, or one line. */
const piecesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(lasting)
    .reduce<string[]>((pieces, line) => {
      const last = pieces.at(-1)
      if (last !== undefined && line.startsWith('   ')) pieces[pieces.length - 1] = `${last}\n${line}`
      else if (line !== '' && line !== '…') pieces.push(line)
      return pieces
    }, [])

t.test('README: the demo says what stands there, line by line', async (t) => {
  const [shown = ''] = blocksOf(readme, 'text')
  const pieces = piecesOf(shown)
  t.ok(pieces.length >= 6)
  const last = pieces.at(-1) ?? ''
  await eventually('the last of it', () => piecesOf(demo.said().stdout).includes(last)).catch((error: unknown) =>
    t.fail(String(error))
  )
  const said = piecesOf(demo.said().stdout)
  for (const piece of pieces) t.ok(said.includes(piece), `${piece}\n\nis not in:\n${said.join('\n')}`)
  const events = (all: string[]): string[] => all.filter((piece) => piece.includes('  EVENT  '))
  const order = events(pieces).map((piece) => events(said).indexOf(piece))
  t.same(
    order,
    [...order].sort((a, b) => a - b),
    'in this order'
  )
  t.notMatch((await demo.stop()).stderr, /^\s+at /m, 'it ends without a stack')
})
