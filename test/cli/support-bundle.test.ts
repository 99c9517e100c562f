import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { supportBundle } from '../../src/cli/support-bundle.ts'
import type { VerbContext } from '../../src/cli/verb.ts'
import { openDatabase } from '../../src/platform/database/database.ts'
import { ledgerMigrations } from '../../src/warning/outbox/schema.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CANARY = 'canary0815z'
const NODE = '!ca08150f'

const SECRETS = {
  station: { name: CANARY, contact: `${CANARY}@host.example`, timezone: 'America/Boise', country: 'US' },
  coverage: { areas: [{ name: 'North', bbox: [-114.6543, 44.1234, -113.6543, 45.1234] }] },
  commands: { admins: [NODE, '0815081508150815'] },
  radios: [{ id: CANARY, network: 'mt', link: 'tcp', host: `${CANARY}.lan`, port: 40815 }],
  sources: [
    {
      kind: 'firms',
      name: CANARY,
      url: `https://${CANARY}:${CANARY}@host.example/api/area/csv/${CANARY}`,
      map_key: CANARY
    },
    {
      kind: 'mqtt',
      name: 'b',
      url: 'mqtts://host.example',
      username: CANARY,
      password: CANARY,
      topics: [{ filter: CANARY }]
    }
  ],
  notifications: {
    destinations: {
      [CANARY]: {
        type: 'ntfy',
        webhook_url: `https://ntfy.example/${CANARY}`,
        webhook_headers: { Authorization: CANARY }
      },
      mail: {
        type: 'email',
        smtp_host: CANARY,
        smtp_user: CANARY,
        smtp_password: CANARY,
        recipients: [`${CANARY}@x.example`]
      },
      dm: { type: 'mesh_dm', node_ids: [NODE, 3389527311] }
    }
  }
}

const SECRET_ROW = { state: 'queued', transport: 'mt', reason: 'coalescing' }

/** A data folder and the verb on it; `files` of a bundle are read, `all` is every byte of it as text. */
function station(t: Test, data: Record<string, string>) {
  const folder = t.testdir({ data, out: {} })
  let count = 0
  const bundle = async (args: readonly string[] = ['--data', join(folder, 'data')]) => {
    const out: string[] = []
    const err: string[] = []
    const context = {
      version: '1.2.3',
      root: ROOT,
      env: { RUNTIME_DIRECTORY: '/dev/null', LOOKOUT_HTTP_PORT: '0' },
      language: 'en',
      out: (text: string) => void out.push(text),
      err: (text: string) => void err.push(text)
    }
    const file = join(folder, 'out', `${count++}.tar.gz`)
    const code = await supportBundle(['--out', file, ...args], context as unknown as VerbContext)
    const tar = gunzipSync(readFileSync(file))
    return { code, file, out: out.join(''), err: err.join(''), all: tar.toString('latin1'), files: filesOf(tar) }
  }
  return { folder, data: join(folder, 'data'), bundle }
}

function filesOf(tar: Buffer): Record<string, unknown> {
  const files: Record<string, unknown> = {}
  for (let at = 0; tar[at] !== 0; ) {
    const name = tar.toString('latin1', at, tar.indexOf(0, at)).replace(/^.*\//, '')
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 135), 8)
    files[name] = JSON.parse(tar.toString('utf8', at + 512, at + 512 + size))
    at += 512 + Math.ceil(size / 512) * 512
  }
  return files
}

/** Everything of a folder that a change would show in. */
const stateOf = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) => {
      const { size, mode, mtimeMs } = statSync(join(folder, name))
      return [
        name,
        size,
        mode,
        mtimeMs,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')
      ]
    })

/** The whole ledger in one file: the driver of Node 20 leaves a log until its statements are collected. */
const ledger = (folder: string) =>
  openDatabase({
    path: join(folder, 'lookout.db'),
    migrations: ledgerMigrations,
    synchronous: 'OFF',
    journal: 'TRUNCATE'
  })

