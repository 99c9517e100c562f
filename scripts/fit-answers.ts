/**
 * Fits what tells that a sentence answers a question (`WEIGHTS` of `src/knowledge/search/likelihood.ts`) on the open halves of the labelled
 * questions, and prints it. The held halves are never read.
 *
 *   node --import=tsx scripts/fit-answers.ts [--without GROUP] [--help]
 */

import { hashEmbedder } from '../src/knowledge/enrich/embed/hash.ts'
import { Excerpts } from '../src/knowledge/search/excerpt.ts'
import { featuresOf } from '../src/knowledge/search/likelihood.ts'
import { mayStand } from '../src/knowledge/search/sayable.ts'
import { Searcher } from '../src/knowledge/search/searcher.ts'
import { VirtualClock } from '../src/platform/clock/clock.ts'
import { CARDS, CARDS_STRANGE, CARDS_UNANSWERED } from '../test/knowledge/search/answers/cards.ts'
import { HANDBOOKS, HANDBOOKS_STRANGE, HANDBOOKS_UNANSWERED } from '../test/knowledge/search/answers/handbooks.ts'
import {
  type FiledBook,
  fileLibrary,
  libraryOfArticles,
  libraryOfCards,
  libraryOfHandbooks,
  libraryOfManuals
} from '../test/knowledge/search/answers/library.ts'
import { MANUALS, MANUALS_STRANGE, MANUALS_UNANSWERED } from '../test/knowledge/search/answers/manuals.ts'
import { NONSENSE } from '../test/knowledge/search/answers/nonsense.ts'
import { askedBy, FITTED_WRITERS, type Group } from '../test/knowledge/search/answers/others.ts'
import { type Labelled, TUNING } from '../test/knowledge/search/answers/questions.ts'

/** A question with the features of each statement that may answer it. */
interface Sample {
  rows: readonly (readonly number[])[]
  /** True where the fact stands in it. */
  isFact: readonly boolean[]
}

/** Strength of the pull to 0, of features of one spread. */
const SHRINK = 0.02
const STEPS = 400
const RATE = 0.05

type Sampled = readonly (readonly [question: string, fact: string | null])[]

/** Groups by name, without their held halves. */
const GROUPS: Readonly<Record<string, { books: () => FiledBook[]; questions: Sampled }>> = {
  articles: { books: libraryOfArticles, questions: labelled('articles', TUNING, NONSENSE) },
  leaflets: {
    books: libraryOfCards,
    questions: labelled('cards', CARDS.open, [...CARDS_STRANGE, ...CARDS_UNANSWERED.open])
  },
  manuals: {
    books: libraryOfManuals,
    questions: labelled('manuals', MANUALS.open, [...MANUALS_STRANGE, ...MANUALS_UNANSWERED.open])
  },
  handbooks: {
    books: libraryOfHandbooks,
    questions: labelled('handbooks', HANDBOOKS.open, [...HANDBOOKS_STRANGE, ...HANDBOOKS_UNANSWERED.open])
  }
}

/** The questions that were written with the rules in mind, and those of other writers. */
function labelled(group: Group, answered: readonly Labelled[], unanswered: readonly string[]): Sampled {
  const others = askedBy(FITTED_WRITERS, group)
  return [
    ...[...answered, ...others.questions].map(([question, , fact]) => [question, fact] as const),
    ...[...unanswered, ...others.near, ...others.nonsense].map((one) => [one, null] as const)
  ]
}

async function samplesOf(group: string, names: Set<string>): Promise<Sample[]> {
  const found = GROUPS[group]
  if (found === undefined) throw new Error(`no group ${group}: ${Object.keys(GROUPS).join(', ')}`)
  const { knowledge, index, close } = await fileLibrary(found.books())
  const { lexical, vectors } = index
  const clock = new VirtualClock(0)
  const searcher = await Searcher.open({ knowledge, lexical, vectors, embedder: () => hashEmbedder, clock })
  const excerpts = await Excerpts.open(lexical)
  const samples: Sample[] = []
  for (const [question, fact] of found.questions) {
    const wanted = excerpts.wanted(question)
    if (wanted === null) continue
    const read = excerpts.statements(wanted, await searcher.passages({ question, limit: 5 }))
    const features = featuresOf(wanted, read)
    const kept = read.flatMap((one, at) => (mayStand(wanted, one) ? [at] : []))
    for (const name of Object.keys(features[0] ?? {})) names.add(name)
    samples.push({
      rows: kept.map((at) => Object.values(features[at] ?? {})),
      isFact: kept.map((at) => fact !== null && new RegExp(fact, 'i').test(read[at]?.text ?? ''))
    })
  }
  excerpts.close()
  searcher.close()
  close()
  return samples
}

