import fc from 'fast-check'
import t from 'tap'
import { DOMAINS } from '../../../src/knowledge/catalogue/document.ts'
import { blocksOf } from '../../../src/knowledge/enrich/blocks.ts'
import { clip, extractiveItems } from '../../../src/knowledge/enrich/items.ts'
import { keywordsOf, statisticsOf, weightsOf } from '../../../src/knowledge/enrich/keywords.ts'
import { MAX_PASSAGE, passagesOf } from '../../../src/knowledge/enrich/passages.ts'
import { splitSentences } from '../../../src/knowledge/enrich/sentences.ts'
import { windowsOf } from '../../../src/knowledge/enrich/windows.ts'
import { anyText } from '../../helpers/any-text.ts'

const page = (number: number, text: string) => ({ number, text })
const words = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')
const glued = (text: string): string => text.replace(/\s+/g, '')

const word = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit: fc.constantFrom(...'abcdefghij'), minLength: 1, maxLength: 12 }) },
  fc.constantFrom(
    'Water',
    'SUPPLY',
    '3.',
    'Fig.',
    'e.g.',
    '•',
    '-',
    '1)',
    '|',
    'ends.',
    'why?',
    'so!',
    '#',
    'CHAPTER',
    '12',
    '水を飲む。',
    '“Yes.”',
    '…',
    '。'
  )
)
const blank = fc.oneof(
  { weight: 9, arbitrary: fc.constant(' ') },
  fc.constantFrom('\n', '\n\n', '   ', '\t', '\r\n', '\f', '\n \n', '\u00a0')
)
const prose = fc.array(fc.tuple(word, blank), { maxLength: 400 }).map((parts) => parts.flat().join(''))

t.test('every word of the pages is in the passages once, in order, and no passage is too long', async (t) => {
  fc.assert(
    fc.property(fc.array(prose, { minLength: 1, maxLength: 4 }), (texts) => {
      const pages = texts.map((text, at) => page(at + 1, text))
      const passages = passagesOf(pages)
      t.same(
        words(passages.map(({ text }) => text).join(' ')),
        words(texts.join(' ')).map((one) => one)
      )
      for (const { text, firstPage, lastPage } of passages) {
        if (text.length > MAX_PASSAGE || text.trim() === '') return false
        if (firstPage < 1 || lastPage > pages.length || firstPage > lastPage) return false
      }
      const all = passages.map(({ firstPage }) => firstPage)
      return all.every((first, at) => at === 0 || first >= (passages[at - 1]?.firstPage ?? 0))
    }),
    { numRuns: 300 }
  )
})

t.test(
  'any text at all is cut without loss: words longer than a passage, no blanks, pairs of code units',
  async (t) => {
    fc.assert(
      fc.property(anyText({ maxLength: 3000 }), fc.integer({ min: 1, max: 40 }), (text, times) => {
        const whole = text.repeat(times).slice(0, 8000)
        const passages = passagesOf([page(1, whole)])
        return (
          glued(passages.map((each) => each.text).join('')) === glued(whole) &&
          passages.every((each) => each.text.length <= MAX_PASSAGE)
        )
      }),
      { numRuns: 200 }
    )
    const emoji = passagesOf([page(1, '😀'.repeat(3000))])
    t.equal(emoji.map(({ text }) => text).join(''), '😀'.repeat(3000))
    t.ok(
      emoji.every(({ text }) => !/\p{Cs}/u.test(text)),
      'no character is cut in two'
    )
    const started = performance.now()
    passagesOf([page(1, 'a, '.repeat(300_000))])
    passagesOf([page(1, '. '.repeat(300_000))])
    passagesOf([page(1, 'x'.repeat(1_000_000))])
    passagesOf([page(1, 'A B '.repeat(200_000))])
    t.ok(performance.now() - started < 20_000, 'a page of a megabyte takes seconds, not hours')
  }
)

const SENTENCE = 'Water that looks clear may still carry germs that make people ill within a few days. '

