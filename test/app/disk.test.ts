import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync
} from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { loadDriver } from '../../src/platform/database/sqlite-driver.ts'
import { holdLock } from '../../src/platform/files/data-lock.ts'
import { buildShim, noShim } from '../helpers/disk-shim.ts'
import { eventually, ndjson, type Running, startLookout } from '../helpers/process.ts'

/** Contract §6 and §13 on the real program: damaged files, a folder that goes, and a disk that fails. */

const CONFIG = {
  coverage: { enabled: true, region_tagging: true, areas: [{ name: 'North', bbox: [-115, 44, -113, 45] }] },
  notifications: {
    coalesce_seconds: 0,
    region_routes: { enabled: true, cells: { fire: { North: { mt: 3, mc: 'north' } } } }
  }
}
const fire = (id: string, severity = 'immediate'): object => ({
  id,
  severity,
  source: 'test',
  family: 'fire',
  title: `Leave ${id} now`,
  lat: 44.5,
  lon: -114,
  expires: new Date(Date.now() + 3_600_000).toISOString()
})

interface Ready {
  status: string
  problems: { code: string; params: Record<string, string> }[]
}
interface Taken {
  accepted: number
  duplicates: number
  stored?: boolean
}

interface World {
  cwd: string
  data: string
  airLog: string
  start: (env?: Record<string, string>) => Promise<Running>
  aired: (words: string) => number
}

function world(t: Test): World {
  const cwd = t.testdir({ data: { 'config.json': JSON.stringify(CONFIG) } })
  const airLog = join(cwd, 'air.ndjson')
  writeFileSync(airLog, '')
  return {
    cwd,
    airLog,
    data: join(cwd, 'data'),
    start: (env = {}) => startLookout(t, 'data', { cwd, env: { LOOKOUT_AIR_LOG: airLog, ...env } }),
    aired: (words) =>
      ndjson<{ text: string }>(readFileSync(airLog, 'utf8')).filter(({ text }) => text.includes(words)).length
  }
}

async function post(station: Running, event: object): Promise<{ status: number; json: Taken }> {
  const { status, json } = await station.post<Taken>('/api/events', event)
  return { status, json }
}

const ready = async (station: Running): Promise<Ready> => (await station.get<Ready>('/api/health/ready')).json

function overwrite(path: string, at: number, bytes: number): void {
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(bytes, 0xaa), 0, bytes, at)
  closeSync(file)
}

/** A log beside the file would hide its damage. */
async function checkpoint(path: string): Promise<void> {
  const db = new (await loadDriver())(path)
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}

t.test('damaged files never keep the station from starting: each is put aside, made anew and told', async (t) => {
  const w = world(t)
  const first = await w.start()
  t.equal((await post(first, fire('Early'))).status, 202)
  await eventually('it is on the air', () => w.aired('Early') === 2)
  t.equal((await first.launched.stop()).code, 0)
  for (const name of ['metrics.db', 'knowledge.db', 'lookout.db']) await checkpoint(join(w.data, name))
  overwrite(join(w.data, 'metrics.db'), 0, 100)
  const { size } = statSync(join(w.data, 'knowledge.db'))
  overwrite(join(w.data, 'knowledge.db'), 4096, size - 4096)
  overwrite(join(w.data, 'lookout.db'), 0, 24)
  writeFileSync(join(w.data, 'search.db'), 'garbage'.repeat(1000))
  writeFileSync(join(w.data, 'lookout.lock'), 'garbage'.repeat(1000))
  writeFileSync(join(w.data, 'addresses.sqlite'), 'garbage'.repeat(1000))
  const second = await w.start()
  t.match(await post(second, fire('Croy')), { status: 202, json: { accepted: 1 } })
  await eventually('it is on the air', () => w.aired('Croy') === 2)
  const told = await eventually('lookout.db is made anew', async () => {
    const now = await ready(second)
    return now.status === 'ready' && now
  })
  const aside = told.problems.filter(({ code }) => code === 'database_put_aside').map(({ params }) => params['file'])
  // The process of the search looks into its own file when it begins, sooner or later.
  t.same(aside.filter((name) => name !== 'search.db').sort(), ['knowledge.db', 'lookout.db', 'metrics.db'])
  t.match(
    await post(second, fire('Early')),
    { status: 202, json: { duplicates: 1 } },
    'what could be read of it counts'
  )
  t.match((await second.get('/')).text, /lookout\.db was damaged and put aside as lookout\.db\.bad-/)
  t.equal((await second.get('/library')).status, 200)
  t.equal((await second.launched.stop()).code, 0)
})

