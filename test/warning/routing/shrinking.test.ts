import t from 'tap'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

const config = withMatrix({ fire: { North: { mt: 1 }, South: { mt: 2 } } })
const both = { id: 'r', severity: 'critical', title: 'Fire R', regions: ['North', 'South'] }
const ends = (s: Station): string[] => s.onAir().filter((line) => line.includes('CANCEL'))

t.test(
  'who an update left out hears the end that names all the rest: a channel that got the beginning gets the end',
  async (t) => {
    const s = await station(t, { config })
    await s.post(both)
    await s.run(30)
    await s.post({ ...both, revision: '2', lifecycle: 'update', regions: ['South'] })
    await s.run(30)
    await s.post({ ...both, revision: '3', lifecycle: 'cancel', regions: ['South'] })
    await s.run(60)
    t.same(ends(s), ['mt:1 CANCEL Fire R, North (6:01p)', 'mt:2 CANCEL Fire R, South (6:01p)'])
  }
)

t.test('an end of a part ends that part, whatever the order of the parts', async (t) => {
  const s = await station(t, { config })
  await s.post(both)
  await s.run(30)
  await s.post({ ...both, revision: '2', lifecycle: 'cancel', regions: ['South'] })
  await s.run(60)
  t.same(ends(s), ['mt:2 CANCEL Fire R, South (6:00p)'])
  await s.post({ ...both, revision: '3', lifecycle: 'cancel', regions: ['North'] })
  await s.run(60)
  t.same(ends(s).length, 2)
  t.match(ends(s)[1], /^mt:1 CANCEL Fire R, North/)
})

t.test('segments of one thread end each by itself', async (t) => {
  const s = await station(t, { config })
  await s.post({ ...both, id: 'r#1', thread_id: 'x', regions: ['North'] })
  await s.post({ ...both, id: 'r#2', thread_id: 'x', regions: ['South'], title: 'Fire R, south flank' })
  await s.run(60)
  await s.post({ ...both, id: 'r#2', thread_id: 'x', revision: '2', lifecycle: 'cancel', regions: ['South'] })
  await s.run(60)
  t.same(ends(s).length, 1)
  t.match(ends(s)[0], /^mt:2 /)
})

t.test('an id that looks like a revision, or like a channel, is another event', async (t) => {
  const s = await station(t, { config })
  const critical = { severity: 'critical', regions: ['North'] }
  await s.post({ ...critical, id: 'a#1|mt:1', title: 'Fire at Adams' })
  await s.run(30)
  await s.post({ ...critical, id: 'a', revision: '1|mt:1', title: 'Fire at Baker' })
  await s.run(30)
  await s.post({ ...critical, id: 'a#2', title: 'Fire at Clark' })
  await s.run(30)
  await s.post({ ...critical, id: 'a', revision: '2', title: 'Fire at Baker grows', lifecycle: 'update' })
  await s.run(120)
  t.same(
    s
      .onAir()
      .map((line) => /Adams|Baker grows|Baker|Clark/.exec(line)?.[0])
      .sort(),
    ['Adams', 'Baker', 'Baker grows', 'Clark']
  )
})
