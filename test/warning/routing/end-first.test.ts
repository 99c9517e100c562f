import t from 'tap'
import { START, type Station, station, withMatrix } from '../../helpers/station.ts'

/** Contract §4, §6: no warning leaves after its end, also when a broker or a script delivers the end first. */

const config = withMatrix({ fire: { North: { mt: 1 }, South: { mt: 2 } } })
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString()
const fire = { id: 'r', severity: 'critical', title: 'Fire R', regions: ['North', 'South'] }
const begun = { ...fire, revision: '1', sent_at: at(-120) }
const over = { ...fire, revision: '2', lifecycle: 'cancel', sent_at: at(-60) }

async function told(s: Station, event: Record<string, unknown>): Promise<string[]> {
  const before = s.onAir().length
  await s.post(event)
  await s.run(60)
  return s.onAir().slice(before)
}

t.test('a beginning that comes after its own end is over: nobody hears of it', async (t) => {
  const s = await station(t, { config })
  t.same(await told(s, over), [])
  t.same(await told(s, begun), [])
  t.same(await told(s, { ...begun, revision: '1a', lifecycle: 'update', sent_at: at(-90) }), [], 'nor of an update')
})

t.test('an older revision that comes after the end of what was told says nothing more', async (t) => {
  const s = await station(t, { config })
  t.equal((await told(s, begun)).length, 2)
  t.equal((await told(s, over)).filter((line) => line.includes('CANCEL')).length, 2)
  const grave = { ...begun, revision: '1b', severity: 'immediate', title: 'Fire R runs', sent_at: at(-90) }
  t.same(await told(s, grave), [])
})

t.test('a new beginning of the same id, sent after the end, is told', async (t) => {
  const s = await station(t, { config })
  await told(s, over)
  await told(s, begun)
  t.equal((await told(s, { ...fire, revision: '3', sent_at: at(0) })).length, 2)
  const again = await station(t, { config })
  await told(again, over)
  t.equal((await told(again, { ...fire, revision: '3' })).length, 2, 'without a time of its own it is of now')
})

t.test('an end of one region that comes first takes nothing from the others', async (t) => {
  const s = await station(t, { config })
  await told(s, { ...over, regions: ['South'] })
  t.ok((await told(s, begun)).some((line) => line.startsWith('mt:1 ')))
})

t.test('an end without a time of its own says nothing of what a listing has again', async (t) => {
  const s = await station(t, { config })
  const { sent_at: _, ...undated } = over
  t.equal((await told(s, begun)).length, 2)
  t.equal((await told(s, undated)).length, 2)
  t.equal((await told(s, { ...begun, revision: '1/again1' })).length, 2)
})

t.test('the end of another event says nothing of this one, of one thread or not', async (t) => {
  const s = await station(t, { config })
  await told(s, { ...over, id: 'q', thread_id: 'x' })
  t.equal((await told(s, { ...begun, thread_id: 'x' })).length, 2)
})
