import type { IncomingMessage, ServerResponse } from 'node:http'
import { because, type Reason } from '../../model/reason.ts'
import { MAX_DEPTH, readJson } from '../../platform/config/locate.ts'
import { AppError } from '../../platform/errors.ts'

/** Contract §1: matrix, settings and events fit into this. Bytes. */
export const MAX_BODY_BYTES = 1024 * 1024

/** A form of a page holds a few short fields. */
const MAX_FORM_BYTES = 16 * 1024
const MAX_FORM_FIELDS = 50

const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;|$)/i
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json[ \t]*(?:;|$)/i
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*"?([\w-]+)/i
/** Longer broken texts are refused without the exact place: finding it would cost more memory than the text is worth. */
const MAX_LOCATED = 64 * 1024

/**
 * Reading a list or a name costs up to a microsecond, so a body of 1 MiB may cost 200 ms: what anybody may send holds at most as many
 * as the largest map and matrix that a page lets a guest try. Marks outside of strings.
 */
const MOST_OF_GUESTS = { lists: 30_000, names: 15_000, values: 100_000 }

/**
 * The JSON value of a request, or undefined when it has no body (the schema then says what is missing).
 * Throws AppError: `unsupported` for another type, charset or encoding, `too-large` above 1 MiB, or with more
 * values than a guest may send; `bad-input` for broken JSON.
 */
export async function readJsonBody(
  req: IncomingMessage,
  res: ServerResponse,
  { isGuest }: { isGuest: boolean } = { isGuest: false }
): Promise<unknown> {
  if (!hasBody(req)) return undefined
  checkType(req, JSON_TYPE, 'JSON in UTF-8, with the header Content-Type: application/json')
  const bytes = await collect(req, res, MAX_BODY_BYTES)
  return bytes.length === 0 ? undefined : parse(decode(bytes), isGuest)
}

/**
 * The fields of a form as a browser sends it without a script; of a field sent twice the first counts. Throws AppError:
 * `unsupported` for another type, `too-large` above 16 KiB, `bad-input` for more than 50 fields.
 */
export async function readFormBody(req: IncomingMessage, res: ServerResponse): Promise<Record<string, string>> {
  if (!hasBody(req)) return {}
  checkType(req, FORM_TYPE, 'a form, with the header Content-Type: application/x-www-form-urlencoded')
  const entries = [...new URLSearchParams(decode(await collect(req, res, MAX_FORM_BYTES)))]
  if (entries.length > MAX_FORM_FIELDS) throw new AppError('bad-input', because('form_many_fields'))
  return Object.fromEntries(entries.reverse())
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function checkType({ headers }: IncomingMessage, wanted: RegExp, name: string): void {
  const type = headers['content-type'] ?? ''
  const charset = CHARSET.exec(type)?.[1]?.toLowerCase() ?? 'utf-8'
  if (!wanted.test(type) || (charset !== 'utf-8' && charset !== 'utf8'))
    throw new AppError('unsupported', because('send_as', { type: name }))
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity') throw new AppError('unsupported', because('body_not_compressed'))
}

function tooLarge(most: number): AppError {
  const limit = most === MAX_BODY_BYTES ? '1 MiB (1048576 bytes)' : `${most} bytes`
  return new AppError('too-large', because('body_has_more_than', { limit }))
}

/** Not `for await`: leaving such a loop early destroys the connection before the refusal is written. */
function collect(req: IncomingMessage, res: ServerResponse, most: number): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > most) throw tooLarge(most)
  if (req.headers.expect !== undefined) res.writeContinue()
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    req.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > most) {
        // The rest is read and thrown away, so that the client gets to see the answer; limitBody bounds it.
        chunks.length = 0
        reject(tooLarge(most))
      } else chunks.push(chunk)
    })
    req.on('end', () => resolve(Buffer.concat(chunks)))
    req.on('error', (cause) => reject(new AppError('bad-input', because('body_was_cut_off'), { cause })))
    const closed = (): void => reject(new AppError('bad-input', because('body_was_cut_off')))
    // A sender may be gone before anybody begins to read.
    if (req.closed) closed()
    else req.on('close', closed)
  })
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new AppError('bad-input', because('body_is_not_utf8'), { cause })
  }
}

function parse(text: string, isGuest: boolean): unknown {
  const { deepest, lists, names, values } = shapeOf(text)
  if (deepest > MAX_DEPTH) throw new AppError('bad-input', because('json_levels_deep', { most: MAX_DEPTH }))
  const most = MOST_OF_GUESTS
  if (isGuest && (lists > most.lists || names > most.names || values > most.values))
    throw new AppError('too-large', because('json_many_values'))
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError('bad-input', faultIn(text), { cause })
  }
}

function faultIn(text: string): Reason {
  const read = text.length > MAX_LOCATED ? null : readJson(text)
  if (read === null || read.ok) return because('body_is_not_json')
  const { line, column } = read.place
  return because('body_is_not_json_at', { line: String(line), column: String(column), said: read.message })
}

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]
const BACKSLASH = 0x5c

/** Counts marks outside of strings, in one pass: nothing that walks the value later may run out of stack, or of time. */
function shapeOf(text: string): { deepest: number; lists: number; names: number; values: number } {
  let [depth, deepest, lists, names, values] = [0, 0, 0, 0, 0]
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) at = endOfString(text, at)
    else if (char === COMMA) values++
    else if (char === COLON) names++
    else if (char === LIST || char === OBJECT) {
      lists++
      deepest = Math.max(deepest, ++depth)
    } else if (char === LIST_END || char === OBJECT_END) depth--
  }
  return { deepest, lists, names, values }
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}
