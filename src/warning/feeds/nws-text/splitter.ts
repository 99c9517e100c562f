import type { Splitter } from '../polling/tcp-stream.ts'

/** The longest products have 60 kB; what is longer has lost its end mark. Bytes. */
const MAX_PRODUCT_BYTES = 200_000

const SOH = '\u0001'
const ETX = '\u0003'
const HEADING = /^[A-Z]{4}\d{2} [A-Z]{4} \d{6}(?: [A-Z]{3})?\r*$/gm
const END = /^NNNN[ \t\r]*\n/m
const CODES = /^[A-Z]{2}[CZ](?:\d{3}|ALL)[->]/m

/**
 * Text products in a stream: framed by SOH and ETX (NOAAPort, EMWIN), or ended by a line NNNN; else each lasts until the
 * heading of the next, or until nothing more has come for a while, when its `$$` marks tell what is complete.
 */
export class ProductSplitter implements Splitter {
  /** One character a byte. */
  #held = ''
  /** The part of what is held that a silence has handed over already. */
  #told = 0

  push(bytes: Uint8Array): Uint8Array[] {
    this.#held += Buffer.from(bytes).toString('latin1')
    const found: string[] = []
    for (let next = this.#takeFirst(); next !== null; next = this.#takeFirst()) found.push(next)
    if (this.#held.length > MAX_PRODUCT_BYTES) this.#held = this.#held.slice(-100)
    return found.filter(hasHeading).map((text) => Buffer.from(text, 'latin1'))
  }

  /**
   * Hands over what came so far, once: if more comes, the whole product is told again, and what was told is known by
   * its name.
   */
  flush(): Uint8Array[] {
    if (this.#held.length === this.#told || !hasHeading(this.#held)) return []
    this.#told = this.#held.length
    // In a frame that is open yet, only closed segments count: without ETX the last one stays cut off.
    return [Buffer.from(this.#held, 'latin1')]
  }

  /** The first complete product, taken away; null when there is none. */
  #takeFirst(): string | null {
    const start = this.#held.indexOf(SOH)
    const framed = start >= 0 ? this.#held.indexOf(ETX, start) : -1
    if (framed >= 0) return this.#take(framed + 1)
    const ended = END.exec(this.#held)
    if (ended !== null) return this.#take(ended.index + ended[0].length)
    if (start > 0 && hasHeading(this.#held.slice(0, start))) return this.#take(start)
    const [, second] = [...this.#held.matchAll(HEADING)]
    return second === undefined ? null : this.#take(second.index)
  }

  #take(length: number): string {
    const text = this.#held.slice(0, length)
    const told = this.#told
    this.#held = this.#held.slice(length)
    this.#told = 0
    // Behind what a silence has handed over stands nothing but a name and an end mark: nothing new.
    const mark = text.lastIndexOf('$$')
    return mark >= 0 && mark < told && !CODES.test(text.slice(mark)) ? '' : text
  }
}

function hasHeading(text: string): boolean {
  return text.search(HEADING) >= 0
}
