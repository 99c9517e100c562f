import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import t from 'tap'
import type { SendOutcome } from '../../../../src/warning/radios/radio.ts'
import { inWords } from '../../../helpers/in-words.ts'
import { type Bench, bench, unconnected, untilReady } from './bench.ts'

/**
 * Habits of this firmware that nobody expects, by their number in docs/radio-pitfalls.md; 20 and 21 stand with the
 * links.
 */

const kinds = ({ receipts }: Bench): string[] => receipts.map(({ kind }) => kind)

t.test('pitfall 1, rate limit with from = 0: we always say who we are, so the refusal reaches us', async (t) => {
  const b = await bench()
  t.equal((await b.send('one')).kind, 'sent')
  t.match(await b.send('two, too soon'), { kind: 'refused', retry: true, code: 'RATE_LIMIT_EXCEEDED' })
  await b.wait(3000)
  t.equal((await b.send('three')).kind, 'sent')
  t.ok(b.node.transmitted.every(({ from }) => from === 11))
  t.equal(b.node.transmitted.length, 2)
  await b.close()
})

t.test('pitfall 2, 235 bytes and more get no answer: they are refused before they are handed over', async (t) => {
  const b = await bench()
  const cases: [number, Partial<SendOutcome>][] = [
    [232, { kind: 'sent' }],
    [233, { kind: 'refused', retry: false, code: 'TOO_LARGE' }],
    [234, { kind: 'refused', retry: false, code: 'TOO_LARGE' }],
    [235, { kind: 'refused', retry: false, code: 'TOO_LARGE' }],
    [5000, { kind: 'refused', retry: false, code: 'TOO_LARGE' }]
  ]
  for (const [bytes, expected] of cases) t.match(await b.paced('x'.repeat(bytes)), expected, `${bytes} bytes`)
  t.match(await b.paced('火'.repeat(78)), { code: 'TOO_LARGE' }, 'bytes, not characters')
  const handed = b.node.received.filter(({ payloadVariant }) => payloadVariant.case === 'packet')
  t.equal(handed.length, 4, '235 and 5000 were never written')
  await b.close()
})

t.test('pitfall 3, hop limit 0: a text always has hops, whatever the settings say', async (t) => {
  for (const [set, sent] of [
    [0, 3],
    [1, 1],
    [7, 7],
    [12, 7]
  ] as const) {
    const b = await bench({ hopLimit: set })
    await b.send('text')
    t.equal(b.node.transmitted[0]?.hopLimit, sent, `set to ${set}`)
    await b.close()
  }
})

t.test(
  'pitfall 4, a second client: lost within seconds again and again, the reason says somebody else uses it',
  async (t) => {
    const b = await bench()
    const thief = (): void => void b.node.attach({ write: () => undefined, close: () => undefined })
    for (let i = 0; i < 2; i++) {
      thief()
      t.notMatch(inWords(b.radio.health().reason), /someone else/, `loss ${i + 1}`)
      await untilReady(b, 60_000)
    }
    thief()
    t.match(inWords(b.radio.health()), { state: 'down', reason: /3 times running: someone else, such as a phone app/ })
    await untilReady(b, 120_000)
    await b.wait(60_000)
    thief()
    t.notMatch(inWords(b.radio.health().reason), /someone else/, 'a minute of quiet, and it counts anew')
    await b.close()
  }
)

t.test(
  'pitfall 5, queue reports may be missing: the text is sent after three times its airtime and 2 s, or when heard',
  async (t) => {
    const b = await bench({ airtimeMs: 60, ackMs: 30_000 })
    b.node.fault({ loseQueueStatus: 1 })
    const from = b.clock.now()
    t.equal((await b.send('one report')).kind, 'sent')
    const took = b.clock.now() - from
    t.ok(took > 2000 && took < 3000, `${took} ms`)
    await b.wait(3000)
    b.node.fault({ loseQueueStatus: 2, ackMs: 500 })
    const outcome = await b.send('no report, but heard')
    t.equal(outcome.kind, 'sent')
    await b.wait(10)
    t.equal(kinds(b).at(-1), 'heard')
    await b.wait(3000)
    b.node.fault({ loseQueueStatus: 2, ackMs: 5000 })
    t.equal((await b.send('no report, heard later')).kind, 'unknown')
    await b.wait(5000)
    t.equal(kinds(b).at(-1), 'heard', 'what was unknown is told when it is learnt')
    await b.close()
  }
)

t.test('pitfall 6, an implicit acknowledgement is not delivery', async (t) => {
  const b = await bench({ contacts: [] })
  await b.send('to nobody', { to: '!00000042' })
  await b.wait(60_000)
  t.same(kinds(b), ['heard', 'unconfirmed'])
  await b.close()
})

