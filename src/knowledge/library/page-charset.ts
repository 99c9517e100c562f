import { TextDecoder } from 'node:util'
import { decodeWindows1252 } from '../../platform/bytes/windows-1252.ts'
import { decodeText } from '../enrich/text-pages.ts'
import { parseMime } from './mime.ts'

const META = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]{2,40})/i
const HEAD = 4096

/** The text of a page in an archive: by the charset of its media type, as UTF-8 when it is that, else by its own declaration. */
export function decodeArticle(bytes: Buffer, mime: string): string {
  const declared = decoderFor(parseMime(mime).charset)
  if (declared !== null) return decode(bytes, declared)
  const own = isUtf8(bytes) ? null : decoderFor(META.exec(bytes.toString('latin1', 0, HEAD))?.[1] ?? null)
  return own === null ? decodeText(bytes) : decode(bytes, own)
}

function decode(bytes: Buffer, decoder: TextDecoder): string {
  return decoder.encoding === 'windows-1252' ? decodeWindows1252(bytes) : decoder.decode(bytes)
}

/** Null for UTF-8, which is looked at first anyway, and for a name nobody knows. */
function decoderFor(label: string | null): TextDecoder | null {
  if (label === null) return null
  try {
    const decoder = new TextDecoder(label)
    return decoder.encoding === 'utf-8' ? null : decoder
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}
