import type { Splitter } from '../polling/tcp-stream.ts'

/** More than the longest alert seen (1.7 MB) by far. Bytes. */
export const MAX_ALERT_BYTES = 8 * 1024 * 1024

const START = /<(?:[A-Za-z_][\w.-]*:)?alert[\s>]/
const END = /<\/(?:[A-Za-z_][\w.-]*:)?alert\s*>/
/** A closing tag may be cut in two by the network. */
const LONGEST_TAG = 64

/** CAP documents one after the other, without any frame: each ends with its own `</alert>`. What is longer than 8 MiB is dropped. */
export class AlertSplitter implements Splitter {
  /** One character a byte. */
  #held = ''
  #searched = 0

  push(bytes: Uint8Array): Uint8Array[] {
    this.#held += Buffer.from(bytes).toString('latin1')
    const found: Uint8Array[] = []
    for (;;) {
      const end = END.exec(this.#held.slice(this.#searched))
      if (end === null) break
      const stop = this.#searched + end.index + end[0].length
      found.push(...document(this.#held.slice(0, stop)))
      this.#held = this.#held.slice(stop)
      this.#searched = 0
    }
    this.#searched = Math.max(0, this.#held.length - LONGEST_TAG)
    if (this.#held.length > MAX_ALERT_BYTES) this.#drop()
    return found
  }

  /** Half a document is none. */
  flush(): Uint8Array[] {
    return []
  }

  #drop(): void {
    this.#held = ''
    this.#searched = 0
  }
}

/** From the XML declaration, or the opening tag without one; nothing when a document began before we listened. */
function document(text: string): Uint8Array[] {
  const start = START.exec(text)
  if (start === null) return []
  const declaration = text.lastIndexOf('<?xml', start.index)
  return [Buffer.from(text.slice(declaration < 0 ? start.index : declaration), 'latin1')]
}
