import type { Test } from 'tap'
import type { VirtualClock } from '../../src/platform/clock/clock.ts'
import type { Radio, RadioMessage, RadioState, Receipt, SendOutcome } from '../../src/warning/radios/radio.ts'

/** One radio under test, and how to speak to it. Every message has an identity of its own. */
export interface RadioUnderTest {
  radio: Radio
  clock: VirtualClock
  /** A short text for a channel the radio has. */
  message: () => RadioMessage
  /** A text longer than the network carries. */
  tooLong: () => RadioMessage
  unknownChannel: number | string
  breakLink: () => void
  mendLink: () => void
  /** The texts that receivers got, as they were on the air. */
  heardOnAir: () => string[]
}

const LONG_MS = 10 * 60_000

/** Runs virtual time until `promise` settles; fails after 10 virtual minutes. */
export async function settled<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let done = false
  const watched = promise.finally(() => {
    done = true
  })
  watched.catch(() => undefined)
  const end = clock.now() + LONG_MS
  await clock.runTo(clock.now())
  while (!done && clock.now() < end) await clock.runTo(Math.min(end, clock.nextAt ?? end))
  if (!done) throw new Error('not settled in 10 minutes')
  return await watched
}

/** The promises every Radio keeps, whatever is behind it. */
export async function radioContract(t: Test, name: string, make: () => RadioUnderTest): Promise<void> {
  const connected = async (): Promise<RadioUnderTest> => {
    const subject = make()
    await settled(subject.clock, subject.radio.connect())
    return subject
  }

  await t.test(`${name}: connect resolves at the first ready and tells of the change`, async (t) => {
    const { radio, clock } = make()
    const states: RadioState[] = []
    radio.onChange(() => states.push(radio.health().state))
    t.not(radio.health().state, 'ready', 'not ready before connect')
    t.ok(radio.health().reason, 'and says why')
    await settled(clock, radio.connect())
    t.match(radio.health(), { state: 'ready', reason: null })
    t.equal(states.at(-1), 'ready')
    t.ok(radio.channels().length > 0, 'the channel table is read')
    await radio.close()
  })

  await t.test(
    `${name}: connect waits while the link is down, and is refused when closed before it is ready`,
    async (t) => {
      const late = make()
      late.breakLink()
      const connecting = late.radio.connect()
      await late.clock.runTo(late.clock.now())
      t.not(late.radio.health().state, 'ready')
      late.mendLink()
      await settled(late.clock, connecting)
      t.equal(late.radio.health().state, 'ready')
      await late.radio.close()

      const never = make()
      never.breakLink()
      const refused = t.rejects(never.radio.connect(), { code: 'unavailable' })
      await never.radio.close()
      await refused
      await t.rejects(never.radio.connect(), { code: 'unavailable' }, 'also when asked again')
    }
  )

  await t.test(`${name}: a text that fits is sent and received as it was written`, async (t) => {
    const { radio, clock, message, heardOnAir } = await connected()
    const text = message()
    const startedAt = clock.now()
    const outcome = await settled(clock, radio.send(text))
    t.equal(outcome.kind, 'sent')
    if (outcome.kind === 'sent') {
      t.ok(outcome.at > startedAt, 'time passed while it was on the air')
      t.ok(Number.isInteger(outcome.at), 'times are whole milliseconds')
    }
    t.ok(heardOnAir().at(-1)?.endsWith(text.text))
    await radio.close()
  })

  await t.test(`${name}: every send settles, also when the link is lost in between`, async (t) => {
    const { radio, clock, message, breakLink } = await connected()
    const pending = radio.send(message())
    await clock.runTo(clock.now())
    breakLink()
    t.equal((await settled(clock, pending)).kind, 'unknown', 'handed over, fate not learnt')
    t.match(await settled(clock, radio.send(message())), { kind: 'refused', retry: true }, 'nothing was handed over')
    await radio.close()
    t.match(await radio.send(message()), { kind: 'refused' }, 'after close')
  })

  await t.test(`${name}: a text that is too long never arrives as if it were whole`, async (t) => {
    const { radio, clock, tooLong, heardOnAir } = await connected()
    const text = tooLong()
    const outcome = await settled(clock, radio.send(text))
    if (radio.description.network === 'mt') {
      t.ok(outcome.kind !== 'sent', 'MT: refused or unknown')
      t.same(heardOnAir(), [], 'and never cut')
    } else {
      t.notOk(
        heardOnAir().some((heard) => heard.endsWith(text.text)),
        'MC: the firmware cuts it'
      )
    }
    await radio.close()
  })

  await t.test(`${name}: a channel the radio does not have is refused, and trying again is no use`, async (t) => {
    const { radio, clock, message, unknownChannel, heardOnAir } = await connected()
    t.notOk(radio.channels().some(({ id, enabled }) => id === unknownChannel && enabled))
    const outcome = await settled(clock, radio.send({ ...message(), channel: unknownChannel }))
    t.match(outcome, { kind: 'refused', retry: false, code: 'NO_CHANNEL' })
    t.same(heardOnAir(), [])
    await radio.close()
  })

  await t.test(`${name}: an identity the network does not have is a bug of the caller, not an outcome`, async (t) => {
    const { radio, message } = await connected()
    await t.rejects(radio.send({ ...message(), identity: {} }), TypeError)
    await radio.close()
  })

  await t.test(`${name}: receipts are only for identities that were sent, and only after they were`, async (t) => {
    const { radio, clock, message, unknownChannel } = await connected()
    const sent = new Set<string>()
    const receipts: Receipt[] = []
    radio.onReceipt((receipt) => {
      t.ok(sent.has(JSON.stringify(receipt.identity)), 'a receipt for something sent')
      receipts.push(receipt)
    })
    for (let i = 0; i < 4; i++) {
      const text = message()
      const outcome: SendOutcome = await settled(clock, radio.send(text))
      if (outcome.kind === 'sent') sent.add(JSON.stringify(text.identity))
      await settled(clock, radio.send({ ...message(), channel: unknownChannel }))
      await clock.runTo(clock.now() + 5000)
    }
    await clock.runTo(clock.now() + LONG_MS)
    t.equal(sent.size, 4)
    t.equal(receipts.length, 4, 'one for each channel text')
    for (const receipt of receipts) t.ok(receipt.at <= clock.now() && Number.isInteger(receipt.at))
    await radio.close()
  })

  await t.test(`${name}: a listener that unsubscribed hears nothing more`, async (t) => {
    const { radio, clock, message, breakLink } = await connected()
    let calls = 0
    radio.onReceipt(() => calls++)()
    radio.onChange(() => calls++)()
    await settled(clock, radio.send(message()))
    await clock.runTo(clock.now() + LONG_MS)
    breakLink()
    t.equal(calls, 0)
    await radio.close()
  })

  await t.test(`${name}: health goes down with a reason and comes back ready, each with its time`, async (t) => {
    const { radio, clock, message, breakLink, mendLink } = await connected()
    const states: RadioState[] = []
    radio.onChange(() => states.push(radio.health().state))
    await clock.runTo(clock.now() + 1000)
    breakLink()
    t.equal(radio.health().state, 'down')
    t.ok(radio.health().reason)
    t.equal(radio.health().since, clock.now())
    await clock.runTo(clock.now() + 60_000)
    mendLink()
    while (radio.health().state !== 'ready' && clock.nextAt !== null) await clock.runTo(clock.nextAt)
    t.match(radio.health(), { state: 'ready', reason: null })
    t.equal(states[0], 'down')
    t.equal(states.at(-1), 'ready')
    t.equal((await settled(clock, radio.send(message()))).kind, 'sent', 'and sends again')
    await radio.close()
  })

  await t.test(`${name}: a session ends with its link, and the next one has another name`, async (t) => {
    const { radio, clock, message, breakLink, mendLink } = await connected()
    const first = radio.session()
    await settled(clock, radio.send(message()))
    t.equal(radio.session(), first, 'the same while the link stands')
    breakLink()
    mendLink()
    while (radio.health().state !== 'ready' && clock.nextAt !== null) await clock.runTo(clock.nextAt)
    t.not(radio.session(), first)
    const other = await connected()
    t.not(other.radio.session(), first, 'nor has another process the same')
    await Promise.all([radio.close(), other.radio.close()])
  })

  await t.test(`${name}: close settles what is pending, stops every timer, and may be called twice`, async (t) => {
    const { radio, clock, message } = await connected()
    const states: RadioState[] = []
    radio.onChange(() => states.push(radio.health().state))
    await settled(clock, radio.send(message()))
    await clock.runTo(clock.now() + 5000)
    const pending = radio.send(message())
    await clock.runTo(clock.now())
    await radio.close()
    t.equal((await pending).kind, 'unknown')
    t.equal(clock.waiting, 0, 'no timer is left')
    t.equal(radio.health().state, 'closed')
    t.same(states, ['closed'])
    await radio.close()
    t.same(states, ['closed'])
  })
}
