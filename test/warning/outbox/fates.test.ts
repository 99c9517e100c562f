import { join } from 'node:path'
import t from 'tap'
import { VirtualClock } from '../../../src/platform/clock/clock.ts'
import type { Network } from '../../../src/warning/radios/radio.ts'
import { seeded } from '../../faults/storm-events.ts'
import type { Handed } from '../../helpers/handed.ts'
import { type Station, station, withMatrix } from '../../helpers/station.ts'

/** One critical message through whatever radios, phones and power do to it, at random: contract §6. */

const SEEDS = 24
const STEPS = 8
const WINDOW_MS = 10 * 60_000
const config = withMatrix({ fire: { North: { mt: 3 }, South: { mc: 'south' } } })

interface Life {
  s: Station
  handed: (Handed & { network: Network; refused: boolean })[]
  /** Texts on the air in lives that are over. */
  air: number
}

/** The troubles of a radio, and for how long they last. */
const TROUBLES: readonly [name: string, make: (life: Life, network: Network, random: () => number) => Promise<void>][] =
  [
    ['the text is lost', async ({ s }, network) => s[network].setFault({ silentNext: 'discarded' })],
    ['the answer is lost', async ({ s }, network) => s[network].setFault({ silentNext: 'on-air' })],
    [
      'refused',
      async ({ s }, network) => s[network].setFault({ refuseNext: { code: 'DUTY_CYCLE_LIMIT', retry: true } })
    ],
    [
      'a phone takes the node',
      async ({ s }, network, random) => {
        s[network].setFault({ down: true })
        await s.run(Math.round(random() * 60))
        s[network].setFault({ down: false })
      }
    ],
    [
      'away for long',
      async ({ s }, network, random) => {
        s[network].setFault({ down: true })
        await s.run(Math.round(random() * 1500))
        s[network].setFault({ down: false })
      }
    ],
    [
      'power cut',
      async (life, _network, random) => {
        // A flying message stays on its way: the process that is ended does not learn what became of it.
        const { s } = life
        for (const radio of s.radios) radio.send = () => new Promise(() => undefined)
        await s.run(Math.round(random() * 4))
        const away = random() < 0.5 ? 5000 : Math.round(random() * 30 * 60_000)
        life.air += s.mt.sentCount + s.mc.sentCount
        life.s = await s.restart({ clock: new VirtualClock(s.clock.now() + 2000 + away) })
        watch(life)
      }
    ],
    ['nothing', async ({ s }, _network, random) => s.run(Math.round(random() * 200))]
  ]

function watch(life: Life): void {
  for (const network of ['mt', 'mc'] as const) {
    const radio = life.s[network]
    const send = radio.send.bind(radio)
    radio.send = async (message) => {
      const entry = { ...message, at: life.s.clock.now(), network, refused: false }
      life.handed.push(entry)
      const outcome = await send(message)
      entry.refused = outcome.kind === 'refused'
      return outcome
    }
  }
}

t.test('a critical message ends only with an answer, its end or its cancel, whatever happens to it', async (t) => {
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = seeded(seed)
    const network: Network = random() < 0.5 ? 'mt' : 'mc'
    const s = await station(t, { config, databasePath: join(t.testdir({}), `${seed}.db`) })
    const life: Life = { s, handed: [], air: 0 }
    watch(life)
    const regions = [network === 'mt' ? 'North' : 'South']
    const expires = new Date(s.clock.now() + 24 * 3_600_000).toISOString()
    const told: string[] = []
    const trouble = async (): Promise<void> => {
      const [name, make] = TROUBLES[Math.floor(random() * TROUBLES.length)] ?? TROUBLES[0] ?? []
      told.push(name ?? '')
      await make?.(life, network, random)
      await life.s.run(Math.round(random() * 20))
    }
    if (random() < 0.7) await trouble()
    await life.s.post({ id: 'a', severity: random() < 0.5 ? 'critical' : 'immediate', regions, expires })
    for (let step = 0; step < STEPS; step++) await trouble()
    const what = `seed ${seed}, ${network}: ${told.join(', ')}`
    await life.s.run(30 * 60)
    const { mt, mc } = life.s
    t.ok(life.air + mt.sentCount + mc.sentCount > 0, `${what}: it was on the air`)
    t.match(life.s.deliveries(), [{ state: /^(heard|unconfirmed)$/ }], what)
    judgePackets(t, life.handed, what)
  }
})

/** The same packet while receivers know it, unless the radio refused it; later another, marked. */
function judgePackets(t: { ok: (fact: boolean, name: string) => boolean }, handed: Life['handed'], what: string): void {
  let first: Life['handed'][number] | undefined
  let wasRefused = true
  for (const one of handed) {
    if (first === undefined || wasRefused) first = one
    wasRefused = one.refused
    const age = one.at - first.at
    if (JSON.stringify(one.identity) === JSON.stringify(first.identity))
      t.ok(age < WINDOW_MS, `${what}: the same packet after ${age} ms`)
    else {
      const marked = one.text.startsWith('RPT ')
      t.ok(marked && age >= WINDOW_MS, `${what}: a new packet after ${age} ms: ${one.text}`)
      first = one
    }
  }
}

t.test(
  'the same, cancelled on the way: its end is told where it may have been heard, and nothing after it',
  async (t) => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const random = seeded(seed * 7919)
      const network: Network = random() < 0.5 ? 'mt' : 'mc'
      const s = await station(t, { config, databasePath: join(t.testdir({}), `${seed}.db`) })
      const life: Life = { s, handed: [], air: 0 }
      watch(life)
      const regions = [network === 'mt' ? 'North' : 'South']
      const about = {
        id: 'a',
        severity: 'immediate',
        regions,
        expires: new Date(s.clock.now() + 86_400_000).toISOString()
      }
      const trouble = async (): Promise<void> => {
        await TROUBLES[Math.floor(random() * TROUBLES.length)]?.[1](life, network, random)
      }
      if (random() < 0.7) await trouble()
      await life.s.post({ ...about, revision: '1' })
      for (let step = 0; step < 3; step++) await trouble()
      const before = life.handed.length
      await life.s.post({ ...about, revision: '2', lifecycle: 'cancel' })
      for (let step = 0; step < 3; step++) await trouble()
      await life.s.run(30 * 60)
      const open = life.s
        .deliveries()
        .filter(({ state }) => !/^(heard|unconfirmed|sent_unknown|suppressed)$/.test(state))
      t.same(open, [], `seed ${seed}: nothing stays open`)
      const after = life.handed.slice(before)
      t.ok(
        after.every(({ text }) => /\bCANCEL\b/.test(text)),
        `seed ${seed}: ${after.map(({ text }) => text).join(' | ')}`
      )
      if (life.handed.slice(0, before).some(({ refused }) => !refused)) {
        const end = life.s.deliveries().find(({ kind }) => kind === 'cancel')
        t.match(end, { state: /^(heard|unconfirmed)$/ }, `seed ${seed}: the end is told`)
      }
    }
  }
)
