import t from 'tap'
import { decodeWindows1252 } from '../../../src/platform/bytes/windows-1252.ts'

t.test('every byte of Windows-1252 has the character of the Encoding standard', async (t) => {
  const all = decodeWindows1252(Uint8Array.from({ length: 256 }, (_, byte) => byte))
  t.equal(all.length, 256)
  t.equal(all.slice(0x80, 0xa0), '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ')
  for (const byte of [0, 0x41, 0x7f, 0xa0, 0xe9, 0xff]) t.equal(all.charCodeAt(byte), byte)
})

t.test('a part of a larger buffer is read as that part alone; nothing is nothing', async (t) => {
  const whole = Buffer.from('xx\x93caf\xe9\x94xx', 'latin1')
  t.equal(decodeWindows1252(whole.subarray(2, 8)), '“café”')
  t.equal(decodeWindows1252(Buffer.from('caf\xe9', 'latin1')), 'café')
  t.equal(decodeWindows1252(new Uint8Array()), '')
})
