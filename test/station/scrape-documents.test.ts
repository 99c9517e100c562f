import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { documentIntake } from '../../src/station/scrape-documents.ts'
import { inWords } from '../helpers/in-words.ts'
import { intake } from '../helpers/knowledge.ts'

const PDF = Buffer.from('%PDF-1.4\n1 0 obj\n<< >>\nendobj\n%%EOF\n')

t.test('a linked document goes the way of every upload, and its record says where it came from', async (t) => {
  const it = await intake(t)
  const documents = documentIntake(it)
  const path = join(it.folder, '7.pdf')
  writeFileSync(path, PDF)
  const address = 'https://example.org/files/Pumpen%20und%20Brunnen.PDF?v=2'
  const first = await documents.take({ address, path, jobId: 3 })
  t.match(first, { address, state: 'taken', reason: null, hash: /^[0-9a-f]{64}$/ })
  const upload = it.uploads.get(first.hash ?? '')
  t.match(upload, { filename: 'Pumpen und Brunnen.pdf', source: 'archived_site', state: 'pending' })
  t.match(upload?.sidecar, { source_url: address, scrape_job: 3 })

  t.match(
    await documents.take({ address, path, jobId: 3 }),
    { state: 'taken', hash: first.hash },
    'after a kill it is known again'
  )
  t.match(
    await documents.take({ address, path, jobId: 4 }),
    { state: 'here', hash: first.hash },
    'another job finds it there'
  )
  t.match(
    await documents.take({ address: `${address}&x`, path, jobId: 3 }),
    { state: 'here' },
    'and so does another address'
  )
})

t.test('what the intake refuses is an answer, what may pass is thrown', async (t) => {
  const it = await intake(t)
  const documents = documentIntake(it)
  const path = join(it.folder, '1.pdf')
  writeFileSync(path, 'no document at all')
  const refused = await documents.take({ address: 'https://example.org/x', path, jobId: 1 })
  t.match(inWords(refused), { state: 'refused', hash: null, reason: /.+/ })
  await t.rejects(documents.take({ address: 'https://example.org/x', path: join(it.folder, 'none.pdf'), jobId: 1 }), {
    code: 'unavailable'
  })
})
