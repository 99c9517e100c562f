import { tellingWords } from '../enrich/keywords.ts'
import { isUnit } from './figures.ts'
import { germanStem, isGerman } from './german.ts'
import type { LexicalRows } from './lexical.ts'
import { nearbyWords } from './nearby.ts'
import { namesQuantity, quantityAsked } from './quantities.ts'
import { parseQuestion, type Question, wordMatch } from './question.ts'
import { SYNONYMS } from './synonyms.ts'
import type { TextTable } from './text-table.ts'

/** Another word for a thing is worth less than the word itself. */
const AS_GOOD = 0.8

/** A thing that a question names: its word, and every other word for it. */
export interface Concept {
  word: string
  /** Stems of the word or phrase as asked, and in another ending. */
  own: readonly (readonly string[])[]
  /** Stems of words that stand for it. */
  others: readonly (readonly string[])[]
  /** The rarer in the library, the heavier. */
  weight: number
  /** The library does not know the word: one that is spelt nearly so was taken. */
  isGuessed: boolean
  /** The library has neither the word nor another one for it. */
  isUnknown: boolean
  /** As an FTS5 expression, all its words. */
  match: string
}

type Library = Pick<LexicalRows, 'frequency' | 'totals' | 'knows' | 'isInTitle' | 'dictionary'>

/** Words of questions, and who asks for whom: rare in books, and nothing an answer is about. A patient is one by age, and stays. */
const ASKING = new Set(
  `advise aunt brother buddy chap cousin dad daddy daughter dear fella folks friend friends granddad grandad granddaughter grandma grandmother grandpa
  grandson granny guy guys husband kindly mate matter matters mom mother mum mummy neighbor neighbour pal please sister son supposed uncle wife
  wonder wondering oma opa sohn tochter nachbar nachbarin mutter vater jetzt noch beste bester denn doch eigentlich mal
  allowed anybody anyone best bit doing everybody everyone far fast first go going got happen happens help kind know long mean meaning means need needs
  now ok okay often old our please really right said say should soon somebody someone something step tell thing things too want
  way what yes beim bitte brauche braucht darf dass dauert dein dürfen gibt gilt ich kein keine keinem keinen keiner können könnte lange man mein
  meine meinem meinen muss müssen oft soll sollen sollte sollten tun unter viel viele wann warum was welche welchem welchen welcher welches wer wie
  wieviel wo wohin womit wozu`.split(/\s+/)
)
/** Words of most sentences about anything: they are asked with, and an answer does without them. */
const LIGHT = new Set(
  `able another around away bad become becomes begin begins big bring call called come comes different enough everything feel feels felt
  fit gone good great hold holds home large later leave left lie lies little look looks lot new old other people person place places put
  room safe set short show side sit small sometimes stand stands stay stays still stood stop stopped sure take taken takes thing today
  together turn turns walk weather whole work working works bleiben bleibt geben gehen gibt große großen großer gut gute guten halten
  hält kommen kommt lassen legen liegen liegt machen macht nehmen neu neue neuen nimmt ohne reicht schnell sein stehen steht weg geht bekommen bekomme bekommt ums`.split(
    /\s+/
  )
)
/** Words for what the figure itself tells, where a figure is asked for. */
const OF_FIGURES = new Set(
  `correct,right,exact,typical,normal,usual,quantity,amount,number,size,strength,pressure,limit,rating,interval,gap,angle,capacity,draw,use,uses,usage,consumption,loss,rate,level,minimum,maximum,min,max,safe,
  allowed,total,average,recommended,required,needed,breaking load,breaking strength,break strength,working load,safe load,safe working load`
    .split(',')
    .map((word) => word.trim())
)
const POWER = new Set(['square', 'sq', 'cubic'])
/** Words of two letters that tell something. */
const SHORT = new Set('tx rx hf pv cw ht bp wc'.split(' '))
/** Their worth beside that of the word for a thing. */
const OF_LIGHT = 0.35
const MAX_FORMS = 8
/** Letters of a part of a word made of two. */
const MIN_PART = 3
/** Shorter words begin too many others. */
const MIN_COMPOUND = 5
/** A word of so many documents is one; of fewer it may be what a scanner or a program left there. The larger the library, the more. */
const LEAST_DOCUMENTS = { ever: 2, share: 1 / 1000 }
/** Of fewer documents each is likely to be the only one about its subject. */
const FEW_DOCUMENTS = 5
const WORD = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{M}\p{Co}]*/gu

/** Reads questions with the words of one library. */
export class ConceptReader {
  readonly #table: TextTable
  readonly #library: Library
  /** Groups by the stems of each of their words. */
  readonly #groups = new Map<string, string[][]>()
  readonly #longest: number

  constructor(table: TextTable, library: Library) {
    this.#table = table
    this.#library = library
    let longest = 1
    for (const group of SYNONYMS)
      for (const [at, stems] of table.stems(group).entries()) {
        const key = stems.join(' ')
        longest = Math.max(longest, stems.length)
        const rest = group.filter((_, other) => other !== at)
        this.#groups.set(key, [...(this.#groups.get(key) ?? []), rest])
      }
    this.#longest = longest
  }

