import { jsonOr } from '../../../platform/bytes/json-or.ts'
import { isObject } from '../../../platform/config/json.ts'
import { peopleIn } from '../person-names.ts'
import { type Element, elementsOf, type Head } from './html-tree.ts'

/** The facts of a web page about itself; empty where it says nothing. */
export interface PageFacts {
  title: string
  author: string
  /** `2024-05-31`, or empty. */
  date: string
  description: string
  /** Name of the site. */
  site: string
}

const MOST_AUTHORS = 12
const ARTICLE = /Article|Posting|Report|WebPage|HowTo|Recipe|Book|Guide/i

/** Facts from the head of a page: Open Graph, Dublin Core and plain names, JSON-LD, else what stands on the page. */
export function factsOf(head: Head, root: Element): PageFacts {
  const data = head.linkedData
    .flatMap(linkedObjects)
    .find((entry) => typesOf(entry['@type']).some((type) => ARTICLE.test(type)))
  const meta = (...names: string[]): string => {
    for (const name of names) {
      const found = head.meta.get(name)
      if (found !== undefined && !/^https?:/i.test(found)) return found
    }
    return ''
  }
  const site = meta('og:site_name', 'application-name', 'citation_journal_title') || nameOf(data?.['publisher'])
  const heading =
    [...elementsOf(root)]
      .filter(({ tag }) => tag === 'h1')
      .map(wordsOf)
      .find((text) => text !== '') ?? ''
  const title = meta('og:title', 'citation_title', 'dc.title', 'twitter:title') || stringOf(data?.['headline'])
  return {
    title: oneLine(withoutSite(title || heading || head.title, site), 300),
    author: oneLine(authorOf(meta, data, root), 200),
    date: dateOf([
      meta(
        'article:published_time',
        'citation_publication_date',
        'dc.date',
        'dc.date.issued',
        'dcterms.created',
        'date',
        'pubdate',
        'publishdate',
        'datepublished',
        'article:modified_time'
      ),
      stringOf(data?.['datePublished']),
      timeOf(root)
    ]),
    description: oneLine(meta('og:description', 'description', 'dc.description', 'twitter:description'), 600),
    site: oneLine(site, 120)
  }
}

/** One type or several; anything else is none, and is not to be written as a text: it may refuse that. */
function typesOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')
}

function authorOf(
  meta: (...names: string[]) => string,
  data: Record<string, unknown> | undefined,
  root: Element
): string {
  const told =
    meta('author', 'citation_author', 'dc.creator', 'article:author', 'parsely-author') || nameOf(data?.['author'])
  if (told !== '') return told
  const marked = [...elementsOf(root)].find(
    ({ attributes }) => /\bauthor\b/i.test(attributes['rel'] ?? '') || /^author$/i.test(attributes['itemprop'] ?? '')
  )
  return marked === undefined ? namesByClass(root) : wordsOf(marked).replace(/^by\s+/i, '')
}

/** Names in elements of the class `author`, as writing systems for manuals make them. */
function namesByClass(root: Element): string {
  const names = new Set<string>()
  for (const element of elementsOf(root)) {
    if (!/(?:^|\s)(?:author|byline)(?:\s|$)/i.test(element.attributes['class'] ?? '')) continue
    for (const name of peopleIn(wordsOf(element).slice(0, 300))?.names ?? []) names.add(name)
    if (names.size >= MOST_AUTHORS) break
  }
  return [...names].join(', ')
}

function timeOf(root: Element): string {
  const time = [...elementsOf(root)].find(
    ({ tag, attributes }) => tag === 'time' && (attributes['datetime'] ?? '') !== ''
  )
  return time?.attributes['datetime'] ?? ''
}

function dateOf(told: readonly string[]): string {
  for (const text of told) {
    const [, year, month, day] = /(?<!\d)((?:19|20)\d\d)[-/](\d\d?)[-/](\d\d?)(?!\d)/.exec(text) ?? []
    if (year === undefined || month === undefined || day === undefined) continue
    if (Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31)
      return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  }
  return ''
}

/** `Boiling water | Example Site` → `Boiling water`. */
function withoutSite(told: string, site: string): string {
  // A run of blanks costs its square where a mark is looked for behind it.
  const title = told.replace(/\s+/g, ' ').replace(/\s?[¶§#]\s*$/, '')
  const parts = title.split(/\s+[|–—·»-]\s+/)
  const last = parts.at(-1) ?? ''
  const isSite = site !== '' && last.toLowerCase() === site.toLowerCase()
  return parts.length > 1 && isSite ? title.slice(0, title.length - last.length).replace(/\s+[|–—·»-]\s+$/, '') : title
}

/** Objects of a JSON-LD script, those of its graph included. A broken script tells nothing. */
function linkedObjects(script: string): Record<string, unknown>[] {
  const value = jsonOr([], script)
  const list = Array.isArray(value) ? value : [value]
  return list.flatMap((entry: unknown) => {
    if (!isObject(entry)) return []
    const graph = entry['@graph']
    return [entry, ...(Array.isArray(graph) ? graph.filter(isObject) : [])]
  })
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** A name, an object with a name, or several of them. */
function nameOf(value: unknown): string {
  if (Array.isArray(value))
    return value
      .map(nameOf)
      .filter((name) => name !== '')
      .join(', ')
  return isObject(value) ? stringOf(value['name']) : stringOf(value)
}

/** The words of an element in the order in which they stand; how deep it may be is bounded by the tree. */
function wordsOf({ children }: Element): string {
  const text = children.map((child) => (typeof child === 'string' ? child : ` ${wordsOf(child)} `)).join('')
  return text.replace(/\s+/g, ' ').trim()
}

function oneLine(text: string, most: number): string {
  return [...text.replace(/[\s\u200b\p{Cc}]+/gu, ' ').trim()].slice(0, most).join('')
}
