import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { sampleText } from '../helpers/documents.ts'
import { eventually, startLookout } from '../helpers/process.ts'

t.setTimeout(300_000)

/** Every file and folder below, by name, whose mode gives others anything. */
function openBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => (statSync(path).mode & 0o077) !== 0)
    .map((path) => relative(folder, path))
}

t.test('with no mask at all, nothing that a station makes can be read by other users', async (t) => {
  const data = join(t.testdir({}), 'data')
  const mask = process.umask(0)
  t.teardown(() => process.umask(mask))
  // As an older version left it, or somebody who copied it.
  mkdirSync(join(data, 'archives'), { recursive: true })
  writeFileSync(join(data, 'config.json'), JSON.stringify({ station: { name: 'Hill' } }))
  writeFileSync(join(data, 'keys.env'), 'OPENAI_API_KEY=sk-none\n')
  t.same(openBelow(data).sort(), ['archives', 'config.json', 'keys.env'])
  const hill = await startLookout(t, data, { args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  const form = new FormData()
  form.append('category', 'Handbooks')
  const text = sampleText(
    'Keep the goats in good order: look at them every month, and tell the next watch about it. '.repeat(20)
  )
  form.append('file', new Blob([new Uint8Array(text)]), 'goats.txt')
  const { hash } = (await (await fetch(`${hill.url}/api/upload`, { method: 'POST', body: form })).json()) as {
    hash: string
  }
  await eventually('the document is read', async () => {
    const { json } = await hill.get<{ status: string }>(`/api/upload/${hash}/status`)
    return ['complete', 'failed', 'needs_review'].includes(json.status) ? json : null
  })
  t.equal(statSync(data).mode & 0o777, 0o700)
  t.same(openBelow(data), [])
  const files = readdirSync(data)
  for (const name of ['lookout.db', 'knowledge.db', 'search.db', 'metrics.db', 'local.token'])
    t.ok(files.includes(name), `${name} is among them`)
})
