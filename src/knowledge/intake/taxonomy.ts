import { because } from '../../model/reason.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { DOMAINS, type Document, type Domain, TAXONOMY, UNSORTED } from '../catalogue/document.ts'
import type { Shelver } from './shelve.ts'

/** The difference of a version of the domains from the one before: old name → new name; null: somebody must decide. */
export type TaxonomyStep = Readonly<Record<string, Domain | null>>

/** Steps by the version they lead to. Version 1 is the first. A change of DOMAINS raises TAXONOMY and adds its step here. */
export const TAXONOMY_STEPS: Readonly<Record<number, TaxonomyStep>> = {}

/**
 * Brings documents that were filed under an older list of domains to the present one (L10): their rows and files, one at a
 * time; safe to repeat. A domain that no longer exists is `Unsorted` with a review. Answers how many were brought forward.
 */
export async function migrateTaxonomy(
  { db, catalogue, shelver }: { db: Database; catalogue: Catalogue; shelver: Shelver },
  { version, steps }: { version: number; steps: Readonly<Record<number, TaxonomyStep>> } = {
    version: TAXONOMY,
    steps: TAXONOMY_STEPS
  }
): Promise<number> {
  const rows = db.sql('SELECT id FROM documents WHERE taxonomy < ? ORDER BY id').all(version)
  for (const row of rows) {
    const found = catalogue.byId(Number(row['id']))
    if (found === null) continue
    const domain = present(found, version, steps)
    if (domain === null) unsort(catalogue, found)
    else if (domain !== found.domain && domain !== UNSORTED) await shelver.decideDomain(found.id, domain)
    catalogue.update(found.id, { taxonomy: version })
  }
  return rows.length
}

/** The present name of the domain; null when there is none that follows. */
function present(
  { domain, taxonomy }: Document,
  version: number,
  steps: Readonly<Record<number, TaxonomyStep>>
): Domain | typeof UNSORTED | null {
  let name: string | null = domain
  for (let step = taxonomy + 1; step <= version && name !== null; step++) {
    const renamed: TaxonomyStep = steps[step] ?? {}
    const follows: Domain | null | undefined = renamed[name]
    name = follows === undefined ? name : follows
  }
  if (name === UNSORTED) return UNSORTED
  return DOMAINS.find((known) => known === name) ?? null
}

function unsort(catalogue: Catalogue, { id, domain, review }: Document): void {
  const asked = { reason: because('domain_no_longer', { domain }), candidates: [], duplicate_of: null }
  catalogue.update(id, { domain: UNSORTED, review: review ?? asked })
}
