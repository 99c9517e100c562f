/**
 * Answers to questions, over a library of articles, one large book, and leaflets with tables and lists: passages found beside plain FTS5, the fact in the
 * answer and in the radio text, and what is said to nonsense. No language model and no model of meaning takes part.
 *
 *   node --import=tsx scripts/bench-answers.ts [--show] [--help]
 */

import { CARDS, CARDS_STRANGE, CARDS_UNANSWERED } from '../test/knowledge/search/answers/cards.ts'
import { HANDBOOKS, HANDBOOKS_STRANGE, HANDBOOKS_UNANSWERED } from '../test/knowledge/search/answers/handbooks.ts'
import {
  judged,
  judgedNonsense,
  judgedUnanswered,
  plainRecall,
  type Sums
} from '../test/knowledge/search/answers/judge.ts'
import {
  fileLibrary,
  libraryOfArticles,
  libraryOfCards,
  libraryOfHandbooks,
  libraryOfManuals,
  libraryOfOneBook,
  libraryOfOthers
} from '../test/knowledge/search/answers/library.ts'
import { MANUALS, MANUALS_STRANGE, MANUALS_UNANSWERED } from '../test/knowledge/search/answers/manuals.ts'
import { NONSENSE } from '../test/knowledge/search/answers/nonsense.ts'
import { askedBy, type Group, HELD_WRITERS, OPEN_WRITERS } from '../test/knowledge/search/answers/others.ts'
import { HELD, type Labelled, TUNING } from '../test/knowledge/search/answers/questions.ts'
import { answer, atLeast, atMost, type Row } from './bench-part.ts'

if (process.argv.includes('--help')) {
  console.log(
    'node --import=tsx scripts/bench-answers.ts [--show]\nQuality of answers, as JSON rows. --show: every question of the tuning half, on stderr.'
  )
  process.exit(0)
}
const show = process.argv.includes('--show')
const TARGETS = { more: 10, answered: 70, radio: 60 }
const ARTICLES = { open: TUNING, held: HELD, nonsense: NONSENSE, unanswered: null }
const LIBRARIES = [
  { name: 'articles', books: libraryOfArticles(), ...ARTICLES },
  { name: 'one book', books: libraryOfOneBook(), ...ARTICLES },
  {
    name: 'leaflets',
    books: libraryOfCards(),
    open: CARDS.open,
    held: CARDS.held,
    nonsense: CARDS_STRANGE,
    unanswered: CARDS_UNANSWERED
  },
  {
    name: 'manuals',
    books: libraryOfManuals(),
    open: MANUALS.open,
    held: MANUALS.held,
    nonsense: MANUALS_STRANGE,
    unanswered: MANUALS_UNANSWERED
  },
  {
    name: 'handbooks',
    books: libraryOfHandbooks(),
    open: HANDBOOKS.open,
    held: HANDBOOKS.held,
    nonsense: HANDBOOKS_STRANGE,
    unanswered: HANDBOOKS_UNANSWERED
  }
]

async function half(
  name: string,
  library: Awaited<ReturnType<typeof fileLibrary>>,
  questions: readonly Labelled[],
  shown: boolean
): Promise<Row[]> {
  const share = (count: number): number => (100 * count) / questions.length
  const plain = share(await plainRecall(library, questions))
  const withStopWords = share(await plainRecall(library, questions, { withStopWords: true }))
  const sums: Sums = await judged(library, questions, (labelled, { answer: said, radio }, right) => {
    if (!shown || right) return
    const line = `${labelled[0]}\n   ${said.passages.map(({ title, page }) => `${title} ${page}`).join(', ')}`
    console.error(`- ${line}\n   ${said.excerpt?.text ?? '(silent)'}\n   ${(radio.get(140) ?? []).join(' | ')}`)
  })
  if (shown) for (const line of sums.wrong) console.error(`WRONG ${line}`)
  return [
    { what: `${name}: plain FTS5, passage among the first 5`, value: withStopWords, unit: '%' },
    { what: `${name}: the same without stop words`, value: plain, unit: '%' },
    atLeast(
      `${name}: passage among the first 5`,
      share(sums.recall),
      '%',
      Math.min(100, Math.round(plain + TARGETS.more))
    ),
    atLeast(`${name}: the fact in the best answer`, share(sums.answered), '%', TARGETS.answered),
    {
      what: `${name}: the fact in the best answer or in the passage shown for one`,
      value: share(sums.shown),
      unit: '%'
    },
    atLeast(`${name}: the fact in the radio text, 140 bytes`, share(sums.radio.short), '%', TARGETS.radio),
    atLeast(`${name}: the fact in the radio text, 200 bytes`, share(sums.radio.long), '%', TARGETS.radio),
    { what: `${name}: found, perhaps, not found`, value: counts(sums), unit: '' },
    {
      what: `${name}: places to read for an answer, and with the fact`,
      value: `${sums.places.given}, ${sums.places.right}`,
      unit: ''
    },
    atMost(`${name}: wrong numbers or substances on the radio`, sums.wrong.length, '', 0)
  ]
}

