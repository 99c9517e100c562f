import fc from 'fast-check'
import t from 'tap'
import { keyId, keysIn, maskKey, withKey, withoutKey, withReplaced } from '../../../src/knowledge/keys/env-file.ts'
import { growthOfEightfold, MOST_GROWTH } from '../../helpers/growth.ts'

const LONG = 'AIzaSyA1234567890abcdefgh'

t.test(
  'a key is masked after its length: over 16 first 8 and last 4, from 9 first 4 and last 2, else nothing of it',
  async (t) => {
    const rows: [string, string][] = [
      ['', '****'],
      ['12345678', '****'],
      ['123456789', '1234...89'],
      ['1234567890123456', '1234...56'],
      ['12345678901234567', '12345678...4567'],
      [LONG, 'AIzaSyA1...efgh']
    ]
    for (const [value, masked] of rows) t.equal(maskKey(value), masked, `${value.length} characters`)
  }
)

t.test('lines are read with and without a number, quotes, export, comments and Windows line ends', async (t) => {
  const rows: [string, [string, string][]][] = [
    ['GEMINI_KEY_1=abc', [['gemini', 'abc']]],
    ['GEMINI_KEY=abc', [['gemini', 'abc']]],
    ['OPENAI_KEY_12="sk-1"', [['openai', 'sk-1']]],
    ["EMBEDDING_KEY='tok en'", [['embedding', 'tok en']]],
    ['  export GEMINI_KEY_7 =  abc  # mine', [['gemini', 'abc']]],
    [
      'GEMINI_KEY_1="abc" # mine\r\nOPENAI_KEY=x\r\n',
      [
        ['gemini', 'abc'],
        ['openai', 'x']
      ]
    ],
    ['\uFEFFGEMINI_KEY=abc', [['gemini', 'abc']]],
    ['GEMINI_KEY_1=a#b', [['gemini', 'a#b']]],
    ['GEMINI_KEY_1=abc=\nGEMINI_KEY_2=abc=', [['gemini', 'abc=']]],
    [
      'GEMINI_KEY_1=\nGEMINI_KEY_2=""\n# GEMINI_KEY_3=no\nTOMTOM_KEY_1=x\nGEMINI_API_KEY=x\nMY_GEMINI_KEY=x\nnonsense',
      []
    ],
    ['', []]
  ]
  for (const [text, keys] of rows)
    t.same(
      keysIn(text).map(({ provider, value }) => [provider, value]),
      keys,
      JSON.stringify(text)
    )
})

t.test('a key is added behind the highest number of its provider; everything else stays as it is', async (t) => {
  t.equal(withKey('', 'gemini', 'abc'), 'GEMINI_KEY_1=abc\n')
  t.equal(withKey('GEMINI_KEY=a\nOPENAI_KEY_9=b', 'gemini', 'c'), 'GEMINI_KEY=a\nOPENAI_KEY_9=b\nGEMINI_KEY_1=c\n')
  t.equal(withKey('GEMINI_KEY_4=\r\n# note\r\n', 'gemini', 'c'), 'GEMINI_KEY_4=\r\n# note\r\nGEMINI_KEY_5=c\r\n')
  t.equal(withKey('', 'openai', 'a#b$c'), "OPENAI_KEY_1='a#b$c'\n", 'quoted where others would read more into it')
})

t.test('replacing and removing touch the lines of that key alone; numbers of others are kept', async (t) => {
  const text =
    '# keys\n\nGEMINI_KEY_1=one\nFOO=bar\n  export GEMINI_KEY_3 = "two" # second\nGEMINI_KEY_9=two\nOPENAI_KEY=two2'
  t.equal(
    withReplaced(text, keyId('two'), 'new'),
    '# keys\n\nGEMINI_KEY_1=one\nFOO=bar\n  export GEMINI_KEY_3 = new\nOPENAI_KEY=two2'
  )
  t.equal(withoutKey(text, keyId('two')), '# keys\n\nGEMINI_KEY_1=one\nFOO=bar\nOPENAI_KEY=two2')
  t.equal(withoutKey(text, keyId('nobody')), text)
})

t.test('whatever stands in a file: adding, replacing and removing a key changes no line of anybody else', async (t) => {
  const line = fc.oneof(
    fc.string({ maxLength: 30 }).map((text) => text.replace(/[\r\n]/g, ' ')),
    fc.constantFrom('GEMINI_KEY_1=one', 'OPENAI_KEY="two"', '# note', '', 'A=b', 'GEMINI_KEY_2=')
  )
  const file = fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'))
    .map(([lines, end]) => lines.join(end))
  const value = fc
    .string({ minLength: 1, maxLength: 40 })
    .map((text) => `k${text.replace(/[^\x21-\x7e]|["'`\\]/g, 'x')}`)
  const others = (text: string, id: string): string[] =>
    text.split(/\r?\n/).filter((one) => one !== '' && !keysIn(one).some((key) => key.id === id))
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(file, value, value, (text, first, second) => {
        fc.pre(first !== second && !keysIn(text).some(({ value: known }) => known === first || known === second))
        const added = withKey(text, 'gemini', first)
        const has = (content: string, wanted: string): boolean => keysIn(content).some((key) => key.value === wanted)
        const replaced = withReplaced(added, keyId(first), second)
        const removed = withoutKey(replaced, keyId(second))
        return (
          has(added, first) &&
          has(replaced, second) &&
          !has(replaced, first) &&
          JSON.stringify(others(added, keyId(first))) === JSON.stringify(others(text, '')) &&
          JSON.stringify(others(removed, '')) === JSON.stringify(others(text, ''))
        )
      })
    )
  )
})

t.test('a line of blanks costs what its length does', async (t) => {
  const read = (text: string): void => void keysIn(text)
  for (const make of [
    (times: number) => `GEMINI_KEY=abc${' '.repeat(times)}x`,
    (times: number) => `GEMINI_KEY="abc"${' '.repeat(times)}x`,
    (times: number) => `GEMINI_KEY=${'a '.repeat(times)}`
  ])
    t.ok(growthOfEightfold(make, read, 4000) < MOST_GROWTH, make(2))
  t.same(
    keysIn('GEMINI_KEY=abc   # mine').map(({ value }) => value),
    ['abc']
  )
})
