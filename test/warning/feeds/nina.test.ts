import t from 'tap'
import * as v from 'valibot'
import { AppError } from '../../../src/platform/errors.ts'
import { ninaSource } from '../../../src/warning/feeds/nina/nina.ts'
import { ninaSourceSchema } from '../../../src/warning/feeds/nina/settings.ts'
import type { FetchRequest, SourceReading } from '../../../src/warning/feeds/source.ts'
import { note } from '../../helpers/in-words.ts'
import { ninaOutline as outline, ninaRow as row, ninaWarning as warning } from './nina-samples.ts'
import { MapMemory, pollTools } from './source-harness.ts'

/** The lists of the German warning service, the warnings they name, and the outlines beside these. */

const NOW = Date.parse('2026-08-11T08:00:00Z')
const settings = (change: object = {}) =>
  v.parse(ninaSourceSchema, { kind: 'nina', systems: ['mowas'], url: 'https://nina.example', ...change })

/** A service that publishes these bodies by their path. */
function service(bodies: Readonly<Record<string, unknown>>, memory = new MapMemory()) {
  const answer = ({ url }: FetchRequest): string | Error => {
    const body = bodies[url.replace('https://nina.example/', '')]
    return body === undefined ? new AppError('unavailable', note('404')) : JSON.stringify(body)
  }
  return pollTools(answer, { receivedAt: NOW, memory })
}

const poll = async (of: ReturnType<typeof service>, change = {}): Promise<SourceReading> => {
  const reading = await ninaSource.poll(settings(change), of)
  return reading === 'unchanged' ? { kind: 'nina', events: [], skipped: [], updated: null, items: 0 } : reading
}

const bodies = (id = 'mow.A', change: Record<string, unknown> = {}) => ({
  'mowas/mapData.json': [row(id)],
  [`warnings/${id}.json`]: warning(id, change),
  [`warnings/${id}.geojson`]: outline
})

t.test('a warning has its own words and the outline that stands beside it', async (t) => {
  const { events, items } = await poll(service(bodies()))
  t.equal(items, 1)
  t.match(events, [
    {
      id: 'mow.A',
      family: 'fire',
      severity: 'critical',
      title: 'Waldbrand bei Altdorf',
      geometry: { type: 'Polygon' },
      data: { places: ['Altdorf'], instruction: /Fenster/, cap: { language: 'de-DE' } }
    }
  ])
  const { geometry } = events[0] ?? {}
  t.same(geometry?.type === 'Polygon' && geometry.coordinates[0]?.[1], [9.2, 50], 'longitude first, as GeoJSON has it')
})

t.test('what was read is not fetched again, a new version is', async (t) => {
  const memory = new MapMemory()
  await poll(service(bodies(), memory))
  const again = service(bodies(), memory)
  t.equal(await ninaSource.poll(settings(), again), 'unchanged')
  t.same(again.asked.length, 1, 'only the list')
  const sent = '2026-08-11T09:30:00+02:00'
  const newer = { ...bodies('mow.A', { sent }), 'mowas/mapData.json': [row('mow.A', { version: 2 })] }
  t.match((await poll(service(newer, memory))).events, [{ id: 'mow.A', lifecycle: 'update' }])
})

t.test('an all-clear ends its warning, without asking for an outline', async (t) => {
  const memory = new MapMemory()
  const [first] = (await poll(service(bodies(), memory))).events
  const over = warning('mow.B', {
    msgType: 'Cancel',
    sent: '2026-08-11T09:30:00+02:00',
    references: 'DE-HE-MKK-W220,mow.A,2026-08-11T08:30:54+02:00'
  })
  const of = service({ 'mowas/mapData.json': [row('mow.B', { type: 'Cancel' })], 'warnings/mow.B.json': over }, memory)
  const { events } = await poll(of)
  t.match(events, [{ lifecycle: 'cancel', thread_id: first?.thread_id }])
  t.notOk(of.asked.some(({ url }) => url.endsWith('.geojson')))
})

t.test('without its outline a warning is told by its places, once that was tried', async (t) => {
  const { 'warnings/mow.A.geojson': _, ...lacking } = bodies()
  const memory = new MapMemory()
  const told: number[] = []
  for (let nth = 0; nth < 3; nth++) told.push((await poll(service(lacking, memory))).events.length)
  t.same(told, [0, 0, 1])
})

t.test('one that cannot be had does not stand before the others, and says why', async (t) => {
  const bad = ['mow.X', 'mow.Y', 'mow.Z'].map((id) => row(id, { severity: 'Extreme' }))
  const all = { ...bodies(), 'mowas/mapData.json': [...bad, row('mow.A')] }
  const memory = new MapMemory()
  const first = await poll(service(all, memory))
  t.same([first.events.length, first.skipped.length], [0, 4])
  t.equal((await poll(service(all, memory))).events.length, 1)
})

t.test('an id that is no id is not asked for; a list that is none changes nothing', async (t) => {
  const of = service({ 'mowas/mapData.json': [row('../../settings'), { nothing: 1 }] })
  const { events, skipped } = await poll(of)
  t.same([events.length, skipped.length, of.asked.length], [0, 2, 1])
  await t.rejects(poll(service({ 'mowas/mapData.json': { error: 'no' } })), { code: 'bad-input' })
  await t.rejects(poll(service({})), { code: 'unavailable' })
})

t.test('every system that is chosen is asked', async (t) => {
  const of = service({ 'mowas/mapData.json': [], 'lhp/mapData.json': [] })
  t.equal(await ninaSource.poll(settings({ systems: ['mowas', 'lhp'] }), of), 'unchanged')
  t.same(
    of.asked.map(({ url }) => url),
    ['https://nina.example/mowas/mapData.json', 'https://nina.example/lhp/mapData.json']
  )
  t.throws(() => settings({ systems: ['nothing'] }))
})
