import { because, type Reason } from '../../model/reason.ts'
import { DOMAINS, type Domain, UNSORTED } from '../catalogue/document.ts'
import { DOMAIN_WORDS } from './domain-words.ts'
import { stems } from './stem.ts'

export interface Classification {
  /** `Unsorted` when the words do not decide it. */
  domain: Domain | typeof UNSORTED
  /** Domains the words speak for, best first, at most five. */
  candidates: Domain[]
  /** The reason why nobody could decide; empty when it was decided. */
  reason: Reason | null
}

export interface ClassifyInput {
  title: string
  /** First pages. Only the first 60,000 characters are read. */
  text: string
  /** The sender's category; a hint unless it names a domain. */
  category?: string
}

const MAX_TEXT = 60_000
const MAX_TITLE = 500
const TITLE_FACTOR = 3
/** Two good terms, or one in the title: less than this decides nothing. */
const MIN_SCORE = 4
const MIN_PASSAGE_SCORE = 2
/** Rule of the filing step: a runner-up this close makes it ambiguous, as does a leader below this share. */
const CLOSE = 0.8
const MIN_SHARE = 0.4
/** Points that hints may give alone. */
const FREE_HINTS = 3
const MAX_CANDIDATES = 5
const MAX_PHRASE = 4
/** Its words stand in the manual of every program, whatever the program is for. */
const MEANS: Domain = 'Technology'

interface Term {
  domain: Domain
  points: number
}

let lexicon: ReadonlyMap<string, readonly Term[]> | null = null

/** Stemmed term → its points by domain; made at first use. */
function terms(): ReadonlyMap<string, readonly Term[]> {
  lexicon ??= buildLexicon()
  return lexicon
}

function buildLexicon(): Map<string, Term[]> {
  const map = new Map<string, Term[]>()
  for (const domain of DOMAINS) {
    const { strong, usual, weak } = DOMAIN_WORDS[domain]
    for (const [list, points] of [
      [strong, 3],
      [usual, 2],
      [weak, 1]
    ] as const) {
      for (const term of list.split(',')) addTerm(map, stems(term).join(' '), { domain, points })
    }
  }
  return map
}

/** The first mention of a term in a domain counts: lists go from strong to weak. */
function addTerm(map: Map<string, Term[]>, key: string, term: Term): void {
  const known = map.get(key) ?? []
  if (key !== '' && !known.some(({ domain }) => domain === term.domain)) map.set(key, [...known, term])
}

/** The number of times each known term stands in the text; a longer term hides the shorter ones in it. */
function countTerms(text: string): Map<string, number> {
  const found = new Map<string, number>()
  const list = stems(text)
  for (let at = 0; at < list.length; ) {
    const key = longestTerm(list, at)
    if (key !== null) found.set(key, (found.get(key) ?? 0) + 1)
    at += key === null ? 1 : key.split(' ').length
  }
  return found
}

function longestTerm(list: readonly string[], at: number): string | null {
  for (let length = Math.min(MAX_PHRASE, list.length - at); length > 0; length--) {
    const key = list.slice(at, at + length).join(' ')
    if (terms().has(key)) return key
  }
  return null
}

/** Points of words that tell a domain, and of those that only hint at it. */
interface Sum {
  told: number
  hinted: number
}

/** A term said often counts more, but ever less: one word must not outvote a whole vocabulary. */
function scores(text: string): Map<Domain, number> {
  const sums = new Map<Domain, Sum>()
  for (const [key, count] of countTerms(text)) {
    const meanings = terms().get(key) ?? []
    // A word that stands in several domains says little about each of them.
    const worth = (1 + Math.log2(count)) / Math.sqrt(meanings.length)
    for (const { domain, points } of meanings) {
      const sum = sums.get(domain) ?? { told: 0, hinted: 0 }
      if (points > 1) sum.told += points * worth
      else sum.hinted += points * worth
      sums.set(domain, sum)
    }
  }
  // Hints support what other words tell: every book has chapters, examples and numbers.
  return new Map([...sums].map(([domain, { told, hinted }]) => [domain, told + Math.min(hinted, told + FREE_HINTS)]))
}

/** The domain a category names, in whatever spelling: `food-systems`, `Agriculture and Livestock`. */
export function namedDomain(category: string): Domain | null {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replace(/&/g, 'and')
      .replace(/[^a-z]+/g, ' ')
      .trim()
  const wanted = plain(category)
  return DOMAINS.find((domain) => plain(domain) === wanted) ?? null
}

/**
 * The domain of a document, from its title and first pages; the same input gives the same answer, always. A category that
 * names a domain decides it: somebody said so. `Unsorted` when the runner-up has 80 % of the leader's points, when the
 * leader has less than 40 % of all, or when too few words are known.
 */
export function classify({ title, text, category = '' }: ClassifyInput): Classification {
  const named = namedDomain(category)
  if (named !== null) return { domain: named, candidates: [named], reason: null }
  const sums = scores(text.slice(0, MAX_TEXT))
  for (const hint of [title.slice(0, MAX_TITLE), category.slice(0, MAX_TITLE)]) {
    for (const [domain, points] of scores(hint)) sums.set(domain, (sums.get(domain) ?? 0) + TITLE_FACTOR * points)
  }
  return decide(sums, MIN_SCORE)
}

/** The domain of one passage; two known words are enough, and the document's domain stands in for an ambiguous one. */
export function classifyItem(passage: { title: string; text: string }, documentDomain: string): string {
  const { domain, candidates } = decide(
    scores(`${passage.title}\n${passage.text}`.slice(0, MAX_TEXT)),
    MIN_PASSAGE_SCORE
  )
  if (domain !== UNSORTED) return domain
  return documentDomain === UNSORTED ? (candidates[0] ?? UNSORTED) : documentDomain
}

function decide(sums: ReadonlyMap<Domain, number>, minimum: number): Classification {
  // Squared: the tail of stray words in every long text must not drown the subject.
  const ranked = [...sums].map(([domain, points]) => ({ domain, points, weight: points ** 2 }))
  ranked.sort((a, b) => b.points - a.points || (a.domain < b.domain ? -1 : 1))
  const candidates = ranked.slice(0, MAX_CANDIDATES).map(({ domain }) => domain)
  const [leader, runnerUp] = ranked
  if (leader === undefined || leader.points < minimum) {
    return { domain: UNSORTED, candidates, reason: because('domain_too_few_words') }
  }
  const total = ranked.reduce((sum, { weight }) => sum + weight, 0)
  if (runnerUp !== undefined && runnerUp.points >= CLOSE * leader.points) {
    const subject = subjectOf(leader.domain, runnerUp.domain)
    const third = ranked[2]
    if (subject !== null && (third === undefined || third.points < CLOSE * leader.points))
      return { domain: subject, candidates: [subject, ...candidates.filter((one) => one !== subject)], reason: null }
    return {
      domain: UNSORTED,
      candidates,
      reason: because('domain_one_of_two', { first: leader.domain, second: runnerUp.domain })
    }
  }
  if (leader.weight < MIN_SHARE * total) {
    return { domain: UNSORTED, candidates, reason: because('domain_several') }
  }
  return { domain: leader.domain, candidates, reason: null }
}

/** Of a program's manual the domain it is made for: a book on a program for maps is one on maps as well. */
function subjectOf(leader: Domain, runnerUp: Domain): Domain | null {
  if (leader === MEANS) return runnerUp
  return runnerUp === MEANS ? leader : null
}
