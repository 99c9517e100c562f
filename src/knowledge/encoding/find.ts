import { WESTERN } from './encodings.ts'
import type { Guess } from './guess.ts'
import { Sample } from './sample.ts'
import { isMostlyUtf8, Utf8Check, unicodeOf } from './utf.ts'

/**
 * The encoding of a text that is given piece by piece: by its byte order mark or the zeros of UTF-16, as UTF-8 when all of it is that or
 * nearly all, else as the detector says of the lines that are not ASCII, wherever they stand. `pieces` is read as far as is needed.
 */
export async function encodingOf(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  guess: Guess
): Promise<string> {
  const check = new Utf8Check()
  const sample = new Sample()
  let isFirst = true
  let isUtf8 = true
  for await (const piece of pieces) {
    const told = isFirst ? unicodeOf(piece) : null
    if (told !== null) return told
    isFirst = false
    isUtf8 &&= check.add(piece)
    sample.add(piece)
    if (!isUtf8 && sample.isFull) break
  }
  if (isUtf8 && check.end()) return 'utf-8'
  const bytes = sample.bytes()
  if (isMostlyUtf8(bytes)) return 'utf-8'
  return bytes.length === 0 ? WESTERN : guess(bytes)
}
