import fc from 'fast-check'
import t from 'tap'
import {
  after,
  type KeyHealth,
  NEW_HEALTH,
  nextKey,
  type Outcome,
  released,
  stateOf,
  type Turn,
  tested
} from '../../../src/knowledge/keys/rotation.ts'
import { inWords, note } from '../../helpers/in-words.ts'

const NOW = 1_000_000_000
const KEYS = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
const limited = (retryAfterMs: number | null): Outcome => ({ kind: 'limited', retryAfterMs })
const refused: Outcome = { kind: 'refused', reason: note('401') }

function turn(patch: Record<string, Partial<KeyHealth>>, last: string | null, tried: string[] = [], now = NOW) {
  const health = (id: string): KeyHealth => ({ ...NEW_HEALTH, ...patch[id] })
  return nextKey(KEYS, { health, now, last, tried: new Set(tried) })
}

t.test(
  'healthy keys come in turn; those that rest or are refused are left out; a request never gets the same one twice',
  async (t) => {
    const cool = { coolUntil: NOW + 5000 }
    const out = { quarantine: note('no') }
    const rows: [Record<string, Partial<KeyHealth>>, string | null, string[], unknown][] = [
      [{}, null, [], { key: { id: 'a' } }],
      [{}, 'a', [], { key: { id: 'b' } }],
      [{}, 'c', [], { key: { id: 'a' } }],
      [{}, 'gone', [], { key: { id: 'a' } }],
      [{ b: cool }, 'a', [], { key: { id: 'c' } }],
      [{ b: out, c: cool }, 'a', [], { key: { id: 'a' } }],
      [{}, 'a', ['b', 'c'], { key: { id: 'a' } }],
      [{}, 'a', ['a', 'b', 'c'], { key: null, why: 'tried' }],
      [{ a: out, b: out, c: out }, null, [], { key: null, why: 'refused' }],
      [{ a: out, b: { coolUntil: NOW + 9000 }, c: cool }, null, [], { key: null, why: 'resting', readyAt: NOW + 5000 }]
    ]
    for (const [patch, last, tried, expected] of rows)
      t.same(turn(patch, last, tried), expected, JSON.stringify([patch, last, tried]))
    t.same(nextKey([], { health: () => NEW_HEALTH, now: NOW, last: null, tried: new Set() }), {
      key: null,
      why: 'none'
    })
    t.same(turn({ b: cool }, 'a', [], NOW + 5000), { key: { id: 'b' } }, 'a rest ends by itself')
    t.same(
      turn({ b: { coolUntil: NOW + 90_000_000 } }, 'a'),
      { key: { id: 'b' } },
      'a rest of more than a day comes from a wrong clock'
    )
  }
)

t.test(
  '429: rests as long as the provider says, else 30 s doubling up to 15 min; a good call ends all that',
  async (t) => {
    t.equal(after(NEW_HEALTH, limited(7000), NOW).coolUntil, NOW + 7000)
    t.equal(after(NEW_HEALTH, limited(10 * 86_400_000), NOW).coolUntil, NOW + 86_400_000, 'a day at most')
    let health = NEW_HEALTH
    const waits: number[] = []
    for (let count = 0; count < 7; count++) {
      health = after(health, limited(null), NOW)
      waits.push((health.coolUntil - NOW) / 1000)
    }
    t.same(waits, [30, 60, 120, 240, 480, 900, 900])
    t.match(health, { calls: 7, errors: 7, lastUsed: NOW, quarantine: null })
    t.match(after(health, { kind: 'ok' }, NOW), { calls: 8, errors: 7, coolUntil: 0, strikes: 0, valid: true })
  }
)

t.test('401 and 403 put a key aside until it is tested or reloaded; other failures say nothing about it', async (t) => {
  const out = after(NEW_HEALTH, refused, NOW)
  t.match(inWords(out), { calls: 1, errors: 1, valid: false, quarantine: '401' })
  t.equal(stateOf(out, NOW + 10 * 86_400_000), 'quarantined', 'time alone does not bring it back')
  t.equal(stateOf(tested(out, true, note(''), NOW), NOW), 'healthy')
  t.match(tested(out, true, note(''), NOW), { valid: true, lastValidated: NOW, calls: 1 })
  t.equal(stateOf(tested(out, null, note('busy'), NOW), NOW), 'quarantined', 'no clear answer changes nothing')
  t.equal(stateOf(released(out), NOW), 'healthy')
  t.match(inWords(tested(NEW_HEALTH, false, note('wrong'), NOW)), { valid: false, quarantine: 'wrong' })
  t.match(after(NEW_HEALTH, { kind: 'failed' }, NOW), {
    calls: 1,
    errors: 1,
    valid: null,
    quarantine: null,
    coolUntil: 0
  })
})

t.test('no key that is to rest is ever handed out, and none starves while others are healthy', async (t) => {
  const outcome = fc.oneof(
    fc.constant<Outcome>({ kind: 'ok' }),
    fc.constant<Outcome>({ kind: 'failed' }),
    fc.constant<Outcome>(refused),
    fc.option(fc.integer({ min: 1, max: 100_000 }), { nil: null }).map(limited)
  )
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(fc.tuple(outcome, fc.integer({ min: 0, max: 60_000 })), { maxLength: 60 }), (steps) => {
        const health = new Map<string, KeyHealth>()
        let now = NOW
        let last: string | null = null
        for (const [result, pause] of steps) {
          now += pause
          const got: Turn<{ id: string }> = nextKey(KEYS, {
            health: (id) => health.get(id) ?? NEW_HEALTH,
            now,
            last,
            tried: new Set()
          })
          const healthy = KEYS.filter(({ id }) => stateOf(health.get(id) ?? NEW_HEALTH, now) === 'healthy')
          if (got.key === null) {
            if (healthy.length > 0) return false
            continue
          }
          const { id }: { id: string } = got.key
          if (!healthy.some((one) => one.id === id)) return false
          if (healthy.length > 1 && id === last) return false
          last = id
          health.set(id, after(health.get(id) ?? NEW_HEALTH, result, now))
        }
        return true
      })
    )
  )
})
