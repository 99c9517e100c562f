import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { filesOf, importsOf } from '../scripts/house.ts'

/** The two walks that docs/developer.md tells, step by step, held against what the files import. */

const root = join(import.meta.dirname, '..')
const src = join(root, 'src')
const files = filesOf(src)
const imports = new Map(files.map((file) => [file, importsOf(src, file).map(({ target }) => target)]))
const guide = readFileSync(join(root, 'docs/developer.md'), 'utf8')

function reachedFrom(file: string): ReadonlySet<string> {
  const found = new Set<string>()
  const open = [file]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const target of imports.get(next) ?? []) {
      if (found.has(target)) continue
      found.add(target)
      open.push(target)
    }
  }
  return found
}

/** Each row of the table below a heading: its step and the files of `src/` that do it, the main one first. */
function walk(heading: string): { step: string; files: string[] }[] {
  const section = guide.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  return section.split('\n').flatMap((line) => {
    const [, step = '', place = ''] = line.split('|').map((cell) => cell.trim())
    const named = [...place.matchAll(/`src\/([^`*]+\.ts)`/g)].map(([, file = '']) => file)
    return named.length === 0 ? [] : [{ step, files: named }]
  })
}

const WALKS = [
  { heading: "One event's walk", least: 10, joints: ['station/core.ts', 'dashboard/routes.ts'] },
  {
    heading: "One file's walk",
    least: 8,
    joints: ['station/knowledge.ts', 'station/knowledge-work.ts', 'station/search-work.ts']
  }
]

/** Steps that later ones may look into: a store that is read, and the same door for a file that came another way. */
const BENEATH: Readonly<Record<string, string>> = {
  'warning/outbox/ledger.ts': 'the queue and the receipts read events where they are stored',
  'warning/radios/radio.ts': 'the port of a radio: types, and no way back into the walk',
  'knowledge/intake/receive.ts': 'a drop comes in by the same door as an upload'
}

t.test("One event's walk: nothing passes back up through the wiring", async (t) => {
  const queue = 'warning/outbox/radio-queue.ts'
  t.ok(imports.get(queue)?.includes('warning/outbox/row-text.ts'), 'the queue composes by itself')
  const words = importsOf(src, 'station/core.ts').filter(({ target }) => target === 'warning/outbox/row-text.ts')
  t.same(
    words.map(({ typeOnly }) => typeOnly),
    [true],
    'and the wiring makes no text for it'
  )
  for (const file of ['warning/outbox/outbox.ts', queue, 'warning/walk.ts'])
    t.notOk(
      importsOf(src, file).some(({ target, typeOnly }) => !typeOnly && target === 'warning/reactions.ts'),
      `${file} runs nothing of what follows a message`
    )
  const wiring = readFileSync(join(src, 'station/core.ts'), 'utf8')
  const made = wiring.split('new Outbox({')[1]?.split('})\n')[0] ?? ''
  t.notMatch(made, /reactions|holds|queues|network|pipeline/, 'the outbox is given no later part')
  for (const stores of ['const sources: RowSources = {', 'this.#walk = {']) {
    const given = wiring.split(stores)[1]?.split('}\n')[0] ?? ''
    t.ok(given.length > 20, stores)
    t.notMatch(given, /=>/, `${stores} stores are given as objects`)
  }
})

for (const { heading, least, joints } of WALKS) {
  const steps = walk(heading)

  t.test(`${heading}: every step is a file, put in its place by the station`, async (t) => {
    t.ok(steps.length >= least, `${steps.length} steps`)
    const joined = new Set(joints.flatMap((joint) => [...reachedFrom(joint)]))
    for (const { step, files: named } of steps) {
      for (const file of named) {
        t.ok(files.includes(file), `${step}: ${file} exists`)
        t.ok(joined.has(file), `${step}: ${file} is reached from ${joints.join(', ')}`)
      }
    }
  })

  t.test(`${heading}: no step imports one before it, and none the wiring`, async (t) => {
    const before: { step: string; file: string }[] = []
    for (const { step, files: named } of steps) {
      for (const file of named) {
        const reached = reachedFrom(file)
        for (const earlier of before) {
          if (earlier.file in BENEATH) continue
          t.notOk(reached.has(earlier.file), `${step} (${file}) imports ${earlier.step} (${earlier.file})`)
        }
        t.same(
          [...reached].filter((target) => target.startsWith('station/') || target === 'main.ts'),
          [],
          `${step}: ${file}`
        )
      }
      before.push(...named.map((file) => ({ step, file })))
    }
  })
}
