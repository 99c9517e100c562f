import t from 'tap'
import { timeAnswer } from '../../../src/platform/net/time-answer.ts'

/** SNTP as phones ask it (RFC 4330 §5). */

const NOW = Date.UTC(2026, 6, 1, 12, 0, 0, 250)
const asked = (first = 0x23): Buffer => {
  const question = Buffer.alloc(48)
  question[0] = first
  question[2] = 6
  question.write('sentthen', 40, 'latin1')
  return question
}
const seconds = (answer: Buffer, at: number): number =>
  answer.readUInt32BE(at) - 2_208_988_800 + answer.readUInt32BE(at + 4) / 2 ** 32

t.test('a phone hears the time of the station, and its own words back', async (t) => {
  const answer = timeAnswer(asked(), { now: NOW, set: true }) ?? Buffer.alloc(48)
  t.equal(answer.length, 48)
  t.equal(answer[0], 0x24, 'no warning, version 4, a server')
  t.equal(answer[1], 10, 'better clocks are to be preferred')
  for (const at of [16, 32, 40]) t.equal(seconds(answer, at) * 1000, NOW)
  t.equal(answer.toString('latin1', 24, 32), 'sentthen')
})

t.test('a clock that nobody set is told as not synchronised', async (t) => {
  const answer = timeAnswer(asked(), { now: 5000, set: false }) ?? Buffer.alloc(48)
  t.equal((answer[0] ?? 0) >> 6, 3)
  t.equal(answer[1], 16)
})

t.test('the version of the question is that of the answer', async (t) => {
  t.equal(timeAnswer(asked(0x1b), { now: NOW, set: true })?.[0], 0x1c)
})

t.test('anything but a question is left without an answer: no two servers talk for ever', async (t) => {
  for (const datagram of [Buffer.alloc(0), Buffer.alloc(47, 0x23), asked(0x24), asked(0x03), asked(0x2b), asked(0x1e)])
    t.equal(timeAnswer(datagram, { now: NOW, set: true }), null, datagram.subarray(0, 1).toString('hex'))
})
