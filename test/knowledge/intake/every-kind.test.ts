import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { STAGES } from '../../../src/knowledge/catalogue/states.ts'
import { toolReport } from '../../../src/knowledge/intake/tools.ts'
import { TRANSCRIPT_TYPES, UPLOAD_TYPES } from '../../../src/knowledge/intake/upload-type.ts'
import { intake } from '../../helpers/knowledge.ts'
import { book, intakeSetup } from './setup.ts'

t.test('U10: whatever is taken in has somebody who works on it, and nothing else is taken in', async (t) => {
  const s = await intakeSetup(t)
  const known = [...UPLOAD_TYPES, ...TRANSCRIPT_TYPES]
  for (const [index, type] of known.entries()) {
    const said = 'The goats of the valley are milked at dawn, and again when the sun goes down.'
    const content =
      type === '.vtt'
        ? `WEBVTT\n\n00:00.000 --> 00:09.000\n${said}\n`
        : type === '.srt'
          ? `1\n00:00:00,000 --> 00:00:09,000\n${said.replaceAll('goats', 'sheep')} Nobody sleeps late here.\n`
          : book({ title: `Book ${index}`, text: `goats ${index}` })
    const hash = await s.arrive(`goats${type}`, content)
    if (type === '.srt') await s.put(`acquired/transcript/${hash}.srt`, content)
    await s.work()
    const found = s.catalogue.byHash(hash)
    t.equal(found?.status, 'queued', `${type}: ${JSON.stringify(s.uploads.get(hash)?.reason)}`)
    t.equal(s.jobs.get(STAGES[0], String(found?.id))?.state, 'waiting', `${type}: the next stage has its job`)
  }
  const told = (await toolReport()).map(({ format }) => format)
  for (const type of UPLOAD_TYPES) t.ok(told.includes(type), `the page says what reads ${type}`)

  const { folder, folders, uploads, catalogue } = await intake(t)
  for (const name of ['page.html', 'picture.png', 'noending']) {
    const path = join(folder, 'acquired', 'text', name)
    mkdirSync(join(folder, 'acquired', 'text'), { recursive: true })
    writeFileSync(
      path,
      name === 'page.html' ? '<!doctype html><html><body>goats</body></html>' : `\x89PNG\r\n\x1a\n\0\0${name}`
    )
    utimesSync(path, 1, 1)
  }
  t.same(catalogue.list({ limit: 9 }).documents, [])
  t.ok(existsSync(join(folder, 'acquired', 'text', 'page.html')))
  t.match(await folders.look(), { taken: 0 })
  t.same(uploads.list({ state: 'pending', limit: 9 }), [], 'nothing waits for a reader that does not exist')
})
