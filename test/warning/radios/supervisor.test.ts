import { type ChildProcess, spawn } from 'node:child_process'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import * as v from 'valibot'
import { sentenceOf } from '../../../src/model/words/sentences.ts'
import { type Clock, systemClock } from '../../../src/platform/clock/clock.ts'
import { configSchema } from '../../../src/settings/schema.ts'
import { createRadios } from '../../../src/warning/radios/create.ts'
import { serialSource } from '../../../src/warning/radios/link/serial.ts'
import type { Network, Radio, RadioState } from '../../../src/warning/radios/radio.ts'
import { inWords } from '../../helpers/in-words.ts'
import { hasSocat, Peer } from '../../helpers/peer.ts'
import { bench as meshcore } from './meshcore/bench.ts'
import { bench as meshtastic } from './meshtastic/bench.ts'

/**
 * The supervisor keeps radios connected, the same for both networks, over serial lines as far as they can be made here.
 */

// The timers of the program do not keep a process alive.
const alive = setInterval(() => undefined, 1000)
t.teardown(() => clearInterval(alive))

const NETWORKS: readonly Network[] = ['mt', 'mc']
/** Seconds are tenths of seconds, so that nobody waits for the time-outs of a handshake. */
const START = Date.now()
const quickClock: Clock = {
  now: () => START + (Date.now() - START) * 10,
  after: (ms, task) => systemClock.after(ms / 10, task)
}

async function radioAt(t: Test, network: Network, path: string, clock: Clock = systemClock): Promise<Radio> {
  const { radios } = v.parse(configSchema, { radios: [{ id: network, network, link: 'serial', path }] })
  const setup = { configured: radios, allowSimulatedDefault: false, mcNames: () => [], clock, random: () => 0 }
  const [radio] = await createRadios(setup)
  if (radio === undefined) throw new Error('no radio')
  t.teardown(() => radio.close())
  // The test looks at whether it ever gets ready.
  radio.connect().catch(() => undefined)
  return radio
}

function reaches(radio: Radio, wanted: RadioState): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (radio.health().state !== wanted) return
      stop()
      resolve()
    }
    const stop = radio.onChange(look)
    look()
  })
}

/**
 * The reason it is down for, once it is one of those wanted; the last one heard after 40 s. A machine that stood still while
 * the quick clock went on hears nothing at first, and tries again as it would on any port.
 */
function downFor(radio: Radio, wanted: RegExp): Promise<string> {
  return new Promise((resolve) => {
    const look = (): void => {
      const { state, reason } = radio.health()
      if (state === 'down' && reason !== null && wanted.test(sentenceOf(reason))) end()
    }
    const end = (): void => {
      clearTimeout(patience)
      stop()
      const { reason } = radio.health()
      resolve(reason === null ? '' : sentenceOf(reason))
    }
    const patience = setTimeout(end, 40_000)
    const stop = radio.onChange(look)
    look()
  })
}

/** A serial line whose far end is this process. */
async function line(t: Test, path: string): Promise<ChildProcess> {
  const socat = spawn('socat', [`pty,raw,echo=0,link=${path}`, 'STDIO'], { stdio: ['pipe', 'pipe', 'inherit'] })
  t.teardown(() => void socat.kill())
  while (!(await serialSource(path).present?.())) await new Promise((resolve) => setTimeout(resolve, 20))
  return socat
}

t.test(
  'a zombie, open and deaf, is found within 60 s when nothing is sent, suspected first on Meshtastic',
  async (t) => {
    const mt = await meshtastic()
    const mc = await meshcore()
    await Promise.all([mt.wait(20_000), mc.wait(20_000)])
    mt.node.fault({ silent: true })
    mc.node.fault({ kind: 'stop' })
    for (const [name, { radio, clock }] of [
      ['Meshtastic', mt],
      ['MeshCore', mc]
    ] as const) {
      const states: RadioState[] = []
      radio.onChange(() => states.push(radio.health().state))
      const from = clock.now()
      while (radio.health().state !== 'down' && clock.nextAt !== null) await clock.runTo(clock.nextAt)
      t.ok(clock.now() - from <= 60_000, `${name}: ${clock.now() - from} ms`)
      t.match(inWords(radio.health()), { state: 'down', reason: /answer/ }, name)
      t.equal(states.at(-1), 'down')
    }
    await mt.close()
    await mc.close()
  }
)

