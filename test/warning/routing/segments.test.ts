import t from 'tap'
import { START, type Station, station, withMatrix } from '../../helpers/station.ts'

/** A product has a segment for each end and each fate: one event, told per place. */

const CELLS = {
  weather: {
    North: { mt: 1, mc: null },
    South: { mt: 1, mc: null },
    East: { mt: 1, mc: null }
  }
}
const KEY = 'KBOI.WI.Y.0003.2026'
const at = (minutes: number): string => new Date(START + minutes * 60_000).toISOString()
const SIX = at(360)
const NINE = at(540)

interface Segment {
  action?: string
  region: string
  zone: string
  until: string
}

/** One product: its segments arrive together, a second after it was sent. */
async function product(s: Station, minute: number, segments: Segment[]): Promise<string[]> {
  await s.run((START + minute * 60_000 - s.clock.now()) / 1000)
  const said: string[] = []
  for (const [index, { action = 'CON', region, zone, until }] of segments.entries()) {
    const over = action === 'CAN' ? 'cancel' : action === 'EXP' ? 'expire' : action === 'NEW' ? 'new' : 'update'
    const { decision } = await s.post({
      id: `urn:oid:${minute}.${index}`,
      source: 'nws',
      family: 'weather',
      severity: 'priority',
      title: 'Wind Advisory',
      thread_id: `vtec:${KEY}`,
      lifecycle: over,
      regions: [region],
      zones: [zone],
      sent_at: at(minute),
      expires: until,
      data: {
        event_name: 'Wind Advisory',
        vtec: { key: KEY, action },
        material: over === 'cancel' ? 'CAN' : `priority|${until}`
      }
    })
    said.push(`${decision?.kind} ${decision?.reason}`)
  }
  await s.run(50)
  return said
}

const setup = async (t: Parameters<typeof station>[0]): Promise<Station> =>
  station(t, {
    config: {
      notifications: {
        ...withMatrix(CELLS).notifications,
        coalesce_seconds: 20,
        toggles: { weather: { cooldown_seconds: 0 } },
        inhibition: { warning_mutes_watch: false }
      }
    }
  })

const told = (s: Station): string[] => s.deliveries().map(({ kind, regions }) => `${kind} ${regions.join('+')}`)
const NORTH = { region: 'North', zone: 'IDZ012', until: SIX }
const SOUTH = { region: 'South', zone: 'IDZ029', until: NINE }
const EAST = { region: 'East', zone: 'IDZ031', until: NINE }

t.test('segments that end at different times are one message, and repeating them is no news', async (t) => {
  const s = await setup(t)
  await product(s, 0, [
    { ...NORTH, action: 'NEW' },
    { ...SOUTH, action: 'NEW' }
  ])
  t.strictSame(told(s), ['new North+South'])
  for (const minute of [30, 60, 90]) {
    const said = await product(s, minute, minute === 60 ? [SOUTH, NORTH] : [NORTH, SOUTH])
    t.strictSame(said, ['suppressed duplicate', 'suppressed duplicate'], `minute ${minute}`)
  }
  t.equal(told(s).length, 1)
  await product(s, 120, [{ ...NORTH, action: 'EXT', until: NINE }, SOUTH])
  t.strictSame(told(s).slice(1), ['update North'], 'the end of one segment moves to where the other one already was')
  t.strictSame(await product(s, 150, [{ ...NORTH, until: NINE }, SOUTH]), [
    'suppressed duplicate',
    'suppressed duplicate'
  ])
})

t.test('a region that is new is told without those that have heard it', async (t) => {
  for (const order of [0, 1]) {
    const s = await setup(t)
    await product(s, 0, [{ ...SOUTH, action: 'NEW' }])
    const grown = [SOUTH, { ...EAST, action: 'EXA' }]
    await product(s, 30, order === 0 ? grown : grown.reverse())
    t.strictSame(told(s), ['new South', 'update East'], `order ${order}`)
    t.match(s.onAir()[1], /UPD East/)
    t.notMatch(s.onAir()[1], /South/)
  }
})

t.test('cancelled for one county, it goes on in the next without being told anew', async (t) => {
  for (const order of [0, 1]) {
    const s = await setup(t)
    await product(s, 0, [
      { ...SOUTH, action: 'NEW' },
      { ...EAST, action: 'NEW' }
    ])
    const product2: Segment[] = [{ ...SOUTH, action: 'CAN' }, EAST]
    await product(s, 30, order === 0 ? product2 : product2.reverse())
    await product(s, 60, [EAST])
    t.strictSame(told(s), ['new South+East', 'cancel South'], `order ${order}`)
    await product(s, 90, [{ ...SOUTH, action: 'EXA' }, EAST])
    t.strictSame(told(s).slice(2), ['update South'], 'it comes back to where it was cancelled')
    await product(s, 120, [
      { ...EAST, action: 'CAN' },
      { ...SOUTH, action: 'CAN' }
    ])
    t.strictSame(told(s).slice(3), ['cancel East+South'])
    await product(s, 150, [{ ...EAST, action: 'EXB' }])
    t.strictSame(told(s).slice(4), ['new East'], 'after its end everywhere it is new')
  }
})

t.test('a piece that changes while others wait joins them; what changes back while it waits says so', async (t) => {
  const s = await setup(t)
  await product(s, 0, [
    { ...NORTH, action: 'NEW' },
    { ...SOUTH, action: 'NEW' }
  ])
  await product(s, 30, [
    { ...EAST, action: 'EXA' },
    { ...NORTH, action: 'EXT', until: NINE },
    SOUTH,
    { ...NORTH, action: 'COR' }
  ])
  t.strictSame(told(s).slice(1), ['update East+North'])
  t.match(s.onAir()[1], /til/, 'it is no mere list of places')
  t.strictSame(await product(s, 60, [NORTH, SOUTH, EAST]), Array(3).fill('suppressed duplicate'))
})
