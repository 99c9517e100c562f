import t from 'tap'
import { passagesOf } from '../../../src/knowledge/enrich/passages.ts'
import { figuresOf } from '../../../src/knowledge/search/figures.ts'
import { isOfOtherEnd, isOnlyExcepted } from '../../../src/knowledge/search/qualifiers.ts'
import { quantityAsked } from '../../../src/knowledge/search/quantities.ts'
import { placedStatementsOf, statementsOf } from '../../../src/knowledge/search/statements.ts'
import { asking } from './asking.ts'

const NET = 'Day: 7.110 MHz lower sideband\nDusk: 3.760 MHz lower sideband\nFerry: 433.525 MHz FM, tone 88.5 Hz'

t.test('lines with names of their own are statements of their own, also in a passage', (t) => {
  const [passage] = passagesOf([{ number: 1, text: NET }])
  t.same(
    statementsOf(passage?.text ?? '').map(({ text }) => text),
    NET.split('\n')
  )
  const wrapped = 'The mast stands on the roof of the old mill and is guyed to\nthree walls: look at each of them.'
  t.equal(statementsOf(wrapped).length, 1)
  t.end()
})

t.test('a noun asks for a figure as a whole question does', (t) => {
  const rows: [string, string | null][] = [
    ['dipole length', 'length'],
    ['ferry freq and tone', 'frequency'],
    ['core temp', 'temperature'],
    ['spark plug gap', 'length'],
    ['tire pressure on sand', 'pressure'],
    ['how long extension cord', 'span'],
    ['how long do eggs keep', 'time'],
    ['which knot joins ropes of different thickness', null],
    ['pressure cooker', null]
  ]
  for (const [question, kind] of rows) t.equal(quantityAsked(question), kind, question)
  t.end()
})

t.test('a figure written with its unit as one word is compared as a figure', async (t) => {
  const ask = await asking(t, '# Masts\n\nGlims pole:\n\n- 40 m: 6 bolts\n- 80 m: 9 bolts')
  t.equal((await ask('how many bolts for a 40m glims pole')).excerpt?.text, '- 40 m: 6 bolts')
  t.equal((await ask('how many bolts for a 60m glims pole')).excerpt, undefined)
})

t.test('a number in words before a unit is a figure of the text', (t) => {
  t.same(figuresOf('it runs eight hours'), [{ from: 8, to: 8, unit: 'h' }])
  t.same(figuresOf('two of them'), [])
  t.same(figuresOf('eight hours', { spelt: false }), [])
  t.end()
})

t.test('a table keeps the line that leads to it', (t) => {
  const table =
    'Breaking load, in kN:\n\n| Size | Hemp | Sisal |\n| --- | --- | --- |\n| 6 mm | 4 | 3 |\n| 9 mm | 7 | 5 |'
  const leads = placedStatementsOf(table, '').map(({ text, lead }) => [text, lead])
  t.same(leads.at(-1), ['9 mm, Sisal: 5', 'Breaking load, in kN: Sisal'])
  t.end()
})

t.test('a sentence about what the one before names is not said without it', async (t) => {
  const ask = await asking(t, '# Tanks\n\nA glorb weighs much when full. Soak it in brine for 24 hours.')
  t.equal((await ask('how long soak in brine a glorb')).excerpt?.text.startsWith('A glorb'), true)
  const other = await asking(t, '# Brine\n\nA trosk weighs much when full. Soak it for 24 hours in the glorb.')
  t.notMatch((await other('how long does brine stay in the glorb')).excerpt?.text, /^Soak it/)
})

t.test('an exception names nothing that a figure is of', (t) => {
  t.equal(isOnlyExcepted('pregnant', 'Gromex: 5 mg for each kg, milk after 4 days. Not for pregnant goats.'), true)
  t.equal(isOnlyExcepted('pregnant', 'Pregnant goats get 5 mg. Not for pregnant cows.'), false)
  t.equal(isOnlyExcepted('goats', 'Gromex: 5 mg for goats. Not for cows.'), false)
  t.end()
})

t.test('the figure at which something begins is not the one at which to stop', (t) => {
  const question = 'at which temperature do I stop cooling'
  t.equal(isOfOtherEnd(question, 'Above 40 degrees it is a heat stroke.'), true)
  t.equal(isOfOtherEnd(question, 'Stop at 38.5 degrees.'), false)
  t.equal(isOfOtherEnd(question, 'Cool until 38.5 degrees.'), false)
  t.equal(isOfOtherEnd('at which temperature is it a heat stroke', 'Above 40 degrees it is a heat stroke.'), false)
  t.end()
})

t.test('short forms and the other English find the word of the book', async (t) => {
  const ask = await asking(t, '# Notes\n\nThe accumulator of the glims is full at a temperature of 40 degrees.')
  t.match((await ask('glims batt temp')).excerpt?.text, '40 degrees')
})
