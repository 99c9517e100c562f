import { type Concept, presenceOf } from './concepts.ts'
import type { TextTable } from './text-table.ts'

/** A passage that may answer a question. */
export interface Candidate {
  itemId: number
  documentId: number
  /** The title of the document and the heading of the passage. */
  head: string
  text: string
  /** 0…1: its place in a list that knows more than words. */
  prior: number
}

export interface RankedPassage extends Candidate {
  /**
   * 0…1: the share of the question's weight that stands in the passage, its heading or the title of its document; another word for
   * the thing counts four fifths.
   */
  score: number
  /** The greater, the earlier. */
  rank: number
}

/** How soon more of the same word tells nothing more. */
const SATURATION = 1.2
const [HEAD, NEAR, FULL] = [0.7, 0.5, 1]
/** Words further apart belong to other sentences. */
const NEARNESS = 12

/** Orders passages by the weight of what they have of a question, where it stands, and how near together. */
export function rankPassages<Given extends Candidate>(
  table: TextTable,
  concepts: readonly Concept[],
  candidates: readonly Given[]
): (Given & RankedPassage)[] {
  table.load(candidates.map(({ head, text }) => ({ head, body: text })))
  const having = concepts.map((concept) => presenceOf(table, concept, candidates.length))
  const total = concepts.reduce((sum, { weight }) => sum + weight, 0) || 1
  const ranked = candidates.map((candidate, at) => {
    let held = 0
    let worth = 0
    for (const [which, { weight }] of concepts.entries()) {
      const { value, at: places, head } = having[which]?.[at] ?? { value: 0, at: [], head: 0 }
      held += weight * Math.max(value, head)
      const often = places.length / (places.length + SATURATION)
      worth += weight * (value * often * (1 + SATURATION) + head * HEAD)
    }
    const near = nearness(
      concepts.map(({ weight }, which) => ({ weight, at: having[which]?.[at]?.at ?? [] })),
      total
    )
    const score = Math.min(1, held / total)
    return { ...candidate, score, rank: worth / total + FULL * score + NEAR * near + candidate.prior }
  })
  return ranked
    .map((passage, before) => ({ passage, before }))
    .sort((one, other) => other.passage.rank - one.passage.rank || one.before - other.before)
    .map(({ passage }) => passage)
}

/** 0…1: the share of the weight that stands within a few words of one another. */
function nearness(concepts: readonly { weight: number; at: readonly number[] }[], total: number): number {
  let best = 0
  for (const { at } of concepts)
    for (const from of at) {
      let weight = 0
      let count = 0
      for (const other of concepts)
        if (other.at.some((place) => place >= from && place <= from + NEARNESS)) {
          weight += other.weight
          count++
        }
      if (count > 1) best = Math.max(best, weight)
    }
  return best / total
}
