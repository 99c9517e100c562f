import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { sentenceOf } from '../../../../src/model/words/sentences.ts'
import { systemClock, VirtualClock } from '../../../../src/platform/clock/clock.ts'
import type { Link, LinkSource } from '../../../../src/warning/radios/link/link.ts'
import { memorySource } from '../../../../src/warning/radios/link/memory.ts'
import { serialSource } from '../../../../src/warning/radios/link/serial.ts'
import { tcpSource } from '../../../../src/warning/radios/link/tcp.ts'
import { MeshtasticRadio } from '../../../../src/warning/radios/meshtastic/driver.ts'
import type { InboundText, RadioState } from '../../../../src/warning/radios/radio.ts'
import { settled } from '../../../contract/radio.ts'
import { inWords } from '../../../helpers/in-words.ts'
import { hasSocat, Peer } from '../../../helpers/peer.ts'
import { MeshtasticNode } from '../../../peers/meshtastic-node.ts'
import { freshId, join as joinNode, START } from './bench.ts'

// The timers of the program do not keep a process alive, and in these tests nothing else may be there that does.
const alive = setInterval(() => undefined, 1000)
t.teardown(() => clearInterval(alive))

function radioOver(t: Test, source: LinkSource): MeshtasticRadio {
  const radio = new MeshtasticRadio({ id: 'mt', source, clock: systemClock })
  t.teardown(() => radio.close())
  return radio
}

/** Until the radio is in one of these states. */
function reaches(radio: MeshtasticRadio, ...states: RadioState[]): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!states.includes(radio.health().state)) return
      stop()
      resolve()
    }
    const stop = radio.onChange(look)
    look()
  })
}

t.test('over TCP against the peer: connect, send, receive, be thrown out, come back', async (t) => {
  const peer = await Peer.start('mt', ['--port', '0', '--airtime', '20', '--ack', '50', '--name', 'Ridge'])
  t.teardown(() => peer.stop())
  const radio = radioOver(t, tcpSource({ host: '127.0.0.1', port: peer.port }))
  await radio.connect()
  t.equal(radio.description.nodeName, 'Ridge')
  const heard = new Promise<string>((resolve) => radio.onReceipt(({ kind }) => resolve(kind)))
  const outcome = await radio.send({ channel: 1, text: 'évacuez', identity: { packetId: 77 } })
  t.equal(outcome.kind, 'sent')
  t.match(await peer.until('transmitted'), { id: 77, channel: 1, text: 'évacuez', from: 11, wantAck: true })
  t.equal(await heard, 'heard')

  const texts: InboundText[] = []
  const told = new Promise<void>((resolve) => {
    radio.onText((text) => {
      texts.push(text)
      resolve()
    })
  })
  await peer.tell({ text: { from: 99, text: 'status?', channel: 1 } })
  await told
  t.match(texts, [{ from: '!00000063', text: 'status?', channel: 1 }])

  await peer.tell({ second_client: true })
  await reaches(radio, 'down')
  t.match(inWords(radio.health().reason), /closed the connection/)
  await reaches(radio, 'ready')
  t.equal((await radio.send({ channel: 1, text: 'again', identity: { packetId: 78 } })).kind, 'sent')
})

t.test('over TCP: the reason says what is wrong with the address', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  server.close()
  const radio = radioOver(t, tcpSource({ host: '127.0.0.1', port }))
  const refused = t.rejects(radio.connect(), { code: 'unavailable' })
  await reaches(radio, 'down')
  t.match(
    inWords(radio.health().reason),
    new RegExp(`cannot connect to 127.0.0.1:${port}: the host refuses the connection`)
  )
  await radio.close()
  await refused
})

t.test('over a serial line against the peer: boot noise, send, unplugged, back within 5 s of the device', async (t) => {
  if (!hasSocat()) {
    t.comment('skipped: socat is not installed: serial lines cannot be made here')
    return
  }
  const path = join(t.testdir({}), 'ttyMT')
  const peer = await Peer.start('mt', ['--pty', path, '--airtime', '20', '--ack', '50'])
  t.teardown(() => peer.stop())
  const radio = radioOver(t, serialSource(path))
  await radio.connect()
  t.equal((await radio.send({ channel: 1, text: 'over the wire', identity: { packetId: freshId() } })).kind, 'sent')
  t.match(await peer.until('transmitted'), { text: 'over the wire' })

  await peer.tell({ unplug: true })
  await reaches(radio, 'down')
  t.match(inWords(radio.health().reason), /lost|closed/)
  await new Promise((resolve) => setTimeout(resolve, 2500))
  await peer.tell({ plug: true })
  const from = Date.now()
  await reaches(radio, 'ready')
  const took = Date.now() - from
  t.ok(took < 5000, `back after ${took} ms`)
  t.equal((await radio.send({ channel: 1, text: 'back', identity: { packetId: freshId() } })).kind, 'sent')
})

/** True when this machine can list its ports. */
const hasUdev = (): boolean => spawnSync('udevadm', ['--version']).error === undefined

