import * as v from 'valibot'
import { looseObject } from '../../platform/config/object.ts'
import { COMPLEXITIES, DOMAINS, KNOWLEDGE_TYPES, type NewItem } from '../catalogue/document.ts'
import { clip, complexity, knowledgeType } from './items.ts'
import { repairJson } from './json-repair.ts'
import type { PageRange } from './windows.ts'

/** One answer holds this many items at most; what comes after them is some loop of the model. */
const MAX_ITEMS = 200
const MAX_CONTENT = 8000

/** Words, however the model has listed them. */
const list = (most: number, length: number) =>
  v.pipe(
    v.optional(v.union([v.array(v.unknown()), v.string(), v.null_()]), []),
    v.transform((given) => (typeof given === 'string' ? given.split(/[,;\n]/) : (given ?? []))),
    v.transform((given) => [
      ...new Set(
        given
          .filter((entry) => typeof entry === 'string')
          .map((entry) => clip(entry, length))
          .filter((entry) => entry !== '')
      )
    ]),
    v.transform((given) => given.slice(0, most))
  )
const words = (length: number) =>
  v.pipe(
    v.fallback(v.string(), ''),
    v.transform((given) => clip(given, length))
  )
const page = v.fallback(
  v.nullable(
    v.pipe(
      v.union([v.number(), v.pipe(v.string(), v.regex(/^\s*\d{1,6}\s*$/), v.transform(Number))]),
      v.integer(),
      v.minValue(0)
    )
  ),
  null
)

/** The shape of one item of an answer; content decides, the rest has something to fall back to. */
const answeredItem = looseObject({
  title: words(150),
  summary: words(600),
  content: v.pipe(
    v.string(),
    v.transform((given) => given.trim().slice(0, MAX_CONTENT)),
    v.minLength(20)
  ),
  page,
  last_page: page,
  domain: v.fallback(v.nullable(v.picklist(DOMAINS)), null),
  subdomain: list(10, 60),
  keywords: list(30, 60),
  knowledge_type: v.fallback(v.nullable(v.picklist(KNOWLEDGE_TYPES)), null),
  complexity: v.fallback(v.nullable(v.picklist(COMPLEXITIES)), null),
  key_facts: list(12, 300)
})

/**
 * The items of an answer, mended where it is broken. What the model got wrong falls back: a domain that is none to the
 * classifier, a type or a complexity to the rules of the extractive items, a page outside of the window to its first.
 * Null: there is no list in the answer, or nothing in it is an item.
 */
export function itemsOfAnswer(
  answer: string,
  range: PageRange,
  domainOf: (passage: { title: string; text: string }) => string
): NewItem[] | null {
  const entries = entriesOf(repairJson(answer))
  if (entries === null) return null
  const found = entries.slice(0, MAX_ITEMS).flatMap((entry) => {
    const checked = v.safeParse(answeredItem, entry)
    return checked.success ? [checked.output] : []
  })
  if (found.length === 0 && entries.length > 0) return null
  return found.map((entry, ordinal) => {
    const title = entry.title === '' ? clip(entry.content, 80) : entry.title
    const [firstPage, lastPage] = pagesWithin(entry.page, entry.last_page, range)
    return {
      window: range.number,
      ordinal,
      origin: 'llm',
      firstPage,
      lastPage,
      title,
      summary: entry.summary === '' ? clip(entry.content, 280) : entry.summary,
      content: entry.content,
      details: {
        domain: entry.domain ?? domainOf({ title, text: entry.content }),
        subdomain: entry.subdomain,
        keywords: entry.keywords.map((word) => word.toLowerCase()),
        knowledge_type: entry.knowledge_type ?? knowledgeType(entry.content),
        complexity: entry.complexity ?? complexity(entry.content),
        key_facts: entry.key_facts
      }
    }
  })
}

/** The list itself, the first list within an object, or a single item. */
function entriesOf(value: unknown): unknown[] | null {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null) return null
  if ('content' in value) return [value]
  return Object.values(value).find(Array.isArray) ?? null
}

function pagesWithin(first: number | null, last: number | null, range: PageRange): [number, number] {
  const inside = (number: number | null): number | null =>
    number !== null && number >= range.firstPage && number <= range.lastPage ? number : null
  const firstPage = inside(first) ?? range.firstPage
  const lastPage = inside(last) ?? (inside(first) === null ? range.lastPage : firstPage)
  return [firstPage, Math.max(firstPage, lastPage)]
}
