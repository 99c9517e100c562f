import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { recordStation, runningStations } from '../../../src/platform/process/running-stations.ts'

const TOLD = { data: '/srv/lookout', url: 'http://127.0.0.1:8080', version: '1.2.3' }

t.test('a station tells of itself in a file that its user alone reads, and takes it back', async (t) => {
  const folder = t.testdir({})
  const env = { RUNTIME_DIRECTORY: folder }
  const takeBack = recordStation(env, TOLD)
  const file = join(folder, `station-${process.pid}.json`)
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.match(JSON.parse(readFileSync(file, 'utf8')), { pid: process.pid, ...TOLD })
  t.match(runningStations(env), [{ pid: process.pid, uid: process.getuid?.(), station: TOLD }])
  takeBack?.()
  t.same(readdirSync(folder), [])
  t.same(runningStations(env), [])
})

t.test('without a folder of a unit it is the one of the user, which nobody else may write', async (t) => {
  const folder = t.testdir({})
  const env = { XDG_RUNTIME_DIR: folder }
  const takeBack = recordStation(env, TOLD)
  t.teardown(() => takeBack?.())
  t.equal(statSync(join(folder, 'lookout')).mode & 0o777, 0o700)
  t.match(
    runningStations(env).filter(({ pid }) => pid === process.pid),
    [{ station: TOLD }]
  )
  chmodSync(join(folder, 'lookout'), 0o777)
  t.same(
    runningStations(env).filter(({ pid }) => pid === process.pid),
    [],
    'what somebody else may have written is not believed'
  )
})

t.test('where no folder takes the record the station runs without', async (t) => {
  t.equal(recordStation({ RUNTIME_DIRECTORY: '/dev/null' }, TOLD), null)
  t.same(runningStations({ RUNTIME_DIRECTORY: '/dev/null' }), [])
})

t.test('what a killed station left is passed over, and goes with the next start', async (t) => {
  const folder = t.testdir({})
  const env = { RUNTIME_DIRECTORY: folder }
  const takeBack = recordStation(env, TOLD)
  const mine = join(folder, `station-${process.pid}.json`)
  const record = JSON.parse(readFileSync(mine, 'utf8'))
  takeBack?.()
  const left = (pid: number, content: unknown): void =>
    writeFileSync(join(folder, `station-${pid}.json`), typeof content === 'string' ? content : JSON.stringify(content))
  // More than the largest number Linux gives (pid_max).
  left(4_194_305, { ...record, pid: 4_194_305 })
  left(process.ppid, { ...record, pid: process.ppid })
  left(process.pid, { ...record, started: '1' })
  writeFileSync(join(folder, 'claim.txt'), 'x')
  t.same(runningStations(env), [], 'the process is gone, or another one has its number')
  left(process.pid, '{"pid":')
  t.same(runningStations(env), [], 'half a file')
  const again = recordStation(env, TOLD)
  t.same(readdirSync(folder).sort(), ['claim.txt', `station-${process.pid}.json`])
  again?.()
  t.ok(existsSync(join(folder, 'claim.txt')))
})

t.test(
  'nobody leads root into a folder that is not theirs',
  { skip: process.getuid?.() !== 0 && 'needs root' },
  async (t) => {
    const folder = t.testdir({ data: {} })
    const { chownSync } = await import('node:fs')
    const env = { RUNTIME_DIRECTORY: folder }
    const takeBack = recordStation(env, { ...TOLD, data: join(folder, 'data') })
    t.teardown(() => takeBack?.())
    const file = join(folder, `station-${process.pid}.json`)
    chownSync(file, 12345, 12345)
    t.same(runningStations(env), [])
    chownSync(join(folder, 'data'), 12345, 12345)
    t.match(runningStations(env), [{ uid: 12345, station: { data: join(folder, 'data') } }])
  }
)