t.test('a data folder that is removed under the running station is told, and warnings go on leaving', async (t) => {
  const w = world(t)
  const station = await w.start()
  t.match(await post(station, fire('Early')), { status: 202, json: { stored: undefined } })
  rmSync(w.data, { recursive: true })
  t.match(await post(station, fire('Croy')), { status: 202, json: { accepted: 1, stored: false } })
  t.match(await post(station, fire('Croy')), { status: 202, json: { duplicates: 1 } })
  const refused = await station.post<{ detail: string }>('/api/events', fire('late', 'routine'))
  t.equal(refused.status, 503)
  t.match(refused.json.detail, /data folder/)
  await eventually('it is on the air', () => w.aired('Croy') === 2)
  const health = await station.get<Ready>('/api/health/ready')
  t.equal(health.status, 503)
  t.match(
    health.json.problems.find(({ code }) => code === 'storage_failing'),
    { params: { reason: 'folder_gone' } }
  )
  t.match((await station.get('/api/status')).json, { storage: { storing: false, fault: 'gone' } })
  const unsaved = await station.post<{ detail: string }>('/api/notifications/region-routing', {
    ...CONFIG.notifications.region_routes,
    enabled: false
  })
  t.match(unsaved, { status: 503, json: { detail: /is not where it was/ } })
  for (const path of ['/', '/events', '/radios', '/settings'])
    t.match((await station.get(path)).text, /memory of what was sent is lost with the next restart/, path)
  t.match(station.launched.stderr, /sent from memory, which the next restart loses/)
  const { code, stderr } = await station.launched.stop()
  t.equal(code, 0)
  t.notMatch(stderr, /unexpected error/)
})

t.test(
  'a disk that was pulled and comes back holds what was sent meanwhile, and its folder is locked again',
  async (t) => {
    const w = world(t)
    const station = await w.start()
    t.equal((await post(station, fire('Early'))).status, 202)
    await eventually('it is on the air', () => w.aired('Early') === 2)
    renameSync(w.data, `${w.data}-pulled`)
    t.match(await post(station, fire('Croy')), { status: 202, json: { accepted: 1, stored: false } })
    // Another mount of it: other inodes, and a lock that nobody holds.
    cpSync(`${w.data}-pulled`, w.data, { recursive: true })
    rmSync(`${w.data}-pulled`, { recursive: true })
    await eventually('storing works again', async () => (await ready(station)).status === 'ready')
    await t.rejects(
      holdLock(join(w.data, 'lookout.lock')),
      { code: 'conflict' },
      'a second station would send it all twice'
    )
    t.match(await post(station, fire('Croy')), { status: 202, json: { duplicates: 1, stored: undefined } })
    t.equal((await station.launched.stop()).code, 0)
    const again = await w.start()
    for (const id of ['Early', 'Croy'])
      t.match(await post(again, fire(id)), { status: 202, json: { duplicates: 1 } }, id)
    t.equal((await again.launched.stop()).code, 0)
    t.match([w.aired('Early'), w.aired('Croy')], [2, 2])
  }
)

t.test('an empty folder in the place of the data disk gets nothing: no upload, no setting, no database', async (t) => {
  const w = world(t)
  const station = await w.start()
  t.match(await post(station, fire('Early')), { status: 202, json: { stored: undefined } })
  await eventually('what a start writes is written', () => existsSync(join(w.data, 'session.json')))
  renameSync(w.data, `${w.data}-pulled`)
  mkdirSync(w.data)
  const { region_routes } = CONFIG.notifications
  for (const [path, body] of [
    ['/api/notifications/region-routing', { ...region_routes, enabled: false }],
    ['/api/coverage', { coverage: { ...CONFIG.coverage, areas: [] } }],
    ['/api/settings', { 'station.name': 'Elsewhere' }],
    ['/api/keys', { provider: 'openai', key: 'secret' }]
  ] as const) {
    const refused = await station.post<{ detail: string }>(path, body)
    t.match(refused, { status: 503, json: { detail: /is not where it was/ } }, path)
  }
  const form = new FormData()
  form.append('file', new Blob(['Boil all water for one minute. '.repeat(40)]), 'water.txt')
  t.equal((await fetch(`${station.url}/api/upload`, { method: 'POST', body: form })).status, 503)
  const tus = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '1000', 'Upload-Metadata': 'filename d2F0ZXIudHh0' }
  t.equal((await fetch(`${station.url}/api/uploads`, { method: 'POST', headers: tus })).status, 503)
  t.match(await post(station, fire('Croy')), { status: 202, json: { accepted: 1, stored: false } })
  await eventually('it is on the air', () => w.aired('Croy') === 2)
  for (const path of ['/', '/knowledge', '/settings']) t.ok((await station.get(path)).status < 600)
  // A process that works in the background would have begun by now.
  await new Promise((resolve) => setTimeout(resolve, 1000))
  t.same(readdirSync(w.data), [])
  rmSync(w.data, { recursive: true })
  renameSync(`${w.data}-pulled`, w.data)
  await eventually('storing works again', async () => (await ready(station)).status === 'ready')
  t.match(await post(station, fire('Croy')), { status: 202, json: { duplicates: 1, stored: undefined } })
  t.equal((await station.post('/api/notifications/region-routing', region_routes)).status, 200)
  t.equal((await station.launched.stop()).code, 0)
})

