import { because, type Reason } from '../../../model/reason.ts'

const SHOWN = 40
const SAMPLE_BYTES = 8
/** As many as the frame parser keeps. */
const KEPT_BYTES = 256

/** A question a MeshCore companion answers with one of its own frames, and a Meshtastic node ignores: DEVICE_QUERY. */
export const MESHCORE_QUESTION = Uint8Array.of(0x3c, 0x02, 0x00, 0x16, 0x03)

/** A guess at a device that does not speak Meshtastic, from the bytes it sent. */
export function describeStranger(bytes: Uint8Array): Reason {
  if (bytes.length === 0) return because('mt_sends_nothing')
  const text = new TextDecoder('latin1').decode(bytes)
  const sentence = /\$(?:G[PNLAB]|BD)[A-Z]{3},/.exec(text)
  if (sentence !== null) return because('mt_sees_gps', { sentence: sentence[0].slice(0, 6) })
  if (hasMeshCoreFrame(bytes)) return because('mt_sees_meshcore')
  // The kept end of a longer talk begins somewhere in a line.
  const whole = bytes.length < KEPT_BYTES ? text : text.slice(text.indexOf('\n') + 1)
  const readable = whole.replace(/[^\x20-\x7e]+/g, ' ').trim()
  if (readable.length > whole.length * 0.7) return because('mt_sees_text', { text: readable.slice(0, SHOWN) })
  const sample = [...bytes.subarray(0, SAMPLE_BYTES)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
  return because('mt_sees_bytes', { sample })
}

/** `>`, length (little-endian, at most 255 here), and a frame of that length up to the next `>` or the end. */
export function hasMeshCoreFrame(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x3e); at !== -1; at = bytes.indexOf(0x3e, at + 1)) {
    const length = bytes[at + 1] ?? 0
    const end = at + 3 + length
    if (length > 0 && bytes[at + 2] === 0 && (end === bytes.length || bytes[end] === 0x3e)) return true
  }
  return false
}
