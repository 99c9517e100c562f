import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { DOMAINS } from '../../src/knowledge/catalogue/document.ts'
import { because, REASON_PARAMS, type Reason, type ReasonCode, reasonFrom } from '../../src/model/reason.ts'
import { LANGUAGES } from '../../src/model/words/languages.ts'
import { filled, SENTENCES, sentenceOf } from '../../src/model/words/sentences.ts'
import { VALUE_WORDS } from '../../src/model/words/values.ts'
import { note } from '../helpers/in-words.ts'

const CODES = Object.keys(REASON_PARAMS) as ReasonCode[]
/** The number that chooses the words need not stand in them. */
const countedIn = (code: ReasonCode): string[] =>
  LANGUAGES.flatMap((language) => {
    const sentence = SENTENCES[code][language]
    return typeof sentence === 'string' ? [] : [sentence.by]
  })
const namesIn = (template: string): string[] => [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

t.test('every code has a sentence in every language, of the values it has and no others', async (t) => {
  for (const code of CODES) {
    const names = Object.keys(REASON_PARAMS[code]).sort()
    for (const language of LANGUAGES) {
      const sentence = SENTENCES[code][language]
      const templates = typeof sentence === 'string' ? [sentence] : [sentence.one, sentence.other]
      for (const template of templates) {
        t.not(template.trim(), '', `${code} in ${language}`)
        t.same(
          [...new Set([...namesIn(template), ...countedIn(code)])].sort(),
          names,
          `${code} in ${language}: ${template}`
        )
      }
      if (typeof sentence !== 'string') t.ok(names.includes(sentence.by), `${code} counts ${sentence.by}`)
    }
  }
  t.same(Object.keys(SENTENCES).sort(), [...CODES].sort())
})

t.test(
  'a sentence is said in the language of its reader; names and the words of others stay as they are',
  async (t) => {
    const held = because('held_until', { until: Date.UTC(2026, 6, 1, 12) })
    t.equal(sentenceOf(held), 'held until 2026-07-01T12:00:00.000Z')
    t.equal(sentenceOf(held, 'de'), 'zurückgehalten bis 2026-07-01T12:00:00.000Z')
    t.equal(sentenceOf(because('heard_by', { by: 'accepted' }), 'de'), 'von accepted weitergegeben')
    t.equal(sentenceOf(because('refused', { said: note('held until {until}') }), 'de'), 'abgelehnt: held until {until}')
    const withdrawn = because('withdrawn', { was: 'cancelled' })
    t.match(sentenceOf(withdrawn), 'the event was cancelled while')
    t.match(sentenceOf(withdrawn, 'de'), 'das Ereignis wurde abgesagt, während')
    t.match(sentenceOf(because('withdrawn', { was: 'toString' }), 'de'), 'wurde toString, während')
    for (const words of Object.values(VALUE_WORDS)) t.not(Object.keys(words).length, 0)
  }
)

t.test('a number chooses its plural form, by the rules of the language', async (t) => {
  const sentence = { by: 'count', one: '{count} message', other: '{count} messages' }
  const said = (count: number): string =>
    filled(sentence, { count }, { values: new Map([['count', String(count)]]), language: 'en' })
  t.same([0, 1, 2, 21].map(said), ['0 messages', '1 message', '2 messages', '21 messages'])
})

t.test('a value is never read: what stands in it changes neither the sentence nor what it costs', async (t) => {
  const hostile = `${'x: y; '.repeat(16)}{said}$&{radio}`
  t.equal(sentenceOf(because('refused', { said: note(hostile) })), `refused: ${hostile}`)
  const long: Reason = because('note', { text: 'x: y; '.repeat(100_000) })
  t.equal(sentenceOf(long, 'de').length, 600_000)
  const usage = process.cpuUsage()
  for (let round = 0; round < 10_000; round++)
    sentenceOf(because('radio_said', { said: note(`${hostile}${round}`) }), 'de')
  const { user } = process.cpuUsage(usage)
  t.ok(user / 10_000 < 1000, `${user / 10_000} µs a sentence`)
})

t.test('a channel is named as people name it, not by its key', async (t) => {
  const said = (channel: string): string[] =>
    (['en', 'de'] as const).map((language) => sentenceOf(because('channel_told_end', { channel }), language))
  t.same(said('mt:0'), ['Meshtastic channel 0 has been told of the end', 'Meshtastic-Kanal 0 hat vom Ende erfahren'])
  t.match(said('mc:north-fire'), [/^MeshCore channel north-fire /, /^MeshCore-Kanal north-fire /])
  t.match(said('mt@!a1b2c3d4'), [/^Meshtastic node !a1b2c3d4 /, /^Meshtastic-Knoten !a1b2c3d4 /])
  t.match(said('mc@Ann'), [/^MeshCore contact Ann /, /^MeshCore-Kontakt Ann /])
  t.match(said('webhook:https://a.example'), [/^webhook:https:\/\/a\.example /])
  const cell = because('cell_sends', { family: 'fire', region: 'North', channels: ['mt:3', 'mc:north-fire'] })
  t.equal(sentenceOf(cell), 'fire × North → Meshtastic channel 3 and MeshCore channel north-fire')
})

t.test('several names, and a reason within a reason, are said in the language too', async (t) => {
  const fallback = because('kept_as_fallback', { channel: 'mc:a', primaries: ['mt:1', 'mt:2'] })
  t.match(sentenceOf(fallback), 'when Meshtastic channel 1 or Meshtastic channel 2 is down')
  t.match(sentenceOf(fallback, 'de'), 'wenn Meshtastic-Kanal 1 oder Meshtastic-Kanal 2 ausfällt')
  const silence = because('silence_of', { id: 7, of: ['fire', 'North'] })
  const silenced = because('silenced_because', { silence, author: 'Ann', said: 'a drill', until: Date.UTC(2026, 5, 1) })
  t.equal(sentenceOf(silenced), 'silence 7 of fire in North by Ann (a drill) until 2026-06-01T00:00:00.000Z')
  t.match(sentenceOf(silenced, 'de'), 'Stummschaltung 7 (fire in North) von Ann (a drill) bis')
  const stored: Reason = JSON.parse(JSON.stringify(silenced))
  t.equal(sentenceOf(stored), sentenceOf(silenced), 'as a row holds it')
  t.equal(
    sentenceOf({ code: 'refused', params: { said: 'as an older version kept it' } }),
    'refused: as an older version kept it'
  )
})

t.test('of what nobody knows, the code is said', async (t) => {
  t.same(reasonFrom('a code of tomorrow', {}), because('note', { text: 'a code of tomorrow' }))
  t.same(reasonFrom('accepted', 'turned bits'), because('note', { text: 'accepted' }))
  t.same(
    reasonFrom('joined', { id: null }),
    because('note', { text: 'joined' }),
    'JSON writes null for a number without end'
  )
  t.same(reasonFrom('heard_by', { by: 'x' }), because('heard_by', { by: 'x' }))
  t.equal(sentenceOf(reasonFrom('heard_by', {})), 'repeated by …')
})

t.test('no two areas have the same code: joined, one would silently take the place of the other', async (t) => {
  const folder = join(import.meta.dirname, '../../src/model/reasons')
  const codes = readdirSync(folder).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/^ {2}(\w+): \{/gm)].map(([, code = '']) => code)
  )
  t.same(
    codes.filter((code, index) => codes.indexOf(code) !== index),
    []
  )
  t.equal(codes.length + 1, CODES.length, 'all but the note')
})

t.test('a domain is called in a sentence as on the pages, in the language of the reader', (t) => {
  const words = JSON.parse(
    readFileSync(join(import.meta.dirname, '../../src/dashboard/pages/knowledge/de.json'), 'utf8')
  ) as Record<string, string>
  // Pages say besides where a long word may be parted.
  for (const domain of DOMAINS) t.equal(VALUE_WORDS.de[domain], words[domain]?.replaceAll('\u00ad', ''), domain)
  const unsure = because('domain_one_of_two', { first: 'Water Systems', second: 'Medical' })
  t.equal(sentenceOf(unsure, 'de'), 'könnte Wasserversorgung oder Medizin sein')
  t.equal(sentenceOf(unsure), 'could be Water Systems or Medical')
  t.end()
})
