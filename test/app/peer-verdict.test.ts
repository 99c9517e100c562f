import t from 'tap'
import { VirtualClock } from '../../src/platform/clock/clock.ts'
import type { Cells } from '../faults/peer-storm-events.ts'
import { type Aired, judgePeers, type PeerRun, RULES, type Told } from '../faults/peer-verdict.ts'
import { judgeSaturated, RULES as SATURATED_RULES, type Saturated } from '../faults/saturated-verdict.ts'
import { MeshtasticAir } from '../peers/meshtastic-air.ts'

/** A judge that lets everything pass would be no judge: each rule is broken once. */

const cells: Cells = { fire: { North: { mt: 1, mc: '#north', min_severity: 'routine' } } }
const aired = (text: string, more: Partial<Aired> = {}): Aired => ({
  network: 'mt',
  channel: 1,
  text,
  identity: text.length,
  ...more
})
const told = (text: string, more: Partial<Told> = {}): Told => ({
  id: text.length,
  transport: 'mt',
  channel: 1,
  state: 'heard',
  reason: null,
  text,
  family: 'fire',
  regions: ['North'],
  severity: 'routine',
  ...more
})
const good: PeerRun = {
  aired: [aired('Storm K00001 here'), aired('In two 1/2'), aired('parts 2/2')],
  told: [told('Storm K00001 here'), told('In two 1/2 parts 2/2'), told('gone', { state: 'merged' })],
  expected: [{ token: 'K00001', network: 'mt', channel: 1 }],
  cells,
  refused: []
}

t.test('a peer storm: what is as told passes, parts too, and each rule can be broken', (t) => {
  t.same(judgePeers(good), [])
  const [first, ...others] = good.aired
  if (first === undefined) throw new Error('nothing on the air')
  const cases: [string, Partial<PeerRun>, number[]][] = [
    ['a text is cut', { aired: [{ ...first, text: 'Storm K00001 her' }, ...others] }, [0, 1]],
    ['a text is lost', { aired: others }, [0, 2]],
    ['a text is on another channel', { aired: [{ ...first, channel: 2 }, ...others] }, [0, 1, 2]],
    ['a text is said twice', { aired: [...good.aired, { ...first, identity: 99 }] }, [1, 2]],
    ['a packet is said twice', { aired: [...good.aired, first] }, [1, 2, 4]],
    ['what was merged is said', { aired: [...good.aired, aired('gone')] }, [1]],
    ['a part is missing', { aired: good.aired.slice(0, 2) }, [0, 1]],
    [
      'the cell names another channel',
      { told: [...good.told, told('gone', { state: 'sent', family: 'roads' })] },
      [0, 3]
    ],
    ['the radio refused', { refused: ['mt: error 38'] }, [5]],
    ['nobody knows', { told: [...good.told, told('who knows', { state: 'sent_unknown' })] }, [6]]
  ]
  for (const [name, change, broken] of cases) {
    const found = new Set(judgePeers({ ...good, ...change }).map(({ rule }) => rule))
    t.same(
      RULES.flatMap((rule, index) => (found.has(rule) ? [index] : [])),
      broken,
      name
    )
  }
  t.end()
})

const onAir = (text: string, at: number) => ({ at, airMs: 1000, text, channel: 1, identity: at })
const delivery = (text: string, more: object = {}) =>
  ({ id: 1, transport: 'mt', channel: 1, state: 'heard', text, attempts: 1, severity: 'routine', ...more }) as never
const calm: Saturated = {
  radios: [
    {
      network: 'mt',
      label: 'MT',
      dutyCycle: 0.1,
      fast: false,
      shared: false,
      onAir: [onAir('Fire R000001', 0), onAir('Fire I000002', 8000)]
    }
  ],
  injections: [{ token: 'I000002', at: 4000, waiting: { mt: 200, mc: 200 } }],
  deliveries: [delivery('Fire R000001'), delivery('Fire I000002', { severity: 'immediate' })],
  refused: [],
  logged: [],
  queue: 200
}

