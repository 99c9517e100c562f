import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { inspectModel } from '../../../src/knowledge/enrich/embed/inspect-model.ts'
import { isModelName, MODEL_FILES, TABLE, TOKENIZER } from '../../../src/knowledge/enrich/embed/model-files.ts'
import { ModelShelf } from '../../../src/knowledge/enrich/embed/model-shelf.ts'
import { safetensors, wordPieces, writeModel } from '../../helpers/static-model.ts'

/** The folder of models of meaning, docs/interface.md §8: nothing half counts as one. */

const WORDS = { lift: [1, 0], elevator: [0.75, 0.25], water: [0, 1] }
const NOW = Date.now()

function shelf(t: Pick<Test, 'testdir'>): { shelf: ModelShelf; root: string; part: (bytes: string) => string } {
  const root = t.testdir({})
  const part = (bytes: string): string => {
    writeFileSync(join(root, 'part'), bytes)
    return join(root, 'part')
  }
  return { shelf: new ModelShelf(join(root, 'models')), root, part }
}

t.test('a model is a folder with a plain name, and what it lacks is told', async (t) => {
  const { shelf: found, root } = shelf(t)
  t.same(await found.list(), [], 'there need be no folder')
  for (const name of ['small', 'half']) writeModel(join(root, 'models', name), WORDS)
  renameSync(join(root, 'models/half', TOKENIZER), join(root, 'away'))
  mkdirSync(join(root, 'models/.hidden'))
  writeFileSync(join(root, 'models/README'), 'no folder')
  const bytes = MODEL_FILES.reduce((sum, file) => sum + readFileSync(join(root, 'models/small', file)).length, 0)
  t.match(await found.list(), [
    { name: 'half', missing: TOKENIZER },
    { name: 'small', missing: null, bytes }
  ])
  for (const name of ['', '..', 'a/b', '.parts', '-x', 'x'.repeat(101), '\u{10400}'.repeat(61)])
    t.equal(isModelName(name), false, name)
  for (const name of ['potion-base-8M', 'Größe_2.1', 'Модель']) t.equal(isModelName(name), true, name)
})

t.test('one file alone is no model; both take their place at once, in that of one that was there', async (t) => {
  const { shelf: found, root, part } = shelf(t)
  await found.keepHalf('small', TABLE, part('numbers'))
  t.same([await found.list(), await found.halves()], [[], [{ name: 'small', here: [TABLE] }]])
  await found.keepHalf('small', TOKENIZER, part('words'))
  await found.place('small')
  t.match(await found.list(), [{ name: 'small', missing: null }])
  const before = (await found.get('small'))?.stamp
  for (const file of MODEL_FILES) await found.keepHalf('small', file, part('new'))
  await found.place('small')
  t.not((await found.get('small'))?.stamp, before)
  t.equal(readFileSync(join(root, 'models/small', TOKENIZER), 'utf8'), 'new')
  t.same(readdirSync(join(root, 'models/.parts')), ['halves'], 'nothing of the one before is left')
  await found.remove('small')
  t.same([await found.list(), existsSync(join(root, 'models/small'))], [[], false])
})

t.test('wherever a kill fell, the next start has the one before or the new one, and no remains', async (t) => {
  const { shelf: found, root, part } = shelf(t)
  const [models, left] = [join(root, 'models'), join(root, 'models/.parts/left/a1')]
  const text = (): string => readFileSync(join(models, 'small', TOKENIZER), 'utf8')
  for (const file of MODEL_FILES) await found.keepHalf('small', file, part('old'))
  await found.place('small')
  for (const file of MODEL_FILES) await found.keepHalf('small', file, part('new'))
  cpSync(models, join(root, 'whole'), { recursive: true })

  const after = async (name: string, at: () => void, said: string): Promise<void> => {
    cpSync(join(root, 'whole'), models, { recursive: true })
    at()
    await new ModelShelf(models).mend(NOW - 86_400_000)
    t.equal(text(), said, name)
    t.same([await found.halves(), existsSync(left)], [[], false], name)
  }
  await after('before the first step', () => undefined, 'new')
  const aside = (): void => {
    mkdirSync(join(left, '..'), { recursive: true })
    renameSync(join(models, 'small'), left)
  }
  await after('between the two', aside, 'new')
  await after(
    'before the last',
    () => {
      aside()
      renameSync(join(models, '.parts/halves/small'), join(models, 'small'))
    },
    'new'
  )
})

t.test('a half that nobody goes on with is forgotten after a day, and not before', async (t) => {
  const { shelf: found, part } = shelf(t)
  await found.keepHalf('small', TABLE, part('numbers'))
  await found.mend(NOW - 86_400_000)
  t.match(await found.halves(), [{ name: 'small' }])
  await found.mend(Date.now() + 1000)
  t.same([await found.halves(), await found.list()], [[], []])
})

t.test('a model is tried by its own words, and what is wrong is said with the name of the file', async (t) => {
  const root = t.testdir({})
  const place = (name: string, file: string) => ({ path: join(root, name, file), said: file })
  const inspect = (name: string) => inspectModel({ [TABLE]: place(name, TABLE), [TOKENIZER]: place(name, TOKENIZER) })
  writeModel(join(root, 'good'), WORDS)
  t.same(await inspect('good'), { dims: 2, words: 4 })

  const mapping = { type: 'I64' as const, isList: true as const, rows: [[0], [1], [9], [3]] }
  writeModel(join(root, 'mapped'), WORDS, { more: { mapping } })
  await t.rejects(inspect('mapped'), { code: 'invalid', message: /^model\.safetensors is no file/ })
  writeModel(join(root, 'nothing'), { lift: [0, 0], water: [0, 0] })
  await t.rejects(inspect('nothing'), { code: 'invalid', message: /^model\.safetensors makes no vector/ })
  writeModel(join(root, 'other'), WORDS)
  writeFileSync(join(root, 'other', TOKENIZER), JSON.stringify(wordPieces([...Object.keys(WORDS), 'more'])))
  await t.rejects(inspect('other'), { code: 'invalid', message: /^model\.safetensors has 4 rows for 5 tokens/ })
  writeFileSync(join(root, 'other', TOKENIZER), '<html>')
  await t.rejects(inspect('other'), { code: 'invalid', message: /^tokenizer\.json is no file/ })
  writeFileSync(join(root, 'good', TABLE), safetensors({ embeddings: { type: 'F32', rows: [[Number.NaN, 1]] } }))
  await t.rejects(inspect('good'), { code: 'invalid', message: /^model\.safetensors/ })
})
