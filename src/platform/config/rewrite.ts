import { drain } from '../clock/slices.ts'
import type { JsonNode } from './locate.ts'

/** So many values are written in one step: about a millisecond on a Raspberry Pi. */
const STEP = 500

/** The text that stands on disk now, its structure and its value. */
export interface Written {
  text: string
  root: JsonNode
  raw: unknown
}

/** A value as it stands in the text; without a node it is new. */
interface Standing {
  node: JsonNode | undefined
  written: unknown
}

/** Layout, and how much is still to be written in this step. */
interface Style {
  text: string
  unit: string
  newline: string
  left: number
}

/**
 * The text for `value`, changed no more than it must be: whatever is equal keeps its spelling, its layout and the order of
 * its keys to the letter, also numbers beyond what JavaScript can hold and keys it would sort (`"12"` before `"b"`).
 * Without `written` it is plain JSON, indented by two. It ends in a line feed.
 */
export function rewriteJson(value: unknown, written: Written | null): string {
  return drain(rewriteSteps(value, written))
}

/** The same in steps: an outline has tens of thousands of values. */
export function* rewriteSteps(value: unknown, written: Written | null): Generator<void, string> {
  const { text = '', root, raw } = written ?? {}
  const unit = root === undefined ? '  ' : indentOf(text, root)
  const style = { text, unit, newline: text.includes('\r\n') ? '\r\n' : '\n', left: STEP }
  return `${yield* render(value, { node: root, written: raw }, '', style)}${style.newline}`
}

function indentOf(text: string, root: JsonNode): string {
  const first = root.members[0]?.keyStart ?? root.start
  return /\n([ \t]+)$/.exec(text.slice(0, first))?.[1] ?? '  '
}

function* render(value: unknown, { node, written }: Standing, indent: string, style: Style): Generator<void, string> {
  if (node !== undefined && isSpeltAlike(value, written)) return style.text.slice(node.start, node.end)
  if (--style.left <= 0) {
    style.left = STEP
    yield
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (node === undefined && isFlat(value)) return plain(value, indent, style)
  return Array.isArray(value)
    ? yield* renderList(value, { node, written }, indent, style)
    : yield* renderObject(value, { node, written }, indent, style)
}

function* renderList(
  value: readonly unknown[],
  { node, written }: Standing,
  indent: string,
  style: Style
): Generator<void, string> {
  const nodes = node?.items ?? []
  const items: unknown[] = Array.isArray(written) ? written : []
  const inner = `${indent}${style.unit}`
  const parts: string[] = []
  for (const [index, item] of value.entries())
    parts.push(yield* render(item, { node: nodes[index], written: items[index] }, inner, style))
  return joined('[', parts, ']', { indent, style })
}

function* renderObject(
  value: object,
  { node, written }: Standing,
  indent: string,
  style: Style
): Generator<void, string> {
  const before = typeof written === 'object' && written !== null ? written : {}
  const inner = `${indent}${style.unit}`
  const parts: string[] = []
  for (const key of node?.kind === 'object' ? keyOrder(value, node, before) : Object.keys(value)) {
    const member = node?.members.findLast((other) => other.key === key)
    const stands = { node: member?.value, written: Reflect.get(before, key) }
    parts.push(`${JSON.stringify(key)}: ${yield* render(Reflect.get(value, key), stands, inner, style)}`)
  }
  return joined('{', parts, '}', { indent, style })
}

/** A position of an outline, say: nothing in it takes long. */
function isFlat(value: object): boolean {
  return Object.values(value).every((member) => typeof member !== 'object' || member === null)
}

function plain(value: object, indent: string, { unit, newline }: Style): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', `${newline}${indent}`)
}

/** True when both are the same JSON, their keys in the same order. It ends at the first difference. */
function isSpeltAlike(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
    return one.every((item, index) => isSpeltAlike(item, other[index]))
  }
  const [keys, others] = [Object.keys(one), Object.keys(other)]
  if (keys.length !== others.length) return false
  return keys.every(
    (key, index) => key === others[index] && isSpeltAlike(Reflect.get(one, key), Reflect.get(other, key))
  )
}

function joined(
  open: string,
  parts: readonly string[],
  close: string,
  { indent, style: { unit, newline } }: { indent: string; style: Style }
): string {
  if (parts.length === 0) return `${open}${close}`
  const lines = parts.map((part) => `${indent}${unit}${part}`).join(`,${newline}`)
  return `${open}${newline}${lines}${newline}${indent}${close}`
}

/** The order of the file, new keys behind it; when the change put the old keys into another order, that order. */
function keyOrder(value: object, node: JsonNode, written: object): string[] {
  const keys = Object.keys(value)
  const had = new Set(node.members.map(({ key }) => key))
  const before = Object.keys(written).filter((key) => Object.hasOwn(value, key))
  const moved = keys.filter((key) => had.has(key)).some((key, index) => key !== before[index])
  if (moved) return keys
  return [...[...had].filter((key) => Object.hasOwn(value, key)), ...keys.filter((key) => !had.has(key))]
}
