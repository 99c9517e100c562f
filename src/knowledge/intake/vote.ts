import type { Metadata, Provenance } from '../catalogue/document.ts'
import { comparable, oneFact } from './title-text.ts'

/** The voters, most trusted first. `file date` is when a file was made: a year only, and often that of the scan. */
export const VOTERS = ['language model', 'document', 'sidecar', 'first page', 'filename', 'file date'] as const
/** A file says when it was made, not the work in it: it may agree with another voter, and decides nothing alone. */
const WITNESS = 'file date'
export type Voter = (typeof VOTERS)[number]

export type Votes = Partial<Record<Voter, Partial<Metadata>>>

const FIELDS = ['title', 'author', 'edition', 'year'] as const

/**
 * Facts of a document and who said them. Per field, two or more who agree (case, accents and punctuation aside) win, in the
 * spelling of the most trusted of them: `agreed(document, filename)`. Of several such groups the largest counts, then the
 * most trusted. Else the most trusted voter decides, the date of the file aside. Nobody: empty, no provenance.
 */
export function vote(votes: Votes): { metadata: Metadata; provenance: Provenance } {
  const metadata: Metadata = { title: '', author: '', edition: '', year: '' }
  const chosen: Provenance['chosen'] = {}
  for (const field of FIELDS) {
    const result = voteOn(field, votes)
    if (result === null) continue
    metadata[field] = result.value
    chosen[field] = result.by
  }
  return { metadata, provenance: { chosen, said: said(votes) } }
}

function voteOn(field: keyof Metadata, votes: Votes): { value: string; by: string } | null {
  const groups = new Map<string, { value: string; voters: Voter[] }>()
  for (const voter of VOTERS) {
    const value = oneFact(votes[voter]?.[field] ?? '')
    const key = comparable(field, value)
    if (key === '') continue
    const group = groups.get(key) ?? { value, voters: [] }
    group.voters.push(voter)
    groups.set(key, group)
  }
  // A stable sort: groups stand in the order of their most trusted voter.
  const [best] = [...groups.values()]
    .filter(({ voters }) => !voters.every((voter) => voter === WITNESS))
    .sort((a, b) => b.voters.length - a.voters.length)
  if (best === undefined) return null
  return {
    value: best.value,
    by: best.voters.length > 1 ? `agreed(${best.voters.join(', ')})` : (best.voters[0] ?? '')
  }
}

/** The words of all voters, as far as they said something. */
function said(votes: Votes): Provenance['said'] {
  const all: Provenance['said'] = {}
  for (const voter of VOTERS) {
    const spoken = Object.entries(votes[voter] ?? {}).filter(([, value]) => value !== '')
    if (spoken.length > 0) all[voter] = Object.fromEntries(spoken)
  }
  return all
}
