import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { findProgram } from '../../src/platform/process/programs.ts'
import { eventually, readyLine, startLookout } from '../helpers/process.ts'

t.setTimeout(600_000)

interface Told {
  id: number
  state: string
  found: number
  taken: number
  duplicate: number
  refused: number
  failed: number
  left: number
}

const FILES = 80
const COPIES = 10

/** The process of the station that works on documents. */
function workerOf(pid: number): number | undefined {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  return children.map(Number).find((child) => {
    try {
      return readFileSync(`/proc/${child}/cmdline`, 'utf8').split('\0').join(' ').includes('work knowledge')
    } catch {
      return false
    }
  })
}

t.test(
  'a folder goes in whole while its process is killed again and again: nothing doubled, nothing lost',
  async (t) => {
    // Folders of tests lie in memory, below /dev: of the system, from which nothing is taken.
    const base = mkdtempSync('/var/tmp/lookout-bulk-')
    t.teardown(() => rmSync(base, { recursive: true, force: true }))
    const [data, stick] = [join(base, 'data'), join(base, 'stick')]
    for (const folder of [data, join(stick, 'a'), join(stick, 'b')]) mkdirSync(folder, { recursive: true })
    const config = { station: { name: 'Hill' }, knowledge: { bulk_folders: [stick] } }
    writeFileSync(join(data, 'config.json'), JSON.stringify(config))
    const text = (n: number): string =>
      `Notes ${n} on wells. Keep the well in good order, look at it every month, write down what was done, and tell the next watch.\n`.repeat(
        200
      )
    for (let n = 0; n < FILES; n++) writeFileSync(join(stick, 'a', `notes ${n}.txt`), text(n))
    for (let n = 0; n < COPIES; n++) writeFileSync(join(stick, 'b', `called otherwise ${n}.txt`), text(n))
    writeFileSync(join(stick, 'b', 'sunset.jpg'), 'x')
    const station = await startLookout(t, data, { args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
    const places = await station.get<{ places: { path: string; readable: boolean }[] }>('/api/ingest/places')
    t.ok(places.json.places.some(({ path, readable }) => path === stick && readable))

    const answer = await fetch(`${station.url}/api/ingest/bulk`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ folder: stick, category: 'Stick' })
    })
    t.equal(answer.status, 201)
    const { id } = (await answer.json()) as Told
    const told = async (): Promise<Told> => (await station.get<Told>(`/api/ingest/bulk/${id}`)).json
    const own = readyLine(`${station.readyLine}\n`)?.pid ?? 0
    t.ok(own > 0)
    const worker = (): number | undefined => workerOf(own)
    let kills = 0
    for (const after of [3, 20, 45]) {
      await eventually(`${after} are taken`, async () => (await told()).taken >= after || (await told()).left === 0)
      const pid = worker()
      if (pid === undefined || (await told()).state === 'done') continue
      process.kill(pid, 'SIGKILL')
      kills++
    }
    t.ok(kills > 0, `${kills} kills`)
    const end = await eventually('all are taken in', async () => {
      const now = await told()
      return now.state === 'done' ? now : null
    })
    t.match(end, { found: FILES + COPIES + 1, taken: FILES, duplicate: COPIES, refused: 1, failed: 0, left: 0 })
    const { json } = await station.get<{ entries: { hash: string; state: string }[] }>(
      `/api/ingest/bulk/${id}/entries?state=taken&limit=500`
    )
    t.equal(new Set(json.entries.map(({ hash }) => hash)).size, FILES, 'each is another document')
    await eventually('each has gone on to its place', async () => {
      const told = await station.get<Record<'uploads' | 'documents', Record<string, number>>>('/api/knowledge')
      const { pending = 0, processing = 0 } = told.json.uploads
      const documents = Object.values(told.json.documents).reduce((sum, count) => sum + count, 0)
      return pending + processing === 0 && documents === FILES
    })
    t.equal(readdirSync(join(stick, 'a')).length, FILES, 'the originals stay')
    const left = readdirSync(join(data, 'acquired'), { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile()
    )
    t.same(
      left.map(({ name }) => name),
      [],
      'nothing is left of what was cut off'
    )
  }
)

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    .toString()
    .trim()

