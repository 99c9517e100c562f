import type { Network } from '../radios/radio.ts'
import type { MessagesConfig } from './settings.ts'

/** Length of `text` in bytes of UTF-8, which is what radios count. A lone surrogate counts as U+FFFD, 3 bytes. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text)
}

// Made at the first text that needs it: loading the segmentation tables costs more than composing a hundred ASCII texts.
let segmenter: Intl.Segmenter | undefined

/** The beginning of the grapheme that this code unit stands in. */
function graphemeAt(text: string, index: number): number {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text).containing(index)?.index ?? text.length
}

/**
 * The longest beginning of `text` of at most `limit` bytes that ends between two graphemes (Unicode UAX #29);
 * empty when not even the first one fits.
 */
export function cutToBytes(text: string, limit: number): string {
  const bytes = byteLength(text)
  if (bytes <= limit) return text
  if (limit <= 0) return ''
  if (bytes === text.length) return cutAscii(text, limit)
  let used = 0
  let end = 0
  for (const character of text) {
    used += byteLength(character)
    if (used > limit) break
    end += character.length
  }
  return text.slice(0, graphemeAt(text, end))
}

function cutAscii(text: string, limit: number): string {
  const end = Math.floor(limit)
  // CR LF is the one grapheme of ASCII with two characters.
  return text.slice(0, text[end - 1] === '\r' && text[end] === '\n' ? end - 1 : end)
}

/**
 * The longest MC channel text, with the name, whose repeats the firmware shows its client: of a longer one nobody can know that it
 * was heard.
 */
export const MC_HEARD_BYTES = 155

/**
 * Bytes one text may have on a network. MT: `mt_bytes`. MC: `mc_bytes`, at most `MC_HEARD_BYTES`, less the node name and `": "`,
 * which the firmware puts before every channel text and counts (its limit is 160, cut silently). Never negative.
 */
export function budgetFor(network: Network, messages: MessagesConfig, nodeName: string): number {
  if (network === 'mt') return messages.mt_bytes
  return Math.max(0, Math.min(messages.mc_bytes, MC_HEARD_BYTES) - byteLength(nodeName) - 2)
}
