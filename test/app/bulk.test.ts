import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
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
    const base = t.testdir({})
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
    await eventually('each is filed', async () => {
      const answered = await station.get<{ uploads: Record<string, number> }>('/api/knowledge')
      return answered.json.uploads['filed'] === FILES
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
