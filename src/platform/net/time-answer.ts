/** SNTP (RFC 4330), the part of a server: the time of this machine for phones of the hotspot, which has no other. */
const BYTES = 48
/** Seconds from 1900 to 1970. */
const NTP_EPOCH = 2_208_988_800
const CLIENT = 3
const SERVER = 4
const UNSYNCHRONISED = 3
/** A clock that people, a radio or the Internet set, at some time: others are to be preferred. */
const STRATUM = 10
/** A clock that nobody has set; such an answer is to be ignored. */
const STRATUM_UNSET = 16
/** `LOCL`: the clock of the machine itself. */
const LOCAL_CLOCK = 0x4c4f434c
/** 2⁻¹⁰ s: milliseconds. */
const PRECISION = -10
/** A clock of a board drifts by seconds a day. 16.16 fixed point, seconds. */
const DISPERSION = 1 << 16

/** The answer to a question for the time; null for a datagram that is none. `now` is epoch milliseconds; `set`: somebody has set the clock. */
export function timeAnswer(question: Uint8Array, { now, set }: { now: number; set: boolean }): Buffer | null {
  const asked = Buffer.from(question.buffer, question.byteOffset, question.byteLength)
  const first = asked[0] ?? 0
  const version = (first >> 3) & 7
  if (asked.length < BYTES || (first & 7) !== CLIENT || version < 1 || version > 4) return null
  const answer = Buffer.alloc(BYTES)
  answer[0] = ((set ? 0 : UNSYNCHRONISED) << 6) | (version << 3) | SERVER
  answer[1] = set ? STRATUM : STRATUM_UNSET
  answer[2] = asked[2] ?? 0
  answer.writeInt8(PRECISION, 3)
  answer.writeUInt32BE(DISPERSION, 8)
  answer.writeUInt32BE(LOCAL_CLOCK, 12)
  writeTime(answer, 16, now)
  // By the time that the phone sent it tells this answer from others.
  asked.copy(answer, 24, 40, 48)
  writeTime(answer, 32, now)
  writeTime(answer, 40, now)
  return answer
}

function writeTime(into: Buffer, at: number, now: number): void {
  const seconds = Math.floor(now / 1000)
  into.writeUInt32BE((seconds + NTP_EPOCH) % 2 ** 32, at)
  into.writeUInt32BE(Math.floor(((now - seconds * 1000) / 1000) * 2 ** 32), at + 4)
}