t.test('passages end between sentences, begin with their heading, and know their pages', async (t) => {
  const text = `1 FINDING WATER\n\n${SENTENCE.repeat(9)}\n\n1.1 Springs\n\n${SENTENCE.repeat(9)}\n\n${SENTENCE.repeat(30)}`
  const passages = passagesOf([page(7, text), page(8, `${SENTENCE.repeat(3)}`)], 'before')
  t.ok(passages.length >= 4)
  for (const each of passages) {
    t.ok(each.text.length <= MAX_PASSAGE)
    t.match(each.text, /days\.$/, 'it ends with a sentence')
    t.match(each.text, /^(?:1 FINDING WATER|1\.1 Springs|Water)/)
  }
  t.equal(passages[0]?.heading, '1 FINDING WATER')
  t.equal(passages.find((each) => each.text.startsWith('1.1'))?.heading, '1.1 Springs')
  t.equal(passages.at(-1)?.heading, '1.1 Springs', 'a heading holds until the next one')
  t.match(passages.at(-1), { lastPage: 8 })
  t.equal(passagesOf([page(1, SENTENCE)], 'Wells')[0]?.heading, 'Wells', 'also from one window to the next')
  t.same(passagesOf([page(1, ' \n\n\f ')]), [])
  const slides = Array.from({ length: 12 }, (_, at) => page(at + 1, `Slide ${at + 1}: ${SENTENCE}`))
  for (const each of passagesOf(slides))
    t.ok(each.lastPage - each.firstPage <= 1, 'pages with little text are cited rightly')
})

t.test('a table and a list stay together where they fit; fragments are joined', async (t) => {
  const table = Array.from({ length: 12 }, (_, at) => `Row ${at}     ${at * 10} drops     ${at} hours`).join('\n')
  const list = Array.from({ length: 8 }, (_, at) => `${at + 1}. Tie knot number ${at + 1} around the tree.`).join('\n')
  const passages = passagesOf([
    page(1, `${SENTENCE.repeat(8)}\n\n${table}\n\nShort.\n\n${SENTENCE.repeat(10)}\n\n${list}\n\nEnd.`)
  ])
  const holder = passages.find(({ text }) => text.includes('Row 0'))
  t.match(holder?.text, /Row 0 {2}0 drops {2}0 hours\n[\s\S]*Row 11 {2}110 drops/)
  t.match(passages.find(({ text }) => text.includes('1. Tie'))?.text, /1\. Tie[\s\S]*\n8\. Tie knot/)
  t.ok(
    passages.every(({ text }) => text.length >= 100),
    'nothing tiny stands alone'
  )
  const one = passagesOf([page(1, 'Salt.')])
  t.match(one, [{ text: 'Salt.' }], 'unless it is all there is')
  const long = passagesOf([
    page(1, Array.from({ length: 90 }, (_, at) => `Item ${at}\t${at * 3} kg\tshelf ${at}`).join('\n'))
  ])
  t.ok(long.length > 1)
  t.ok(
    long.every(({ text }) => /^Item \d+ {2}\d+ kg {2}shelf \d+$/m.test(text.split('\n').at(-1) ?? '')),
    'a long table is cut between rows'
  )
})

t.test('headings are recognised by their look, what only looks like one is not', async (t) => {
  for (const [line, is] of [
    ['3.2 Cleaning a Wound', true],
    ['CHAPTER 4', true],
    ['Appendix B: Knots', true],
    ['WATER SUPPLY', true],
    ['# Storage', true],
    ['Keeping Food in the Cellar', true],
    ['Boil the water for a minute.', false],
    ['boil water before use', false],
    ['1.5 litres of water a day', false],
    ['- Two blankets', false],
    ['Name     Amount', false],
    ['See pages 12, 13 and 14,', false],
    ['12', false]
  ] as const) {
    const [block] = blocksOf(page(1, `${line}\n\n${SENTENCE}`))
    t.equal(block?.kind === 'heading', is, line)
  }
  const headed = [1, 2, 3, 4].map((number) => page(number, `SURVIVAL MANUAL FM ${number}\n\n${SENTENCE.repeat(8)}`))
  t.same([...new Set(passagesOf(headed).map(({ heading }) => heading))], [''], 'the head of every page is no heading')
})

