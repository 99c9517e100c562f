import type { Document } from '../catalogue/document.ts'
import { timedAddress } from '../enrich/timed-address.ts'
import type { Citation } from './service.ts'

/** The passage a citation leads to. */
export interface Place {
  page: number
  /** Of a transcript: where its page begins. */
  startSeconds: number | null
}

/** The address of an article in the wiki server; null when it is not known there. Contract §9. */
export type WikiLink = (document: Document) => string | null

type Cited = Pick<Document, 'hash' | 'kind' | 'title' | 'filename' | 'url' | 'category' | 'pageCount'>

/**
 * Names a passage and opens it: of a file the page in this dashboard, of a web page and of a transcript the place it came
 * from, of an article the wiki server. What has no such address is opened in this dashboard.
 */
export function citationOf(document: Document, place: Place, wikiLink: WikiLink): Citation {
  return { text: citationText(document, place), url: addressOf(document, place, wikiLink) }
}

/** A path of this dashboard: the page of the document on which the passage begins. */
export function pagePath({ hash }: Pick<Document, 'hash'>, page: number): string {
  return `/documents/${hash}?page=${page}#p`
}

function addressOf(document: Document, { page, startSeconds }: Place, wikiLink: WikiLink): string {
  const own = pagePath(document, page)
  const { kind, url } = document
  if (kind === 'wiki') return wikiLink(document) ?? own
  if ((kind !== 'web' && kind !== 'transcript') || url === null || !/^https?:\/\//i.test(url)) return own
  if (kind === 'web' || startSeconds === null) return url
  return timedAddress(url, startSeconds)
}

function citationText(document: Cited, { page, startSeconds }: Place): string {
  const title = document.title.trim() || document.filename
  switch (document.kind) {
    case 'web':
      return `${title} (${hostOf(document.url) || 'web page'})`
    case 'wiki':
      return document.category === '' ? title : `${title} (${document.category})`
    case 'transcript':
      return startSeconds === null ? title : `${title}, ${timeText(startSeconds)}`
    default:
      return document.pageCount === 1 ? title : `${title}, p. ${page}`
  }
}

function hostOf(url: string | null): string {
  return url !== null && URL.canParse(url) ? new URL(url).hostname : ''
}

/** `3:07`, `1:02:09`. */
function timeText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const two = (value: number): string => String(value).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}
