import { TextDecoder } from 'node:util'
import { decodeWindows1252 } from '../../platform/bytes/windows-1252.ts'

/** The encoding of a text of which nothing else is known: what Windows wrote in Western countries, of which Latin-1 is a part. */
export const WESTERN = 'windows-1252'

/** Turns the bytes of a text into characters piece by piece; a character may be cut between two pieces. */
export interface StreamDecoder {
  decode(bytes: Uint8Array): string
  /** Answers what is left: of a character that was cut off, U+FFFD. */
  end(): string
}

/** `encoding`: a label of the Encoding standard. @throws RangeError for one nobody knows. */
export function decoderOf(encoding: string): StreamDecoder {
  const decoder = new TextDecoder(encoding)
  // Every byte of it is a character, so that no piece needs the one before; and Node 20 and 22 read it as Latin-1.
  if (decoder.encoding === WESTERN) return { decode: decodeWindows1252, end: () => '' }
  return { decode: (bytes) => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() }
}

export function decodeAs(bytes: Uint8Array, encoding: string): string {
  const decoder = decoderOf(encoding)
  return decoder.decode(bytes) + decoder.end()
}

/** The standard's own name for a label that somebody wrote; null for one nobody knows. */
export function encodingNamed(label: string): string | null {
  try {
    return new TextDecoder(label).encoding
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
