import t from 'tap'
import { holdsFigureAsked } from '../../../src/knowledge/search/asked-figure.ts'

const holds = (question: string, text: string, under = ''): boolean => holdsFigureAsked(question, { text, under })

t.test('years are not answered with days, and months not with minutes', async (t) => {
  t.notOk(holds('how many years does a rabies jab protect', 'Go for vaccine: on the days 0, 3, 7 and 14.'))
  t.notOk(holds('how long may a pen be stored in months', 'Give a second pen after 5 minutes.'))
  t.notOk(holds('wie viele Jahre hält der Akku', 'Er lädt in sechs Stunden.'))
})

t.test('a time is answered in the unit beside the one asked for', async (t) => {
  t.ok(holds('how many days off after a broken rib', 'Rest for six weeks.'))
  t.ok(holds('how many hours does it burn', 'It burns for 40 minutes.'))
  t.ok(holds('how many years does the seed keep', 'Parsnip keeps twelve months.'))
})

t.test('what is asked for by the year or the minute is told by it', async (t) => {
  t.notOk(holds('how many eggs does a hen lay in a year', 'Eggs hatch after 21 days at 38 degrees.'))
  t.ok(holds('how many eggs does a hen lay in a year', 'A hen lays 200 eggs a year.'))
  t.ok(holds('how many eggs does a hen lay in a year', 'Hen: 200', 'Eggs per year'))
})

t.test('a speed, a load, a dose of radiation and a strength have their units', async (t) => {
  t.notOk(holds('how fast in km/h is an avalanche', 'Whoever is found within 18 minutes mostly lives.'))
  t.notOk(holds('how many kN does a carabiner hold', 'Each bend over a carabiner loses half.'))
  t.notOk(holds('how many mSv may a helper get', 'Three helpers go in at a time.'))
  t.notOk(holds('what strength of chlorine for the floor', 'Half a cup of strong chlorine stands under the bed.'))
  t.ok(holds('what strength of chlorine for the floor', 'Floors get chlorine of 0.5 percent.'))
})

t.test('an age is one: no price and no area', async (t) => {
  t.notOk(holds('how old must I be for a licence', 'Transmitting without a licence: up to 2,000 francs.'))
  t.ok(holds('how old must I be for a licence', 'A licence is given from 14 years on.'))
  t.ok(holds('how old must I be for a licence', 'Nobody under 16 gets one.'))
})

t.test('how many of a thing is a number without a unit', async (t) => {
  t.notOk(holds('how many bees live in a colony', 'A colony needs 15 kg of sugar for the winter.'))
  t.ok(holds('how many bees live in a colony', 'A colony has 40,000 bees.'))
  t.ok(holds('how many people lift', 'Six lift, at the word of one.'))
})

t.test('what kills is said to kill', async (t) => {
  t.notOk(holds('how many leaves are deadly', 'It has two leaves on one stalk.'))
  t.ok(holds('how many berries are deadly', 'Three to five berries kill a child.'))
})

t.test('a question that names no unit, and one that wants no figure, ask for no unit', async (t) => {
  t.ok(holds('how deep do I dig', 'Dig half a metre.'))
  t.ok(holds('what do I do first', 'Press for ten minutes.'))
})
