import t from 'tap'
import {
  levelOf,
  NOTHING_SHED,
  SHED_ORDER,
  SHEDDING,
  type ShedState,
  STRAINS,
  type Strained,
  shed,
  shedAt
} from '../../src/model/shedding.ts'

const EASY: Strained = {
  temperature: 50,
  memory: 60,
  own_memory: 30,
  memory_pressure: 0,
  battery: null,
  failed_starts: 0
}

/** The states that these looks lead through. */
function through(looks: readonly Partial<Strained>[], from: ShedState = NOTHING_SHED): ShedState[] {
  const states: ShedState[] = []
  for (const look of looks) states.push(shed({ ...EASY, ...look }, states.at(-1) ?? from))
  return states
}

t.test('work is given up in one order, and warnings are not in it', (t) => {
  t.strictSame(SHED_ORDER, ['models', 'ocr', 'crawls', 'search', 'slow_feeds', 'dashboard'])
  t.strictSame(shedAt(0), [])
  t.strictSame(shedAt(3), ['models', 'ocr', 'crawls'])
  t.strictSame(shedAt(6), SHED_ORDER)
  t.end()
})

for (const strain of STRAINS)
  t.test(
    `${strain}: each row of the table grows step by step, and holds what it gave up until it is better by its margin`,
    (t) => {
      const { from, back, low } = SHEDDING[strain]
      const sign = low === true ? -1 : 1
      for (const [step, limit] of from.entries()) {
        const before = from[step - 1]
        if (before !== undefined) t.ok(sign * (limit - before) >= 0, `step ${step + 1} is no earlier than ${step}`)
        t.ok(levelOf(strain, limit, 0) >= step + 1, 'given up at the limit')
        t.ok(levelOf(strain, limit - sign * 0.01, 0) <= step, 'and not before it')
        t.ok(levelOf(strain, limit - sign * back, step + 1) >= step + 1, 'held within the margin')
        t.ok(levelOf(strain, limit - sign * (back + 0.01), step + 1) <= step, 'taken up behind it')
      }
      t.end()
    }
  )

t.test('a machine at ease, and one that tells nothing, gives nothing up', (t) => {
  t.strictSame(shed(EASY, NOTHING_SHED), NOTHING_SHED)
  const silent = Object.fromEntries(STRAINS.map((strain) => [strain, null])) as Strained
  t.strictSame(shed(silent, NOTHING_SHED), NOTHING_SHED)
  t.end()
})

t.test('the worst of all strains decides, and is named', (t) => {
  const [state] = through([{ temperature: 76, memory: 9 }])
  t.strictSame(state, { level: 3, causes: [{ strain: 'memory', value: 9 }] })
  const [both] = through([{ temperature: 78, memory: 10 }])
  t.strictSame(
    both?.causes.map(({ strain }) => strain),
    ['temperature', 'memory']
  )
  t.end()
})

t.test('strain is answered at once, relief comes one step a look and reaches nothing', (t) => {
  const hot = { temperature: 90 }
  t.strictSame(
    through([hot, {}, {}, {}, {}, {}, {}, {}]).map(({ level }) => level),
    [6, 5, 4, 3, 2, 1, 0, 0]
  )
  const easing = through([hot, {}])
  t.strictSame(easing[1]?.causes, [{ strain: 'temperature', value: 90 }], 'what asked for it is named until it is over')
  t.end()
})

t.test('a value that swings about a limit changes nothing more', (t) => {
  const swing = Array.from({ length: 40 }, (_, at) => ({ temperature: at % 2 === 0 ? 75.5 : 73 }))
  t.strictSame(new Set(through(swing).map(({ level }) => level)), new Set([1]))
  t.end()
})

t.test('after starts that failed, the heavy work waits first', (t) => {
  const levels = [0, 3, 4, 5, 7, 8, 11, 12, 50].map((failed_starts) => through([{ failed_starts }])[0]?.level)
  t.strictSame(levels, [0, 0, 3, 4, 4, 5, 5, 6, 6])
  t.end()
})
