import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { languageOfTerminal, takeLanguage } from '../../src/cli/language.ts'
import { FIRE } from '../helpers/fire.ts'
import { run } from '../helpers/process.ts'

const VERBS = [
  'start',
  'preview',
  'tag',
  'explain',
  'replay',
  'check-config',
  'doctor',
  'backup',
  'restore',
  'import',
  'forget',
  'token'
]

/** Three at a time: a start is mostly waiting. */
async function together<T>(cases: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = [...cases]
  const worker = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next)
  }
  await Promise.all([worker(), worker(), worker()])
}

t.test('every verb explains itself on stdout and exits 0', async (t) => {
  const cwd = t.testdir({})
  await together([['--help'], ['help'], ['tag', '-h'], ...VERBS.map((verb) => [verb, '--help'])], async (args) => {
    const { code, stdout, stderr } = await run(t, args, { cwd })
    t.equal(code, 0, `${args.join(' ')} exits 0`)
    t.match(stdout, /usage: lookout/, `${args.join(' ')} shows its usage`)
    t.equal(stderr, '', `${args.join(' ')} is silent on stderr`)
  })
  const bare = await run(t, [], { cwd })
  t.equal(bare.code, 2, 'without a verb nothing can be done')
  for (const verb of VERBS) t.match(bare.stdout, new RegExp(`^ {2}${verb}\\b`, 'm'), `${verb} is listed`)
  const version = await run(t, ['--version'], { cwd })
  t.match([version.code, version.stdout], [0, /^\d+\.\d+\.\d+\S*\n$/])
})

t.test('wrong usage exits 2 with one plain line on stderr and nothing on stdout', async (t) => {
  const cwd = t.testdir({ 'areas.json': '[]', 'fire.json': JSON.stringify(FIRE), 'config.json': '{}' })
  const cases: [args: string[], said: RegExp][] = [
    [['fly'], /unknown verb "fly".*start, preview/],
    ...VERBS.map((verb): [string[], RegExp] => [[verb, '--frobnicate'], /frobnicate/]),
    [['start', '--port', '65536'], /--port is "65536".*0 to 65535/],
    [['start', '--port', 'http'], /--port is "http"/],
    [['start', '--log', 'loud'], /--log is "loud".*trace/],
    [['start', '--data', '', '--port', '0'], /--data is empty/],
    [['token', 'list', '--data', ' '], /--data is empty/],
    [['start', 'somewhere'], /positional|argument/i],
    [['preview', 'a', 'b'], /one folder/],
    [['tag'], /--areas FILE/],
    [['explain'], /--event FILE/],
    [['explain', '--event', 'fire.json', '--at', 'noon'], /--at is an RFC 3339 time/],
    [['replay'], /at least one file/],
    [['replay', 'fire.json', '--speed', '0'], /--speed/],
    [['replay', 'fire.json', '--speed', 'fast'], /--speed/],
    [['replay', 'fire.json', '--as', 'morse'], /morse.*nws/s],
    [['check-config', 'a', 'b'], /one file/],
    [['token', 'new'], /--scope/],
    [['token', 'new', '--scope', 'king'], /--scope/],
    [['token', 'revoke'], /token revoke ID/],
    [['token', 'revoke', 'nobody'], /no token nobody/],
    [['token', 'steal'], /unknown action "steal"/]
  ]
  await together(cases, async ([args, said]) => {
    const { code, stdout, stderr } = await run(t, args, { cwd })
    t.equal(code, 2, `${args.join(' ')} exits 2`)
    t.equal(stdout, '', `${args.join(' ')} prints nothing for machines`)
    t.match(stderr, said, `${args.join(' ')} says what is wrong`)
    t.notMatch(stderr, /^\s+at /m, 'and shows no stack')
  })
})

