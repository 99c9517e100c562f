import { createHash } from 'node:crypto'

/** Our words to a MeshCore node: frame payloads by the companion protocol, integers little-endian. */

/** The protocol we speak: from 3 on the node sends texts in the frames that carry the signal-to-noise ratio. */
const PROTOCOL = 3
const CHANNEL_TEXT = 0x03
const DIRECT_TEXT = 0x02
const PLAIN = 0
/** The number of bytes of a contact's key that address it. */
const KEY_PREFIX_BYTES = 6

export const deviceQuery = (): Uint8Array => bytes(0x16, PROTOCOL)
/** Version, six reserved bytes, our name: below 8 bytes the node answers error 1. */
export const appStart = (): Uint8Array => concat(bytes(0x01, PROTOCOL, 0, 0, 0, 0, 0, 0), utf8('Lookout'))
export const getTime = (): Uint8Array => bytes(0x05)
export const setTime = (epochSeconds: number): Uint8Array => concat(bytes(0x06), u32(epochSeconds))
export const getChannel = (index: number): Uint8Array => bytes(0x1f, index)
export const getContacts = (): Uint8Array => bytes(0x04)
export const nextText = (): Uint8Array => bytes(0x0a)
/** An advert that repeaters pass on, so that the mesh knows our key. */
export const floodAdvert = (): Uint8Array => bytes(0x07, 1)
/** Floods of this node stay within a region until it is set anew or the node restarts; protocol 8 and newer. */
export const setFloodScope = (key: Uint8Array): Uint8Array => concat(bytes(0x36, 0), key)
export const getBattery = (): Uint8Array => bytes(0x14)
export const getCoreStats = (): Uint8Array => bytes(0x38, 0)
export const getRadioStats = (): Uint8Array => bytes(0x38, 1)
export const resetPath = (key: Uint8Array): Uint8Array => concat(bytes(0x0d), key)

export interface ChannelText {
  slot: number
  /** Epoch seconds. */
  timestamp: number
  text: string
}

export function channelText({ slot, timestamp, text }: ChannelText): Uint8Array {
  return concat(bytes(CHANNEL_TEXT, PLAIN, slot), u32(timestamp), utf8(text))
}

export interface DirectText {
  /** 0 at first, then 1 to 3: another attempt is another packet with the same timestamp. */
  attempt: number
  timestamp: number
  key: Uint8Array
  text: string
}

export function directText({ attempt, timestamp, key, text }: DirectText): Uint8Array {
  const prefix = key.subarray(0, KEY_PREFIX_BYTES)
  return concat(bytes(DIRECT_TEXT, PLAIN, attempt), u32(timestamp), prefix, utf8(text))
}

/** The key of a region, as repeaters derive it: the first half of the SHA-256 of `#name`. */
export function floodScopeKey(name: string): Uint8Array {
  const hash = createHash('sha256').update(name.startsWith('#') ? name : `#${name}`)
  return new Uint8Array(hash.digest().subarray(0, 16))
}

function bytes(...values: number[]): Uint8Array {
  return Uint8Array.from(values)
}

function u32(value: number): Uint8Array {
  const out = new Uint8Array(4)
  new DataView(out.buffer).setUint32(0, value, true)
  return out
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function concat(...parts: Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts))
}
