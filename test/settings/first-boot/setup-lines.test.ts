import t from 'tap'
import { readSetupText, SETUP_KEYS } from '../../../src/settings/first-boot/setup-lines.ts'

const pairs = (file: Uint8Array) => readSetupText(file).lines.map(({ key, value }) => [key, value])
const codes = (text: string) => readSetupText(Buffer.from(text)).notes.map(({ code, params }) => [code, params['line']])

t.test('a file that any computer wrote is read: marks, ends of lines, case, quotes, colons', (t) => {
  const lines = [
    '# a note',
    '  Station Name = "Hill 5"',
    'COUNTRY: de',
    'Wi-Fi_Name=Lookout',
    '; another',
    'place =',
    ''
  ]
  const wanted = [
    ['name', 'Hill 5'],
    ['country', 'de'],
    ['wifi name', 'Lookout']
  ]
  for (const end of ['\n', '\r\n', '\r']) t.same(pairs(Buffer.from(lines.join(end))), wanted, JSON.stringify(end))
  t.same(pairs(Buffer.from(`\ufeff${lines.join('\r\n')}`)), wanted, 'UTF-8 with a mark')
  t.same(pairs(Buffer.from(`\ufeff${lines.join('\r\n')}`, 'utf16le')), wanted, 'UTF-16 as Notepad wrote it')
  t.same(pairs(Buffer.from('ort = M\u00fcnchen', 'latin1')), [['place', 'M\u00fcnchen']], 'Windows-1252')
  t.end()
})

t.test('a colon inside of a value is part of it', (t) => {
  t.same(pairs(Buffer.from('areas = NUTS3:DE212\nareas: EMMA_ID:DE356')), [['areas', 'EMMA_ID:DE356']])
  t.same(pairs(Buffer.from('meshtastic = 192.168.1.20:4403')), [['meshtastic', '192.168.1.20:4403']])
  t.end()
})

t.test('each line that cannot be used gives a reason with its number, and the others are read', (t) => {
  t.same(codes('hello\ncontry = DE\nname = A\nname = B\n'), [
    ['setup_no_value_sign', 1],
    ['setup_unknown_key', 2],
    ['setup_twice', 4]
  ])
  t.same(pairs(Buffer.from('hello\nname = A\nname = B\n')), [['name', 'B']], 'the last one counts')
  t.same(readSetupText(Buffer.from('contry = DE')).notes[0]?.params['known'], SETUP_KEYS)
  t.end()
})

t.test('a file that is too large is not read, and says so', (t) => {
  const { lines, notes } = readSetupText(Buffer.alloc(64 * 1024 + 1, 'name = A\n'))
  t.same([lines.length, notes.map(({ code }) => code)], [0, ['setup_too_large']])
  t.end()
})

t.test('the bytes of a value are those behind the sign, whatever stands before it', (t) => {
  for (const text of [
    '\ufeff# Stra\u00dfe\r\nWLAN Passwort = "gr\u00fcn 12345"\r\nname = X\r\n',
    'psk=gr\u00fcn 12345',
    'psk:  a b c d e '
  ]) {
    const file = Buffer.from(text)
    const [{ bytes } = { bytes: null }] = readSetupText(file).lines.filter(({ key }) => key === 'wifi passphrase')
    const { at = 0, length = 0 } = bytes ?? {}
    t.match(file.subarray(at, at + length).toString(), /^\s*"?(?:gr\u00fcn 12345|a b c d e)"?\s*$/, text)
    file.fill(' ', at, at + length)
    t.same(
      readSetupText(file).lines.filter(({ key }) => key === 'wifi passphrase'),
      [],
      'blanks in its place are no value'
    )
    t.equal(readSetupText(file).notes.length, 0)
  }
  const utf16 = readSetupText(Buffer.from('\ufeffpsk = 12345678', 'utf16le')).lines
  t.equal(utf16[0]?.bytes, null, 'UTF-16 is not edited in place')
  t.end()
})
