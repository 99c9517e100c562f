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
  /** How often it was handed over although it may have been heard. */
  repeats: number
}

const CHANGES = fc.array(fc.constantFrom(...DELIVERY_CHANGES), { maxLength: 60 })
const BEGIN = fc.record({ state: fc.constantFrom(...FIRST_STATES), grave: fc.boolean() })

const begun = ({ state, grave }: { state: DeliveryState; grave: boolean }): Life => ({
  ...{ state, grave, mayBeHeard: false, handedOver: 0, repeats: 0 }
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

t.test('below critical nothing that may have been heard is handed over again, whatever happens', (t) => {
  t.doesNotThrow(() =>
    fc.assert(
    fc.property(BEGIN, CHANGES, (begin, changes) => {
      for (const [, , life] of lives(begun({ ...begin, grave: false }), changes)) if (life.repeats > 0) return false
      return true
    }),
    { numRuns: 3000 }
    )
  )
  t.end()
})

t.test(
  'what may have been heard is dropped by nothing but the word that it cannot be sent: its end is owed',
  (t) => {
    t.doesNotThrow(() =>
    fc.assert(
      fc.property(BEGIN, CHANGES, (begin, changes) => {
        for (const [change, before, life] of lives(begun(begin), changes)) {
          const gone = isGivenUp(life.state) && !isGivenUp(before.state)
          // Whatever flew or was heard is never dropped without a word of its radio that it cannot be sent.
          if (gone && before.mayBeHeard && change !== 'fail') return false
          if (before.state === 'transmitting' && !isOpen(life.state) && !countsAsTold(life.state) && change !== 'fail')
            return false
        }
        return true
      }),
      { numRuns: 3000 }
    )
      t.end()
  }
)

t.test('what arrived counts as told, so that its end is owed; what was merged has no further life of its own', (t) => {
  fc.assert(
    fc.property(BEGIN, CHANGES, (begin, changes) => {
      const seen: DeliveryState[] = [begin.state]
      for (const [, , life] of lives(begun(begin), changes)) {
        // What arrived was handed over, or heard before its radio said so; and what arrived is told for ever.
        if (didArrive(life.state) && !countsAsTold(life.state)) return false
        if (life.state === 'sent' && life.handedOver === 0 && !seen.includes('queued')) return false
        seen.push(life.state)
      }
      // A message that was merged into another has no further life of its own.
      const merged = seen.indexOf('merged')
      return merged < 0 || seen.slice(merged).every((state) => state === 'merged')
    }),
    { numRuns: 3000 }
    )
  )
  t.end()
})
