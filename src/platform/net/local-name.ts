/** Multicast DNS (RFC 6762), the part that answers for one name with one IPv4 address. */
export const MDNS = { address: '224.0.0.251', port: 5353 } as const

const HEAD_BYTES = 12
const TYPE_A = 1
const TYPE_ANY = 255
const CLASS_IN = 1
/** An answer to several may replace what they kept; a question with this bit wants its answer alone. */
const TOP_BIT = 0x8000
const RESPONSE = 0x8400
/** Seconds: RFC 6762 §10 for names of hosts. */
const KEPT = 120

/** The answer to a question that asks for this name, and whether the asker alone wants it; null for any other datagram. */
export function localNameAnswer(
  datagram: Uint8Array,
  { name, address }: { name: string; address: string }
): { answer: Buffer; toAskerAlone: boolean } | null {
  const asked = Buffer.from(datagram.buffer, datagram.byteOffset, datagram.byteLength)
  if (asked.length < HEAD_BYTES || (asked.readUInt16BE(2) & 0xf800) !== 0) return null
  let at = HEAD_BYTES
  for (let left = asked.readUInt16BE(4); left > 0; left--) {
    const question = questionAt(asked, at)
    if (question === null) return null
    const wanted = question.type === TYPE_A || question.type === TYPE_ANY
    if (wanted && (question.class & ~TOP_BIT) === CLASS_IN && question.name === name)
      return { answer: answerOf(name, address), toAskerAlone: (question.class & TOP_BIT) !== 0 }
    at = question.end
  }
  return null
}

interface Question {
  name: string
  type: number
  class: number
  end: number
}

/** A name that points back to another is one we are not asked for: ours comes first in its question. */
function questionAt(asked: Buffer, start: number): Question | null {
  const labels: string[] = []
  let at = start
  for (;;) {
    const length = asked[at]
    if (length === undefined) return null
    at += 1
    if (length === 0) break
    if (length >= 0xc0) {
      labels.push('*')
      at += 1
      break
    }
    if (length > 63 || at + length > asked.length) return null
    labels.push(asked.toString('latin1', at, at + length).toLowerCase())
    at += length
  }
  if (at + 4 > asked.length) return null
  return { name: labels.join('.'), type: asked.readUInt16BE(at), class: asked.readUInt16BE(at + 2), end: at + 4 }
}

function answerOf(name: string, address: string): Buffer {
  const head = Buffer.alloc(HEAD_BYTES)
  head.writeUInt16BE(RESPONSE, 2)
  head.writeUInt16BE(1, 6)
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label, 'latin1')]))
  const rest = Buffer.alloc(10)
  rest.writeUInt16BE(TYPE_A, 0)
  rest.writeUInt16BE(CLASS_IN | TOP_BIT, 2)
  rest.writeUInt32BE(KEPT, 4)
  rest.writeUInt16BE(4, 8)
  return Buffer.concat([head, ...labels, Buffer.of(0), rest, Buffer.from(address.split('.').map(Number))])
}
