import { createHash } from 'node:crypto'
import type { LabelledDocument } from './documents.ts'
import type { Named } from './name-file.ts'

export const FIELDS = ['title', 'author', 'year', 'domain'] as const
export type Field = (typeof FIELDS)[number]
export type Half = 'open' | 'held'

/** Half of the documents are never looked at while rules are made; which ones, nobody chose. */
export function halfOf([packageName, path]: LabelledDocument): Half {
  const digest = createHash('sha256').update(`${packageName}/${path}`).digest()
  return (digest[0] ?? 0) % 2 === 0 ? 'open' : 'held'
}

/** The fields that are not what somebody who looked at the document says, with both answers. */
export function wrongFields(
  [, , title, author, year, domains]: LabelledDocument,
  found: Named
): { field: Field; found: string; label: string }[] {
  const right: Record<Field, boolean> = {
    title: oneOf(title, found.title, titleWords),
    author: oneOf(author, found.author, nameWords),
    year: oneOf(year, found.year, (text) => text.trim()),
    domain: domains.some((domain) => domain === found.domain)
  }
  const label: Record<Field, string> = { title, author, year, domain: domains.join(' | ') }
  return FIELDS.filter((field) => !right[field]).map((field) => ({ field, found: found[field], label: label[field] }))
}

function oneOf(label: string, found: string, same: (text: string) => string): boolean {
  return label.split('|').some((answer) => same(answer) === same(found))
}

/** The words of a title: case, accents and punctuation aside. */
function titleWords(text: string): string {
  return plain(text).trim()
}

/** The words of the names, in whatever order: `Lewis, Patrice` and `Patrice Lewis` are one. */
function nameWords(text: string): string {
  return plain(text)
    .split(' ')
    .filter((word) => word !== '' && word !== 'and' && word !== 'the')
    .sort()
    .join(' ')
}

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/['’]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
}
