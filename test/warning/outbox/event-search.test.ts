import t from 'tap'
import { listEventsInSlices } from '../../../src/dashboard/server/long-lists.ts'
import { openDatabase } from '../../../src/platform/database/database.ts'
import { parseEventInput } from '../../../src/warning/events/input.ts'
import { Ledger } from '../../../src/warning/outbox/ledger.ts'
import { ledgerMigrations } from '../../../src/warning/outbox/schema.ts'
import type { ListedEvent } from '../../../src/warning/outbox/stored-event.ts'

const NOW = Date.parse('2026-07-01T12:00:00Z')

async function ledgerOf(events: Record<string, unknown>[]): Promise<Ledger> {
  const db = await openDatabase({ path: ':memory:', migrations: ledgerMigrations, synchronous: 'NORMAL' })
  const ledger = new Ledger(db)
  db.transaction(() => {
    for (const [index, event] of events.entries()) {
      const input = { source: 'test', family: 'fire', title: `event ${index}`, id: `e${index}`, ...event }
      const seq = ledger.add(parseEventInput(input, { now: NOW + index, families: new Set(['fire', 'weather']) }))
      if (seq !== null) ledger.decide(seq, { kind: index % 2 === 0 ? 'send' : 'dropped', reason: 'x', trace: [] })
    }
  })
  t.teardown(() => db.close())
  return ledger
}

const EVENTS = [
  { title: 'Straße gesperrt: Öl auf der "A 8"', regions: ['Süd'] },
  { title: '100 % contained_fire \\ backslash' },
  { title: 'Flood Watch', family: 'weather', data: { places: ['Idaho City, ID'], event_name: 'Flash Flood Watch' } },
  { title: 'Pine Fire', zones: ['IDC001'] },
  { title: 'Pine Fire grows', id: 'e3', revision: '2' }
]

t.test('words are found in titles, places, regions, names and codes, upper and lower case alike', async (t) => {
  const ledger = await ledgerOf(EVENTS)
  const titles = (text: string, more: object = {}): string[] =>
    ledger.search({ text, limit: 10, ...more }).events.map(({ event }) => event.title)
  const [first] = EVENTS
  const cases: [string, (string | undefined)[]][] = [
    ['pine', ['Pine Fire grows', 'Pine Fire']],
    ['  PINE fire G ', ['Pine Fire grows']],
    ['öl', [first?.title]],
    ['STRASSE', []],
    ['straße', [first?.title]],
    ['"a 8"', [first?.title]],
    ['süd', [first?.title]],
    ['100 %', ['100 % contained_fire \\ backslash']],
    ['d_fire \\', ['100 % contained_fire \\ backslash']],
    ['%', ['100 % contained_fire \\ backslash']],
    ['_', ['100 % contained_fire \\ backslash']],
    ['idaho', ['Flood Watch']],
    ['flash', ['Flood Watch']],
    ['idc001', ['Pine Fire']],
    ['received_at', []],
    ['nothing like this', []]
  ]
  for (const [text, expected] of cases) t.strictSame(titles(text), expected, text)
  t.strictSame(titles('fire', { decision: 'dropped' }), ['Pine Fire', '100 % contained_fire \\ backslash'])
  t.strictSame(titles('', { decision: 'send', family: 'weather' }), ['Flood Watch'])
  const code = ledger.codes.known('test:e3') ?? ''
  t.strictSame(
    titles(`#${code.toLowerCase()}`),
    ['Pine Fire grows', 'Pine Fire'],
    'by its code, as it is said over radio'
  )
})

t.test('pages of a search hold every match once, however far apart they are', async (t) => {
  const rare = new Set([3, 4, 5200, 10_400, 10_401])
  const events = Array.from({ length: 10_500 }, (_, index) => ({ title: rare.has(index) ? `rare ${index}` : 'common' }))
  const ledger = await ledgerOf(events)
  const found: string[] = []
  let before: number | undefined
  let pages = 0
  do {
    const page = ledger.search({ text: 'rare', limit: 2, ...(before === undefined ? {} : { before }) })
    found.push(...page.events.map(({ event }) => event.title))
    before = page.next ?? undefined
    pages++
  } while (before !== undefined && pages < 40)
  t.strictSame(
    found,
    [10_401, 10_400, 5200, 4, 3].map((index) => `rare ${index}`)
  )
  t.ok(pages <= 26, `${pages} pages`)
  const titles = (rows: readonly ListedEvent[]): string[] => rows.map(({ event }) => event.title)
  const seqs = (rows: readonly ListedEvent[]): number[] => rows.map(({ seq }) => seq)
  // A person's question is answered from ten slices, with others' turns between them.
  const page = await listEventsInSlices(ledger, { text: 'rare', limit: 2 }, titles)
  t.strictSame(page.rows, ['rare 10401', 'rare 10400'])
  const older = await listEventsInSlices(ledger, { text: 'rare', limit: 2, before: page.next ?? 0 }, seqs)
  t.strictSame([older.rows.length, older.next === null], [1, false])
  const plain = await listEventsInSlices(ledger, { limit: 120 }, seqs)
  t.strictSame([plain.rows.length, new Set(plain.rows).size, plain.next], [120, 120, plain.rows.at(-1)])
  const none = ledger.search({ text: 'absent', limit: 2 })
  t.strictSame([none.events.length, none.next === null], [0, false], 'a slice without a match leads on')
  t.equal(ledger.search({ text: 'rare', since: NOW + 10_000_000, limit: 2 }).next, null)
  t.equal((await ledgerOf([])).search({ text: 'x', limit: 2 }).next, null)
})
