import t from 'tap'
import * as v from 'valibot'
import { ENGLISH } from '../../../src/model/air-languages.ts'
import { configSchema } from '../../../src/settings/schema.ts'
import { keptPassTexts } from '../../../src/station/passes.ts'

const config = v.parse(configSchema, {})

t.test(
  'passes of a broadcast are worked out once a minute, however often anybody looks at what it would say',
  async (t) => {
    let now = 0
    const asked = { bytes: 140, spoken: ENGLISH }
    const worked: string[] = []
    const texts = keptPassTexts(
      async (observer, { bytes, spoken }) => {
        worked.push(`${observer} ${bytes} ${spoken.language}`)
        if (observer === 'broken' && worked.length < 4) throw new Error('no')
        return observer
      },
      { now: () => now, config: () => config }
    )
    await Promise.all([texts('Boise', asked), texts('Boise', asked), texts('Boise', { ...asked, bytes: 100 })])
    t.same(worked, ['Boise 140 en', 'Boise 100 en'])
    await t.rejects(texts('broken', asked))
    t.equal(await texts('broken', asked), 'broken', 'a failure is not kept')
    now = 60_000
    t.equal(await texts('Boise', asked), 'Boise')
    t.equal(worked.at(-1), 'Boise 140 en')
    await texts('Boise', { ...asked, spoken: { language: 'de', ascii: false } })
    t.equal(worked.at(-1), 'Boise 140 de', 'a channel of another language has a text of its own')
  }
)
