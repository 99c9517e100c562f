import t from 'tap'
import { sentenceOf } from '../../../src/model/words/sentences.ts'
import { readSetupText } from '../../../src/settings/first-boot/setup-lines.ts'
import { readSetupValues } from '../../../src/settings/first-boot/setup-values.ts'

const read = (text: string) => readSetupValues(readSetupText(Buffer.from(text)).lines)

t.test('values are read as people write them', (t) => {
  const { values, notes } = read(
    [
      'country = germany',
      'language = Deutsch',
      'place = 48.14, 11.58',
      'radius = 30 km',
      'areas = Ada, Idaho; IDC027; Home (IDC001 IDC015);',
      'profile = Minimal-Pi',
      'wifi name = Auto',
      'meshtastic = USB',
      'meshcore = 192.168.1.20:5000'
    ].join('\n')
  )
  t.same(notes, [])
  t.same(values, {
    country: 'DE',
    language: 'de',
    place: { lat: 48.14, lon: 11.58 },
    'radius km': 30,
    areas: [{ named: 'Ada, Idaho' }, { named: 'IDC027' }, { name: 'Home', codes: ['IDC001', 'IDC015'] }],
    profile: 'minimal_pi',
    'wifi name': 'auto',
    meshtastic: { link: 'usb' },
    meshcore: { link: 'tcp', host: '192.168.1.20', port: 5000 }
  })
  t.same(read('country = UK').values, { country: 'GB' })
  t.same(read('country = Schweiz\nmeshtastic = /dev/ttyACM0').values, {
    country: 'CH',
    meshtastic: { link: 'serial', path: '/dev/ttyACM0' }
  })
  t.end()
})

t.test('a value that is none says in both languages what to write, and no pass phrase stands in it', (t) => {
  const bad: Readonly<Record<string, string>> = {
    name: 'x'.repeat(81),
    country: 'Atlantis',
    language: 'fr',
    place: '12345',
    'radius km': '0',
    areas: ';',
    'wifi name': 'caf\u00e9 \u2615',
    'wifi passphrase': 'short\u00e4',
    meshtastic: 'the blue one',
    meshcore: '/etc/passwd',
    profile: 'large'
  }
  for (const [key, value] of Object.entries(bad)) {
    const { values, notes } = read(`${key} = ${value}`)
    t.same(values, {}, key)
    t.equal(notes.length, 1, key)
    for (const note of notes)
      for (const language of ['en', 'de'] as const) {
        t.match(sentenceOf(note, language), new RegExp(`1.*${key}`), `${key} ${language}`)
        if (key === 'wifi passphrase') t.notMatch(sentenceOf(note, language), value)
      }
  }
  t.end()
})
