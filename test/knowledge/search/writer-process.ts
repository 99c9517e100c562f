/** Another process that fills the search.db named on its command line: `written`, then, asked to, `removed`. */
import { once } from 'node:events'
import { hashVector } from '../../../src/knowledge/enrich/embed/hash.ts'
import { openSearchIndex } from '../../../src/knowledge/search/index-store.ts'

const { vectors, close } = await openSearchIndex({ path: process.argv[2] ?? '' })
const model = { provider: 'hash', model: 'test', dims: 1024 }
for (let document = 100; document < 150; document++) {
  const items = [0, 1, 2, 3].map((at) => ({
    itemId: document * 10 + at,
    vector: hashVector(`water ${document} ${at}`)
  }))
  await vectors.put(document, model, items)
}
process.stdout.write('written\n')
await once(process.stdin, 'data')
for (let document = 100; document < 150; document += 2) await vectors.remove(document)
process.stdout.write('removed\n')
await once(process.stdin, 'end')
close()
