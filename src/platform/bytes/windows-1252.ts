/**
 * Meanings of the bytes 0x80…0x9f (Encoding standard, index windows-1252); the five that mean nothing stay control
 * characters.
 */
const UPPER = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** Text in Windows-1252. Not by TextDecoder: that of Node 20 and 22 reads it as Latin-1, and loses quotes and dashes. */
export function decodeWindows1252(bytes: Uint8Array): string {
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return latin1.replace(/[\u0080-\u009f]/g, (char) => UPPER[char.charCodeAt(0) - 0x80] ?? char)
}
