import { readFileSync } from 'node:fs'
import t from 'tap'
import { problemSentence } from '../../../src/dashboard/pages/frame/problem-words.ts'
import { translator } from '../../../src/dashboard/words/language.ts'
import { because } from '../../../src/model/reason.ts'
import { judge } from '../../../src/warning/readiness/checks.ts'
import type { StationFacts } from '../../../src/warning/readiness/facts.ts'
import { PROBLEM_CODES, type ProblemCode } from '../../../src/warning/readiness/problem.ts'
import { note } from '../../helpers/in-words.ts'
import { config, facts, NOW, north, radio, source } from '../../helpers/station-facts.ts'

const lost = { id: 'a b', source: 'nws', title: 'Tornado', severity: 'immediate', reason: 'no_route', at: NOW }
const mixed = { weather: { North: { mt: 3, mc: 'north' } } }

const matrixOff = { region_routes: { enabled: false, cells: north } }
const pushes = { toggles: { fire: { enabled: true, broadcast_channel: 2 } } }

t.test('a station of which nothing bad is known is ready and has no problem', async (t) => {
  t.same(judge(facts()), { ready: true, problems: [] })
})

/** Contract §13, one line each: what is changed on a good station, and the codes that are told then. */
const blocking: [string, Partial<StationFacts>, ProblemCode[]][] = [
  [
    'notifications are off',
    { config: config({ notifications: { enabled: false, region_routes: { enabled: true, cells: north } } }) },
    ['notifications_off']
  ],
  [
    'no area has a name',
    { config: config({ coverage: { areas: [{ bbox: [0, 0, 1, 1] }] } }) },
    ['no_named_area', 'matrix_empty', 'family_unrouted']
  ],
  ['areas are named and tagging is off', { config: config({ coverage: { region_tagging: false } }) }, ['tagging_off']],
  [
    'the matrix is off and nothing else sends',
    { config: config({ notifications: matrixOff }) },
    ['matrix_off', 'family_unrouted']
  ],
  [
    'the matrix is empty and nothing else sends',
    { config: config({ notifications: { region_routes: { enabled: true, cells: {} } } }) },
    ['matrix_empty', 'family_unrouted']
  ],
  [
    'every cell is disabled',
    {
      config: config({
        notifications: { region_routes: { enabled: true, cells: { weather: { North: { mt: 3, enabled: false } } } } }
      })
    },
    ['matrix_empty', 'family_unrouted']
  ],
  [
    'every cell is of a region that is gone',
    {
      config: config({ notifications: { region_routes: { enabled: true, cells: { weather: { Gone: { mt: 3 } } } } } })
    },
    ['matrix_empty', 'family_unrouted']
  ],
  [
    'the matrix is off for the only network of its cells, and nothing else sends',
    { config: config({ notifications: { region_routes: { enabled: true, mt_enabled: false, cells: north } } }) },
    ['matrix_empty', 'matrix_network_off', 'family_unrouted']
  ],
  [
    'a policy is on that names no channel',
    { config: config({ notifications: { ...matrixOff, toggles: { fire: { enabled: true } } } }) },
    ['matrix_off', 'family_unrouted']
  ],
  ['there is no radio', { radios: [] }, ['no_radio']],
  [
    'all radios are down',
    { radios: [{ ...radio, state: 'down', reason: note('no answer') }] },
    ['all_radios_down', 'radio_down']
  ],
  [
    'the only radio is still connecting',
    { radios: [{ ...radio, state: 'connecting' }] },
    ['all_radios_down', 'radio_connecting']
  ],
  [
    'the only radio cannot be made',
    { radios: [], unmadeRadios: [note('radio mt: no such port')] },
    ['all_radios_down', 'radio_unusable']
  ],
  ['nothing can be stored', { storage: { code: 'read_only', since: NOW, detail: '' } }, ['storage_failing']]
]

for (const [name, changes, codes] of blocking)
  t.test(`nothing would be sent when ${name}: not ready`, async (t) => {
    const { ready, problems } = judge(facts(changes))
    t.equal(ready, false)
    t.same(
      problems.map(({ code }) => code),
      codes
    )
    t.equal(problems[0]?.blocking, true)
  })

