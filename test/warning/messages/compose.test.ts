import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import t from 'tap'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { byteLength } from '../../../src/warning/messages/budget.ts'
import { type ComposeRequest, composeMessage } from '../../../src/warning/messages/compose.ts'
import { sanitise } from '../../../src/warning/messages/sanitise.ts'
import { anyText } from '../../helpers/any-text.ts'
import { event } from './sample-events.ts'
import { FIXED, request, SAMPLES } from './samples.ts'

const GOLDEN = new URL('../../golden/messages.txt', import.meta.url)

function goldenText(): string {
  return SAMPLES.map(([name, sample]) => {
    const { parts, bytes, dropped, truncated } = composeMessage(sample)
    const notes = [...dropped.map((role) => `-${role}`), ...(truncated ? ['shortened'] : [])]
    return `# ${[name, ...notes].join(', ')}\n${parts.map((part, i) => `${bytes[i]}  ${part}`).join('\n')}\n`
  }).join('\n')
}

t.test('every sample reads as the golden file says, byte for byte', async (t) => {
  const text = goldenText()
  if (process.env['LOOKOUT_UPDATE_GOLDEN'] === '1') writeFileSync(GOLDEN, text)
  t.ok(existsSync(GOLDEN), 'run once with LOOKOUT_UPDATE_GOLDEN=1 to make it')
  t.equal(text, readFileSync(GOLDEN, 'utf8'))
})

t.test('the samples of the text study come out as they were written there', async (t) => {
  const texts = new Map(SAMPLES.map(([name, sample]) => [name, composeMessage(sample).parts]))
  for (const [name, text] of Object.entries(FIXED)) t.strictSame(texts.get(name), [text], name)
})

t.test(
  'segments go in order: DO shortens and goes, then SOURCE, then DETAIL; WHAT, WHERE and UNTIL stay',
  async (t) => {
    const data = {
      event_name: 'Flood Warning',
      places: ['Lewis, WA'],
      detail: 'Cowlitz River rising above the flood stage at Randle',
      instruction: 'Turn around. Never drive through water.',
      attribution: 'NWS SEW'
    }
    const flood = event({ expires: '2026-07-04T03:00:00Z', data })
    const at = (bytes: number) => composeMessage(request({ event: flood, limitBytes: bytes, targetBytes: bytes }))
    t.match(at(140).parts[0], /Never drive through water\. NWS SEW$/)
    t.match(at(115).parts[0], /Randle\. Turn around\. NWS SEW$/)
    t.equal(at(115).truncated, true)
    t.match(at(100).parts[0], /Randle\. NWS SEW$/)
    t.strictSame(at(100).dropped, ['do'])
    t.match(at(90).parts[0], /Randle$/)
    t.strictSame(at(90).dropped, ['do', 'source'])
    t.equal(at(75).parts[0], 'FLOOD WARN Lewis Co WA til 9:00p. Cowlitz River rising above the flood...')
    t.strictSame(at(36).parts, ['FLOOD WARN Lewis Co WA til 9:00p'])
    t.strictSame(at(36).dropped, ['do', 'source', 'detail'])
  }
)

t.test(
  'when what must be said exceeds the target, the hard limit is used, and only then names are shortened',
  async (t) => {
    const regions = Array.from({ length: 9 }, (_, i) => `Valley number ${i + 1}`)
    const flood = event({ expires: '2026-07-04T03:00:00Z', data: { event_name: 'Flood Warning', detail: 'Water' } })
    const long = composeMessage(request({ event: flood, regions, targetBytes: 100, limitBytes: 200 }))
    for (const region of regions) t.match(long.parts[0], region)
    t.strictSame(long.dropped, ['detail'])
    const short = composeMessage(request({ event: flood, regions, targetBytes: 80, limitBytes: 100 }))
    t.match(short.parts[0], /^FLOOD WARN Valley number 1\/Valley number 2\/.* \+\d til 9:00p$/)
    t.equal(short.truncated, true)
  }
)