  /** The things a question names, each once, the heaviest first; empty when none of its words tells anything. */
  read(question: string): Concept[] {
    const { words } = parseQuestion(question)
    const nearby = this.#near({ words, phrases: [] }, () => true)
    const { items } = this.#library.totals()
    const isInGerman = isGerman(question)
    const found = new Map<string, Concept>()
    const isFigureAsked = quantityAsked(question) !== null
    for (const text of this.#parts(question)) {
      // The figure itself says it: "65 degrees" answers "which temperature".
      if (isFigureAsked && namesQuantity(text)) continue
      const [own = []] = this.#table.stems([text])
      const key = own.join(' ')
      if (own.length === 0 || found.has(key)) continue
      const guesses = nearby.get(text) ?? []
      const { endings, compounds } =
        isInGerman && guesses.length === 0 ? this.#endings(text) : { endings: [], compounds: [] }
      const others = [...this.#otherWords(text), ...compounds]
      const match = [text, ...endings, ...guesses, ...others].map(wordMatch).join(' OR ')
      const frequency = this.#library.frequency(match)
      const rarity = Math.log(1 + items / (1 + frequency))
      const isLight = LIGHT.has(text) || (isFigureAsked && OF_FIGURES.has(text))
      const weight = isLight ? rarity * OF_LIGHT : rarity
      found.set(key, {
        word: text,
        own: this.#table.stems([text, ...endings, ...guesses]),
        others: this.#table.stems(others),
        weight,
        isGuessed: guesses.length > 0,
        isUnknown: frequency === 0,
        match
      })
    }
    return [...found.values()].sort((one, other) => other.weight - one.weight)
  }

  /** Words near those for which the library has neither the word nor another one for it: of several documents, or of a title. */
  nearby(question: Question): Map<string, string[]> {
    const { documents: all } = this.#library.totals()
    const least = all < FEW_DOCUMENTS ? 1 : Math.max(LEAST_DOCUMENTS.ever, all * LEAST_DOCUMENTS.share)
    return this.#near(question, (word, documents) => documents >= least || this.#library.isInTitle(word))
  }

  #near(question: Question, isWord: (word: string, documents: number) => boolean): Map<string, string[]> {
    const library = this.#library
    return nearbyWords(question, {
      knows: (match) => library.knows([match, ...this.#otherWords(match).map(wordMatch)].join(' OR ')),
      dictionary: (from, to) => library.dictionary(from, to),
      isWord
    })
  }

  #otherWords(text: string): string[] {
    const [stems = []] = this.#table.stems([text])
    const others = (this.#groups.get(stems.join(' ')) ?? []).flat()
    return [...new Set([...others, ...this.#apart(text)])]
  }

  /** Two words the library has side by side where it has not the one made of them: snake bite for snakebite. */
  #apart(word: string): string[] {
    const figure = /^(\p{L}{1,4})(\p{N}+)$|^(\p{N}+)(\p{L}{1,4})$/u.exec(word)
    if (figure !== null)
      return [
        figure
          .slice(1)
          .filter((part) => part !== undefined)
          .join(' ')
      ]
    if (word.length < 2 * MIN_PART || !/^\p{L}+$/u.test(word) || this.#library.knows(wordMatch(word))) return []
    for (let at = MIN_PART; at <= word.length - MIN_PART; at++) {
      const two = `${word.slice(0, at)} ${word.slice(at)}`
      if (this.#library.knows(wordMatch(two))) return [two]
    }
    return []
  }

  /** Its phrases that stand for something, and its other words that tell something. */
  #parts(question: string): string[] {
    const words = (question.slice(0, 1000).match(WORD) ?? []).slice(0, 48).map((word) => word.toLowerCase())
    const stems = this.#table.stems(words).map((each) => each.join(' '))
    const parts: string[] = []
    for (let at = 0; at < words.length; ) {
      const length = this.#phraseAt(stems, at)
      const text = words.slice(at, at + length).join(' ')
      // Of `16 amps` the figure is compared, and the unit with it.
      const isOfFigure = isUnit(text) && /^\p{N}+$/u.test(words[at - 1] ?? '')
      // `100 cubic metres` and `per square metre` are a unit.
      const isOfPower = POWER.has(text) && isUnit(words[at + 1] ?? '')
      if (length > 1 || (isTelling(text) && !isOfFigure && !isOfPower)) parts.push(text)
      at += length
    }
    return parts
  }

  #phraseAt(stems: readonly string[], at: number): number {
    for (let length = Math.min(this.#longest, stems.length - at); length > 1; length--)
      if (this.#groups.has(stems.slice(at, at + length).join(' '))) return length
    return 1
  }

  /** The word in its other endings, and the longer ones that begin with it, as far as the library has them. */
  #endings(word: string): { endings: string[]; compounds: string[] } {
    const stem = germanStem(word)
    const endings: string[] = []
    const compounds: string[] = []
    for (const { word: other } of this.#library.dictionary(stem, `${stem}\u{10FFFF}`)) {
      if (other === word) continue
      if (germanStem(other) === stem) endings.push(other)
      else if (word.length >= MIN_COMPOUND && other.startsWith(word)) compounds.push(other)
      if (endings.length + compounds.length >= MAX_FORMS) break
    }
    return { endings, compounds }
  }
}

function isTelling(word: string): boolean {
  return !ASKING.has(word) && (SHORT.has(word) || /\p{N}/u.test(word) || tellingWords(word).length > 0)
}

/** How much of a concept each text has: 1 for its own word, less for another one. */
export interface Presence {
  value: number
  /** Of the word itself or of another for it, in the text below the headings. */
  at: readonly number[]
  /** The same for head and title alone. */
  head: number
}

/** The presence of a concept in each of `count` texts of the table. */
export function presenceOf(table: TextTable, { own, others }: Concept, count: number): Presence[] {
  const found = Array.from({ length: count }, () => ({ value: 0, at: [] as number[], head: 0 }))
  const add = (forms: readonly (readonly string[])[], worth: number): void => {
    for (const stems of forms)
      for (const { row, isHead, at } of table.places(stems)) {
        const presence = found[row]
        if (presence === undefined) continue
        if (isHead) presence.head = Math.max(presence.head, worth)
        else {
          presence.value = Math.max(presence.value, worth)
          presence.at.push(at)
        }
      }
  }
  add(own, 1)
  add(others, AS_GOOD)
  return found
}
