import t from 'tap'
import { figuresOf, holdsFigure } from '../../../src/knowledge/search/figures.ts'
import { isOfNoPatient, isOfOtherCase, needsWhatIsLacking } from '../../../src/knowledge/search/qualifiers.ts'
import { hasQuantity, quantityAsked } from '../../../src/knowledge/search/quantities.ts'
import { placedStatementsOf } from '../../../src/knowledge/search/statements.ts'
import { isRule } from '../../../src/knowledge/search/tables.ts'
import { asking } from './asking.ts'

const DOSES = `# Purifying tablets

Kind of jug                  For 1 litre       For 20 litres     Wait
Gromex solution 5 %          3 drops           60 drops          30 minutes
Gromex solution 8 %          2 drops           40 drops          45 minutes`

t.test('a row of a table carries the heads of its columns, and each cell those of its row and its column', (t) => {
  const told = (text: string): string[] => placedStatementsOf(text, '').map((one) => one.text)
  t.same(told(DOSES).slice(0, 3), [
    'Gromex solution 5 %: For 1 litre: 3 drops; For 20 litres: 60 drops; Wait: 30 minutes',
    'Gromex solution 5 %, For 1 litre: 3 drops',
    'Gromex solution 5 %, For 20 litres: 60 drops'
  ])
  t.same(told('| Channel | Frequency |\n| --- | --- |\n| 16 | 156.8 MHz |'), ['Channel 16: Frequency: 156.8 MHz'])
  t.same(told('Kind  6 mm  10 mm\nHemp  550 kg  1,400 kg').slice(0, 1), ['Hemp: 6 mm: 550 kg; 10 mm: 1,400 kg'])
  const [loose] = placedStatementsOf('Hemp  550 kg  1,400 kg\nSisal  400 kg  900 kg', '')
  t.match(loose, { isLoose: true }, 'without heads nobody knows what the figures are')
  t.end()
})

t.test(
  'of a table the cell is said that the question names, by its strength, its quantity and its column',
  async (t) => {
    const ask = await asking(t, DOSES)
    const rows: [string, string | undefined][] = [
      ['how many drops of 8 % gromex for 20 litres', 'Gromex solution 8 %, For 20 litres: 40 drops'],
      ['how many drops of 5 % gromex for 1 litre', 'Gromex solution 5 %, For 1 litre: 3 drops'],
      ['how long to wait with 8 % gromex', 'Gromex solution 8 %, Wait: 45 minutes'],
      ['how many drops of 12 % gromex for 20 litres', undefined],
      ['how many drops of 8 % gromex for 50 litres', undefined],
      ['how long to wait with gromex', undefined]
    ]
    for (const [question, said] of rows) t.equal((await ask(question)).excerpt?.text, said, question)
  }
)

t.test('a figure of the question stands in the answer with its unit, or in a range of it', (t) => {
  const rows: [string, string, number][] = [
    ['a child of 20 kg', '15 to 30 kg: 0.15 mg', 0.5],
    ['a child of 20 kg', 'over 30 kg: 0.3 mg', 0],
    ['at 4,000 m', 'above 2,000 metres', 0.5],
    ['at 4,000 m', '4000 m: 5 minutes', 1],
    ['8 % solution', '8 drops of the 5 % solution', 0],
    ['8 % solution', 'eight drops of 8 percent', 1],
    ['2 l', 'for 2 litres', 1],
    ['bei -25 °C', '-15 °C', 0],
    ['at 31 degrees', '30–32 °C', 0.5],
    ['for 5 minutes', '3 drops and 30 minutes', 0]
  ]
  for (const [asked, text, held] of rows)
    for (const figure of figuresOf(asked)) t.equal(holdsFigure(figuresOf(text), figure), held, `${asked}: ${text}`)
  t.end()
})

t.test('what is said of infants, goats or cloudy water is not said of adults, sheep or clear water', (t) => {
  const rows: [string, string, string, boolean][] = [
    ['how much for an adult', 'Infants get 5 ml.', '', true],
    ['how much for an adult', 'Adults get 10 ml, infants 5 ml.', '', false],
    ['how much for a child', 'Give 20 mg; babies get 10 mg.', '', false],
    ['how long are sheep pregnant', 'Goats carry for 150 days.', 'Goats and sheep', true],
    ['how many drops for clear water', 'Use 10 drops.', 'Cloudy water', true],
    ['how many drops for clear water', 'Use 10 drops.', 'Water', false],
    ['wie viel für einen Säugling', 'Erwachsene nehmen 2 Tabletten.', '', true]
  ]
  for (const [question, text, under, isOther] of rows) t.equal(isOfOtherCase(question, { text, under }), isOther, text)
  t.end()
})

t.test(
  'of two places that give different figures none is said, both are given to read; one that is of the very case is said',
  async (t) => {
    const text =
      'Height\n\nAbove 2,000 metres quinoa boils for three minutes.\n\nAt 4,000 m quinoa boils for 9 minutes.'
    const ask = await asking(t, text)
    t.match(await ask('how long must quinoa boil at 4,000 m'), {
      excerpt: { text: 'At 4,000 m quinoa boils for 9 minutes.' }
    })
    t.match(await ask('how long must quinoa boil'), {
      confidence: 'perhaps',
      excerpt: { text: /three minutes\.\nAt 4,000 m/, to_read: true }
    })
  }
)

