import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { hashVector } from '../../../src/knowledge/enrich/embed/hash.ts'
import { CodeTable } from '../../../src/knowledge/search/code-table.ts'
import { openSearchIndex } from '../../../src/knowledge/search/index-store.ts'
import { byteTable, codeLength, cosine, toBytes, toCode } from '../../../src/knowledge/search/quantise.ts'
import { keepsVectorPromises } from '../../contract/vector-store.ts'
import { runnable } from '../../helpers/runnable.ts'

const MODEL = { provider: 'hash', model: 'test', dims: 1024 }

t.test('the built-in store keeps the promises of a vector store', async (t) => {
  await keepsVectorPromises(t, async (t) => {
    const index = await openSearchIndex({ path: ':memory:' })
    t.teardown(() => index.close())
    return index.vectors
  })
})

t.test('bytes keep the direction of a vector; its own code scores highest, that of its opposite lowest', (t) => {
  const numbers = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true, min: -8, max: 8 }), {
    minLength: 1,
    maxLength: 200
  })
  const score = (question: Float32Array, code: Uint8Array): number => {
    const { sums } = byteTable(question)
    return [...code].reduce((sum, byte, at) => sum + (sums[at * 256 + byte] ?? 0), 0)
  }
  fc.assert(
    fc.property(numbers, (values) => {
      const length = Math.hypot(...values)
      if (length < 1e-6) return true
      const unit = Float32Array.from(values, (value) => value / length)
      const { limit } = byteTable(unit)
      const code = toCode(unit)
      const [own, opposite] = [score(unit, code), score(unit, toCode(unit.map((value) => -value)))]
      return (
        cosine(unit, toBytes(unit)) > 0.99 &&
        code.length === codeLength(unit.length) &&
        own <= limit &&
        own > 0.99 * limit &&
        opposite >= -limit &&
        // Numbers that are exactly 0 have no sign to lose.
        opposite < -0.5 * limit
      )
    })
  )
  t.equal(cosine(new Float32Array(4), toBytes(new Float32Array(4))), 0)
  t.same(
    [1, 32, 33, 384, 768, 1024, 1536].map(codeLength),
    [4, 4, 8, 64, 128, 128, 256],
    'whole words of 32 bits, a power of two'
  )
  t.end()
})

t.test('the scan finds exactly the items whose codes score best, whatever was added and removed', (t) => {
  const word = fc.nat(2 ** 32 - 1)
  const entry = fc.record({ document: fc.integer({ min: 1, max: 6 }), code: fc.tuple(word, word) })
  const sample = fc.record({
    entries: fc.array(entry, { maxLength: 60 }),
    removed: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }),
    allowed: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 6 }))),
    question: fc.array(fc.float({ noNaN: true, min: -1, max: 1 }), { minLength: 64, maxLength: 64 }),
    k: fc.integer({ min: 1, max: 70 })
  })
  fc.assert(
    fc.property(sample, ({ entries, removed, allowed, question, k }) => {
      const table = new CodeTable(8)
      for (const [at, { document, code }] of entries.entries())
        table.add(document, Uint32Array.of(at + 1), new Uint8Array(Uint32Array.from(code).buffer))
      table.remove(new Set(removed))
      const sums = byteTable(Float32Array.from(question))
      const score = (code: number[]): number =>
        [...new Uint8Array(Uint32Array.from(code).buffer)].reduce(
          (sum, byte, at) => sum + (sums.sums[at * 256 + byte] ?? 0),
          0
        )
      const expected = entries
        .map(({ document, code }, at) => ({ id: at + 1, document, score: score(code) }))
        .filter(({ document }) => !removed.includes(document) && (allowed === null || allowed.includes(document)))
        .sort((a, b) => b.score - a.score || a.id - b.id)
        .slice(0, k)
        .map(({ id }) => id)
        .sort((a, b) => a - b)
      const found = table.nearest(sums, k, allowed === null ? null : new Set(allowed))
      return JSON.stringify(found) === JSON.stringify(expected)
    })
  )
  t.end()
})

t.test('what another process writes while we search is found by the next question', { timeout: 120_000 }, async (t) => {
  const path = join(t.testdir({}), 'search.db')
  const index = await openSearchIndex({ path })
  t.teardown(() => index.close())
  await index.vectors.put(1, MODEL, [{ itemId: 1, vector: hashVector('radio') }])
  const find = async (text: string) =>
    (await index.vectors.search(hashVector(text), { model: MODEL, k: 300 })).map(({ itemId }) => itemId)
  t.same(await find('radio'), [1])

  const { flags, file } = runnable('test/knowledge/search/writer-process.ts')
  const writer = spawn(process.execPath, [...flags, file, path], {
    stdio: ['pipe', 'pipe', 'inherit']
  })
  t.teardown(() => writer.kill('SIGKILL'))
  const lines: string[] = []
  writer.stdout.setEncoding('utf8').on('data', (chunk: string) => lines.push(...chunk.split('\n').filter(Boolean)))
  const told = async (line: string): Promise<void> => {
    while (!lines.includes(line)) await once(writer.stdout, 'data')
  }
  let questions = 0
  while (!lines.includes('written')) {
    await find('water')
    questions++
    await new Promise((resolve) => setImmediate(resolve))
  }
  t.ok(questions > 0)
  t.equal((await find('water')).filter((id) => id >= 1000).length, 200, 'all of the other process')
  t.equal((await find('radio'))[0], 1)
  writer.stdin.write('remove\n')
  await told('removed')
  t.equal((await find('water')).filter((id) => id >= 1000).length, 100, 'every second document is gone')
  writer.stdin.end()
  await once(writer, 'exit')
})

t.test('a file that is no database is told', async (t) => {
  const folder = t.testdir({ 'search.db': 'this is no database, it is a text' })
  await t.rejects(openSearchIndex({ path: join(folder, 'search.db') }))
})

t.test('a connection that only reads cannot write', async (t) => {
  const path = join(t.testdir({}), 'search.db')
  const index = await openSearchIndex({ path, readOnly: true })
  t.teardown(() => index.close())
  await t.rejects(index.vectors.put(1, MODEL, [{ itemId: 1, vector: hashVector('radio') }]))
  t.same(await index.vectors.search(hashVector('radio'), { model: MODEL, k: 3 }), [])
})