/** A ledger with one row in every table, and a canary in every column that takes a text. */
async function fillLedger(folder: string, now: number): Promise<void> {
  const db = await ledger(folder)
  for (const { name } of db.sql("SELECT name FROM sqlite_schema WHERE type = 'table'").all()) {
    const columns = db.sql(`PRAGMA table_info(${name})`).all()
    const values = columns.map(({ type }) => (type === 'TEXT' ? CANARY : now))
    db.sql(`INSERT OR REPLACE INTO ${name} VALUES (${columns.map(() => '?').join(', ')})`).run(...values)
  }
  for (const [column, value] of Object.entries(SECRET_ROW)) db.sql(`UPDATE deliveries SET ${column} = ?`).run(value)
  const error = { code: 'note', params: { text: CANARY } }
  db.sql('UPDATE source_polls SET state = ?').run(
    JSON.stringify({ kind: 'firms', settings: CANARY, lastOk: now, lastAttempt: now, failures: 2, error, items: 7 })
  )
  db.close()
}

t.test('no secret of the configuration, and nothing that anybody wrote, is in any file of it', async (t) => {
  const { data, bundle } = station(t, {
    'config.json': JSON.stringify(SECRETS),
    'keys.env': `OPENAI_API_KEY_1=${CANARY}`,
    'tokens.json': CANARY,
    'session.json': CANARY,
    'audit.log': CANARY,
    [`${CANARY}.txt`]: ''
  })
  await fillLedger(data, Date.now())
  const { code, all, files, err } = await bundle()
  t.equal(code, 0)
  t.match(files['configuration.json'], { commands: { admins: { entries: 2 } } }, 'the configuration was read')
  for (const secret of [
    CANARY,
    NODE,
    '0815',
    '3389527311',
    'host.example',
    'ntfy.example',
    'Boise',
    '114.65',
    '44.12',
    '"US"'
  ])
    t.notOk(all.toLowerCase().includes(secret.toLowerCase()), secret)
  t.notOk(err.includes(CANARY))
  t.match(err, /in it: station\.json, doctor\.json.*\nIt holds no key/s)
})

t.test('it tells how the databases, messages, events and sources stand', async (t) => {
  const { data, bundle } = station(t, { 'config.json': JSON.stringify(SECRETS) })
  const now = Date.now()
  await fillLedger(data, now)
  const { files } = await bundle()
  t.match(files, {
    'station.json': { version: '1.2.3', platform: process.platform, running: false, profile: 'home', failed_starts: 0 },
    'databases.json': {
      'lookout.db': {
        integrity: 'ok',
        schema_version: ledgerMigrations.length,
        known_version: ledgerMigrations.length,
        rows: { deliveries: 1, events: 1, silences: 1 }
      }
    },
    'messages.json': {
      queue: [{ transport: 'mt', state: 'queued', reason: 'coalescing', count: 1 }],
      events_last_day: [{ family: '(other)', decision: '(other)', count: 1 }],
      oldest_waiting: new Date(now).toISOString()
    },
    'sources.json': [
      { kind: 'firms', index: 0, last_ok: new Date(now).toISOString(), failures: 2, items: 7, error: 'note' },
      { kind: 'mqtt', index: 1, last_ok: null }
    ],
    'unread.json': []
  })
  const checks = files['doctor.json'] as { check: string; state: string }[]
  t.ok(checks.some(({ check }) => check === 'confinement'))
  for (const check of checks) t.same(Object.keys(check), ['check', 'state'], 'no free text')
})

t.test('what failed within a day is counted by the code of the step that ended it', async (t) => {
  const { data, bundle } = station(t, {})
  const now = Date.now()
  await fillLedger(data, now)
  const db = await ledger(data)
  db.sql("UPDATE deliveries SET state = 'failed', reason = 'no_channel'").run()
  db.sql(
    "UPDATE delivery_steps SET delivery_id = (SELECT id FROM deliveries), state = 'failed', code = 'too_late'"
  ).run()
  db.close()
  t.match((await bundle()).files['messages.json'], {
    queue: [],
    last_day: [{ state: 'failed', reason: 'no_channel', count: 1 }],
    failed_last_day: [{ transport: 'mt', code: 'too_late', count: 1 }]
  })
})

t.test('parts that are broken are named by a code, and the rest is written', async (t) => {
  const { bundle } = station(t, {
    'config.json': `{"station": {"name": 7, "${CANARY}": `,
    'lookout.db': `${CANARY} is no database, but as long as a header of one would be, and some more`,
    'metrics.db': ''
  })
  const { code, files, err, all } = await bundle()
  t.equal(code, 0)
  t.same(files['unread.json'], [
    { part: 'config.json', why: 'refused_at_start, syntax' },
    { part: 'lookout.db', why: 'storage_damaged' }
  ])
  t.match(err, /could not be read: lookout\.db \(storage_damaged\)/)
  t.match(files['databases.json'], { 'metrics.db': { schema_version: 0, integrity: 'ok', rows: {} } })
  t.match(files['station.json'], { version: '1.2.3' })
  t.notOk('configuration.json' in files || 'messages.json' in files, 'what was not read is not there')
  t.notOk(all.includes(CANARY))
})