t.test(
  'without udevadm a device named by its USB numbers says what to install, or what to write instead',
  async (t) => {
    const before = process.env['PATH']
    t.teardown(() => {
      process.env['PATH'] = before
    })
    process.env['PATH'] = '/nowhere'
    const reason =
      /udevadm is not installed: apt-get install udev, or name the port by its file below \/dev\/serial\/by-id/
    await t.rejects(serialSource('usb:dead:beef').make().open(), { message: reason })
  }
)

t.test('pitfall 21, a serial port that is missing, locked or no device says so', async (t) => {
  const missing = '/dev/serial/by-id/usb-no-such-radio'
  await t.rejects(serialSource(missing).make().open(), { message: /is not there; is the radio plugged in/ })
  for (const path of ['usb:dead:beef', 'usb:dead:beef:1234']) {
    const reason = hasUdev() ? new RegExp(`no device ${path} is plugged in`) : /udevadm is not installed: apt-get/
    await t.rejects(serialSource(path).make().open(), { message: reason })
  }
  t.equal(await serialSource('usb:dead:beef').present?.(), false)
  if (!hasSocat()) {
    t.comment('skipped: socat is not installed: the lock is not tried')
    return
  }
  const path = join(t.testdir({}), 'ttyMT')
  const socat = spawn('socat', ['-d', '-d', `pty,raw,echo=0,link=${path}`, 'STDIO'], {
    stdio: ['pipe', 'pipe', 'pipe']
  })
  t.teardown(() => void socat.kill())
  await once(socat.stderr, 'data')
  while (!(await serialSource(path).present?.())) await new Promise((resolve) => setTimeout(resolve, 20))
  const first: Link = serialSource(path).make()
  await first.open()
  await t.rejects(serialSource(path).make().open(), { message: /in use by another program/ })
  const lost = new Promise<string>((resolve) => first.onClose((reason) => resolve(sentenceOf(reason))))
  socat.kill()
  t.match(await lost, /device was lost|closed/)
  await t.rejects(first.write(Buffer.from('x')), { message: /not open/ })
  await first.close()
  await first.close()
})

t.test('pitfall 20, the wrong device on the port: the reason names what was seen', async (t) => {
  const cases: [string, string | Buffer, RegExp][] = [
    ['GPS', '$GPRMC,081836,A,3751.65,S,14507.36,E,000.0,360.0,130998,011.3,E*62\r\n', /GPS sentences \(\$GPRMC\)/],
    ['MeshCore', Buffer.from('3e0600830102030405', 'hex'), /MeshCore frames.*"mc"/],
    ['a modem', 'OK\r\nREADY> Welcome to the terminal server\r\n', /it sends text \("READY> Welcome to/],
    ['noise', Buffer.from('00ff8091a2b3c4d5e6f708192a3b4c5d94c3ffff', 'hex'), /bytes that are no Meshtastic frame/],
    ['nothing', '', /it sends nothing; is it a Meshtastic radio/]
  ]
  for (const [name, bytes, reason] of cases) {
    const clock = new VirtualClock(START)
    const source = memorySource((end) => end.onData(() => end.write(Buffer.from(bytes))), 'serial /dev/ttyX')
    const radio = new MeshtasticRadio({ id: 'mt', source, clock, random: () => 0.5 })
    const refused = t.rejects(radio.connect(), { code: 'unavailable' })
    await clock.runTo(START + 16_000)
    t.match(inWords(radio.health()), { state: 'down', reason }, name)
    t.match(inWords(radio.health().reason), /\/dev\/ttyX in 15 s/)
    await radio.close()
    await refused
  }
})

t.test('a device file that is absent is watched every second, and its return needs no waiting time', async (t) => {
  const clock = new VirtualClock(START)
  const node = new MeshtasticNode({ clock, transport: 'serial' })
  let present = true
  let tries = 0
  const memory = memorySource((end) => {
    tries++
    if (!present) throw new Error('/dev/ttyX is not there')
    joinNode(node, end)
  })
  const source: LinkSource = { ...memory, make: () => memory.make(), present: async () => present }
  const radio = new MeshtasticRadio({ id: 'mt', source, clock, random: () => 0.5 })
  await settled(clock, radio.connect())
  await clock.runTo(clock.now() + 60_000)
  present = false
  node.drop('the device was lost')
  const before = tries
  await clock.runTo(clock.now() + 10 * 60_000)
  t.equal(tries, before, 'an absent device is not opened')
  t.equal(radio.health().state, 'down')
  present = true
  const from = clock.now()
  while (radio.health().state !== 'ready') await clock.runTo(clock.nextAt ?? 0)
  t.ok(clock.now() - from <= 1500, `${clock.now() - from} ms`)
  await radio.close()
  node.stop()
  t.equal(clock.waiting, 0)
})

t.test('a TCP peer that takes the connection and never reads or answers is given up', async (t) => {
  const sockets: Socket[] = []
  const server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const link = tcpSource({ host: '127.0.0.1', port }).make()
  await link.open()
  const from = Date.now()
  await link.close()
  t.ok(Date.now() - from < 1000, 'close does not wait for the other side')
  await t.rejects(link.write(Buffer.from('x')), { message: /not open/ })
})
