import t from 'tap'
import { KNOWN_KINDS } from '../../../src/warning/feeds/settings.ts'
import { PROVIDED } from '../../faults/sources-bodies.ts'
import { FAULTS, type Served } from '../../faults/sources-provider.ts'
import { type Day, judge, RULES } from '../../faults/sources-verdict.ts'
import { CONTACT, type Poll } from '../../faults/sources-world.ts'

/** The judge of the day of all sources: it must see each breach, or its verdict is worth nothing. */

const MINUTE = 60_000
const poll = (minutes: number, change: Partial<Poll> = {}): Poll => ({
  source: 's',
  at: minutes * MINUTE,
  life: 1,
  outcome: 'ok',
  requests: [{ url: 'https://a.example/x', conditional: true }],
  ...change
})
const served = (minutes: number, change: Partial<Served> = {}): Served => ({
  at: minutes * MINUTE,
  host: 'a.example',
  address: 'a.example/x',
  what: 'same',
  good: true,
  retryAfterMs: null,
  conditional: true,
  validators: true,
  agent: `Lookout/1 (+${CONTACT})`,
  ...change
})

interface Change {
  polls?: Poll[]
  requests?: Served[]
  atOnce?: number
  secrets?: number
  ended?: string[]
  heaps?: number[]
  loop?: Day['loop']
  whole?: boolean
}

function day(change: Change = {}): Day {
  return {
    world: {
      polls: change.polls ?? [poll(0), poll(1), poll(2)],
      minMs: new Map([['s', 30_000]]),
      warning: new Set<string>(),
      ended: new Set(change.ended ?? ['s|known']),
      errors: []
    },
    provider: {
      served: change.requests ?? [served(0, { what: 'whole', conditional: false }), served(1), served(2)],
      mostAtOnce: new Map([['a.example', change.atOnce ?? 1]]),
      redirected: { requests: 1, withSecrets: change.secrets ?? 0 }
    },
    endedWithout: new Set(['s|known']),
    heaps: change.heaps ?? [20, 24, 20],
    loop: change.loop ?? { from: 0, to: 0, afterKill: new Set() },
    whole: change.whole ?? false
  }
}

const broken = (change: Change): string[] => {
  const verdict = judge(day(change))
  return RULES.filter((rule) => verdict[rule].length > 0)
}

t.test('a day by the rules is passed, and each breach is found by its rule', async (t) => {
  t.same(broken({}), [])
  const afterKill = new Set([2])
  const [interval, loop, atOnce, quiet, backoff, conditional, agent, ends, coverage, memory] = RULES
  const failed = { outcome: 'failed' } as const
  const table: [string, Change, string | undefined][] = [
    ['too soon', { polls: [poll(0), poll(0.4)] }, interval],
    ['too soon after a stop', { polls: [poll(0), poll(0.4, { life: 2 })] }, interval],
    [
      'many in a loop of kills',
      {
        polls: [0, 0.1, 0.2, 0.3].map((at, n) => poll(at, { life: n + 1 })),
        loop: { from: 0, to: MINUTE / 2, afterKill: new Set([2, 3, 4]) }
      },
      loop
    ],
    ['two at once', { atOnce: 2 }, atOnce],
    ['early after 429', { requests: [served(0, { what: 'too-many', retryAfterMs: 90_000 }), served(1)] }, quiet],
    [
      'no backoff',
      { polls: [poll(0), poll(1, failed), poll(2, failed), poll(3)], requests: [0, 1, 2, 3].map((at) => served(at)) },
      backoff
    ],
    ['unconditional', { requests: [served(0, { what: 'whole' }), served(1, { conditional: false })] }, conditional],
    ['nameless', { requests: [served(0, { agent: 'curl' })] }, agent],
    ['a secret elsewhere', { secrets: 1 }, agent],
    ['a false end', { ended: ['s|known', 's|other'] }, ends],
    ['never read', { polls: [poll(0, failed)] }, coverage],
    ['a fault left out', { whole: true }, coverage],
    ['growing', { heaps: [20, 22, 24, 26, 28, 30] }, memory]
  ]
  for (const [name, change, rule] of table) t.same(broken(change), [rule], name)
  t.same(
    broken({ polls: [poll(0), poll(0.4, { life: 2 })], loop: { from: 0, to: 0, afterKill } }),
    [],
    'one more after a kill'
  )
  t.same(broken({ ended: ['lookout|feed:s:back:1'] }), [], 'a feed that is back ends its own silence')
  t.same(
    broken({
      polls: [poll(0), poll(1, failed), poll(2, failed), poll(4)],
      requests: [0, 1, 2, 4].map((at) => served(at))
    }),
    [],
    'a minute, then two'
  )
  t.same(
    broken({
      polls: [poll(0, { ...failed, requests: [] }), poll(1)],
      requests: FAULTS.map((what) => served(1, { what })),
      whole: true
    }),
    []
  )
})

t.test('every kind that is asked has a provider in the day of all sources', async (t) => {
  const provided = new Set(PROVIDED.map(({ source }) => source['kind']))
  const forgotten = KNOWN_KINDS.filter(({ kind, mode }) => mode === 'poll' && !provided.has(kind))
  t.same(
    forgotten.map(({ kind }) => kind),
    []
  )
})
