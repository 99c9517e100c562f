import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { decodeAs, decoderOf } from './encodings.ts'
import { encodingOf } from './find.ts'
import type { Guess } from './guess.ts'
import { guessInChild } from './guess-child.ts'

const PIECE_BYTES = 256 * 1024

export interface TextFileOptions {
  /** Asked for a text that is neither UTF-8 nor UTF-16; by default a process of its own. */
  guess?: Guess
  signal?: AbortSignal
}

/** The encoding of all of a file. Reads it once, as far as is needed to be sure. */
export async function encodingOfFile(
  path: string,
  { guess = guessInChild, signal }: TextFileOptions = {}
): Promise<string> {
  return encodingOf(bytesOf(path, signal), guess)
}

/** The text of a file, a piece of at most 256 Ki characters at a time. */
export async function* textOfFile(path: string, options: TextFileOptions = {}): AsyncGenerator<string> {
  const decoder = decoderOf(await encodingOfFile(path, options))
  for await (const bytes of bytesOf(path, options.signal)) yield decoder.decode(bytes)
  yield decoder.end()
}

/** The text of the first `length` bytes; the whole file tells its encoding. */
export async function textAtStart(path: string, length: number, options: TextFileOptions = {}): Promise<string> {
  const encoding = await encodingOfFile(path, options)
  const handle = await open(path)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0)
    const text = decodeAs(buffer.subarray(0, bytesRead), encoding)
    return bytesRead === length ? text.replace(/\ufffd$/, '') : text
  } finally {
    await handle.close()
  }
}

async function* bytesOf(path: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const stream = createReadStream(path, { highWaterMark: PIECE_BYTES, ...(signal === undefined ? {} : { signal }) })
  for await (const chunk of stream as AsyncIterable<Buffer>) yield chunk
}
