import fc from 'fast-check'
import t from 'tap'
import {
  after,
  countsAsTold,
  DELIVERY_CHANGES,
  type DeliveryChange,
  type DeliveryState,
  didArrive,
  FIRST_STATES,
  GRAVE_ONLY,
  isGivenUp,
  isOpen,
  UNTOLD_ONLY,
  wasOnAir
} from '../../src/model/delivery.ts'

/**
 * Random lives of messages, walked on the table alone (docs/interface.md §6): what happens at random to a message as `Outbox.apply` would
 * let it, against what a listener is promised.
 */

/** A message as the rules see it: what it became, and whether somebody may have heard it. */
interface Life {
  state: DeliveryState
  grave: boolean
  /** Handed to a radio, and no refusal took that back. */
  mayBeHeard: boolean
  handedOver: number
  /** The number of times it was handed over although it may have been heard. */
  repeats: number
}

const CHANGES = fc.array(fc.constantFrom(...DELIVERY_CHANGES), { minLength: 30, maxLength: 60, size: 'max' })
const BEGIN = fc.record({ state: fc.constantFrom(...FIRST_STATES), grave: fc.boolean() })

const begun = ({ state, grave }: { state: DeliveryState; grave: boolean }): Life => ({
  state,
  grave,
  mayBeHeard: false,
  handedOver: 0,
  repeats: 0
})

/** One step as the outbox takes it; null where it is impossible. */
function step(life: Life, change: DeliveryChange): Life | null {
  const state = after(life.state, change)
  if (state === null) return null
  if (GRAVE_ONLY.has(change) && !life.grave) return null
  if (UNTOLD_ONLY.has(change) && life.mayBeHeard) return null
  const handed = change === 'hand_over'
  // Another try of a server has nobody who could hear twice; a refusal is the radio's word that nothing was on the air.
  const takenBack = change === 'refuse' || change === 'try_again' || change === 'part_left'
  return {
    ...life,
    state,
    mayBeHeard: handed || (life.mayBeHeard && !takenBack),
    handedOver: life.handedOver + (handed ? 1 : 0),
    repeats: life.repeats + (handed && life.mayBeHeard ? 1 : 0)
  }
}

/** The lives of a message one after another, those of impossible changes left out. */
function* lives(first: Life, changes: readonly DeliveryChange[]): Generator<[DeliveryChange, Life, Life]> {
  let life = first
  for (const change of changes) {
    const next = step(life, change)
    if (next === null) continue
    yield [change, life, next]
    life = next
  }
}

/** The promises to a listener at each step of every life. */
function promise(isKept: (change: DeliveryChange, before: Life, life: Life) => boolean): void {
  const property = fc.property(BEGIN, CHANGES, (begin, changes) => {
    for (const [change, before, life] of lives(begun(begin), changes)) if (!isKept(change, before, life)) return false
    return true
  })
  fc.assert(property, { numRuns: 3000 })
}

t.test('below critical nothing that may have been heard is handed over again, whatever happens', (t) => {
  t.doesNotThrow(() => promise((_change, _before, life) => life.grave || life.repeats === 0))
  t.end()
})

t.test('what may have been heard is dropped by nothing but the word that it cannot be sent: its end is owed', (t) => {
  t.doesNotThrow(() =>
    promise((change, before, { state }) => {
      if (change === 'fail') return true
      if (before.mayBeHeard && isGivenUp(state) && !isGivenUp(before.state)) return false
      return before.state !== 'transmitting' || isOpen(state) || countsAsTold(state)
    })
  )
  t.end()
})

t.test('what arrived counts as told, and what was merged has no further life of its own', (t) => {
  t.doesNotThrow(() =>
    promise((_change, before, { state }) => (!didArrive(state) || countsAsTold(state)) && before.state !== 'merged')
  )
  t.end()
})

/** Words of a radio or a listener: they are of what was handed over, however long ago. */
const WORD_OF_IT: ReadonlySet<DeliveryChange> = new Set(['hear', 'hear_part', 'deliver', 'refuse'])
/** The outcome of a try: no refusal went before it. */
const OUTCOME: ReadonlySet<DeliveryChange> = new Set(['left', 'unheard'])
/** The outbox closes what may have been heard by these (`closing` of warning/outbox/again.ts). */
const CLOSED_AS_TOLD: ReadonlySet<DeliveryChange> = new Set(['lose', 'leave_unconfirmed'])
const PROOF: ReadonlySet<DeliveryChange> = new Set(['hear', 'deliver'])

