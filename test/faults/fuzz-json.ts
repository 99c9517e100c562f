import type { Chance } from './fuzz-chance.ts'

/** JSON values broken at their nodes: a value becomes another, goes, is doubled, moves or nests. The tree is the caller's to lose. */

type Node = Record<string, unknown> | unknown[]

const KEYS = ['__proto__', 'constructor', 'toString', 'type', '', 'id', 'length', 'a/b~c']

function oddValue(chance: Chance): unknown {
  const odd = [
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    -90.0001,
    180.0001,
    Number.MAX_SAFE_INTEGER + 1,
    '',
    ' ',
    '0',
    'NaN',
    '2026-02-30T25:00:00Z',
    '9999-12-31T23:59:59.999+14:00',
    '\ud83d',
    '\u0000',
    'a'.repeat(600),
    [],
    {},
    [null],
    [[[[]]]],
    { type: 'Polygon' },
    {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1e300, 0],
          [0, null]
        ]
      ]
    },
    JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
  ]
  return chance.of(odd)
}

/** Every list and object below a value, itself first. */
function nodesOf(value: unknown, found: Node[] = []): Node[] {
  if (typeof value !== 'object' || value === null || found.length > 4000) return found
  found.push(value as Node)
  for (const inner of Object.values(value)) nodesOf(inner, found)
  return found
}

function put(node: Node, key: string | number, value: unknown): void {
  if (Array.isArray(node)) node[Number(key)] = value
  else Object.defineProperty(node, key, { value, writable: true, enumerable: true, configurable: true })
}

const keysOf = (node: Node): (string | number)[] => (Array.isArray(node) ? [...node.keys()] : Object.keys(node))
const valueAt = (node: Node, key: string | number): unknown =>
  Array.isArray(node) ? node[Number(key)] : Object.getOwnPropertyDescriptor(node, key)?.value

/** No time or code is longer: those stay whole. */
const SHORTEST_CUT = 32

/** The same value with its long texts cut, to a length drawn for all: a reader's work is mostly theirs. */
export function slimJson(value: unknown, chance: Chance): unknown {
  const most = SHORTEST_CUT * 2 ** chance.below(4)
  for (const node of nodesOf(value))
    for (const key of keysOf(node)) {
      const here = valueAt(node, key)
      if (typeof here === 'string' && here.length > most) put(node, key, here.slice(0, most))
    }
  return value
}

/** Changes a value once, at any depth; answers what stands at the top afterwards. `spoil` changes a text. */
export function changedJson(value: unknown, chance: Chance, spoil: (text: string) => string): unknown {
  const nodes = nodesOf(value)
  const filled = nodes.filter((one) => keysOf(one).length > 0)
  if (filled.length === 0) return chance.onceIn(3) ? oddValue(chance) : value
  const node = chance.of(filled)
  const key = chance.of(keysOf(node))
  const here = valueAt(node, key)
  switch (chance.below(9)) {
    case 0:
      put(node, key, oddValue(chance))
      break
    case 1:
      if (Array.isArray(node)) node.splice(Number(key), 1)
      else delete node[key]
      break
    case 2:
      if (Array.isArray(node)) node.splice(Number(key), 0, here)
      else put(node, `${key}2`, here)
      break
    case 3:
      put(node, key, copyOf(valueAt(chance.of(filled), 0) ?? chance.of(nodes)))
      break
    case 4:
      put(node, Array.isArray(node) ? key : chance.of(KEYS), here)
      break
    case 5:
      put(node, key, [here])
      break
    case 6:
      if (typeof here === 'number') put(node, key, here * chance.of([-1, 0, 1.5, 1000, 1e30]))
      else put(node, key, JSON.stringify(here) ?? 'undefined')
      break
    default:
      if (typeof here === 'string') put(node, key, spoil(here))
      else if (chance.onceIn(6)) return oddValue(chance)
  }
  return value
}

/** A copy, so that no value holds itself. Large ones are left where they are. */
function copyOf(value: unknown): unknown {
  const text = JSON.stringify(value) ?? 'null'
  return text.length > 20_000 ? null : JSON.parse(text)
}

/** The same value with one list repeated, one text repeated, or one value nested, until it is about so long. */
export function pumpOfJson(text: string, chance: Chance): (size: number) => string {
  const draw = chance.next()
  const kind = chance.below(4)
  return (size) => {
    const value: unknown = JSON.parse(text)
    const nodes = nodesOf(value).filter((one) => keysOf(one).length > 0)
    if (nodes.length === 0) return text
    const lists = nodes.filter((one) => Array.isArray(one))
    const from = kind < 2 && lists.length > 0 ? lists : nodes
    const node = from[Math.floor(draw * from.length)] ?? from[0]
    if (node === undefined) return text
    const keys = keysOf(node)
    const key = keys[Math.floor(draw * 997) % keys.length] ?? 0
    grow(node, key, { kind, size: Math.max(1, size - text.length) })
    return JSON.stringify(value)
  }
}

function grow(node: Node, key: string | number, { kind, size }: { kind: number; size: number }): void {
  const here = valueAt(node, key)
  const written = JSON.stringify(here) ?? 'null'
  const times = Math.max(1, Math.floor(size / (written.length + 1)))
  if (Array.isArray(node) && kind < 2) for (let count = 0; count < times; count++) node.push(here)
  else if (typeof here === 'string')
    put(node, key, (here === '' ? 'a' : `${here} `).repeat(Math.ceil(size / (here.length + 1))))
  else if (Array.isArray(node)) node.push(...Array.from({ length: times }, () => here))
  else for (let count = 0; count < Math.floor(size / (written.length + 10)); count++) put(node, `k${count}`, here)
}
