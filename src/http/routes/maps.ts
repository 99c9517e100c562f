import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { errorCode } from '../../lib/atomic-file.ts'
import { AppError } from '../../lib/errors.ts'
import { notFound } from '../problem.ts'
import { json, type Takeover } from '../reply.ts'
import type { Handler } from '../route.ts'
import type { Services } from './services.ts'

/** No folder, no hidden file, nothing that could be anything but a file name. */
const MAP_FILE = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,120}\.pmtiles$/u

interface MapFile {
  path: string
  size: number
  /** Strong: of size and time of change. A file that is replaced has another one. */
  tag: string
}

/** `GET /api/maps`: base maps in the data folder `maps/`, by name. */
export function listMaps({ context }: Services): Handler<unknown, undefined> {
  return async () => {
    const names = (await namesIn(context.mapsFolder)).filter((name) => MAP_FILE.test(name)).sort()
    const maps = await Promise.all(
      names.map(async (file) => ({ file, size: (await find(context.mapsFolder, file))?.size ?? null }))
    )
    const usable = maps.filter(({ size }) => size !== null)
    return json({ maps: usable.map(({ file, size }) => ({ file, size, url: `/maps/${encodeURIComponent(file)}` })) })
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw new AppError('unavailable', `the folder maps cannot be read (${errorCode(error)})`, { cause: error })
  }
}

async function find(folder: string, file: string): Promise<MapFile | null> {
  if (!MAP_FILE.test(file)) return null
  const path = join(folder, file)
  try {
    const found = await stat(path)
    if (!found.isFile()) return null
    return { path, size: found.size, tag: `"${found.size.toString(16)}-${Math.trunc(found.mtimeMs).toString(16)}"` }
  } catch (error) {
    if (errorCode(error) === '') throw error
    return null
  }
}

/** `GET /maps/:file`: a base map, or the bytes of it that are asked for (RFC 9110 §14). Streamed, never held as a whole. */
export function readMap({ context }: Services): Handler<unknown, undefined> {
  return async ({ params, headers }): Promise<Takeover> => {
    const found = await find(context.mapsFolder, params['file'] ?? '')
    if (found === null) throw notFound()
    const range = rangeOf(headers.range, String(headers['if-range'] ?? found.tag), found)
    return { takeOver: (req, res) => answer(req, res, found, range) }
  }
}

type Span = { from: number; to: number } | 'all' | 'none'

/** Only one range is served; several, or one that makes no sense, are answered with everything, as the standard allows. */
function rangeOf(range: string | undefined, ifRange: string, { size, tag }: MapFile): Span {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? []
  if ((first === '' && last === '') || ifRange !== tag) return 'all'
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const to = first === '' || last === '' ? size - 1 : Math.min(size - 1, Number(last))
  if (first !== '' && last !== '' && Number(last) < from) return 'all'
  return from >= size || from > to ? 'none' : { from, to }
}

function answer(req: IncomingMessage, res: ServerResponse, { path, size, tag }: MapFile, span: Span): void {
  res.setHeader('Accept-Ranges', 'bytes')
  res.setHeader('ETag', tag)
  res.setHeader('Cache-Control', 'no-cache')
  res.setHeader('Content-Type', 'application/octet-stream')
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
