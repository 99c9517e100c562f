import t from 'tap'
import type { PeerFault } from '../../../peers/meshcore-faults.ts'
import { Bench, seeded } from './bench.ts'

const rejections: unknown[] = []
const note = (reason: unknown): unknown => rejections.push(reason)
process.on('unhandledRejection', note)
t.teardown(() => process.off('unhandledRejection', note))

/** Faults at random places, while texts go out every few seconds. */
async function faultRun(count: number, seed: number): Promise<{ outcomes: Record<string, number>; wrong: string[] }> {
  const random = seeded(seed)
  const made = await new Bench({ contacts: [{ name: 'bob' }], random }).connected()
  const kinds: PeerFault['kind'][] = [
    'drop',
    'drop-after',
    'garbage',
    'slow',
    'half',
    'discard',
    'lost-answer',
    'push',
    'bytewise',
    'pool-full',
    'ack-late',
    'ack-never',
    'ack-twice',
    'no-repeat'
  ]
  const outcomes: Record<string, number> = {}
  const wrong: string[] = []
  const sent = new Map<string, string>()
  for (let i = 0; i < count; i++) {
    const kind = kinds[Math.floor(random() * kinds.length)] ?? 'drop'
    made.node.fault({
      kind,
      ms: Math.floor(random() * 8000),
      hex: Buffer.from(Array.from({ length: 6 }, () => Math.floor(random() * 256))).toString('hex')
    })
    if (random() < 0.1) made.node.restart()
    const direct = random() < 0.2
    const text = `text ${i}`
    const before = made.node.transmitted.length
    const outcome = await made.send(text, direct ? { to: 'bob' } : {})
    outcomes[outcome.kind] = (outcomes[outcome.kind] ?? 0) + 1
    sent.set(text, outcome.kind)
    const onAir = made.node.transmitted.slice(before).filter((entry) => entry.text.endsWith(text)).length
    if (outcome.kind === 'sent' && onAir === 0) wrong.push(`${i} ${kind}: sent, but not on the air`)
    if (outcome.kind === 'refused' && onAir > 0) wrong.push(`${i} ${kind}: refused, but on the air`)
    await made.wait(Math.floor(random() * 40_000))
  }
  for (const { text, slot, to } of made.node.transmitted) {
    const body = text.replace(/^Ridge: /, '')
    if (!sent.has(body)) wrong.push(`never asked for: ${text}`)
    if (to === null && slot !== 3) wrong.push(`wrong slot ${slot}: ${text}`)
  }
  made.node.mend()
  await made.wait(180_000)
  if (made.radio.health().state !== 'ready')
    wrong.push(`ends ${made.radio.health().state}: ${made.radio.health().reason}`)
  if ((await made.send('at the end')).kind !== 'sent') wrong.push('cannot send at the end')
  await made.close()
  if (made.clock.waiting > 0) wrong.push(`${made.clock.waiting} timers left`)
  return { outcomes, wrong }
}

t.test(
  'faults at random places: what is sent was on the air, what is refused was not, and the radio recovers',
  async (t) => {
    const count = Number(process.env['MC_FAULTS'] ?? 100)
    for (const seed of [1, 2]) {
      const { outcomes, wrong } = await faultRun(count, seed)
      t.same(wrong, [], `seed ${seed}`)
      t.comment(`seed ${seed}: ${JSON.stringify(outcomes)}`)
      t.ok((outcomes['sent'] ?? 0) > count / 4)
      t.ok((outcomes['unknown'] ?? 0) > 0)
    }
  }
)

t.test('nothing was left unhandled', async (t) => {
  await new Promise((resolve) => setImmediate(resolve))
  t.same(rejections, [])
})
