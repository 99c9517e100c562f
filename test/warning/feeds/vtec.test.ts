import fc from 'fast-check'
import t from 'tap'
import {
  formatVtec,
  leadingVtec,
  parseVtec,
  VTEC_ACTIONS,
  type Vtec,
  vtecKey,
  vtecLifecycle,
  vtecYear
} from '../../../src/warning/feeds/reading/vtec.ts'

const one = (text: string): Vtec => {
  const [vtec] = parseVtec(text)
  if (vtec === undefined) throw new Error(`not VTEC: ${text}`)
  return vtec
}

t.test('a P-VTEC string is read field by field', async (t) => {
  t.same(parseVtec('/O.CON.KSEW.FF.W.0001.000000T0000Z-251216T0500Z/'), [
    {
      product: 'O',
      action: 'CON',
      office: 'KSEW',
      phenomenon: 'FF',
      significance: 'W',
      number: 1,
      start: null,
      end: Date.UTC(2025, 11, 16, 5)
    }
  ])
})

t.test('several strings are read in order; hydrologic lines and impossible times are left out', async (t) => {
  const text = `/O.UPG.KTAE.FZ.A.0004.251216T0500Z-251216T1400Z/
/O.NEW.KTAE.FZ.W.0026.251216T0500Z-251216T1400Z/
/00000.0.ER.000000T0000Z.000000T0000Z.000000T0000Z.OO/
/O.NEW.KTAE.WI.Y.0027.251316T0500Z-251216T1400Z/
/O.XXX.KTAE.WI.Y.0027.251216T0500Z-251216T1400Z/`
  t.same(
    parseVtec(text).map(({ action, significance }) => action + significance),
    ['UPGA', 'NEWW']
  )
  t.same(parseVtec(''), [])
})

t.test('actions place a message in the life of its event', async (t) => {
  const table = {
    NEW: 'new',
    CON: 'update',
    EXT: 'update',
    EXA: 'update',
    EXB: 'update',
    COR: 'update',
    ROU: 'update',
    UPG: 'expire',
    CAN: 'cancel',
    EXP: 'expire'
  }
  for (const action of VTEC_ACTIONS) t.equal(vtecLifecycle(action), table[action], action)
})

t.test('the key carries the year of first issue, because numbers restart each year', async (t) => {
  const newYear = one('/O.NEW.KBOI.WS.W.0007.260101T0600Z-260102T0600Z/')
  const sent = Date.UTC(2025, 11, 31, 20)
  t.equal(vtecKey(newYear, vtecYear(newYear, sent)), 'KBOI.WS.W.0007.2025')
  const running = one('/O.CON.KBOI.WS.W.0007.000000T0000Z-260102T0600Z/')
  const later = Date.UTC(2026, 0, 1, 8)
  t.equal(vtecYear(running, later, [sent]), 2025, 'the message it refers to knows')
  t.equal(
    vtecYear(one('/O.CON.KBOI.WS.W.0007.251231T2300Z-260102T0600Z/'), later),
    2025,
    'the start of the event knows'
  )
  t.equal(vtecYear(one('/O.NEW.KBOI.WS.W.0001.251231T2300Z-260102T0600Z/'), later, [sent]), 2026, 'NEW is new')
})

t.test('a running event speaks before one that ends beside it; test products never speak', async (t) => {
  const ended = '/O.UPG.KTAE.FZ.A.0004.251216T0500Z-251216T1400Z/'
  const running = '/O.NEW.KTAE.FZ.W.0026.251216T0500Z-251216T1400Z/'
  t.equal(leadingVtec(parseVtec(ended + running))?.significance, 'W')
  t.equal(leadingVtec(parseVtec(ended))?.significance, 'A')
  t.equal(leadingVtec(parseVtec('/T.NEW.KTAE.FZ.W.0026.251216T0500Z-251216T1400Z/')), null)
  t.equal(leadingVtec([]), null)
})

t.test('what is formatted is read back', async () => {
  const letters = (length: number) =>
    fc.string({ unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), minLength: length, maxLength: length })
  const minute = fc
    .integer({ min: Date.UTC(2005, 0, 1) / 60_000, max: Date.UTC(2099, 11, 31) / 60_000 })
    .map((minutes) => minutes * 60_000)
  const point = fc.option(minute, { nil: null })
  const vtec: fc.Arbitrary<Vtec> = fc.record({
    product: fc.constantFrom('O', 'T', 'E', 'X'),
    action: fc.constantFrom(...VTEC_ACTIONS),
    office: letters(4),
    phenomenon: letters(2),
    significance: letters(1),
    number: fc.integer({ min: 0, max: 9999 }),
    start: point,
    end: point
  })
  fc.assert(
    fc.property(
      vtec,
      fc.string(),
      (value, noise) => JSON.stringify(parseVtec(`${noise}\n${formatVtec(value)}`).at(-1)) === JSON.stringify(value)
    )
  )
})
