import t from 'tap'
import { translator } from '../../src/dashboard/words/language.ts'
import { note } from '../helpers/in-words.ts'

t.test('a reason is said as a whole: values, sentences and what another program told', async (t) => {
  const say = translator('de').reason
  for (const [english, german] of [
    [
      'the PDF has 9000 pages; the limit is 5000: split it',
      'das PDF hat 9000 Seiten; die Grenze ist 5000: Teilen Sie es'
    ],
    [
      'The language is not valid: a language is its ISO 639 code, such as en.',
      'Die Sprache ist nicht gültig: eine Sprache ist ihr Code nach ISO 639, etwa en.'
    ],
    ['The PDF has 2 pages; the limit is 1: split it.', 'Das PDF hat 2 Seiten; die Grenze ist 1: Teilen Sie es.'],
    [
      'Static pages only. The limit of 20 pages was reached: the archive holds a part of the site.',
      'Nur statische Seiten. Die Grenze von 20 Seiten wurde erreicht: Das Archiv enthält einen Teil der Website.'
    ],
    [
      'all 3 pages are pictures without text. tesseract is not installed. Install it: sudo apt install tesseract-ocr',
      'alle 3 Seiten sind Bilder ohne Text. tesseract: nicht installiert. Zu installieren mit: sudo apt install tesseract-ocr'
    ],
    [
      'the language model has not answered: llm.example: no whole answer within 20 s',
      'das Sprachmodell hat nicht geantwortet: llm.example: keine ganze Antwort innerhalb von 20 s'
    ],
    [
      'Probably a copy of “Wells. Part 2”: it has the same text.',
      'Wahrscheinlich eine Kopie von „Wells. Part 2“: es hat denselben Text.'
    ],
    ['the text is in French (fr), not one of: en', 'der Text ist in der Sprache French (fr), keiner von: en'],
    [' (Syntax Error: no xref)', ' (Syntax Error: no xref)'],
    ['No such reason $& $1', 'No such reason $& $1'],
    ['', '']
  ] as const)
    t.equal(say(note(english)), german)
  t.equal(translator('en').reason(note('its file is missing')), 'its file is missing')
})

/** The number of calls of a string's methods meanwhile: the same on every machine, however busy it is. */
function stepsOf(work: () => void): number {
  const strings = String.prototype as unknown as Record<string, (...values: unknown[]) => unknown>
  const names = ['endsWith', 'indexOf', 'replace', 'search', 'slice', 'startsWith', 'trim']
  const before = names.map((name) => [name, Object.getOwnPropertyDescriptor(strings, name) ?? {}] as const)
  let steps = 0
  for (const [name, { value }] of before)
    Object.defineProperty(strings, name, {
      configurable: true,
      writable: true,
      value(this: string, ...values: unknown[]) {
        steps++
        return Reflect.apply(value, this, values)
      }
    })
  try {
    work()
  } finally {
    for (const [name, descriptor] of before) Object.defineProperty(strings, name, descriptor)
  }
  return steps
}

t.test('borders of several kinds cost by their number, not by their combinations', async (t) => {
  const say = translator('de').reason
  for (const unit of ['x: y; ', 'A. B: c; ', 'it: is; so. So: '])
    for (const times of [5, 16, 33, 100]) {
      const odd = unit.repeat(times)
      t.equal(say(note(odd)), odd)
    }
  const [few, many, more] = [4, 16, 40].map((times) => stepsOf(() => say(note('x: y; '.repeat(times)))))
  t.ok((few ?? 0) > 8, 'they are counted')
  t.ok((many ?? 0) < 25 * (few ?? 1) && (more ?? 0) < 40 * (few ?? 1), `${few}, ${many}, ${more} steps`)
})

t.test('a long or odd reason costs no time', async (t) => {
  const say = translator('de').reason
  const begun = performance.now()
  for (const odd of [
    'a'.repeat(1_000_000),
    'a. '.repeat(600),
    ': '.repeat(900),
    '; '.repeat(900),
    ' answered '.repeat(190)
  ])
    t.equal(say(note(odd)), odd)
  t.ok(performance.now() - begun < 5000)
})
