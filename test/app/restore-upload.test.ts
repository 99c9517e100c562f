import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { FIRE } from '../helpers/fire.ts'
import { eventually, type Running, startLookout } from '../helpers/process.ts'

t.setTimeout(300_000)

/** A backup goes from one board to a blank one by the phone, with the power cut wherever it hurts. */

const EVENT = { ...FIRE, sent_at: new Date().toISOString() }

interface State {
  busy: boolean
  judging: boolean
  restore: string | null
  notRestored: string | null
  uploaded: { facts: { files: number } | null; refused: string | null } | null
}

const TUS = { 'Tus-Resumable': '1.0.0' }
const CHUNK = { ...TUS, 'Content-Type': 'application/offset+octet-stream' }

const stateOf = async (station: Running): Promise<State> => (await station.get<State>('/api/backup')).json
const nameOf = async (station: Running): Promise<string> =>
  (await station.get<{ station: { name: string } }>('/api/first-run')).json.station.name

async function downloaded(station: Running): Promise<Buffer> {
  const asked = await fetch(`${station.url}/backup`, {
    method: 'POST',
    body: new URLSearchParams({ do: 'file' }),
    redirect: 'manual'
  })
  t.equal(asked.status, 303)
  await eventually('it is made', async () => !(await stateOf(station)).busy)
  const page = await (await fetch(`${station.url}/backup`)).text()
  const link = /href="(\/api\/backup\/file\?[^"]*)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const answer = await fetch(new URL(link, station.url))
  t.match(answer.headers.get('content-disposition'), /lookout-backup-[\dTZ-]+\.tar/)
  return Buffer.from(await answer.arrayBuffer())
}

t.test('a blank station becomes the one that was backed up, though it was killed twice on the way', async (t) => {
  const root = t.testdir({ hill: { 'config.json': JSON.stringify({ station: { name: 'Hill' } }) }, blank: {} })
  const data = join(root, 'blank')
  const env = { LOOKOUT_LOG: 'error' }
  const start = (folder: string): Promise<Running> => startLookout(t, folder, { args: ['--no-demo'], env })
  const hill = await start(join(root, 'hill'))
  t.equal((await hill.post('/api/events', EVENT)).status, 202)
  const file = await downloaded(hill)
  await hill.launched.stop()

  const half = Math.floor(file.length / 2)
  const first = await start(data)
  const begun = await fetch(`${first.url}/api/backup/uploads`, {
    method: 'POST',
    headers: {
      ...CHUNK,
      'Upload-Length': String(file.length),
      'Upload-Metadata': `filename ${Buffer.from('lookout-backup.tar').toString('base64')}`
    },
    body: new Uint8Array(file.subarray(0, half))
  })
  t.equal(begun.status, 201)
  const path = begun.headers.get('location') ?? ''
  await first.launched.kill()

  const second = await start(data)
  const where = await fetch(second.url + path, { method: 'HEAD', headers: TUS })
  t.equal(where.headers.get('upload-offset'), String(half), 'the upload goes on where it ended')
  const rest = await fetch(second.url + path, {
    method: 'PATCH',
    headers: { ...CHUNK, 'Upload-Offset': String(half) },
    body: new Uint8Array(file.subarray(half))
  })
  t.equal(rest.status, 204)
  await eventually('it was looked at', async () => (await stateOf(second)).uploaded?.facts !== null)
  t.match(await stateOf(second), { uploaded: { refused: null, facts: { files: Number } } })
  t.equal((await fetch(`${second.url}/api/backup/restore`, { method: 'POST' })).status, 202)
  await second.launched.kill()

  const third = await start(data)
  if (existsSync(join(data, 'restore.upload/backup.tar'))) {
    t.not(await nameOf(third), 'Hill', 'nothing was replaced by half a backup')
    t.equal((await fetch(`${third.url}/api/backup/restore`, { method: 'POST' })).status, 202)
    await eventually('it is whole', async () => (await stateOf(third)).restore === 'ready')
  }
  await third.launched.stop()

  const fourth = await start(data)
  t.equal(await nameOf(fourth), 'Hill')
  t.equal((await fourth.get(`/api/events/${EVENT.id}`)).status, 200)
  t.match((await fourth.post('/api/events', EVENT)).json, { accepted: 0, duplicates: 1 }, 'nothing is announced twice')
  t.notOk(existsSync(join(data, 'restore.upload')), 'what was uploaded takes no room any more')
})
