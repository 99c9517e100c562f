import t from 'tap'
import { localNameAnswer } from '../../../src/platform/net/local-name.ts'

/** Multicast DNS as phones ask it (RFC 6762). */

const OURS = { name: 'lookout.local', address: '10.42.0.1' }
const nameOf = (text: string): Buffer =>
  Buffer.concat([
    ...text.split('.').map((label) => Buffer.concat([Buffer.of(label.length), Buffer.from(label)])),
    Buffer.of(0)
  ])
function asked(questions: readonly (readonly [name: string, type: number, cls: number])[], flags = 0): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(flags, 2)
  head.writeUInt16BE(questions.length, 4)
  const words = (type: number, cls: number): Buffer => Buffer.from([type >> 8, type & 255, cls >> 8, cls & 255])
  return Buffer.concat([head, ...questions.flatMap(([name, type, cls]) => [nameOf(name), words(type, cls)])])
}

t.test('a question for the name of the station is answered with its address', async (t) => {
  const { answer, toAskerAlone } = localNameAnswer(asked([['lookout.local', 1, 1]]), OURS) ?? {}
  t.equal(toAskerAlone, false)
  t.same(answer?.subarray(-4), Buffer.from([10, 42, 0, 1]))
  t.equal(answer?.readUInt16BE(2), 0x8400, 'an authoritative answer')
  t.equal(answer?.readUInt16BE(6), 1)
  t.ok(answer?.includes(nameOf('lookout.local')))
})

t.test('capitals, several questions and any type are understood; one may want it alone', async (t) => {
  t.ok(localNameAnswer(asked([['LookOut.local', 255, 1]]), OURS))
  t.ok(
    localNameAnswer(
      asked([
        ['_http._tcp.local', 12, 1],
        ['lookout.local', 1, 1]
      ]),
      OURS
    )
  )
  t.equal(localNameAnswer(asked([['lookout.local', 1, 0x8001]]), OURS)?.toAskerAlone, true)
})

t.test('other names, other types, answers and broken datagrams get none', async (t) => {
  for (const [name, type] of [
    ['hill.local', 1],
    ['lookout.local', 28],
    ['lookout.local.evil', 1]
  ] as const)
    t.equal(localNameAnswer(asked([[name, type, 1]]), OURS), null, name)
  t.equal(localNameAnswer(asked([['lookout.local', 1, 1]], 0x8400), OURS), null, 'an answer')
  const whole = asked([['lookout.local', 1, 1]])
  for (let length = 0; length < whole.length; length++)
    t.equal(localNameAnswer(whole.subarray(0, length), OURS), null, `${length} bytes`)
  t.equal(localNameAnswer(Buffer.concat([whole.subarray(0, 12), Buffer.alloc(600, 0x3f)]), OURS), null)
})