t.test('a device that is back on its serial line is ready within 5 s, on both networks', async (t) => {
  if (!t.ok(hasSocat(), 'socat is installed: it makes the serial lines')) return
  for (const network of NETWORKS) {
    const path = join(t.testdir({}), `tty-${network}`)
    const args = network === 'mt' ? ['--pty', path] : ['--port', '0', '--pty', path]
    const peer = await Peer.start(network, args)
    t.teardown(() => peer.stop())
    const radio = await radioAt(t, network, path)
    await reaches(radio, 'ready')
    await peer.tell(network === 'mt' ? { unplug: true } : { do: 'unplug' })
    await reaches(radio, 'down')
    t.match(inWords(radio.health().reason), /lost|closed/, network)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await peer.tell(network === 'mt' ? { plug: true } : { do: 'plug' })
    const from = Date.now()
    await reaches(radio, 'ready')
    t.ok(Date.now() - from < 5000, `${network}: back after ${Date.now() - from} ms`)
    await radio.close()
  }
})

t.test('a serial device whose file goes away is lost, even when the port says nothing', async (t) => {
  if (!t.ok(hasSocat(), 'socat is installed: it makes the serial lines')) return
  const path = join(t.testdir({}), 'ttyX')
  await line(t, path)
  const link = serialSource(path).make()
  const lost = new Promise<string>((resolve) => link.onClose((reason) => resolve(sentenceOf(reason))))
  await link.open()
  const from = Date.now()
  renameSync(path, `${path}-gone`)
  t.match(await lost, /the device was lost: its device file is gone/)
  t.ok(Date.now() - from < 3000, `${Date.now() - from} ms`)
  await link.close()
})

interface Stranger {
  name: string
  /** The bytes it says by itself, again and again, or answers to whatever it is sent. */
  says?: () => Buffer
  answers?: Buffer
  seen: Record<Network, RegExp>
}

const NMEA = '$GNGGA,081836.00,3751.65,S,14507.36,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n$GNRMC,081836.00,A,3751.65,S*62\r\n'
const STRANGERS: readonly Stranger[] = [
  {
    name: 'a GPS',
    says: () => Buffer.from(NMEA),
    seen: { mt: /it sends GPS sentences \(\$GN(?:GGA|RMC)/, mc: /a GPS receiver \(NMEA sentences\) is on this port/ }
  },
  {
    name: 'random bytes',
    says: randomBytes(),
    seen: {
      mt: /it sends bytes that are no Meshtastic frame \((?:[0-9a-f]{2} ){8}…\)/,
      mc: /unknown bytes were received \((?:[0-9a-f]{2} ){8}…\): another kind of device/
    }
  },
  {
    name: 'a console',
    answers: Buffer.from('\r\nlogin: '),
    seen: { mt: /it sends text \("login: /, mc: /plain text was received: a boot log or a console/ }
  },
  { name: 'nobody', seen: { mt: /it sends nothing; is it a Meshtastic radio/, mc: /nothing was received: is it/ } }
]

/** The same bytes in every run, of all values. */
function randomBytes(): () => Buffer {
  let state = 20_260_101
  return () =>
    Buffer.from(
      Array.from({ length: 64 }, () => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        return state >>> 24
      })
    )
}

t.test('the wrong device on the serial port: the reason names what was seen, on both networks', async (t) => {
  if (!t.ok(hasSocat(), 'socat is installed: it makes the serial lines')) return
  const folder = t.testdir({})
  await Promise.all(
    NETWORKS.flatMap((network) =>
      STRANGERS.map(async ({ name, says, answers, seen }, at) => {
        const path = join(folder, `tty-${network}-${at}`)
        const socat = await line(t, path)
        if (says !== undefined) {
          const talk = setInterval(() => socat.stdin?.write(says()), 50)
          t.teardown(() => clearInterval(talk))
        }
        if (answers !== undefined) socat.stdout?.on('data', () => socat.stdin?.write(answers))
        const radio = await radioAt(t, network, path, quickClock)
        const reason = await downFor(radio, seen[network])
        t.match(reason, seen[network], `${network}: ${name}`)
        t.match(reason, path, 'and where')
        await radio.close()
      })
    )
  )
})

t.test('the other firmware on the serial port is named with what to set, on both networks', async (t) => {
  if (!t.ok(hasSocat(), 'socat is installed: it makes the serial lines')) return
  const folder = t.testdir({})
  for (const [network, other, reason] of [
    ['mt', 'mc', /it sends MeshCore frames: set this radio's network to "mc", or correct the path/],
    ['mc', 'mt', /a Meshtastic radio is on this port: set "network" to "mt", or choose the other port/]
  ] as const) {
    const path = join(folder, `tty-${other}`)
    const peer = await Peer.start(other, other === 'mt' ? ['--pty', path] : ['--port', '0', '--pty', path])
    t.teardown(() => peer.stop())
    const radio = await radioAt(t, network, path, quickClock)
    t.match(await downFor(radio, reason), reason)
    await radio.close()
  }
})
