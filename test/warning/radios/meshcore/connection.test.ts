import t from 'tap'
import { VirtualClock } from '../../../../src/platform/clock/clock.ts'
import { memorySource } from '../../../../src/warning/radios/link/memory.ts'
import { MeshCoreRadio } from '../../../../src/warning/radios/meshcore/driver.ts'
import { Timers } from '../../../../src/warning/radios/meshcore/timers.ts'
import { settled } from '../../../contract/radio.ts'
import { inWords } from '../../../helpers/in-words.ts'
import { secretOf } from '../../../peers/meshcore-air.ts'
import { COMMAND } from '../../../peers/meshcore-wire.ts'
import { Bench, bench, START } from './bench.ts'

t.test(
  'pitfall 17, the slot differs per node and over time: the name is looked up at every connection, and on a miss',
  async (t) => {
    const made = await bench()
    const slots = async (): Promise<number | null | undefined> => {
      await made.send('where')
      return made.node.transmitted.at(-1)?.slot
    }
    t.equal(await slots(), 3)
    made.breakLink()
    made.node.clearSlot(3)
    made.node.setSlot(12, 'north-fire')
    made.mendLink()
    while (made.radio.health().state !== 'ready') await made.clock.runTo(made.clock.nextAt ?? 0)
    t.equal(await slots(), 12)
    made.node.setSlot(7, 'ops')
    let changes = 0
    made.radio.onChange(() => changes++)
    t.equal((await made.send('new', { channel: 'ops' })).kind, 'sent', 'added by an app meanwhile')
    t.equal(changes, 1, 'and told')
    t.equal(made.node.transmitted.at(-1)?.slot, 7)
    made.node.setSlot(8, 'weather')
    await made.wait(11 * 60_000)
    t.ok(
      made.radio.channels().some(({ id }) => id === 'weather'),
      'and read again from time to time'
    )
    await made.close()
  }
)

t.test('pitfall 19, the clock: set when it is behind, left alone when it is ahead or right', async (t) => {
  for (const [clockOffset, sets] of [
    [-3600, 1],
    [-1, 0],
    [0, 0],
    [3600, 0]
  ] as const) {
    const made = await bench({ clockOffset })
    t.equal(made.node.commands.filter((code) => code === COMMAND.setTime).length, sets, `${clockOffset} s`)
    t.ok(made.node.clock >= Math.floor(made.clock.now() / 1000) - 1)
    const said = made.radio.time()
    t.equal(Math.round(((said?.told ?? 0) - (said?.at ?? 0)) / 1000), clockOffset, 'its time as it told it')
    t.ok(said?.proven, 'nobody on the mesh sets it')
    await made.close()
    t.equal(made.radio.time(), null)
  }
  const refusing = new Bench({ clockOffset: -3600 })
  refusing.node.fault({ kind: 'refuse', command: COMMAND.setTime, code: 6 })
  await refusing.connected()
  t.equal(refusing.radio.health().state, 'ready', 'a refusal is no reason to stop')
  await refusing.close()
  const unset = await new Bench({ clockOffset: -100 }, new VirtualClock(86_400_000)).connected()
  t.notOk(unset.node.commands.includes(COMMAND.setTime), 'a clock of ours that was never set sets nothing')
  await unset.close()
})

