import t from 'tap'
import * as v from 'valibot'
import { nwsSourceSchema } from '../../../src/warning/feeds/nws/settings.ts'
import { nwsSource } from '../../../src/warning/feeds/nws/source.ts'
import { usgsSourceSchema } from '../../../src/warning/feeds/usgs/settings.ts'
import { usgsSource } from '../../../src/warning/feeds/usgs/source.ts'
import { nwsFeature } from './samples.ts'
import { pollTools } from './source-harness.ts'

/** Contract §6, *Warnings before work*: a long listing is read some entries at a time. */

const ENTRIES = 400

/** The number of turns that others had while `work` went on. */
async function turnsIn<T>(work: () => Promise<T>): Promise<[T, number]> {
  let turns = 0
  let going = true
  const count = (): void => {
    turns++
    if (going) setImmediate(count)
  }
  setImmediate(count)
  const result = await work()
  going = false
  return [result, turns]
}

t.test('others have their turn while a long listing of NWS alerts is read', async (t) => {
  const features = Array.from({ length: ENTRIES }, (_, n) => nwsFeature({ id: `urn:oid:${n}` }))
  const tools = pollTools(() => JSON.stringify({ type: 'FeatureCollection', features }))
  const [reading, turns] = await turnsIn(() =>
    nwsSource.poll(v.parse(nwsSourceSchema, { kind: 'nws', area: ['ID'] }), tools)
  )
  t.not(reading, 'unchanged')
  if (reading !== 'unchanged') t.equal(reading.items, ENTRIES)
  t.ok(turns >= ENTRIES / 20, `${turns} turns`)
})

t.test('others have their turn while a long listing of earthquakes is read', async (t) => {
  const features = Array.from({ length: ENTRIES }, (_, n) => ({
    type: 'Feature',
    id: `us${n}`,
    geometry: { type: 'Point', coordinates: [-114, 43, 10] },
    properties: {
      mag: 4.1,
      place: '5 km N of Fairfield',
      time: Date.parse('2026-08-01T10:00:00Z') + n,
      updated: n + 1,
      ids: `,us${n},`,
      type: 'earthquake',
      status: 'reviewed',
      tsunami: 0
    }
  }))
  const tools = pollTools(() => JSON.stringify({ type: 'FeatureCollection', metadata: { generated: 1 }, features }))
  const [reading, turns] = await turnsIn(() => usgsSource.poll(v.parse(usgsSourceSchema, { kind: 'usgs' }), tools))
  t.not(reading, 'unchanged')
  if (reading !== 'unchanged') t.equal(reading.items, ENTRIES)
  t.ok(turns >= (2 * ENTRIES) / 100, `${turns} turns`)
})