t.test('where the backup of the configuration counts, that is what is shown, and said', async (t) => {
  const { bundle } = station(t, { 'config.json': '{', 'config.json.bak': '{"notifications": {"coalesce_seconds": 7}}' })
  const { files } = await bundle()
  t.match(files['configuration.json'], { notifications: { coalesce_seconds: 7 } })
  t.same(files['unread.json'], [{ part: 'config.json', why: 'syntax, backup_counts' }])
})

t.test('a ledger whose pages are damaged is called damaged, and what can be counted is', async (t) => {
  const { data, bundle } = station(t, { 'config.json': '{}' })
  await fillLedger(data, Date.now())
  const bytes = readFileSync(join(data, 'lookout.db'))
  const size = bytes.readUInt16BE(16)
  // The root of the first table is the second page.
  writeFileSync(join(data, 'lookout.db'), bytes.fill(0x55, size, 2 * size))
  const { code, files } = await bundle()
  t.equal(code, 0)
  t.match(files['databases.json'], { 'lookout.db': { integrity: 'damaged', rows: { deliveries: 1 } } })
})

t.test('nothing in the data folder changes: no file more, no byte, no time', async (t) => {
  const { data, bundle } = station(t, { 'config.json': '{}', '.config.json.0123456789ab.tmp': '{', 'lookout.lock': '' })
  await fillLedger(data, Date.now())
  const before = stateOf(data)
  await bundle()
  t.same(stateOf(data), before)
})

t.test('the log of writes that a killed station left is read from a copy, and stays', async (t) => {
  const { data, folder, bundle } = station(t, { 'config.json': '{}' })
  const live = join(folder, 'live')
  mkdirSync(live)
  const db = await openDatabase({ path: join(live, 'lookout.db'), migrations: ledgerMigrations, synchronous: 'OFF' })
  db.sql("INSERT INTO facts VALUES ('a', 'b')").run()
  for (const ending of ['', '-wal', '-shm'])
    copyFileSync(join(live, `lookout.db${ending}`), join(data, `lookout.db${ending}`))
  db.close()
  t.ok(statSync(join(data, 'lookout.db-wal')).size > 0, 'there is a log')
  const before = stateOf(data)
  const { files } = await bundle()
  t.match(files['databases.json'], { 'lookout.db': { integrity: 'ok', rows: { facts: 1 } } })
  t.same(stateOf(data), before)
})

t.test('it is for its owner alone, overwrites nothing, and never lies in the data folder', async (t) => {
  const { folder, data, bundle } = station(t, { 'config.json': '{}' })
  const { file, out } = await bundle()
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.equal(out, `${file}\n`)
  const before = readFileSync(file)
  await t.rejects(bundle(['--data', data, '--out', file]), { code: 'usage', message: /nothing is overwritten/ })
  t.same(readFileSync(file), before)
  symlinkSync(data, join(folder, 'link'))
  for (const place of ['data', 'link'])
    await t.rejects(bundle(['--data', data, '--out', join(folder, place, 'a.tar.gz')]), {
      code: 'usage',
      message: /--out/
    })
  await t.rejects(bundle(['--data', data, '--out', join(folder, 'none', 'a.tar.gz')]), { code: 'unavailable' })
  t.same(readdirSync(data), ['config.json'])
})

t.test('a folder that is not there, is none, or is of no station is refused', async (t) => {
  const { folder, bundle } = station(t, {})
  writeFileSync(join(folder, 'file'), '')
  await t.rejects(bundle(['--data', join(folder, 'none')]), { code: 'missing', message: /no data folder/ })
  await t.rejects(bundle(['--data', join(folder, 'file')]), { code: 'missing' })
  mkdirSync(join(folder, 'other'))
  await t.rejects(bundle(['--data', join(folder, 'other')]), {
    code: 'missing',
    message: /neither config\.json nor lookout\.db/
  })
  t.same(readdirSync(join(folder, 'out')), [])
})
