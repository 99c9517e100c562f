import fc from 'fast-check'
import t from 'tap'
import { DOMAINS, type Domain, UNSORTED } from '../../../src/knowledge/catalogue/document.ts'
import { classify, classifyItem, namedDomain } from '../../../src/knowledge/intake/classify.ts'
import { DOMAIN_WORDS } from '../../../src/knowledge/intake/domain-words.ts'
import { stem, stems } from '../../../src/knowledge/intake/stem.ts'
import { anyText } from '../../helpers/any-text.ts'
import { inWords } from '../../helpers/in-words.ts'
import { AMBIGUOUS, LABELLED } from './labelled.ts'

t.test(
  'of five descriptions a domain at least 85 % are filed right, and a wrong one is rarer than an open one',
  async (t) => {
    const wrong: string[] = []
    const open: string[] = []
    let count = 0
    for (const domain of DOMAINS) {
      t.ok(LABELLED[domain].length >= 5, domain)
      for (const [title, text] of LABELLED[domain]) {
        count += 1
        const found = classify({ title, text })
        if (found.domain === UNSORTED) open.push(`${title}: ${inWords(found.reason)} (${found.candidates.join(', ')})`)
        else if (found.domain !== domain) wrong.push(`${title}: ${found.domain}`)
      }
    }
    t.comment([...wrong, ...open].join('\n'))
    t.ok(count >= 90, `${count} descriptions`)
    t.ok(wrong.length + open.length <= count * 0.15, `${wrong.length} wrong, ${open.length} open of ${count}`)
    t.ok(wrong.length <= count * 0.08, `${wrong.length} wrong`)
  }
)

t.test('what nobody could file is Unsorted, with candidates and a reason', async (t) => {
  for (const [title, text, among] of AMBIGUOUS) {
    const found = classify({ title, text })
    t.equal(found.domain, UNSORTED, `${title}: ${found.domain}`)
    t.not(found.reason, '', title)
    t.ok(found.candidates.length <= 5)
    if (among !== null) t.ok(found.candidates.includes(among), `${title}: ${found.candidates.join(', ')}`)
  }
  t.same(inWords(classify({ title: '', text: '' })), {
    domain: UNSORTED,
    candidates: [],
    reason: 'too few words that tell its domain'
  })
})

t.test('the rule of ambiguity: a runner-up at 80 %, a leader below 40 %', async (t) => {
  const two = classify({ title: '', text: 'A goat, a sheep, a barn. A radio, an antenna, a repeater.' })
  t.equal(two.domain, UNSORTED)
  t.match(inWords(two.reason), /^could be .+ or .+/)
  t.same([...two.candidates].sort(), ['Agriculture & Livestock', 'Communications'])
  t.equal(
    classify({ title: 'Goats', text: 'A goat, a sheep, a barn. A radio, an antenna.' }).domain,
    'Agriculture & Livestock'
  )
})

t.test('a category that names a domain decides; any other category is a hint', async (t) => {
  const text = 'Pressure canners, jars, lids and headspace.'
  t.equal(classify({ title: 'Canning', text, category: 'medical' }).domain, 'Medical')
  t.equal(classify({ title: 'Canning', text, category: 'Agriculture and Livestock' }).domain, 'Agriculture & Livestock')
  t.equal(classify({ title: '', text: 'the notes of John', category: 'Ham radio' }).domain, 'Communications')
  t.equal(classify({ title: 'Canning', text, category: 'Manuals' }).domain, 'Preservation & Storage')
  for (const domain of DOMAINS)
    t.equal(namedDomain(domain.toUpperCase().replace(/ & | /g, '-')) ?? namedDomain(domain), domain)
  t.equal(namedDomain(''), null)
})

t.test('a passage is filed by its own words, else with its document', async (t) => {
  const knots = { title: '', text: 'The clove hitch and the bowline are tied like this.' }
  t.equal(classifyItem(knots, 'Medical'), 'Wilderness Skills')
  t.equal(classifyItem({ title: '', text: 'See the table on the next page.' }, 'Medical'), 'Medical')
  t.equal(classifyItem({ title: '', text: 'See the table.' }, UNSORTED), UNSORTED)
})

t.test('endings, case and accents make no difference; a longer term hides the words in it', async (t) => {
  for (const [a, b] of [
    ['purifying', 'purify'],
    ['canning', 'can'],
    ['Storing', 'store'],
    ['batteries', 'battery'],
    ['digging', 'dig'],
    ['classes', 'class'],
    ['boxes', 'box']
  ] as const)
    t.equal(stem(a.toLowerCase()), stem(b), `${a} ${b}`)
  t.same(stems('The STATE of  Charge, naïve café’s'), ['stat', 'charg', 'naiv', 'caf'])
  t.same(classify({ title: 'Water bath canning', text: '' }).candidates, ['Preservation & Storage'])
})

t.test('the words: several hundred terms, every domain has some of each kind, none is empty or too long', async (t) => {
  let count = 0
  for (const domain of DOMAINS) {
    const lists = Object.values(DOMAIN_WORDS[domain]).map((list: string) => list.split(','))
    t.ok(
      lists.every((list) => list.length >= 5),
      domain
    )
    for (const term of lists.flat()) {
      count += 1
      const length = stems(term).length
      if (length === 0 || length > 4) t.fail(`${domain}: “${term}”`)
    }
  }
  t.ok(count > 1000, `${count} terms`)
})

t.test('any text is classified, the same way each time, as one of the domains or Unsorted', async () => {
  const words = DOMAINS.flatMap((domain) => DOMAIN_WORDS[domain].usual.split(', '))
  const text = fc.oneof(
    anyText({ maxLength: 200 }),
    fc.array(fc.constantFrom(...words)).map((list) => list.join(' '))
  )
  fc.assert(
    fc.property(text, text, (title, body) => {
      const found = classify({ title, text: body })
      const domains: readonly string[] = [...DOMAINS, UNSORTED]
      if (!domains.includes(found.domain)) return false
      if (found.domain !== UNSORTED && found.candidates[0] !== (found.domain as Domain)) return false
      return JSON.stringify(classify({ title, text: body })) === JSON.stringify(found)
    })
  )
})

t.test('a book of a million words is classified in a moment', async (t) => {
  const began = performance.now()
  const found = classify({ title: 'x', text: 'goat pasture hay livestock '.repeat(100_000) })
  t.equal(found.domain, 'Agriculture & Livestock')
  t.ok(performance.now() - began < 2000)
})
