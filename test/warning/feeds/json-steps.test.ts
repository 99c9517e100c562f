import t from 'tap'
import { drain } from '../../../src/platform/clock/slices.ts'
import { jsonSteps } from '../../../src/warning/feeds/reading/json-steps.ts'

const MIB = 1024 * 1024
const read = (text: string): unknown => drain(jsonSteps(text))
const filler = (n: number): string => `text ${n} with "quotes", \\ and ] } , [ { : é 🌋`

/** The parsed value, or that it was refused. */
function parsed(work: () => unknown): string {
  try {
    return JSON.stringify(work())
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return 'refused'
  }
}

/** Values with their long parts in every place a long part can be. */
const samples: Record<string, unknown> = {
  'a list of many': Array.from({ length: 20_000 }, (_, n) => ({ n, text: filler(n), deep: [[n], { n }] })),
  'a list of few long ones': Array.from({ length: 5 }, (_, k) => ({
    ring: Array.from({ length: 20_000 }, (_, n) => [n / 7, -k - n])
  })),
  'a collection': {
    type: 'FeatureCollection',
    before: {},
    features: Array.from({ length: 9000 }, (_, n) => ({ id: n, text: filler(n) })),
    after: null
  },
  'many members': Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [filler(n), n])),
  'one long text': ['x', `${'\\"'.repeat(MIB)}`, { y: 'é'.repeat(MIB) }],
  'a bare text': 'z'.repeat(MIB),
  'keys that mean something to programs': JSON.parse(
    `{"__proto__": {"a": 1}, "constructor": 2, "list": ["${'l'.repeat(MIB)}", {"__proto__": 3}]}`
  )
}

t.test('JSON that is read a little at a time is what JSON.parse reads', async (t) => {
  for (const [what, value] of Object.entries(samples))
    for (const text of [JSON.stringify(value), ` \n${JSON.stringify(value, null, 3)}\t`]) {
      t.ok(text.length > 4 * 128 * 1024, what)
      const found = read(text)
      t.equal(JSON.stringify(found), JSON.stringify(value), what)
    }
  t.equal(({} as Record<string, unknown>)['a'], undefined)
})

t.test('the last of two members of one name counts, as in JSON.parse', async (t) => {
  const text = `{"a": 1, "long": "${'x'.repeat(MIB)}", "a": 2}`
  t.same(read(text), JSON.parse(text))
})

t.test('what JSON.parse refuses is refused, wherever the fault lies', async (t) => {
  const long = JSON.stringify(Array.from({ length: 20_000 }, (_, n) => ({ n, text: filler(n) })))
  const middle = Math.floor(long.length / 2)
  const broken = [
    ...[
      long.slice(0, -1),
      long.slice(0, middle),
      `${long}]`,
      `${long} 1`,
      `${long.slice(0, -1)},]`,
      `[,${long.slice(1)}`
    ],
    ...[
      `${long.slice(0, -1)}}`,
      `{${long.slice(1)}`,
      `{"a" ${long}}`,
      `{"a": ${long},}`,
      `{${long}: 1}`,
      `{"a": ${long}`
    ],
    ...[`${long.slice(0, -1)},,1]`, `[${long} ${long}]`, `[1 ${long}]`, `"${'x'.repeat(MIB)}`, `${' '.repeat(MIB)}`],
    ...[`nul${' '.repeat(MIB)}`, '['.repeat(MIB), `[${' '.repeat(MIB)}`, '{"a":'.repeat(MIB)]
  ]
  for (const [n, text] of broken.entries()) {
    t.equal(
      parsed(() => JSON.parse(text)),
      'refused',
      `${n}`
    )
    t.equal(
      parsed(() => read(text)),
      'refused',
      `${n}`
    )
  }
  t.same(read(`[${' '.repeat(MIB)}]`), [])
  t.same(read(`{"a": {${' '.repeat(MIB)}} }`), { a: {} })
})

t.test('damage in any place is refused or read as JSON.parse does', async (t) => {
  const whole = JSON.stringify({ features: Array.from({ length: 6000 }, (_, n) => ({ n, at: [n, -n], t: filler(n) })) })
  let state = 7
  const random = (below: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  for (let n = 0; n < 60; n++) {
    const at = random(whole.length)
    const text = whole.slice(0, at) + '[]{},:"\\ 0x'.charAt(random(11)) + whole.slice(at + random(3))
    t.equal(parsed(() => read(text)) === parsed(() => JSON.parse(text)), true, `character ${at}, ${n}`)
  }
})

t.test('others have their turn some forty times while five megabytes are read', async (t) => {
  const text = JSON.stringify(Array.from({ length: 50_000 }, (_, n) => ({ n, text: filler(n) })))
  const steps = jsonSteps(text)
  let turns = 0
  while (steps.next().done !== true) turns++
  t.ok(turns > text.length / (200 * 1024), `${turns} turns of ${text.length}`)
})
