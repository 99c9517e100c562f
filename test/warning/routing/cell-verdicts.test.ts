import t from 'tap'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { familyKeys } from '../../../src/model/families.ts'
import type { SEVERITIES } from '../../../src/model/severity.ts'
import { parseEventInput } from '../../../src/warning/events/input.ts'
import { type SaidExplanation, saidExplanation } from '../../../src/warning/routing/said-trace.ts'
import { START, type Station, type StationOptions, station, withMatrix } from '../../helpers/station.ts'

/** The verdict of each cell of the matrix on an event, and what would have to change for it to send. */

type Cells = Record<string, Record<string, Record<string, unknown>>>
const at = (minutes: number): string => new Date(START + minutes * 60_000).toISOString()

interface Case {
  name: string
  cells?: Cells
  more?: Record<string, unknown>
  coverage?: Record<string, unknown>
  event?: Record<string, unknown>
  before?: (s: Station) => Promise<unknown>
  options?: StationOptions
  region?: string
  expect: Record<string, unknown>
}

const both: Cells = { fire: { North: { mt: 3, mc: 'north-fire' }, South: { mt: 4 } } }
const silence = (s: Station, more: Record<string, unknown> = {}): void =>
  void s.core.reactions.silences.add({
    family: null,
    region: null,
    threadId: null,
    includesImmediate: false,
    author: 'Ann',
    reason: 'drill',
    from: START,
    until: START + 3_600_000,
    ...more
  })
const send = (event: Record<string, unknown>) => async (s: Station) => {
  await s.post(event)
  await s.run(30)
}

