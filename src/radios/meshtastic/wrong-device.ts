const SHOWN = 40

/** What a device that does not speak Meshtastic seems to be, from the bytes it sent; for people. */
export function describeStranger(bytes: Uint8Array): string {
  if (bytes.length === 0)
    return 'it sends nothing; is it a Meshtastic radio, and its serial or network API switched on?'
  const text = new TextDecoder('latin1').decode(bytes)
  const sentence = /\$(?:G[PNLAB]|BD)[A-Z]{3},/.exec(text)
  if (sentence !== null) return `it sends GPS sentences (${sentence[0].slice(0, 6)}): this is a GPS receiver`
  if (hasMeshCoreFrame(bytes)) return 'it sends MeshCore frames: set this radio\'s network to "mc", or correct the path'
  const readable = text.replace(/[^\x20-\x7e]+/g, ' ').trim()
  if (readable.length > bytes.length * 0.7)
    return `it sends text ("${readable.slice(0, SHOWN)}") and no Meshtastic frame`
  return `it sends bytes that are no Meshtastic frame (${bytes.length} or more); is the path right, and the speed 115200 baud?`
}

/** `>`, length (little-endian, at most 255 here), and a frame of that length up to the next `>` or the end. */
function hasMeshCoreFrame(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0x3e); at !== -1; at = bytes.indexOf(0x3e, at + 1)) {
    const length = bytes[at + 1] ?? 0
    const end = at + 3 + length
    if (length > 0 && bytes[at + 2] === 0 && (end === bytes.length || bytes[end] === 0x3e)) return true
  }
  return false
}
