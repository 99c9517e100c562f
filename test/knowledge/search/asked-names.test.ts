import t from 'tap'
import { holdsFigureAsked } from '../../../src/knowledge/search/asked-figure.ts'
import { figuresOf, holdsFigure, isFigureWord, namesWithFigure } from '../../../src/knowledge/search/figures.ts'
import { quantityAsked } from '../../../src/knowledge/search/quantities.ts'
import { asking } from './asking.ts'

const DOSES = `# Gromex by weight

| Medicine | Weight | Dose | Again after |
| --- | --- | --- | --- |
| Gromex | child 10–19 kg | 125 mg | 8 hours |
| Gromex | child 20–40 kg | 250 mg | 8 hours |
| Gromex | adult | 500 mg | 6 hours |`

t.test(
  'of a row that a figure of the question names, the other cells are the answer, and never that figure',
  async (t) => {
    const ask = await asking(t, DOSES)
    const { excerpt } = await ask('gromex for a child of 25 kg')
    t.match(excerpt?.text, '250 mg')
    t.notMatch(excerpt?.text, '125 mg')
  }
)

const BANDS = `# Bands

| Band | By day | By night | Half wave |
| --- | --- | --- | --- |
| 80 m | 100 km | 1,500 km | 40 m |
| 40 m | 600 km | 3,000 km | 20 m |`

t.test('a row is named by the figure it begins with, and not by one of its last cell', async (t) => {
  const ask = await asking(t, BANDS)
  const { excerpt } = await ask('how far does the 40 m band reach by night')
  t.notMatch(excerpt?.text ?? '', '1,500')
})

t.test('how many square metres is answered with an area', (t) => {
  const holds = (text: string): boolean =>
    holdsFigureAsked('How many square metres of shelter per person?', { text, under: '' })
  t.notOk(holds('Leave two metres between two shelters.'))
  t.ok(holds('Each has 3.5 m² of shelter.') && holds('Give 3.5 square metres to each.'))
  t.end()
})

t.test('square and cubic metres are units, however they are written', (t) => {
  const [asked] = figuresOf('a room of 100 cubic metres')
  t.same(asked, { from: 100, to: 100, unit: 'm³' })
  for (const [question, text] of [
    ['a roof of 50 m2', 'A roof of 50 square metres gives 40 litres.'],
    ['100 cubic meters', 'A room of 100 m³ wants 5 kW.'],
    ['20 m²', 'auf 20 Quadratmetern']
  ] as const)
    t.ok(
      figuresOf(question).every((figure) => holdsFigure(figuresOf(text), figure) === 1),
      question
    )
  t.notOk(figuresOf('50 m2').every((figure) => holdsFigure(figuresOf('a rope of 50 metres'), figure) > 0))
  t.ok(isFigureWord('50m2'))
  t.end()
})

t.test('a unit of a question is no word that its answer must have', async (t) => {
  const ask = await asking(t, 'Stoves\n\nA glimm room of 100 m³ wants a stove of 5 kW.')
  const { excerpt, confidence } = await ask('what size of stove for a glimm room of 100 cubic metres')
  t.match(excerpt?.text, '5 kW')
  t.equal(confidence, 'found')
})

t.test('the figure of one model is not said of another', async (t) => {
  const [name] = namesWithFigure('weight of the TM-25 mast')
  t.ok(name?.test('The TM 25 weighs 40 kg.') && name.test('TM-25b') && !name.test('TM-250'))
  const ask = await asking(t, 'Glimm masts\n\nThe glimm mast TM-18 has a weight of 31 kg without its guys.')
  const { excerpt } = await ask('weight of the TM-25 glimm mast')
  t.notMatch(excerpt?.text ?? '', /\d/)
  t.match((await ask('weight of the TM-18 glimm mast')).excerpt?.text, '31 kg')
})

t.test('litres a day tell no time', async (t) => {
  const ask = await asking(
    t,
    'Glimms\n\nA glimm without a pond drinks 9 litres a day, and a hundred of them 25 litres.'
  )
  const { excerpt } = await ask('how long can a glimm be without a pond')
  t.notMatch(excerpt?.text ?? '', /\d/)
})

t.test('what something costs, weighs and holds is money, a mass and a volume', (t) => {
  const rows: [string, string][] = [
    ['how much does a stove cost installed', 'money'],
    ['what does a sandbag weigh when filled', 'mass'],
    ['how much coolant does the radiator hold', 'volume']
  ]
  for (const [question, quantity] of rows) t.equal(quantityAsked(question), quantity, question)
  t.end()
})

t.test('who asks for whom is nothing that an answer is about', async (t) => {
  const ask = await asking(t, 'Glimms\n\nA glimm tincture is taken at most four times a day.')
  const { excerpt } = await ask('dear, how often may my grandson have the glimm tincture please')
  t.match(excerpt?.text, 'four times a day')
})

t.test('what has words of a question is not its answer where the rest of it speaks of something else', async (t) => {
  const ask = await asking(
    t,
    `Glimms

# Rice

Store a cooked glimm in flat trays no deeper than 6 cm. Rice is the worst, it is kept one day only.

# Glimm pans

A glimm pan for a hundred guests cooks 12 kg of rice and weighs 40 kg.`
  )
  const { excerpt } = await ask('how deep must the glimm cellar of the hundred guests be')
  t.notMatch(excerpt?.text ?? '', /\d/)
})
