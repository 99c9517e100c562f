import { readersTurn } from '../../platform/clock/slices.ts'
import { decode, type Encoding, encode, encodingFor } from './encoding.ts'

interface Finished {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

type Done = (error: Error | null, bytes: Buffer) => void

/**
 * A finished answer as the bytes that go over the wire. What one client has read compressed is kept so alone: a page of 60 KiB takes
 * 6, and the few who can read no compression cost the work of undoing it.
 */
export class Packed {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Of the body as it is. Bytes. */
  readonly length: number
  #plain: Buffer | null
  readonly #encoded = new Map<Encoding, Buffer>()
  readonly #waiting = new Map<Encoding, Done[]>()

  constructor({ status, headers, body }: Finished) {
    this.status = status
    this.headers = headers
    this.#plain = Buffer.from(body)
    this.length = this.#plain.length
  }

  /** All that it holds. */
  get bytes(): number {
    let bytes = this.#plain?.length ?? 0
    for (const encoded of this.#encoded.values()) bytes += encoded.length
    return bytes
  }

  plain(): Buffer {
    if (this.#plain !== null) return this.#plain
    for (const [encoding, encoded] of this.#encoded) return decode(encoded, encoding)
    throw new Error('an answer without its bytes')
  }

  /** Calls back with the body in this encoding: at once where it is small or was made before. Many who wait for it wait for one. */
  encoded(encoding: Encoding, done: Done): void {
    const known = this.#encoded.get(encoding)
    if (known !== undefined) {
      done(null, known)
      return
    }
    const others = this.#waiting.get(encoding)
    if (others !== undefined) {
      others.push(done)
      return
    }
    const waiting = [done]
    this.#waiting.set(encoding, waiting)
    encode(this.plain(), encoding, (error, made) => {
      this.#waiting.delete(encoding)
      const encoded = error === null ? alone(made) : made
      if (error === null) {
        this.#encoded.set(encoding, encoded)
        this.#plain = null
      }
      for (const one of waiting) one(error, encoded)
    })
  }

  /** Compresses it as the one before it was wanted, so that whoever is given it waits for nothing; a turn for each encoding. */
  async encodeLike(before: Packed): Promise<void> {
    for (const wanted of before.#encoded.keys()) {
      const encoding = encodingFor(wanted, this.headers['Content-Type'], this.length)
      if (encoding === null) continue
      await readersTurn()
      // One that fails is sent as it is; whoever is given it tries again.
      await new Promise<void>((resolve) => this.encoded(encoding, () => resolve()))
    }
  }
}

/** zlib gives a part of a block of 16 KiB, which would be kept with it. */
function alone(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}