t.test('what is missing exits 4 and what is refused exits 3, each naming the file', async (t) => {
  const cwd = t.testdir({
    'broken.json': '{\n  "coverage": {\n    "enabled": maybe\n  }\n}\n',
    'wrong.json': JSON.stringify({ coverage: { areas: [{ name: 'North', bbox: [0, 50, 1, 40] }] } }, null, 2),
    'list.json': '[{"name": "North", "bbox": [0, 1]}]',
    'fire.json': JSON.stringify(FIRE),
    'prose.txt': 'no feed at all',
    unplugged: t.fixture('symlink', 'usb-disk/lookout')
  })
  const cases: [args: string[], code: number, said: RegExp][] = [
    [['tag', '--areas', 'absent.json'], 4, /absent\.json/],
    [['tag', '--areas', 'broken.json'], 3, /broken\.json.*JSON/],
    [['tag', '--areas', 'list.json'], 3, /list\.json.*\/0\/bbox/],
    [['tag', '--areas', 'wrong.json'], 3, /\/coverage\/areas\/0/],
    [['explain', '--event', 'absent.json'], 4, /absent\.json/],
    [['explain', '--event', 'fire.json', '--config', 'absent.json'], 4, /absent\.json/],
    [['explain', '--event', 'fire.json', '--config', 'broken.json'], 3, /broken\.json/],
    [['explain', '--event', 'fire.json', '--config', 'wrong.json'], 3, /\/coverage\/areas\/0/],
    [['explain', '--event', 'prose.txt'], 2, /nws|feed/i],
    [['replay', 'absent.json'], 4, /absent\.json/],
    [['replay', 'fire.json', '--config', 'absent.json'], 4, /absent\.json/],
    [['replay', 'fire.json', '--config', 'broken.json'], 3, /broken\.json/],
    [['replay', 'fire.json', '--config', 'wrong.json'], 3, /\/coverage\/areas\/0/],
    [['replay', 'prose.txt'], 2, /prose|feed|nws/i],
    [['check-config', 'absent.json'], 3, /absent\.json/],
    [['check-config', 'broken.json'], 3, /broken\.json:3:\d+/],
    [['check-config', 'wrong.json'], 3, /wrong\.json:\d+:\d+: \/coverage\/areas\/0/],
    [['token', 'new', '--scope', 'events', '--data', 'prose.txt'], 4, /prose\.txt.*a file is in the way/],
    [['token', 'claim', '--data', 'unplugged'], 4, /link to usb-disk\/lookout.*disk mounted/],
    [['start', '--data', 'prose.txt', '--port', '0'], 4, /prose\.txt.*a file is in the way/],
    [['start', '--data', 'prose.txt/data', '--port', '0'], 4, /a file is in the way/],
    [['start', '--data', 'unplugged', '--port', '0'], 4, /link to usb-disk\/lookout.*disk mounted/],
    [['start', '--profile', 'mansion', '--port', '0'], 3, /mansion.*home.*minimal_pi/s]
  ]
  await together(cases, async ([args, code, said]) => {
    const ended = await run(t, args, { cwd })
    t.equal(ended.code, code, `${args.join(' ')} exits ${code}`)
    t.equal(ended.stdout, '', `${args.join(' ')} prints nothing for machines`)
    t.match(ended.stderr, said, `${args.join(' ')} says where`)
    t.notMatch(ended.stderr, /^\s+at /m, 'and shows no stack')
  })
})

t.test('an empty LOOKOUT_DATA counts as not set, whichever verb reads it', async (t) => {
  const cwd = t.testdir({})
  const { code } = await run(t, ['token', 'new', '--scope', 'events'], { cwd, env: { LOOKOUT_DATA: '' } })
  t.equal(code, 0)
  t.ok(existsSync(join(cwd, 'data/tokens.json')), 'before the first start the folder is made')
  t.notOk(existsSync(join(cwd, 'tokens.json')))
})

t.test('what went wrong is said in the language of the terminal, or the one that is asked for', async (t) => {
  const german = 'lookout: unbekannte Aktion „x“: import oder check\n'
  const english = 'lookout: unknown action "x": import or check\n'
  const cases: [string[], Record<string, string>, string][] = [
    [[], { LC_ALL: '', LC_MESSAGES: 'de_DE', LANG: 'en_US.UTF-8' }, german],
    [['--lang=en'], { LC_ALL: 'de_AT.UTF-8' }, english],
    [['--lang', 'fr'], { LC_ALL: 'C' }, 'lookout: --lang is en or de, not "fr"\n']
  ]
  await together(cases, async ([options, env, stderr]) => {
    t.match(await run(t, ['addresses', 'x', ...options], { env }), { code: 2, stdout: '', stderr }, options.join(' '))
  })
  for (const [env, language] of [
    [{ LC_ALL: 'de_AT.UTF-8' }, 'de'],
    [{ LANG: 'de' }, 'de'],
    [{ LC_ALL: '', LANG: 'de@euro' }, 'de'],
    [{ LC_ALL: 'C', LANG: 'de_AT.UTF-8' }, 'en'],
    [{ LC_ALL: 'POSIX' }, 'en'],
    [{ LC_ALL: 'den_CA' }, 'en'],
    [{ LC_ALL: 'fr_FR.UTF-8' }, 'en'],
    [{}, 'en']
  ] as const)
    t.equal(languageOfTerminal(env), language, JSON.stringify(env))
  t.same(takeLanguage(['a', '--lang', 'de', 'b']), { asked: 'de', rest: ['a', 'b'] })
  t.same(takeLanguage(['--', '--lang', 'de']), { asked: null, rest: ['--', '--lang', 'de'] }, 'behind -- it is a name')
  t.throws(() => takeLanguage(['--lang']), { code: 'usage' })
  const data = t.testdir({ 'event.json': JSON.stringify({ ...FIRE, title: '' }) })
  const refused = await run(t, ['explain', '--event', join(data, 'event.json'), '--lang', 'de'])
  t.match(refused.stderr, /item 1 is no event: Das Ereignis wird abgelehnt/)
})
