import t from 'tap'
import * as v from 'valibot'
import { kindOf } from '../../../src/warning/feeds/create.ts'
import { sourceKindOf } from '../../../src/warning/feeds/recognise.ts'
import { FEEDS, sourceSchema } from '../../../src/warning/feeds/settings.ts'
import { samples } from '../../helpers/feed-samples.ts'
import { bytes, setup } from './geo-harness.ts'

/** A feed's folder may hold `sample.json`: what its provider publishes, and the events that are to be read from it. */

for (const { folder, kind, settings, now, body, events } of samples()) {
  t.test(`the sample of ${folder} is read as its folder says`, async (t) => {
    const source = v.parse(sourceSchema, { kind, ...settings })
    const reader = await kindOf(kind)
    const { tools } = setup(kind)
    const reading = reader.read(bytes(body), source, tools(Date.parse(now)))
    t.match(reading.events, events)
    t.equal(reading.events.length, events.length, 'and no other events')
    t.same(reading.skipped, [])
    const again = reader.read(bytes(body), source, setup(kind).tools(Date.parse(now)))
    t.same(again.events, reading.events, 'the same body gives the same events')
    t.throws(() => reader.read(bytes('<html>Sorry</html>'), source, tools(Date.parse(now))), { code: 'bad-input' })
    t.throws(() => reader.read(bytes(''), source, tools(Date.parse(now))), { code: 'bad-input' })
    if (FEEDS.find(({ schema }) => schema.entries.kind.literal === kind)?.marks !== undefined)
      t.equal(sourceKindOf(typeof body === 'string' ? body : JSON.stringify(body)), kind, 'its marks are found in it')
  })
}

t.test('the samples are found', async (t) => {
  t.ok(samples().some(({ kind }) => kind === 'volcano'))
})
