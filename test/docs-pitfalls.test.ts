import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = new URL('..', import.meta.url)
const read = (file: string): string => readFileSync(fileURLToPath(new URL(file, root)), 'utf8')
const PITFALLS = 24

interface Pitfall {
  number: number
  tests: { file: string; name: string }[]
}

/** The table of docs/radio-pitfalls.md; a cell of tests holds one or more "`file`: name". */
function pitfalls(page: string): Pitfall[] {
  return [...page.matchAll(/^\| (\d+) \|.*\| ([^|]+) \|$/gm)].map(([, number, cell = '']) => ({
    number: Number(number),
    tests: cell.split('<br>').map((one) => {
      const [, file = '', name = ''] = /^`([^`]+)`: (.+)$/.exec(one) ?? []
      return { file, name }
    })
  }))
}

/** The names of the tests in a file, as they are when they run. */
function testNames(source: string): Set<string> {
  const names = [...source.matchAll(/\bt\.test\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)]
  return new Set(names.map(([, , name = '']) => name.replace(/\\(.)/g, '$1')))
}

t.test('each pitfall of the radios has tests, and they exist', async (t) => {
  const found = pitfalls(read('docs/radio-pitfalls.md'))
  t.same(
    found.map(({ number }) => number),
    Array.from({ length: PITFALLS }, (_, index) => index + 1)
  )
  for (const { number, tests } of found) {
    for (const { file, name } of tests) {
      const exists = file !== '' && existsSync(fileURLToPath(new URL(file, root)))
      if (t.ok(exists, `${number}: ${file} is a file`))
        t.ok(testNames(read(file)).has(name), `${number}: ${file}: ${name}`)
    }
  }
})

t.test('a test that is not there is noticed', async (t) => {
  const [row] = pitfalls("| 7 | What | How | `a.ts`: it's one<br>`b.ts`: another, with `code` |")
  t.same(row, {
    number: 7,
    tests: [
      { file: 'a.ts', name: "it's one" },
      { file: 'b.ts', name: 'another, with `code`' }
    ]
  })
  const names = testNames("t.test('it\\'s one', async (t) => {})\nt.test(\n  \"it's two\",\n  async () => {})")
  t.same([...names], ["it's one", "it's two"])
})
