import type { RankedPassage } from './rank.ts'

/** A passage with its place in its document. */
export interface PlacedCandidate extends RankedPassage {
  window: number
  ordinal: number
  page: number
  /** The heading it begins under; empty where its own text begins with it. */
  heading: string
}

/** One passage or several neighbours, read as one; `first` names it. */
interface JoinedPassage {
  /** The best of them. */
  best: PlacedCandidate
  first: PlacedCandidate
  text: string
}

const PER_DOCUMENT = 3
/** A language model reads no more of one. */
const MAX_JOINED = 1600
/** A neighbour with less of the question than this share belongs to something else. */
const LIKE = 0.6
/** Another document's passage with less of it than this does not keep out a fourth one of the same book. */
const WORTH = 0.5

/**
 * The best passages, best first: at most three of one document as long as others have something to say, neighbours joined.
 * `ranked`: best first.
 */
export function chosenPassages(ranked: readonly PlacedCandidate[], most: number): JoinedPassage[] {
  const least = (ranked[0]?.rank ?? 0) * WORTH
  const groups: PlacedCandidate[][] = []
  const left: PlacedCandidate[] = []
  for (const candidate of ranked) {
    if (joined(groups, candidate)) continue
    const ofDocument = groups.filter(([one]) => one?.documentId === candidate.documentId).length
    if (ofDocument >= PER_DOCUMENT || candidate.rank < least || groups.length >= most) left.push(candidate)
    else groups.push([candidate])
  }
  for (const candidate of left) {
    if (groups.length >= most) break
    if (!joined(groups, candidate)) groups.push([candidate])
  }
  return groups.flatMap((group) => {
    const [best] = group
    const inOrder = group.toSorted((one, other) => one.ordinal - other.ordinal)
    const [first = best] = inOrder
    if (best === undefined || first === undefined) return []
    return [{ best, first, text: inOrder.map(({ text }) => text).join('\n\n') }]
  })
}

/** Puts it to its neighbour's group, if there is one and it fits. */
function joined(groups: PlacedCandidate[][], candidate: PlacedCandidate): boolean {
  const group = groups.find(
    (members) =>
      (members[0]?.rank ?? 0) * LIKE <= candidate.rank &&
      members.reduce((sum, { text }) => sum + text.length + 2, candidate.text.length) <= MAX_JOINED &&
      members.some((member) => areNeighbours(member, candidate))
  )
  group?.push(candidate)
  return group !== undefined
}

function areNeighbours(one: PlacedCandidate, other: PlacedCandidate): boolean {
  return (
    one.documentId === other.documentId && one.window === other.window && Math.abs(one.ordinal - other.ordinal) === 1
  )
}
