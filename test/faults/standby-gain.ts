import { VirtualClock } from '../../src/platform/clock/clock.ts'
import { slotTimes } from '../../src/warning/outbox/standby-slots.ts'
import type { Network } from '../../src/warning/radios/radio.ts'
import { Air, MC_CHANNEL } from '../helpers/air.ts'
import { Lan } from '../helpers/lan.ts'
import { START, station, withMatrix } from '../helpers/station.ts'

const SECRET = 'a shared secret of two'
const [ONE, TWO, LISTENER] = ['!00000001', '!00000002', '!000000f1'] as const
const URL_OF_ONE = 'http://192.168.1.1:8080'
const SEVERITIES = ['immediate', 'critical', 'priority', 'routine'] as const
/** Alerts come at each of so many parts of a period. */
const PARTS = 20

interface Case {
  network: Network
  severity: (typeof SEVERITIES)[number]
  ip: boolean
  /** From the beginning of a period, milliseconds. */
  at: number
}

/** Seconds from an alert, whose first station has no radio, to the text of the second at a listener. */
async function secondsOf({ network, severity, ip, at }: Case): Promise<number> {
  const ends: (() => Promise<void> | void)[] = []
  const t = { teardown: (end: () => Promise<void> | void) => ends.push(end), fail: () => undefined } as never
  const clock = new VirtualClock(START)
  const air = new Air({ clock, random: () => 0.5, network })
  air.listener(LISTENER)
  const lan = new Lan({ clock, secret: SECRET, kind: () => 'true' })
  const configOf = (order: number): object =>
    withMatrix(
      { fire: { North: network === 'mt' ? { mt: 3 } : { mc: MC_CHANNEL } } },
      {
        standby: {
          ...{ enabled: true, order, secret: SECRET, peers: [ONE, TWO] },
          addresses: ip ? [{ order: 1, address: URL_OF_ONE }] : []
        }
      }
    )
  const first = await station(t, { config: configOf(1), clock, radios: [], askPeer: lan.ask })
  lan.add(URL_OF_ONE, { order: 1, station: () => first })
  const radio = await air.radio(TWO)
  const second = await station(t, { config: configOf(2), clock, radios: [radio], random: () => 0.5, askPeer: lan.ask })
  const { periodMs } = slotTimes(radio.description, 2)
  // Long after the radios began to listen.
  const began = Math.ceil((START + 10 * 60_000) / periodMs) * periodMs + at
  await clock.runTo(began)
  const alert = { id: 'a', title: 'Pine Fire', severity, expires: '2026-06-02T18:00:00Z' }
  for (const one of [first, second]) await one.post(alert)
  await clock.runTo(began + 10 * 60_000)
  const [told] = air.heardBy(LISTENER)
  for (const end of ends.reverse()) await end()
  if (told === undefined) throw new Error(`${network} ${severity} was not said`)
  return (told.at - began) / 1000
}

async function medianOf(of: Omit<Case, 'at'>, periodMs: number): Promise<number> {
  const all: number[] = []
  for (let n = 0; n < PARTS; n++) all.push(await secondsOf({ ...of, at: Math.round((n * periodMs) / PARTS) }))
  all.sort((a, b) => a - b)
  return ((all[PARTS / 2 - 1] ?? 0) + (all[PARTS / 2] ?? 0)) / 2
}

/** Prints the medians over a whole period, without IP and with it; answers the number of those that IP did not make shorter. */
export async function printGain(): Promise<number> {
  const all = { passed: 0, failed: 0 }
  for (const network of ['mt', 'mc'] as const) {
    const air = new Air({ clock: new VirtualClock(START), random: () => 0.5, network })
    const { periodMs } = slotTimes((await air.radio(TWO)).description, 2)
    for (const severity of SEVERITIES) {
      const without = await medianOf({ network, severity, ip: false }, periodMs)
      const withIp = await medianOf({ network, severity, ip: true }, periodMs)
      all[withIp < without ? 'passed' : 'failed']++
      console.log(`${network} ${severity}: median ${without.toFixed(0)} s without IP, ${withIp.toFixed(0)} s with it`)
    }
  }
  console.log(`${all.passed} passed, ${all.failed} failed`)
  return all.failed
}
