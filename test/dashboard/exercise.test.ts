import t from 'tap'
import type { ExercisesPort, ExerciseView } from '../../src/dashboard/server/exercises.ts'
import { station } from './harness.ts'

/** Docs: docs/interface.md §13, scripted exercises. What plays them: `test/station/exercises.test.ts`. */

const NOW = Date.parse('2026-06-01T12:00:00Z')
const CONFIG = {
  coverage: {
    enabled: true,
    region_tagging: true,
    areas: [{ name: 'North', parts: [{ circle: { lat: 43, lon: -114, radius_km: 20 } }] }]
  }
}
const RIVER = {
  name: 'river',
  family: 'weather',
  region: 'North',
  severity: 'critical' as const,
  words: 'Mill River <rises>',
  ends: false
}
const VIEW: ExerciseView = {
  title: 'Flood night',
  channels: { mt: 7 },
  startedAt: NOW,
  endsAt: NOW + 600_000,
  state: 'running',
  injects: [
    { at: NOW, note: 'Check in.', event: null, id: null, state: 'given' },
    { at: NOW, note: null, event: RIVER, id: 'drill-1-1', state: 'given' },
    { at: NOW + 60_000, note: null, event: { ...RIVER, ends: true }, id: 'drill-1-2', state: 'missed' }
  ]
}

interface Calls {
  started: Parameters<ExercisesPort['start']>[]
  stopped: number
}

function port(view: ExerciseView | null): { exercises: ExercisesPort; calls: Calls } {
  const calls: Calls = { started: [], stopped: 0 }
  return {
    calls,
    exercises: {
      status: () => view,
      start: (...given) => void calls.started.push(given),
      stop: () => {
        calls.stopped++
        return view?.state === 'running'
      }
    }
  }
}

t.test('the page shows what became of each inject, in both languages, and offers to end it', async (t) => {
  const { ask } = await station(t, { context: port(VIEW) })
  const { status, text } = await ask('/exercise')
  t.equal(status, 200)
  for (const words of [
    /Flood night/,
    /Meshtastic 7/,
    /Check in\./,
    /Mill River &lt;rises&gt;/,
    /missed: the station was off/,
    /href="\/events\/drill-1-1\?source=drill"/,
    /data-stop/
  ])
    t.match(text, words)
  t.notMatch(text, /data-begin/, 'none begins while one runs')
  const german = await ask({ path: '/exercise', headers: { 'accept-language': 'de' } })
  for (const words of [/versäumt: die Station war aus/, />Wetter, /]) t.match(german.text, words)
})

t.test(
  'a script begins where its regions lie; one of an unknown region or family is refused with its place',
  async (t) => {
    const { exercises, calls } = port(null)
    const { ask } = await station(t, { config: CONFIG, context: { exercises } })
    const post = (event: object): ReturnType<typeof ask> =>
      ask({ path: '/api/exercise', method: 'POST', body: { title: 'Flood', injects: [{ at: 0, event }] } })
    t.equal((await post(RIVER)).status, 202)
    const [[exercise, places] = []] = calls.started
    t.match(exercise, { title: 'Flood' })
    t.match(places, { North: { circle: { lat: 43 } } })
    const nowhere = await post({ ...RIVER, region: 'South' })
    t.equal(nowhere.status, 422)
    t.match(nowhere.body.errors, [{ path: '/injects/0/event/region' }])
    t.match((await post({ ...RIVER, family: 'none' })).body.errors, [{ path: '/injects/0/event/family' }])
    t.equal((await ask({ path: '/api/exercise', method: 'POST', body: { title: '' } })).status, 422)
    t.equal(calls.started.length, 1)
    t.match((await ask('/exercise')).text, /data-begin/)
  }
)

t.test('the API tells each inject, and ends one that runs; else it says that none does', async (t) => {
  const running = port(VIEW)
  const { ask } = await station(t, { context: running })
  const { body } = await ask('/api/exercise')
  t.match(body.exercise, {
    title: 'Flood night',
    channels: { mt: 7 },
    state: 'running',
    injects: [{ state: 'given' }, {}, { state: 'missed' }]
  })
  t.equal((await ask({ path: '/api/exercise/stop', method: 'POST', body: {} })).status, 200)
  t.equal(running.calls.stopped, 1)
  const none = await station(t, { context: port(null) })
  t.same((await none.ask('/api/exercise')).body, { exercise: null })
  t.equal((await none.ask({ path: '/api/exercise/stop', method: 'POST', body: {} })).status, 409)
})

t.test('a preview sends nothing, and says so', async (t) => {
  const { ask } = await station(t)
  t.equal((await ask({ path: '/api/exercise/stop', method: 'POST', body: {} })).status, 503)
  t.match((await ask('/exercise')).text, /This is a preview/)
})
