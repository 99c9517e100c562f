import t from 'tap'
import { settled } from '../../../contract/radio.ts'
import { inWords } from '../../../helpers/in-words.ts'
import type { PeerFault } from '../../../peers/meshcore-faults.ts'
import type { NodeOptions } from '../../../peers/meshcore-options.ts'
import { COMMAND } from '../../../peers/meshcore-wire.ts'
import { Bench, bench } from './bench.ts'

t.test(
  'pitfall 18, direct texts need our retries: four attempts, one timestamp, flood after two direct failures',
  async (t) => {
    const cases: [string, NodeOptions['contacts'], string[], boolean[]][] = [
      ['acknowledged at once', [{ name: 'bob' }], ['delivered'], [true]],
      ['a known path', [{ name: 'bob', pathKnown: true }], ['delivered'], [false]],
      ['a broken path', [{ name: 'bob', pathKnown: true, answers: 'flooded' }], ['delivered'], [false, false, true]],
      ['nobody', [{ name: 'bob', answers: 'never' }], ['unconfirmed'], [true, true, true, true]],
      [
        'nobody on a path',
        [{ name: 'bob', answers: 'never', pathKnown: true }],
        ['unconfirmed'],
        [false, false, true, true]
      ]
    ]
    for (const [name, contacts, kinds, floods] of cases) {
      const made = await bench(contacts === undefined ? {} : { contacts })
      const identity = { senderTimestamp: 1_800_000_002 }
      t.equal((await made.send('hello', { to: 'bob', identity })).kind, 'sent', name)
      await made.wait(180_000)
      t.same(made.kinds(), kinds, name)
      t.match(inWords(made.receipts[0]), {
        identity,
        ...(kinds[0] === 'delivered' ? { by: 'bob' } : { reason: /no acknowledgement/ })
      })
      const sent = made.events.filter(({ event }) => event === 'transmitted')
      t.same(
        sent.map((event) => event['flood']),
        floods,
        name
      )
      t.same(
        sent.map((event) => event['attempt']),
        floods.map((_, i) => i),
        `${name}: attempts count up`
      )
      t.same(new Set(made.node.transmitted.map(({ timestamp }) => timestamp)), new Set([1_800_000_002]))
      await made.close()
    }
  }
)

t.test('acknowledgements: late ones of an earlier attempt count, twice is once, never is unconfirmed', async (t) => {
  const cases: [PeerFault, string[], number][] = [
    [{ kind: 'ack-late', ms: 9000 }, ['delivered'], 2],
    [{ kind: 'ack-twice' }, ['delivered'], 1],
    [{ kind: 'ack-never', times: 9 }, ['unconfirmed'], 4]
  ]
  for (const [fault, kinds, transmissions] of cases) {
    const made = await bench({ contacts: [{ name: 'bob' }] })
    made.node.fault(fault)
    await made.send('hello', { to: 'bob' })
    await made.wait(180_000)
    t.same(made.kinds(), kinds, fault.kind)
    t.equal(made.node.transmitted.length, transmissions, fault.kind)
    await made.close()
  }
  const lost = await bench({ contacts: [{ name: 'bob', answers: 'never' }] })
  await lost.send('hello', { to: 'bob' })
  lost.breakLink()
  await lost.wait(60_000)
  t.same(lost.kinds(), ['unconfirmed'], 'no retries without a link')
  await lost.close()
})

t.test('a direct text behind others in the queue is not repeated before it could be acknowledged', async (t) => {
  const made = await bench({ contacts: [{ name: 'bob' }] })
  const before = Array.from({ length: 10 }, (_, i) => made.radio.send(made.message(`${i} ${'x'.repeat(140)}`)))
  t.equal((await made.send('hello', { to: 'bob' })).kind, 'sent')
  await settled(made.clock, Promise.all(before))
  await made.wait(60_000)
  t.equal(made.node.transmitted.filter(({ to }) => to === 'bob').length, 1)
  t.equal(made.kinds().filter((kind) => kind === 'delivered').length, 1)
  await made.close()
})

t.test(
  'contacts are known from the connection on, read again when one is missing; a stranger is refused, a name that is not unique too',
  async (t) => {
    const made = await bench({ contacts: [{ name: 'bob' }, { name: 'eve' }] })
    t.match(made.radio.details().nodes, [{ name: 'bob' }, { name: 'eve' }])
    t.match(await made.send('x', { to: 'carol' }), { kind: 'refused', retry: false, code: 'UNKNOWN_CONTACT' })
    made.node.addContact({ name: 'carol' })
    t.equal((await made.send('x', { to: 'carol', channel: 0 })).kind, 'sent', 'read again')
    made.node.addContact({ name: 'carol' })
    const [first] = made.radio.details().nodes.filter(({ name }) => name === 'carol')
    t.match(first, { lastHeardAt: made.clock.now() })
    const again = await bench({ contacts: [{ name: 'bob' }, { name: 'bob' }] })
    t.match(await again.send('x', { to: 'bob' }), { code: 'AMBIGUOUS_CONTACT', retry: false })
    made.node.fault({ kind: 'refuse', command: COMMAND.directText, code: 2 })
    t.match(await made.send('x', { to: 'bob' }), { code: 'UNKNOWN_CONTACT', retry: false })
    made.node.fault({ kind: 'pool-full' })
    t.match(await made.send('x', { to: 'bob' }), { code: 'POOL_FULL', retry: true })
    await made.close()
    await again.close()
  }
)

t.test('a channel text comes in once, with its channel and sender, in both forms of the frame', async (t) => {
  for (const protocol of [8, 13]) {
    const made = await bench({ protocol })
    made.node.receiveText(3, 'bob', 'Road closed: use the old one', 1_800_000_000)
    made.node.receiveText(3, 'bob', 'Road closed: use the old one', 1_800_000_000)
    made.node.receiveText(5, 'bob', 'Road closed: use the old one', 1_800_000_000)
    await made.wait(100)
    const text = { from: '', fromName: 'bob', direct: false, text: 'Road closed: use the old one', late: false }
    t.match(made.texts, [
      { ...text, channel: 'north-fire' },
      { ...text, channel: '#alerts' }
    ])
    t.equal(made.texts.length, 2)
    t.match(made.texts[0]?.key, /^mc\|/)
    await made.close()
  }
})

t.test(
  'texts: held while away they are late, a lost push is made up for, our own are no news, a direct one has a name',
  async (t) => {
    const made = new Bench({ contacts: [{ name: 'bob' }] })
    made.node.receiveText(3, 'bob', 'while you were away')
    await made.connected()
    t.match(made.texts, [{ text: 'while you were away', late: true, channel: 'north-fire' }])

    const own = made.message('Smoke')
    await settled(made.clock, made.radio.send(own))
    made.node.receiveText(3, 'Ridge', 'Smoke', own.identity.senderTimestamp)
    await made.wait(1000)
    t.equal(made.texts.length, 1, 'our own text coming back')

    made.node.receiveDirect('bob', 'are you there?')
    made.node.receiveDirect('nobody', 'nor do you know me')
    await made.wait(1000)
    t.match(made.texts.slice(1), [
      { direct: true, channel: null, fromName: 'bob', from: /^[0-9a-f]{12}$/, text: 'are you there?' },
      { direct: true, fromName: '', text: 'nor do you know me' }
    ])

    made.node.fault({ kind: 'discard', command: COMMAND.nextText })
    made.node.receiveText(3, 'bob', 'the question about it is lost')
    await made.wait(70_000)
    t.match(made.texts.at(-1), { text: 'the question about it is lost' })
    t.equal(made.radio.health().state, 'ready')
    await made.close()
  }
)
