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
  UNTOLD_ONLY
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
