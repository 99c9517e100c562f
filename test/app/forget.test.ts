import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { run, startLookout } from '../helpers/process.ts'

const EVENT = {
  id: 'croy',
  source: 'test',
  family: 'fire',
  title: 'Leave Croy now',
  severity: 'immediate',
  lat: 44,
  lon: -114
}

t.test(
  'a history that is deleted comes back and says so; forgotten by the verb it is kept aside, and all is news',
  async (t) => {
    const data = join(t.testdir({ data: {} }), 'data')
    const env = { LOOKOUT_DATA: data }
    t.match(await run(t, ['forget'], { env }), { code: 4, stderr: /no history/ })
    const args = ['--no-demo']
    const event = { ...EVENT, expires: new Date(Date.now() + 3_600_000).toISOString() }
    const first = await startLookout(t, data, { args })
    t.match(await first.post('/api/events', event), { status: 202, json: { accepted: 1 } })
    t.match(await run(t, ['forget'], { env }), { code: 1, stderr: /another Lookout/i }, 'not under a station that runs')
    t.equal((await first.launched.stop()).code, 0)
    for (const name of readdirSync(data)) if (name.startsWith('lookout.db')) rmSync(join(data, name))
    const second = await startLookout(t, data, { args })
    t.match(second.launched.stderr, /heard\.log knows is put back.*To begin anew instead.*lookout forget/)
    t.match(await second.post('/api/events', event), { status: 202, json: { duplicates: 1 } })
    t.equal((await second.launched.stop()).code, 0)
    const done = await run(t, ['forget'], { env })
    t.equal(done.code, 0, done.stderr)
    const folder = done.stdout.trim()
    t.match(folder, /history-\d{8}T\d{6}Z$/)
    t.ok(existsSync(join(folder, 'lookout.db')) && existsSync(join(folder, 'heard.log')))
    const third = await startLookout(t, data, { args })
    t.notMatch(third.launched.stderr, /put back/)
    t.match(await third.post('/api/events', event), { status: 202, json: { accepted: 1, duplicates: 0 } })
    t.equal((await third.launched.stop()).code, 0)
  }
)
