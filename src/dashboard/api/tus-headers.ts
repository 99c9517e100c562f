import type { IncomingHttpHeaders } from 'node:http'
import type { UploadFacts } from '../../knowledge/intake/receive.ts'
import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'

/** The headers of a resumable upload (https://tus.io/protocols/resumable-upload). */

type Headers = Readonly<IncomingHttpHeaders>

/** Bytes. @throws AppError `bad-input`, also for a length that is to come later. */
export function uploadLength(headers: Headers): number {
  if (headers['upload-defer-length'] !== undefined) throw new AppError('bad-input', because('say_upload_length'))
  return wholeHeader(headers, 'upload-length')
}

/** @throws AppError `bad-input`. */
export function uploadOffset(headers: Headers): number {
  return wholeHeader(headers, 'upload-offset')
}

function wholeHeader(headers: Headers, name: 'upload-length' | 'upload-offset'): number {
  const value = String(headers[name] ?? '')
  if (!/^\d{1,15}$/.test(value)) throw new AppError('bad-input', because('header_is_bytes', { name }))
  return Number(value)
}

/** `Upload-Metadata`: pairs of a key and a value in Base64, between commas. `title`: in place of the one in it. */
export function factsOfUpload(headers: Headers, title?: string): UploadFacts {
  const pairs = String(headers['upload-metadata'] ?? '')
    .split(',')
    .map((pair) => pair.trim().split(/ +/))
  const facts = new Map(pairs.map(([key = '', value = '']) => [key, Buffer.from(value, 'base64').toString('utf8')]))
  const sha256 = (facts.get('sha256') ?? '').toLowerCase()
  return {
    ...(isHash(sha256) ? { sha256 } : {}),
    filename: facts.get('filename') ?? facts.get('name') ?? '',
    category: facts.get('category') ?? '',
    title: title ?? facts.get('title') ?? ''
  }
}

/** True for a SHA-256 in hexadecimal. */
export const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)