t.test('pitfall 20, the wrong device on the port: it says what was seen, and no text goes out', async (t) => {
  const cases: [string, string, RegExp][] = [
    ['nothing', '', /nothing was received/],
    ['GPS', Buffer.from('$GPGGA,1,2\r\n').toString('hex'), /GPS receiver/],
    ['Meshtastic', '94c300045a020810', /Meshtastic radio is on this port/],
    ['random', 'ff00913e77d29c', /unknown bytes were received \(ff 00 91/],
    ['boot log', Buffer.from('ets Jul 29 2019 12:21:46\r\nrst:0x1\r\n').toString('hex'), /plain text/]
  ]
  for (const [name, answer, expected] of cases) {
    const clock = new VirtualClock(START)
    const source = memorySource((end) => end.onData(() => end.write(Buffer.from(answer, 'hex'))), 'serial /dev/ttyACM0')
    const radio = new MeshCoreRadio({ id: 'hill', source, clock })
    const refused = t.rejects(radio.connect(), { code: 'unavailable' })
    await clock.runTo(START + 15_000)
    t.match(inWords(radio.health().reason), expected, name)
    t.match(inWords(radio.health().reason), /No MeshCore radio answers on serial \/dev\/ttyACM0/)
    await radio.close()
    await refused
    t.equal(clock.waiting, 0)
  }
  const asleep = memorySource((end) =>
    end.onData((bytes) => {
      // Meshtastic speaks only when it is spoken to in its own frames.
      if (bytes[0] === 0x94) end.write(Buffer.from('94c300045a020810', 'hex'))
    })
  )
  const clock = new VirtualClock(START)
  const radio = new MeshCoreRadio({ id: 'hill', source: asleep, clock })
  radio.connect().catch(() => undefined)
  await clock.runTo(START + 15_000)
  t.match(inWords(radio.health().reason), /Meshtastic radio/)
  await radio.close()
})

t.test(
  'a node makes itself known once in twelve hours, not at every start or reconnect, and its airtime is told',
  async (t) => {
    const made = await bench()
    const adverts = (): number => made.node.commands.filter((code) => code === COMMAND.advert).length
    t.equal(adverts(), 1)
    t.match(made.spent, [{ kind: 'advert', at: START }])
    t.ok((made.spent[0]?.ms ?? 0) > 100, 'an advert is longer than a short text')
    for (let i = 0; i < 3; i++) {
      made.node.dropLink()
      while (made.radio.health().state !== 'ready') await made.clock.runTo(made.clock.nextAt ?? 0)
    }
    await made.wait(11 * 3_600_000)
    t.equal(adverts(), 1)
    await made.wait(1.1 * 3_600_000)
    t.equal(adverts(), 2)
    t.equal(made.spent.filter(({ kind }) => kind === 'advert').length, 2)
    await made.close()
  }
)

t.test(
  'a process that knows of the last advert waits for the rest of the twelve hours; one of the future counts for nothing',
  async (t) => {
    for (const [advertAt, expected] of [
      [START - 3_600_000, 0],
      [START - 12 * 3_600_000, 1],
      [START + 10 * 365 * 86_400_000, 1]
    ] as const) {
      const made = new Bench()
      made.radio.recall({ advertAt })
      await made.connected()
      t.equal(made.node.commands.filter((code) => code === COMMAND.advert).length, expected, `${advertAt}`)
      await made.close()
    }
  }
)

t.test('a silent discard is unknown, three overdue answers running end the link, and it comes back', async (t) => {
  const made = await bench()
  made.node.fault({ kind: 'discard', command: COMMAND.channelText })
  t.match(await made.send('discarded'), { kind: 'unknown' })
  t.equal(made.radio.health().state, 'ready', 'one is no death')
  t.equal((await made.send('in step again')).kind, 'sent')
  made.node.fault({ kind: 'stop' })
  const states: string[] = []
  made.radio.onChange(() => states.push(made.radio.health().state))
  t.match(await made.send('into silence'), { kind: 'refused', code: 'NOT_CONNECTED' }, 'its slot was not told')
  await made.wait(6100)
  t.match(
    inWords(made.radio.health()),
    { state: 'down', reason: /did not answer 3 commands running/ },
    states.join(' ')
  )
  t.match(await made.send('not taken'), { kind: 'refused', retry: true, code: 'NOT_CONNECTED' })
  made.node.mend()
  await made.wait(120_000)
  t.equal(made.radio.health().state, 'ready')
  t.equal((await made.send('again')).kind, 'sent')
  await made.close()
})

t.test(
  'a client that died in the middle of a frame: the node swallows the first question, and is asked again',
  async (t) => {
    const made = new Bench({ rule: 'serial' })
    const dead = made.node.attach({ write: () => undefined, close: () => undefined })
    dead.data(Buffer.from('3c0300', 'hex'))
    await made.connected()
    t.equal(made.radio.health().state, 'ready')
    t.ok(made.written.filter((frame) => frame === '3c02001603').length >= 2, 'DEVICE_QUERY was repeated')
    await made.close()
  }
)

t.test("the share of an hour's airtime is told of a whole hour only", async (t) => {
  const made = await bench()
  t.match(made.radio.details(), { airUtilization: null, channelUtilization: null }, 'one reading is none')
  // The peer counts a second for each packet it transmits: in ten minutes more than 10 % of the time.
  for (let i = 0; i < 60; i++) {
    await made.send(`text ${i}`)
    await made.wait(10_000)
  }
  t.equal(made.radio.details().airUtilization, null, 'ten minutes say nothing of an hour')
  t.ok((made.radio.details().channelUtilization ?? 0) > 0.05, 'of a minute they do')
  await made.wait(51 * 60_000)
  const { airUtilization } = made.radio.details()
  t.ok(airUtilization !== null && airUtilization > 0.01 && airUtilization < 0.03, `${airUtilization}`)
  await made.close()
})

t.test(
  'a link with nothing but frames on it that carries anything else is given up, and what was handed over is unknown',
  async (t) => {
    const made = await bench()
    made.node.fault({ kind: 'garbage', command: COMMAND.channelText, hex: '00ff3e' })
    made.node.fault({ kind: 'garble', command: COMMAND.channelText })
    t.match(await made.send('Fire at the mill'), { kind: 'unknown' })
    t.equal(made.radio.health().state, 'down')
    t.match(inWords(made.radio.health().reason), /frames stopped making sense/)
    await made.connected()
    t.match(await made.send('Fire at the mill', { identity: { senderTimestamp: 1_790_000_000 } }), { kind: 'sent' })
    await made.close()
  }
)

t.test('a direct text that the radio took with other words than ours is not said to have been sent', async (t) => {
  const made = await bench({ contacts: [{ name: 'bob' }] })
  made.node.fault({ kind: 'garble', command: COMMAND.directText })
  t.match(inWords(await made.send('Fire at the mill', { to: 'bob' })), {
    kind: 'unknown',
    reason: /other words than ours/
  })
  t.match(await made.send('Fire at the mill', { to: 'bob' }), { kind: 'sent' })
  await made.close()
})

t.test(
  'contacts and a channel that is set up meanwhile are known without waiting; no battery is no reading',
  async (t) => {
    const made = await bench({ contacts: [{ name: 'bob' }], millivolts: 0 })
    t.match(made.radio.details().nodes, [{ name: 'bob' }])
    t.equal(made.radio.details().batteryMillivolts, null)
    t.notOk(made.radio.channels().some(({ name }) => name === 'valley'))
    made.node.setSlot(7, 'valley')
    await settled(made.clock, made.radio.readChannels())
    t.ok(made.radio.channels().some(({ name }) => name === 'valley'))
    await made.close()
  }
)

t.test(
  'a text whose repeats the firmware does not show is unconfirmed for good; 155 bytes with the name are shown',
  async (t) => {
    const made = await bench({ name: 'Ridge' })
    await made.send('x'.repeat(155 - 'Ridge: '.length))
    await made.wait(60_000)
    t.same(made.kinds(), ['heard'])
    await made.send('y'.repeat(156 - 'Ridge: '.length))
    await made.wait(60_000)
    t.match(inWords(made.receipts.at(-1)), { kind: 'unconfirmed', retry: false, reason: /too long/ })
    await made.close()
  }
)

t.test('further attempts of a direct text are told as time on the air', async (t) => {
  const made = await bench({ contacts: [{ name: 'bob', answers: 'never' }] })
  await made.send('are you there?', { to: 'bob' })
  await made.wait(600_000)
  t.equal(made.spent.filter(({ kind }) => kind === 'attempt').length, 3)
  await made.close()
})

t.test('channel secrets are never logged', async (t) => {
  const made = await bench()
  await made.send('Smoke')
  made.breakLink()
  await made.wait(5000)
  await made.close()
  t.ok(made.logged.length > 3)
  const secret = secretOf('north-fire')
  for (const line of [...made.logged, JSON.stringify(made.radio.channels()), JSON.stringify(made.radio.details())]) {
    t.notMatch(line, secret.toString('hex'))
    t.notMatch(line, secret.toString('base64'))
    t.notMatch(line, `"${[...secret].join(',')}`)
  }
})

t.test('a header made of noise hides the answer only until it is overdue', async (t) => {
  const made = await bench()
  made.node.fault({ kind: 'garbage', command: COMMAND.channelText, hex: '3eb00088' })
  const startedAt = made.clock.now()
  t.equal((await made.send('Smoke')).kind, 'sent', 'the OK was inside')
  t.ok(made.clock.now() - startedAt >= 3000)
  await made.close()
})

t.test('a timer that ran or was cancelled knows nothing of the close after it', async (t) => {
  const clock = new VirtualClock(START)
  const timers = new Timers(clock)
  const told: string[] = []
  const task = (name: string) => [() => void told.push(`${name} ran`), () => void told.push(`${name} closed`)] as const
  timers.after(1.5, ...task('first'))
  timers.after(10, ...task('second'))()
  timers.after(10, ...task('third'))
  await clock.runTo(START + 2)
  timers.close()
  timers.after(1, ...task('late'))
  await clock.runTo(START + 100)
  t.same(told, ['first ran', 'third closed', 'late closed'])
})

t.test('a text that still waited behind another when the link was lost was not handed over', async (t) => {
  const made = await bench()
  made.node.fault({ kind: 'discard', command: COMMAND.channelText })
  const first = made.radio.send(made.message('in flight'))
  const second = made.radio.send(made.message('behind it'))
  await made.wait(100)
  made.breakLink()
  t.match(await first, { kind: 'unknown' })
  t.match(await second, { kind: 'refused', retry: true, code: 'NOT_CONNECTED' })
  t.same(made.heardOnAir(), [])
  await made.close()
})

t.test('pitfall 17, the channels change while we are connected: a text goes by the name, or not at all', async (t) => {
  const made = await bench()
  t.equal((await made.send('in slot 3')).kind, 'sent')
  made.node.setSlot(3, 'private')
  made.node.setSlot(7, 'north-fire')
  t.equal((await made.send('in slot 7')).kind, 'sent')
  made.node.clearSlot(7)
  t.match(await made.send('nowhere'), { kind: 'refused', retry: false, code: 'NO_CHANNEL' })
  made.node.setSlot(7, 'north-fire', Buffer.alloc(16, 9))
  t.equal((await made.send('with the new key')).kind, 'sent')
  t.same(
    made.node.transmitted.map(({ slot, text }) => `${slot} ${text}`),
    ['3 Ridge: in slot 3', '7 Ridge: in slot 7', '7 Ridge: with the new key']
  )
  await made.close()
})

t.test('a companion that never answers something a text can do without is used all the same', async (t) => {
  for (const command of [COMMAND.getTime, COMMAND.setTime, COMMAND.advert, COMMAND.nextText, COMMAND.stats]) {
    const made = new Bench({ clockOffset: -3600 })
    made.node.fault({ kind: 'discard', command, times: Number.POSITIVE_INFINITY })
    await made.connected()
    t.equal(made.radio.health().state, 'ready', `command ${command}`)
    t.equal((await made.send('first')).kind, 'sent')
    await made.wait(180_000)
    const { state, since } = made.radio.health()
    t.ok(state === 'ready' && since < START + 60_000, `and stays ready: ${state} since ${since - START}`)
    const before = made.clock.now()
    t.equal((await made.send('second')).kind, 'sent')
    t.ok(made.clock.now() - before < 15_000, `${made.clock.now() - before} ms`)
    await made.close()
  }
})

t.test('a board that starts when its port is opened is asked until it has started', async (t) => {
  for (const log of ['', 'ets Jul 29 2019 12:21:46\r\n']) {
    const made = new Bench()
    made.node.fault({ kind: 'discard', times: 4 })
    if (log !== '') made.node.fault({ kind: 'garbage', hex: Buffer.from(log).toString('hex') })
    await made.connected()
    t.ok(made.clock.now() - START >= 6000)
    t.notMatch(made.logged.join(), /down/, 'at the first attempt')
    await made.close()
  }
})
