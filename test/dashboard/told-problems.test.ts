import t from 'tap'
import { judge } from '../../src/warning/readiness/checks.ts'
import type { StationFacts } from '../../src/warning/readiness/facts.ts'
import type { ProblemCode } from '../../src/warning/readiness/problem.ts'
import { config, facts, NOW, north, radio, source } from '../helpers/station-facts.ts'
import { station } from './harness.ts'

const MUTED = { fire: { North: { mt: 3, enabled: false, mute: true } } }
const policy = { toggles: { fire: { enabled: true, broadcast_channel: 1 } } }

/** All that may keep a warning from people, one line each. */
const KEPT: [string, Partial<StationFacts>, ProblemCode][] = [
  ['tagging is off', { config: config({ coverage: { region_tagging: false } }) }, 'tagging_off'],
  ['no area has a name', { config: config({ coverage: { areas: [{ bbox: [0, 0, 1, 1] }] } }) }, 'no_named_area'],
  [
    'there is no cell',
    { config: config({ notifications: { region_routes: { enabled: true, cells: {} } } }) },
    'matrix_empty'
  ],
  [
    'the matrix is off',
    { config: config({ notifications: { region_routes: { enabled: false, cells: north } } }) },
    'matrix_off'
  ],
  [
    'the matrix is off, and a policy sends',
    { config: config({ notifications: { region_routes: { enabled: false, cells: north }, ...policy } }) },
    'matrix_silent'
  ],
  [
    'all cells are muted, and a policy sends',
    { config: config({ notifications: { region_routes: { enabled: true, cells: MUTED }, ...policy } }) },
    'matrix_silent'
  ],
  [
    'the network is off',
    {
      config: config({
        notifications: { region_routes: { enabled: true, mt_enabled: false, cells: north }, ...policy }
      })
    },
    'matrix_network_off'
  ],
  ['there is no source', { config: config({ sources: [] }), sources: [] }, 'no_hazard_source'],
  ['a source is silent', { sources: [{ ...source, state: 'failing', heardAt: NOW - 181_000 }] }, 'source_silent'],
  [
    'a channel is missing',
    { radios: [{ ...radio, missing: [{ channel: 3, problem: 'no_channel' }] }] },
    'channel_missing'
  ],
  [
    'a channel is disabled',
    { radios: [{ ...radio, missing: [{ channel: 3, problem: 'channel_disabled' }] }] },
    'channel_disabled'
  ],
  ['messages failed', { failedMessages: 2 }, 'messages_failed'],
  ['the clock is not known', { now: 86_400_000, sources: [] }, 'clock_unknown'],
  ['the disk is nearly full', { disk: { freeBytes: 50 * 2 ** 20 } }, 'disk_nearly_full']
]

for (const [name, changes, code] of KEPT)
  t.test(`while ${name}, the status and the overview name it in the language asked for`, async (t) => {
    const { ask } = await station(t, { context: { readiness: () => judge(facts(changes)) } })
    for (const language of ['en', 'de']) {
      const headers = { 'accept-language': language }
      const { body } = await ask({ path: '/api/status', headers })
      const told = body.readiness.problems.find((problem: { code: string }) => problem.code === code)
      t.ok(told?.message.length > 20, `${language}: ${told?.message}`)
      const { text } = await ask({ path: '/', headers })
      const list = text.slice(text.indexOf('id="problems"'))
      t.ok(list.replaceAll('&quot;', '"').replaceAll('&#39;', "'").includes(told.message), `${language}: the overview`)
      t.match(list, `<a href="${told.link}">`)
      t.match(text, /id="trouble"[^>]*><a /, 'and the head, which stands on every page')
    }
  })

t.test('a station of which nothing bad is known names nothing', async (t) => {
  const { ask } = await station(t, { context: { readiness: () => judge(facts()) } })
  t.same((await ask('/api/status')).body.readiness, { ready: true, problems: [] })
  t.notMatch((await ask('/')).text, 'id="problems"')
})