t.test('a saturated run: latency, reserve and agreement are judged by what was on the air', (t) => {
  const [radio] = calm.radios
  if (radio === undefined) throw new Error('no radio')
  t.same(judgeSaturated(calm).problems, [])
  t.match(judgeSaturated(calm).figures, [{ sent: 2, immediates: 1, p50: 4000, max: 4000, bound: 4000, overBudget: 0 }])
  const flood = Array.from({ length: 202 }, (_, index) => onAir(`Fire R1${String(index).padStart(5, '0')}`, index))
  const flooded = flood.map(({ text }) => delivery(text))
  const cases: [string, Partial<Saturated>, number[]][] = [
    ['late', { injections: [{ token: 'I000002', at: 3999, waiting: { mt: 200, mc: 200 } }] }, [1]],
    ['never on the air', { radios: [{ ...radio, onAir: radio.onAir.slice(0, 1) }] }, [2, 5]],
    ['twice', { radios: [{ ...radio, onAir: [...radio.onAir, onAir('Fire I000002', 8500)] }] }, [2, 5]],
    ['a queue that ran dry', { injections: [{ token: 'I000002', at: 4000, waiting: { mt: 199, mc: 200 } }] }, [3]],
    ['as much as the budget allows', { radios: [{ ...radio, onAir: flood }], injections: [], deliveries: flooded }, []],
    [
      'a delivery that was not on the air',
      {
        radios: [{ ...radio, onAir: [...flood, ...radio.onAir] }],
        deliveries: [...calm.deliveries, ...flooded, delivery('x')]
      },
      [5]
    ],
    ['refused', { refused: ['mt: error 38'] }, [0]],
    ['a second attempt', { deliveries: [delivery('Fire R000001', { attempts: 2 }), ...calm.deliveries.slice(1)] }, [6]],
    ['an error in the log', { logged: ['{"level":50}'] }, [6]]
  ]
  for (const [name, change, broken] of cases) {
    const found = new Set(judgeSaturated({ ...calm, ...change }).problems.map(({ rule }) => rule))
    t.same(
      SATURATED_RULES.flatMap((rule, index) => (found.has(rule) ? [index] : [])),
      broken,
      name
    )
  }
  const greedy = Array.from({ length: 210 }, (_, index) => onAir(`Fire R1${String(index).padStart(5, '0')}`, index))
  const { problems } = judgeSaturated({
    ...calm,
    radios: [{ ...radio, onAir: greedy }],
    injections: [],
    deliveries: greedy.map(({ text }) => delivery(text))
  })
  t.ok(problems.length > 0 && problems.every(({ rule }) => rule === SATURATED_RULES[4]), 'the reserve is for immediate')
  t.end()
})

t.test(
  'the air of the Meshtastic peer: the times of radio practice, one packet at a time, a repeat after each',
  async (t) => {
    const clock = new VirtualClock(0)
    const after = (ms: number, task: () => void): (() => void) => clock.after(ms, task)
    const air = (preset: number): MeshtasticAir =>
      new MeshtasticAir(
        { random: () => 0.5, repeats: true, reports: 'end' },
        { clock, settings: { region: 3, preset }, after }
      )
    for (const [preset, ms] of [
      [0, 1911],
      [1, 12722],
      [6, 181],
      [7, 7016]
    ] as const)
      t.equal(Math.round(air(preset).timeOnAir(200)), ms, `200 bytes on preset ${preset}`)
    const one = air(0)
    const seen: string[] = []
    for (const name of ['a', 'b'])
      one.transmit({
        textBytes: 200,
        started: () => seen.push(`${name} starts`),
        ended: () => seen.push(`${name} ends`),
        repeated: () => seen.push(`${name} is repeated`)
      })
    await clock.runTo(60_000)
    t.same(seen.slice(0, 4), ['a starts', 'a ends', 'b starts', 'b ends'])
    t.same(new Set(seen.slice(4)), new Set(['a is repeated', 'b is repeated']))
    t.ok(one.ownUtilization > 0.001 && one.ownUtilization < 0.0011 && !one.overLimit)
  }
)
