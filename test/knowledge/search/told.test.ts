import t from 'tap'
import { isOfOtherUse } from '../../../src/knowledge/search/qualifiers.ts'
import { hasQuantity, quantityAsked } from '../../../src/knowledge/search/quantities.ts'
import { placedStatementsOf } from '../../../src/knowledge/search/statements.ts'
import { asking } from './asking.ts'

const headingsOf = (text: string): [string, readonly string[]][] =>
  placedStatementsOf(text, '').map((one) => [one.text, one.headings])

t.test(
  'a heading in the line of a paragraph stands over the rest of it, in bold, in capitals or before a colon',
  (t) => {
    t.same(headingsOf('**Zorvel.** It rests. Wake it at noon.'), [
      ['**Zorvel.** It rests.', ['Zorvel']],
      ['Wake it at noon.', ['Zorvel']]
    ])
    t.same(headingsOf('THE ZORVEL. Wake it at noon.'), [['Wake it at noon.', ['THE ZORVEL']]])
    t.same(headingsOf('Zorvel: wake it. Feed it.\n\nAnother paragraph is here.'), [
      ['Zorvel: wake it.', ['Zorvel']],
      ['Feed it.', ['Zorvel']],
      ['Another paragraph is here.', []]
    ])
    t.end()
  }
)

t.test('a table belongs to the bold heading of the paragraph before it, not to a word before a colon there', (t) => {
  const table = '\n\n| Kind | Wait |\n| --- | --- |\n| Red | 5 minutes |\n| Blue | 6 minutes |'
  const last = (text: string): readonly string[] | undefined => headingsOf(text).at(-1)?.[1]
  t.same(last(`**Hay box.** Close the lid.${table}`), ['Hay box'])
  t.same(last(`Runs: drink a lot.${table}`), [])
  t.end()
})

t.test('a heading of two sentences is one', (t) => {
  t.same(headingsOf('Section 3. Emergency\n\n(1) It lasts ten days.'), [
    ['(1) It lasts ten days.', ['Section 3. Emergency']]
  ])
  t.end()
})

t.test('numbers in words are figures from two to ninety, in English and German, and how often is one', (t) => {
  const rows: [string, Parameters<typeof hasQuantity>[1], boolean][] = [
    ['for not more than fourteen days', 'time', true],
    ['siebzehn Tage lang', 'time', true],
    ['once a week', 'time', true],
    ['every second day', 'time', true],
    ['two and a half times its volume', 'time', false],
    ['a nonce of the client', 'time', false],
    ['by more than ten percent', 'share', true]
  ]
  for (const [text, quantity, has] of rows) t.equal(hasQuantity(text, quantity), has, text)
  t.equal(quantityAsked('can a kid with a temperature have tea'), null, 'a fever is no figure')
  t.equal(quantityAsked('by how much may the price rise'), 'share')
  t.equal(quantityAsked('shelf life of flour'), 'time')
  t.end()
})

t.test('how long something keeps is not how long it is cooked', (t) => {
  const of = (text: string): boolean => isOfOtherUse('how long does zorvel keep in the store', { text, under: '' })
  t.equal(of('Zorvel is put on what was cooled for twenty minutes.'), true)
  t.equal(of('Zorvel keeps for two years.'), false)
  t.equal(of('Zorvel, refrigerator: 1 day'), false)
  t.equal(isOfOtherUse('how long do I boil zorvel', { text: 'Boil it for an hour.', under: '' }), false)
  t.end()
})

const TABLE = `# Zorvel net

| Name | Frequency | Tone | Used for |
| --- | --- | --- | --- |
| Relay 1 | 155.340 MHz | 156.7 Hz | calling |
| Relay 2 | 155.175 MHz | 127.3 Hz | convoys |

Channel 9 is heard for five minutes.`

t.test('a cell is said with the cell of its row that names what the question asks about', async (t) => {
  const ask = await asking(t, TABLE)
  const { excerpt } = await ask('What tone do the convoys of the zorvel net need?')
  t.equal(excerpt?.text, 'Relay 2, Tone: 127.3 Hz; Used for: convoys')
})

t.test('a figure that names one of several stands there with its name', async (t) => {
  const ask = await asking(t, TABLE)
  t.equal((await ask('How long is channel 5 of the zorvel net heard?')).excerpt, undefined)
  t.match((await ask('How long is channel 9 of the zorvel net heard?')).excerpt?.text, /five minutes/)
})

t.test('of two figures the one counts that stands in the clause of what is asked', async (t) => {
  const ask = await asking(
    t,
    'Rinse the zorvel for 20 seconds.\n\nWash the zorvel cloth, then boil two strings for 40 minutes.'
  )
  t.match((await ask('How long do I rinse a zorvel?')).excerpt?.text, /20 seconds/)
})

t.test('who must not is answered by the sentence that goes on about it', async (t) => {
  const ask = await asking(t, 'Zorvelin is taken after a meal. It is not given to babies under three months.')
  const { excerpt, confidence } = await ask('Which patients must not get zorvelin?')
  t.equal(confidence, 'found')
  t.match(excerpt?.text, /not given to babies/)
})
