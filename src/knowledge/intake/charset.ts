import { TextDecoder } from 'node:util'
import { decodeWindows1252 } from '../../platform/bytes/windows-1252.ts'

const DECLARED = /charset\s*=\s*["']?\s*([\w:.-]{2,40})/i
const META = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]{2,40})/i
const XML = /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]{2,40})["']/i
/** The bytes in which a declaration must stand (HTML, §4.2.5.4), with some room for those who put it later. Bytes. */
const HEAD = 4096

/**
 * The text of a web page: by its byte order mark, the header, its own declaration, else as UTF-8, or, where it is none, as
 * Windows-1252, in the order of the Encoding standard. What cannot be decoded becomes U+FFFD.
 */
export function decodePage(body: Uint8Array, contentType: string): string {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(HEAD, body.byteLength)).toString('latin1')
  const declared = DECLARED.exec(contentType)?.[1] ?? META.exec(head)?.[1] ?? XML.exec(head)?.[1]
  const decoder = byMark(body) ?? (declared === undefined ? null : decoderFor(declared)) ?? utf8Of(body)
  return decoder === null || decoder.encoding === 'windows-1252' ? decodeWindows1252(body) : decoder.decode(body)
}

function byMark(body: Uint8Array): TextDecoder | null {
  const [first, second, third] = body
  if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder('utf-8')
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be')
  return first === 0xff && second === 0xfe ? new TextDecoder('utf-16le') : null
}

/** Null for a label nobody knows, and for UTF-16: a declaration that could be read as ASCII is not in it. */
function decoderFor(label: string): TextDecoder | null {
  try {
    const decoder = new TextDecoder(label)
    return /^utf-16/.test(decoder.encoding) ? null : decoder
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function utf8Of(body: Uint8Array): TextDecoder | null {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(body)
    return new TextDecoder('utf-8')
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}
