import t from 'tap'
import { placedStatementsOf, statementsOf } from '../../../src/knowledge/search/statements.ts'
import { asking } from './asking.ts'

const IODINE = `Water in the field

Add tablets before the water is cloudy. A canteen is treated as follows:

- Put one tablet of iodine into a canteen of clear water. If the canteen is full of cloudy or cold water, use 10 drops.
- Use 2 drops of 10 percent povidone-iodine for each canteen that is safe to drink.
- Place 2 drops of chlorine bleach in a canteen of water. Wait 30 minutes.`
const WITHOUT_BLEACH = IODINE.slice(0, IODINE.lastIndexOf('\n'))

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
  'a figure that is spelt with a word before its unit is one: the rule is said, not the exception behind it',
  async (t) => {
    const rule = 'Boil drinking water for one full minute before you drink it.'
    const ask = await asking(t, `Safe water\n\n${rule} Above two thousand metres boil it for three minutes.`)
    const { excerpt, confidence } = await ask('how long must drinking water boil')
    t.match(excerpt?.text, rule)
    t.equal(confidence, 'found')
  }
)

t.test(
  'a rule and its exception that a book says again and again are said once, the two that stand together',
  async (t) => {
    const both =
      'Boil broth for one full minute before you drink it. Above two thousand metres boil it for three minutes, because broth boils at a lower temperature there. '
    const ask = await asking(t, both.repeat(12))
    const { excerpt, confidence } = await ask('how long must broth boil')
    t.same([excerpt?.text], [both.trim()])
    t.equal(confidence, 'found')
  }
)

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
      t.notMatch(excerpt?.text ?? '', /iodine|tablet|drops for each canteen/, question)
      if (excerpt?.to_read !== true) t.notMatch(excerpt?.text ?? '', /\d/, question)
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
    ['Bleach  8 drops\nIodine  10 drops', ['Bleach: 8 drops', 'Iodine: 10 drops']],
    ['Bleach   8 drops\niodine   10 drops', ['Bleach: 8 drops', 'iodine: 10 drops']],
    ['| Bleach | 8 drops |\n| iodine | 10 drops |', ['Bleach: 8 drops', 'iodine: 10 drops']],
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

t.test(
  'perhaps: most of the question without its rarest word is said, but never a number or a figure asked for',
  async (t) => {
    const ask = await asking(
      t,
      'Latrine trenches\n\nKeep goats away from the latrine and cover it with ashes. Dig 90 centimetres deep.'
    )
    t.match(await ask('may goats visit the latrine, or ashes and zebras'), {
      confidence: 'perhaps',
      excerpt: { text: 'Keep goats away from the latrine and cover it with ashes.' }
    })
    t.match(await ask('how deep is a latrine for zebras'), { confidence: 'not_found', excerpt: undefined })
  }
)

t.test('the figure must be of the kind asked for', async (t) => {
  const ask = await asking(
    t,
    'Compost\n\nTurn the compost heap every 14 days. The compost heap becomes 60 degrees hot.'
  )
  t.match(await ask('what temperature has a compost heap'), { confidence: 'found', excerpt: { text: /60 degrees/ } })
  t.match(await ask('how long do I turn a compost heap'), {
    confidence: 'found',
    excerpt: { text: /^Turn .* 14 days/ }
  })
  t.match(await ask('what voltage has a compost heap'), { confidence: 'not_found' })
})

t.test('other words for a thing find it, and a heading that tells the thing is sent along', async (t) => {
  const ask = await asking(t, 'FRIDGE\n\nA blackout of four hours leaves it cold inside.')
  t.match(await ask('how long does a refrigerator stay cold in a power cut'), {
    confidence: 'found',
    excerpt: { text: 'A blackout of four hours leaves it cold inside.', heading: 'FRIDGE' }
  })
})

t.test('German endings are one word: Brunnen, Kartoffel, Brände', async (t) => {
  const ask = await asking(t, 'Die Kartoffel wird zehn Zentimeter tief gelegt. Brände löscht man mit Wasser.')
  t.match(await ask('womit darf man einen Brand mit Wasser löschen'), { excerpt: { text: /^Brände löscht man/ } })
})

t.test('statements know their headings, and items the sentence before their list', (t) => {
  t.same(
    placedStatementsOf(
      '# Drugs\n\nIBUPROFEN\nTake it with food. Give so much:\n\n- Adults: 400 mg\n- Children: 10 mg',
      ''
    ).map(({ text, headings, lead, isFirst }) => [text, headings.join(' > '), lead, isFirst]),
    [
      ['Take it with food.', 'Drugs > IBUPROFEN', '', true],
      ['Give so much:', 'Drugs > IBUPROFEN', '', false],
      ['- Adults: 400 mg', 'Drugs > IBUPROFEN', 'Give so much:', false],
      ['- Children: 10 mg', 'Drugs > IBUPROFEN', 'Give so much:', false]
    ]
  )
  t.end()
})
