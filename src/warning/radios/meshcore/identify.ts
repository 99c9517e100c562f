import { because, type Reason } from '../../../model/reason.ts'

/** The look of another device on the port, from the bytes it sent instead of MeshCore frames. */

const SAMPLE_BYTES = 8

/** A question a Meshtastic radio answers with one of its own frames, and a MeshCore one ignores: an empty heartbeat. */
export const MESHTASTIC_HEARTBEAT = Uint8Array.of(0x94, 0xc3, 0x00, 0x02, 0x3a, 0x00)

/** Says what `seen` looks like; `seen` is what came in that belonged to no MeshCore frame. */
export function describeStranger(seen: Uint8Array): Reason {
  if (seen.length === 0) return because('mc_nothing')
  if (hasMeshtasticHeader(seen)) {
    return because('mc_sees_meshtastic')
  }
  if (isGps(seen)) return because('mc_sees_gps')
  if (isEcho(seen)) return because('mc_sees_echo')
  if (isText(seen)) {
    return because('mc_sees_text')
  }
  const sample = [...seen.subarray(0, SAMPLE_BYTES)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
  return because('mc_sees_bytes', { sample })
}

/** True when a radio that is still starting would show the same: nothing yet, or a boot log. */
export function mayBeStarting(seen: Uint8Array): boolean {
  return seen.length === 0 || (isText(seen) && !isKnownDevice(seen))
}

/** Bytes that no radio sends while it starts. */
function isKnownDevice(seen: Uint8Array): boolean {
  return hasMeshtasticHeader(seen) || isGps(seen) || isEcho(seen)
}

function isGps(seen: Uint8Array): boolean {
  return /\$(?:G[A-Z]|BD)[A-Z]{3},/.test(Buffer.from(seen).toString('latin1'))
}

function isEcho(seen: Uint8Array): boolean {
  return indexOfPair(seen, 0x3c, 0x02) === 0
}

/** 94 C3 and a length of at most 512 bytes. */
export function hasMeshtasticHeader(bytes: Uint8Array): boolean {
  return bytes.some((byte, at) => byte === 0x94 && bytes[at + 1] === 0xc3 && (bytes[at + 2] ?? 0xff) <= 2)
}

function indexOfPair(bytes: Uint8Array, first: number, second: number): number {
  return bytes.findIndex((byte, at) => byte === first && bytes[at + 1] === second)
}

/** At least nine of ten bytes are printable ASCII, tab, line feed or carriage return. */
function isText(bytes: Uint8Array): boolean {
  const printable = bytes.filter((byte) => (byte >= 0x20 && byte < 0x7f) || byte === 9 || byte === 10 || byte === 13)
  return printable.length >= bytes.length * 0.9
}
