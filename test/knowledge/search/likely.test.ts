import t from 'tap'
import { languageOf } from '../../../src/knowledge/search/german.ts'
import { isOfOtherUse } from '../../../src/knowledge/search/qualifiers.ts'
import { hasQuantity } from '../../../src/knowledge/search/quantities.ts'
import { asking } from './asking.ts'

t.test(
  'a figure stands for its question also where the sentence has other words for it, if no other figure could be meant',
  async (t) => {
    const ask = await asking(
      t,
      'Glimms\n\nA glimm mirror is seen from a distance of forty kilometres. Clean it with a cloth.\n\n# Flags\n\nA banner is hoisted at noon.'
    )
    const { excerpt, confidence } = await ask('how far can a glimm mirror with a banner be seen')
    t.match(excerpt?.text, 'forty kilometres')
    t.equal(confidence, 'found')
  }
)

t.test('no figure is likely for a word that the library does not know', async (t) => {
  const ask = await asking(t, 'Glimm lamps\n\nGlimm oil burns for nine hours in one filling of the lamp.')
  for (const question of [
    'how long does a quaggle lamp burn on one filling of oil',
    'how many hours does quaggle oil burn in one filling of the lamp'
  ]) {
    const { excerpt, confidence } = await ask(question)
    t.equal(excerpt, undefined, question)
    t.equal(confidence, 'not_found', question)
  }
})

t.test('how something is done is not answered with a number of what is not done', async (t) => {
  const ask = await asking(
    t,
    'Helipads\n\nA gyrocopter needs a flat place of 30 by 30 metres.\n\nStart the pump of the helipad by hand.'
  )
  t.not((await ask('how do I start a flat gyrocopter')).confidence, 'found')
})

t.test('a German question is not answered with a number by the words that English spells alike', async (t) => {
  const english =
    'Gift shops\n\nA gift in the art hall costs 12 francs, and the gift is wrapped in the hall for 3 francs.'
  const ask = await asking(t, english)
  for (const question of ['was kostet das Gift in der Art Hall', 'wie viel Gift ist in der Art Hall']) {
    const { excerpt, confidence } = await ask(question)
    t.not(confidence, 'found', question)
    t.notMatch(excerpt?.text ?? '', /\d/, question)
  }
  t.match((await ask('what does the gift in the art hall cost')).excerpt?.text, '12 francs')
})

t.test(
  'a German question has its answer from the German text, not from the English one with more of its words',
  async (t) => {
    const both = `The hall\n\nThe Alarm in the Hall is a siren and it is tested with the Alarm of the Hall.

Die Halle\n\nDer Alarm in der Halle ist eine Hupe und wird von der Wache nicht geprüft.`
    const ask = await asking(t, both)
    const { excerpt } = await ask('wer hat den Alarm in der Halle geprüft')
    t.match(excerpt?.text, 'Hupe')
  }
)

t.test(
  'the name of a substance is the same in both languages: a German question may be answered in English, with its figure',
  async (t) => {
    const ask = await asking(t, 'Fever\n\nIbuprofen for fever is given at most every eight hours, and with a meal.')
    const { excerpt, confidence } = await ask('wie oft nimmt man Ibuprofen')
    t.match(excerpt?.text, 'eight hours')
    t.equal(confidence, 'found')
  }
)

t.test('the language of a text is told by words that only one of the two has', (t) => {
  const rows: [string, 'de' | 'en' | null][] = [
    ['Wie lange kocht man Wasser?', 'de'],
    ['how many people die of cholera in a camp', 'en'],
    ['was ist mit dem Hund', 'de'],
    ['how was the man in the art hall', 'en'],
    ['ibuprofen 400 mg', null]
  ]
  for (const [text, language] of rows) t.equal(languageOf(text), language, text)
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

t.test('a figure that names one of several stands there with its name', async (t) => {
  const ask = await asking(t, 'Zorvel net\n\nChannel 9 of the zorvel net is heard for five minutes.')
  t.equal((await ask('How long is channel 5 of the zorvel net heard?')).excerpt, undefined)
  t.match((await ask('How long is channel 9 of the zorvel net heard?')).excerpt?.text, /five minutes/)
})

t.test('times that multiply are no time: they do not tell how long', (t) => {
  t.equal(hasQuantity('two times its volume', 'time'), false)
  t.equal(hasQuantity('three times a day', 'time'), true)
  t.end()
})