/** The lives that can be: nobody has a word of what was never handed over. */
function* possible(first: Life, changes: readonly DeliveryChange[]): Generator<[DeliveryChange, Life, Life]> {
  let life = first
  for (const change of changes) {
    if (WORD_OF_IT.has(change) && life.handedOver === 0) continue
    if ((OUTCOME.has(change) || CLOSED_AS_TOLD.has(change)) && !life.mayBeHeard) continue
    const next = step(life, change)
    if (next === null) continue
    yield [change, life, next]
    life = next
  }
}

t.test(
  'an end never comes before its beginning: what counts as told was handed over, what was not is taken back',
  (t) => {
    const property = fc.property(BEGIN, CHANGES, (begin, changes) => {
      let proved = false
      let partLeft = false
      for (const [change, , life] of possible(begun(begin), changes)) {
        proved ||= PROOF.has(change)
        partLeft ||= change === 'part_left'
        // Another station said it: told, and nobody handed it over here.
        const isTold = countsAsTold(life.state) && life.state !== 'stood_down'
        if (isTold && (life.handedOver === 0 || !(life.mayBeHeard || proved || partLeft))) return false
        // The end finds it: told, still flying, closed unsaid, or waiting, and then it can be withdrawn.
        const unsaid = !life.mayBeHeard && isOpen(life.state) && life.state !== 'transmitting'
        if (unsaid && step(life, 'suppress')?.state !== 'suppressed') return false
      }
      return true
    })
    t.doesNotThrow(() => fc.assert(property, { numRuns: 1000 }))
    t.end()
  }
)

/** By these a message is closed for a reason that is stored: silenced, over, told otherwise, impossible to send. */
const CLOSING: ReadonlySet<DeliveryChange> = new Set([
  'fail',
  'suppress',
  'expire',
  'merge',
  'stand_down',
  ...CLOSED_AS_TOLD
])

/** True when what waits or flies can still be on the air, whatever radio and listeners say. */
function canStillLeave(life: Life): boolean {
  const seen = new Set<DeliveryState>()
  const lives = [life]
  for (let one = lives.pop(); one !== undefined; one = lives.pop()) {
    if (wasOnAir(one.state)) return true
    if (seen.has(one.state)) continue
    seen.add(one.state)
    for (const change of ['free', 'hand_over', 'left'] as const) {
      const next = step(one, change)
      if (next !== null) lives.push(next)
    }
  }
  return false
}

t.test('at or above critical nothing is lost: what nobody has closed was on the air, or can still leave', (t) => {
  const first = fc.constantFrom('queued' as const, 'held' as const)
  const property = fc.property(first, CHANGES, (state, changes) => {
    const open = changes.filter((change) => !CLOSING.has(change))
    for (const [, , life] of possible(begun({ state, grave: true }), open)) {
      if (isGivenUp(life.state) || life.state === 'sent_unknown') return false
      if (!canStillLeave(life)) return false
      // An attempt of unknown fate, or one that nobody was heard repeating, can be offered again.
      if ((life.state === 'transmitting' || life.state === 'unconfirmed') && step(life, 'offer_again') === null)
        return false
    }
    return true
  })
  t.doesNotThrow(() => fc.assert(property, { numRuns: 1000 }))
  t.end()
})

t.test(
  'below critical what nobody answered is closed, and stays closed but for the word of whoever has heard of it',
  (t) => {
    const property = fc.property(CHANGES, (changes) => {
      let closed = false
      for (const [change, before, life] of possible(begun({ state: 'queued', grave: false }), changes)) {
        if (closed && isOpen(life.state) && change !== 'refuse') return false
        closed = (closed || before.state === 'transmitting') && !isOpen(life.state)
      }
      return true
    })
    t.doesNotThrow(() => fc.assert(property, { numRuns: 1000 }))
    t.end()
  }
)