t.test('a text never says what the event does not', async (t) => {
  const quake = event({
    family: 'seismic',
    category: 'earthquake_event',
    sent_at: '',
    data: { magnitude: 5, tsunami: 0 }
  })
  t.strictSame(composeMessage(request({ event: quake })).parts, ['QUAKE M5.0'])
  const odd = event({
    title: 'Siren test',
    sent_at: 'yesterday',
    expires: 'never',
    data: { places: 'x' as unknown as string[] }
  })
  t.strictSame(composeMessage(request({ event: odd, regions: ['North'] })).parts, ['Siren test, North'])
})

t.test('every kind of message carries a time of the event itself', async (t) => {
  for (const [name, sample] of SAMPLES) {
    const first = composeMessage(sample).parts[0] ?? ''
    t.match(first, /\d{1,2}(?::\d\d)?[ap]\b|\d\d:\d\d|\b(?:noon|midnight)\b/, name)
  }
})

t.test(
  'a long text is numbered at the end, its first part stands alone, and no part is longer than allowed',
  async (t) => {
    const detail = 'The river is over its banks along the whole valley road and still rising by a foot every hour'
    const instruction = 'Move to high ground now. Do not walk or drive through moving water. Listen to the radio.'
    const flood = event({
      expires: '2026-07-04T03:00:00Z',
      data: { event_name: 'Flood Warning', detail, instruction, attribution: 'NWS' }
    })
    for (const maxParts of [2, 3]) {
      const { parts, bytes } = composeMessage(request({ event: flood, regions: ['North'], maxParts, targetBytes: 120 }))
      t.ok(parts.length > 1 && parts.length <= maxParts)
      for (const [i, part] of parts.entries()) t.ok(part.endsWith(` ${i + 1}/${parts.length}`), part)
      t.ok(bytes.every((length) => length <= 200))
      t.match(parts[0], /^FLOOD WARN North til 9:00p\. /)
    }
    const short = event({ data: { event_name: 'Flood Warning' } })
    t.equal(composeMessage(request({ event: short, regions: ['North'], maxParts: 3 })).parts.length, 1)
  }
)

const wild = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  anyText({ maxLength: 60 }),
  fc.string({ maxLength: 200 }),
  fc.constantFrom(
    '/sos',
    '!!help',
    '@all: go',
    '\u202Eevil\u202C',
    'شارع النيل مغلق. استخدم طريقا آخر',
    `Z${'\u0301'.repeat(300)}`,
    '👨‍👩‍👧‍👦🏳️‍🌈🇩🇪',
    '\uD800 half',
    '__proto__',
    'constructor',
    '<b>bold</b>&nbsp;&amp;',
    Array.from({ length: 90 }, (_, i) => `Place ${i}, ID`).join('; '),
    'क्षत्रिय'.repeat(40),
    'a'.repeat(1000),
    '洪水警報が発表されました。'.repeat(20)
  )
)
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const instant = fc
  .date({ min: new Date('2026-06-20'), max: new Date('2026-07-20'), noInvalidDate: true })
  .map((date) => date.toISOString())

const anyEvent: fc.Arbitrary<LookoutEvent> = fc
  .record({
    family: fc.constantFrom(
      'weather',
      'fire',
      'roads',
      'seismic',
      'avalanche',
      'rf_propagation',
      'satpass',
      'emergency',
      'mesh_health',
      'own'
    ),
    category: fc.constantFrom(
      'weather_warning',
      'road_closure',
      'stream_flow',
      'new_ignition',
      'earthquake_event',
      'x'
    ),
    title: wild,
    summary: wild,
    expires: fc.option(fc.oneof(instant, wild)),
    onset: fc.option(instant),
    sent_at: fc.oneof(instant, wild),
    lat: fc.option(fc.double({ noNaN: false })),
    lon: fc.option(fc.double()),
    data: fc.record(
      {
        event_name: fc.oneof(wild, fc.constantFrom('Tornado Warning', 'Winter Storm Watch')),
        places: fc.array(wild, { maxLength: 5 }),
        detail: wild,
        instruction: wild,
        attribution: wild,
        short_text: wild,
        incident_name: wild,
        road: wild,
        gauge: wild,
        satellite: wild,
        rise_time: instant,
        scale: fc.constantFrom('G3', 'R1', 'zz'),
        until_further_notice: fc.boolean(),
        magnitude: fc.oneof(fc.double(), wild) as fc.Arbitrary<number>,
        depth_km: fc.double(),
        danger_level: fc.integer({ min: -1, max: 6 }),
        acres: fc.double({ min: 0, max: 1e7 }),
        kp: fc.double()
      },
      { requiredKeys: [] }
    )
  })
  .map((fields) => event(fields as Partial<LookoutEvent>))

