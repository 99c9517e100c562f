import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { DELIVERY_REASONS } from '../../../scripts/docs-delivery-reasons.ts'
import { AIR_LANGUAGES, type AirLanguage } from '../../../src/model/air-languages.ts'
import { whyReason } from '../../../src/warning/commands/why-reasons.ts'
import { byteLength } from '../../../src/warning/messages/budget.ts'
import { REPLIES } from '../../../src/warning/messages/catalogue/replies.ts'
import { foldText } from '../../../src/warning/messages/fold.ts'
import { wholeParts, withinBytes } from '../../../src/warning/messages/replying.ts'
import { repliesIn } from './reply-samples.ts'

/** Answers by radio and news of the station itself in every language: docs/decisions/0062-the-language-of-an-answer.md. */

const golden = (language: AirLanguage): URL => new URL(`../../golden/replies/${language}.txt`, import.meta.url)

/** Words of the English answers, but for commands and for what is the same word in another language. */
const ENGLISH =
  /(?<![\p{L}!/-])(?:the|only|may|nothing|nobody|ask|again|send|known|inside|told|none|refused|sent|held|heard|down|ready|wait|up|disk|stored|switching|perhaps|library|here|found|nearest|acked|acknowledged|by|which|too many|region|reason|alerts?|till?|silent|except|BANDS|PASSES|storm|at|of|and|you)(?!\p{L})/iu
const SAME: Partial<Record<AirLanguage, RegExp>> = { de: /region/gi, nl: /regio|storm|\bof\b/gi, pl: /region|\bby\b/gi }

for (const language of AIR_LANGUAGES)
  t.test(`every answer in ${language} reads as its golden file says, within its bytes, and is whole`, async (t) => {
    const samples = await repliesIn(t, language)
    const text = samples.map(({ name, text }) => `# ${name}\n${byteLength(text)}  ${text}\n`).join('\n')
    if (process.env['LOOKOUT_UPDATE_GOLDEN'] === '1') writeFileSync(golden(language), text)
    t.equal(text, readFileSync(golden(language), 'utf8'))
    for (const { name, text, limit } of samples) {
      t.ok(byteLength(text) <= limit, `${name}: ${text}`)
      t.notMatch(text, /[$\uFFFD]|undefined|\.\.| {2}/, name)
      if (language !== 'ja') t.match(foldText(text, language), /^[\x20-\x7e]*$/, `${name}, folded`)
      if (language !== 'en')
        t.notMatch(
          text.replace(/Boil.*?\.|South Hills/g, '').replace(SAME[language] ?? /^$/, ''),
          ENGLISH,
          `${name}: ${text}`
        )
    }
  })

/** Every pattern of a language by its place: `who.inside`. */
function patterns(words: object, at = ''): [string, string][] {
  return Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${at}${key}`, value]] : value === null ? [] : patterns(value, `${at}${key}.`)
  )
}

t.test(
  'a pattern has the same gaps and commands in every language, and never begins with a mark of bots',
  async (t) => {
    const gaps = (text: string): string[] => [...new Set(text.match(/\$[1-3]?|!\w+|\/[\w-]+/g))].sort()
    const english = new Map(patterns(REPLIES.en))
    for (const language of AIR_LANGUAGES)
      for (const [place, text] of patterns(REPLIES[language])) {
        // It stands behind another sentence.
        if (place !== 'silence.howToEnd') t.notMatch(text, /^[!/@]/, `${language} ${place}`)
        if (!place.startsWith('why.reasons')) t.same(gaps(text), gaps(english.get(place) ?? ''), `${language} ${place}`)
      }
  }
)

t.test('every reason of a delivery has words outside of English', async (t) => {
  for (const { word } of DELIVERY_REASONS) t.not(whyReason(word), null, word)
})

t.test('what finds no room is left out whole: a part, a sentence, at last a word', async (t) => {
  t.equal(wholeParts(['one', 'twenty', 'six'], '; ', 8), 'one; six')
  t.equal(wholeParts(['ééé'], '; ', 5), 'éé')
  t.equal(withinBytes('One sentence. Another one.', 20), 'One sentence.')
  t.equal(withinBytes('一文です。二文目です。', 20), '一文です。')
  t.equal(withinBytes('No end of it in here', 15), 'No end of it in')
  t.equal(withinBytes('😀😀😀', 6), '😀')
})