const counts = ({ found, perhaps, questions }: Sums): string => `${found}, ${perhaps}, ${questions - found - perhaps}`

/** The questions of others, asked of one library; see `OPEN_WRITERS` and `HELD_WRITERS`. */
async function ofOthers(
  name: string,
  library: Awaited<ReturnType<typeof fileLibrary>>,
  { group, writers, part }: { group: Group; writers: readonly string[]; part: 'open' | 'held' }
): Promise<Row[]> {
  const { questions, near, nonsense } = askedBy(writers, group)
  const isShown = show && part === 'open'
  const whole = `${name}, asked by others, ${part}`
  const rows = await half(whole, library, questions, isShown)
  const strange = await judgedNonsense(library, nonsense)
  const { wrong, places } = await judgedUnanswered(library, near)
  if (isShown) for (const line of [...strange.found, ...wrong]) console.error(`WRONG ${line}`)
  return [
    ...rows,
    atMost(`${whole}: nonsense that is found, of ${nonsense.length}`, strange.found.length, '', 0),
    atMost(`${whole}: a neighbour's figure said, of ${near.length}`, wrong.length, '', 0),
    { what: `${whole}: a place to read where none answers, of ${near.length}`, value: places, unit: '' }
  ]
}

const OTHERS = {
  articles: { name: 'articles', books: libraryOfArticles },
  cards: { name: 'leaflets', books: libraryOfCards },
  manuals: { name: 'manuals', books: libraryOfManuals },
  handbooks: { name: 'handbooks', books: libraryOfHandbooks },
  field: { name: 'field documents', books: () => libraryOfOthers('field') },
  agencies: { name: 'documents of agencies', books: () => libraryOfOthers('agencies') },
  crews: { name: 'documents of crews', books: () => libraryOfOthers('crews') },
  coast: { name: 'documents of the coast', books: () => libraryOfOthers('coast') },
  county: { name: 'documents of a county', books: () => libraryOfOthers('county') }
} as const

const rows: Row[] = []
for (const [group, { name, books }] of Object.entries(OTHERS) as [Group, (typeof OTHERS)[Group]][]) {
  const part = group === 'county' ? 'held' : 'open'
  const library = await fileLibrary(books())
  rows.push(...(await ofOthers(name, library, { group, part, writers: part === 'held' ? HELD_WRITERS : OPEN_WRITERS })))
  library.close()
}
for (const { name, books, open, held, nonsense: strange, unanswered } of LIBRARIES) {
  const library = await fileLibrary(books)
  const pages = books.reduce((sum, book) => sum + book.pages.length, 0)
  const passages = library.index.lexical.totals().items
  rows.push({ what: `${name}: documents, pages, passages`, value: `${books.length}, ${pages}, ${passages}`, unit: '' })
  rows.push(...(await half(`${name}, tuning half`, library, open, show)))
  rows.push(...(await half(`${name}, held half`, library, held, false)))
  const nonsense = await judgedNonsense(library, strange)
  if (show) for (const line of [...nonsense.found, ...nonsense.perhaps]) console.error(`NONSENSE ${line}`)
  rows.push(atMost(`${name}: nonsense that is found, of ${strange.length}`, nonsense.found.length, '', 0))
  rows.push({ what: `${name}: nonsense that is perhaps found`, value: nonsense.perhaps.length, unit: '' })
  for (const [part, questions] of Object.entries(unanswered ?? {})) {
    const { wrong, places } = await judgedUnanswered(library, questions)
    if (show && part === 'open') for (const line of wrong) console.error(`WRONG ${line}`)
    rows.push(atMost(`${name}: a neighbour's figure said, ${part} half of ${questions.length}`, wrong.length, '', 0))
    rows.push({
      what: `${name}: a place to read where none answers, ${part} half of ${questions.length}`,
      value: places,
      unit: ''
    })
  }
  library.close()
}
answer(rows)
