import t from 'tap'
import * as v from 'valibot'
import { configSchema } from '../../../src/settings/schema.ts'
import { keptPassTexts } from '../../../src/station/passes.ts'

const config = v.parse(configSchema, {})

t.test(
  'passes of a broadcast are worked out once a minute, however often anybody looks at what it would say',
  async (t) => {
    let now = 0
    const worked: string[] = []
    const texts = keptPassTexts(
      async (observer, bytes) => {
        worked.push(`${observer} ${bytes}`)
        if (observer === 'broken' && worked.length < 4) throw new Error('no')
        return observer
      },
      { now: () => now, config: () => config }
    )
    await Promise.all([texts('Boise', 140), texts('Boise', 140), texts('Boise', 100)])
    t.same(worked, ['Boise 140', 'Boise 100'])
    await t.rejects(texts('broken', 140))
    t.equal(await texts('broken', 140), 'broken', 'a failure is not kept')
    now = 60_000
    t.equal(await texts('Boise', 140), 'Boise')
    t.equal(worked.at(-1), 'Boise 140')
  }
)
