import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { because } from '../../model/reason.ts'
import { asFetchError, codeOf, FetchError } from './fetch-error.ts'
import { lazyHttps } from './lazy-https.ts'

const CONNECT_MS = 10_000

/** A kept connection that the server had closed meanwhile: nothing was asked yet, so it may be asked again over a new one. */
export class StaleConnection extends Error {}

/**
 * Sends one request and resolves with the head of the answer. The body is read by the caller. `connectMs` bounds the
 * connection alone, TLS included; default 10 s. @throws StaleConnection; FetchError for everything else.
 */
export function openResponse(
  url: URL,
  options: RequestOptions,
  { connectMs = CONNECT_MS, body }: { connectMs?: number | undefined; body?: Buffer | undefined } = {}
): Promise<IncomingMessage> {
  const https = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const req = https ? lazyHttps().request(url, options) : httpRequest(url, options)
    const late = new FetchError('unreachable', because('no_connection', { host: url.host, seconds: connectMs / 1000 }))
    const timer = setTimeout(() => req.destroy(late), connectMs)
    const connected = (): void => clearTimeout(timer)
    req.once('socket', (socket) => {
      if (!socket.connecting) connected()
      else socket.once(https ? 'secureConnect' : 'connect', connected)
    })
    req.once('response', (response) => {
      connected()
      // Errors of the body are told where it is read; one that comes later has nobody to hear it.
      response.on('error', () => undefined)
      resolve(response)
    })
    req.on('error', (error) => {
      connected()
      const stale = req.reusedSocket && /ECONNRESET|EPIPE/.test(codeOf(error))
      reject(stale ? new StaleConnection() : asFetchError(url.host, error))
    })
    req.end(body)
  })
}