const missed: [string, Partial<StationFacts>, ProblemCode[]][] = [
  [
    'a channel is missing',
    { radios: [{ ...radio, missing: [{ channel: 3, problem: 'no_channel' }] }] },
    ['channel_missing']
  ],
  [
    'a channel is disabled',
    { radios: [{ ...radio, missing: [{ channel: 3, problem: 'channel_disabled' }] }] },
    ['channel_disabled']
  ],
  [
    'cells go to a network without a radio',
    {
      config: config({
        notifications: { region_routes: { enabled: true, cells: { weather: { North: { mt: 3, mc: 'north' } } } } }
      })
    },
    ['network_without_radio']
  ],
  [
    'a family has a source and no route',
    { config: config({ sources: [{ kind: 'nws', area: ['ID'] }, { kind: 'usgs' }] }) },
    ['family_unrouted']
  ],
  [
    'the matrix is off for a network that has a radio',
    { config: config({ notifications: { region_routes: { enabled: true, mt_enabled: false, cells: mixed } } }) },
    ['network_without_radio', 'matrix_network_off']
  ],
  [
    'the matrix is off for a network that has no radio',
    { config: config({ notifications: { region_routes: { enabled: true, mc_enabled: false, cells: mixed } } }) },
    []
  ],
  [
    'the matrix is off as a whole, and a switch of a network with it',
    {
      config: config({
        notifications: {
          region_routes: { enabled: false, mt_enabled: false, cells: north },
          toggles: { weather: { enabled: true, broadcast_channel: 1 } }
        }
      })
    },
    ['matrix_silent']
  ],
  [
    'every cell is muted, and a policy speaks beside them',
    {
      config: config({
        notifications: {
          region_routes: { enabled: true, cells: { weather: { North: { mt: 3, enabled: false, mute: true } } } },
          toggles: { weather: { enabled: true, broadcast_channel: 1 } }
        }
      })
    },
    ['matrix_silent']
  ],
  [
    'the network of all cells is off, there is a policy, and no radio of that network',
    {
      radios: [{ ...radio, id: 'mc', network: 'mc' }],
      config: config({
        notifications: {
          region_routes: { enabled: true, mt_enabled: false, cells: north },
          toggles: { weather: { enabled: true, broadcast_channel: 1 }, fire: { enabled: true, broadcast_channel: 1 } }
        }
      })
    },
    ['matrix_silent']
  ],
  [
    'the matrix of another system is off',
    {
      config: config({
        notifications: {
          region_routes: { mt_enabled: true, cells: north },
          toggles: { weather: { enabled: true, broadcast_channel: 1 } }
        }
      })
    },
    ['imported_matrix_off']
  ],
  [
    'space weather has cells and no policy',
    {
      config: config({
        sources: [{ kind: 'nws', area: ['ID'] }, { kind: 'swpc' }],
        notifications: { region_routes: { enabled: true, cells: { ...north, rf_propagation: { North: { mt: 3 } } } } }
      })
    },
    ['family_unrouted']
  ],
  [
    'one of two radios is down',
    { radios: [radio, { ...radio, id: 'mc', network: 'mc', state: 'down' }] },
    ['radio_down']
  ],
  ['a radio is suspect', { radios: [{ ...radio, state: 'suspect' }] }, ['radio_suspect']],
  [
    'no source of hazards is on',
    { config: config({ sources: [{ kind: 'nws', area: ['ID'], enabled: false }] }), sources: [] },
    ['no_hazard_source']
  ],
  [
    'a source is silent for more than three intervals',
    { sources: [{ ...source, state: 'failing', heardAt: NOW - 181_000 }] },
    ['source_silent']
  ],
  [
    'a source has never answered',
    { sources: [{ ...source, state: 'failing', heardAt: NOW - 181_000, answered: false }] },
    ['source_silent']
  ],
  ['a source has just failed', { sources: [{ ...source, state: 'failing' }] }, ['source_failing']],
  [
    'a source may not be asked',
    { sources: [{ ...source, state: 'blocked', reason: note('no contact') }] },
    ['source_blocked']
  ],
  ['a broker is gone', { sources: [{ ...source, intervalSeconds: null, state: 'down' }] }, ['source_down']],
  ['messages failed', { failedMessages: 8 }, ['messages_failed']],
  ['a grave event ended without a message', { untold: [lost] }, ['event_untold']],
  ['zones nothing places', { unplaced: [{ title: 'Tsunami Warning', told: true }] }, ['zones_unplaced']],
  ['the clock was never set', { now: 86_400_000, sources: [] }, ['clock_unknown']],
  ['the clock leapt', { clock: { jump: { seconds: -7200, at: NOW }, from: null } }, ['clock_jumped']],
  ['the time is a radio’s', { clock: { jump: null, from: 'mc' } }, ['clock_from_radio']],
  ['the disk is nearly full', { disk: { freeBytes: 50 * 2 ** 20 } }, ['disk_nearly_full']],
  ['the loop stood still', { loop: { stalledMs: 2500, at: NOW } }, ['loop_stalled']],
  [
    'nothing is written though events come',
    { writes: { lastAt: null, unwrittenSince: NOW - 61_000 } },
    ['writes_stopped']
  ],
  ['the supply is too weak', { undervoltage: true }, ['undervoltage']],
  ['a stick for backups is missing', { backup: because('backup_stick_missing') }, ['backup_failed']],
  ['the machine is under strain', { shed: because('strain_temperature', { value: 79 }) }, ['work_shed']],
  ['starts failed', { failedStarts: 3 }, ['starts_failed']],
  ['the database of documents cannot be opened', { knowledgeClosed: true }, ['knowledge_closed']],
  ['a damaged database was put aside', { putAside: ['metrics.db.bad-20260601T180000Z'] }, ['database_put_aside']],
  ['config.json is broken', { configStale: true }, ['config_stale']],
  ['a proxy stands on this machine', { proxySign: 'x-real-ip' }, ['proxy_unnamed']],
  ["an admin's node showed another key", { changedKeys: 1 }, ['admin_key_changed']],
  ['the demo runs', { demo: true }, ['demo']],
  ['a drill runs', { drill: true }, ['drill']],
  [
    'this is a preview',
    {
      preview: true,
      radios: [],
      sources: [],
      config: config({ radios: [{ id: 'a', network: 'mt', link: 'simulated' }] })
    },
    ['preview']
  ]
]

