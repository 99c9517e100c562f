import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { run, startLookout } from '../helpers/process.ts'

t.test('who did what outlasts kill -9, is told by verify-log, and a changed line is found', async (t) => {
  const data = join(t.testdir({ data: {} }), 'data')
  const args = ['--no-demo']
  const verify = () => run(t, ['verify-log'], { env: { LOOKOUT_DATA: data } })
  t.match(await verify(), { code: 4, stderr: /no audit\.log/ })
  const first = await startLookout(t, data, { args })
  t.equal((await first.post('/api/settings', { set: { '/station/name': 'Ridge' } })).status, 200)
  first.launched.child.kill('SIGKILL')
  await first.launched.ended
  const killed = await verify()
  t.match(killed, { code: 0, stdout: /^2 records, the last is 2: [0-9a-f]{64}\n$/ })
  const second = await startLookout(t, data, { args })
  const listed = await second.get('/api/audit')
  t.match(listed.json, { entries: [{ code: 'audit_started' }, { code: 'audit_settings_changed', by: 'operator' }, {}] })
  const taken = await second.post('/api/audit/2/undo', {})
  t.match(taken, { status: 200, json: { taken_back: ['/station'] } })
  t.equal((await second.launched.stop()).code, 0)
  t.same(JSON.parse(readFileSync(join(data, 'config.json'), 'utf8')), {})
  const whole = await verify()
  t.equal(whole.code, 0, whole.stderr)
  const path = join(data, 'audit.log')
  writeFileSync(path, readFileSync(path, 'utf8').replace('Ridge', 'Valle'))
  t.match(await verify(), { code: 3, stderr: /audit\.log:2: / })
})
