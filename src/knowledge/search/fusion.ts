/** One item in a list, best first. */
export interface Ranked {
  itemId: number
  documentId: number
}

export interface Fused extends Ranked {
  score: number
}

/** As published (Cormack, Clarke, Büttcher 2009): how much less the second rank is worth than the first. */
const K = 60

/**
 * Reciprocal rank fusion: an item's score is the sum of `weight / (60 + rank)` over the lists that have it, ranks from 1.
 * Best first, equals by id, so that the same lists always give the same order.
 */
export function fuse(lists: readonly { hits: readonly Ranked[]; weight: number }[]): Fused[] {
  const fused = new Map<number, Fused>()
  for (const { hits, weight } of lists)
    for (const [at, { itemId, documentId }] of hits.entries()) {
      const score = (fused.get(itemId)?.score ?? 0) + weight / (K + at + 1)
      fused.set(itemId, { itemId, documentId, score })
    }
  return [...fused.values()].sort((a, b) => b.score - a.score || a.itemId - b.itemId)
}

/** The items of each document, in their order; the documents in that of their best item. */
export function byDocument(fused: readonly Fused[]): Fused[][] {
  const groups = new Map<number, Fused[]>()
  for (const hit of fused) {
    const group = groups.get(hit.documentId)
    if (group === undefined) groups.set(hit.documentId, [hit])
    else group.push(hit)
  }
  return [...groups.values()]
}

/**
 * The head of a ranked list: `documents` different ones, of each at most `perDocument` items, so that one long book does not
 * push all others out. Reads no further than needed.
 */
export function headOf<Hit extends Ranked>(
  hits: Iterable<Hit>,
  { documents, perDocument }: { documents: number; perDocument: number }
): Hit[] {
  const taken = new Map<number, number>()
  const head: Hit[] = []
  for (const hit of hits) {
    const before = taken.get(hit.documentId) ?? 0
    if (before === 0 && taken.size === documents) break
    if (before >= perDocument) continue
    taken.set(hit.documentId, before + 1)
    head.push(hit)
  }
  return head
}
