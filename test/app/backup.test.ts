import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { sha256Hex } from '../../src/platform/bytes/hash.ts'
import { sampleText } from '../helpers/documents.ts'
import { FIRE } from '../helpers/fire.ts'
import { eventually, launch, type Running, run, running, startLookout } from '../helpers/process.ts'

t.setTimeout(600_000)

const EVENT = { ...FIRE, sent_at: new Date().toISOString() }

const TEXT = [
  'Notes on keeping goats. The word venduril stands only here and nowhere else in the library of this station.',
  'Whoever looks for venduril should find this page, and the page should open at the place where it stands.'
].join('\n\n')

async function complete(station: Running, name: string, bytes: Buffer): Promise<string> {
  const form = new FormData()
  form.append('category', 'Handbooks')
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  t.equal((await fetch(`${station.url}/api/upload`, { method: 'POST', body: form })).status, 201)
  const hash = sha256Hex(bytes)
  await eventually(`${name} is complete`, async () => {
    const { json } = await station.get<{ status: string }>(`/api/upload/${hash}/status`)
    return json.status === 'complete'
  })
  return hash
}

interface Found {
  mode: string
  results: { hash: string; citation: { url: string } }[]
}

t.test('what was deleted after a backup is restored to another folder, found there and cited', async (t) => {
  const root = t.testdir({ data: { 'config.json': JSON.stringify({ station: { name: 'Hill' } }) } })
  const [data, backups, back] = [join(root, 'data'), join(root, 'backups'), join(root, 'back')]
  const start = (folder: string): Promise<Running> =>
    startLookout(t, folder, { args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  const hill = await start(data)
  writeFileSync(join(data, 'keys.env'), 'OPENAI_KEY=sk-not-in-it\n', { mode: 0o600 })
  const bytes = sampleText(TEXT)
  const hash = await complete(hill, 'goats.txt', bytes)
  t.equal((await hill.post('/api/events', EVENT)).status, 202)

  const made = await run(t, ['backup', backups, '--keep', '2'], { env: { LOOKOUT_DATA: data } })
  t.equal(made.code, 0, made.stderr)
  t.match(made.stderr, /not in it: keys\.env[\s\S]*not in it: search\.db/)
  t.equal(statSync(made.stdout.trim()).isDirectory(), true)

  const gone = await fetch(`${hill.url}/api/documents/${hash}`, { method: 'DELETE' })
  t.ok(gone.ok)
  await eventually('it is gone', async () => (await hill.get(`/api/documents/${hash}`)).status === 404)
  const later = await run(t, ['backup', backups, '--data', data])
  t.equal(later.code, 0, later.stderr)
  t.equal((await run(t, ['backup', '--verify', backups])).code, 0, 'both are whole')
  await hill.launched.stop()

  const stamp = made.stdout.trim().split('/').at(-1) ?? ''
  const restored = await run(t, ['restore', backups, '--data', back, '--stamp', stamp])
  t.equal(restored.code, 0, restored.stderr)
  t.notOk(readdirSync(back).includes('search.db'), 'it is made again')

  const twin = await start(back)
  const found = await eventually('the document is found again, by words and vectors', async () => {
    const { json } = await twin.get<Found>('/api/search?q=venduril')
    return json.results?.[0]?.hash === hash && json.mode === 'hybrid' ? json : null
  })
  const cited = await fetch(new URL(found.results[0]?.citation.url ?? '', twin.url))
  t.equal(cited.status, 200)
  t.match(await cited.text(), 'venduril')
  const original = await fetch(`${twin.url}/api/documents/${hash}/original`)
  t.equal(sha256Hex(new Uint8Array(await original.arrayBuffer())), hash, 'the stored file, byte for byte')
  t.equal((await twin.get(`/api/events/${EVENT.id}`)).status, 200, 'events are there too')
  t.match((await twin.post('/api/events', EVENT)).json, { accepted: 0, duplicates: 1 }, 'nothing is announced twice')
})

t.test('the verbs answer as the others do', async (t) => {
  const root = t.testdir({ data: { 'config.json': '{}', shelf: { 'a.txt': 'a' } }, empty: {} })
  const [data, backups] = [join(root, 'data'), join(root, 'backups')]
  const cases: [string[], number, RegExp][] = [
    [['backup'], 2, /name one folder/],
    [['backup', backups, '--data', data, '--keep', '0'], 2, /--keep/],
    [['backup', backups, '--data', join(root, 'empty')], 4, /no data folder/],
    [['backup', '--verify', backups], 4, /no complete backup/],
    [['restore', backups], 2, /--data NEW/],
    [['restore', backups, '--data', join(root, 'new')], 4, /no complete backup/]
  ]
  for (const [args, code, said] of cases) {
    const ended = await run(t, args)
    t.equal(ended.code, code, args.join(' '))
    t.match(ended.stderr, said)
  }
  t.match((await run(t, ['backup', join(data, 'backups'), '--data', data])).stderr, /lost together with it/)
  const [object = ''] = readdirSync(join(data, 'backups', 'objects'))
  writeFileSync(join(data, 'backups', 'objects', object), 'b')
  const damaged = await run(t, ['backup', '--verify', join(data, 'backups')])
  t.match(damaged, { code: 1, stdout: /shelf\/a\.txt: its bytes have changed/ })
  t.match(await run(t, ['restore', join(data, 'backups'), '--data', data]), { code: 1, stderr: /not empty/ })
})

t.test('an index that is lost is made again by the next start, with nothing else to do', async (t) => {
  const data = t.testdir({ 'config.json': '{}' })
  const first = await startLookout(t, data, { args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  const hash = await complete(first, 'goats.txt', sampleText(TEXT))
  await first.launched.stop()
  for (const name of readdirSync(data).filter((one) => one.startsWith('search.db'))) rmSync(join(data, name))
  // A preview makes an empty one and repairs nothing.
  const preview = await running(launch(t, { args: ['preview', data, '--port', '0'], env: { LOOKOUT_LOG: 'error' } }))
  t.same((await preview.get<Found>('/api/search?q=venduril')).json.results, [])
  await preview.launched.stop()
  const again = await startLookout(t, data, { args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  await eventually('it is found again', async () => {
    const { json } = await again.get<Found>('/api/search?q=venduril')
    return json.results?.[0]?.hash === hash && json.mode === 'hybrid'
  })
})
