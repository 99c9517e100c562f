import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { because, type Reason } from '../../../model/reason.ts'
import type { GetAnswer } from '../../../platform/net/fetch.ts'
import { FetchError } from '../../../platform/net/fetch-error.ts'
import { cleanAddress } from './address.ts'
import type { Entry, Frontier } from './frontier.ts'
import type { MirrorEnd, MirrorOptions } from './options.ts'
import type { PoliteFetch } from './polite.ts'
import type { Robots } from './robots.ts'

const FOLDER = 'documents'
const HEAD_BYTES = 1024
const TRIES = 3

interface Parts {
  options: Pick<MirrorOptions, 'folder' | 'maxDocuments' | 'maxDocumentBytes'>
  frontier: Frontier
  fetch: PoliteFetch
  robots: Robots
}

/** The linked PDFs and EPUBs of a crawl, each a file of its folder: what was fetched is there after a crash too. */
export class Documents {
  readonly #parts: Parts
  #count: number

  constructor(parts: Parts) {
    this.#parts = parts
    this.#count = [...parts.frontier.documents()].length
  }

  /** Until none is left, or a limit is reached. `isLate`: the time of the crawl is up. Answers the limit. */
  async fetchAll(isLate: () => boolean): Promise<MirrorEnd['documentLimit']> {
    const { frontier } = this.#parts
    for (;;) {
      const entry = isLate() ? null : frontier.nextDocument()
      if (entry === null) return null
      const limit = this.#limitWith(1)
      if (limit !== null) return limit
      await this.#visit(entry)
    }
  }

  async #visit(entry: Entry): Promise<void> {
    const { frontier, fetch, robots } = this.#parts
    const url = new URL(entry.url)
    if (!(await robots.allows(url))) {
      frontier.gone(entry, because('page_robots_forbid'))
      return
    }
    try {
      const answer = await fetch.get(url, 'document')
      if (answer.status === 200) this.keep(entry, answer)
      else if ((answer.status >= 500 || answer.status === 429) && entry.tries + 1 < TRIES) frontier.putBack(entry)
      else frontier.gone(entry, because('page_answers', { status: answer.status }))
    } catch (error) {
      if (!(error instanceof FetchError)) throw error
      if (error.kind !== 'refused' && error.kind !== 'too-large' && entry.tries + 1 < TRIES) frontier.putBack(entry)
      else frontier.gone(entry, error.reason)
    }
  }

  /** The limit that so many bytes more would break. */
  #limitWith(bytes: number): MirrorEnd['documentLimit'] {
    const { options, frontier } = this.#parts
    if (this.#count >= options.maxDocuments) return 'count'
    return frontier.documentBytes + bytes > options.maxDocumentBytes ? 'bytes' : null
  }

  /** The file is whole on the disk before anything says that it is there. */
  keep(entry: Entry, { body, url }: GetAnswer): void {
    const { options, frontier } = this.#parts
    const ending = endingOf(body)
    if (ending === null) {
      frontier.gone(entry, because('document_is_none'))
      return
    }
    const limit = this.#limitWith(body.length)
    if (limit !== null) {
      frontier.gone(entry, because('documents_limit', { limit: documentLimit(limit, options) }))
      return
    }
    const folder = join(options.folder, FOLDER)
    mkdirSync(folder, { recursive: true })
    const file = freeName(folder, ++this.#count, ending)
    writeFileSync(join(folder, file), body, { flush: true })
    const from = cleanAddress(url, new URL(url))?.href ?? entry.url
    frontier.done(entry, { file: `${FOLDER}/${file}`, mime: '', raw: null, from, bytes: body.length })
  }
}

/** A limit of documents, in words. */
export function documentLimit(
  limit: 'count' | 'bytes',
  { maxDocuments, maxDocumentBytes }: Pick<MirrorOptions, 'maxDocuments' | 'maxDocumentBytes'>
): Reason {
  if (limit === 'count') return because('count_documents', { count: maxDocuments })
  return because('note', { text: `${Math.round(maxDocumentBytes / 1e6)} MB` })
}

function freeName(folder: string, from: number, ending: string): string {
  for (let count = from; ; count++) if (!existsSync(join(folder, `${count}.${ending}`))) return `${count}.${ending}`
}

/** By its content: names and types of the network say anything. */
function endingOf(body: Uint8Array): 'pdf' | 'epub' | null {
  const head = Buffer.from(body.subarray(0, HEAD_BYTES)).toString('latin1')
  if (head.includes('%PDF-')) return 'pdf'
  return head.startsWith('PK\u0003\u0004') && head.includes('mimetypeapplication/epub+zip') ? 'epub' : null
}
