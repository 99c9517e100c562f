import t from 'tap'
import { ENGLISH } from '../../../src/model/air-languages.ts'
import { radioTexts } from '../../../src/warning/commands/question.ts'
import { asking } from './asking.ts'

/** A place to read, docs/interface.md §8: where no statement may be said alone. */

const SIGNALS = `Signalling

# The heliograph

A heliograph is a mirror on two legs. In clear air the flash carries forty kilometres, in haze no more than twelve. Sweep the horizon with it.

# Smoke

Smoke rises in still air and is seen from ten kilometres.`
const FAR = 'what range has the heliograph in haze'

t.test(
  'the place in which the answer likely stands is given to read, as perhaps, whole and under its heading',
  async (t) => {
    const ask = await asking(t, SIGNALS)
    const { answer, confidence, excerpt, nearest } = await ask(FAR)
    t.same([answer, confidence, excerpt?.to_read, nearest], [null, 'perhaps', true, undefined])
    t.match(excerpt?.text, /^A heliograph is .* forty kilometres, .* twelve\. Sweep the horizon with it\.$/)
    t.equal(excerpt?.heading, 'The heliograph')
  }
)

t.test('a radio says where it stands, and none of its figures', async (t) => {
  const ask = await asking(t, SIGNALS)
  const told = await ask(FAR)
  const said = (spoken: typeof ENGLISH): readonly string[] =>
    radioTexts(told, { codeOf: () => '7Q4M2' }, { limitBytes: 140, spoken })
  t.same(said(ENGLISH), ['Perhaps: Water Procurement p1 /k/7Q4M2'])
  t.same(said({ ...ENGLISH, language: 'de' }), ['Vielleicht: Water Procurement S.1 /k/7Q4M2'])
})

t.test('without the rarest word of the question no place is given for an answer', async (t) => {
  const ask = await asking(t, SIGNALS)
  for (const question of ['what range has the quaggle in haze', 'what range has the lantern in haze'])
    t.match(await ask(question), { confidence: 'not_found', excerpt: undefined }, question)
})

t.test('an item of a list is given alone: the figures of its neighbours are of something else', async (t) => {
  const ask = await asking(
    t,
    `Lamps

What they burn in an hour:

- The storm lantern stands on deck. In wind it takes nine spoons, in still air four.
- The miner's lamp takes two spoons.
- The lighthouse takes three litres.`
  )
  const { excerpt } = await ask('what is the use of the storm lantern by the hour in wind')
  t.match(excerpt?.text ?? '', /nine spoons/)
  t.notMatch(excerpt?.text ?? '', /miner|lighthouse/)
})

t.test('no place is given for a substance that it does not name', async (t) => {
  const ask = await asking(
    t,
    'Disinfection\n\nIodine makes a bucket safe. Stir it with eight drops and wait for thirty minutes.'
  )
  t.match(await ask('how much bleach makes a bucket safe'), { confidence: 'not_found', excerpt: undefined })
})
