import type { Catalogue } from '../catalogue/catalogue.ts'

/**
 * Has the model try the windows again that it failed at, and only those; the document goes through `enrich` and `embed`
 * once more and stays searchable meanwhile. False: there is none, or it is being worked on.
 */
export function redoWindows(catalogue: Catalogue, documentId: number): boolean {
  return catalogue.transaction(() => {
    const doc = catalogue.byId(documentId)
    const isSettled = doc?.status === 'complete' || doc?.status === 'enriched'
    if (!isSettled || !catalogue.windows(documentId).some(({ state }) => state === 'failed')) return false
    catalogue.again(documentId, 'enrich')
    return true
  })
}
