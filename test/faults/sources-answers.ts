import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

/** Answers of a provider on a bad day. */

const PAGE = '<!DOCTYPE html><html><head><title>Maintenance</title></head><body>Back soon.</body></html>'
const NOISE = Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 251))
/** 20 MiB of blanks in 20 kB. */
const BOMB = gzipSync(Buffer.alloc(20 * 2 ** 20, 0x20))

/** The ways to break an answer, by fault; the others are worked out by the provider. */
export const BROKEN: Record<string, (res: ServerResponse, document: { body: Buffer }) => void> = {
  'error-500': (res) => void res.writeHead(500).end('oops'),
  'error-502': (res) => void res.writeHead(502, { 'Content-Type': 'text/html' }).end(PAGE),
  forbidden: (res) => void res.writeHead(403).end(PAGE),
  gone: (res) => void res.writeHead(404).end(PAGE),
  reset: (res) => void res.destroy(),
  stalled: (res, { body }) => {
    res.writeHead(200, { 'Content-Length': body.length })
    res.write(body.subarray(0, body.length >> 1))
  },
  'cut-off': (res, { body }) => {
    res.writeHead(200, { 'Content-Length': body.length })
    res.write(body.subarray(0, Math.floor(body.length * 0.7)), () => res.destroy())
  },
  'cut-short': (res, { body }) =>
    void res.writeHead(200, { ETag: '"cut"' }).end(body.subarray(0, Math.floor(body.length * 0.6))),
  page: (res) => void res.writeHead(200, { 'Content-Type': 'text/html', ETag: '"page"' }).end(PAGE),
  empty: (res) => void res.writeHead(200, { ETag: '"empty"' }).end(),
  'error-200': (res) =>
    void res.writeHead(200, { ETag: '"error"' }).end('{"error":{"code":400,"message":"Invalid query"}}'),
  noise: (res) => void res.writeHead(200, { ETag: '"noise"' }).end(NOISE),
  'bad-gzip': (res) => void res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(NOISE),
  bomb: (res) => void res.writeHead(200, { 'Content-Encoding': 'gzip' }).end(BOMB)
}

/** In ten pieces, 5 ms apart. */
export function dribble(res: ServerResponse, body: Buffer, piece = 0): void {
  const size = Math.ceil(body.length / 10)
  if (piece * size >= body.length) res.end()
  else {
    const next = (): void => dribble(res, body, piece + 1)
    res.write(body.subarray(piece * size, (piece + 1) * size), () => setTimeout(next, 5))
  }
}