const CASES: Case[] = [
  { name: 'a matching cell sends', expect: { state: 'sent', reason: 'new', change: '' } },
  {
    name: 'a region the event does not touch',
    region: 'South',
    expect: { state: 'none', reason: 'not_touched', change: 'The event does not touch this region.', channels: [] }
  },
  {
    name: 'an event without a region',
    event: { regions: [] },
    expect: { state: 'none', reason: 'no_region', change: /switch region tagging on/ }
  },
  {
    name: 'a touched region without a cell',
    event: { regions: ['West'] },
    region: 'West',
    expect: { state: 'none', reason: 'no_cell', change: 'Give the cell a channel.' }
  },
  {
    name: 'below the floor: the floor that would do is named',
    cells: { fire: { North: { mt: 3, min_severity: 'critical' } } },
    event: { severity: 'priority' },
    expect: { state: 'suppressed', reason: 'below_min_severity', change: 'Lower the floor to priority.' }
  },
  {
    name: 'a disabled cell has no say',
    cells: { fire: { North: { mt: 3, enabled: false } } },
    expect: { state: 'none', reason: 'cell_disabled', change: 'Switch the cell on.' }
  },
  {
    name: 'several obstacles of the cell are told at once',
    cells: { fire: { North: { mt: 3, enabled: false, min_severity: 'immediate' } } },
    expect: { state: 'none', change: 'Switch the cell on. Lower the floor to routine.' }
  },
  {
    name: 'the matrix is off',
    more: { region_routes: { enabled: false, cells: both } },
    expect: { state: 'none', reason: 'matrix_off', change: 'Switch the matrix on.' }
  },
  {
    name: 'the matrix is off for the only network of the cell',
    cells: { fire: { North: { mt: null, mc: 'north' } } },
    more: { region_routes: { enabled: true, mc_enabled: false, cells: { fire: { North: { mc: 'north' } } } } },
    expect: { state: 'suppressed', reason: 'network_off', change: 'Switch the matrix on for MeshCore.', channels: [] }
  },
  {
    name: 'the matrix is off for one of the two networks of the cell',
    more: { region_routes: { enabled: true, mc_enabled: false, cells: { fire: { North: { mt: 3, mc: 'north' } } } } },
    expect: {
      state: 'sent',
      reason: 'new',
      change: '',
      channels: [
        { channel: 'mt:3', state: 'sent' },
        {
          channel: 'mc:north',
          state: 'suppressed',
          reason: 'network_off',
          change: 'Switch the matrix on for MeshCore.'
        }
      ]
    }
  },
  {
    name: 'notifications are off',
    more: { enabled: false },
    expect: { state: 'suppressed', reason: 'notifications_off', change: 'Switch notifications on.' }
  },
  {
    name: 'outside the coverage, and the cell is off as well',
    cells: { fire: { North: { mt: 3, enabled: false } } },
    coverage: { areas: [{ name: 'North', bbox: [0, 0, 1, 1] }] },
    event: { lat: 50, lon: 50 },
    expect: { state: 'none', change: /^Switch the cell on\. .* outside every coverage area/ }
  },
  {
    name: 'too old to be news',
    event: { sent_at: at(-1000) },
    expect: { state: 'suppressed', reason: 'stale', change: /raise freshness_seconds of fire/ }
  },
  {
    name: 'over',
    event: { sent_at: at(-60), expires: at(-1) },
    expect: { state: 'suppressed', reason: 'expired', change: 'Nothing: it is over.' }
  },
  {
    name: 'told already',
    before: send({ id: 'x' }),
    expect: { state: 'suppressed', reason: 'duplicate', change: /has this already/ }
  },
  {
    name: 'cooling down, with the seconds left',
    before: send({ id: 'other' }),
    expect: {
      state: 'held',
      reason: 'cooldown',
      change: /^It cools down for 2\d\d s more: .*cooldown_seconds of fire/
    }
  },
  {
    name: 'silenced, with who and until when',
    before: async (s) => silence(s, { region: 'North' }),
    expect: {
      state: 'suppressed',
      reason: 'silenced',
      change: `Silenced by Ann until ${at(60)}: end the silence, or wait.`
    }
  },
  {
    name: 'a silence of another region does not count',
    before: async (s) => silence(s, { region: 'South' }),
    event: { regions: ['North', 'South'] },
    expect: { state: 'sent' }
  },
  {
    name: 'immediate passes a silence',
    before: async (s) => silence(s, { family: 'fire' }),
    event: { severity: 'immediate' },
    expect: { state: 'sent' }
  },
  {
    name: 'inhibited by what is in force',
    cells: { weather: { North: { mt: 1 } } },
    before: send({
      id: 'w',
      family: 'weather',
      severity: 'priority',
      expires: at(120),
      data: { event_name: 'Flood Warning' }
    }),
    event: { family: 'weather', severity: 'priority', expires: at(120), data: { event_name: 'Flood Watch' } },
    expect: {
      state: 'suppressed',
      reason: 'inhibited',
      change: 'Inhibited by Flood Warning: it is sent once that is over.'
    }
  },
  {
    name: 'quiet hours hold it, and say until when',
    more: { quiet_hours: { enabled: true, start: '17:00', end: '19:30' } },
    expect: { state: 'held', reason: 'quiet_hours', change: `It waits for the end of the quiet hours at ${at(90)}.` }
  },
  {
    name: 'off, and in quiet hours: both are told',
    cells: { fire: { North: { mt: 3, enabled: false } } },
    more: { quiet_hours: { enabled: true, start: '17:00', end: '19:30' } },
    expect: { state: 'none', change: /^Switch the cell on\. It waits for the end of the quiet hours/ }
  },
  {
    name: 'a channel that stands in is told apart from the one that sends',
    cells: { fire: { North: { mt: 3, mc: 'north-fire', fallback: true } } },
    expect: {
      state: 'sent',
      channels: [
        { channel: 'mt:3', state: 'sent', reason: 'new' },
        { channel: 'mc:north-fire', state: 'stood_by', change: /stands in for Meshtastic channel 3/ }
      ]
    }
  },
  {
    name: 'nothing stands in where nothing is sent',
    cells: { fire: { North: { mt: 3, mc: 'north-fire', fallback: true } } },
    before: send({ id: 'x' }),
    expect: { state: 'suppressed', channels: [{ reason: 'duplicate' }, { reason: 'stands_idle' }] }
  },
  {
    name: 'without a radio it would wait',
    options: { noRadios: true },
    expect: { state: 'held', reason: 'no_radio', change: 'Connect a Meshtastic radio.' }
  },
  {
    name: 'a radio that is away is named once, however many channels it has here',
    cells: { fire: { North: { mt: 3, mc: 'north-fire' }, South: { mt: 4 } } },
    options: { noRadios: true },
    expect: { change: 'Connect a Meshtastic radio. Connect a MeshCore radio.' }
  },
  {
    name: 'an end goes where the beginning went',
    before: send({ id: 'x' }),
    event: { lifecycle: 'cancel', revision: '2' },
    expect: { state: 'sent', reason: 'cancel' }
  },
  {
    name: 'the end of what was never told',
    event: { lifecycle: 'cancel' },
    expect: { state: 'suppressed', reason: 'nothing_to_cancel' }
  }
]

t.test('each cell says what happens and what would have to change', async (t) => {
  for (const { name, cells = both, more = {}, coverage = {}, event = {}, before, options, region, expect } of CASES) {
    const s = await station(t, { ...options, config: { ...withMatrix(cells, more), coverage } })
    await before?.(s)
    const explanation = explained(s, { id: 'x', ...event })
    const verdict = explanation.cells.find((cell) => cell.region === (region ?? 'North'))
    t.match(verdict, expect, name)
  }
})

t.test('a radio that is away is said once for each radio, by the name of its network', async (t) => {
  const cells = { fire: { North: { mt: 3, mc: 'north-fire' } } }
  const s = await station(t, { config: withMatrix(cells) })
  const changes = (): string[] =>
    saidExplanation(s.core.explain(fresh(s, { id: 'x' }))).cells.map(({ change }) => change)
  for (const radio of [s.mt, s.mc]) radio.setFault({ down: true })
  await s.run(60)
  t.same(changes(), [
    'Bring the Meshtastic radio back: it is not ready. Bring the MeshCore radio back: it is not ready.'
  ])
})

