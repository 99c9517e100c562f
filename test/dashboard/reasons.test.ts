import t from 'tap'
import { translator } from '../../src/dashboard/words/language.ts'
import { because } from '../../src/model/reason.ts'
import { note } from '../helpers/in-words.ts'

t.test('a reason is said in the language of the page, what another program told in its own words', async (t) => {
  const why = because('poll_given_up')
  const reason = because('of_field', { why, field: 'id' })
  t.equal(translator('de').reason(reason), 'die Abfrage wurde aufgegeben (id)')
  t.equal(translator('en').reason(reason), 'the poll was given up (id)')
  for (const text of ['the poll was given up', ' (Syntax Error: no xref)', 'No such reason $& $1', ''])
    t.equal(translator('de').reason(note(text)), text)
})

t.test('words of others are looked up nowhere, whatever their form: they cost no time', async (t) => {
  const say = translator('de').reason
  const begun = performance.now()
  for (const odd of [
    'a'.repeat(1_000_000),
    'a. '.repeat(600),
    'x: y; '.repeat(100),
    'it: is; so. So: '.repeat(100),
    ' answered '.repeat(190)
  ])
    t.equal(say(note(odd)), odd)
  t.ok(performance.now() - begun < 5000)
})
