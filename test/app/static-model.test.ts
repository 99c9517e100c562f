import { join } from 'node:path'
import t from 'tap'
import { eventually, startLookout } from '../helpers/process.ts'
import { writeModel } from '../helpers/static-model.ts'

/** A model of meaning that its owner puts into a folder, docs/interface.md §8. */

const HOUSE =
  'The elevator of the shelter holds eight persons. It is checked every morning by the warden, who keeps its key. When the power fails the elevator is lowered by hand with the crank in the cellar. '

t.test('a text is found by a word of the same meaning once its owner has put a model into the folder', async (t) => {
  const config = { station: { name: 'Hill' }, knowledge: { embedding: { provider: 'static', model: 'small' } } }
  const data = join(t.testdir({ data: { 'config.json': JSON.stringify(config) } }), 'data')
  const running = await startLookout(t, data, { args: ['--no-demo'], env: { LOOKOUT_LOG: 'error' } })
  const form = new FormData()
  form.append('file', new Blob([HOUSE.repeat(8)]), 'house.txt')
  const sent = await fetch(`${running.url}/api/upload`, { method: 'POST', body: form })
  const { hash } = (await sent.json()) as { hash: string }
  const status = async () =>
    (await running.get<{ status: string; message: string; reason: string | null }>(`/api/upload/${hash}/status`)).json
  const found = async (q: string) => (await running.get<{ mode: string; count: number }>(`/api/search?q=${q}`)).json

  const waiting = await eventually('without its model it waits, and is found by words', async () => {
    const now = await status()
    return now.status === 'enriched' && now.reason !== null ? now : null
  })
  t.match(`${waiting.message} ${waiting.reason}`, /models\/small\/model\.safetensors cannot be read/)
  t.match(await found('elevator'), { mode: 'lexical', count: 1 })
  t.match(await found('ascenseur'), { count: 0 })

  const words = [...new Set(HOUSE.toLowerCase().match(/\p{L}+/gu))]
  const vectors = words.map((word, at) => [word, [word === 'elevator' ? 5 : 0, at % 2, (at % 3) / 2, (at % 5) / 4]])
  writeModel(join(data, 'models/small'), { ...Object.fromEntries(vectors), ascenseur: [5, 0, 0, 0] })
  // It would go on by itself after five minutes.
  const release = { method: 'POST', body: new URLSearchParams({ do: 'release' }), redirect: 'manual' } as const
  t.equal((await fetch(`${running.url}/knowledge`, release)).status, 303)
  await eventually('it is complete', async () => (await status()).status === 'complete')
  t.match(await found('ascenseur'), { mode: 'hybrid', count: 1 })
})