t.test('what somebody asked in the book is answered by what stands below it', async (t) => {
  const ask = await asking(t, 'Advice\n\nQ: Something splashed into my cornea. What now?\nA: Rinse it for 15 minutes.')
  t.match(await ask('how long to rinse the cornea'), {
    confidence: 'found',
    excerpt: { text: 'Rinse it for 15 minutes.' }
  })
})

t.test('a word made of two finds them apart, an irregular form its verb', async (t) => {
  const ask = await asking(
    t,
    'Vipers\n\nNever cut an adder bite, it bleeds for hours.\n\nFoals: the milk may be drunk again.'
  )
  t.match(await ask('should I cut an adderbite'), { excerpt: { text: /^Never cut/ } })
  t.match(await ask('can I drink the milk of foals'), { excerpt: { text: /drunk/ } })
})

t.test('the kind of figure follows from the question, also in German', (t) => {
  const rows: [string, string, string, boolean][] = [
    ['how fast does it flow', 'rate', 'Replace it after a year.', false],
    ['how fast does it flow', 'rate', 'It gives two litres an hour.', true],
    ['how much bleach', 'amount', 'Wait 30 minutes.', false],
    ['how much bleach', 'amount', '400 ml in 10 litres', true],
    ['how many drops of it', 'drops', 'one tablet', false],
    ['frequency of channel 16', 'frequency', 'silence for three minutes', false],
    ['fine for speeding', 'money', 'more than 500 mW', false],
    ['how long are they pregnant', 'time', 'two thirds of it', false],
    ['wie viel Abstand zur Leitung', 'length', '20 Meter', true],
    ['wie viele Tropfen', 'drops', '3 Tropfen', true]
  ]
  for (const [question, kind, text, fits] of rows) {
    const asked = quantityAsked(question)
    t.equal(asked, kind, question)
    if (asked !== null) t.equal(hasQuantity(text, asked), fits, `${question}: ${text}`)
  }
  t.end()
})

t.test('what needs the very thing that the question says is lacking is not said', (t) => {
  const rows: [question: string, text: string, under: string, needs: boolean][] = [
    [
      'No rehydration packets left, how do I mix my own?',
      'Mix the packet of oral rehydration salts with a litre.',
      '',
      true
    ],
    ['No rehydration packets left, how do I mix my own?', 'Mix six level teaspoons of sugar with a litre.', '', false],
    ['No soap, what else cleans hands?', 'A can with a peg, soap on a string.', '', true],
    ['No soap, what else cleans hands?', 'Ash does as well where there is no soap.', '', false],
    ['how do I bake without an oven', 'Heat the oven first.', '', true],
    ['how do I bake without an oven', 'Heat the oven dish over coals.', 'Baking without an oven', false],
    ['we ran out of bleach, how do we treat water', 'Two drops of bleach for a litre.', '', true],
    ['there is no signal, who can hear me', 'Move until the phone has a signal.', '', true],
    ['wie koche ich ohne Strom', 'Den Herd an den Strom anschließen.', '', true],
    [
      'wie lange bleibt die Truhe ohne Strom kalt',
      'Fällt der Strom aus, hält die Truhe 48 Stunden, ohne dass sie geöffnet wird.',
      '',
      false
    ],
    ['How do you tie down a tarp that has no eyelets?', 'Tie a pebble into the edge, or use the eyelets.', '', false],
    ['chain makes dust no chips', 'A blunt chain makes dust, a sharp one chips.', '', false],
    ['how much bleach for a litre', 'Two drops of bleach for a litre.', '', false]
  ]
  for (const [question, text, under, needs] of rows)
    t.equal(needsWhatIsLacking(question, { text, under }), needs, `${question}: ${text}`)
  t.end()
})

t.test('a dose for a child, a pregnant woman or an animal is said only where one of their kind is named', (t) => {
  const rows: [question: string, text: string, under: string, isOther: boolean][] = [
    ['naloxone dose for a child', 'Give naloxone 0.4 mg.', '', true],
    ['naloxone dose for a child', 'Children get naloxone 0.1 mg.', '', false],
    ['naloxone dose for a child', 'Give 0.1 mg.', 'Naloxone for children', false],
    ['dose of zinc for a child', 'Zinc, 20 mg a day; babies get 10 mg.', '', false],
    ['how many drops for a goat', 'Five drops a day.', '', true],
    ['naloxone dose', 'Give naloxone 0.4 mg.', '', false],
    ['naloxone dose for an adult', 'Give naloxone 0.4 mg.', '', false],
    ['how long does a child stay in bed', 'Stay in bed for five days.', '', false]
  ]
  for (const [question, text, under, isOther] of rows)
    t.equal(isOfNoPatient(question, { text, under }), isOther, `${question}: ${text}`)
  t.end()
})

t.test('a sentence whose subject stands in the one before is said after it, or not at all', async (t) => {
  const ask = await asking(
    t,
    'Chlorine dioxide tablets work slowly. They alone are sure to kill cryptosporidium. Bleach fades within a year.'
  )
  const { excerpt } = await ask('What kills cryptosporidium?')
  t.equal(excerpt?.text, 'Chlorine dioxide tablets work slowly. They alone are sure to kill cryptosporidium.')
})

t.test('a line of dashes is the rule of a table, and one with words behind it is none, however long it is', (t) => {
  for (const line of ['| --- | :--: |', '|---|---|', '  -----  ------', '+----+----+', '--'])
    t.equal(isRule(line), true, line)
  for (const line of ['---- x', '| - | - |', 'a -- b', `${'-'.repeat(5000)}x`, `${'--+'.repeat(5000)}x`])
    t.equal(isRule(line), false, line.slice(0, 20))
  t.end()
})