/** Why no stick can be plugged in here; false: one can. */
function noStick(): string | false {
  if (process.getuid?.() !== 0) return 'only root may mount'
  if (findProgram('mkfs.ext4') === null || findProgram('losetup') === null) return 'mkfs.ext4 or losetup is missing'
  const { status, stdout } = spawnSync('losetup', ['-f'], { encoding: 'utf8' })
  return status === 0 && existsSync(stdout.trim()) ? false : 'there is no loop device'
}

/** A file system of its own, mounted where sticks are. */
function pluggedIn(t: Test): { folder: string; plug: () => void; pull: () => void } {
  const base = mkdtempSync('/var/tmp/lookout-stick-')
  const folder = mkdtempSync('/mnt/lookout-stick-')
  let device = ''
  t.teardown(() => {
    spawnSync('umount', ['-l', folder], { stdio: 'ignore' })
    if (device !== '') spawnSync('losetup', ['-d', device], { stdio: 'ignore' })
    rmSync(base, { recursive: true, force: true })
    rmdirSync(folder)
  })
  const image = join(base, 'stick.img')
  writeFileSync(image, Buffer.alloc(24 * 1024 * 1024))
  run('mkfs.ext4', '-q', image)
  device = run('losetup', '-f', '--show', image)
  const plug = (): void => void run('mount', device, folder)
  plug()
  return { folder, plug, pull: () => void run('umount', '-l', folder) }
}

const PULLED = 'a stick that is pulled out in the middle is waited for, and its rest goes in when it is back'
t.test(PULLED, { skip: noStick() }, async (t) => {
  const { folder, plug, pull } = pluggedIn(t)
  const count = 150
  for (let n = 0; n < count; n++) writeFileSync(join(folder, `notes ${n}.txt`), `Notes ${n} on wells.\n`.repeat(3000))
  // Nothing of it is in memory when the station reads it.
  pull()
  plug()
  const base = mkdtempSync('/var/tmp/lookout-bulk-')
  t.teardown(() => rmSync(base, { recursive: true, force: true }))
  writeFileSync(join(base, 'config.json'), JSON.stringify({ station: { name: 'Hill' } }))
  const station = await startLookout(t, base, { args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  const { json } = await station.get<{ places: { path: string; free_bytes: number; readable: boolean }[] }>(
    '/api/ingest/places'
  )
  const place = json.places.find(({ path }) => path === folder)
  t.match(place, { readable: true })
  t.ok((place?.free_bytes ?? 0) > 1e6, 'its free space is told')
  const { json: begun } = await station.post<Told>('/api/ingest/bulk', { folder })
  const told = async (): Promise<Told & { reason: string | null }> =>
    (await station.get<Told & { reason: string | null }>(`/api/ingest/bulk/${begun.id}`)).json
  await eventually('some are taken', async () => (await told()).taken >= 3)
  pull()
  const paused = await eventually('it pauses', async () => {
    const now = await told()
    return now.state === 'paused' ? now : null
  })
  t.match(paused, { failed: 0, refused: 0, reason: /not plugged in/ })
  t.ok(paused.taken < count, `${paused.taken} were taken before it was pulled out`)
  plug()
  const resumed = await fetch(`${station.url}/api/ingest/bulk/${begun.id}/resume`, { method: 'POST' })
  t.equal(resumed.status, 200)
  await eventually('all are taken', async () => (await told()).state === 'done')
  t.match(await told(), { found: count, taken: count, duplicate: 0, failed: 0, left: 0 })
  t.equal(readdirSync(folder).filter((name) => name.endsWith('.txt')).length, count)
})
