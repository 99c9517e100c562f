import t from 'tap'
import { AIR_LANGUAGES, type AirLanguage } from '../../../src/model/air-languages.ts'
import { byteLength } from '../../../src/warning/messages/budget.ts'
import { composeMessage } from '../../../src/warning/messages/compose.ts'
import { event } from './sample-events.ts'
import { request } from './samples.ts'
import { toldIn } from './tongue-samples.ts'

/** No text in any language is cut inside a grapheme (UAX #29), whatever a source writes: docs/interface.md §6. */

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const graphemes = (text: string): string[] => [...segmenter.segment(text)].map(({ segment }) => segment)
type Sample = Parameters<typeof composeMessage>[0]

/** Letters of several code points: a mark on a letter, a conjunct with a sign, a syllable of jamo, a family, a flag. */
const STRANGE = ['Ka\u0301fe\u0328', 'क्षेत्र', '각각\u1112\u1161\u11ab', 'A👩‍👩‍👧‍👦B', '🇩🇪🇫🇷', 'が\u3099ぎ\u3099']
const strange = (language: AirLanguage): Sample =>
  request({
    language,
    regions: STRANGE,
    event: event({
      expires: '2026-07-04T03:00:00Z',
      title: STRANGE.join(' '),
      data: {
        event_name: STRANGE.join(' '),
        places: STRANGE.map((word) => word.repeat(3)),
        detail: `${STRANGE.join('').repeat(6)}. ${STRANGE.join(' ')}`,
        cap: { language }
      }
    })
  })

for (const language of AIR_LANGUAGES)
  t.test(`in ${language} every text ends between two graphemes, at every limit`, async (t) => {
    const faults: string[] = []
    for (const sample of [...toldIn(language).map(([, one]) => one), strange(language)]) {
      const whole = composeMessage({ ...sample, limitBytes: 4000, targetBytes: 4000, maxParts: 9 }).parts.join(' ')
      const known = new Set(graphemes(whole))
      for (let limit = 40; limit <= 200; limit += 11)
        for (const part of composeMessage({ ...sample, limitBytes: limit, targetBytes: limit, maxParts: 3 }).parts) {
          if (byteLength(part) > limit) faults.push(`${byteLength(part)} of ${limit}: ${part}`)
          const last = graphemes(part).length - 1
          const torn = graphemes(part).filter(
            (one, i) => (one.length > 1 || i === last) && /[^ -~]/.test(one) && !known.has(one)
          )
          if (torn.length > 0) faults.push(`${JSON.stringify(torn)} in ${part}`)
        }
    }
    t.same(faults, [])
  })