t.test('sentences end where readers end them, and together they are the text', async (t) => {
  t.same(
    splitSentences('Use approx. 3 g of salt, e.g. sea salt. Dr. Smith says: “Wait!” Then go on? Yes.').map((one) =>
      one.trim()
    ),
    ['Use approx. 3 g of salt, e.g. sea salt.', 'Dr. Smith says: “Wait!”', 'Then go on?', 'Yes.']
  )
  t.same(splitSentences('水を沸かす。三分待つ。'), ['水を沸かす。', '三分待つ。'])
  t.same(splitSentences('Version 3.14 of the file a.b.c is 2.5 MB'), ['Version 3.14 of the file a.b.c is 2.5 MB'])
  fc.assert(fc.property(fc.oneof(prose, anyText()), (text) => splitSentences(text).join('') === text))
})

t.test('windows hold every page once, whatever gaps the numbers have', async (t) => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      (numbers, size) => {
        const pages = numbers.sort((one, other) => one - other).map((number) => page(number, ''))
        const windows = windowsOf(pages, size)
        t.same(
          windows.flatMap((window) => window.pages),
          pages
        )
        return windows.every(
          ({ number, firstPage, lastPage, pages: held }, at) =>
            number === at && firstPage === held[0]?.number && lastPage === held.at(-1)?.number && held.length <= size
        )
      }
    )
  )
})

t.test('an item tells its title, its best sentence, its words and its facts, from its own text', async (t) => {
  const text = [
    'Purifying Water with Bleach\n\nPlain household bleach kills most germs in water. Add 8 drops of bleach to 4 litres of clear water.',
    'Stir it and wait 30 minutes. Never use scented bleach. The water should smell faintly of chlorine.'
  ].join(' ')
  const other = passagesOf([
    page(9, `Weather\n\n${'The wind turns before a storm and clouds gather over the hills in the evening. '.repeat(8)}`)
  ])
  const items = extractiveItems([...passagesOf([page(3, text)]), ...other], {
    domainOf: ({ text: given }) => (/bleach/.test(given) ? 'Water Systems' : 'Wilderness Skills'),
    windowOf: (number) => Math.floor((number - 1) / 5)
  })
  const [item, weather] = items
  t.match(item, {
    title: 'Purifying Water with Bleach',
    origin: 'extract',
    window: 0,
    ordinal: 0,
    firstPage: 3,
    lastPage: 3,
    details: { domain: 'Water Systems', subdomain: [], knowledge_type: 'procedural' }
  })
  t.match(item?.summary, /bleach/)
  t.ok(item?.details.keywords.includes('bleach'))
  t.notOk(item?.details.keywords.some((one) => ['the', 'with', 'and'].includes(one)))
  t.ok((item?.details.keywords.length ?? 99) <= 10)
  t.match(item?.details.key_facts, [/8 drops/, /30 minutes/, /Never use/])
  t.match(weather, {
    window: 1,
    ordinal: 0,
    title: 'Weather',
    details: { domain: 'Wilderness Skills', knowledge_type: 'foundational' }
  })
  t.ok(DOMAINS.includes('Water Systems'))
  t.equal(items[0]?.content, passagesOf([page(3, text)])[0]?.text, 'the content is the passage')
})

t.test('words that stand everywhere say nothing; titles are cut between words', async (t) => {
  const texts = ['the pump needs oil', 'the pump needs water', 'the pump needs a valve']
  t.equal(keywordsOf(weightsOf('the pump needs a valve', statisticsOf(texts)))[0], 'valve')
  t.equal(clip('one two  three', 100), 'one two three')
  t.equal(clip('one two three four', 12), 'one two…')
  fc.assert(
    fc.property(
      anyText({ maxLength: 300 }),
      fc.integer({ min: 10, max: 120 }),
      (text, most) => clip(text, most).length <= most
    )
  )
})
