import type { ItemDetails, NewItem } from '../catalogue/document.ts'
import { keywordsOf, statisticsOf, tellingWords, type WordStatistics, weightsOf } from './keywords.ts'
import type { Passage } from './passages.ts'
import { splitSentences, wordsOf } from './sentences.ts'

const MAX_TITLE = 100
const MAX_SUMMARY = 280
const MAX_FACTS = 5
const MAX_FACT = 240

const IMPERATIVE =
  /^(?:add|aim|allow|always|apply|arrange|attach|avoid|bend|boil|bring|build|burn|bury|carry|change|check|choose|clean|clear|close|collect|connect|cook|cool|cover|cut|dig|disconnect|do not|don't|drain|drill|drink|drive|dry|ensure|fill|filter|find|fix|flush|follow|grease|hang|hold|insert|inspect|install|keep|lay|leave|let|lift|light|locate|loosen|make|mark|measure|melt|mix|move|never|note|oil|open|place|plant|plug|pour|press|pull|push|put|raise|record|remove|repeat|replace|report|rinse|rub|run|screw|seal|select|set|shake|soak|stand|start|stay|stir|stop|store|strain|switch|take|test|tie|tighten|treat|try|turn|use|wait|walk|warm|wash|watch|wear|weigh|wrap|write)\b/i
const STEP = /^\s*(?:step\s+)?\(?\d{1,2}[.):]\s+\S/im
const QUANTITY =
  /\d[\d.,/]*\s*(?:%|°|º|percent|degrees?|[cfk]\b|mm|cm|km|m\b|meters?|metres?|feet|foot|ft|in\b|inch(?:es)?|yards?|miles?|mg|kg|g\b|grams?|lbs?|pounds?|oz|ounces?|ml|l\b|lit(?:er|re)s?|gallons?|gal|quarts?|cups?|drops?|tablets?|teaspoons?|tablespoons?|s\b|sec(?:onds?)?|min(?:utes?)?|h\b|hours?|days?|weeks?|months?|years?|v\b|volts?|a\b|amps?|amperes?|w\b|watts?|kw|ah|hz|khz|mhz|ghz|psi|bar|pa|kpa|hpa|rpm|mph|knots?|calories|kcal|ppm|people|persons?|times)/i
const OPERATIONAL =
  /\b(?:assign|brief|briefing|check-?list|command|communications? plan|coordinat\w*|deploy\w*|duty|evacuat\w*|incident|inventory|log ?book|net control|operations?|patrol|procedure in|report to|roster|schedule|shift|sitrep|staff|standing orders?|supply point|triage)\b/i

/** The outside tools of the extractive enricher. */
export interface ItemTools {
  /** One of the 18 domains; intake's classifier. */
  domainOf: (passage: { title: string; text: string }) => string
  /** The window a page is read in. */
  windowOf: (page: number) => number
}

/**
 * One item per passage: the text itself is the content, and what is said about it comes from it alone. No language model,
 * no network; the same text always gives the same items.
 */
export function extractiveItems(passages: readonly Passage[], tools: ItemTools): NewItem[] {
  const statistics = statisticsOf(passages.map(({ text }) => text))
  const ordinals = new Map<number, number>()
  return passages.map((passage) => {
    const window = tools.windowOf(passage.firstPage)
    const ordinal = ordinals.get(window) ?? 0
    ordinals.set(window, ordinal + 1)
    const { text: content, firstPage, lastPage } = passage
    return { window, ordinal, origin: 'extract', firstPage, lastPage, content, ...told(passage, statistics, tools) }
  })
}

function told(
  { text, heading }: Passage,
  statistics: WordStatistics,
  { domainOf }: ItemTools
): { title: string; summary: string; details: ItemDetails } {
  const weights = weightsOf(text, statistics)
  const plain = text.replace(/^#{1,6} /, '')
  const body = plain.startsWith(heading) ? plain.slice(heading.length).trim() : plain
  const sentences = statementsOf(body === '' ? text : body)
  return {
    title: clip(heading === '' ? (sentences[0] ?? text) : heading, MAX_TITLE),
    summary: clip(mostCentral(sentences, weights) ?? text, MAX_SUMMARY),
    details: {
      domain: domainOf({ title: heading, text }),
      subdomain: [],
      keywords: keywordsOf(weights),
      knowledge_type: knowledgeType(text),
      complexity: complexity(text),
      key_facts: keyFacts(sentences)
    }
  }
}

/** Sentences and lines of lists, on one line each. */
function statementsOf(text: string): string[] {
  return text
    .split('\n')
    .flatMap(splitSentences)
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => sentence !== '')
}

/** The sentence whose words weigh most for its length; the first one has a head start. */
function mostCentral(sentences: readonly string[], weights: ReadonlyMap<string, number>): string | null {
  let best: string | null = null
  let most = -1
  for (const [at, sentence] of sentences.entries()) {
    const words = new Set(tellingWords(sentence))
    let sum = 0
    for (const word of words) sum += weights.get(word) ?? 0
    const isReadable = sentence.length >= 30 && sentence.length <= 320
    const score = (sum / Math.sqrt(words.size + 3)) * (at === 0 ? 1.15 : 1) * (isReadable ? 1 : 0.3)
    if (score > most) [best, most] = [sentence, score]
  }
  return best
}

function keyFacts(sentences: readonly string[]): string[] {
  const facts = sentences.map((sentence, at) => {
    const plain = withoutMark(sentence)
    const score =
      (QUANTITY.test(plain) ? 2 : 0) +
      (IMPERATIVE.test(plain) ? 1 : 0) +
      (/\bnever|do not|must\b/i.test(plain) ? 0.5 : 0)
    return { at, plain, score }
  })
  return facts
    .filter(({ plain, score }) => score >= 1 && plain.length >= 15 && plain.length <= MAX_FACT)
    .sort((one, other) => other.score - one.score || one.at - other.at)
    .slice(0, MAX_FACTS)
    .sort((one, other) => one.at - other.at)
    .map(({ plain }) => plain)
}

/** Steps and orders are procedural; duties, plans and checklists operational; everything else tells how things are. */
export function knowledgeType(text: string): ItemDetails['knowledge_type'] {
  const plain = statementsOf(text).map(withoutMark)
  const orders = plain.filter((sentence) => IMPERATIVE.test(sentence)).length
  if (STEP.test(text) && orders > 0) return 'procedural'
  if (orders * 2 > plain.length || (orders >= 2 && orders * 4 >= plain.length)) return 'procedural'
  return OPERATIONAL.test(text) ? 'operational' : 'foundational'
}

/** Long sentences of long words are for those who know the subject. */
export function complexity(text: string): ItemDetails['complexity'] {
  const sentences = statementsOf(text)
  const words = sentences.flatMap(wordsOf)
  const perSentence = words.length / Math.max(1, sentences.length)
  const long = words.filter((word) => word.length >= 10).length / Math.max(1, words.length)
  if (perSentence > 25 || long > 0.2) return 'advanced'
  return perSentence > 14 || long > 0.1 ? 'intermediate' : 'basic'
}

function withoutMark(sentence: string): string {
  return sentence.replace(/^(?:[-*+•]|\(?\d{1,3}[.)])\s+/, '')
}

/** At most this many characters, cut between words. */
export function clip(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= most) return line
  const cut = line.slice(0, most - 1)
  const blank = cut.lastIndexOf(' ')
  const kept = blank > most / 2 ? cut.slice(0, blank) : cut.replace(/[\ud800-\udbff]$/, '')
  return `${kept.replace(/(?<![\s,;:–-])[\s,;:–-]+$/, '')}…`
}
