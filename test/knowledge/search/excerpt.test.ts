import t, { type Test } from 'tap'
import type { LanguageModel } from '../../../src/knowledge/enrich/llm/model.ts'
import { Asker } from '../../../src/knowledge/search/ask.ts'
import { Excerpts } from '../../../src/knowledge/search/excerpt.ts'
import { statementsOf } from '../../../src/knowledge/search/statements.ts'
import { inWords } from '../../helpers/in-words.ts'
import { labelledShelf } from './shelf.ts'

const IODINE = `Water in the field

Add tablets before the water is cloudy. A canteen is treated as follows:

- Put one tablet of iodine into a canteen of clear water. If the canteen is full of cloudy or cold water, use 10 drops.
- Use 2 drops of 10 percent povidone-iodine for each canteen that is safe to drink.
- Place 2 drops of chlorine bleach in a canteen of water. Wait 30 minutes.`
const WITHOUT_BLEACH = IODINE.slice(0, IODINE.lastIndexOf('\n'))

/** The library of the labelled passages with one more text, and whoever asks it. */
async function asking(t: Test, text: string, model: LanguageModel | null = null) {
  const made = await labelledShelf(t)
  await made.file([text], { title: 'Water Procurement' })
  await made.file(['Bleach whitens linen. Keep it out of the eyes.'], { title: 'Laundry' })
  const excerpts = await Excerpts.open(made.index.lexical)
  t.teardown(() => excerpts.close())
  const asker = new Asker({
    search: (query) => made.searcher.query(query),
    items: (ids) => ids.flatMap((id) => made.setup.catalogue.item(id) ?? []),
    model: () => model,
    excerpts
  })
  return async (question: string) => {
    const { reason, ...answer } = await asker.ask({ question, limit: 5 })
    return { ...answer, said: String(inWords(reason)) }
  }
}

t.test('a question about bleach gets the item of the list about bleach, never a dose of iodine', async (t) => {
  const ask = await asking(t, IODINE)
  for (const question of [
    'How much bleach do I put in a canteen to make it safe to drink?',
    'how many drops of bleach for a canteen',
    'bleach canteen'
  ]) {
    const { excerpt, said } = await ask(question)
    t.equal(excerpt?.text, '- Place 2 drops of chlorine bleach in a canteen of water. Wait 30 minutes.', question)
    t.match(said, /no language model/)
  }
})

t.test(
  'where the dose of what was asked for is missing, no other dose is said: not found, and the nearest page',
  async (t) => {
    const ask = await asking(t, WITHOUT_BLEACH)
    for (const question of [
      'How much bleach do I put in a canteen to make it safe to drink?',
      'how much chlorine for a canteen of cloudy water?',
      'how many drops of permanganate for a canteen?'
    ]) {
      const { answer, excerpt, said, passages } = await ask(question)
      t.equal(answer, null)
      t.notMatch(excerpt?.text ?? '', /\d|iodine|tablet/, question)
      if (excerpt === undefined)
        t.equal(said, `not found; nearest: ${passages[0]?.title}, p. ${passages[0]?.page}`, question)
    }
  }
)

t.test('what no book here is about is not found, though some of its words stand in many', async (t) => {
  const ask = await asking(t, IODINE)
  for (const question of [
    'xyzzy plugh frobnicate water',
    'what is the capital of Mongolia',
    'who won the 2018 world cup',
    'price of bitcoin in cold water',
    'how do I water my spaceship',
    'Wie viel Bleiche in eine Feldflasche?'
  ]) {
    const { answer, excerpt } = await ask(question)
    t.same([answer, excerpt], [null, undefined], question)
  }
})

t.test('other endings of the rarest word are that word', async (t) => {
  const ask = await asking(t, 'A canteen is boiled for a minute. Then it cools.')
  t.match(await ask('boiling canteens'), { excerpt: { text: /^A canteen is boiled/ } })
})

t.test(
  'an answer of the model is not shown where the rarest word is missing, or a number is that of another item',
  async (t) => {
    const model = { text: '' }
    const ask = await asking(t, IODINE, { name: 'test', complete: async () => model.text })
    model.text = 'Use 10 drops for each canteen [1][2][3].'
    t.match(await ask('how much bleach for a canteen'), { answer: null, citations: [], said: /do not answer/ })
    model.text = 'Bleach makes a canteen safe [1][2][3]. Use 10 drops for each [1][2][3].'
    t.match(
      await ask('how much bleach for a canteen'),
      { answer: null, citations: [] },
      'the 10 drops are those of another item'
    )
    model.text = 'Place 2 drops of bleach in a canteen [1][2][3].'
    t.match(await ask('how much bleach for a canteen'), { answer: /^Place 2 drops of bleach/ })
  }
)

t.test('statements are whole sentences and whole items; two items, rows or headings are never one', (t) => {
  const rows: [string, string[]][] = [
    ['Boil it. Let it cool.', ['Boil it.', 'Let it cool.']],
    ['- Bleach: 8 drops\n- Iodine: 10 drops', ['- Bleach: 8 drops', '- Iodine: 10 drops']],
    ['1. Bleach: 8 drops\n   in a gallon. Wait.\n2. Iodine', ['1. Bleach: 8 drops in a gallon. Wait.', '2. Iodine']],
    ['Do so: - Use bleach - Use 2 drops of iodine', ['Do so:', '- Use bleach', '- Use 2 drops of iodine']],
    ['BLEACH\nUse 10 drops of iodine.', ['BLEACH', 'Use 10 drops of iodine.']],
    ['Bleach  8 drops\nIodine  10 drops', ['Bleach  8 drops', 'Iodine  10 drops']],
    ['Bleach   8 drops\niodine   10 drops', ['Bleach 8 drops', 'iodine 10 drops']],
    [
      'The water of a river that runs through a village is\nnever drunk as it is.',
      ['The water of a river that runs through a village is never drunk as it is.']
    ],
    ['12\n\n---', []]
  ]
  for (const [text, statements] of rows)
    t.same(
      statementsOf(text).map((one) => one.text),
      statements.map((one) => one.replaceAll('  ', ' ')),
      text
    )
  t.end()
})