t.test('a knowledge.db that cannot be opened at the start is tried again, and everything says so', async (t) => {
  const w = world(t)
  // Whatever keeps the file from being opened: here something else bears its name.
  mkdirSync(join(w.data, 'knowledge.db'))
  const station = await w.start()
  const closed = async (): Promise<boolean> =>
    (await ready(station)).problems.some(({ code }) => code === 'knowledge_closed')
  t.ok(await closed())
  t.match(await station.get('/api/knowledge'), { status: 503 })
  t.match(await station.get('/knowledge'), { status: 503 })
  t.match((await station.get('/')).text, /database of documents cannot be opened/)
  t.match(await post(station, fire('Croy')), { status: 202, json: { accepted: 1, stored: undefined } })
  await eventually('it is on the air', () => w.aired('Croy') === 2)
  rmSync(join(w.data, 'knowledge.db'), { recursive: true })
  await eventually('it is open', async () => !(await closed()))
  t.equal((await station.get('/knowledge')).status, 200)
  const form = new FormData()
  form.append('file', new Blob(['Boil all water for one minute. '.repeat(40)]), 'water.txt')
  t.ok((await fetch(`${station.url}/api/upload`, { method: 'POST', body: form })).ok)
  t.equal((await station.launched.stop()).code, 0)
})

t.test('a disk that fails', { skip: noShim ?? false }, async (t) => {
  const { folder: made, library } = buildShim()
  t.teardown(() => rmSync(made, { recursive: true }))

  const failing = (t: Test): World & { env: Record<string, string>; fail: (error: string) => void } => {
    const w = world(t)
    const faultFile = join(w.cwd, 'fault')
    writeFileSync(faultFile, '')
    const env = { LD_PRELOAD: library, FAULT_FILE: faultFile, FAULT_ROOT: `${w.data}/` }
    return { ...w, env, fail: (error) => writeFileSync(faultFile, error) }
  }

  for (const [error, reason, status] of [
    ['EIO', 'io_error', 503],
    ['EROFS', 'read_only|io_error', 503],
    ['ENOSPC', 'disk_full', 507],
    ['EIO:sync', 'io_error', 503]
  ] as const) {
    t.test(`with ${error}: warnings leave once and are written down when it works again`, async (t) => {
      const w = failing(t)
      const station = await w.start(w.env)
      t.match(await post(station, fire('Early')), { status: 202, json: { stored: undefined } })
      w.fail(error)
      t.match(await post(station, fire('Croy')), { status: 202, json: { accepted: 1, stored: false } })
      t.match(await post(station, fire('Early')), { status: 202, json: { duplicates: 1 } })
      t.equal((await post(station, fire('late', 'priority'))).status, status)
      const { region_routes } = CONFIG.notifications
      for (const [path, body] of [
        ['/api/notifications/region-routing', { ...region_routes, enabled: false }],
        ['/api/knowledge/keys', { provider: 'x' }]
      ] as const) {
        const refused = await station.post<{ detail: string }>(path, body)
        t.not(refused.status, 500, `${path}: ${refused.json?.detail}`)
        t.ok(refused.status >= 400, `${path}: what could not be saved is not acknowledged`)
      }
      await eventually('it is on the air', () => w.aired('Croy') === 2)
      const problem = (await ready(station)).problems.find(({ code }) => code === 'storage_failing')
      t.match(problem?.params['reason'], new RegExp(reason))
      t.match((await station.get('/')).text, /memory of what was sent is lost with the next restart/)
      w.fail('')
      await eventually('storing works again', async () => (await ready(station)).status === 'ready')
      t.match(await post(station, fire('Croy')), { status: 202, json: { duplicates: 1, stored: undefined } })
      t.equal((await station.launched.stop()).code, 0)
      const again = await w.start()
      t.match(await post(again, fire('Croy')), { status: 202, json: { duplicates: 1 } })
      t.equal(w.aired('Croy'), 2)
      t.equal((await again.launched.stop()).code, 0)
    })
  }

  t.test('a station starts on a disk that can only be read, and warns', async (t) => {
    const w = failing(t)
    const first = await w.start()
    t.equal((await post(first, fire('Early'))).status, 202)
    await eventually('it is on the air', () => w.aired('Early') === 2)
    t.equal((await first.launched.stop()).code, 0)
    const before = readdirSync(w.data).sort()
    w.fail('EROFS')
    const station = await w.start(w.env)
    t.match(await post(station, fire('Croy')), { status: 202, json: { accepted: 1, stored: false } })
    t.match(await post(station, fire('Early')), { status: 202, json: { duplicates: 1 } }, 'what it can read counts')
    await eventually('it is on the air', () => w.aired('Croy') === 2)
    t.equal((await station.get('/api/health/ready')).status, 503)
    t.equal((await station.launched.stop()).code, 0)
    t.same(readdirSync(w.data).sort(), before)
  })
})
