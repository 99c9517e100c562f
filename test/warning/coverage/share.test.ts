import t from 'tap'
import { locate } from '../../../src/warning/coverage/locate.ts'
import { commonShare } from '../../../src/warning/coverage/share.ts'
import { at, box, drawn, point, polygon } from './harness.ts'

const place = (event: Parameters<typeof locate>[0]) => {
  const found = locate(event)
  if (found === null) throw new Error('not drawn')
  return found
}

t.test('two outlines share what is common of both; a circle or a box, what is common of the smaller', async (t) => {
  const share = (a: Parameters<typeof locate>[0], b: Parameters<typeof locate>[0]): number =>
    Math.round(commonShare(place(a), place(b)) * 100)
  t.equal(share(drawn(polygon(box(0, 0, 2, 2))), drawn(polygon(box(0, 0, 2, 2)))), 100)
  t.equal(share(drawn(polygon(box(0, 0, 2, 2))), drawn(polygon(box(1, 0, 3, 2)))), 33)
  t.equal(
    share(drawn(polygon(box(0, 0, 4, 4))), drawn(polygon(box(1, 1, 2, 2)))),
    6,
    'a small one within a large one is another'
  )
  t.equal(share(drawn(polygon(box(0, 0, 4, 4))), at({ circle: { lat: 1, lon: 1, radius_km: 20 } })), 100)
  t.equal(share(drawn(polygon(box(0, 0, 4, 4))), drawn(point(1, 1))), 100, 'a point lies in it')
  t.equal(share(drawn(polygon(box(0, 0, 4, 4))), drawn(point(5, 1))), 0)
  t.equal(share(drawn(point(5, 1)), drawn(point(5, 1))), 100)
  t.equal(share(at({ circle: { lat: 1, lon: 5, radius_km: 0 } }), drawn(point(5, 1))), 100)
  t.equal(
    share(drawn(polygon(box(179, 0, 181, 2))), drawn(polygon(box(-181, 0, -179, 2)))),
    100,
    'over the antimeridian'
  )
  t.equal(share(drawn(polygon(box(179, 0, 181, 2))), drawn(point(-179.5, 1))), 100)
})