const anyRequest: fc.Arbitrary<ComposeRequest> = fc
  .record({
    event: anyEvent,
    merged: maybe(fc.array(anyEvent, { maxLength: 3 })),
    kind: fc.constantFrom('new' as const, 'update' as const, 'cancel' as const, 'expire' as const),
    regions: fc.array(wild, { maxLength: 6 }),
    newPlacesOnly: fc.boolean(),
    limitBytes: fc.integer({ min: 27, max: 228 }),
    targetBytes: fc.integer({ min: 60, max: 228 }),
    maxParts: fc.integer({ min: 1, max: 3 }),
    simulatedMark: fc.boolean()
  })
  .map(({ merged, ...fields }) => request({ ...fields, ...(merged === undefined ? {} : { merged }) }))

t.test('whatever an event holds, every part is one safe line of valid UTF-8 within its limit', async () => {
  fc.assert(
    fc.property(anyRequest, (sample) => {
      const composed = composeMessage(sample)
      const { parts, bytes, dropped } = composed
      if (parts.length < 1 || parts.length > (sample.maxParts ?? 1) || bytes.length !== parts.length) return false
      if (new Set(dropped).size !== dropped.length) return false
      if (JSON.stringify(composeMessage(sample)) !== JSON.stringify(composed)) return false
      return parts.every(
        (part, i) =>
          byteLength(part) === bytes[i] &&
          byteLength(part) <= sample.limitBytes &&
          part !== '' &&
          part === part.trim() &&
          !/^[/!@]/.test(part.replace(/^DEMO /, '')) &&
          (sample.simulatedMark !== true || part.startsWith('DEMO ')) &&
          !/[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}\uFFFD]/u.test(part) &&
          !/ {2}/.test(part)
      )
    }),
    { numRuns: 1500 }
  )
})

t.test('whatever surrounds them, WHAT, WHERE and UNTIL stand in the first part', async () => {
  fc.assert(
    fc.property(anyRequest, wild, wild, (sample, detail, summary) => {
      const data = {
        event_name: 'Tornado Warning',
        detail,
        places: sample.event.data.places ?? [],
        attribution: summary
      }
      const tornado = event({ expires: '2026-07-04T00:45:00Z', summary, data })
      const composed = composeMessage({
        ...sample,
        limitBytes: Math.max(60, sample.limitBytes),
        event: tornado,
        merged: [],
        kind: 'new',
        regions: ['North Fork', ...sample.regions]
      })
      return /^(?:DEMO )?TOR WARN North Fork\b.* til 6:45p/u.test(composed.parts[0] ?? '')
    }),
    { numRuns: 600 }
  )
})

t.test('a title of any length leaves room for the region and the time and is cut between graphemes', async () => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
  fc.assert(
    fc.property(wild, fc.integer({ min: 60, max: 200 }), (title, limitBytes) => {
      const composed = composeMessage(
        request({ event: event({ family: 'own', title }), regions: ['North'], limitBytes })
      )
      const [, head = ''] = /^(.*), North \(6:21p\)$/u.exec(composed.parts[0] ?? '') ?? []
      const plain = sanitise(title)
      const bare = head.replace(/\.\.\.$/, '')
      if (head === 'OWN' || plain === bare) return true
      const starts = [...segmenter.segment(plain)].map(({ index }) => index)
      return bare !== '' && plain.startsWith(bare) && starts.includes(bare.length)
    }),
    { numRuns: 600 }
  )
})

t.test('a text never starts with what bots react to, even when only a place is left', async (t) => {
  const place = event({ title: '\u8c48', summary: '/sos', family: 'weather', data: {} })
  const merged = [event({ title: '/sos', summary: '', expires: '2026-06-20T00:00:00Z', data: {} })]
  for (const simulatedMark of [true, false]) {
    const { parts } = composeMessage(
      request({ event: place, merged, regions: ['/sos'], limitBytes: 27, simulatedMark })
    )
    t.notMatch(parts[0], /^(?:DEMO )?[/!@]/)
  }
})