for (const [name, changes, codes] of missed)
  t.test(`something would be missed when ${name}: told, and still ready`, async (t) => {
    const { ready, problems } = judge(facts(changes))
    t.same(
      problems.map(({ code }) => code),
      codes
    )
    t.equal(ready, true)
  })

t.test('a policy or a rule that sends keeps a station without a matrix ready', async (t) => {
  const by = (notifications: object) =>
    judge(facts({ config: config({ notifications: { ...matrixOff, ...notifications }, sources: [] }) }))
  t.same(
    by(pushes).problems.map(({ code }) => code),
    ['matrix_silent', 'no_hazard_source']
  )
  t.same(
    by({ ...pushes, region_routes: { enabled: true, cells: {} } }).problems.map(({ code }) => code),
    ['no_hazard_source'],
    'a matrix nobody has filled in promises nothing'
  )
  const rule = { name: 'r', categories: ['earthquake_event'], delivery_type: 'mesh_broadcast', broadcast_channel: 1 }
  t.equal(by({ rules: [rule] }).ready, true)
  t.equal(by({ rules: [{ ...rule, enabled: false }] }).ready, false)
})

t.test('a source within its three intervals, and one that is off, are no problem', async (t) => {
  for (const one of [
    { ...source, heardAt: NOW - 179_000 },
    { ...source, state: 'off', heardAt: 0 },
    { ...source, state: 'ready', intervalSeconds: null, heardAt: 0 }
  ])
    t.same(judge(facts({ sources: [one] })).problems, [])
})

t.test('of many grave events a few are named, each with its page, and the rest is counted', async (t) => {
  const { problems } = judge(facts({ untold: Array.from({ length: 9 }, () => lost) }))
  t.equal(problems.length, 6)
  t.equal(problems[0]?.link, '/events/a%20b?source=nws')
  t.same(problems.at(-1)?.params['more'], 4)
})

t.test('every problem is a sentence in English and in German, and stands in the operator guide', async (t) => {
  const all = [...blocking, ...missed].flatMap(([, changes]) => judge(facts(changes)).problems)
  t.same([...new Set(all.map(({ code }) => code))].sort(), [...PROBLEM_CODES].sort(), 'every code is met above')
  const guide = readFileSync(new URL('../../../docs/operator.md', import.meta.url), 'utf8')
  for (const code of PROBLEM_CODES) t.match(guide, `\`${code}\``, code)
  for (const problem of all) {
    const english = problemSentence(problem, { t: translator('en'), language: 'en', isGuest: false })
    const german = problemSentence(problem, { t: translator('de'), language: 'de', isGuest: false })
    t.match(english, /^[A-Z“0-9].*[.!)]$/, problem.code)
    t.not(german, english, problem.code)
    t.notMatch(english + german, /\{|undefined/, problem.code)
    t.match(problem.link, /^\//)
  }
})
