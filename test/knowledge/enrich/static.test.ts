import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { knownModel } from '../../../src/knowledge/enrich/embed/embedder.ts'
import { StaticEmbedder } from '../../../src/knowledge/enrich/embed/static.ts'
import { AppError } from '../../../src/platform/errors.ts'
import { safetensors, wordPieces, writeModel } from '../../helpers/static-model.ts'

/** Static token embeddings of the owner, docs/interface.md §8: a text is the mean of the vectors of its tokens. */

const WORDS = {
  lift: [1, 0, 0, 0],
  elevator: [0.75, 0.25, 0, 0],
  boil: [0, 0, 1, 0],
  water: [0, 0, 0.5, 0.5],
  '##s': [0, 0.5, 0, 0]
}
const NEVER = new AbortController().signal

function models(t: Pick<Test, 'testdir'>): string {
  return join(t.testdir(), 'models')
}

const cosine = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)

t.test('a text is the mean of its tokens, of length 1; what the vocabulary has not is left out', async (t) => {
  const folder = models(t)
  writeModel(join(folder, 'small'), WORDS)
  const embedder = new StaticEmbedder(folder, 'small')
  t.equal(embedder.dims, null, 'nothing is read before somebody asks')
  const [lifts, mixed, unknown, none] = await embedder.embed(['Lifts', 'lift zebra Wáter', 'zebra', ''], NEVER)
  const of = (values: number[]): number[] => {
    const length = Math.hypot(...values)
    return values.map((value) => Number((value / length).toFixed(6)))
  }
  const rounded = (vector?: Float32Array): number[] => [...(vector ?? [])].map((value) => Number(value.toFixed(6)))
  t.same(rounded(lifts), of([1, 0.5, 0, 0]), 'a word of two pieces')
  t.same(rounded(mixed), of([1, 0, 0.5, 0.5]), 'letters are folded as the tokenizer says')
  t.same([...(unknown ?? [])], [0, 0, 0, 0])
  t.same([...(none ?? [])], [0, 0, 0, 0])
  t.match(await knownModel(embedder, NEVER), { provider: 'static', model: /^small-[0-9a-f]{8}$/, dims: 4 })
})

t.test('words of one meaning are near each other, where letters alone see nothing', async (t) => {
  const folder = models(t)
  writeModel(join(folder, 'small'), WORDS)
  const [lift, elevator, water] = await new StaticEmbedder(folder, 'small').embed(['lift', 'elevator', 'water'], NEVER)
  const near = (one?: Float32Array, other?: Float32Array): number =>
    cosine(one ?? new Float32Array(), other ?? new Float32Array())
  t.ok(near(lift, elevator) > 0.9)
  t.ok(near(lift, water) < 0.1)
  t.equal(lift?.length, 4)
})

t.test('every kind of numbers gives the same directions', async (t) => {
  const folder = models(t)
  const texts = ['lifts boil', 'water', 'elevator']
  writeModel(join(folder, 'F32'), WORDS)
  const whole = await new StaticEmbedder(folder, 'F32').embed(texts, NEVER)
  for (const type of ['F64', 'F16', 'I8'] as const) {
    writeModel(join(folder, type), WORDS, { type })
    const vectors = await new StaticEmbedder(folder, type).embed(texts, NEVER)
    for (const [at, vector] of vectors.entries())
      t.ok(cosine(vector, whole[at] ?? new Float32Array()) > 0.9999, `${type}: ${texts[at]}`)
  }
})

t.test('a token has the row that the mapping names, and the weight of its own', async (t) => {
  const folder = models(t)
  const names = Object.keys(WORDS)
  const mapping = {
    type: 'I64' as const,
    isList: true as const,
    rows: ['', ...names].map((_, at) => [at === 2 ? 1 : at])
  }
  const weights = {
    type: 'F64' as const,
    isList: true as const,
    rows: ['', ...names].map((_, at) => [at === 4 ? 0 : 1])
  }
  writeModel(join(folder, 'mapped'), WORDS, { more: { mapping, weights } })
  const [lift, elevator, both] = await new StaticEmbedder(folder, 'mapped').embed(
    ['lift', 'elevator', 'lift water'],
    NEVER
  )
  t.same(elevator, lift, 'both have the first row')
  t.same(both, lift, 'water weighs nothing')
})

t.test('a file that is replaced is another model: its vectors are not compared with those of before', async (t) => {
  const folder = models(t)
  writeModel(join(folder, 'small'), WORDS)
  const embedder = new StaticEmbedder(folder, 'small')
  const before = await knownModel(embedder, NEVER)
  writeModel(join(folder, 'small'), { ...WORDS, stove: [0, 1, 0, 0] })
  const [stove] = await embedder.embed(['stove'], NEVER)
  t.same([...(stove ?? [])], [0, 1, 0, 0])
  t.not((await knownModel(embedder, NEVER)).model, before.model)
  writeModel(join(folder, 'copy'), WORDS)
  const copy = await knownModel(new StaticEmbedder(folder, 'copy'), NEVER)
  t.equal(copy.model.replace('copy', 'small'), before.model, 'a copy of the same files is the same')
})

