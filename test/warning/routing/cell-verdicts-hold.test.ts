import fc from 'fast-check'
import t from 'tap'
import type { LookoutEvent } from '../../../src/model/event.ts'
import { familyKeys } from '../../../src/model/families.ts'
import { SEVERITIES } from '../../../src/model/severity.ts'
import { parseEventInput } from '../../../src/warning/events/input.ts'
import { type SaidExplanation, saidExplanation } from '../../../src/warning/routing/said-trace.ts'
import { START, type Station, station, withMatrix } from '../../helpers/station.ts'

/** The verdict on the cells holds for every matrix and every event: it is what is sent. */

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
const REGIONS = ['North', 'South', 'West'] as const
const cellArbitrary = fc.record({
  mt: fc.option(fc.integer({ min: 0, max: 2 }), { nil: null }),
  mc: fc.option(fc.constantFrom('a', 'b'), { nil: null }),
  min_severity: fc.constantFrom(...SEVERITIES),
  enabled: fc.boolean(),
  fallback: fc.constantFrom(false, true, 'mc_first' as const)
})
const worldArbitrary = fc.record({
  enabled: fc.boolean(),
  row: fc.dictionary(fc.constantFrom(...REGIONS), cellArbitrary),
  quiet: fc.boolean(),
  told: fc.uniqueArray(fc.constantFrom(...REGIONS), { maxLength: 2 }),
  silenced: fc.option(fc.constantFrom(...REGIONS), { nil: null }),
  regions: fc.uniqueArray(fc.constantFrom(...REGIONS)),
  severity: fc.constantFrom(...SEVERITIES),
  same: fc.boolean(),
  lifecycle: fc.constantFrom('new' as const, 'update' as const, 'cancel' as const)
})

t.test('a cell is said to send exactly when a message for its channel and its region is planned', async (t) => {
  await fc.assert(
    fc.asyncProperty(worldArbitrary, async (world) => {
      const config = withMatrix(
        { fire: world.row },
        {
          region_routes: { enabled: world.enabled, cells: { fire: world.row } },
          quiet_hours: { enabled: world.quiet, start: '17:00', end: '19:30' }
        }
      )
      const s = await station(t, { config })
      await s.post({ id: 'x', regions: world.told })
      await s.run(10)
      if (world.silenced !== null) silence(s, { region: world.silenced })
      const { same, severity, lifecycle, regions } = world
      const said = explained(s, { id: same ? 'x' : 'y', revision: '2', severity, lifecycle, regions })
      const claimed = said.cells.flatMap(({ region, channels }) =>
        channels
          .filter(({ state }) => state === 'sent' || state === 'held')
          .map(({ channel }) => `${channel} ${region}`)
      )
      const planned = said.messages
        .filter(({ stands_in_for, path }) => stands_in_for === undefined && (path === 'matrix' || path === 'cancel'))
        .flatMap((message) =>
          message.regions
            .filter((region) => hasChannel(world.row[region], message) && regions.includes(region as never))
            .map((region) => `${message.transport}:${message.channel} ${region}`)
        )
      const standing = said.messages.flatMap(({ stands_in_for, transport, channel, regions: about }) =>
        stands_in_for === undefined ? [] : about.map((region) => `${transport}:${channel} ${region}`)
      )
      const waitingFallbacks = said.cells.flatMap(({ region, channels }) =>
        channels.filter(({ state }) => state === 'stood_by').map(({ channel }) => `${channel} ${region}`)
      )
      t.strictSame(claimed.sort(), planned.sort())
      t.strictSame(waitingFallbacks.sort(), standing.sort())
      for (const verdict of said.cells) {
        t.not(verdict.reason, 'silent', 'every reason has words')
        t.equal(verdict.change === '', verdict.state === 'sent', verdict.reason)
        t.notMatch(verdict.change, /\{\w+\}/, 'every value is filled in')
      }
    }),
    { numRuns: 150 }
  )
})

t.test('doing what is said makes a cell send', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(fc.constantFrom(...REGIONS), cellArbitrary),
      fc.constantFrom(...SEVERITIES),
      async (row, severity) => {
        const s = await station(t, { config: withMatrix({ fire: row }) })
        const event = fresh(s, { id: 'x', severity, regions: [...REGIONS] })
        for (const verdict of s.core.explain(event).cells) {
          const own = { ...cell({}), ...row[verdict.region] }
          const reasons = verdict.wanted.map(({ reason }) => reason)
          if (reasons.some((reason) => !['cell_disabled', 'below_min_severity', 'no_cell'].includes(reason))) continue
          if (reasons.includes('no_cell')) own.mt = 0
          if (reasons.includes('cell_disabled')) own.enabled = true
          if (reasons.includes('below_min_severity')) own.min_severity = severity
          const cells = Object.fromEntries(Object.entries(row).map(([region, other]) => [region, cell(other)]))
          const matrix = { enabled: true, cells: { fire: { ...cells, [verdict.region]: own } } }
          const again = s.core.explain(event, matrix).cells.find(({ region }) => region === verdict.region)
          const expected = reasons.includes('no_cell') ? /sent|none|suppressed/ : /sent/
          t.match(again?.state, expected, reasons.join(' '))
        }
      }
    ),
    { numRuns: 60 }
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

function hasChannel(row: Partial<PlainCell> | undefined, message: SaidExplanation['messages'][number]): boolean {
  return row !== undefined && (message.transport === 'mt' ? row.mt : row.mc) === message.channel
}

/** The event as it would be taken in, without taking it. */
function fresh(s: Station, event: Record<string, unknown>): LookoutEvent {
  const input = { source: 'test', title: 'event x', family: 'fire', regions: ['North'], ...event }
  return parseEventInput(input, { now: s.clock.now(), families: familyKeys() })
}

function explained(s: Station, event: Record<string, unknown>): SaidExplanation {
  return saidExplanation(s.core.explain(fresh(s, event)))
}
