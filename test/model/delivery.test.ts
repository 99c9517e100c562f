import t from 'tap'
import {
  after,
  countsAsTold,
  DELIVERY_CHANGES,
  DELIVERY_STATES,
  type DeliveryChange,
  type DeliveryState,
  didArrive,
  didNotArrive,
  FIRST_STATES,
  GRAVE_ONLY,
  isGivenUp,
  isOpen,
  mayMerge,
  movesOf,
  UNTOLD_ONLY,
  wasOnAir
} from '../../src/model/delivery.ts'

/** The states that a message can get to from these states by these changes. */
function reach(from: readonly DeliveryState[], changes: readonly DeliveryChange[]): Set<DeliveryState> {
  const seen = new Set(from)
  for (const state of seen)
    for (const change of changes) {
      const next = after(state, change)
      if (next !== null) seen.add(next)
    }
  return seen
}

const without = (...left: DeliveryChange[]): DeliveryChange[] =>
  DELIVERY_CHANGES.filter((change) => !left.includes(change))
/** A refusal is the radio's word that nothing was on the air. */
const BELOW_CRITICAL = without('refuse', ...GRAVE_ONLY)
const TOLD = DELIVERY_STATES.filter(countsAsTold)

t.test('every state can be reached, and every change can happen', async (t) => {
  t.same([...reach(FIRST_STATES, DELIVERY_CHANGES)].sort(), [...DELIVERY_STATES].sort())
  for (const change of DELIVERY_CHANGES) t.ok(movesOf(change).length > 0, change)
})

t.test(
  'below critical nothing that may have been heard is handed over again, unless the radio refused it',
  async (t) => {
    for (const state of TOLD) t.notOk(reach([state], BELOW_CRITICAL).has('transmitting'), state)
    t.ok(reach(['unconfirmed'], DELIVERY_CHANGES).has('transmitting'), 'critical and above may be said again')
  }
)

t.test(
  'what was on the air counts as told for ever: its end is owed, and its place in the ledger stays taken',
  async (t) => {
    for (const state of DELIVERY_STATES.filter(wasOnAir))
      for (const reached of reach([state], without('refuse', 'fail', ...UNTOLD_ONLY))) {
        if (isOpen(reached)) continue
        t.ok(countsAsTold(reached), `${state} → ${reached}`)
      }
  }
)

t.test('what joined another message stays with it, and nobody is told twice', async (t) => {
  for (const change of DELIVERY_CHANGES) t.equal(after('merged', change), null, change)
})

t.test('whatever waits or flies can end: told, given up or as part of another message', async (t) => {
  for (const state of DELIVERY_STATES.filter(isOpen)) {
    const ends = [...reach([state], DELIVERY_CHANGES)]
    t.ok(ends.some(countsAsTold) && ends.some(isGivenUp), state)
  }
})

t.test('what is asked of a state has one answer each', async (t) => {
  const told = (question: (state: DeliveryState) => boolean): DeliveryState[] => DELIVERY_STATES.filter(question)
  t.same(told(isOpen), ['queued', 'transmitting', 'held'])
  t.same(told(isGivenUp), ['suppressed', 'expired', 'failed'])
  t.same(told(wasOnAir), ['sent', 'heard', 'delivered', 'unconfirmed'])
  t.same(told(countsAsTold), ['sent', 'heard', 'delivered', 'unconfirmed', 'stood_down', 'sent_unknown'])
  t.same(told(didArrive), ['heard', 'delivered'])
  t.same(told(didNotArrive), ['unconfirmed', 'expired', 'failed', 'sent_unknown'])
  t.same(
    told((state) => mayMerge(state, false)),
    told(isOpen)
  )
  t.same(
    told((state) => mayMerge(state, true)),
    []
  )
})
