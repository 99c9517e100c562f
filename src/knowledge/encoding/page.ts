import { decodeAs, encodingNamed } from './encodings.ts'
import { encodingOf } from './find.ts'
import type { Guess } from './guess.ts'
import { markOf } from './utf.ts'

const IN_HEADER = /charset\s*=\s*["']?\s*([\w:.-]{2,40})/i
const IN_META = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]{2,40})/i
const IN_XML = /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w:.-]{2,40})["']/i
/** The bytes in which a declaration must stand (HTML, §4.2.5.4), with some room for those who put it later. Bytes. */
const HEAD = 4096

/** Its bytes are all ASCII, so that it looks like UTF-8. */
const SHIFTED = 'iso-2022-jp'

/**
 * The text of a web page, in the order of the Encoding standard: by its byte order mark, by what the header says, as UTF-8 where it is
 * that, by its own declaration, else as the detector says. What cannot be decoded becomes U+FFFD.
 */
export async function decodePage(body: Uint8Array, mime: string, guess: Guess): Promise<string> {
  const said = declared(IN_HEADER.exec(mime)?.[1])
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(HEAD, body.byteLength)).toString('latin1')
  const own = declared(IN_META.exec(head)?.[1] ?? IN_XML.exec(head)?.[1])
  const named = said ?? (own === SHIFTED ? own : null)
  const encoding = markOf(body) ?? named ?? (await encodingOf([body], async (sample) => own ?? guess(sample)))
  return decodeAs(body, encoding)
}

/** Null for a label nobody knows; for UTF-8, which is looked at anyway; and for UTF-16: what can be read as ASCII is not in it. */
function declared(label: string | undefined): string | null {
  const encoding = label === undefined ? null : encodingNamed(label)
  return encoding === null || encoding.startsWith('utf-') ? null : encoding
}
