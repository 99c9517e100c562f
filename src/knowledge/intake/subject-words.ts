import { DOMAINS } from '../catalogue/document.ts'
import { DOMAIN_WORDS } from './domain-words.ts'
import { stem, words } from './stem.ts'

let known: ReadonlySet<string> | null = null

/** The stems of all single words that tell a domain strongly or usually; made at first use. */
export function subjectWords(): ReadonlySet<string> {
  known ??= new Set(
    DOMAINS.flatMap((domain) => {
      const { strong, usual } = DOMAIN_WORDS[domain]
      return `${strong},${usual}`.split(',').flatMap((term) => {
        const list = words(term)
        return list.length === 1 ? list.map(stem) : []
      })
    })
  )
  return known
}