t.test('a channel the radio does not have is not said to be sent', async (t) => {
  const s = await station(t, { config: withMatrix({ fire: { North: { mt: 3 } } }) })
  const matrix = { enabled: true, cells: { fire: { North: cell({ mc: 'unheard-of' }) } } }
  const [verdict] = saidExplanation(s.core.explain(fresh(s, { id: 'x' }), matrix)).cells
  t.match(verdict, { state: 'suppressed', reason: 'no_channel', change: /Give the radio the channel unheard-of/ })
})

t.test('an update that only adds a place is said of that place alone', async (t) => {
  const s = await station(t, { config: withMatrix({ fire: { North: { mt: 3 }, South: { mt: 3 } } }) })
  await send({ id: 'x', severity: 'critical' })(s)
  const { cells } = explained(s, { id: 'x', severity: 'critical', revision: '2', regions: ['North', 'South'] })
  t.match(cells, [
    { region: 'North', state: 'suppressed', reason: 'duplicate' },
    { region: 'South', state: 'sent', reason: 'update' }
  ])
})

t.test('cells of other families are left out, and explaining stores nothing', async (t) => {
  const s = await station(t, { config: withMatrix({ ...both, weather: { North: { mt: 1 } } }) })
  const { cells } = explained(s, { id: 'x' })
  t.same(
    cells.map(({ family, region }) => `${family} ${region}`),
    ['fire North', 'fire South']
  )
  t.same(s.deliveries(), [])
})

t.test('a back-test tells the busiest hour of each network: the law counts by the hour', async (t) => {
  const s = await station(t, {
    config: withMatrix({ fire: { North: { mt: 3 } } }, { toggles: { fire: { cooldown_seconds: 0 } } })
  })
  for (const id of ['a', 'b', 'c']) {
    await s.post({ id })
    await s.run(id === 'b' ? 3600 : 60)
  }
  const matrix = { enabled: true, cells: { fire: { North: cell({ mt: 3 }) } } }
  const backtest = s.core.backtest(matrix, START - 1, s.clock.now())
  const { networks, channels } = await backtest
  const [mt, mc] = networks
  t.ok(Math.abs((mt?.airtime_seconds ?? 0) - (channels[0]?.airtime_seconds ?? 1)) < 0.01, 'as much as its channels')
  t.equal(mt?.busiest_hour?.from, at(0), 'two of three came in the first hour')
  t.ok((mt?.busiest_hour?.airtime_seconds ?? 0) > (mt?.airtime_seconds ?? 0) / 2)
  t.ok((mt?.busiest_hour?.airtime_seconds ?? 0) < (mt?.airtime_seconds ?? 0))
  t.same(mc, { network: 'mc', airtime_seconds: 0, busiest_hour: null })
})

t.test('a back-test keeps the regions an event came with, and asks the areas of today for all others', async (t) => {
  const coverage = (name: string) => ({ region_tagging: true, areas: [{ name, bbox: [0, 0, 2, 2] }] })
  const routes = withMatrix({ fire: { North: { mt: 3 } } })
  const s = await station(t, { config: { ...routes, coverage: coverage('Old name') } })
  await s.post({ id: 'tagged', regions: [], lat: 1, lon: 1 })
  await s.post({ id: 'preset', regions: ['West'], lat: 1, lon: 1 })
  s.setConfig({ ...routes, coverage: coverage('North') })
  await s.run(60)
  const cells = { fire: { North: cell({ mt: 1 }), West: cell({ mt: 2 }), 'Old name': cell({ mt: 4 }) } }
  const { channels } = await s.core.backtest({ enabled: true, cells }, START - 1, s.clock.now())
  t.same(
    channels.map(({ channel, messages }) => [channel, messages]),
    [
      ['mt:1', 1],
      ['mt:2', 1]
    ]
  )
})

interface PlainCell {
  mt: number | null
  mc: string | null
  min_severity: (typeof SEVERITIES)[number]
  enabled: boolean
}

function cell(more: Partial<PlainCell>): PlainCell & Record<string, unknown> {
  return { mt: null, mc: null, min_severity: 'routine', enabled: true, ...more }
}

/** The event as it would be taken in, without taking it. */
function fresh(s: Station, event: Record<string, unknown>): LookoutEvent {
  const input = { source: 'test', title: 'event x', family: 'fire', regions: ['North'], ...event }
  return parseEventInput(input, { now: s.clock.now(), families: familyKeys() })
}

function explained(s: Station, event: Record<string, unknown>): SaidExplanation {
  return saidExplanation(s.core.explain(fresh(s, event)))
}
