import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { STROKES_FILE, strokesFile } from '../../scripts/icons.ts'
import { licenceTexts } from '../../scripts/pack-packages.ts'
import { STROKES } from '../../src/dashboard/pages/frame/icon-strokes.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

t.test('the icons are those of their set, as npm run icons writes them', (t) => {
  t.equal(readFileSync(join(root, STROKES_FILE), 'utf8'), strokesFile())
  for (const [name, strokes] of Object.entries(STROKES)) t.match(strokes, /^M[\d.achlmqsvz -]+$/i, name)
  t.end()
})

t.test('bundles carry the licence of the icons with its text', (t) => {
  const text = licenceTexts([
    { name: '@iconify-json/lucide', version: '1', license: 'ISC', folder: 'node_modules/@iconify-json/lucide' }
  ])
  t.match(text, 'Copyright (c) 2026 Lucide Icons and Contributors')
  t.match(text, 'Copyright (c) 2013-present Cole Bemis')
  t.end()
})
