import t from 'tap'
import type { RadioState, SendOutcome } from '../../../../src/warning/radios/radio.ts'
import { type Bench, freshId, unconnected, untilReady } from './bench.ts'

/** LOOKOUT_FAULTS=1000 makes it the long run; LOOKOUT_FAULT_SEED repeats one. */
const FAULTS = Number(process.env['LOOKOUT_FAULTS'] ?? 100)
const SEED = Number(process.env['LOOKOUT_FAULT_SEED'] ?? 20_260_101)
const TRANSITIONS: Record<RadioState, readonly RadioState[]> = {
  connecting: ['ready', 'suspect', 'down', 'closed'],
  ready: ['suspect', 'down', 'closed'],
  suspect: ['ready', 'suspect', 'down', 'closed'],
  down: ['connecting', 'closed'],
  closed: []
}

function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

type Fault = (b: Bench, random: () => number) => void

const FAULT_TABLE: readonly [string, Fault][] = [
  ['drop', ({ node }) => node.drop('pulled')],
  ['short outage', ({ node }, random) => node.reboot(Math.floor(random() * 20_000))],
  ['garbage', ({ node }, random) => node.fault({ garbage: noise(random, 40) })],
  ['garbage with a header', ({ node }, random) => node.fault({ garbage: `94c301f0${noise(random, 20)}` })],
  ['unasked bytes', ({ node }, random) => node.raw(Buffer.from(noise(random, 300), 'hex'))],
  ['half a frame', ({ node }) => node.fault({ halfFrame: true })],
  ['byte by byte', ({ node }) => node.fault({ slowMs: 0 })],
  ['slow bytes', ({ node }) => node.fault({ slowMs: 5 })],
  ['full speed', ({ node }) => node.fault({ slowMs: null })],
  ['refused result', ({ node }, random) => node.fault({ refuseResult: 32 + Math.floor(random() * 3) })],
  ['refused error', ({ node }, random) => node.fault({ refuseError: 1 + Math.floor(random() * 40) })],
  ['late error', ({ node }, random) => node.fault({ lateError: 1 + Math.floor(random() * 40) })],
  ['duty cycle', ({ node }, random) => node.fault({ dutyCycle: random() < 0.2 })],
  ['lost queue reports', ({ node }) => node.fault({ loseQueueStatus: 2 })],
  ['lost acknowledgement', ({ node }) => node.fault({ loseAck: 1 })],
  ['late acknowledgement', ({ node }, random) => node.fault({ ackMs: Math.floor(random() * 90_000) })],
  ['thrown away', ({ node }) => node.fault({ swallow: 1 })],
  ['twice', ({ node }, random) => node.fault({ duplicate: random() < 0.5 })],
  ['second client', ({ node }) => void node.attach({ write: () => undefined, close: () => undefined })],
  [
    'loses half a handshake',
    ({ node }) => {
      node.fault({ lossyHandshake: true })
      node.drop()
    }
  ],
  [
    'silent',
    ({ node, clock }, random) => {
      node.fault({ silent: true })
      clock.after(random() * 120_000, () => node.fault({ silent: false }))
    }
  ],
  [
    'region unset for a while',
    ({ node, clock }) => {
      node.change({ region: 0 })
      node.reboot(1000)
      clock.after(90_000, () => {
        node.change({ region: 1 })
        node.reboot(1000)
      })
    }
  ],
  [
    'reports of others',
    ({ node }, random) => node.queueStatus(Math.floor(random() * 2 ** 32), random() < 0.5 ? 0 : 32)
  ],
  ['texts of others', ({ node }, random) => node.incoming({ from: 100 + Math.floor(random() * 600), text: 'hello' })]
]

function noise(random: () => number, max: number): string {
  return Buffer.from(Array.from({ length: 1 + Math.floor(random() * max) }, () => Math.floor(random() * 256))).toString(
    'hex'
  )
}

