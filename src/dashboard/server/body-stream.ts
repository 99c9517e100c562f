import type { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import type { Part } from '../../knowledge/intake/parts.ts'
import { because } from '../../model/reason.ts'
import { AppError } from '../../platform/errors.ts'

/** Length of the body, as announced; 0 = it is not. */
export const announcedLength = ({ headers }: IncomingMessage): number => Number(headers['content-length'] ?? 0)

/**
 * The body as it comes. Reading less than all of it leaves the connection open for the answer. A client that breaks off:
 * the stream `fails`, or just `ends` with what has come.
 */
export function bodyStream(req: IncomingMessage, res: ServerResponse, cutOff: 'fails' | 'ends'): Readable {
  if (req.headers.expect !== undefined) res.writeContinue()
  const content = new PassThrough()
  req.on('error', () => undefined)
  const closed = (): void => {
    // Bytes that had come and nobody had read go with the connection, even when it was all.
    if (req.readableEnded) return
    if (cutOff === 'ends') content.end()
    else content.destroy(new Error('the client broke off'))
  }
  // A sender may be gone before anybody begins to read.
  if (req.closed) closed()
  else req.once('close', closed)
  req.pipe(content)
  return content
}

/** A form with a file. */
export interface UploadForm {
  /** Null when there was none. */
  part: Part | null
  filename: string
  fields: Readonly<Record<string, string>>
}

type Store = (content: Readable, filename: string) => Promise<Part>

const LIMITS = { files: 1, fields: 20, parts: 25, fieldNameSize: 100, fieldSize: 8 * 1024, headerPairs: 50 }

/**
 * Reads a form whose field `file` is a file of any size, the other fields in any order around it (RFC 7578). The bytes go
 * to `store` as they come. @throws AppError `unsupported`, `bad-input`, `invalid`, and what `store` throws; `drop` has then
 * been called for what was stored.
 */
export async function readUploadForm(
  req: IncomingMessage,
  res: ServerResponse,
  { store, drop }: { store: Store; drop: (part: Part) => Promise<void> }
): Promise<UploadForm> {
  const parser = await makeParser(req)
  const fields: Record<string, string> = {}
  let filename = ''
  let storing: Promise<Part> | null = null
  const read = new Promise<void>((resolve, reject) => {
    const broken = (cause: unknown): void => reject(new AppError('bad-input', because('form_is_broken'), { cause }))
    parser.on('file', (name, content, info) => {
      if (name !== 'file') {
        // A form that breaks off within it is told by its file too, and an error that nobody hears ends the program.
        content.on('error', broken).resume()
        return
      }
      filename = info.filename ?? ''
      storing = store(content, filename)
      storing.catch(reject)
    })
    parser.on('field', (name, value) => {
      if (!Object.hasOwn(fields, name)) fields[name] = value
    })
    parser.on('filesLimit', () => reject(new AppError('invalid', because('one_file_at_a_time'))))
    parser.on('error', broken)
    parser.on('close', resolve)
    // Behind an end mark that came too early the parser waits for an end that cannot come: until the client has left.
    res.once('close', () => parser.destroy(new Error('the client has left')))
    bodyStream(req, res, 'fails')
      .on('error', (cause) => parser.destroy(cause))
      .pipe(parser)
  })
  try {
    await read
    return { part: storing === null ? null : await storing, filename, fields }
  } catch (error) {
    parser.destroy()
    await dropLate(storing, drop)
    throw error
  }
}

/** Drops what was stored before the form turned out to be broken. */
async function dropLate(storing: Promise<Part> | null, drop: (part: Part) => Promise<void>): Promise<void> {
  const part = await storing?.catch(() => null)
  if (part != null) await drop(part)
}

/** Loaded at the first upload. */
async function makeParser(req: IncomingMessage): Promise<import('busboy').Busboy> {
  const { default: busboy } = await import('busboy')
  try {
    return busboy({ headers: req.headers, limits: LIMITS, defParamCharset: 'utf8' })
  } catch (cause) {
    throw new AppError('unsupported', because('send_form_with_boundary'), {
      cause
    })
  }
}
