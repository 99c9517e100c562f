import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { run, startLookout } from '../helpers/process.ts'

const EVENT = JSON.stringify({
  id: 'e',
  source: 'test',
  family: 'fire',
  severity: 'priority',
  title: 'Fire',
  lat: 44,
  lon: -114
})

t.test('verbs without a data folder work on that of the one station that runs, and say so', async (t) => {
  const root = t.testdir({ run: {}, here: { 'event.json': EVENT }, other: {} })
  const env = { RUNTIME_DIRECTORY: join(root, 'run') }
  const here = join(root, 'here')
  const data = join(root, 'station')
  const first = await startLookout(t, data, { args: ['--no-demo'], env })
  const uses = new RegExp(
    `uses ${data}, the data folder of the station that runs here \\(process ${first.launched.child.pid}\\)`
  )
  const verb = (...args: string[]) => run(t, args, { cwd: here, env })

  const made = await verb('token', 'new', '--scope', 'events')
  t.match(made, { code: 0, stderr: uses })
  t.match(await first.post('/api/events', EVENT, { authorization: `Bearer ${made.stdout.trim()}` }), { status: 202 })
  t.match(await verb('token', 'list', '--lang', 'de'), { code: 0, stderr: /arbeitet mit .*station, dem Datenordner/ })
  t.match(await verb('forget'), { code: 1, stderr: /uses .*another Lookout runs on/s }, 'not under a station that runs')
  const explained = await verb('check-config', '--explain')
  t.match(explained, { code: 0, stderr: uses })
  t.match(explained.stdout, new RegExp(`LOOKOUT_DATA +${data} +\\(running station\\)`))
  for (const args of [
    ['verify-log'],
    ['zones', 'list'],
    ['feed', 'usgs', '--file', 'event.json'],
    ['explain', '--event', 'event.json'],
    ['addresses', 'check'],
    ['archiver'],
    ['doctor'],
    ['backup', join(root, 'backup')],
    ['support-bundle', '--out', join(root, 'support.tar.gz')]
  ])
    t.match((await verb(...args)).stderr, uses, args.join(' '))
  const read = (name: string): unknown =>
    JSON.parse(
      execFileSync('tar', ['-xzOf', join(root, 'support.tar.gz'), '--wildcards', `*/${name}`], { encoding: 'utf8' })
    )
  t.match(read('station.json'), { running: true }, 'the bundle is read beside the station')
  t.match(read('databases.json'), { 'lookout.db': { integrity: 'ok', rows: { events: 1 } } })
  t.same(read('unread.json'), [])
  t.notOk(existsSync(join(here, 'data')), 'no folder is made beside it')

  const named = await run(t, ['token', 'list'], { cwd: here, env: { ...env, LOOKOUT_DATA: data } })
  t.match(named, { code: 0, stderr: '' }, 'a folder that is named needs no word')
  t.match(await verb('token', 'list', '--data', data), { code: 0, stderr: '' })
  mkdirSync(join(here, 'data'))
  const beside = await verb('token', 'list')
  t.match(beside, {
    code: 0,
    stdout: '',
    stderr: /uses .*here\/data; the station that runs here has another: .*station/
  })

  const second = await startLookout(t, join(root, 'second'), { args: ['--no-demo'], env })
  const asked = await run(t, ['token', 'list'], { cwd: join(root, 'other'), env })
  t.match(asked, {
    code: 2,
    stdout: '',
    stderr: /several stations run here.*--data.*(?:station.*second|second.*station)/
  })
  await second.launched.kill()
  const rest = await run(t, ['token', 'list'], { cwd: join(root, 'other'), env })
  t.match(rest, { code: 0, stderr: uses }, 'one that was killed counts no more')
  t.equal((await first.launched.stop()).code, 0)
  const alone = await run(t, ['token', 'list'], { cwd: join(root, 'other'), env })
  t.match(alone, { code: 0, stdout: '', stderr: '' }, 'a station that has stopped leaves nothing')
})