const unhandled: unknown[] = []
const note = (reason: unknown): unknown => unhandled.push(reason)
process.on('unhandledRejection', note)
t.teardown(() => process.off('unhandledRejection', note))

t.test(
  `${FAULTS} faults by seed ${SEED}: every text settles, every receipt is for one handed over, nothing leaks`,
  async (t) => {
    for (const transport of ['tcp', 'serial'] as const) {
      const random = seeded(SEED)
      const b = unconnected({ transport, telemetryMs: 20_000, airtimeMs: 60 })
      b.radio.connect().catch((error: unknown) => unhandled.push(error))
      const outcomes = new Map<number, SendOutcome | null>()
      const pending: Promise<void>[] = []
      const seen = new Map<string, number>()
      let state = b.radio.health().state
      const wrongSteps: string[] = []
      b.radio.onChange(() => {
        const next = b.radio.health().state
        if (next !== state && !TRANSITIONS[state].includes(next)) wrongSteps.push(`${state} → ${next}`)
        state = next
      })
      for (let i = 0; i < FAULTS; i++) {
        const [name, fault] = FAULT_TABLE[Math.floor(random() * FAULT_TABLE.length)] ?? FAULT_TABLE[0]!
        seen.set(name, (seen.get(name) ?? 0) + 1)
        if (random() < 0.8) await untilReady(b, 120_000)
        const before = random() < 0.5
        if (before) tryFault(fault, b, random)
        const packetId = freshId()
        outcomes.set(packetId, null)
        const to = random() < 0.2 ? { to: '!0000000c' } : {}
        pending.push(
          b.radio.send({ channel: 1, text: `text ${i}`, identity: { packetId }, ...to }).then((outcome) => {
            outcomes.set(packetId, outcome)
          })
        )
        await b.wait(random() * 200)
        if (!before) tryFault(fault, b, random)
        await b.wait(3000 + random() * 15_000)
      }
      b.node.mend()
      b.node.change({ region: 1 })
      b.node.drop()
      await b.wait(5 * 60_000)
      await untilReady(b, 10 * 60_000)
      t.equal(b.radio.health().state, 'ready', `${transport}: ready when all is well again`)
      await Promise.all(pending)
      t.notOk([...outcomes.values()].includes(null), 'every text has its outcome')
      const count = (kind: string): number => [...outcomes.values()].filter((outcome) => outcome?.kind === kind).length
      t.ok(
        count('sent') > FAULTS / 10,
        `${count('sent')} sent, ${count('refused')} refused, ${count('unknown')} unknown`
      )
      const onAir = new Map<number, number>()
      for (const { id } of b.node.transmitted) onAir.set(id, (onAir.get(id) ?? 0) + 1)
      t.same(
        [...onAir.values()].filter((times) => times !== 1),
        [],
        'nothing is offered twice by itself'
      )
      const refusedOnAir = [...outcomes].filter(
        ([id, outcome]) => outcome?.kind === 'refused' && onAir.has(id) && !b.node.lateRefusals.includes(id)
      )
      t.same(refusedOnAir, [], 'what was refused was never on the air')
      const strangers = b.receipts.filter(({ identity }) => {
        const outcome = outcomes.get(identity.packetId ?? 0)
        return outcome === undefined || outcome === null || outcome.kind === 'refused'
      })
      t.same(strangers, [], 'receipts are about what was handed over')
      t.same(wrongSteps, [], 'health goes its way')
      t.ok((await b.paced('at last')).kind === 'sent', 'and it sends')
      await b.close()
      t.equal(b.clock.waiting, 0, 'no timer is left')
    }
    await new Promise((resolve) => setImmediate(resolve))
    t.same(unhandled, [], 'no rejection goes unhandled')
  }
)

/** The node may be away just now; then there is nothing to break. */
function tryFault(fault: Fault, b: Bench, random: () => number): void {
  if (b.node.connected || random() < 0.5) {
    try {
      fault(b, random)
    } catch (error) {
      if (!String(error).includes('not reachable')) throw error
    }
  }
}
