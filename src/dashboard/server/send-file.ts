import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { errorCode } from '../../platform/files/atomic-file.ts'
import type { Takeover } from './reply.ts'

/** A file to be answered with. */
export interface ServedFile {
  path: string
  size: number
  /** Strong: of size and time of change. A file that is replaced has another one. */
  tag: string
}

/** Null when there is no such file. */
export async function servedFile(path: string): Promise<ServedFile | null> {
  try {
    const found = await stat(path)
    if (!found.isFile()) return null
    return { path, size: found.size, tag: `"${found.size.toString(16)}-${Math.trunc(found.mtimeMs).toString(16)}"` }
  } catch (error) {
    if (errorCode(error) === '') throw error
    return null
  }
}

/** The file, or the bytes of it that are asked for (RFC 9110 §14). Streamed, never held as a whole. */
export function sendFile(
  file: ServedFile,
  headers: IncomingHttpHeaders,
  own: Readonly<Record<string, string>> = {}
): Takeover {
  const span = rangeOf(headers.range, String(headers['if-range'] ?? file.tag), file)
  return {
    takeOver: (req, res) => {
      for (const [name, value] of Object.entries({ 'Content-Type': 'application/octet-stream', ...own }))
        res.setHeader(name, value)
      answer(req, res, file, span)
    }
  }
}

type Span = { from: number; to: number } | 'all' | 'none'

/** Only one range is served; several, or one that makes no sense, are answered with everything, as the standard allows. */
function rangeOf(range: string | undefined, ifRange: string, { size, tag }: ServedFile): Span {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? []
  if ((first === '' && last === '') || ifRange !== tag) return 'all'
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(size - 1, Number(last))
  if (first !== '' && last !== '' && Number(last) < from) return 'all'
  return from >= size || from > to ? 'none' : { from, to }
}

function answer(req: IncomingMessage, res: ServerResponse, { path, size, tag }: ServedFile, span: Span): void {
  res.setHeader('Accept-Ranges', 'bytes')
  res.setHeader('ETag', tag)
  res.setHeader('Cache-Control', 'no-cache')
  if (span === 'none') {
    res.writeHead(416, { 'Content-Range': `bytes */${size}`, 'Content-Length': 0 })
    res.end()
    return
  }
  if (span === 'all' && isKnown(req, tag)) {
    res.writeHead(304)
    res.end()
    return
  }
  const { from, to } = span === 'all' ? { from: 0, to: size - 1 } : span
  const length = to - from + 1
  if (span === 'all') res.writeHead(200, { 'Content-Length': size })
  else res.writeHead(206, { 'Content-Length': length, 'Content-Range': `bytes ${from}-${to}/${size}` })
  if (req.method === 'HEAD' || length <= 0) {
    res.end()
    return
  }
  const stream = createReadStream(path, { start: from, end: to })
  // The head is written: all that can be told is that it broke off.
  stream.on('error', () => res.destroy())
  res.on('close', () => stream.destroy())
  stream.pipe(res)
}

function isKnown({ headers }: IncomingMessage, tag: string): boolean {
  return (headers['if-none-match'] ?? '').split(',').some((known) => known.trim().replace(/^W\//, '') === tag)
}
