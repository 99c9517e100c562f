import t from 'tap'
import { applyChange } from '../src/dashboard/editing/settings-document.ts'
import { readPage } from '../src/knowledge/intake/convert/html-role.ts'
import { gravityOf } from '../src/model/gravity.ts'
import { drain } from '../src/platform/clock/slices.ts'
import { KEPT } from '../src/platform/config/masked.ts'
import { zoneShapesFromPack } from '../src/warning/coverage/zone-pack.ts'
import { geometryOf } from '../src/warning/feeds/reading/loose.ts'
import { documentSteps } from '../src/warning/feeds/swpc/documents.ts'

/** An object of JSON that no program can write as a text: `String` of it throws a TypeError. */
const unwritable = JSON.parse('{"toString":1,"valueOf":2}') as object

t.test('of a feed it is no value, and what stands beside it is read', async (t) => {
  t.equal(geometryOf({ type: unwritable, coordinates: [1, 2] }), null)
  const now = { DateStamp: '2026-07-03', TimeStamp: '22:00:00', R: { Scale: unwritable }, S: { Scale: '2' } }
  t.match(drain(documentSteps(JSON.stringify({ '0': now }))), {
    levels: [{ letter: 'S', level: 2 }],
    unread: ['R', 'G']
  })
  const rows = [
    [unwritable, 'time_tag', 'kp'],
    [1, '2026-07-03 21:00:00', '5']
  ]
  t.match(drain(documentSteps(JSON.stringify(rows))), { kind: 'kp' })
  t.equal(gravityOf({ family: 'seismic', category: 'stream_flood', data: { stage: unwritable } } as never), null)
})

t.test('of a page and of a zone pack it tells nothing', async (t) => {
  const data = JSON.stringify([{ '@type': unwritable }, { '@type': ['Thing', 'Article'], headline: 'Safe water' }])
  t.equal(readPage(`<script type="application/ld+json">${data}</script><p>Boil it.</p>`).title, 'Safe water')
  const geometry = { type: 'Point', coordinates: [1, 2] }
  const features = [
    { id: unwritable, geometry, properties: { code: unwritable, country: unwritable } },
    { id: 'COZ001', geometry }
  ]
  t.same(zoneShapesFromPack({ type: 'FeatureCollection', features }, () => undefined).codes, ['COZ001'])
})

t.test('as the place of a kept secret it is refused', async (t) => {
  const set = { '/station/name': { [KEPT]: unwritable } }
  t.throws(() => applyChange({}, { set, remove: [] } as never), { code: 'invalid' })
})
