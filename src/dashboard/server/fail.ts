import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../../platform/log/log.ts'
import { languageOf } from '../words/language.ts'
import type { Asker } from './guest.ts'
import { problemOf } from './problem.ts'
import { send, setSecurityHeaders } from './reply.ts'

/** Answers with the problem document. An error that is no AppError is a bug: logged, its text never shown. */
export function fail(
  error: unknown,
  { req, res, log, asker }: { req: IncomingMessage; res: ServerResponse; log: Pick<Log, 'error'>; asker?: Asker }
): void {
  const { problem, headers } = problemOf(error, asker ?? { language: languageOf(req.headers), isGuest: true })
  if (problem.status === 500) log.error({ err: error, method: req.method, url: req.url }, 'a request failed')
  if (res.headersSent) {
    res.destroy()
    return
  }
  setSecurityHeaders(res)
  const type = { 'Content-Type': 'application/problem+json; charset=utf-8' }
  send(req, res, { status: problem.status, headers: { ...headers, ...type }, body: JSON.stringify(problem) })
}