t.test('a table of the same size with other numbers is another model', async (t) => {
  const folder = models(t)
  writeModel(join(folder, 'small'), WORDS)
  const embedder = new StaticEmbedder(folder, 'small')
  const before = await knownModel(embedder, NEVER)
  writeModel(join(folder, 'small'), { ...WORDS, boil: [0, 1, 0, 0] })
  t.not((await knownModel(embedder, NEVER)).model, before.model)
})

t.test('what is missing, damaged or of another model is said with the name of the file', async (t) => {
  const folder = models(t)
  const refused = async (name: string, message: RegExp): Promise<void> => {
    await t.rejects(new StaticEmbedder(folder, name).embed(['water'], NEVER), { code: 'unavailable', message }, name)
  }
  await refused('nobody', /models\/nobody\/model\.safetensors cannot be read: a model is a folder with/)
  for (const name of ['', '..', '../small', 'a/b', '.hidden']) await refused(name, /names no folder/)

  const made = (name: string): string => {
    writeModel(join(folder, name), WORDS)
    return join(folder, name)
  }
  const table = join(made('cut'), 'model.safetensors')
  truncateSync(table, readFileSync(table).length - 3)
  await refused('cut', /cut\/model\.safetensors is no file of a model of static embeddings, or not whole/)
  for (const [name, bytes] of [
    ['empty', Buffer.alloc(0)],
    ['page', Buffer.from('<html>not found</html>')],
    ['long', Buffer.alloc(64, 0xff)],
    [
      'list',
      safetensors({ bias: { type: 'F32', rows: [[1], [2]], isList: true }, other: { type: 'F32', rows: [[1, 2]] } })
    ]
  ] as const) {
    writeFileSync(join(made(name), 'model.safetensors'), bytes)
    await refused(name, /model\.safetensors is no file/)
  }
  writeFileSync(join(made('words'), 'tokenizer.json'), '{"model":')
  await refused('words', /words\/tokenizer\.json is no file/)
  writeFileSync(
    join(made('other'), 'tokenizer.json'),
    JSON.stringify(wordPieces([...Object.keys(WORDS), 'one', 'more']))
  )
  await refused('other', /has 6 rows for 8 tokens: the two files belong to different models/)
  mkdirSync(join(folder, 'half'))
  await refused('half', /half\/model\.safetensors cannot be read/)
})

t.test('a tokenizer that would hold the program for minutes is refused before it is used', async (t) => {
  const folder = models(t)
  writeModel(join(folder, 'own'), WORDS)
  const path = join(folder, 'own', 'tokenizer.json')
  const whole = readFileSync(path, 'utf8')
  const costly: [string, string][] = [
    ['a token with the number of a billion', whole.replace('"id":0', '"id":1000000000')],
    ['a word of the vocabulary with it', whole.replace('"water":4', '"water":1000000000')],
    ['a mark as long as a book', whole.replace('"##"', JSON.stringify('▁ '.repeat(60_000)))]
  ]
  for (const [name, text] of costly) {
    t.not(text, whole, name)
    writeFileSync(path, text)
    const began = performance.now()
    await t.rejects(
      new StaticEmbedder(folder, 'own').embed(['water'], NEVER),
      { message: /tokenizer\.json is no/ },
      name
    )
    t.ok(performance.now() - began < 1000, name)
  }
})

t.test('whatever bytes the files hold, there are vectors of numbers or a fault that names the file', async (t) => {
  const folder = join(models(t), 'torn')
  writeModel(folder, WORDS)
  const whole = ['model.safetensors', 'tokenizer.json'].map((name) => [name, readFileSync(join(folder, name))] as const)
  const torn = fc.record({
    which: fc.nat(1),
    at: fc.array(fc.nat(2000), { maxLength: 8 }),
    value: fc.nat(255),
    cut: fc.option(fc.nat(2000))
  })
  await fc.assert(
    fc.asyncProperty(torn, async ({ which, at, value, cut }) => {
      for (const [name, bytes] of whole) writeFileSync(join(folder, name), bytes)
      const [name, bytes] = whole[which] ?? ['', Buffer.alloc(0)]
      const changed = Buffer.from(bytes)
      for (const place of at) changed[place % changed.length] = value
      writeFileSync(join(folder, name), changed.subarray(0, cut ?? changed.length))
      try {
        const vectors = await new StaticEmbedder(join(folder, '..'), 'torn').embed(['lifts boil water', 'zebra'], NEVER)
        return vectors.every((vector) => vector.every(Number.isFinite))
      } catch (error) {
        return error instanceof AppError && error.code === 'unavailable' && /torn\//.test(error.message)
      }
    }),
    { numRuns: 1000, seed: 29 }
  )
})
