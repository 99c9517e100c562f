import t from 'tap'
import { strangeNumber } from '../../../src/knowledge/search/answer.ts'
import { numbersIn, speltIn } from '../../../src/knowledge/search/numbers.ts'
import { hasNumber, hasQuantity } from '../../../src/knowledge/search/quantities.ts'
import { asking } from './asking.ts'

/** Figures in words, docs/interface.md §8: a number is one however it is written. */

const SPELT: readonly (readonly [string, number])[] = [
  ['thirteen', 13],
  ['eighteen', 18],
  ['seventy', 70],
  ['eighty', 80],
  ['ninety-five', 95],
  ['two hundred', 200],
  ['two dozen', 24],
  ['dreizehn', 13],
  ['neunzig', 90],
  ['fünfundzwanzig', 25],
  ['siebenhundert', 700]
]

t.test('a spelt number is a number, of the kind of its unit, and the same as its digits', (t) => {
  for (const [spelt, value] of SPELT) {
    const text = `It carries ${spelt} kilograms.`
    t.equal(hasNumber(text), true, spelt)
    t.equal(hasQuantity(text, 'mass'), true, spelt)
    t.same(numbersIn(text), [String(value)], spelt)
  }
  t.same(speltIn('One of them has two twelve volt batteries, four in all'), ['2', '12', '4'])
  t.same(speltIn('achten, beachten, elfen, someten, weighty'), [], 'parts of words are none')
  t.end()
})

t.test('a model that spells a number which no passage has is not shown', (t) => {
  const source = ['Boil it for one minute, above 2,000 m for three minutes. Then wait for twenty-five minutes.']
  t.equal(strangeNumber('Boil it for three minutes [1].', source), null)
  t.equal(strangeNumber('Boil it for 3 minutes, then wait 25.', source), null)
  t.equal(strangeNumber('Boil it for seventy minutes [1].', source), '70')
  t.equal(strangeNumber('Koche es fünfzehn Minuten lang.', source), '15')
  t.equal(
    strangeNumber('There are two ways: these four methods are old.', source),
    null,
    'it counts what it says itself'
  )
  t.end()
})

t.test('of a list with the thing itself and with what is also called so, no figure of the other is said', async (t) => {
  const ask = await asking(
    t,
    `Beasts of burden

They carry in the hills:

- A mule walks all day with rests. Its load is eighty kilograms in summer and sixty in snow.
- A donkey walks all day. Its load is forty kilograms.
- A camel carries two hundred kilograms.`
  )
  for (const question of [
    'how many kilograms for a mule',
    'how much does a mule carry',
    'load of a mule in kilograms'
  ]) {
    const { excerpt } = await ask(question)
    t.notMatch(excerpt?.text ?? '', /donkey|camel/, question)
  }
  t.match((await ask('how many kilograms for a donkey')).excerpt?.text, /forty/)
})