/** Weights with which each question's facts are more likely than its other statements and than no answer (Adam, all samples at each step). */
function fitted(samples: readonly Sample[], width: number): number[] {
  const rows = samples.flatMap((one) => one.rows)
  const columns = Array.from({ length: width }, (_, at) => rows.map((row) => row[at] ?? 0))
  const mean = columns.map((column, at) => (at === 0 ? 0 : column.reduce((sum, one) => sum + one, 0) / rows.length))
  const spread = columns.map((column, at) =>
    at === 0 ? 1 : Math.sqrt(column.reduce((sum, one) => sum + (one - (mean[at] ?? 0)) ** 2, 0) / rows.length) + 1e-6
  )
  const scaled = samples.map(({ rows: own, isFact }) => ({
    isFact,
    rows: own.map((row) => row.map((one, at) => (one - (mean[at] ?? 0)) / (spread[at] ?? 1)))
  }))
  const weights = new Array<number>(width).fill(0)
  const [first, second] = [new Array<number>(width).fill(0), new Array<number>(width).fill(0)]
  for (let step = 1; step <= STEPS; step++) {
    const slope = slopeOf(scaled, weights)
    for (let at = 0; at < width; at++) {
      const down = (slope[at] ?? 0) + (at === 0 ? 0 : SHRINK * (weights[at] ?? 0))
      first[at] = 0.9 * (first[at] ?? 0) + 0.1 * down
      second[at] = 0.99 * (second[at] ?? 0) + 0.01 * down * down
      const [one, two] = [(first[at] ?? 0) / (1 - 0.9 ** step), (second[at] ?? 0) / (1 - 0.99 ** step)]
      weights[at] = (weights[at] ?? 0) - (RATE * one) / (Math.sqrt(two) + 1e-8)
    }
  }
  const plain = weights.map((weight, at) => weight / (spread[at] ?? 1))
  const shift = plain.reduce((sum, weight, at) => sum + weight * (mean[at] ?? 0), 0)
  return plain.map((weight, at) => (at === 0 ? weight - shift : weight))
}

function slopeOf(samples: readonly Sample[], weights: readonly number[]): number[] {
  const slope = new Array<number>(weights.length).fill(0)
  for (const { rows, isFact } of samples) {
    const odds = rows.map((row) => Math.exp(row.reduce((sum, one, at) => sum + one * (weights[at] ?? 0), 0)))
    const all = 1 + odds.reduce((sum, one) => sum + one, 0)
    const ofFacts = odds.reduce((sum, one, at) => sum + (isFact[at] === true ? one : 0), 0)
    for (const [at, row] of rows.entries()) {
      const odd = odds[at] ?? 0
      const more = odd / all - (isFact[at] === true ? odd / ofFacts : 0)
      for (const [which, one] of row.entries()) slope[which] = (slope[which] ?? 0) + (more * one) / samples.length
    }
  }
  return slope
}

if (process.argv.includes('--help')) {
  console.log(
    'node --import=tsx scripts/fit-answers.ts [--without GROUP]\nPrints the weights of likelihood.ts, fitted on the open halves.'
  )
  process.exit(0)
}
const without = process.argv.includes('--without') ? process.argv.at(-1) : null
const names = new Set<string>()
const samples: Sample[] = []
for (const group of Object.keys(GROUPS)) if (group !== without) samples.push(...(await samplesOf(group, names)))
const weights = fitted(samples, names.size)
for (const [at, name] of [...names].entries()) console.log(`  ${name}: ${(weights[at] ?? 0).toFixed(2)},`)
