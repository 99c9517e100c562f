import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Draw, PowerDisk } from '../faults/power-disk.ts'
import { mark, readRecording, type Step } from '../faults/power-recording.ts'
import { Known } from '../faults/power-verdict.ts'
import { seeded } from '../faults/storm-events.ts'

/** A disk that keeps more than a real one would find nothing: each promise is broken once. */

const draw = (patch: Partial<Draw> = {}): Draw => ({
  model: 'any-order',
  data: 'nothing',
  names: 'nothing',
  random: seeded(1),
  ...patch
})
const write = (inode: number, text: string, at = 0): Step => ({
  op: 'write',
  inode,
  path: 'x',
  at,
  data: Buffer.from(text)
})
const create = (inode: number, path: string): Step => ({ op: 'create', inode, path })
const sync = (inode: number, path = 'x'): Step => ({ op: 'sync', inode, path })

function disk(t: Test, steps: Step[]): (patch?: Partial<Draw>) => Record<string, string> {
  const folder = t.testdir({ start: { 'config.json': 'old' } })
  const one = new PowerDisk(join(folder, 'start'))
  for (const step of steps) one.take(step)
  let count = 0
  return (patch) => {
    const into = join(folder, `state${count++}`)
    mkdirSync(into)
    one.build(into, draw(patch))
    const files = readdirSync(into, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    return Object.fromEntries(
      files.map(({ parentPath, name }) => [
        join(parentPath, name).slice(into.length + 1),
        readFileSync(join(parentPath, name), 'latin1')
      ])
    )
  }
}

t.test('a file that is synced in a folder that is not may be gone, unless a journal keeps its name', (t) => {
  const state = disk(t, [create(7, 'a'), write(7, 'whole'), sync(7)])
  t.same(state(), { 'config.json': 'old' })
  t.same(state({ model: 'journal' }), { 'config.json': 'old', a: 'whole' })
  const kept = disk(t, [create(7, 'a'), write(7, 'whole'), sync(7), sync(1, '')])
  t.same(kept(), { 'config.json': 'old', a: 'whole' })
  t.end()
})

t.test('a renamed file is the old one or the new one, and empty where its bytes were not synced', (t) => {
  const steps: Step[] = [create(7, 'new'), write(7, 'new'), { op: 'rename', path: 'new', to: 'config.json' }]
  t.same(disk(t, steps)({ names: 'all' }), { 'config.json': '' })
  t.same(disk(t, [...steps, sync(7)])({ names: 'all' }), { 'config.json': 'new' })
  t.same(disk(t, [...steps, sync(7)])(), { 'config.json': 'old' })
  t.same(disk(t, [...steps, sync(7), sync(1, '')])(), { 'config.json': 'new' })
  t.end()
})

t.test('what stands below a folder whose name is lost is lost', (t) => {
  const steps: Step[] = [
    { op: 'mkdir', inode: 8, path: 'd' },
    create(7, 'd/a'),
    write(7, 'whole'),
    sync(7),
    sync(8, 'd')
  ]
  t.same(disk(t, steps)(), { 'config.json': 'old' })
  t.same(disk(t, [...steps, sync(1, '')])(), { 'config.json': 'old', 'd/a': 'whole' })
  t.end()
})

t.test('writes that were not synced are kept in any order of their sectors, and synced bytes stay as they are', (t) => {
  const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(512))
  const steps = [
    create(7, 'f'),
    write(7, `${a}${a}`),
    sync(7),
    sync(1, ''),
    write(7, `${b}`, 512),
    write(7, `${c}${c}`, 1024)
  ]
  const state = disk(t, steps)
  const seen = new Set(
    Array.from({ length: 200 }, (_, n) => state({ data: 'sectors', random: seeded(n) })['f'] ?? 'none')
  )
  for (const content of seen) t.equal(content.slice(0, 512), a)
  const letters = new Set([...seen].map((content) => content.replace(/(.)\1{511}/gs, '$1').replaceAll('\0', '0')))
  t.ok(letters.has('aa0c'), [...letters].join(' '))
  t.ok(letters.has('ab'), [...letters].join(' '))
  const torn = Array.from({ length: 200 }, (_, n) => state({ data: 'torn', random: seeded(n) })['f'] ?? 'none')
  t.ok(
    torn.some((content) => /b+a+/s.test(content.slice(512, 1024))),
    'a sector holds the beginning of the new and the end of the old'
  )
  t.end()
})

t.test('a file that was cut has its old length or the new one', (t) => {
  const state = disk(t, [
    { op: 'create', inode: 7, path: 'f' },
    write(7, 'x'.repeat(1000)),
    sync(7),
    sync(1, ''),
    { op: 'cut', inode: 7, path: 'f', size: 10 }
  ])
  t.equal(state()['f']?.length, 1000)
  t.equal(state({ data: 'all' })['f'], 'x'.repeat(10))
  t.end()
})

t.test('a mark stands in the recording where it happened, and says what the outside knows', (t) => {
  const file = join(t.testdir({}), 'recording')
  writeFileSync(file, '')
  mark(file, { what: 'asked', kind: 'name', value: 'Hill' })
  mark(file, { what: 'told', kind: 'name', value: 'Hill' })
  mark(file, { what: 'asked', kind: 'name', value: 'Dale' })
  const known = new Known()
  for (const step of readRecording(file)) if (step.op === 'mark') known.take(step.text)
  t.same(known.names, ['Hill', 'Dale'], 'the second may be in force, the one before the first may not')
  t.end()
})
