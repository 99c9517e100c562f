import { createReadStream } from 'node:fs'
import type { UploadStore } from '../knowledge/catalogue/uploads.ts'
import { DuplicateError, type Receiver } from '../knowledge/intake/receive.ts'
import type { LinkedDocument } from '../knowledge/scrape/findings.ts'
import type { DocumentIntake } from '../knowledge/scrape/scrape-job.ts'
import { AppError, type ErrorCode } from '../platform/errors.ts'

const NAME_LENGTH = 150
/** Refusals that will be the same the next time. */
const FINAL: ReadonlySet<ErrorCode> = new Set(['unsupported', 'invalid', 'too-large'])

interface Parts {
  receiver: Receiver
  uploads: Pick<UploadStore, 'get'>
}

/**
 * Linked PDFs and EPUBs go the way of every upload: its types, its limits, its record. The sidecar holds the address and the
 * job, so that a run after a kill knows its own document again.
 */
export function documentIntake({ receiver, uploads }: Parts): DocumentIntake {
  return {
    take: (document) => takeDocument(document, { receiver, uploads })
  }
}

type Document = Parameters<DocumentIntake['take']>[0]

async function takeDocument(document: Document, parts: Parts): Promise<LinkedDocument> {
  try {
    return await accepted(document, parts)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { address } = document
    if (FINAL.has(error.code)) return { address, state: 'refused', hash: null, reason: error.reason }
    // A file of ours that breaks off while it is read says nothing of the document.
    throw error.code === 'bad-input' ? new AppError('unavailable', error.reason, { cause: error }) : error
  }
}

async function accepted({ address, path, jobId }: Document, { receiver, uploads }: Parts): Promise<LinkedDocument> {
  const filename = nameOf(address, path)
  const part = await receiver.store(createReadStream(path), { filename })
  const known = { address, hash: part.hash, reason: null }
  try {
    const more = { source_url: address, scrape_job: jobId }
    await receiver.accept(part, { filename, source: 'archived_site', more })
    return { ...known, state: 'taken' }
  } catch (error) {
    if (!(error instanceof DuplicateError)) throw error
    const { sidecar = {} } = uploads.get(part.hash) ?? {}
    const isOurs = sidecar['scrape_job'] === jobId && sidecar['source_url'] === address
    return { ...known, state: isOurs ? 'taken' : 'here' }
  } finally {
    await receiver.drop(part)
  }
}

/** The last part of its path, with the ending of what it is. */
function nameOf(address: string, path: string): string {
  const ending = path.slice(path.lastIndexOf('.'))
  const last = new URL(address).pathname.split('/').at(-1) ?? ''
  const plain = decoded(last).replace(/\.(?:pdf|epub)$/i, '')
  return `${plain === '' ? 'document' : plain.slice(0, NAME_LENGTH)}${ending}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
