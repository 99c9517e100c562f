import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { accepts, GZIP_LEVEL_LARGE, isCompressible } from './encoding.ts'
import { addVary, type Takeover } from './reply.ts'

/**
 * A JSON document of megabytes, already written, in pieces of some ten kilobytes: as one text and one body it would hold the thread of
 * the radios (contract §6). A client that leaves ends it.
 */
export function jsonPieces(pieces: readonly Buffer[]): Takeover {
  const type = 'application/json; charset=utf-8'
  const length = pieces.reduce((sum, { length: bytes }) => sum + bytes, 0)
  return {
    takeOver: (req, res) => {
      res.setHeader('Cache-Control', 'no-store')
      res.setHeader('Content-Type', type)
      const isWorthIt = isCompressible(type, length)
      if (isWorthIt) addVary(res)
      const isEncoded = isWorthIt && accepts(req.headers['accept-encoding'], 'gzip')
      if (isEncoded) res.setHeader('Content-Encoding', 'gzip')
      else res.setHeader('Content-Length', length)
      res.writeHead(200)
      if (req.method === 'HEAD') {
        res.end()
        return
      }
      const body = Readable.from(pieces)
      // Whoever was cut off sees so by the length, or by the end of the encoding that is missing.
      const ended = (error: NodeJS.ErrnoException | null | undefined): void => {
        if (error) res.destroy()
      }
      if (isEncoded) pipeline(body, createGzip({ level: GZIP_LEVEL_LARGE }), res, ended)
      else pipeline(body, res, ended)
    }
  }
}