t.test('pitfall 7, the node restarts after a change of settings: new settings are read at the reconnect', async (t) => {
  const b = await bench({ preset: 6 })
  await b.wait(40_000)
  b.node.change({ preset: 0, channels: [{ index: 0, name: 'Valley', role: 1 }] })
  b.node.reboot(5000)
  t.equal(b.radio.health().state, 'down')
  t.ok((await untilReady(b, 30_000)) < 15_000)
  t.equal(b.radio.description.modem.label, 'LongFast')
  t.same(b.radio.channels(), [{ id: 0, name: 'Valley', enabled: true }])
  await b.close()

  const usb = await bench({ transport: 'serial' })
  await usb.wait(40_000)
  usb.node.reboot(4000)
  await usb.wait(4001)
  t.match(inWords(usb.radio.health()), { state: 'down', reason: /restarted/ }, 'over serial the node says so')
  t.ok((await untilReady(usb, 30_000)) < 10_000)
  t.equal((await usb.send('again')).kind, 'sent')
  await usb.close()
})

t.test('pitfall 8, region UNSET: shown as a problem, nothing is sent, and all is well once it is set', async (t) => {
  const b = unconnected({ region: 0 })
  let connected = false
  const connecting = b.radio.connect().then(() => {
    connected = true
  })
  await b.wait(1000)
  t.match(inWords(b.radio.health()), { state: 'suspect', reason: /region of this radio is not set/ })
  t.match(inWords(await b.send('text')), { kind: 'refused', retry: true, code: 'TX_DISABLED', reason: /region/ })
  await b.wait(120_000)
  t.equal(b.radio.health().state, 'suspect', 'it answers, and still cannot send')
  t.notOk(connected)
  b.node.change({ region: 1 })
  b.node.reboot(3000)
  await untilReady(b, 60_000)
  await connecting
  t.equal((await b.send('text')).kind, 'sent')
  b.node.change({ txEnabled: false })
  b.node.reboot(1000)
  await b.wait(30_000)
  t.match(inWords(b.radio.health()), { state: 'suspect', reason: /transmitting is switched off/ })
  await b.close()
})

t.test('pitfall 9, packets held while we were away are late; fresh ones are not', async (t) => {
  const b = await bench()
  await b.wait(40_000)
  b.node.drop()
  const seconds = (ms: number): number => Math.floor((b.clock.now() - ms) / 1000)
  b.node.incoming({ from: 50, text: 'no clock' })
  b.node.incoming({ from: 51, text: 'an hour ago', rxTime: seconds(3_600_000) })
  await untilReady(b, 60_000)
  await b.wait(2000)
  b.node.incoming({ from: 52, text: 'fresh, no clock' })
  b.node.incoming({ from: 53, text: 'fresh', rxTime: seconds(1000) })
  t.same(
    b.texts.map(({ text, late }) => [text, late]),
    [
      ['no clock', true],
      ['an hour ago', true],
      ['fresh, no clock', false],
      ['fresh', false]
    ]
  )
  await b.close()
})

t.test('pitfall 10, 15 minutes without a word: the node is never left waiting that long', async (t) => {
  const b = await bench({ telemetryMs: 0 })
  let before = b.node.received.length
  for (let minute = 0; minute < 60; minute++) {
    await b.wait(60_000)
    t.ok(b.node.received.length > before)
    before = b.node.received.length
  }
  t.equal(b.radio.health().state, 'ready')
  await b.close()
})

t.test(
  'pitfall 22, neither serialport nor any package is loaded eagerly: both drivers and their links are all our own',
  async (t) => {
    const src = resolve(import.meta.dirname, '../../../../src/warning/radios')
    const seen = new Set<string>()
    const packages: string[] = []
    const walk = (file: string): void => {
      if (seen.has(file)) return
      seen.add(file)
      const text = readFileSync(file, 'utf8')
      for (const [, target = ''] of text.matchAll(/^(?:import|export) (?!type )[^'"]*?from '([^']+)'/gm)) {
        if (target.startsWith('.')) walk(resolve(dirname(file), target))
        else if (!target.startsWith('node:')) packages.push(`${file}: ${target}`)
      }
    }
    const entries = ['create.ts', 'meshtastic/driver.ts', 'meshcore/driver.ts', 'link/serial.ts', 'link/tcp.ts']
    for (const entry of entries) walk(join(src, entry))
    t.same(packages, [])
    t.ok(seen.size >= 30, `${seen.size} files read`)
  }
)

t.test(
  'a node whose clock is hours behind hears fresh texts: only what comes with the connection can be late',
  async (t) => {
    const b = await bench()
    await b.wait(11_000)
    b.node.incoming({ from: 51, text: '!help', rxTime: Math.floor((b.clock.now() - 7_200_000) / 1000) })
    await b.wait(100)
    t.match(b.texts, [{ text: '!help', late: false }])
    await b.close()
  }
)
