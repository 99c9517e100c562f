import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = new URL('..', import.meta.url)
const read = (file: string): string => readFileSync(fileURLToPath(new URL(file, root)), 'utf8')
/** Every defect that was found, by where: upload, retry and filing, models and search, then archives and addresses. */
const DEFECTS = [...numbered('U', 10), ...numbered('R', 8), ...numbered('L', 11), ...numbered('Z', 12), 'N13']

function numbered(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${letter}${index + 1}`)
}

interface Defect {
  id: string
  cells: string[]
  tests: { file: string; name: string }[]
}

/** The table of docs/knowledge-defects.md; a cell of tests holds one or more "`file`: name". */
function defects(page: string): Defect[] {
  return [...page.matchAll(/^\| ([A-Z]\d+) \| (.*) \| ([^|]+) \|$/gm)].map(([, id = '', words = '', cell = '']) => ({
    id,
    cells: words.split(' | '),
    tests: cell.split('<br>').map((one) => {
      const [, file = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(one) ?? []
      return { file, name }
    })
  }))
}

/** The names of the tests in a file, as they are written. */
function testNames(source: string): Set<string> {
  const names = [...source.matchAll(/\bt\.test\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)]
  return new Set(names.map(([, , name = '']) => name.replace(/\\(.)/g, '$1')))
}

t.test('each defect has what we do about it and tests, and they exist', async (t) => {
  const found = defects(read('docs/knowledge-defects.md'))
  t.same(
    found.map(({ id }) => id),
    DEFECTS
  )
  const named = new Map<string, Set<string>>()
  for (const { id, cells, tests } of found) {
    t.equal(cells.filter((cell) => cell.length > 10).length, 2, `${id}: what happened, and what Lookout does`)
    for (const { file, name } of tests) {
      const exists = file !== '' && existsSync(fileURLToPath(new URL(file, root)))
      if (!t.ok(exists, `${id}: ${file} is a file`)) continue
      const names = named.get(file) ?? testNames(read(file))
      named.set(file, names)
      t.ok(names.has(name), `${id}: ${file}: ${name}`)
    }
  }
})

t.test('a row that names no test, or another one, is noticed', async (t) => {
  const [row] = defects('| U7 | What | How | `a.ts`: U7: one<br>nothing |')
  t.same(row, {
    id: 'U7',
    cells: ['What', 'How'],
    tests: [
      { file: 'a.ts', name: 'U7: one' },
      { file: '', name: '' }
    ]
  })
  t.notOk(testNames("t.test('U7: two', async () => {})").has('U7: one'))
})
