import type { Catalogue } from '../catalogue/catalogue.ts'
import { type Page, UNSORTED } from '../catalogue/document.ts'
import { classify } from './classify.ts'
import type { Shelver } from './shelve.ts'

/** Pages a domain is told by, once all of them are read. */
export const SECOND_LOOK_PAGES = 20

/**
 * Classifies an `Unsorted` document once more when its pages are read: a scan has no text before OCR. What it finds is stored
 * and the file moved; a domain somebody chose, or one that was clear, stays.
 */
export function secondLook({
  catalogue,
  shelver
}: {
  catalogue: Catalogue
  shelver: Shelver
}): (documentId: number, pages: readonly Page[]) => Promise<void> {
  return async (documentId, pages) => {
    const found = catalogue.byId(documentId)
    if (found === null || found.domain !== UNSORTED) return
    const text = pages
      .slice(0, SECOND_LOOK_PAGES)
      .map((page) => page.text)
      .join('\n')
    const { domain, candidates, reason } = classify({ title: found.title, text, category: found.category })
    if (domain !== UNSORTED) await shelver.decideDomain(documentId, domain)
    else if (reason !== null && found.review?.duplicate_of == null)
      catalogue.update(documentId, { review: { reason, candidates, duplicate_of: null } })
  }
}
